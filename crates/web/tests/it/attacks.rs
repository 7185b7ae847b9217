//! What one hostile program can do to the server: in each attack its memory keeps within bounds, somebody who plays is
//! answered, and nothing that was kept is lost.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::common::{Client, spot};
use crate::process::Process;

const TOKEN: &str = "open-sesame-open-sesame";

/// Opens a WebSocket and says hello without any help, so that nothing is read that nobody asks for.
fn raw_socket(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(
        stream,
        "GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    .unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 101");
    stream.write_all(&frame(0x81, br#"{"ask":"hello"}"#)).unwrap();
    stream
}

/// A short frame, masked with nothing.
fn frame(first: u8, bytes: &[u8]) -> Vec<u8> {
    [&[first, 0x80 | u8::try_from(bytes.len()).unwrap(), 0, 0, 0, 0], bytes].concat()
}

/// Sends control frames until the server closes the connection; how many it took.
fn flood(stream: &mut TcpStream, kind: u8) -> usize {
    const HANDFUL: usize = 100;
    let pings = frame(kind, &[b'x'; 100]).repeat(HANDFUL);
    let mut n_sent = 0;
    while stream.write_all(&pings).is_ok() {
        n_sent += HANDFUL;
        assert!(n_sent < 2_000_000, "nobody closes the connection");
    }
    n_sent
}

fn pings(server: &Process) {
    for kind in [0x89, 0x8a] {
        // One that never reads, and one that does.
        let mut deaf = raw_socket(server.address);
        println!("closed after {} pings", flood(&mut deaf, kind));
        let mut stream = raw_socket(server.address);
        let mut other = stream.try_clone().unwrap();
        let reader = std::thread::spawn(move || std::io::copy(&mut other, &mut std::io::sink()));
        println!("closed after {} pings", flood(&mut stream, kind));
        let _ = reader.join();
    }
}

#[test]
fn pings_that_nobody_reads_the_answers_of() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    server.attacked(&mut server.enter(), || pings(&server));
}

/// A window that asks for much and reads nothing.
#[test]
fn answers_that_nobody_reads() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    let ask = br#"{"ask":"save-game"}"#;
    server.attacked(&mut server.enter(), || {
        let deaf: Vec<TcpStream> = (0..20)
            .map(|_| {
                let mut stream = raw_socket(server.address);
                stream.set_write_timeout(Some(Duration::from_millis(300))).unwrap();
                // A few thousand, until the pipe is full; the server gives up before it keeps much.
                for _ in 0..50 {
                    if stream.write_all(&frame(0x81, ask).repeat(100)).is_err() {
                        break;
                    }
                }
                stream
            })
            .collect();
        drop(deaf);
    });
}

fn unfinished(server: &Process, n: usize) {
    let begun: Vec<TcpStream> = (0..n)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            let _ = write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\nX-Slow: ", server.address);
            stream
        })
        .collect();
    // Somebody who comes now is served all the same, and so is his page.
    for _ in 0..5 {
        assert!(get(server.address, "/", "").starts_with("HTTP/1.1 200"));
    }
    let mut newcomer = server.enter();
    newcomer.new_game(5, 1);
    newcomer.play(12, 0);
    drop(begun);
}

#[test]
fn a_thousand_unfinished_requests() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    server.attacked(&mut server.enter(), || unfinished(&server, 1120));
}

/// The answer to a request; empty if there is none.
fn get(address: SocketAddr, path: &str, more: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut answer = String::new();
    let _ = write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n{more}Connection: close\r\n\r\n");
    let _ = stream.read_to_string(&mut answer);
    answer
}

/// Somebody who played a little and went.
fn owner(server: &Process) -> (String, serde_json::Value) {
    let mut owner = server.enter();
    owner.new_game(5, 1);
    let game = owner.play(12, 0);
    (owner.session.clone(), game["moves"].clone())
}

