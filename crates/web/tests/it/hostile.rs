//! Whatever is sent, the server goes on serving everybody else.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{Client, Running};
use goban::Rng;
use serde_json::json;
use tungstenite::Message;

/// Messages that are right or nearly so, to be spoilt.
const SEEDS: [&str; 21] = [
    r#"{"ask":"hello","session":"0123456789abcdef0123456789abcdef"}"#,
    r#"{"ask":"new-game","size":9,"color":"black","komi":7.5,"rules":"chinese","handicap":0,"level":1,"clock":{"main":1,"period":1,"periods":1}}"#,
    r#"{"ask":"move","point":40,"ply":0}"#,
    r#"{"ask":"undo"}"#,
    r#"{"ask":"resign"}"#,
    r#"{"ask":"toggle-dead","point":3}"#,
    r#"{"ask":"my-games"}"#,
    r#"{"ask":"open-game","id":1}"#,
    r#"{"ask":"name-game","id":0,"name":"../../etc/passwd"}"#,
    r#"{"ask":"delete-game","id":4294967295}"#,
    r#"{"ask":"play-from","ply":1}"#,
    r#"{"ask":"teach","on":true}"#,
    r#"{"ask":"play-on"}"#,
    r#"{"ask":"load-game","sgf":"KDtTWls5XTtCW2VlXSk=","color":"white","level":1}"#,
    r#"{"ask":"read-record","sgf":"KDtTWls5XTtCW2VlXSk="}"#,
    r#"{"ask":"study","number":1,"spot":{"width":9,"height":9,"komi":7.5,"rules":"chinese","steps":[["black",3]]},"recipes":["uct"],"playouts":1}"#,
    r#"{"ask":"survey","number":2,"spot":{"width":5,"height":5,"komi":7.5,"rules":"aga","steps":[["black",3],{"white":[1]}]},"playouts":1}"#,
    r#"{"ask":"open","number":1,"search":0,"line":[3,4]}"#,
    r#"{"ask":"standings","experiment":"../../etc/passwd"}"#,
    r#"{"ask":"games","experiment":"x","pairing":-1,"skip":99999999}"#,
    r#"{"ask":"replay","experiment":"x","pairing":1,"game":18446744073709551615}"#,
];

/// Pieces that are put where they do not belong.
const PIECES: [&str; 14] = [
    "{",
    "[",
    "\"",
    "null",
    "-1",
    "1e308",
    "99999999999999999999",
    "\\u0000",
    "\u{202e}",
    "true",
    ",",
    "..%2f",
    "{\"ask\":",
    "\\",
];

/// A spoilt message.
fn spoil(rng: &mut Rng) -> String {
    let mut below = |n: usize| rng.below(n as u32) as usize;
    let mut text: Vec<char> = SEEDS[below(SEEDS.len())].chars().collect();
    for _ in 0..1 + below(4) {
        let at = below(text.len().max(1)).min(text.len());
        match below(5) {
            0 => text.truncate(at),
            1 if at < text.len() => drop(text.remove(at)),
            2 => drop(text.splice(at..at, PIECES[below(PIECES.len())].chars())),
            3 if at < text.len() => text[at] = char::from(32 + below(95) as u8),
            _ => {
                let other: Vec<char> = SEEDS[below(SEEDS.len())].chars().collect();
                text.truncate(at);
                text.extend(&other[below(other.len())..]);
            }
        }
    }
    text.into_iter().collect()
}

/// Sends `n` spoilt messages, and sees to it after each handful that the server still answers.
fn attack(server: &Running, seed: u64, n: usize) {
    const HANDFUL: usize = 100;
    let mut rng = Rng::new(seed);
    let mut client = server.enter();
    for _ in 0..n / HANDFUL {
        for _ in 0..HANDFUL {
            let text = spoil(&mut rng);
            let message = match rng.below(50) {
                0 => Message::binary(text.into_bytes()),
                1 => Message::Ping(text.into_bytes().into_iter().take(100).collect::<Vec<u8>>().into()),
                _ => Message::text(text),
            };
            client.socket.write(message).unwrap();
        }
        client.socket.flush().unwrap();
        client.ask(&json!({"ask": "save-game"}));
        client.told("record");
    }
}

