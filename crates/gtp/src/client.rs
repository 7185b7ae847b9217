//! The controller's side: an outside engine as a child process that is asked and answers.
//!
//! Nothing the child does can block the controller: its input is written, and its output and its error output
//! are read, by threads of their own (`pipes`); every wait has a limit; and when the client is
//! dropped the child and whatever it has started are gone (`process`). [`wire`] is the same child for those who want to see
//! every line as it comes.

mod pipes;
mod process;
pub mod wire;

use crate::bounded::excerpt;
use crate::{GtpError, line};
use pipes::{Event, LastWords};
use process::Process;
use std::collections::VecDeque;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long an engine may take to leave after `quit` before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// How often a silent engine is looked after: its output may stay open after its death, held by a child of its own.
const LOOK: Duration = Duration::from_millis(50);

/// Why an engine gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The command line is empty or its quotes are not closed.
    #[error("cannot read the command line {command_line:?}: {reason}")]
    CommandLine {
        /// What was given.
        command_line: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The program could not be started.
    #[error("cannot start {command_line:?}: {why}")]
    Start {
        /// What was to be started.
        command_line: String,
        /// Why it was not; part of the text, and so no `source` that would be told again.
        why: std::io::Error,
    },
    /// A blank line or a comment, which no engine would answer.
    #[error("{0:?} is not a command")]
    NotACommand(String),
    /// The engine refused: the text of its `?` reply.
    #[error("the engine refused: {0}")]
    Failure(String),
    /// No complete reply within the time allowed. A late reply is recognised and skipped.
    #[error("the engine did not answer within {0:?}")]
    Timeout(Duration),
    /// The process has ended, or has closed its output.
    #[error("the engine died ({}){}", describe(.status), last_words(.stderr))]
    Died {
        /// How it ended; `None` when it only closed its output.
        status: Option<ExitStatus>,
        /// The last lines of its error output.
        stderr: Vec<String>,
    },
    /// The wait was ended by [`Client::stop`]. A late reply is recognised and skipped.
    #[error("the wait for the engine was ended")]
    Stopped,
    /// Something that is not the reply that was due, or is too long to be one: the offending line, or its beginning.
    #[error("the engine does not keep to the protocol: {0:?}")]
    Garbage(String),
}

fn describe(status: &Option<ExitStatus>) -> String {
    status.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string())
}

fn last_words(stderr: &[String]) -> String {
    if stderr.is_empty() { String::new() } else { format!("; its last words: {}", stderr.join(" | ")) }
}

/// Why the engine says nothing.
enum Silence {
    Late,
    Dead,
    Stopped,
}

/// A running engine. Dropping it says `quit`, waits a moment, and kills what is left.
pub struct Client {
    /// Whether commands carry an id, as they do from the start, so that a lost or doubled reply is noticed.
    pub numbered: bool,
    /// Set by anybody to have every wait end at once.
    pub stop: Arc<AtomicBool>,
    command_line: String,
    process: Process,
    /// `None` once the engine has been told to leave.
    input: Option<Sender<String>>,
    events: Receiver<Event>,
    last_words: LastWords,
    last_id: u32,
    /// The ids of the commands whose replies have not been read, oldest first.
    pending: VecDeque<Option<u32>>,
    /// How many of the oldest pending replies nobody waits for any more.
    n_stale: usize,
}

impl Client {
    /// Starts an engine from a command line as a shell would read it (quotes and backslashes, no variables).
    pub fn start(command_line: &str) -> Result<Client, ClientError> {
        let bad = |reason: String| ClientError::CommandLine { command_line: command_line.to_owned(), reason };
        let words = shell_words::split(command_line).map_err(|error| bad(error.to_string()))?;
        let (program, args) = words.split_first().ok_or_else(|| bad("no program is named".to_owned()))?;
        let (process, streams) = Process::start(program, args)
            .map_err(|why| ClientError::Start { command_line: command_line.to_owned(), why })?;
        Ok(Client {
            numbered: true,
            stop: Arc::default(),
            command_line: command_line.to_owned(),
            process,
            input: Some(pipes::write(streams.stdin)),
            events: pipes::read(streams.stdout),
            last_words: LastWords::collect(streams.stderr),
            last_id: 0,
            pending: VecDeque::new(),
            n_stale: 0,
        })
    }

