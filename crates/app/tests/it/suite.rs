//! `tengen suite` from the command line.

use std::path::Path;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// What the program prints for these words on both outputs, and whether it succeeds.
fn run(words: &[&str]) -> (bool, String, String) {
    let output = cargo_bin_cmd!("tengen").arg("suite").args(words).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.success(), out, err)
}

fn json(words: &[&str]) -> Value {
    let (is_ok, out, err) = run(&[words, &["--json"]].concat());
    assert!(is_ok, "{words:?}: {err}");
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(&out).unwrap()
}

const BOARD: &str =
    "= take four\n. X O O .\nX X O O X\nO O X X X\n. O X . .\n. . . . .\nkomi 0.5\nbest B E5\n";

/// One file of each kind, with three solvable cases.
fn write_suites(folder: &Path) -> [String; 3] {
    let files = [
        ("five.txt", BOARD),
        (
            "five.sgf",
            "(;SZ[5]KM[0.5]AB[ba][ab][bb][eb][cc][dc][ec][cd]AW[ca][da][cb][db][ac][bc][bd](;B[ea]C[RIGHT])(;B[aa]))",
        ),
        (
            "five.tst",
            "loadsgf five.sgf 1\n10 reg_genmove black\n#? [E5]\n20 reg_genmove black\n#? [A1]*\n30 attack C3\n#? [1 E5]\n\
             loadsgf none.sgf\n40 reg_genmove black\n#? [E5]\nboardsize 9\n50 reg_genmove black\n#? [E5]\n",
        ),
    ];
    files.map(|(name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    })
}

#[test]
fn all_kinds_of_files_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let [txt, sgf, tst] = write_suites(folder.path());
    let words = [&txt, &sgf, &tst, "--playouts", "300", "--size", "5"].map(AsRef::as_ref);
    let run = json(&words);
    let total = &run["total"];
    assert_eq!((&total["tests"], &total["passed"], &total["failed"]), (&4.into(), &3.into(), &1.into()));
    assert_eq!((&total["unexpected_passes"], &total["unexpected_failures"]), (&0.into(), &0.into()));
    assert_eq!(total["not_applicable_by"], serde_json::json!({"attack": 1}));
    assert_eq!((&total["errors"], &total["other_size"]), (&1.into(), &1.into()));
    assert_eq!((&run["player"], &run["playouts"], &run["seed"]), (&"default".into(), &300.into(), &1.into()));
    assert_eq!(run["files"][2]["kind"], "regression tests");
    let (is_ok, out, err) = self::run(&[&words[..], &["--cases"]].concat());
    assert!(is_ok);
    assert!(out.contains("passed five.tst:2 10: Black to play, answer E5, played E5"), "{out}");
    assert!(out.contains("failed five.tst:4 20: "), "{out}");
    assert!(out.lines().any(|line| line.starts_with("all") || line.starts_with(" all")), "{out}");
    assert!(out.contains("not applicable: attack 1"), "{out}");
    assert!(err.contains("five.tst: line 9: 40: none.sgf: there is no such record"), "{err}");
}

#[test]
fn results_are_written_and_repeatable() {
    let folder = tempfile::tempdir().unwrap();
    let [txt, sgf, tst] = write_suites(folder.path());
    let all = |out: &str, parallel: &str| -> Value {
        let out = folder.path().join(out).display().to_string();
        json(&[&txt, &sgf, &tst, "--playouts", "50", "--parallel", parallel, "--seed", "7", "--out", &out]);
        let text = std::fs::read_to_string(Path::new(&out).join("cases.json")).unwrap();
        let mut all: Value = serde_json::from_str(&text).unwrap();
        for file in all["files"].as_array_mut().unwrap() {
            for case in file["cases"].as_array_mut().unwrap() {
                case["seconds"] = Value::Null;
                // It tells the time as well.
                case["note"] = Value::Null;
            }
        }
        all["total"]["seconds"] = Value::Null;
        all
    };
    let first = all("one", "1");
    assert_eq!(first, all("two", "3"));
    assert_eq!(first["files"][0]["cases"][0]["board"].as_array().unwrap().len(), 5);
    for name in ["index.html", "five.txt.html", "five.sgf.html", "five.tst.html"] {
        let page = std::fs::read_to_string(folder.path().join("one").join(name)).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{name}");
        assert_eq!(page.contains("<svg "), name != "index.html", "{name}");
    }
}

#[test]
fn any_player_can_be_tried() {
    let folder = tempfile::tempdir().unwrap();
    let [txt, ..] = write_suites(folder.path());
    let tengen = assert_cmd::cargo::cargo_bin!("tengen").display().to_string();
    let outside = format!("gtp:{tengen} gtp --playouts 300");
    for player in ["random", "uct@playouts=300", &outside] {
        let run = json(&[&txt, "--player", player]);
        assert_eq!((&run["player"], &run["total"]["tests"]), (&player.into(), &1.into()));
        // Random moves may be right too.
        assert!(player == "random" || run["total"]["passed"] == 1, "{run}");
    }
}

/// Boards that no position has, with and without a move on them, and a file that has a good game beside a bad one.
#[test]
fn a_file_of_which_nothing_can_be_tried_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let good = "(;SZ[5]AB[bb];W[cc])";
    for (text, is_ok, expected) in [
        (
            "(;SZ[30])".to_string(),
            false,
            "file.sgf: game 1: board size 30x30 is not supported: each side must be 2 to 25",
        ),
        ("(;SZ[30];B[aa])".to_string(), false, "file.sgf: game 1: board size 30x30"),
        ("(;GM[1]SZ[x])".to_string(), false, "file.sgf: game 1: line 1, column 11: board size SZ[x]"),
        (format!("{good}(;SZ[30])"), true, "file.sgf: game 2: board size 30x30"),
    ] {
        let file = folder.path().join("file.sgf");
        std::fs::write(&file, &text).unwrap();
        let file = file.display().to_string();
        let (succeeds, out, err) = run(&[&file, "--playouts", "5", "--json"]);
        assert_eq!(succeeds, is_ok, "{text}: {err}");
        assert!(err.contains(expected), "{text}: {err}");
        let total: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(total["total"]["errors"], 1, "{text}: {out}");
    }
}

#[test]
fn nonsense_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let [txt, ..] = write_suites(folder.path());
    let noise = folder.path().join("noise.tst").display().to_string();
    std::fs::write(&noise, b"# fine\n\x00\x01\xff what").unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&[&noise], "noise.tst: line 2: "),
        (&["no/such.tst"], "expected a file of GTP commands"),
        (&["suite.pdf"], "expected a name that ends in .txt"),
        (&[&txt, "--playouts", "0"], "expected a whole number, at least 1"),
        (&[&txt, "--time", "0"], "expected a positive number of seconds"),
        (&[&txt, "--player", "defualt"], "default"),
        (&[&txt, "--size", "99"], "99"),
    ];
    for (words, expected) in cases {
        let (is_ok, _, err) = run(words);
        assert!(!is_ok && err.contains(expected), "{words:?}: {err}");
    }
}