#[test]
fn a_hundred_thousand_hostile_messages_hurt_nobody_else() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |config| {
        // The rate is tested elsewhere; here every message shall be looked at.
        config.bounds.messages_per_second = 1e9;
        config.bounds.burst = 1e9;
        config.bounds.patience = u32::MAX;
        // So is the room for games.
        config.bounds.games_of_session = usize::MAX;
    });
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let innocent = scope.spawn(|| {
            let mut client = server.enter();
            let mut n_games = 0;
            loop {
                client.new_game(5, 1);
                let game = client.play(12, 0);
                assert_eq!(game["moves"].as_array().unwrap().len(), 2);
                n_games += 1;
                if is_over.load(Ordering::Relaxed) {
                    return n_games;
                }
            }
        });
        let attackers: Vec<_> = (1..=4)
            .map(|seed| {
                scope.spawn({
                    let server = &server;
                    move || attack(server, seed, 25_000)
                })
            })
            .collect();
        attackers.into_iter().for_each(|attacker| attacker.join().unwrap());
        is_over.store(true, Ordering::Relaxed);
        println!("{} moves were answered meanwhile", innocent.join().unwrap());
    });
    server.enter().new_game(9, 1);
    // Nothing was written but games under names of the server's own making.
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // The last game of an attacker may be written just now.
        let stem = name.strip_suffix(".new").unwrap_or(&name).strip_suffix(".sgf");
        let stem = stem.unwrap_or_else(|| panic!("a stray file {name}"));
        let (session, number) = stem.split_once('-').unwrap_or((stem, "0"));
        let is_session = session.len() == 32 && session.bytes().all(|c| c.is_ascii_hexdigit());
        assert!(is_session && number.parse::<u32>().is_ok(), "{name}");
    }
}

#[test]
fn too_many_messages_are_refused_and_then_the_connection() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |config| {
        config.bounds.burst = 20.0;
        config.bounds.messages_per_second = 0.001;
        config.bounds.patience = 50;
    });
    let mut client = server.enter();
    // One at a time: what a closed connection had not read yet would take the answers with it.
    let mut kinds = Vec::new();
    while client.socket.send(Message::text(r#"{"ask":"save-game"}"#)).is_ok() {
        let Some(message) = client.next() else { break };
        kinds.push(message["kind"].as_str().unwrap_or("answered").to_string());
    }
    let n_refused = kinds.iter().filter(|kind| *kind == "rate").count();
    // The answer to the server's own ping counts as well.
    assert!((49..=50).contains(&n_refused), "{kinds:?}");
    server.enter();
}

#[test]
fn broken_frames_and_large_messages_end_only_their_connection() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut innocent = server.enter();
    let mut large = server.enter();
    let _ = large.socket.send(Message::text("x".repeat(2 << 20)));
    assert!(large.next().is_none_or(|message| message["tell"] == "game") && large.next().is_none());
    let mut broken = server.enter();
    broken.socket.get_mut().write_all(&[0xff; 64]).unwrap();
    while broken.next().is_some() {}
    let mut garbage = TcpStream::connect(server.address).unwrap();
    garbage.write_all(b"\x16\x03\x01\x02\x00 this is no HTTP\r\n\r\n").unwrap();
    garbage.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let _ = garbage.read(&mut [0; 100]);
    innocent.new_game(5, 1);
    innocent.play(12, 0);
}

#[test]
fn the_house_is_full_until_somebody_leaves() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |config| {
        config.bounds.sessions = 2;
        config.bounds.connections_of_session = 2;
    });
    let (first, second) = (server.enter(), server.enter());
    let mut third = server.connect();
    third.ask(&json!({"ask": "hello"}));
    let error = third.told("error");
    assert!(error["kind"] == "busy" && error["message"].as_str().unwrap().contains("full"), "{error}");
    // A second window of the same visitor is welcome, a third is not.
    let mut window = server.connect();
    window.hello(Some(&first.session));
    let mut another = server.connect();
    another.ask(&json!({"ask": "hello", "session": first.session}));
    assert_eq!(another.told("error")["kind"], "busy");
    drop(second);
    let start = std::time::Instant::now();
    loop {
        third.ask(&json!({"ask": "hello"}));
        if third.wait("answer", |m| m["tell"] == "welcome" || m["tell"] == "error")["tell"] == "welcome" {
            break;
        }
        assert!(start.elapsed() < crate::common::PATIENCE, "nobody leaves");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_youngest_makes_way_for_somebody_who_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |config| config.bounds.sessions = 4);
    let play = || {
        let mut client = server.enter();
        client.new_game(5, 1);
        client.play(12, 0);
        client.session.clone()
    };
    let (owner, other) = (play(), play());
    let mut strangers: Vec<Client> = (0..4).map(|_| server.enter()).collect();
    // One place more than for new ones is for those who come back; then somebody has to go.
    let come_back = |session: &str| {
        let mut client = server.connect();
        assert_eq!(client.hello(Some(session))["moves"].as_array().unwrap().len(), 2);
        assert_eq!(client.session, session);
        client
    };
    let _other = come_back(&other);
    let _owner = come_back(&owner);
    while strangers[3].next().is_some() {}
    strangers[0].new_game(5, 1);
    let mut late = server.connect();
    late.ask(&json!({"ask": "hello"}));
    assert_eq!(late.told("error")["kind"], "busy", "nobody makes way for somebody new");
}

