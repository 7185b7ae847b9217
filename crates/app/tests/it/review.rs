//! `tengen review` over a short game of GNU Go against itself, and over one with a pass that nobody would make.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sgf::{Collection, GameTree, NodeId};
use tungstenite::Message;

/// With comments, marks and a variation of the owner's, a name in another character set, and a property that nobody knows.
const GAME: &str = "(;GM[1]FF[4]SZ[9]KM[5.5]RU[Japanese]PB[Schwarz & Söhne]PW[<Weiß>]RE[W+2.5]C[A quiet game.]XY[kept]\
;B[fe]C[The centre: good\\]?];W[de]LB[ee:a];B[ec](;W[eg]TE[1];B[cd];W[gf];B[gc];W[cg];B[ce];W[dd];B[dc];W[ge];B[df];W[dg];B[ef]\
;W[bf];B[be];W[hd];B[hc];W[ff];B[gd];W[cf];B[ee];W[he];B[id];W[ie];B[ic];W[ae];B[ad];W[af];B[];W[]C[over])(;W[gg]C[mine];B[cc]))\n";

/// The same opening, in which Black passes in a fight at move 11.
const BLUNDERS: &str = "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Chinese];B[fe];W[de];B[ec];W[eg];B[cd];W[aa];B[ce];W[df];B[dd];W[ee];B[]\
;W[ed];B[dc];W[fd];B[fc];W[gd];B[gc];W[ff])\n";

fn review(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).arg("review").args(args).current_dir(dir).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

fn tree(path: impl AsRef<Path>) -> GameTree {
    Collection::read(&fs::read(path).unwrap()).unwrap().games.remove(0)
}

fn text(tree: &GameTree, node: NodeId, ident: &str) -> String {
    tree.value(node, ident).map(|value| value.text().into_owned()).unwrap_or_default()
}