/// Sees to it that the owner finds the game again.
fn check_owner(server: &Process, (session, moves): &(String, serde_json::Value)) {
    let mut owner = server.connect();
    let game = owner.hello(Some(session));
    assert_eq!((&owner.session, &game["moves"]), (session, moves), "the game is lost");
}

/// Games of strangers, of whom some are sent away.
fn strangers(server: &Process, n: usize) {
    let mut n_refused = 0;
    for _ in 0..n {
        let mut client = server.connect();
        client.ask(&json!({"ask": "hello"}));
        let answer = client.wait("answer", |m| m["tell"] == "welcome" || m["tell"] == "error");
        if answer["tell"] == "error" {
            n_refused += 1;
            continue;
        }
        client.told("game");
        client.new_game(5, 1);
    }
    println!("{n_refused} of {n} strangers were sent away");
}

#[test]
fn a_thousand_games_of_strangers() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    let owner = owner(&server);
    server.attacked(&mut server.enter(), || strangers(&server, 1001));
    check_owner(&server, &owner);
    drop(server);
    // Nor is it lost after a new start, which knows only what is on disk.
    let server = Process::start(dir.path(), None);
    strangers(&server, 50);
    check_owner(&server, &owner);
}

/// A record of `n_bytes` bytes that puts stones everywhere in every node.
fn heavy_record(n_bytes: usize) -> String {
    let mut text = "(;SZ[25]".to_string();
    while text.len() < n_bytes {
        text += ";AB[aa:yx];AE[aa:yx]";
    }
    STANDARD.encode(text + ")")
}

fn records(server: &Process) {
    let record = heavy_record(665_000);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut client = server.enter();
                for message in [
                    json!({"ask": "read-record", "sgf": record}),
                    json!({"ask": "load-game", "sgf": record, "color": "black", "level": 1}),
                ] {
                    client.ask(&message);
                    let answer = client.wait("answer", |m| {
                        m["tell"] == "tree" || m["tell"] == "error" || m["tell"] == "game"
                    });
                    let n_bytes = answer.to_string().len();
                    assert!(n_bytes < 8 << 20, "an answer of {n_bytes} bytes");
                }
            });
        }
    });
}

#[test]
fn records_that_ask_for_large_answers() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    server.attacked(&mut server.enter(), || records(&server));
}

/// Changes of a record that would cost their number times its size: a node with a large text is written on ten thousand times.
fn edits(server: &Process) {
    let record =
        STANDARD.encode(format!("(;SZ[19]LB[aa:{}];B[dd]C[{}])", "x".repeat(100_000), "y".repeat(100_000)));
    let marks =
        json!({"triangle": [], "square": [], "circle": [], "cross": [1], "selected": [], "labels": []});
    let many = |edit: serde_json::Value, n: usize| vec![edit; n];
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut client = server.enter();
                for edits in [
                    many(json!({"edit": "marks", "node": 0, "marks": marks}), 5000),
                    many(json!({"edit": "comment", "node": 1, "text": "z"}), 10_000),
                    many(json!({"edit": "add", "parent": 1, "steps": []}), 15_000),
                    many(json!({"edit": "remove", "node": 1}), 20_000),
                ] {
                    let start = Instant::now();
                    client.ask(&json!({"ask": "edit-record", "sgf": record, "edits": edits}));
                    let answer = client.wait("answer", |m| m["tell"] == "edited" || m["tell"] == "error");
                    assert_eq!(answer["tell"], "edited", "{}", answer["message"]);
                    let n_bytes = answer.to_string().len();
                    assert!(n_bytes < 1 << 20, "an answer of {n_bytes} bytes");
                    println!("{} changes in {:?}", edits.len(), start.elapsed());
                }
            });
        }
    });
}

