//! `tengen accuracy` from outside: labels that survive a kill, and errors against them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A list of 5×5 games, as many as asked for.
fn list(folder: &TempDir, n: usize) -> PathBuf {
    let path = folder.path().join("games.txt");
    let line = |n: usize| format!("5\t{}.5\t0\tB+R\t?/?\tours\t-\tccbcdcddbbcb\n", n % 20);
    fs::write(&path, (0..n).map(line).collect::<String>()).unwrap();
    path
}

fn command(words: &str, files: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.arg("accuracy").args(words.split_whitespace()).args(files).stdin(Stdio::null());
    command
}

fn label(list: &Path, out: &Path, words: &str) -> Command {
    let mut command = command(&format!("label {words}"), &[list]);
    command.arg("--out").arg(out);
    command
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn complaint(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Number and value of each label, by number.
fn values(path: &Path) -> Vec<(u64, f64)> {
    let text = fs::read_to_string(path).unwrap();
    // A line without its end is one that a killed run did not finish.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let labels = whole.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut values: Vec<(u64, f64)> =
        labels.map(|label| (label["number"].as_u64().unwrap(), label["value"].as_f64().unwrap())).collect();
    values.sort_by_key(|&(number, _)| number);
    values
}

/// Waits until a file has `n` lines, and not for ever.
fn wait_for_lines(path: &Path, n: usize, child: &mut Child) {
    let start = Instant::now();
    while fs::read_to_string(path).map_or(0, |text| text.lines().count()) < n {
        assert!(start.elapsed() < Duration::from_secs(60), "no label in a minute");
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn labels_survive_a_kill() {
    let folder = TempDir::new().unwrap();
    let list = list(&folder, 60);
    let [whole, cut] = ["whole.jsonl", "cut.jsonl"].map(|name| folder.path().join(name));
    let words = "--positions 40 --playouts 3000 --seed 4";
    assert!(label(&list, &whole, words).output().unwrap().status.success());
    let mut child = label(&list, &cut, words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_lines(&cut, 4, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let n_before = values(&cut).len();
    assert!((2..40).contains(&n_before), "{n_before}");
    let said = json(&label(&list, &cut, &format!("{words} --json --parallel 2")).output().unwrap());
    assert_eq!((said["positions"].as_u64(), said["before"].as_u64()), (Some(40), Some(n_before as u64)));
    assert_eq!(values(&cut), values(&whole));
    assert_eq!(values(&whole).iter().map(|one| one.0).collect::<Vec<_>>(), (1..=40).collect::<Vec<_>>());
    // Other settings are refused and leave the file as it is.
    let before = fs::read(&cut).unwrap();
    let error = complaint(&label(&list, &cut, "--positions 40 --playouts 50 --seed 4").output().unwrap());
    assert!(error.contains("playouts is 3000 there, 50 here"), "{error}");
    assert_eq!(fs::read(&cut).unwrap(), before);
}

#[test]
fn policies_are_measured_against_labels() {
    let folder = TempDir::new().unwrap();
    let list = list(&folder, 30);
    let out = folder.path().join("labels.jsonl");
    assert!(
        label(&list, &out, "--positions 25 --playouts 500 --recipe uct").output().unwrap().status.success()
    );
    let header: Value =
        serde_json::from_str(fs::read_to_string(&out).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!(
        (&header["recipe"], &header["games"], &header["seed"]),
        (&"uct".into(), &30.into(), &1.into())
    );
    assert_eq!(header["program"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(header["program"]["bench"].as_u64().is_some(), "{header}");
    let run = |words: &str| command(&format!("run {words}"), &[&out]).output().unwrap();
    let measured = json(&run("--policy uniform --playouts 200 --json"));
    let value = &measured["against"]["value"];
    assert_eq!(value["positions"], 25);
    let playouts: Vec<u64> =
        value["curve"].as_array().unwrap().iter().map(|point| point["playouts"].as_u64().unwrap()).collect();
    assert_eq!(playouts, [1, 10, 100, 200]);
    let mse: Vec<f64> =
        value["curve"].as_array().unwrap().iter().map(|point| point["mse"].as_f64().unwrap()).collect();
    assert!(mse.is_sorted_by(|few, many| few > many), "more playouts are better: {mse:?}");
    assert_eq!(measured["against"]["result"]["positions"], 25);
    assert_eq!(measured, json(&run("--policy uniform --playouts 200 --json --parallel 2")));
    let pages = folder.path().join("pages");
    let text = String::from_utf8(run(&format!("--out {}", pages.display())).stdout).unwrap();
    for (file, part) in [
        ("accuracy.html", "<svg"),
        ("accuracy.md", "accuracy-calibration.svg"),
        ("accuracy-error.svg", "playouts"),
    ] {
        assert!(fs::read_to_string(pages.join(file)).unwrap().contains(part), "{part} in {file}");
    }
    for part in
        ["1000 playouts of uniform from each of 25 positions", "game result", "calibration", "RMSE", "∞"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn the_command_line_is_checked() {
    let folder = TempDir::new().unwrap();
    let list = list(&folder, 3);
    let out = folder.path().join("labels.jsonl");
    for (words, part) in [
        ("--positions 4", "--positions 4: there are only 3 games"),
        ("--positions 0", "--positions 0: expected at least 1"),
        ("--positions 1 --recipe defualt", "default"),
        ("--positions 1 --playouts 0", "--playouts 0"),
        ("--positions 1 --parallel 0", "--parallel 0"),
    ] {
        let error = complaint(&label(&list, &out, words).output().unwrap());
        assert!(error.contains(part), "{part} in {error}");
        assert!(!out.exists(), "{words}");
    }
    for (words, part) in [
        ("run --policy unifrom", "uniform"),
        ("run --playouts 0", "--playouts 0"),
        ("run", "games.txt, line 1: "),
    ] {
        let error = complaint(&command(words, &[&list]).output().unwrap());
        assert!(error.contains(part), "{part} in {error}");
    }
}
