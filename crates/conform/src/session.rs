//! Talking to the engine that is checked: what is sent and what comes is kept for the report, every wait has a limit, and
//! an engine that has spoiled its process gets a new one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gtp::client::wire::{Heard, Wire};

use super::words::excerpt;
use super::{CheckOutcome, CheckResult, CheckTask, Halt, fail};
use crate::{Error, Result};

/// What was said between us and the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// By us, with its line breaks shown where they are unusual.
    Sent(String),
    /// By the engine: one line.
    Came(String),
    /// What happened beside it: a start, a death.
    Note(String),
}

/// A reply as it came.
#[derive(Clone, Debug)]
pub struct RawReply {
    /// `=` or `?`; anything else is no reply.
    pub status: char,
    /// The digits behind it.
    pub id: String,
    /// The text, trimmed, with its line breaks.
    pub text: String,
    /// The first line as it came.
    pub head: String,
    /// Whether a space follows the status and the id, even before nothing.
    pub has_space: bool,
}

impl RawReply {
    /// Whether it is `=`.
    pub fn is_ok(&self) -> bool {
        self.status == '='
    }

    /// As it is quoted.
    pub fn show(&self) -> String {
        let text = self.text.replace('\n', " / ");
        excerpt(&format!("{}{} {text}", self.status, self.id))
    }
}

/// How often a wait looks whether the run is to end.
const LOOK: Duration = Duration::from_millis(100);

/// How long an engine may take to show that it is in step again.
const IN_STEP: Duration = Duration::from_millis(500);

/// More lines than any reply has.
const MAX_LINES: usize = 20_000;

/// What is kept of the talk of one check, in lines.
const MAX_TALK: usize = 60;

/// The engine under test.
pub struct CheckSession<'a> {
    task: &'a CheckTask,
    stop: Arc<AtomicBool>,
    wire: Option<Wire>,
    /// Whether the process has not answered yet.
    is_new: bool,
    talk: Vec<Said>,
    commands: Option<Vec<String>>,
    identity: [Option<String>; 2],
    stderr: Vec<String>,
}

impl<'a> CheckSession<'a> {
    /// Starts the engine.
    pub(super) fn start(task: &'a CheckTask, stop: Arc<AtomicBool>) -> Result<Self> {
        let mut session = Self {
            task,
            stop,
            wire: None,
            is_new: true,
            talk: Vec::new(),
            commands: None,
            identity: [None, None],
            stderr: Vec::new(),
        };
        session.wire = Some(session.spawn()?);
        Ok(session)
    }

    fn spawn(&self) -> Result<Wire> {
        let (program, args) =
            self.task.command.split_first().ok_or_else(|| Error("no engine is named".to_string()))?;
        Wire::start(program, args).map_err(|why| Error(format!("cannot start {program:?}: {why}")))
    }

    /// Makes one check. Says also whether the engine is broken, so that it had to be ended.
    pub(super) fn attempt(&mut self, check: impl FnOnce(&mut Self) -> CheckResult) -> (CheckOutcome, bool) {
        let verdict = check(self).and_then(|()| self.is_quiet());
        match verdict {
            Ok(()) => (CheckOutcome::Pass, false),
            Err(Halt::Skip(why)) => (CheckOutcome::Skipped(why), false),
            Err(Halt::Fail { expected, got }) => {
                // What else is on its way would be taken for the answer to the next question.
                if !self.is_in_step() {
                    self.end();
                }
                (CheckOutcome::Fail { expected, got }, false)
            }
            Err(Halt::Broken { expected, got }) => {
                self.end();
                (CheckOutcome::Fail { expected, got }, true)
            }
            Err(Halt::Stopped) => {
                self.end();
                (CheckOutcome::NotTried, false)
            }
        }
    }

    /// Nothing may come that nobody asked for.
    fn is_quiet(&mut self) -> CheckResult {
        let Some(wire) = &mut self.wire else { return Ok(()) };
        match wire.line(Duration::ZERO) {
            Heard::Line(line) | Heard::Endless(line) => {
                self.note(Said::Came(excerpt(&line)));
                self.wire = None;
                fail("nothing between the replies", format!("the line {:?}", excerpt(&line)))
            }
            Heard::Silence | Heard::End => Ok(()),
        }
    }