#[test]
fn a_game_becomes_a_record_with_comments_and_a_page() {
    let dir = tempfile::tempdir().unwrap();
    // A move of White's on the first line.
    let game = GAME.replace("W[gf];B[gc]", "W[aa];B[gc]").replace("W[ff];B[gd]", "W[gf];B[gd]");
    fs::write(dir.path().join("game.sgf"), &game).unwrap();
    let output = review(dir.path(), &["game.sgf", "--playouts", "300", "--threads", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(read(dir.path().join("game.sgf")), game, "the record itself is left alone");
    let (before, after) = (tree(dir.path().join("game.sgf")), tree(dir.path().join("game.review.sgf")));
    everything_is_kept(&before, &after);
    let line: Vec<NodeId> = after.main_line().collect();
    assert_eq!(line.len(), 33);
    for &node in &line[1..] {
        let comment = text(&after, node, "C");
        assert!(comment.contains("Tengen: Black wins "), "{comment}");
        let rate: f64 = text(&after, node, "SBKV").parse().unwrap();
        assert!((0.0..=100.0).contains(&rate));
    }
    let centre = text(&after, line[1], "C");
    assert!(centre.starts_with("The centre: good]?\n\nTengen: Black wins"), "{centre}");
    // Better variations stand beside the moves that cost something, and can be played.
    let better: Vec<NodeId> =
        after.nodes().filter(|&node| text(&after, node, "C").starts_with("Tengen: better, ")).collect();
    assert!(!better.is_empty());
    for node in better {
        let parent = after.parent(node).unwrap();
        assert!(line.contains(&parent) && !line.contains(&node));
    }
    let html = read(dir.path().join("game.review.html"));
    for part in [
        "<title>Schwarz &amp; Söhne – &lt;Weiß&gt;</title>",
        "<svg",
        "W+2.5",
        "worst moves of",
        "The moves that cost most",
        "prefers-color-scheme:dark",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(
        !html.contains("http://")
            || html.matches("http://").count() == html.matches("http://www.w3.org").count()
    );
    assert!(!html.contains("<script") && !html.contains("https://"), "the page needs nothing else");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("Black: 16 moves") && said.contains("game.review.html"), "{said}");
}

/// Every node is still in its place with every property, except that comments have grown and the character set is UTF-8.
fn everything_is_kept(before: &GameTree, after: &GameTree) {
    assert!(after.n_nodes() > before.n_nodes());
    let mut pairs = vec![(before.root(), after.root())];
    let mut n_compared = 0;
    while let Some((old, new)) = pairs.pop() {
        n_compared += 1;
        for property in before.properties(old) {
            let ident = property.ident();
            let now = after.property(new, ident).unwrap_or_else(|| panic!("{ident} is lost"));
            let [was, is] = [&property, &now]
                .map(|property| property.values().map(|value| value.text().into_owned()).collect::<Vec<_>>());
            match ident {
                "C" => assert!(is[0].starts_with(&was[0]), "{was:?} {is:?}"),
                "CA" => assert_eq!(is, ["UTF-8"]),
                _ => assert_eq!(was, is, "{ident}"),
            }
        }
        // What is added stands behind what was there.
        let children: Vec<NodeId> = after.children(new).collect();
        for (n, child) in before.children(old).enumerate() {
            pairs.push((child, children[n]));
        }
    }
    assert_eq!(n_compared, before.n_nodes());
}

#[test]
fn an_interrupted_review_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("game.sgf"), GAME).unwrap();
    let args = ["game.sgf", "--playouts", "20", "--out", "a"];
    assert!(review(dir.path(), &args).status.success());
    let [found, sgf, html] =
        ["jsonl", "sgf", "html"].map(|suffix| dir.path().join(format!("a/game.review.{suffix}")));
    let whole = [read(&found), read(&sgf), read(&html)];
    // A first line, a glance at each of 33 positions, and duels.
    assert!(whole[0].lines().count() > 34);
    // As after a power cut: some positions, half a line, no results yet.
    let some: Vec<&str> = whole[0].split_inclusive('\n').take(13).collect();
    fs::write(&found, some.concat() + "{\"ply\":20,\"wi").unwrap();
    fs::remove_file(&sgf).unwrap();
    fs::remove_file(&html).unwrap();
    assert!(review(dir.path(), &[args.as_slice(), &["--threads", "3"]].concat()).status.success());
    assert!(read(&found).starts_with(&some.concat()), "what was found is not searched again");
    assert_eq!(
        [read(&sgf), read(&html)],
        [whole[1].clone(), whole[2].clone()],
        "neither the interruption nor threads change anything"
    );
    // A whole line that nobody can read is not of our making: nothing is thrown away for it.
    let damaged = whole[0].replacen(some[2], "bad\n", 1);
    fs::write(&found, &damaged).unwrap();
    let refused = review(dir.path(), &args);
    assert!(stderr(&refused).contains("game.review.jsonl, line 3: \"bad\" is not"), "{}", stderr(&refused));
    assert_eq!(read(&found), damaged);
    // As after a cut at the very start: half of the first line.
    fs::write(&found, &whole[0][..40]).unwrap();
    fs::remove_file(&sgf).unwrap();
    fs::remove_file(&html).unwrap();
    assert!(review(dir.path(), &args).status.success());
    assert_eq!(read(&html), whole[2]);
    let mut lines: Vec<String> = read(&found).lines().map(str::to_owned).collect();
    let mut others: Vec<String> = whole[0].lines().map(str::to_owned).collect();
    lines.sort();
    others.sort();
    assert_eq!(lines, others);
}

#[test]
fn ctrl_c_keeps_what_is_found() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("game.sgf"), GAME).unwrap();
    let args = ["review", "game.sgf", "--playouts", "3000", "--threads", "1"];
    let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(args)
        .current_dir(dir.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let found = dir.path().join("game.review.jsonl");
    let n_found = || fs::read_to_string(&found).map_or(0, |text| text.lines().count());
    let start = Instant::now();
    while n_found() < 3 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is found");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("of 33 positions; the same command goes on"), "{}", stderr(&output));
    assert!(!dir.path().join("game.review.sgf").exists());
}

