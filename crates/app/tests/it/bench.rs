//! `tengen bench`: the fields that others read, and numbers that do not depend on the clock.

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// What the program prints for these words; it must succeed.
fn text(words: &str) -> String {
    let output = cargo_bin_cmd!("tengen").args(words.split(' ')).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(words: &str) -> Value {
    let text = text(words);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// What the program complains about for these words.
fn error(words: &str) -> String {
    let output = cargo_bin_cmd!("tengen").args(words.split(' ')).output().unwrap();
    assert!(!output.status.success(), "{words}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn playouts_are_measured() {
    let run = json("bench playouts --size 9 --policy uniform --playouts 5000 --seed 1 --json");
    assert_eq!(run["playouts"], 5000);
    assert_eq!(run["size"], "9x9");
    assert!(run["seconds"].as_f64().unwrap() > 0.0 && run["playouts_per_second"].as_f64().unwrap() > 0.0);
    let length = run["moves_per_playout"].as_f64().unwrap();
    assert!((109.0..113.0).contains(&length), "{length}");
    let black = run["black_win_rate"].as_f64().unwrap();
    assert!((0.40..0.45).contains(&black), "{black}");
}

#[test]
fn playouts_follow_their_seed() {
    let length = |words: &str| {
        json(&format!("bench playouts --json --playouts 200 {words}"))["moves_per_playout"].clone()
    };
    assert_eq!(length("--seed 7"), length("--seed 7"));
    assert_ne!(length("--seed 7"), length("--seed 8"));
    assert_ne!(length("--policy uniform"), length("--policy uniform:eye=goyui"));
    assert!(text("bench playouts --size 5x7 --playouts 100").starts_with("100 playouts of uniform on 5x7"));
    assert!(text("bench playouts --size 5x7 --playouts 1").starts_with("1 playout of uniform on 5x7"));
    let search = text("bench search --size 5x7 --playouts 1");
    assert!(search.starts_with("1 simulation on 5x7") && search.contains("\n1 node in "), "{search}");
}

#[test]
fn searches_are_measured() {
    let run = json("bench search --size 9 --playouts 500 --seed 3 --json");
    assert_eq!(run["simulations"], 500);
    for key in ["seconds", "simulations_per_second", "nodes", "peak_bytes"] {
        assert!(run[key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert_eq!((&run["threads"], &run["memory"]), (&1.into(), &(1u64 << 30).into()));
    if cfg!(target_os = "linux") {
        let [fixed, peak] = ["fixed_bytes", "peak_resident_bytes"].map(|key| run[key].as_u64().unwrap());
        assert!(0 < fixed && fixed < peak, "{run}");
    }
    let again = json("bench search --size 9 --playouts 500 --seed 3 --json");
    for key in ["nodes", "peak_bytes", "value", "move"] {
        assert_eq!(run[key], again[key], "{key}");
    }
}

#[test]
fn positions_are_solved_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corner.txt");
    let board = ". . . O X\nO O O O X\nX X X X X\n. X . X .\n";
    let case = |title: &str, answer: &str| format!("= {title}\n{board}komi 10.5\nbest B {answer}\n");
    std::fs::write(&path, case("kill", "B4") + &case("nonsense", "A4")).unwrap();
    let words = format!("bench solve {} --playouts 500", path.display());
    let report = text(&words);
    let lines: Vec<&str> = report.lines().collect();
    assert!(lines[0].starts_with("ok   corner: kill: answer B B4, played B4, value "), "{report}");
    assert!(lines[1].starts_with("FAIL corner: nonsense: answer B A4, played B4"), "{report}");
    assert_eq!(lines[2..], ["solved 1 of 2"]);
    let run = json(&format!("{words} --json"));
    assert_eq!((&run["solved"], &run["positions"]), (&Value::from(1), &Value::from(2)));
    assert_eq!((&run["attempts"][1]["played"], &run["attempts"][1]["ok"]), (&"B4".into(), &false.into()));
    std::fs::write(&path, case("off the board", "K4")).unwrap();
    let complaint = error(&words);
    assert!(complaint.contains("corner.txt") && complaint.contains("K4"), "{complaint}");
    assert!(error("bench solve nowhere.txt").contains("cannot read nowhere.txt"));
}

#[test]
fn searches_have_the_means_that_are_given() {
    let run = json("bench search --size 19 --playouts 4000 --threads 2 --memory 1M --json");
    assert_eq!(
        (&run["simulations"], &run["threads"], &run["is_full"]),
        (&4000.into(), &2.into(), &true.into())
    );
    assert!(run["peak_bytes"].as_u64().unwrap() <= 1_000_000, "{run}");
}

#[test]
fn the_number_is_the_same_again_and_tells_recipes_apart() {
    let first = text("bench");
    let number: u64 = first.trim_end().strip_prefix("bench: ").unwrap().parse().unwrap();
    assert_eq!(json("bench --json")["bench"], number);
    assert_ne!(text("bench --recipe select.c=2"), first);
}

#[test]
fn errors_name_what_is_near() {
    assert!(error("bench playouts --policy unifrom").contains("did you mean `uniform`?"));
    for number in ["0", "-1", "1.5"] {
        let complaint = error(&format!("bench playouts --playouts {number}"));
        let expected = format!(
            "invalid value '{number}' for '--playouts <PLAYOUTS>': expected a whole number, at least 1"
        );
        assert!(complaint.contains(&expected), "{complaint}");
    }
    assert!(error("bench search --recipe selct=uct").contains("did you mean `select`?"));
    assert!(error("bench search --size 1").contains("each side must be 2 to 25"));
}
