//! Commands that think with a network, and players of matches and experiments that ask one. The network is a small one of
//! random weights.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use lab::store::Store;
use model::net::file::own::{self, NetworkOrigin, NumberForm};
use model::net::sample::{self, Form};
use tempfile::TempDir;

/// Writes the network of this seed as `small`.
fn put_net(home: &Path, seed: u64) {
    let folder = home.join("tengen/nets");
    fs::create_dir_all(&folder).unwrap();
    let bytes = sample::write(&sample::conv_graph(8, 6, seed), Form::Binary);
    fs::write(folder.join("small.bin"), bytes).unwrap();
}

fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    put_net(home.path(), 1);
    home
}

/// Runs `tengen` in the home with this input.
fn run(home: &TempDir, words: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .env("XDG_DATA_HOME", home.path())
        .current_dir(home.path())
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who does not start does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn gtp_asks_a_network_by_name() {
    let home = home();
    let words = ["gtp", "--net", "small", "--size", "5", "--playouts", "8"];
    let text = stdout(&run(&home, &words, "genmove b\nkata-raw-nn 3\ngomill-describe_engine\nquit\n"));
    assert!(text.contains("= symmetry 3\n") && text.contains("net=loaded"), "{text}");
    assert!(text.contains("small.bin (small#"), "{text}");
}

#[test]
fn networks_play_every_game() {
    let home = home();
    // A file of KataGo's plays Go.
    let error = stderr(&run(&home, &["gtp", "--game", "hex", "--net", "small"], ""));
    assert!(error.contains("this network plays go"), "{error}");
    for (game, size) in
        [("hex", "4"), ("connect-four", "7x6"), ("gomoku,row=3", "3"), ("hex,swap=false", "5")]
    {
        let mut graph = sample::conv_graph(8, 6, 1);
        graph.trunk.blocks.truncate(2);
        let name = game.split(',').next().unwrap();
        let (game_of_net, shape) = (name.to_string(), "b2c6".to_string());
        let origin = NetworkOrigin { game: game_of_net, shape, ..NetworkOrigin::default() };
        let bytes = own::to_bytes(&graph, &origin, NumberForm::F32).unwrap();
        fs::write(home.path().join("tengen/nets/own.net"), bytes).unwrap();
        let words = ["gtp", "--game", game, "--net", "own", "--size", size, "--playouts", "8"];
        let text = stdout(&run(&home, &words, "genmove b\ngenmove w\nquit\n"));
        assert!(text.matches("= ").count() >= 3 && !text.contains('?'), "{game}: {text}");
        let words = ["explain", "--game", game, "--size", size, "--net", "own", "--playouts", "8"];
        assert!(stdout(&run(&home, &words, "")).contains("net=loaded"), "{game}");
        let asker = "zero net.symmetries=random@net=own,playouts=8";
        let words = ["match", "--game", game, "--size", size, "--games", "2", "--a", asker, "--b", "random"];
        let output = run(&home, &words, "");
        assert!(output.status.success(), "{game}: {output:?}");
    }
}

#[test]
fn a_network_that_nobody_asks_is_refused() {
    let home = home();
    for (words, part) in [
        (&["gtp", "--net", "small", "--recipe", "uct"][..], "--net small: --recipe \"uct\" asks no network"),
        (&["analysis", "--net", "small", "--recipe", "light"], "asks no network"),
        (&["analysis", "--recipe", "katago"], "no network was loaded"),
        (&["gtp", "--net", "smal"], "did you mean small?"),
        (&["serve", "--no-open", "--net", "smal"], "did you mean small?"),
        (&["match", "--a", "katago", "--b", "random"], "\"katago\" asks a network"),
        (&["match", "--a", "random", "--b", "katago@net=smal"], "--b: net=smal: "),
        (&["match", "--a", "uct@net=small", "--b", "random"], "asks no network"),
    ] {
        let error = stderr(&run(&home, words, ""));
        assert!(error.contains(part), "{words:?}: {error}");
    }
}

#[test]
fn the_json_protocol_tells_raw_values() {
    let home = home();
    let question = r#"{"id":"a","moves":[["B","C3"]],"rules":"chinese","boardXSize":5,"boardYSize":5,"includePolicy":true}"#;
    let words = ["analysis", "--net", "small", "--max-visits", "10"];
    let text = stdout(&run(&home, &words, &format!("{question}\n")));
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["rootInfo"]["visits"], 10);
    assert!(answer["rootInfo"]["rawWinrate"].is_number());
    assert_eq!(answer["policy"][12], -1.0);
}

