//! CPU time of a Hex playout and of a simulation, on the board of a side that is given, 11 if none is.

use goban::Rng;
use mcts::evaluate::Sample;
use mcts::hex::HexGame;
use mcts::{Game, Limits, ROOT, Search, Settings};
use recipe::{Recipe, Shelf, Value};
use std::time::Instant;

fn main() {
    let side = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(11);
    let Some(game) = HexGame::new(side, false) else { return println!("expected a side from 2 to 19") };
    let Ok(recipe) =
        Recipe::parse(&ROOT, &Shelf::default(), "models=mc+rave mixer=min-mse fpu=amaf expand.n=6")
    else {
        return println!("the recipe has changed its words");
    };
    let policy = recipe.entries().into_iter().find_map(|entry| match (entry.key.as_str(), entry.value) {
        ("leaf.policy", Value::Choice(choice)) => Some(choice.clone()),
        _ => None,
    });
    let Some(Ok(mut rollout)) = policy.map(|policy| game.rollout(&policy)) else { return };
    let (mut rng, mut sample, n) = (Rng::new(1), Sample::default(), 200_000);
    let start = Instant::now();
    for _ in 0..n {
        sample.tail.clear();
        rollout.run(&game, &mut rng, false, &mut sample);
    }
    println!("{:.2} µs a playout", 1e6 * start.elapsed().as_secs_f64() / f64::from(n));
    let Ok(mut search) = Search::new(&recipe, game, &Settings::default()) else { return };
    let report = search.run(&Limits::simulations(100_000));
    println!("{:.2} µs a simulation", 1e6 * report.seconds / report.simulations as f64);
}
