//! An engine in this process, and scripts of commands with their replies.
#![allow(unreachable_pub)]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use goban::{Color, Position, Rules, Size, Vertex};
use gtp::End;
use player::engine::{Engine, Options};
use player::{Budget, Decision, Player, PlayerError};

/// A player that plays what it is told, then passes, and notes what it was given.
#[derive(Default)]
pub struct Puppet {
    pub moves: VecDeque<&'static str>,
    /// How long it thinks unless it is stopped.
    pub thinks: Duration,
}

impl Puppet {
    pub fn playing(moves: &[&'static str]) -> Box<Self> {
        Box::new(Self { moves: moves.iter().copied().collect(), thinks: Duration::ZERO })
    }
}

impl Player for Puppet {
    fn name(&self) -> String {
        "puppet".to_string()
    }

    fn choose(
        &mut self,
        position: &Position,
        color: Color,
        budget: &Budget,
    ) -> Result<Decision, PlayerError> {
        let start = std::time::Instant::now();
        while start.elapsed() < self.thinks && !budget.is_stopped() {
            thread::sleep(Duration::from_millis(1));
        }
        match self.moves.pop_front() {
            None => Ok(Decision::Play(Vertex::PASS)),
            Some("resign") if budget.may_resign => Ok(Decision::Resign),
            Some("resign") => Ok(Decision::Play(Vertex::PASS)),
            Some("broken") => {
                Err(PlayerError::Unable { name: self.name(), why: "no such board".to_string() })
            }
            Some("panic") => panic!("the puppet's strings are torn"),
            Some(word) => {
                // What the player may do follows from the position that it is shown.
                let (word, must_be_legal) =
                    word.strip_suffix(" if legal").map_or((word, false), |word| (word, true));
                let vertex = position.size().parse_vertex(word).unwrap();
                let is_barred = must_be_legal && !position.is_legal(color, vertex);
                Ok(Decision::Play(if is_barred { Vertex::PASS } else { vertex }))
            }
        }
    }

    fn explain(&self) -> Option<String> {
        Some("I was told so".to_string())
    }
}

/// An engine on a 5×5 board under Chinese rules.
pub fn engine(player: Box<dyn Player>) -> Engine {
    engine_with(player, Options::default())
}

pub fn engine_with(player: Box<dyn Player>, options: Options) -> Engine {
    Engine::new(player, options, Size::square(5).unwrap(), Rules::CHINESE)
}

/// Everything the engine answers to an input that ends with `quit`.
pub fn output(engine: &mut Engine, input: &[u8]) -> String {
    let mut input = input.to_vec();
    input.extend(b"\nquit\n");
    let mut output = Vec::new();
    assert!(matches!(engine.serve(Cursor::new(input), &mut output), Ok(End::Quit)));
    let text = String::from_utf8(output).unwrap();
    text.strip_suffix("= \n\n").expect("an answer to quit").to_string()
}

/// Runs a script: each command stands behind `> `, the lines below it are its reply without the trailing space.
/// `VERSION` stands for ours.
#[track_caller]
pub fn check(engine: &mut Engine, script: &str) {
    let script = script.replace("VERSION", &player::engine::version());
    let lines = || script.lines().map(str::trim).filter(|line| !line.is_empty());
    let commands: String =
        lines().filter_map(|line| line.strip_prefix("> ")).map(|line| format!("{line}\n")).collect();
    let expected: Vec<Vec<&str>> = lines().fold(Vec::new(), |mut replies, line| {
        match (line.strip_prefix("> "), replies.last_mut()) {
            (Some(command), _) => replies.push(vec![command]),
            (None, Some(reply)) => reply.push(line),
            (None, None) => panic!("a reply without a command: {line}"),
        }
        replies
    });
    let output = output(engine, commands.as_bytes());
    let replies: Vec<&str> = output.split("\n\n").filter(|reply| !reply.is_empty()).collect();
    for (expected, reply) in expected.iter().zip(&replies) {
        let lines: Vec<&str> = reply.lines().map(str::trim).collect();
        assert_eq!(lines, expected[1..], "reply to {:?}", expected[0]);
    }
    assert_eq!(replies.len(), expected.len());
}

/// An engine at work in a thread of its own.
pub struct Live {
    pub input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    thread: JoinHandle<Engine>,
}

impl Live {
    pub fn start(mut engine: Engine) -> Self {
        let (engine_input, input) = pipe().unwrap();
        let (output, engine_output) = pipe().unwrap();
        let thread = thread::spawn(move || {
            engine.serve(BufReader::new(engine_input), engine_output).unwrap();
            engine
        });
        Self { input: Some(input), output: BufReader::new(output), thread }
    }

    pub fn send(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// The next reply without its empty line.
    pub fn reply(&mut self) -> String {
        let mut reply = String::new();
        loop {
            let mut line = String::new();
            let n = self.output.read_line(&mut line).unwrap();
            if n == 0 || line == "\n" {
                return reply.trim_end().to_string();
            }
            reply.push_str(&line);
        }
    }

    /// The engine after its end.
    pub fn end(mut self) -> Engine {
        self.input = None;
        self.thread.join().unwrap()
    }
}
