//! `tengen match` with openings and with clocks of each side's own, from outside.

use std::fs;

use crate::match_support::{command, complaint, fake, folder, results, run, score};

/// The first plays and setup of a game's record, as text.
fn start(out: &std::path::Path, game: u64, n: usize) -> String {
    let bytes = fs::read(out.join(format!("game-{game:04}.sgf"))).unwrap();
    let collection = sgf::Collection::read(&bytes).unwrap();
    let record = sgf::Game::new(&collection.games[0]).unwrap();
    let moves = record.moves().unwrap();
    moves.iter().take(n).map(|mv| format!("{}{:?} ", mv.color, mv.point)).collect()
}

#[test]
fn records_are_openings_for_two_games_each() {
    let records = folder("records");
    fs::create_dir_all(&records).unwrap();
    fs::write(records.join("1.sgf"), "(;SZ[5]AB[bb][cc]AW[dd]PL[W])").unwrap();
    fs::write(records.join("2.sgf"), "(;SZ[5];B[ee];W[aa];B[ae])").unwrap();
    fs::write(records.join("other.sgf"), "(;SZ[9];B[ee])").unwrap();
    let out = folder("with-records");
    let words = format!("--a random --b random --games 6 --openings {}", records.display());
    let words = words.as_str();
    score(&run(&out, words));
    let results = results(&out);
    let names: Vec<&str> = (1..=6).map(|game| results[&game]["opening"].as_str().unwrap()).collect();
    assert_eq!(names, ["1.sgf", "1.sgf", "2.sgf", "2.sgf", "1.sgf", "1.sgf"]);
    let sgf = fs::read_to_string(out.join("game-0002.sgf")).unwrap();
    for part in ["AB[bb]", "[cc]", "AW[dd]", "GN[opening 1.sgf]", ";W["] {
        assert!(sgf.contains(part), "{part} in {sgf}");
    }
    assert_eq!(start(&out, 3, 3), start(&out, 4, 3));
    assert_ne!(start(&out, 3, 20), start(&out, 4, 20), "after the opening the players are on their own");
    // A folder that has changed is another match; one that is only called otherwise is not.
    let moved = folder("records-moved");
    fs::rename(&records, &moved).unwrap();
    score(&run(&out, &words.replace("match-records", "match-records-moved")));
    fs::write(moved.join("2.sgf"), "(;SZ[5];B[ee];W[aa];B[ad])").unwrap();
    let text = complaint(&run(&out, &words.replace("match-records", "match-records-moved")));
    assert!(text.contains("openings is \"2 records,"), "{text}");
    let nothing = folder("no-openings");
    for (openings, reason) in
        [("nowhere", "cannot read nowhere"), ("balanced:x", "expected a number of openings")]
    {
        let output = run(&nothing, &format!("--a random --b random --openings {openings}"));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(reason), "{text}");
    }
    let text = complaint(&run(&nothing, "--a random --b random --size 9 --handicap 2 --openings balanced"));
    assert!(text.contains("handicap stones need an empty board"), "{text}");
    assert!(!nothing.exists(), "a match that is refused leaves nothing");
}

#[test]
fn balanced_openings_are_made_once_and_kept() {
    let out = folder("balanced");
    let words = "--a random --b random --size 7 --seed 9 --parallel 2 --openings balanced:3 --games";
    score(&run(&out, &format!("{words} 4")));
    let kept = fs::read_to_string(out.join("openings.sgf")).unwrap();
    let collection = sgf::Collection::read(kept.as_bytes()).unwrap();
    assert_eq!(collection.games.len(), 3);
    for (idx, tree) in collection.games.iter().enumerate() {
        let opening = sgf::Game::new(tree).unwrap();
        let moves = opening.moves().unwrap();
        assert_eq!(moves.len(), 4);
        if idx < 2 {
            let plays: String = moves.iter().map(|mv| format!("{}{:?} ", mv.color, mv.point)).collect();
            assert_eq!(
                [start(&out, 2 * idx as u64 + 1, 4), start(&out, 2 * idx as u64 + 2, 4)],
                [plays.clone(), plays]
            );
        }
    }
    // Going on takes those of the store; the file beside it is written again where it is missing.
    fs::remove_file(out.join("openings.sgf")).unwrap();
    score(&run(&out, &format!("{words} 8")));
    assert_eq!(fs::read_to_string(out.join("openings.sgf")).unwrap(), kept);
    assert_eq!(start(&out, 7, 4), start(&out, 1, 4), "after the last opening comes the first");
    // The same seed finds the same openings again.
    let again = folder("balanced-again");
    score(&run(&again, &format!("{words} 1").replace("--parallel 2", "--parallel 1")));
    assert_eq!(fs::read_to_string(again.join("openings.sgf")).unwrap(), kept);
    // Made openings do not come with a match that cannot be played.
    let refused = folder("balanced-refused");
    let words = words.replace("--b random", "--b gtp:no-such-engine").replace("balanced:3", "balanced:1");
    let text = complaint(&run(&refused, &format!("{words} 1")));
    assert!(text.contains("no-such-engine") && !refused.exists(), "{text}");
}

#[test]
fn each_side_has_its_own_clock() {
    let losses = |name: &str, words: &str, clock: &str| {
        let mut tengen = command(&folder(name), words);
        score(&tengen.args(["--b", &(fake("late") + clock)]).output().unwrap())["losses_b"].clone()
    };
    let losses_b = losses("own-clock", "--a random --games 1", "@clock=0.5");
    assert_eq!(losses_b, serde_json::json!({"time": 1}));
    let losses_b = losses("common-clock", "--a random --games 1 --clock 0.5", "@clock=1m");
    assert_eq!(losses_b.get("time"), None, "a minute is enough: {losses_b}");
}
