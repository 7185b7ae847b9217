//! The threads at a child's three pipes.

use crate::bounded::{Length, excerpt, read_line, skip_line};
use crate::reply::Reply;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What an engine says.
pub(super) enum Event {
    /// A whole reply.
    Reply(Reply),
    /// A line outside every reply, or its beginning.
    Garbage(String),
    /// The beginning of a reply that was too long to be kept.
    Endless(String),
}

/// How many unread events are kept; an engine that goes on talking has to wait.
const BACKLOG: usize = 16;

/// The longest line of a reply, in bytes.
const MAX_LINE: usize = 16 << 20;

/// The longest reply, in bytes.
const MAX_REPLY: usize = 64 << 20;

/// What is kept of a line of the error output, in bytes.
const MAX_WORDS: usize = 4 << 10;

/// How much of the error output is kept.
const N_LAST_WORDS: usize = 20;

/// Writes what is sent to it, and closes the pipe when the sender is dropped.
pub(super) fn write(mut stdin: impl Write + Send + 'static) -> Sender<String> {
    let (sender, texts) = channel::<String>();
    thread::spawn(move || {
        for text in texts {
            if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

/// Reads replies until the pipe is closed.
pub(super) fn read(stdout: impl Read + Send + 'static) -> Receiver<Event> {
    let (sender, events) = sync_channel(BACKLOG);
    thread::spawn(move || each_reply(BufReader::new(stdout), &sender));
    events
}

/// How many unread lines are kept of an engine that is read line by line.
const LINE_BACKLOG: usize = 1024;

/// The longest line that is kept whole where lines are read one by one, in bytes.
const MAX_SINGLE_LINE: usize = 1 << 20;

/// Reads lines until the pipe is closed; false with one that was too long to be kept whole.
pub(super) fn read_lines(stdout: impl Read + Send + 'static) -> Receiver<(String, bool)> {
    let (sender, lines) = sync_channel(LINE_BACKLOG);
    thread::spawn(move || {
        let (mut stdout, mut raw) = (BufReader::new(stdout), Vec::new());
        while let Some(length) = read_line(&mut stdout, &mut raw, MAX_SINGLE_LINE) {
            let line = String::from_utf8_lossy(raw.strip_suffix(b"\n").unwrap_or(&raw)).into_owned();
            if sender.send((line, length == Length::Whole)).is_err() {
                break;
            }
            if length == Length::Cut {
                skip_line(&mut stdout);
            }
        }
    });
    lines
}

fn each_reply(mut stdout: impl BufRead, events: &SyncSender<Event>) {
    let mut raw = Vec::new();
    let mut open = Open::Nothing;
    while let Some(length) = read_line(&mut stdout, &mut raw, MAX_LINE) {
        let (next, event) = open.line(&text(&raw), length);
        open = next;
        // Told before the rest is skipped, since that may never end.
        if event.is_some_and(|event| events.send(event).is_err()) {
            break;
        }
        if length == Length::Cut {
            skip_line(&mut stdout);
        }
    }
}

/// What the lines read so far have begun.
enum Open {
    /// Nothing: a reply is to follow.
    Nothing,
    /// A reply, with its size.
    Reply(Reply, usize),
    /// A reply of which no more is wanted.
    Endless,
}

impl Open {
    /// Adds a line, or the beginning of one that is too long.
    fn line(self, line: &str, length: Length) -> (Open, Option<Event>) {
        let blank = line.trim().is_empty() && length == Length::Whole;
        match self {
            Open::Reply(reply, _) if blank => (Open::Nothing, Some(Event::Reply(reply))),
            // Some engines are generous with empty lines.
            Open::Nothing | Open::Endless if blank => (Open::Nothing, None),
            Open::Endless => (Open::Endless, None),
            Open::Reply(mut reply, size) => {
                let size = size + line.len() + 1;
                if length == Length::Cut || size > MAX_REPLY {
                    return (Open::Endless, Some(Event::Endless(excerpt(line))));
                }
                reply.push_line(line);
                (Open::Reply(reply, size), None)
            }
            Open::Nothing => match Reply::parse_head(line) {
                None => (Open::Nothing, Some(Event::Garbage(excerpt(line)))),
                Some(_) if length == Length::Cut => (Open::Endless, Some(Event::Endless(excerpt(line)))),
                Some(reply) => (Open::Reply(reply, line.len()), None),
            },
        }
    }
}

fn text(raw: &[u8]) -> String {
    String::from_utf8_lossy(raw).trim_end_matches(['\n', '\r']).to_owned()
}

/// The end of a child's error output; it is read to its end, so that the child never has to wait.
pub(super) struct LastWords {
    lines: Arc<Mutex<VecDeque<String>>>,
    reader: JoinHandle<()>,
}

impl LastWords {
    pub(super) fn collect(stderr: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let ring = Arc::clone(&lines);
        let reader = thread::spawn(move || {
            let (mut stderr, mut raw) = (BufReader::new(stderr), Vec::new());
            while let Some(length) = read_line(&mut stderr, &mut raw, MAX_WORDS) {
                let mut ring = ring.lock().unwrap_or_else(PoisonError::into_inner);
                if ring.len() == N_LAST_WORDS {
                    ring.pop_front();
                }
                ring.push_back(text(&raw));
                drop(ring);
                if length == Length::Cut {
                    skip_line(&mut stderr);
                }
            }
        });
        LastWords { lines, reader }
    }

    /// The last lines so far.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Waits until the child has said its last, but not longer than `limit`.
    pub(super) fn wait(&self, limit: Duration) {
        let deadline = Instant::now() + limit;
        while !self.reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}
