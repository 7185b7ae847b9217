//! The JSON analysis service at work, for the tests of its answers and of its complaints.
#![allow(unreachable_pub)]

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use player::analysis::ask::Viewer;
use player::analysis::{Options, serve};
use recipe::Recipe;
use serde_json::{Value, json};

pub fn options(n_threads: usize) -> Options {
    Options {
        recipe: Recipe::parse(&mcts::ROOT, &player::recipes::SHELF, "default").unwrap(),
        settings: mcts::Settings { memory: 256 << 20, ..mcts::Settings::default() },
        net: None,
        n_threads,
        max_visits: 30,
        viewer: Viewer::Black,
        quits_at_once: false,
        version: "1.2".to_string(),
    }
}

/// The service at work.
pub struct Live {
    pub input: Option<PipeWriter>,
    pub lines: Receiver<Value>,
    pub thread: JoinHandle<std::io::Result<()>>,
}

impl Live {
    pub fn start(options: Options) -> Self {
        let (service_input, input) = pipe().unwrap();
        let (output, service_output) = pipe().unwrap();
        let thread = thread::spawn(move || serve(options, BufReader::new(service_input), service_output));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let value = serde_json::from_str(&line.unwrap()).expect("a line of JSON");
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        Self { input: Some(input), lines, thread }
    }

    pub fn send(&mut self, value: &Value) {
        self.send_text(&value.to_string());
    }

    pub fn send_text(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    pub fn next(&self) -> Value {
        self.lines.recv_timeout(Duration::from_secs(60)).expect("an answer")
    }

    /// Closes the input and returns everything that is still said.
    pub fn end(mut self) -> Vec<Value> {
        self.input = None;
        self.thread.join().unwrap().unwrap();
        self.lines.iter().collect()
    }
}

/// A question about a 5×5 board.
pub fn ask(id: &str, moves: Value, more: Value) -> Value {
    let mut query = json!({ "id": id, "rules": "chinese", "komi": 0.5, "boardXSize": 5, "boardYSize": 5 });
    query["moves"] = moves;
    let Value::Object(more) = more else { panic!("no object: {more}") };
    for (key, value) in more {
        query[key] = value;
    }
    query
}

/// Everything that is answered to some questions.
pub fn answers(questions: &[Value]) -> Vec<Value> {
    let mut live = Live::start(options(1));
    questions.iter().for_each(|question| live.send(question));
    live.end()
}
