//! A recipe as a process that speaks GTP plays, move for move, what it plays in the match's own process.

use std::path::Path;

use crate::match_support::{command, folder, games, score};

/// A player as a process of its own; each game has its seed.
fn outside(recipe: &str, playouts: u64, words: &str) -> String {
    let tengen = env!("CARGO_BIN_EXE_tengen");
    format!("gtp:'{tengen}' gtp --recipe '{recipe}' --playouts {playouts} --seed {{seed}} {words}")
}

/// Plays the same match three times: in this process, with A as a process, and with both.
fn check(name: &str, words: &str, [a, b]: [(&str, u64); 2]) {
    let play = |kind: &str, players: [String; 2]| {
        let out = folder(&format!("{name}-{kind}"));
        let [a, b] = players;
        let output =
            command(&out, words).args(["--a", &a, "--b", &b, "--referee", "board"]).output().unwrap();
        (score(&output), games(&out))
    };
    let inside = |(recipe, playouts): (&str, u64)| format!("{recipe}@playouts={playouts}");
    let (first, here) = play("here", [inside(a), inside(b)]);
    let (_, one) = play("one", [outside(a.0, a.1, ""), inside(b)]);
    let (both, two) = play("both", [outside(a.0, a.1, ""), outside(b.0, b.1, "")]);
    assert!(here.iter().all(|(_, _, moves)| moves.split(' ').count() > 8), "{here:?}");
    assert_eq!(here, one);
    assert_eq!(here, two);
    let wins = |score: &serde_json::Value| (score["wins_a"].clone(), score["draws"].clone());
    assert_eq!(wins(&first), wins(&both));
}

#[test]
fn small_games_are_the_same_in_and_out_of_process() {
    let words = "--size 5 --komi 3.5 --games 6 --seed 21 --parallel 2 --rules tromp-taylor";
    check("process-5", words, [("default", 60), ("uct select.c=0.4", 40)]);
}

#[test]
fn larger_games_are_the_same_in_and_out_of_process() {
    let words = "--size 9 --games 2 --seed 4 --parallel 2 --rules japanese";
    check("process-9", words, [("goyui-rave", 50), ("default", 60)]);
}

#[test]
fn openings_and_handicaps_are_the_same_in_and_out_of_process() {
    let records = folder("process-records");
    std::fs::create_dir_all(&records).unwrap();
    let write = |name: &str, text: &str| std::fs::write(Path::new(&records).join(name), text).unwrap();
    // Over GTP stones that were set up are moves, so only who does not look at the last moves plays the same from there.
    write("1.sgf", "(;SZ[7]AB[cc][ce]AW[ec][ee]PL[W])");
    write("2.sgf", "(;SZ[7];B[dd];W[cc];B[ec])");
    let words = format!("--size 7 --games 4 --seed 8 --parallel 2 --openings {}", records.display());
    check("process-7", &words, [("light", 40), ("light", 30)]);
    check(
        "process-handicap",
        "--size 9 --komi 0.5 --handicap 3 --games 2 --seed 5",
        [("default", 30), ("uct", 30)],
    );
}

#[test]
fn another_seed_is_another_game() {
    let play = |seed: u64| {
        let out = folder(&format!("process-seed-{seed}"));
        let words = format!("--size 5 --games 2 --seed {seed} --b random");
        score(&command(&out, &words).args(["--a", &outside("default", 20, "")]).output().unwrap());
        games(&out)
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

/// The engine of a match that is killed outright ends, too, although it does not care for the end of its input.
#[cfg(target_os = "linux")]
#[test]
fn no_engine_outlives_a_match_that_is_killed() {
    use std::time::{Duration, Instant};
    let out = folder("process-killed");
    let pid_file = Path::new(&out).with_extension("pid");
    let _ = std::fs::remove_file(&pid_file);
    let script =
        format!("trap \"\" HUP INT TERM PIPE; echo $$ > {}; while :; do sleep 1; done", pid_file.display());
    let engine = format!("gtp:sh -c '{script}'");
    let mut game = command(&out, "--size 5 --games 2 --b random").args(["--a", &engine]).spawn().unwrap();
    let wait = |what: &str, until: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !until() {
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let pid = || std::fs::read_to_string(&pid_file).ok()?.strip_suffix('\n')?.parse::<u32>().ok();
    wait("no engine was started", &|| pid().is_some());
    let stat = format!("/proc/{}/stat", pid().unwrap());
    // Whoever is dead and not reaped so far no longer runs.
    let runs = || {
        let stat = std::fs::read_to_string(&stat).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
    };
    assert!(runs());
    game.kill().unwrap();
    game.wait().unwrap();
    wait("the engine goes on for nobody", &|| !runs());
}