    /// Whether the next reply will be the one to the next question: a numbered question shows it.
    fn is_in_step(&mut self) -> bool {
        let Some(wire) = &mut self.wire else { return true };
        wire.write("987654 name\n");
        let deadline = Instant::now() + IN_STEP;
        let mut is_mine = false;
        while Instant::now() < deadline {
            match wire.line(deadline.saturating_duration_since(Instant::now())) {
                Heard::Line(line) if is_mine && line.trim_end().is_empty() => return true,
                Heard::Line(line) => is_mine |= line.starts_with("=987654"),
                _ => return false,
            }
        }
        false
    }

    /// Ends the process, whatever it does.
    pub fn end(&mut self) {
        if let Some(wire) = self.wire.take() {
            self.stderr.extend(wire.stderr());
        }
    }

    /// The process, a new one if there is none.
    fn wire(&mut self) -> std::result::Result<&mut Wire, Halt> {
        if self.wire.is_none() {
            let broken = |error: Error| Halt::Broken {
                expected: "a program that starts".to_owned(),
                got: error.to_string(),
            };
            let wire = self.spawn().map_err(broken)?;
            self.note(Said::Note("the engine is started anew".to_owned()));
            (self.wire, self.is_new) = (Some(wire), true);
        }
        self.wire.as_mut().ok_or(Halt::Stopped)
    }

    fn note(&mut self, said: Said) {
        if self.talk.len() < MAX_TALK {
            self.talk.push(said);
        }
    }

