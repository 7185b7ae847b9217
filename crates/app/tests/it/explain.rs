//! `tengen explain`: what it prints, and that looking on changes nothing.

use std::collections::BTreeSet;
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
fn a_komi_that_is_no_number_is_told() {
    let desk = Desk::new("(;GM[1]FF[4]SZ[5]KM[abc];B[cc])");
    let mut command = cargo_bin_cmd!("tengen");
    command.current_dir(desk.folder.path()).args(["explain", "game.sgf", "--playouts", "10"]);
    let told = |output: std::process::Output| String::from_utf8(output.stderr).unwrap();
    let err = told(command.output().unwrap());
    assert!(err.contains("KM[abc] was ignored: expected a number such as `6.5`; komi 7.5 is taken"), "{err}");
    // Whoever names the komi does not ask.
    assert_eq!(told(command.args(["--komi", "3"]).output().unwrap()), "");
}

#[test]
fn the_page_shows_board_table_score_owners_and_move() {
    let desk = Desk::new(RECORD);
    let page = desk.run("--recipe goyui-bma --playouts 2000 --top 4 --move 8").unwrap();
    assert!(page.starts_with("Before move 8: White to play, komi 5.5, last move Black E5\n"), "{page}");
    assert!(page.contains("Recipe: goyui-bma = ") && page.contains(" mixer=bma "), "{page}");
    let rows = page.lines().filter(|line| [">a ", " b ", " c ", " d "].iter().any(|l| line.starts_with(l)));
    assert_eq!(rows.count(), 4, "{page}");
    for part in [
        "-- mc --",
        " rave --",
        "visits",
        "expected line",
        "Owners at the end",
        "2000 simulations in",
        "Tree: ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let number = |line: &&str| line.trim_start().starts_with('7');
    assert_eq!(page.lines().filter(number).count(), 2, "two boards: {page}");
    assert!(page.contains("\nMove: ") && page.contains(", by pick=most-visits\n"), "{page}");
    assert!(desk.run("--playouts 200").unwrap().starts_with("Before move 9: Black to play"));
}

#[test]
fn the_move_that_would_be_played_comes_first_and_is_marked() {
    let desk = Desk::new(RECORD);
    let words = "--playouts 300 --move 8 --seed 4";
    // By value, where all moves have about as many visits; by visits; and drawn by lots, nearly all alike.
    fs::write(desk.path("lots.recipe"), "uct pick=softmax pick.t=100").unwrap();
    for (recipe, by) in
        [("bouzy-basic", "value"), ("depth2", "value"), ("uct", "visits"), ("lots.recipe", "visits")]
    {
        let found = desk.json(&format!("--recipe {recipe} {words}"));
        let arms = found["arms"].as_array().unwrap();
        assert_eq!(found["move"], arms[0]["move"], "{recipe}");
        let numbers: Vec<f64> = arms.iter().map(|arm| arm[by].as_f64().unwrap()).collect();
        assert!(numbers[1..].is_sorted_by(|a, b| a >= b), "{recipe}: {numbers:?}");
        // It is in the table however short that is.
        let page = desk.run(&format!("--recipe {recipe} {words} --top 1")).unwrap();
        let played = found["move"].as_str().unwrap();
        assert!(page.contains(&format!("\n>a  {played} ")) && !page.contains("\n b  "), "{page}");
        assert!(page.contains(&format!("\nMove: {played}, by ")), "{page}");
        assert!(page.contains(&format!("the others follow by {by}. Shown: 1 of ")), "{page}");
    }
    let drawn = desk.json(&format!("--recipe lots.recipe {words}"));
    assert!(drawn["arms"][0]["visits"].as_u64() < drawn["arms"][1]["visits"].as_u64(), "{drawn}");
}

#[test]
fn one_is_no_plural() {
    let page = Desk::new("(;SZ[5];B[cc])").run("--playouts 1").unwrap();
    for part in
        ["Shown: 1 of 1 move that was tried.", "\n1 simulation in ", "; 1 thread, ", "\nTree: 1 node in "]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let error = Desk::new("(;SZ[5];B[cc])").run("--move 3").unwrap_err();
    assert!(error.contains("the game has 1 move"), "{error}");
}

#[test]
fn moves_that_were_not_tried_are_worth_what_the_models_say() {
    // Few simulations and an urgency that follows RAVE: most moves are known from playouts alone.
    let found = Desk::new(RECORD).json("--recipe light --playouts 20");
    let untried: Vec<&Value> =
        found["arms"].as_array().unwrap().iter().filter(|arm| arm["visits"] == 0).collect();
    let is_known = |arm: &&&Value| arm["models"][1]["weight"].as_f64().unwrap() > 0.0;
    assert!(untried.iter().filter(is_known).count() > 5, "{found}");
    for arm in untried.iter().filter(is_known) {
        assert_eq!(arm["value"], arm["models"][1]["mean"], "{arm}");
    }
}

/// All names of fields, however deep.
fn fields(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, inner)| {
            names.insert(name.clone());
            fields(inner, names);
        }),
        Value::Array(list) => list.iter().for_each(|inner| fields(inner, names)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/methods/README.md");
    let document = fs::read_to_string(path).unwrap();
    let section = document.split("\n## ").find(|section| section.starts_with("Looking on\n")).unwrap();
    let mut names = BTreeSet::new();
    let desk = Desk::new(RECORD);
    fields(&desk.json("--recipe nomitan --playouts 50 --trace out.csv"), &mut names);
    let is_named = |name: &str| section.contains(&format!("| `{name}` | "));
    let missing: Vec<&String> = names.iter().filter(|name| !is_named(name)).collect();
    assert!(names.len() > 30 && missing.is_empty(), "docs/methods/README.md says nothing of {missing:?}");
    let (header, _) = csv(&desk.path("out.csv"));
    let columns = header.iter().map(|column| match column.split_once('.') {
        Some((_, what)) => format!("MODEL.{what}"),
        None => column.clone(),
    });
    for column in columns {
        assert!(is_named(&column), "docs/methods/README.md says nothing of the column {column}");
    }
    // The two point to each other.
    let output = cargo_bin_cmd!("tengen").args(["explain", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains("docs/methods/README.md") && section.contains("tengen explain --help"), "{help}");
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
    let rows = found["ownership_black"].as_array().unwrap();
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
    assert!(near("score_black") < 1e-3);

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
    // Black is far ahead and may pass, so that no arm is barred and the rest of them can be told equal. Enough of the board
    // is filled for a pass.
    let desk = Desk::new(
        "(;GM[1]FF[4]SZ[5]KM[5.5]RU[Chinese];B[bb];W[db];B[bc];W[dc];B[bd];W[dd];B[be];W[de];B[ba];W[da])",
    );
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
    fs::write(&recipe, "models=mc+lwr+lwr:kernel=winrate mixer=mc-only").unwrap();
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
    assert!(error.contains("game.sgf: --move 10: the game has 8 moves"), "{error}");
    assert!(desk.run("--recipe selct=uct").unwrap_err().contains("did you mean `select`?"));
    assert!(desk.run("--every 5").unwrap_err().contains("--trace"));
    assert!(desk.run("--trace no/such/out.csv").unwrap_err().contains("--trace no/such/out.csv"));
}

#[test]
fn errors_say_it_once() {
    let error = |record: &str| Desk::new(record).run("").unwrap_err();
    assert_eq!(
        error("(;SZ[5];B[aa];W[aa])"),
        "tengen: game.sgf: move 2: illegal move: White A5: there is a stone already\n"
    );
    let setup = error("(;SZ[3]AB[aa]AW[ab][ba])");
    assert!(setup.starts_with("tengen: game.sgf: setup after move 0: the chain of "), "{setup}");
    assert_eq!(setup.matches("the chain of ").count(), 1, "{setup}");
    assert_eq!(error("no record"), "tengen: game.sgf: no game found: an SGF file begins with `(;`\n");
    let desk = Desk::new(RECORD);
    fs::remove_file(desk.path("game.sgf")).unwrap();
    let missing = desk.run("").unwrap_err();
    assert!(missing.starts_with("tengen: game.sgf: ") && missing.matches(": ").count() == 2, "{missing}");
}

#[test]
fn numbers_that_cannot_be_meant_are_refused_by_name() {
    let desk = Desk::new(RECORD);
    let count = "expected a whole number, at least 1";
    for (words, option, expected) in [
        ("--seed -1", "--seed <SEED>", "expected a whole number from 0 to 18446744073709551615"),
        ("--time -1", "--time <SECONDS>", "expected a positive number of seconds such as 2 or 0.5"),
        ("--time soon", "--time <SECONDS>", "expected a positive number of seconds such as 2 or 0.5"),
        ("--playouts -1", "--playouts <PLAYOUTS>", count),
        ("--playouts 0", "--playouts <PLAYOUTS>", count),
        ("--move 0", "--move <N>", count),
        ("--move -3", "--move <N>", count),
        ("--top -3", "--top <K>", count),
        ("--trace out.csv --every 0", "--every <K>", count),
        ("--komi much", "--komi <KOMI>", "expected a number of points such as 7.5"),
    ] {
        let error = desk.run(words).unwrap_err();
        let value = words.rsplit(' ').next().unwrap();
        assert!(error.contains(&format!("invalid value '{value}' for '{option}': {expected}")), "{error}");
        assert!(!error.contains("tip:"), "{error}");
    }
}

#[test]
fn a_trace_does_not_overwrite_the_record() {
    let desk = Desk::new(RECORD);
    let error = desk.run("--playouts 50 --trace ./game.sgf").unwrap_err();
    assert!(error.contains("--trace ./game.sgf: that is the game record"), "{error}");
    assert_eq!(fs::read_to_string(desk.path("game.sgf")).unwrap(), RECORD);
}