/// Files of problems that ask for much work: games that cannot be shown, and many of them.
fn problem_files(server: &Process) {
    let file = |game: &str| STANDARD.encode(game.repeat(700_000 / game.len()));
    let files = [
        file("(;SZ[25]AB[aa:yx]AW[aa:yx])"),
        file("(;SZ[25];AB[aa:yx];AE[aa:yx])"),
        file("(;SZ[5];B[aa])"),
        file("(;GM[2])"),
    ];
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut client = server.enter();
                for file in &files {
                    let start = Instant::now();
                    client.ask(&json!({"ask": "read-problems", "sgf": file}));
                    let answer =
                        client.wait("answer", |m| m["tell"] == "problem-file" || m["tell"] == "error");
                    let n_bytes = answer.to_string().len();
                    assert!(n_bytes < 8 << 20, "an answer of {n_bytes} bytes");
                    println!(
                        "{} problems in {:?}",
                        answer["problems"].as_array().map_or(0, Vec::len),
                        start.elapsed()
                    );
                }
            });
        }
    });
}

#[test]
fn changes_and_problems_that_ask_for_much_work() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    server.attacked(&mut server.enter(), || edits(&server));
    server.attacked(&mut server.enter(), || problem_files(&server));
}

/// Every text that a message may hold, as long as a message may be: what is told of it is short, or bounded like any record,
/// and little of it is kept.
#[test]
fn long_texts_of_all_messages_are_bounded() {
    const LONG: usize = 900_000;
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    let text = "x".repeat(LONG);
    // What is written as six letters each in an answer.
    let noise = "\u{1}".repeat(LONG / 7);
    let new_game = |key: &str| {
        let mut message = json!({"ask": "new-game", "size": 5, "color": "black", "komi": 0.5, "rules": "chinese", "handicap": 0, "level": 1});
        message[key] = json!(text);
        message
    };
    let sgf = |text: &str| STANDARD.encode(text);
    let names =
        sgf(&format!("(;SZ[5]PB[{0}]PW[{0}]GN[{0}]C[{0}]RU[{0}]RE[{0}];B[aa])", "x".repeat(LONG / 9)));
    let strange = sgf(&format!("(;SZ[5];B[{}])", "z".repeat(LONG / 2)));
    let game = |key: &str| {
        let mut game = json!({"width": 5, "height": 5, "komi": 7.5, "rules": "chinese", "handicap": 0, "players": ["", ""], "result": "", "steps": []});
        game[key] = if key == "players" { json!([text, ""]) } else { json!(text) };
        json!({"ask": "edit-record", "game": game, "edits": []})
    };
    let edit = |edit: serde_json::Value| json!({"ask": "edit-record", "sgf": sgf("(;SZ[5];B[aa])"), "edits": [edit]});
    let mut spot_of_rules = spot(5);
    spot_of_rules["rules"] = json!(text);
    let messages = [
        json!({"ask": text}),
        json!({"ask": "undo", text.as_str(): 1}),
        new_game("rules"),
        new_game("net"),
        new_game("color"),
        json!({"ask": "load-game", "sgf": names, "color": "black", "level": 1}),
        json!({"ask": "load-game", "sgf": strange, "color": "black", "level": 1}),
        json!({"ask": "load-game", "sgf": text, "color": "black", "level": 1}),
        json!({"ask": "name-game", "id": 0, "name": text}),
        json!({"ask": "read-record", "sgf": names}),
        json!({"ask": "read-record", "sgf": strange}),
        json!({"ask": "read-problems", "sgf": names}),
        json!({"ask": "read-problems", "sgf": strange}),
        game("rules"),
        game("players"),
        game("result"),
        edit(json!({"edit": "comment", "node": 1, "text": noise})),
        edit(json!({"edit": "name", "node": 1, "text": text})),
        edit(json!({"edit": "marks", "node": 1, "marks": {"labels": [[3, noise]]}})),
        json!({"ask": "study", "number": 1, "spot": spot(5), "recipes": [text]}),
        json!({"ask": "study", "number": 1, "spot": spot(5), "recipes": ["default"], "net": text}),
        json!({"ask": "study", "number": 1, "spot": spot_of_rules, "recipes": ["default"]}),
        json!({"ask": "survey", "number": 1, "spot": spot(5), "playouts": 1, "net": text}),
        json!({"ask": "standings", "experiment": text}),
        json!({"ask": "games", "experiment": text, "pairing": 1}),
        json!({"ask": "replay", "experiment": text, "pairing": 1, "game": 1}),
        json!({"ask": "hello", "session": text}),
    ];
    server.attacked(&mut server.enter(), || {
        for message in &messages {
            let mut client = server.enter();
            let what: String = message.to_string().chars().take(120).collect();
            // How the game stands is told once more at the start.
            client.told("game");
            client.ask(message);
            let answer = client.next().unwrap_or_else(|| panic!("no answer to {what}"));
            let n_bytes = answer.to_string().len();
            let max = if answer["tell"] == "error" { 4000 } else { 2_000_000 };
            assert!(n_bytes < max, "{n_bytes} bytes in answer to {what}");
            println!("{} of {n_bytes} bytes to {what:.40}", answer["tell"]);
        }
    });
    for file in std::fs::read_dir(dir.path()).unwrap().flatten() {
        let n_bytes = file.metadata().unwrap().len();
        assert!(n_bytes < 20_000, "{n_bytes} bytes are kept in {}", file.path().display());
    }
}