#[test]
fn foreign_files_and_other_settings_are_respected() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("game.sgf"), GAME).unwrap();
    fs::write(dir.path().join("game.review.html"), "mine").unwrap();
    let refused = |args: &[&str], words: &str| {
        let output = review(dir.path(), args);
        assert!(!output.status.success() && stderr(&output).contains(words), "{words}: {}", stderr(&output));
    };
    let base = ["game.sgf", "--playouts", "5"];
    refused(&base, "game.review.html: the file was not written by a review");
    assert_eq!(read(dir.path().join("game.review.html")), "mine");
    fs::remove_file(dir.path().join("game.review.html")).unwrap();
    fs::write(dir.path().join("game.review.jsonl"), "notes\n").unwrap();
    refused(&base, "game.review.jsonl, line 1: \"notes\" is not the first line of a review");
    fs::remove_file(dir.path().join("game.review.jsonl")).unwrap();
    assert!(review(dir.path(), &base).status.success());
    let other = ["game.sgf", "--playouts", "6"];
    refused(&other, "the file holds another review: playouts is 5 there, 6 here");
    refused(&other, "or another --out for a new one");
    assert!(review(dir.path(), &[&other[..], &["--out", "second"]].concat()).status.success());
}

#[test]
fn bad_input_is_named() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text, words) in [
        ("none.sgf", None, "none.sgf: "),
        ("text.sgf", Some("hello"), "text.sgf: "),
        ("empty.sgf", Some("(;SZ[9])"), "empty.sgf: the game has no moves"),
        ("twice.sgf", Some("(;SZ[9];B[aa];W[aa])"), "move 2: illegal move"),
        ("large.sgf", Some("(;SZ[30];B[aa])"), "30x30"),
    ] {
        if let Some(text) = text {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let output = review(dir.path(), &[name, "--playouts", "5"]);
        assert!(!output.status.success() && stderr(&output).contains(words), "{name}: {}", stderr(&output));
        assert!(!dir.path().join(name.replace(".sgf", ".review.jsonl")).exists());
    }
    fs::write(dir.path().join("game.sgf"), GAME).unwrap();
    for (args, words) in [
        (["game.sgf", "--playouts", "0"], "expected a whole number, at least 1"),
        (["game.sgf", "--time", "0"], "expected a positive number of seconds"),
        (["game.sgf", "--threads", "0"], "expected a whole number from 1 to 256"),
        (["game.sgf", "--recipe", "defualt"], "did you mean"),
        (["game.sgf", "--rules", "chines"], "did you mean chinese"),
    ] {
        assert!(stderr(&review(dir.path(), &args)).contains(words), "{args:?}");
    }
}

/// What `tengen review --json` says of the moves.
fn moves_of(dir: &Path, args: &[&str]) -> Vec<Value> {
    let output = review(dir, args);
    assert!(output.status.success(), "{}", stderr(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    found["moves"].as_array().unwrap().clone()
}

#[test]
fn nothing_is_a_mistake_that_may_be_none() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("game.sgf"), BLUNDERS).unwrap();
    let moves = moves_of(dir.path(), &["game.sgf", "--playouts", "300", "--json"]);
    assert_eq!(moves.len(), 18);
    let verdict = |number: usize| moves[number - 1]["verdict"].as_str().unwrap();
    assert_eq!(verdict(11), "blunder", "{moves:?}");
    for one in &moves {
        let part = |key: &str, end: &str| one[key][end].as_f64().unwrap();
        let [low, mean, high] = ["low", "mean", "high"].map(|end| part("win_lost", end));
        assert!(low <= mean && mean <= high, "{one}");
        if ["mistake", "blunder"].contains(&one["verdict"].as_str().unwrap()) {
            assert!(low > 0.0 && mean >= 0.05 && one["duels"].as_u64().unwrap() >= 2, "{one}");
            assert!(one["better"] != one["move"], "{one}");
        }
    }
    let points = moves[10]["points_lost"]["low"].as_f64().unwrap();
    assert!(points > 0.0, "a pass in the middle of a fight costs points: {}", moves[10]);
}