#[test]
fn a_review_knows_its_network() {
    let home = home();
    fs::write(home.path().join("game.sgf"), "(;GM[1]FF[4]SZ[5]KM[0.5];B[cc];W[bb];B[cb])").unwrap();
    let words = ["review", "game.sgf", "--net", "small", "--playouts", "10", "--threads", "1"];
    stdout(&run(&home, &words, ""));
    let page = fs::read_to_string(home.path().join("game.review.html")).unwrap();
    assert!(page.contains("small#") && page.contains("net=loaded"), "the page names the network");
    // Another network of the same name is another review.
    put_net(home.path(), 2);
    let error = stderr(&run(&home, &words, ""));
    assert!(error.contains("small#"), "{error}");
}

#[test]
fn a_match_goes_on_with_the_same_network_only() {
    let home = home();
    let play = |games: &str| {
        let a = "katago@net=small,playouts=4";
        let words =
            ["match", "--a", a, "--b", "random", "--size", "5", "--games", games, "--out", "out", "--json"];
        run(&home, &words, "")
    };
    assert!(stdout(&play("2")).contains("katago@net=small"));
    let players = lab::store::Store::open_read(&home.path().join("out")).unwrap().players().unwrap();
    assert!(players[0].canonical.contains("net=small#"), "{players:?}");
    stdout(&play("4"));
    put_net(home.path(), 2);
    let error = stderr(&play("6"));
    assert!(error.contains("net is small#"), "{error}");
}

#[test]
fn an_experiment_keeps_its_network_and_reports_it() {
    let home = home();
    let file = "title = \"Nets\"\n[terms]\nsize = 5\nplayouts = 4\n[players]\n\
                net = { recipe = \"katago\", net = \"small\", playouts = [2, 4] }\nrandom = \"random\"\n\
                [[group]]\nkind = \"gauntlet\"\nplayers = [\"net\"]\nopponents = [\"random\"]\ngames = 2\n";
    fs::write(home.path().join("nets.toml"), file).unwrap();
    stdout(&run(&home, &["lab", "run", "nets.toml"], ""));
    let store = Store::open_read(&home.path().join("results/nets")).unwrap();
    let players = store.players().unwrap();
    let player = players.iter().find(|player| player.name == "net playouts=2").unwrap();
    assert_eq!(player.text, "katago@net=small,playouts=2");
    assert!(player.canonical.contains("@playouts=2,net=small#"), "{}", player.canonical);
    drop(store);
    stdout(&run(&home, &["lab", "run", "nets.toml"], ""));
    stdout(&run(&home, &["lab", "report", "results/nets"], ""));
    let page = fs::read_to_string(home.path().join("results/nets/report.md")).unwrap();
    assert!(page.contains("net=small#"), "the report names the network");
    put_net(home.path(), 2);
    let error = stderr(&run(&home, &["lab", "run", "nets.toml"], ""));
    assert!(error.contains("net is small#"), "{error}");
    fs::write(home.path().join("nets.toml"), file.replace("\"small\"", "\"smal\"")).unwrap();
    let error = stderr(&run(&home, &["lab", "run", "nets.toml"], ""));
    assert!(error.contains("player \"net playouts=2\"") && error.contains("did you mean small?"), "{error}");
}

#[test]
fn a_recipe_with_a_network_is_tuned() {
    let home = home();
    let file = "recipe = \"katago@net=small\"\nopponents = [\"random\"]\nmethod = \"clop\"\ngames = 4\n\
                [terms]\nsize = 5\nplayouts = 3\n[parameters.select.c]\nlow = 0.1\nhigh = 2\n";
    fs::write(home.path().join("c.toml"), file).unwrap();
    assert!(stdout(&run(&home, &["tune", "c.toml"], "")).contains("select.c"));
}
