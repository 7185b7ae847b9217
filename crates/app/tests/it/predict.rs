//! `tengen predict` from outside: tables, JSON, and what it refuses.

use std::fs;
use std::path::PathBuf;

use assert_cmd::cargo::cargo_bin_cmd;
use model::net::file::NetworkOrigin;
use model::net::file::own::{self, NumberForm};
use model::net::sample;
use serde_json::Value;
use tempfile::TempDir;

/// What a run said: its status, standard output and standard error.
struct Run {
    code: i32,
    text: String,
    errors: String,
}

impl Run {
    fn new(words: &[&str], files: &[PathBuf]) -> Self {
        let output = cargo_bin_cmd!("tengen").arg("predict").args(words).args(files).output().unwrap();
        Self {
            code: output.status.code().unwrap(),
            text: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.errors);
        serde_json::from_str(&self.text).unwrap()
    }
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Three games of a list on 3×3, 5×5 and 9×9, passes among them.
fn list(folder: &TempDir) -> PathBuf {
    let lines = [
        "3\t0\t0\tB+R\t?/?\ta\t-\tbbtttt",
        "5\t0\t0\tB+R\t?/?\ta\t-\tccbcdctt",
        "9\t7\t0\tW+R\t?/?\tb\t-\teeec",
    ];
    write(folder, "games.txt", &(lines.join("\n") + "\n"))
}

#[test]
fn uniform_knows_the_number_of_legal_moves() {
    let folder = TempDir::new().unwrap();
    let record = write(&folder, "one.sgf", "(;SZ[9];B[aa];W[])");
    let run = Run::new(&["--with", "uniform", "--json"], &[list(&folder), record]);
    let json = run.json();
    let uniform = &json["predictions"][0];
    assert_eq!(
        (&uniform["games"], &uniform["positions"], &uniform["passes"]),
        (&4.into(), &7.into(), &4.into())
    );
    // Nine moves; twenty-five, -four, -three; eighty-one, eighty; eighty-one.
    let legal = [9.0_f64, 25.0, 24.0, 23.0, 81.0, 80.0, 81.0];
    let mean = |of: &dyn Fn(f64) -> f64| legal.iter().map(|&n| of(n)).sum::<f64>() / 7.0;
    let near = |value: &Value, expected: f64| (value[0].as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(near(&uniform["log_loss"], mean(&f64::ln)), "{}", uniform["log_loss"]);
    assert!(near(&uniform["log_legal"], mean(&f64::ln)));
    assert_eq!(uniform["top"].as_array().unwrap().len(), 50);
    for k in [1_u8, 9, 10, 50] {
        let expected = mean(&|n| (f64::from(k) / n).min(1.0));
        assert!(near(&uniform["top"][usize::from(k) - 1], expected), "top-{k}");
    }
    // An eighth of nine, 25 and 81 moves: one, three and ten.
    let phases: Vec<_> = (0..3).map(|n| &uniform["phases"][n]["positions"]).collect();
    assert_eq!(phases, [7, 0, 0]);
    assert_eq!(uniform["phases"][0]["phase"], "opening");
}

#[test]
fn predictors_are_compared_on_the_same_positions() {
    let folder = TempDir::new().unwrap();
    let words = "--with uniform --with flat-p --with gammas --with policy:uniform@playouts=20 \
                 --with search:uct@playouts=40 --games 2 --seed 3";
    let words: Vec<&str> = words.split_whitespace().collect();
    let run = Run::new(&words, &[list(&folder)]);
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
    for part in
        ["log loss", "top-50", "gammas", "search:uct@playouts=40", "of 2 games, drawn with seed 3 of 3"]
    {
        assert!(run.text.contains(part), "{part} in {}", run.text);
    }
    let pages = folder.path().join("pages");
    let out = ["--json", "--out", pages.to_str().unwrap()];
    let json = Run::new(&[&words[..], &out].concat(), &[list(&folder)]).json();
    let markdown = fs::read_to_string(pages.join("prediction.md")).unwrap();
    for part in ["search:uct@playouts=40", "prediction-curve.svg", "top-50", "tengen predict --with uniform"]
    {
        assert!(markdown.contains(part), "{part} in {markdown}");
    }
    assert!(pages.join("prediction.html").exists() && pages.join("prediction-curve.svg").exists());
    let predictions = json["predictions"].as_array().unwrap();
    assert_eq!(predictions.len(), 5);
    assert!(predictions.iter().all(|one| one["positions"] == predictions[0]["positions"]));
    assert!(predictions[4]["canonical"].as_str().unwrap().contains("select=uct"));
    // The same words say the same, whatever the threads, but for the time it took.
    let again = Run::new(&[&words[..], &["--json", "--parallel", "2"]].concat(), &[list(&folder)]).json();
    let untimed = |mut json: serde_json::Value| {
        for one in json["predictions"].as_array_mut().unwrap() {
            assert!(one.as_object_mut().unwrap().remove("micros").is_some_and(|time| time.is_f64()));
        }
        json
    };
    assert_eq!(untimed(json.clone()), untimed(again));
    let first =
        Run::new(&["--with", "uniform", "--games", "1", "--first", "--json"], &[list(&folder)]).json();
    assert_eq!((&first["games_read"], &first["predictions"][0]["positions"]), (&1.into(), &1.into()));
}

#[test]
fn what_cannot_be_read_or_played_is_named() {
    let folder = TempDir::new().unwrap();
    let odd =
        write(&folder, "odd.txt", "nonsense\n9\t7\t0\tB+R\t?/?\ta\t-\teeec\n9\t7\t0\tB+R\t?/?\ta\t-\teeee\n");
    let run = Run::new(&["--with", "uniform"], &[odd]);
    assert_eq!(run.code, 0);
    assert!(run.errors.contains("odd.txt:1: number of fields 1: expected 8"), "{}", run.errors);
    assert!(run.text.contains("at some move: 1") && run.text.contains("not readable: 1"));
    assert!(run.text.contains("3 positions of 2 games"), "{}", run.text);
    let none = Run::new(&["--with", "uniform"], &[folder.path().join("missing.txt")]);
    assert_eq!(none.code, 1);
    assert!(
        none.errors.contains("missing.txt: No such file") && none.errors.contains("no game could be read")
    );
}

#[test]
fn the_command_line_is_checked() {
    let folder = TempDir::new().unwrap();
    let files = [list(&folder)];
    for (words, code, part) in [
        ("--with unifrom", 2, "unifrom"),
        ("--with net:nobody", 1, "nobody"),
        ("--with net:", 2, "expected the name or the file of a network"),
        ("--with even", 2, "gives no probability of moves"),
        ("", 2, "--with"),
        ("--with uniform --games 0", 1, "--games 0: expected at least 1"),
        ("--with uniform --parallel 0", 1, "--parallel 0: expected at least 1"),
        ("--with uniform --mixed 2", 1, "--mixed 2: expected a share from 0 to 1"),
        ("--with uniform --komi NaN", 1, "--komi NaN: expected a number"),
    ] {
        let run = Run::new(&words.split_whitespace().collect::<Vec<_>>(), &files);
        assert_eq!(run.code, code, "{words}: {}", run.errors);
        assert!(run.errors.contains(part), "{part} in {}", run.errors);
    }
}

#[test]
fn a_network_is_asked_for_its_policy() {
    let folder = TempDir::new().unwrap();
    let net = folder.path().join("small.net");
    let origin = NetworkOrigin { game: "go".into(), shape: "b2c4".into(), ..NetworkOrigin::default() };
    fs::write(&net, own::to_bytes(&sample::plain_graph(8, 4, 1), &origin, NumberForm::F32).unwrap()).unwrap();
    let with = format!("net:{}", net.display());
    let json = Run::new(&["--with", &with, "--with", "uniform", "--json"], &[list(&folder)]).json();
    let (asked, uniform) = (&json["predictions"][0], &json["predictions"][1]);
    assert!(asked["canonical"].as_str().unwrap().starts_with("net:small#"), "{asked}");
    assert_eq!(asked["positions"], uniform["positions"]);
    assert!(
        asked["log_loss"][0].as_f64().unwrap() > 0.0 && asked["log_loss"] != uniform["log_loss"],
        "{json}"
    );
}

#[test]
fn nearness_foresees_real_games_better_than_chance() {
    let Some(data) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set, so there are no game lists to predict");
        return;
    };
    let list = PathBuf::from(data).join("games/9x9.txt.gz");
    let words = ["--with", "uniform", "--with", "gammas", "--games", "20", "--first", "--json"];
    let json = Run::new(&words, &[list]).json();
    let loss = |n: usize| json["predictions"][n]["log_loss"][0].as_f64().unwrap();
    assert!(loss(1) < loss(0) - 0.3, "{} {}", loss(1), loss(0));
    let log_legal = json["predictions"][0]["log_legal"][0].as_f64().unwrap();
    assert!((loss(0) - log_legal).abs() < 1e-9);
}
