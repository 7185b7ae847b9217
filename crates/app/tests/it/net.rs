//! `tengen net`: the folder of networks, what they are, whether and how fast they run. The networks are small ones of random
//! weights.

use std::fs;
use std::path::PathBuf;

use assert_cmd::cargo::cargo_bin_cmd;
use model::net::file::NetworkOrigin;
use model::net::file::own::{self, NumberForm};
use model::net::sample::{self, Form};
use serde_json::Value;
use tempfile::TempDir;

/// A home with two networks and a file that is none in the folder of networks.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = nets(&home);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("small-b3c6.bin"), sample::write(&sample::conv_graph(8, 6, 1), Form::Binary))
        .unwrap();
    fs::write(folder.join("mixed-b9c8.txt"), sample::write(&sample::graph(15, 8, 2), Form::Text)).unwrap();
    fs::write(folder.join("broken.bin.gz"), "no network at all").unwrap();
    home
}

fn nets(home: &TempDir) -> PathBuf {
    home.path().join("tengen/nets")
}

/// Standard output, standard error and the exit code of `tengen net`.
fn run(home: &TempDir, words: &str) -> (String, String, Option<i32>) {
    let mut command = cargo_bin_cmd!("tengen");
    let output =
        command.env("XDG_DATA_HOME", home.path()).arg("net").args(words.split(' ')).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn text(home: &TempDir, words: &str) -> String {
    let (out, errors, code) = run(home, words);
    assert_eq!(code, Some(0), "{words}: {out}{errors}");
    out
}

fn json(home: &TempDir, words: &str) -> Value {
    let text = text(home, words);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_folder_is_listed_with_what_cannot_be_read() {
    let home = home();
    let list = text(&home, "list");
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 6, "{list}");
    let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(words(lines[0]), ["name", "size", "version", "blocks", "channels"]);
    assert!(
        lines[1].starts_with("tengen ") && lines[5].contains(&nets(&home).display().to_string()),
        "{list}"
    );
    assert!(lines[2].starts_with("broken ") && lines[2].contains("cannot be read: "), "{list}");
    assert_eq!(words(lines[3])[3..], ["15", "9", "8"]);
    assert_eq!(words(lines[4])[3..], ["8", "3", "6"]);
    let json = json(&home, "list --json");
    assert_eq!(json["folder"], nets(&home).display().to_string());
    let of = |idx: usize, key: &str| json["nets"][idx][key].clone();
    assert_eq!(
        (of(0, "name"), of(1, "name"), of(2, "name"), of(3, "name")),
        ("tengen".into(), "broken".into(), "mixed-b9c8".into(), "small-b3c6".into())
    );
    assert!(of(0, "path").is_null() && of(3, "path").is_string());
    assert!(of(1, "error").is_string() && of(1, "blocks").is_null());
    assert_eq!((of(3, "version"), of(3, "blocks"), of(3, "channels")), (8.into(), 3.into(), 6.into()));
    assert!(of(3, "bytes").as_u64().unwrap() > 1000);
}

#[test]
fn an_empty_folder_says_where_networks_go() {
    let home = tempfile::tempdir().unwrap();
    let list = text(&home, "list");
    assert!(
        list.contains(&nets(&home).display().to_string()) && list.contains("katagotraining.org"),
        "{list}"
    );
    assert_eq!(json(&home, "list --json")["nets"].as_array().unwrap().len(), 1);
}

#[test]
fn the_network_inside_the_program_needs_no_file() {
    let home = tempfile::tempdir().unwrap();
    let info = json(&home, "info tengen --json");
    assert!(info["path"].is_null() && info["origin"]["game"] == "go", "{info}");
    assert!(text(&home, "info tengen").contains("inside the program"));
    assert!(text(&home, "check tengen").contains("all within tolerance"));
}

#[test]
fn a_network_is_found_by_name_and_by_file() {
    let home = home();
    let by_name = json(&home, "info mixed-b9c8 --json");
    let file = nets(&home).join("mixed-b9c8.txt");
    assert_eq!(by_name, json(&home, &format!("info {} --json", file.display())));
    assert_eq!((&by_name["name"], &by_name["version"]), (&"sample-net_1".into(), &15.into()));
    assert_eq!((&by_name["blocks"], &by_name["channels"]), (&9.into(), &8.into()));
    assert_eq!(
        (&by_name["block_kinds"]["attention"], &by_name["inner_block_kinds"]["pooling"]),
        (&3.into(), &1.into())
    );
    assert_eq!(by_name["activations"], serde_json::json!(["mish", "silu"]));
    assert_eq!(by_name["file_bytes"], fs::metadata(&file).unwrap().len());
    let weights = by_name["parameters"].as_u64().unwrap();
    assert_eq!(by_name["weight_bytes"], 4 * weights);
    assert!(
        by_name["engine_bytes_19x19"].as_u64().unwrap() > 0 && by_name["hash"].as_str().unwrap().len() == 16
    );
    let shown = text(&home, "info mixed-b9c8");
    for part in [
        "version 15",
        "3 attention",
        "inside of bottlenecks 1 ordinary, 1 pooling",
        "2 policies",
        "mish, silu",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn one_of_ours_tells_where_it_comes_from_and_plays_its_own_game() {
    let home = home();
    for (name, game) in [("mine", "go"), ("hexes", "hex")] {
        let origin = NetworkOrigin {
            game: game.into(),
            boards: vec![goban::Size::square(9).unwrap()],
            shape: "b2c6".into(),
            n_steps: 1200,
            trainer: "tengen train net".into(),
            data: "games.rows".into(),
            teacher: String::new(),
            licence: "CC0".into(),
        };
        let bytes = own::to_bytes(&sample::plain_graph(8, 6, 1), &origin, NumberForm::F16).unwrap();
        fs::write(nets(&home).join(format!("{name}.net")), bytes).unwrap();
    }
    let shown = text(&home, "info mine");
    for part in [
        "game         go\n",
        "trained on   9x9\n",
        "steps        1200\n",
        "trained by   tengen train net\n",
        "licence      CC0\n",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("teacher"), "{shown}");
    let json = json(&home, "info mine --json");
    assert_eq!((&json["origin"]["boards"][0], &json["origin"]["steps"]), (&"9x9".into(), &1200.into()));
    assert!(text(&home, "check hexes").contains("all within tolerance"), "looked at, whatever it plays");
    assert_eq!(text(&home, "list").lines().filter(|line| line.starts_with("mine")).count(), 1);

    let genmove = |net: &str| {
        let mut command = cargo_bin_cmd!("tengen");
        let command = command.env("XDG_DATA_HOME", home.path()).args([
            "gtp",
            "--playouts",
            "8",
            "--size",
            "9",
            "--net",
            net,
        ]);
        let output = command.write_stdin("genmove b\nquit\n").output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let [out, errors] = genmove("mine");
    assert!(out.starts_with("= ") && out.len() > 3, "{out}{errors}");
    let [_, errors] = genmove("hexes");
    assert!(errors.contains("hexes.net: this network plays hex"), "{errors}");
}

#[test]
fn what_is_no_network_is_refused_by_name() {
    let home = home();
    for (words, part) in [
        ("info small-b3c7", "did you mean small-b3c6?"),
        ("check nothing-like-it", "broken, mixed-b9c8, small-b3c6"),
        ("info broken", "broken.bin.gz: "),
        ("bench no/such.bin --json", "no/such.bin"),
        ("bench small-b3c6 --engine i8", "expected i16 or f32"),
        ("bench small-b3c6 --batch 0", "from 1 to 64"),
        ("bench small-b3c6 --evaluations 0", "at least 1"),
        ("bench small-b3c6 --evaluations 6 --batch 4 --json", "expected a multiple of the batch, 4"),
        ("bench small-b3c6 --evaluations 8", "expected a multiple of the batch, 16"),
        (
            "bench small-b3c6 --evaluations 4 --seconds 1",
            "'--evaluations <N>' cannot be used with '--seconds <S>'",
        ),
    ] {
        let (_, errors, code) = run(&home, words);
        assert!(code != Some(0) && errors.contains(part), "{words}: {errors}");
    }
    let (_, errors, _) = run(&home, "info small-b3c7");
    assert!(errors.contains(&nets(&home).display().to_string()), "{errors}");
}

#[test]
fn engines_agree_with_the_reference() {
    let home = home();
    let report = text(&home, "check small-b3c6");
    assert!(report.contains("all within tolerance: i16 win "), "{report}");
    let n_rows = |name: &str| report.lines().filter(|line| line.starts_with(name)).count();
    assert!(n_rows("i16 ") >= 1 && n_rows("i16 ") == n_rows("f32 "), "{report}");
    let (out, errors, code) = run(&home, "check broken");
    assert!(code == Some(1) && out.is_empty() && errors.contains("broken.bin.gz"), "{out}{errors}");
}

#[test]
fn weights_that_overflow_are_out_of_tolerance() {
    let home = home();
    let mut graph = sample::conv_graph(8, 4, 1);
    graph.value.winner.weights.iter_mut().for_each(|weight| *weight = 3e38);
    graph.value.hidden.weights.iter_mut().for_each(|weight| *weight *= 1e30);
    fs::write(nets(&home).join("wild.bin"), sample::write(&graph, Form::Binary)).unwrap();
    let (out, _, code) = run(&home, "check wild");
    assert!(
        code == Some(1) && out.contains("OUT OF TOLERANCE") && out.contains("\nout of tolerance: "),
        "{out}"
    );
}

#[test]
fn speed_is_told_in_a_line_or_a_table() {
    if cfg!(not(unix)) {
        println!("skipped: this system does not tell processor time");
        return;
    }
    let home = home();
    let line = json(&home, "bench small-b3c6 --json --seconds 0.01 --size 5 --batch 2 --engine f32");
    let told = [&line["engine"], &line["size"], &line["batch"]];
    assert_eq!(told, [&Value::from("f32"), &"5x5".into(), &2.into()]);
    for key in ["evals_per_cpu_second", "peak_gmacs", "share_of_peak"] {
        assert!(line[key].as_f64().unwrap() > 0.0, "{line}");
    }
    assert!(line["evaluations"].is_null(), "{line}");
    let counted = json(&home, "bench small-b3c6 --json --evaluations 6 --size 5 --batch 2");
    assert_eq!((&counted["evaluations"], &counted["engine"]), (&6.into(), &"i16".into()));
    let table = text(&home, "bench small-b3c6 --seconds 0.01 --size 7");
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert_eq!(rows.len(), 6, "{table}");
    assert!(rows.iter().all(|row| row.contains("7x7")) && rows[0].starts_with("i16"), "{table}");
}