    /// The command line the engine was started with.
    pub fn command_line(&self) -> &str {
        &self.command_line
    }

    /// The process id of the engine.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// The last lines of the engine's error output.
    pub fn stderr(&self) -> Vec<String> {
        self.last_words.lines()
    }

    /// Sends a command and waits for its reply.
    pub fn ask(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        self.send(command)?;
        self.receive(timeout)
    }

    /// Sends a command without waiting; its reply comes from [`Client::receive`] in its turn.
    pub fn send(&mut self, command: &str) -> Result<(), ClientError> {
        let command = line::clean(command.replace(['\n', '\r'], " ").as_bytes());
        if line::parse(&command).is_none() {
            return Err(ClientError::NotACommand(command));
        }
        let id = self.numbered.then(|| {
            self.last_id += 1;
            self.last_id
        });
        self.write(id.map_or_else(|| format!("{command}\n"), |id| format!("{id} {command}\n")));
        self.pending.push_back(id);
        Ok(())
    }

    /// Asks the engine to end the running command early, in GoGui's way.
    pub fn interrupt(&mut self) {
        self.write("# interrupt\n".to_owned());
    }

    /// The reply to the oldest command not yet answered.
    pub fn receive(&mut self, timeout: Duration) -> Result<String, ClientError> {
        // A limit beyond the clock's range is no limit.
        let deadline = Instant::now().checked_add(timeout);
        loop {
            let reply = match self.next_event(deadline) {
                Ok(Event::Reply(reply)) => reply,
                Ok(Event::Endless(text)) => {
                    self.pending.pop_front();
                    if self.n_stale == 0 {
                        return Err(ClientError::Garbage(text));
                    }
                    self.n_stale -= 1;
                    continue;
                }
                Ok(Event::Garbage(line)) => {
                    self.give_up();
                    return Err(ClientError::Garbage(line));
                }
                Err(Silence::Late) => {
                    self.give_up();
                    return Err(ClientError::Timeout(timeout));
                }
                Err(Silence::Stopped) => {
                    self.give_up();
                    return Err(ClientError::Stopped);
                }
                Err(Silence::Dead) => return Err(self.post_mortem()),
            };
            if self.pending.pop_front() != Some(reply.id) {
                return Err(ClientError::Garbage(excerpt(&crate::reply::frame(reply.id, &reply.response))));
            }
            if self.n_stale == 0 {
                return reply.response.map_err(|GtpError(text)| ClientError::Failure(text));
            }
            self.n_stale -= 1;
        }
    }

    /// The next thing the engine says. A dead engine is dead even while its output is held open.
    fn next_event(&mut self, deadline: Option<Instant>) -> Result<Event, Silence> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Silence::Stopped);
            }
            let dead = self.process.has_exited();
            let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.events.recv_timeout(left.min(LOOK)) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Dead),
                Err(RecvTimeoutError::Timeout) if dead => return Err(Silence::Dead),
                Err(RecvTimeoutError::Timeout) if left > LOOK || deadline.is_none() => {}
                Err(RecvTimeoutError::Timeout) => return Err(Silence::Late),
            }
        }
    }

    /// Nobody will wait for the oldest reply any more; should it come, it is skipped.
    fn give_up(&mut self) {
        self.n_stale = self.pending.len().min(self.n_stale + 1);
    }

    fn write(&self, text: String) {
        if let Some(input) = &self.input {
            // A writer that is gone means an engine that is gone; the next reply will say so, and why.
            let _ = input.send(text);
        }
    }

    /// Ends the engine, as dropping it does, and returns the last lines of its error output: all that it wrote, and not
    /// only what has been read by now.
    pub fn end(mut self) -> Vec<String> {
        self.leave();
        self.last_words.wait(GRACE);
        self.last_words.lines()
    }

    /// Tells the engine to leave, waits a moment, and kills what is left.
    fn leave(&mut self) {
        self.write("quit\n".to_owned());
        // Ends the writer, which closes the engine's input.
        self.input = None;
        self.process.wait(GRACE);
        self.process.kill();
    }

    fn post_mortem(&mut self) -> ClientError {
        let status = self.process.wait(GRACE);
        self.last_words.wait(GRACE);
        ClientError::Died { status, stderr: self.last_words.lines() }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.leave();
    }
}
