//! `tengen explain`: what it prints, and that looking on changes nothing.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// Black to move can take the stone at D5, which only E5 has left to breathe.
const RECORD: &str = "(;GM[1]FF[4]SZ[7]KM[5.5]RU[Chinese];B[dd];W[dc];B[cc];W[ce];B[db];W[ed];B[ec];W[aa])";

struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new(record: &str) -> Self {
        let desk = Self { folder: TempDir::new().unwrap() };
        fs::write(desk.path("game.sgf"), record).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, words: &str) -> Result<String, String> {
        let mut command = cargo_bin_cmd!("tengen");
        command.current_dir(self.folder.path()).args(["explain", "game.sgf"]);
        let output = command.args(words.split_whitespace()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    fn json(&self, words: &str) -> Value {
        let text = self.run(&format!("--json {words}")).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).unwrap()
    }
}

/// A CSV file as its header and rows.
fn csv(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).unwrap();
    let mut rows = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
    (rows.next().unwrap(), rows.collect())
}

fn numbers(value: &Value) -> impl Iterator<Item = f64> + '_ {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap())
}

#[test]
fn the_page_shows_board_table_score_owners_and_move() {
    let desk = Desk::new(RECORD);
    let page = desk.run("--recipe goyui-bma --playouts 2000 --top 4 --move 8").unwrap();
    assert!(page.starts_with("Before move 8: White to play, komi 5.5, last move Black E5\n"), "{page}");
    assert!(page.contains("Recipe: goyui-bma = ") && page.contains(" mixer=bma "), "{page}");
    let rows = page.lines().filter(|line| [" a ", " b ", " c ", " d "].iter().any(|l| line.starts_with(l)));
    assert_eq!(rows.count(), 4, "{page}");
    for part in
        ["-- mc --", " rave --", "visits", "expected line", "Who owns what", "2000 simulations in", "Tree: "]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let number = |line: &&str| line.trim_start().starts_with('7');
    assert_eq!(page.lines().filter(number).count(), 2, "two boards: {page}");
    assert!(page.contains("\nMove: ") && page.contains(", by pick=most-visits\n"), "{page}");
    assert!(desk.run("--playouts 200").unwrap().starts_with("Before move 9: Black to play"));
}