fn crowd(server: &Process, n: usize) -> Vec<Client> {
    let windows = (0..n).filter_map(|_| {
        let mut client = server.connect();
        client.ask(&json!({"ask": "hello"}));
        let answer = client.wait("answer", |m| m["tell"] == "welcome" || m["tell"] == "error");
        (answer["tell"] == "welcome").then_some(client)
    });
    windows.collect()
}

#[test]
fn a_crowd_that_fills_the_house() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    let owner = owner(&server);
    server.attacked(&mut server.enter(), || {
        let windows = crowd(&server, 70);
        println!("{} strangers are in", windows.len());
        check_owner(&server, &owner);
        drop(windows);
    });
    drop(server);
    // Those who were not there when the server started are strangers, the owner is not.
    let server = Process::start(dir.path(), None);
    let windows = crowd(&server, 70);
    check_owner(&server, &owner);
    drop(windows);
}

fn studies(server: &Process, n: usize) {
    let mut clients: Vec<Client> = (0..n).map(|_| server.enter()).collect();
    for client in &mut clients {
        client.ask(&json!({"ask": "study", "number": 1, "spot": spot(19), "recipes": ["default"]}));
    }
    for client in &mut clients {
        client.told("report");
    }
    std::thread::sleep(Duration::from_millis(1500));
}

#[test]
fn searches_without_an_end() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    server.attacked(&mut server.enter(), || studies(&server, 10));
    let mut client = server.enter();
    let study = json!({"ask": "study", "number": 1, "spot": spot(9), "recipes": ["default"], "playouts": 1_000_000_000});
    client.ask(&study);
    assert_eq!(client.told("error")["kind"], "invalid");
}

/// Guesses tokens for a while; how many guesses were looked at, and how many answers there were.
fn guess(address: SocketAddr, time: Duration) -> (usize, usize) {
    let (n_judged, n_answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for guesser in 0..3 {
            let (n_judged, n_answered) = (&n_judged, &n_answered);
            scope.spawn(move || {
                let start = Instant::now();
                for n in 0.. {
                    if start.elapsed() > time {
                        break;
                    }
                    let mut stream = TcpStream::connect(address).unwrap();
                    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
                    let path = format!("/?token=wrong-{guesser}-{n}");
                    let _ =
                        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
                    let mut line = String::new();
                    let _ = BufReader::new(stream).read_line(&mut line);
                    n_answered.fetch_add(1, Ordering::Relaxed);
                    n_judged.fetch_add(usize::from(line.contains(" 401 ")), Ordering::Relaxed);
                    assert!(!line.contains(" 200 ") && !line.contains(" 303 "), "{line}");
                }
            });
        }
    });
    (n_judged.into_inner(), n_answered.into_inner())
}

/// The cookie that the right token is exchanged for.
fn cookie(address: SocketAddr) -> String {
    let answer = get(address, &format!("/?token={TOKEN}"), "");
    let line = answer
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .unwrap_or_else(|| panic!("{answer}"));
    line.split(';').next().unwrap().to_string()
}

