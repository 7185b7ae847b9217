//! A toy engine and two ways to talk to it: a whole script at once, or line by line through pipes.
#![allow(dead_code, unreachable_pub)]

use gtp::{Args, Context, End, Entry, Registry, Response, serve};
use std::io::{BufRead, BufReader, BufWriter, Cursor, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Remembers how many commands of its own it has answered.
#[derive(Default)]
pub struct Toy {
    n_answered: u32,
}

pub fn registry() -> Registry<Toy> {
    let mut registry = Registry::new();
    let toys = [
        Entry::new("echo", "TEXT", "Says it back.", |toy: &mut Toy, args, _| {
            toy.n_answered += 1;
            Ok(args.rest().to_owned())
        }),
        Entry::new("lines", "TEXT", "Says it back, a line break for every slash.", |_, args, _| {
            Ok(args.rest().replace('/', "\n"))
        }),
        Entry::new("fail", "TEXT", "Fails with the text.", |_, args, _| Err(args.rest().into())),
        Entry::new("count", "", "How many echoes there have been.", |toy, _, _| {
            Ok(toy.n_answered.to_string())
        }),
        Entry::new("panic", "TEXT", "Panics.", |_, args, _| panic!("{}", args.rest())),
        Entry::new("think", "MILLISECONDS", "Thinks until it is interrupted.", think),
        Entry::new("analyze", "[LAST]", "Reports until the next line.", analyze),
    ];
    registry.group("toy", &toys).expect("the toy commands have different names");
    registry
}

fn think(_: &mut Toy, args: &mut Args<'_>, cx: &mut Context<'_>) -> Response {
    let limit = Duration::from_millis(args.int("time", 0..)?);
    let start = Instant::now();
    while start.elapsed() < limit {
        if cx.interrupt().requested() {
            return Ok("interrupted".to_owned());
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok("done".to_owned())
}

fn analyze(_: &mut Toy, args: &mut Args<'_>, cx: &mut Context<'_>) -> Response {
    cx.begin();
    cx.line("info first\n\n");
    while !cx.wait_for_input(Duration::from_millis(5)) {
        cx.line("info more");
    }
    match args.next() {
        Some("panic") => panic!("in the middle"),
        Some("fail") => Err("too late".into()),
        last => Ok(last.map(|word| format!("play {word}")).unwrap_or_default()),
    }
}

/// The output for a whole input.
pub fn answer(input: impl AsRef<[u8]>) -> String {
    let mut output = Vec::new();
    serve(&registry(), &mut Toy::default(), Cursor::new(input.as_ref().to_vec()), &mut output);
    String::from_utf8(output).expect("replies are UTF-8")
}

/// An engine at work in a thread of its own. Its output is buffered, so only what it flushes arrives.
pub struct Live {
    pub input: Option<PipeWriter>,
    pub output: Option<BufReader<PipeReader>>,
    engine: JoinHandle<End>,
}

impl Live {
    pub fn start() -> Live {
        let (engine_input, input) = pipe().expect("a pipe");
        let (output, engine_output) = pipe().expect("a pipe");
        let engine = thread::spawn(move || {
            let output = BufWriter::new(engine_output);
            serve(&registry(), &mut Toy::default(), BufReader::new(engine_input), output)
        });
        Live { input: Some(input), output: Some(BufReader::new(output)), engine }
    }

    pub fn send(&mut self, text: &str) {
        self.input.as_mut().expect("an open input").write_all(text.as_bytes()).expect("a living engine");
    }

    /// The next line, with its line break; empty at the end.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.as_mut().expect("an open output").read_line(&mut line).expect("a line");
        line
    }

    /// Everything up to and including the next empty line.
    pub fn reply(&mut self) -> String {
        let mut reply = String::new();
        loop {
            let line = self.line();
            reply.push_str(&line);
            if line == "\n" || line.is_empty() {
                return reply;
            }
        }
    }

    /// How the engine ended; the test hangs when it does not.
    pub fn end(self) -> End {
        let engine = self.engine;
        drop((self.input, self.output));
        engine.join().expect("no panic in the loop")
    }
}