#[test]
fn json_has_the_whole_report() {
    let desk = Desk::new(RECORD);
    let found = desk.json("--recipe goyui-bma --playouts 3000 --seed 5");
    assert_eq!((&found["simulations"], &found["before_move"]), (&3000.into(), &9.into()));
    assert_eq!(
        (&found["to_play"], &found["size"], &found["seed"]),
        (&"Black".into(), &"7x7".into(), &5.into())
    );
    assert_eq!(found["models"], serde_json::json!(["mc", "rave"]));
    assert!(found["recipe"].as_str().unwrap().contains("leaf.policy.eye=standard"));
    for key in ["seconds", "simulations_per_second", "nodes", "bytes"] {
        assert!(found[key].as_f64().unwrap() > 0.0, "{key}");
    }
    let rows = found["ownership"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    let owners: Vec<f64> = rows.iter().flat_map(numbers).collect();
    assert!(owners.len() == 49 && owners.iter().all(|owner| owner.abs() <= 1.0), "{owners:?}");
    let arms = found["arms"].as_array().unwrap();
    let visits: Vec<u64> = arms.iter().map(|arm| arm["visits"].as_u64().unwrap()).collect();
    assert!(visits.is_sorted_by(|a, b| a >= b) && visits.iter().sum::<u64>() == 3000, "{visits:?}");
    for arm in arms {
        assert_eq!(arm["line"][0], arm["move"]);
        let models = arm["models"].as_array().unwrap();
        let sum = |of: &dyn Fn(&Value) -> f64| models.iter().map(of).sum::<f64>();
        let beta = |model: &Value| model["beta"].as_f64().unwrap();
        assert!((sum(&beta) - 1.0).abs() < 1e-5, "{arm}");
        let mixed = sum(&|model| beta(model) * model["mean"].as_f64().unwrap());
        assert!((mixed - arm["value"].as_f64().unwrap()).abs() < 1e-5, "{arm}");
    }
    assert_eq!(found["move"], arms[0]["move"]);
}

#[test]
fn a_look_at_the_search_does_not_disturb_it() {
    let desk = Desk::new(RECORD);
    let words = "--recipe goyui-bma --playouts 1111 --seed 3 --move 5";
    let undisturbed = desk.json(words);
    let watched = desk.json(&format!("{words} --trace out.csv --every 100"));
    for key in ["arms", "move", "nodes", "value", "win", "visits", "simulations", "samples"] {
        assert_eq!(undisturbed[key], watched[key], "{key}");
    }
    let near = |key: &str| (undisturbed[key].as_f64().unwrap() - watched[key].as_f64().unwrap()).abs();
    assert!(near("score") < 1e-3);

    let (header, rows) = csv(&desk.path("out.csv"));
    let expected = "simulation,move,visits,mc.n,mc.q,mc.beta,rave.n,rave.q,rave.beta,value";
    assert_eq!(header.join(","), expected);
    let mut looks: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    looks.dedup();
    let hundreds: Vec<String> = (1..=11).map(|n| (100 * n).to_string()).chain(["1111".to_string()]).collect();
    assert_eq!(looks, hundreds);
    let arms = undisturbed["arms"].as_array().unwrap();
    let last: Vec<_> = rows.iter().filter(|row| row[0] == "1111").collect();
    assert_eq!(last.len(), arms.len());
    for row in last {
        let arm = arms.iter().find(|arm| arm["move"] == row[1].as_str()).unwrap();
        let model = |idx: usize| ["weight", "mean", "beta"].map(|key| arm["models"][idx][key].clone());
        let [visits, value] = ["visits", "value"].map(|key| arm[key].clone());
        let numbers = [visits].into_iter().chain(model(0)).chain(model(1)).chain([value]);
        for (cell, number) in row[2..].iter().zip(numbers) {
            assert_eq!(cell.parse::<f64>().unwrap(), number.as_f64().unwrap(), "{row:?} {arm}");
        }
    }
}

#[test]
fn a_search_that_ends_by_itself_ends_as_soon_when_looked_at() {
    // Black is far ahead and may pass, so that no arm is barred and the rest of them can be told equal.
    let desk = Desk::new(RECORD);
    fs::write(desk.path("sieve.recipe"), "bouzy-pruning widen.sigma-e=5").unwrap();
    let words = "--recipe sieve.recipe --playouts 100000 --komi -40";
    let undisturbed = desk.json(words);
    assert!(undisturbed["is_settled"] == true && undisturbed["simulations"].as_u64().unwrap() < 100_000);
    for every in ["100", "128", "3000"] {
        let watched = desk.json(&format!("{words} --trace out.csv --every {every}"));
        for key in ["is_settled", "simulations", "arms", "move"] {
            assert_eq!(undisturbed[key], watched[key], "{key}, every {every}");
        }
    }
}

#[test]
fn columns_follow_the_models() {
    let desk = Desk::new(RECORD);
    let recipe = desk.path("three.recipe");
    fs::write(&recipe, "models=mc+lwr+lwr mixer=mc-only").unwrap();
    desk.run("--recipe three.recipe --playouts 250 --trace out.csv").unwrap();
    let (header, rows) = csv(&desk.path("out.csv"));
    assert_eq!(header[6..9], ["lwr.n", "lwr.q", "lwr.beta"]);
    assert_eq!(header[9..], ["lwr~2.n", "lwr~2.q", "lwr~2.beta", "value"]);
    // A hundredth of 250 is 3 when rounded up: 3, 6, …, 249, 250.
    assert_eq!((rows[0][0].as_str(), rows.last().unwrap()[0].as_str()), ("3", "250"));
}

#[test]
fn points_are_shown_as_points() {
    let desk = Desk::new(RECORD);
    let page = desk.run("--recipe reward=score --playouts 300").unwrap();
    assert!(page.contains("  wins  ") && page.contains(" +"), "{page}");
}

#[test]
fn moves_that_superko_forbids_are_not_considered() {
    // White took the ko and both passed: simple ko allows Black to take back at C4, positional superko does not.
    let record = "(;SZ[5]KM[0]AB[ba][ab][bc][cb]AW[ca][db][cc]PL[W];W[bb];B[];W[])";
    let desk = Desk::new(record);
    let has_retake = |rules: &str| {
        let found = desk.json(&format!("--playouts 100 --rules {rules}"));
        found["arms"].as_array().unwrap().iter().any(|arm| arm["move"] == "C4")
    };
    assert!(has_retake("chinese"));
    assert!(!has_retake("tromp-taylor"));
}

#[test]
fn errors_name_file_and_move() {
    let desk = Desk::new(RECORD);
    let error = desk.run("--move 10").unwrap_err();
    assert!(error.contains("game.sgf: --move 10: the game has 8 moves; expected 1 to 9"), "{error}");
    assert!(desk.run("--move 0").unwrap_err().contains("--move 0"));
    assert!(desk.run("--recipe selct=uct").unwrap_err().contains("did you mean `select`?"));
    assert!(desk.run("--every 5").unwrap_err().contains("--trace"));
    assert!(desk.run("--trace out.csv --every 0").unwrap_err().contains("--every 0: expected at least 1"));
    assert!(desk.run("--trace no/such/out.csv").unwrap_err().contains("--trace no/such/out.csv"));
    let error = Desk::new("(;SZ[5];B[aa];W[aa])").run("").unwrap_err();
    assert!(error.contains("game.sgf: move 2: illegal move: White A5"), "{error}");
    assert!(Desk::new("no record").run("").unwrap_err().contains("game.sgf: "));
}

#[test]
fn a_trace_does_not_overwrite_the_record() {
    let desk = Desk::new(RECORD);
    let error = desk.run("--playouts 50 --trace ./game.sgf").unwrap_err();
    assert!(error.contains("--trace ./game.sgf: that is the game record"), "{error}");
    assert_eq!(fs::read_to_string(desk.path("game.sgf")).unwrap(), RECORD);
}
