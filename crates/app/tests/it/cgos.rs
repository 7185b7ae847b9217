//! `tengen cgos` against a small server that keeps to the protocol: it sends what the real one sends, in its order, judges every
//! move by the server's rules, and counts.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use goban::{Color, Position, Rules, Size, Vertex};
use serde_json::Value;

const RULES: Rules = Rules { suicide: false, ..Rules::TROMP_TAYLOR };
const USER: &str = "tengen-test";
const PASSWORD: &str = "secret-1";

/// What goes wrong on the way, and at which ply.
#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    None,
    /// The connection is cut.
    Cut(usize),
    /// A line of noise.
    Noise(usize),
    /// The opponent's move arrives garbled.
    LostPlay(usize),
    /// The question for a move arrives garbled.
    LostGenmove(usize),
}

struct Server {
    listener: TcpListener,
    size: usize,
    random: u64,
    /// All lines that the client sent.
    heard: Vec<String>,
}

struct Seat {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Seat {
    fn say(&mut self, line: &str) {
        let _ = self.stream.write_all(format!("{line}\n").as_bytes());
    }

    /// A line of the client; none once it is gone.
    fn hear(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(n) if n > 0 => Some(line.trim().to_owned()),
            _ => None,
        }
    }
}

impl Server {
    fn new(size: usize) -> Server {
        Server { listener: TcpListener::bind("127.0.0.1:0").unwrap(), size, random: 7, heard: Vec::new() }
    }

    fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    /// The next client, let in if its password is right.
    fn accept(&mut self) -> Option<Seat> {
        let (stream, _) = self.listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        let mut seat = Seat { stream, reader };
        seat.say("protocol genmove_analyze");
        let hello = seat.hear()?;
        assert!(hello.starts_with("e1 Tengen ") && hello.ends_with(" genmove_analyze"), "{hello}");
        seat.say("username");
        assert_eq!(seat.hear()?, USER);
        seat.say("password");
        if seat.hear()? != PASSWORD {
            seat.say("Sorry, password doesn't match");
            return None;
        }
        seat.say("info welcome");
        Some(seat)
    }

    fn next_random(&mut self, n: usize) -> usize {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % n
    }

    /// A legal move that fills no eye of one point, or a pass.
    fn opponent(&mut self, position: &Position) -> Vertex {
        let color = position.to_play();
        let board = position.board();
        let is_eye = |vertex: Vertex| {
            let near = position
                .size()
                .vertices()
                .filter(|other| vertex.col().abs_diff(other.col()) + vertex.row().abs_diff(other.row()) == 1);
            near.into_iter().all(|other| board.stone(other) == Some(color))
        };
        let moves: Vec<Vertex> =
            position.legal_moves(color).into_iter().filter(|&v| !v.is_pass() && !is_eye(v)).collect();
        if moves.is_empty() || position.n_passes() > 0 && self.next_random(2) == 0 {
            return Vertex::PASS;
        }
        moves[self.next_random(moves.len())]
    }

    /// Plays a game to its end and says the result. The client has the given colour.
    fn game(&mut self, seat: &mut Option<Seat>, id: usize, client: Color, trouble: Trouble) -> String {
        let size = Size::square(self.size).unwrap();
        let mut position = Position::new(size, RULES);
        position.set_komi(7.0).unwrap();
        let mut moves: Vec<String> = Vec::new();
        let names = if client == Color::Black {
            ("random(1000)", "tengen-test(1500?)")
        } else {
            ("tengen-test(1500?)", "random(1000)")
        };
        let setup = format!("setup {id} {} 7.0 60000 {} {}", self.size, names.0, names.1);
        seat.as_mut().unwrap().say(&setup);
        let mut trouble = trouble;
        while !position.is_over() && moves.len() < 400 {
            let (color, ply) = (position.to_play(), moves.len());
            let is_client = color == client;
            let hits = match trouble {
                Trouble::Cut(at) | Trouble::Noise(at) => ply >= at,
                Trouble::LostPlay(at) => ply >= at && !is_client,
                Trouble::LostGenmove(at) => ply >= at && is_client,
                Trouble::None => false,
            };
            let what = if hits { std::mem::replace(&mut trouble, Trouble::None) } else { Trouble::None };
            let letter = if color == Color::Black { "b" } else { "w" };
            let line = seat.as_mut().unwrap();
            match what {
                Trouble::Noise(_) => {
                    let _ = line.stream.write_all(b"\xff\xfe\x00 #!? play\n\n");
                }
                Trouble::Cut(_) => {
                    *seat = None;
                    *seat = self.again(&setup, &moves);
                }
                _ => {}
            }
            let vertex = if is_client {
                let question = if let Trouble::LostGenmove(_) = what { "genm\u{7}ove" } else { "genmove" };
                seat.as_mut().unwrap().say(&format!("{question} {letter} 60000"));
                let Some(answer) = seat.as_mut().unwrap().hear() else {
                    // Only a client that found itself at another position leaves in mid-game.
                    *seat = self.again(&setup, &moves);
                    continue;
                };
                self.heard.push(answer.clone());
                let word = answer.split_whitespace().next().unwrap_or_default();
                if word == "resign" {
                    return if client == Color::Black { "W+Resign" } else { "B+Resign" }.to_owned();
                }
                size.parse_vertex(word).unwrap()
            } else {
                let vertex = self.opponent(&position);
                let word = size.show(vertex).to_lowercase();
                let garbled = matches!(what, Trouble::LostPlay(_));
                let text =
                    if garbled { format!("play {letter}") } else { format!("play {letter} {word} 60000") };
                seat.as_mut().unwrap().say(&text);
                vertex
            };
            assert!(position.is_legal(color, vertex), "{} at {moves:?}", size.show(vertex));
            position.play(color, vertex).unwrap();
            moves.push(format!("{} 60000", size.show(vertex).to_lowercase()));
        }
        let margin = position.score().margin();
        if margin > 0.0 { format!("B+{margin:.1}") } else { format!("W+{:.1}", -margin) }
    }

