//! Fifty visitors at once: everybody is served, nobody starves, and memory stays within its bounds.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::common::{Client, Running, spot};
use serde_json::{Value, json};

const N: usize = 50;

#[test]
fn timed_fifty_visitors_are_served_fairly() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let barrier = Barrier::new(N);
    let studied: Vec<(u64, u64, Duration)> = std::thread::scope(|scope| {
        let visitors: Vec<_> = (0..N).map(|_| scope.spawn(|| visit(&server, &barrier))).collect();
        visitors.into_iter().map(|visitor| visitor.join().unwrap()).collect()
    });
    let simulations: Vec<u64> = studied.iter().map(|(n, _, _)| *n).collect();
    let (least, most) = (simulations.iter().min().unwrap(), simulations.iter().max().unwrap());
    let slowest = studied.iter().map(|(_, _, time)| time).max().unwrap();
    println!("{N} visitors: {least} to {most} simulations each; the slowest two moves took {slowest:?}");
    // Slices are times, and the machine has other things to do; but nobody has many times what another has.
    assert!(*least > 0 && *most <= 8 * least, "{simulations:?}");
    // Half of what a session may have is for its studies.
    let bound = web::Bounds::default().memory as u64 / 2;
    assert!(studied.iter().all(|(_, bytes, _)| *bytes <= bound));
}

/// Studies a position as long as all others do, then plays two moves. Returns simulations, bytes of the tree, and the time
/// that the moves took.
fn visit(server: &Running, barrier: &Barrier) -> (u64, u64, Duration) {
    let mut client = server.enter();
    barrier.wait();
    client.ask(&json!({"ask": "study", "number": 1, "spot": spot(9), "recipes": ["default"]}));
    // All have begun when each has heard something; then all go on for a while.
    report(&mut client, false);
    barrier.wait();
    std::thread::sleep(Duration::from_secs(2));
    client.ask(&json!({"ask": "stop"}));
    let last = report(&mut client, true);
    let number = |key: &str| last[key].as_u64().unwrap();
    barrier.wait();
    let start = Instant::now();
    client.new_game(9, 3);
    client.play(40, 0);
    let game = client.play(-1, 2);
    assert!(game["moves"].as_array().unwrap().len() >= 4);
    (number("simulations"), number("bytes"), start.elapsed())
}

fn report(client: &mut Client, done: bool) -> Value {
    client.wait("report", |message| message["tell"] == "report" && (!done || message["done"] == true))
}
