//! The threads at a child's three pipes.

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
    /// A line outside every reply.
    Garbage(String),
}

/// How many unread events are kept; an engine that goes on talking has to wait.
const BACKLOG: usize = 1024;

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

fn each_reply(mut stdout: impl BufRead, events: &SyncSender<Event>) {
    let mut open: Option<Reply> = None;
    while let Some(line) = next_line(&mut stdout) {
        let blank = line.trim().is_empty();
        let event = match (open.take(), blank) {
            (Some(reply), true) => Event::Reply(reply),
            (Some(mut reply), false) => {
                reply.push_line(&line);
                open = Some(reply);
                continue;
            }
            // Some engines are generous with empty lines.
            (None, true) => continue,
            (None, false) => match Reply::parse_head(&line) {
                None => Event::Garbage(line),
                head => {
                    open = head;
                    continue;
                }
            },
        };
        if events.send(event).is_err() {
            break;
        }
    }
}

fn next_line(pipe: &mut impl BufRead) -> Option<String> {
    let mut raw = Vec::new();
    pipe.read_until(b'\n', &mut raw).ok().filter(|&n_bytes| n_bytes > 0)?;
    Some(String::from_utf8_lossy(&raw).trim_end_matches(['\n', '\r']).to_owned())
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
            let mut stderr = BufReader::new(stderr);
            while let Some(line) = next_line(&mut stderr) {
                let mut ring = ring.lock().unwrap_or_else(PoisonError::into_inner);
                if ring.len() == N_LAST_WORDS {
                    ring.pop_front();
                }
                ring.push_back(line);
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