#[test]
fn guesses_of_the_token() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), Some(TOKEN));
    let cookie = cookie(server.address);
    let enter = || {
        let mut client = Client::connect(server.address, &[("cookie", &cookie)]).unwrap();
        client.hello(None);
        client
    };
    let mut player = enter();
    server.attacked(&mut player, || {
        let (n_judged, n_answered) = guess(server.address, Duration::from_millis(1500));
        println!("{n_judged} of {n_answered} guesses were looked at");
        assert!(n_judged < 40, "{n_judged} guesses were looked at");
        // Whoever has been in before comes in again at any time.
        enter();
    });
}

/// Something that is done to a server.
type Attack = fn(&Process);

#[test]
fn timed_moves_are_answered_within_a_second_during_every_attack() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), None);
    let mut player = server.enter();
    let attacks: [(&str, Attack); 6] = [
        ("pings", |server| pings(server)),
        ("unfinished requests", |server| unfinished(server, 600)),
        ("games", |server| strangers(server, 100)),
        ("records", |server| records(server)),
        ("crowd", |server| drop(crowd(server, 70))),
        ("searches", |server| studies(server, 10)),
    ];
    let check = |name: &str, times: &[Duration]| {
        let median = times[times.len() / 2];
        assert!(median < Duration::from_secs(1), "{name}: {median:?}");
    };
    for (name, attack) in attacks {
        check(name, &server.attacked(&mut player, || attack(&server)));
    }
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path(), Some(TOKEN));
    let mut player = Client::connect(server.address, &[("cookie", &cookie(server.address))]).unwrap();
    player.hello(None);
    let attack = || {
        guess(server.address, Duration::from_millis(500));
    };
    check("guesses", &server.attacked(&mut player, attack));
}

#[test]
fn no_move_that_was_acknowledged_is_lost_by_sixty_sudden_ends() {
    let dir = tempfile::tempdir().unwrap();
    let mut rng = goban::Rng::new(7);
    let (mut session, mut known) = (None::<String>, 0);
    let mut n_moves = 0;
    for round in 0..60 {
        let server = Process::start(dir.path(), None);
        let mut client = server.connect();
        let mut game = client.hello(session.as_deref());
        assert!(session.as_ref().is_none_or(|session| *session == client.session), "round {round}");
        session = Some(client.session.clone());
        let n_played = |game: &serde_json::Value| game["moves"].as_array().unwrap().len();
        assert!(n_played(&game) >= known, "round {round}: {} of {known} moves are there", n_played(&game));
        if round % 15 == 0 {
            let size = if round % 30 == 0 { 19 } else { 17 };
            client.ask(
                &json!({"ask": "new-game", "size": size, "color": "black", "komi": 0.5, "rules": "chinese",
                              "handicap": 0, "level": 1}),
            );
            // The game before may be empty, too.
            game = client.wait("new game", |game| game["tell"] == "game" && game["width"] == size);
        }
        let end = Instant::now() + Duration::from_millis(10 + u64::from(rng.below(80)));
        let killer = std::thread::spawn(move || {
            std::thread::sleep(end.saturating_duration_since(Instant::now()));
            server.kill();
        });
        known = n_played(&game);
        // Somebody who moves as fast as Tengen answers, until the line is dead. A taken point is no move.
        let mut point = (known * 7 % 289) as i32;
        loop {
            if known % 2 == 0 {
                let ask = json!({"ask": "move", "point": point, "ply": known}).to_string();
                if client.socket.send(tungstenite::Message::text(ask)).is_err() {
                    break;
                }
            }
            let Some(message) = client.next() else { break };
            if message["tell"] == "game" {
                n_moves += n_played(&message) - known;
                known = n_played(&message);
            }
            point = (point + 1) % 289;
        }
        killer.join().unwrap();
    }
    println!("{n_moves} moves were acknowledged");
    assert!(n_moves > 20, "{n_moves} moves");
}