    /// What was said since the last call.
    pub(super) fn take_talk(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.talk)
    }

    /// Name and version as far as they are known.
    pub(super) fn identity(&self) -> [Option<String>; 2] {
        self.identity.clone()
    }

    /// Asks for name and version, where nobody has yet.
    pub(super) fn meet(&mut self) -> CheckResult {
        for (idx, command) in ["name", "version"].into_iter().enumerate() {
            if self.identity[idx].is_none() {
                let text = self.accept(command)?;
                self.introduce(idx, &text);
            }
        }
        Ok(())
    }

    /// Remembers what the engine says of itself.
    pub(super) fn introduce(&mut self, idx: usize, text: &str) {
        self.identity[idx] = Some(excerpt(text));
    }

    /// What the engine has written to its error output so far, its last lines at least.
    pub fn stderr(&self) -> Vec<String> {
        let now = self.wire.as_ref().map(Wire::stderr).unwrap_or_default();
        self.stderr.iter().cloned().chain(now).collect()
    }

    /// The side of the board.
    pub fn size(&self) -> usize {
        self.task.size
    }

    /// How long an answer may take.
    pub fn patience(&self) -> Duration {
        self.task.answer
    }

    /// Sends a text as it is.
    pub fn send_raw(&mut self, text: &str) -> CheckResult {
        self.wire()?.write(text);
        let plain = text.strip_suffix('\n').filter(|text| !text.contains(['\n', '\r', '\t']));
        let shown = plain.map_or_else(|| format!("{text:?}"), str::to_owned);
        self.note(Said::Sent(excerpt(&shown)));
        Ok(())
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> CheckResult {
        self.send_raw(&format!("{line}\n"))
    }

    /// Closes the engine's input.
    pub fn close(&mut self) -> CheckResult {
        self.wire()?.close_input();
        self.note(Said::Note("the input is closed".to_owned()));
        Ok(())
    }

    /// The next line within `limit`; `expected` says what for, should none come.
    pub fn line(&mut self, limit: Duration, expected: &str) -> std::result::Result<String, Halt> {
        let limit = if self.is_new { limit.max(self.task.start) } else { limit };
        let deadline = Instant::now() + limit;
        let broken = |got: String| Halt::Broken { expected: expected.to_owned(), got };
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.wire()?.line(left.min(LOOK)) {
                Heard::Line(line) => {
                    self.is_new = false;
                    self.note(Said::Came(excerpt(&line)));
                    return Ok(line);
                }
                Heard::Endless(line) => {
                    self.note(Said::Came(excerpt(&line)));
                    return Err(broken("a line without end".to_owned()));
                }
                Heard::End => return Err(broken(self.post_mortem())),
                Heard::Silence if left > LOOK => {}
                Heard::Silence => {
                    self.note(Said::Note(format!("silence for {:.1} s", limit.as_secs_f64())));
                    return Err(broken(format!("nothing within {:.1} s", limit.as_secs_f64())));
                }
            }
        }
    }

    fn post_mortem(&mut self) -> String {
        let Some(wire) = &mut self.wire else { return "the engine is gone".to_owned() };
        let status = wire.wait(Duration::from_millis(500));
        let how = status.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string());
        let words = wire.stderr();
        let last =
            words.last().map(|line| format!("; its last words: {}", excerpt(line))).unwrap_or_default();
        let text = format!("the engine died ({how}){last}");
        self.note(Said::Note(text.clone()));
        text
    }

    /// The next reply within `limit` for each of its lines.
    pub fn reply(&mut self, limit: Duration) -> std::result::Result<RawReply, Halt> {
        let head = self.line(limit, "a reply")?;
        let line = head.trim_end_matches('\r');
        let status = line.chars().next().unwrap_or(' ');
        let Some(rest) = line.strip_prefix(['=', '?']) else {
            return Err(Halt::Broken {
                expected: "a reply that begins with = or ?".to_owned(),
                got: format!("the line {:?}", excerpt(&head)),
            });
        };
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (id, rest) = rest.split_at(n_digits);
        let mut text = rest.trim().to_owned();
        for _ in 0..MAX_LINES {
            let line = self.line(limit, "an empty line at the end of the reply")?;
            if line.trim_end_matches('\r').is_empty() {
                let (id, has_space) = (id.to_owned(), rest.starts_with(' '));
                return Ok(RawReply {
                    status,
                    id,
                    text: text.trim_end().to_owned(),
                    head: head.clone(),
                    has_space,
                });
            }
            text.push('\n');
            text.push_str(line.trim_end());
        }
        Err(Halt::Broken {
            expected: "an empty line at the end of the reply".to_owned(),
            got: format!("{MAX_LINES} lines without one"),
        })
    }

    /// Sends a command and waits for its reply.
    pub fn ask(&mut self, command: &str) -> std::result::Result<RawReply, Halt> {
        self.send(command)?;
        self.reply(self.task.answer)
    }

    /// A command that must succeed; its text.
    pub fn accept(&mut self, command: &str) -> std::result::Result<String, Halt> {
        let reply = self.ask(command)?;
        if reply.is_ok() {
            return Ok(reply.text);
        }
        fail(format!("= to {command:?}"), reply.show())
    }

    /// A command that must be refused; its text.
    pub fn refuse(&mut self, command: &str) -> std::result::Result<String, Halt> {
        let reply = self.ask(command)?;
        if reply.status == '?' {
            return Ok(reply.text);
        }
        fail(format!("? to {command:?}"), reply.show())
    }

    /// An empty board of the usual size, no clock.
    pub fn clear(&mut self) -> CheckResult {
        self.accept(&format!("boardsize {}", self.task.size))?;
        self.accept("clear_board").map(|_| ())
    }

    /// An empty board of 5×5, on which counting is quick; of the usual size for an engine that refuses it.
    pub fn clear_small(&mut self) -> CheckResult {
        if !self.ask("boardsize 5")?.is_ok() {
            return self.clear();
        }
        self.accept("clear_board").map(|_| ())
    }

    /// All commands that the engine lists.
    pub fn commands(&mut self) -> std::result::Result<&[String], Halt> {
        if self.commands.is_none() {
            let reply = self.ask("list_commands")?;
            if !reply.is_ok() {
                return fail("a list of commands", reply.show());
            }
            self.commands = Some(reply.text.lines().map(|line| line.trim().to_owned()).collect());
        }
        Ok(self.commands.as_deref().unwrap_or_default())
    }

    /// Whether the engine lists a command.
    pub fn lists(&mut self, command: &str) -> std::result::Result<bool, Halt> {
        Ok(self.commands()?.iter().any(|known| known == command))
    }

    /// Ends the check, without blame, unless the engine lists all of these; that they are listed is a check of its own.
    pub fn needs(&mut self, commands: &[&str]) -> CheckResult {
        for command in commands {
            if !self.lists(command)? {
                return Err(Halt::Skip(format!("{command} is not listed")));
            }
        }
        Ok(())
    }

    /// Whether the process ends by itself within `limit`.
    pub fn ends_within(&mut self, limit: Duration) -> bool {
        let has_ended = self.wire.as_mut().is_none_or(|wire| wire.wait(limit).is_some());
        if let Some(wire) = self.wire.take() {
            self.stderr.extend(wire.stderr());
        }
        has_ended
    }
}