#[test]
fn a_time_is_turned_into_simulations_once() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("game.sgf"), BLUNDERS).unwrap();
    let args = ["game.sgf", "--time", "0.5", "--json"];
    let output = review(dir.path(), &args);
    assert!(
        output.status.success() && stderr(&output).contains("for each of 19 positions"),
        "{}",
        stderr(&output)
    );
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["terms"]["playouts"].as_u64().unwrap() > 0 && found["terms"]["time"] == 0.5);
    // The second time nothing is measured or searched.
    let again = review(dir.path(), &args);
    assert_eq!((stderr(&again), again.stdout), (String::new(), output.stdout));
}

#[test]
fn two_reviews_at_once_do_not_write_one_file() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("game.sgf"), GAME).unwrap();
    let args = ["game.sgf", "--playouts", "20"];
    assert!(review(dir.path(), &args).status.success());
    let found = dir.path().join("game.review.jsonl");
    let holder = fs::OpenOptions::new().append(true).open(&found).unwrap();
    holder.lock().unwrap();
    let refused = review(dir.path(), &args);
    assert!(stderr(&refused).contains("another review is writing this file"), "{}", stderr(&refused));
    drop(holder);
    assert!(review(dir.path(), &args).status.success());
}

/// The mistakes that the page is told of by a server of its own, as it would be after a click.
fn mistakes_of_the_page(dir: &Path, playouts: u64) -> Vec<Value> {
    let mut server = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["serve", "--no-open", "--port", "0", "--state"])
        .arg(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Tengen is at http://").unwrap().trim_end_matches('/').to_string();
    let stream = TcpStream::connect(&address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let (mut socket, _) = tungstenite::client(format!("ws://{address}/ws"), stream).unwrap();
    let send = |socket: &mut tungstenite::WebSocket<TcpStream>, message: Value| {
        socket.send(Message::text(message.to_string())).unwrap();
    };
    send(&mut socket, json!({"ask": "hello", "session": null}));
    let record = tree(dir.join("game.sgf"));
    let steps: Vec<Value> = record
        .main_line()
        .skip(1)
        .map(|node| {
            let (color, ident) =
                if record.property(node, "B").is_some() { ("black", "B") } else { ("white", "W") };
            let at = text(&record, node, ident);
            let point = match at.as_bytes() {
                [col, row] => i32::from(col - b'a') + 9 * i32::from(row - b'a'),
                _ => -1,
            };
            json!([color, point])
        })
        .collect();
    let spot =
        json!({"width": 9, "height": 9, "komi": 6.5, "rules": "chinese", "handicap": 0, "steps": steps});
    send(&mut socket, json!({"ask": "survey", "number": 1, "spot": spot, "playouts": playouts}));
    let found = loop {
        let Message::Text(text) = socket.read().unwrap() else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        assert_ne!(message["tell"], "error", "{message}");
        if message["tell"] == "review" && message["done"] == true {
            break message["moves"].as_array().unwrap().clone();
        }
    };
    server.kill().unwrap();
    server.wait().unwrap();
    found
}

#[test]
fn the_page_and_the_command_name_the_same_mistakes() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("game.sgf"), BLUNDERS).unwrap();
    let moves = moves_of(dir.path(), &["game.sgf", "--playouts", "200", "--threads", "2", "--json"]);
    let round = |x: &Value| (x.as_f64().unwrap() * 1e4).round();
    let ends = |one: &Value| ["mean", "low", "high"].map(|end| round(&one[end]));
    let of_command: Vec<_> = moves
        .iter()
        .filter(|one| ["mistake", "blunder", "unsure"].contains(&one["verdict"].as_str().unwrap()))
        .map(|one| {
            (one["number"].clone(), one["verdict"].clone(), ends(&one["win_lost"]), ends(&one["points_lost"]))
        })
        .collect();
    assert!(of_command.len() >= 2, "{moves:?}");
    let triple = |one: &Value| [0, 1, 2].map(|idx| round(&one[idx]));
    let of_page: Vec<_> = mistakes_of_the_page(dir.path(), 200)
        .iter()
        .map(|one| (one["ply"].clone(), one["verdict"].clone(), triple(&one["loss"]), triple(&one["points"])))
        .collect();
    assert_eq!(of_command, of_page);
}