/// The first line of the answer to a request with these headers.
fn status(server: &Running, path: &str, headers: &[(&str, &str)]) -> String {
    answer(server, path, headers).lines().next().unwrap_or_default().to_string()
}

/// The answer to a request with these headers.
fn answer(server: &Running, path: &str, headers: &[(&str, &str)]) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    write!(stream, "GET {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn strangers_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let host = server.address.to_string();
    assert!(status(&server, "/", &[("Host", &host)]).contains("200"));
    for path in ["/", "/ws", "/js/main.js", "/lab/report?name=x"] {
        assert!(status(&server, path, &[("Host", "evil.example")]).contains("403"), "{path}");
        let origin = [("Host", host.as_str()), ("Origin", "http://evil.example")];
        assert!(status(&server, path, &origin).contains("403"), "{path}");
    }
    for path in
        ["/../Cargo.toml", "/js/../../Cargo.toml", "/%2e%2e/Cargo.toml", "/nothing", "/lab/report?name=../x"]
    {
        assert!(status(&server, path, &[("Host", &host)]).contains("404"), "{path}");
    }
    let ours = format!("http://{host}");
    assert!(Client::connect(server.address, &[("origin", &ours)]).is_ok());
    for origin in ["http://evil.example", "null", "http://127.0.0.1"] {
        let error = Client::connect(server.address, &[("origin", origin)]).err().unwrap();
        assert!(error.contains("403"), "{origin}: {error}");
    }
    assert!(Client::connect(server.address, &[("host", "evil.example")]).err().unwrap().contains("403"));
}

#[test]
fn the_token_opens_the_door() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |config| config.token = Some("open-sesame".to_string()));
    let host = server.address.to_string();
    assert!(server.link.ends_with("/?token=open-sesame"));
    assert!(status(&server, "/", &[("Host", &host)]).contains("401"));
    assert!(status(&server, "/?token=open-says-me", &[("Host", &host)]).contains("401"));
    let answer = answer(&server, "/?token=open-sesame", &[("Host", &host)]);
    assert!(answer.starts_with("HTTP/1.1 303") && answer.contains("location: /\r\n"), "{answer}");
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly; SameSite=Strict") && !cookie.contains("open-sesame"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert!(Client::connect(server.address, &[]).err().unwrap().contains("401"));
    assert!(Client::connect(server.address, &[("cookie", cookie)]).is_ok());
    for wrong in ["tengen-token=x", "tengen-token=open-sesame"] {
        assert!(Client::connect(server.address, &[("cookie", wrong)]).err().unwrap().contains("401"));
    }
    // The cookie holds after a new start of the server.
    drop(server);
    let server = Running::start(dir.path(), |config| config.token = Some("open-sesame".to_string()));
    assert!(Client::connect(server.address, &[("cookie", cookie)]).is_ok());
}

#[test]
fn nobody_listens_to_others_without_a_token() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = web::Config::local(0, dir.path().to_path_buf());
    config.listen = "0.0.0.0:0".parse().unwrap();
    let refuse = |config| web::Server::bind(config).err().unwrap().to_string();
    assert!(refuse(config.clone()).contains("expected a token"));
    config.token = Some("short".to_string());
    assert!(refuse(config.clone()).contains("at least 8"));
    config.token = Some("with blank and;more".to_string());
    assert!(refuse(config).contains("expected letters"));
}