    /// A client that comes back gets the whole game.
    fn again(&mut self, setup: &str, moves: &[String]) -> Option<Seat> {
        let mut seat = self.accept()?;
        seat.say(format!("{setup} {}", moves.join(" ")).trim());
        Some(seat)
    }

    /// The end of a game; what the client answers.
    fn over(&mut self, seat: &mut Seat, result: &str) -> String {
        seat.say(&format!("gameover 2026-11-15 {result} "));
        seat.hear().unwrap_or_default()
    }
}

fn client(server: &Server, dir: &Path, password: &str, args: &[&str]) -> Child {
    fs::write(dir.join("password"), format!("{password}\n")).unwrap();
    let config = format!(
        "server = \"127.0.0.1\"\nport = {}\nuser = \"{USER}\"\npassword-file = {:?}\nout = {:?}\nplayouts = 30\nwait = 0.05\n",
        server.port(),
        dir.join("password"),
        dir.join("games"),
    );
    fs::write(dir.join("cgos.toml"), config).unwrap();
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["cgos", "--config"])
        .arg(dir.join("cgos.toml"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The end of the client, which must come soon.
fn end(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("the client does not end: {:?}", child.wait_with_output().unwrap());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Plays one game with each of these troubles, the client's colours alternating.
fn play(troubles: &[Trouble], size: usize) -> (Server, String, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Server::new(size);
    let child = client(&server, dir.path(), PASSWORD, &["--games", &troubles.len().to_string()]);
    let mut seat = server.accept();
    for (n, &trouble) in troubles.iter().enumerate() {
        let color = if n % 2 == 0 { Color::Black } else { Color::White };
        let result = server.game(&mut seat, n + 1, color, trouble);
        let answer = server.over(seat.as_mut().unwrap(), &result);
        assert_eq!(answer, if n + 1 == troubles.len() { "quit" } else { "ready" });
    }
    let output = end(child);
    assert!(output.status.success(), "{}", stderr(&output));
    (server, stderr(&output), dir)
}

#[test]
fn ten_games_are_played_and_kept() {
    let (server, _, dir) = play(&[Trouble::None; 10], 5);
    let mut files: Vec<_> =
        fs::read_dir(dir.path().join("games")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 10, "{files:?}");
    for file in &files {
        let tree = player::record::load(file).unwrap();
        let game = sgf::Game::new(&tree).unwrap();
        assert!(game.moves().unwrap().len() > 2, "{}", file.display());
        assert_ne!(game.header.result, sgf::GameResult::Unknown, "{}", file.display());
    }
    // Each move that was thought about comes with its analysis.
    let told: Vec<Value> = server
        .heard
        .iter()
        .filter_map(|line| line.split_once(' '))
        .map(|(_, object)| serde_json::from_str(object).unwrap())
        .collect();
    assert!(told.len() > 20, "{:?}", server.heard);
    assert!(told.iter().filter(|object| object["ownership"].is_string()).count() > 20, "{:?}", server.heard);
    for object in &told {
        let winrate = object["winrate"].as_f64().unwrap();
        assert!(
            (0.0..=1.0).contains(&winrate)
                && object["score"].is_number()
                && object["visits"].as_u64() > Some(0),
            "{object}"
        );
        // Where every simulation came to the end of the game there was no playout to tell it.
        let n_owners = object.get("ownership").map(|owners| owners.as_str().map(str::len));
        assert!(n_owners.is_none_or(|n| n == Some(25)), "{object}");
        let first = &object["moves"][0];
        assert!(
            first["move"].is_string()
                && first["pv"].is_string()
                && first["score"].is_number()
                && first["visits"].as_u64() > Some(0),
            "{object}"
        );
    }
}

#[test]
fn a_cut_connection_in_mid_game_is_taken_up_again() {
    let (_, log, dir) = play(&[Trouble::Cut(5), Trouble::Cut(8)], 5);
    assert_eq!(log.matches("the server closed the connection").count(), 2, "{log}");
    assert_eq!(fs::read_dir(dir.path().join("games")).unwrap().count(), 2);
}

#[test]
fn a_game_that_cannot_go_on_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Server::new(5);
    let child = client(&server, dir.path(), PASSWORD, &["--reconnect", "1"]);
    let mut seat = server.accept().unwrap();
    seat.say("setup 3 5 7.0 60000 random(1) tengen-test(1)");
    seat.say("genmove b 60000");
    assert!(seat.hear().is_some());
    // The server goes down for good.
    drop((seat, server));
    let output = end(child);
    assert!(stderr(&output).contains("after 1 attempt"), "{}", stderr(&output));
    let games: Vec<_> =
        fs::read_dir(dir.path().join("games")).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(games.len(), 1, "{games:?}");
    let text = fs::read_to_string(&games[0]).unwrap();
    assert!(text.contains(";B[") && text.contains("the end of the game was not seen"), "{text}");
}

#[test]
fn garbled_lines_are_survived() {
    let troubles = [Trouble::Noise(3), Trouble::LostPlay(4), Trouble::LostGenmove(4), Trouble::Noise(6)];
    let (_, log, dir) = play(&troubles, 5);
    assert!(log.contains("a line that cannot be read is passed over"), "{log}");
    assert!(log.contains("asking for the game again"), "{log}");
    assert_eq!(fs::read_dir(dir.path().join("games")).unwrap().count(), 4);
}

#[test]
fn a_wrong_password_is_said_to_be_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Server::new(9);
    let child = client(&server, dir.path(), "wrong-one", &[]);
    assert!(server.accept().is_none());
    let output = end(child);
    let log = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{log}");
    assert!(log.contains("refuses tengen-test: Sorry, password doesn't match"), "{log}");
}

#[test]
fn ctrl_c_ends_after_the_game_or_while_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Server::new(5);
    let child = client(&server, dir.path(), PASSWORD, &[]);
    let mut seat = server.accept();
    let interrupt = |child: &Child| {
        let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
        assert!(sent.success());
    };
    let line = seat.as_mut().unwrap();
    line.say("setup 1 5 7.0 60000 random(1) tengen-test(1)");
    line.say("genmove b 60000");
    let first = line.hear().unwrap();
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(300));
    line.say("play w pass 60000");
    line.say("genmove b 60000");
    assert!(line.hear().is_some(), "the game goes on after {first}");
    assert_eq!(server.over(seat.as_mut().unwrap(), "W+Resign"), "quit");
    let output = end(child);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("left after 1 game"), "{}", stderr(&output));
    // Between games there is nothing to wait for.
    let child = client(&server, dir.path(), PASSWORD, &[]);
    let mut seat = server.accept().unwrap();
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    assert_eq!(seat.hear().as_deref(), Some("quit"));
    assert!(end(child).status.success());
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .arg("cgos")
            .args(args)
            .current_dir(&dir)
            .output()
            .unwrap();
        assert!(!output.status.success(), "{args:?}");
        stderr(&output)
    };
    fs::write(dir.path().join("pw"), "abcdef\n").unwrap();
    fs::write(dir.path().join("bad"), "a b\n").unwrap();
    fs::write(dir.path().join("odd.toml"), "sever = \"x\"\n").unwrap();
    assert!(run(&[]).contains("--password-file is missing"));
    assert!(run(&["--password-file", "pw"]).contains("--server is missing"));
    assert!(run(&["--password-file", "none"]).contains("--password-file none: cannot read it"));
    assert!(run(&["--password-file", "bad"]).contains("3 to 16 letters"));
    assert!(run(&["--user", "9x"]).contains("expected 3 to 18 letters"));
    assert!(run(&["--config", "odd.toml"]).contains("sever: no such option"));
    // Nobody listens at port 1 of this machine.
    let gone = [
        "--server",
        "127.0.0.1",
        "--port",
        "1",
        "--user",
        "abc",
        "--password-file",
        "pw",
        "--reconnect",
        "2",
        "--wait",
        "0.01",
    ];
    assert!(run(&gone).contains("after 2 attempts"));
}
