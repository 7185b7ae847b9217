//! An engine as the lines it writes, byte for byte but for the line breaks: for those who judge how it speaks. A
//! [`super::Client`] is for those who only want its answers.

use std::io;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::pipes::{self, LastWords};
use super::process::Process;
use super::{GRACE, LOOK};

/// What came, or did not come, from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its line feed; a carriage return before it is kept.
    Line(String),
    /// The beginning of a line that is longer than anybody wants to read.
    Endless(String),
    /// Nothing within the limit.
    Silence,
    /// The engine has closed its output or has ended, and everything it wrote has been heard.
    End,
}

/// A running engine that is spoken to in raw text. Dropping it kills the engine and whatever it has started.
pub struct Wire {
    process: Process,
    /// `None` once the engine's input is closed.
    input: Option<Sender<String>>,
    lines: Receiver<(String, bool)>,
    last_words: LastWords,
}

impl Wire {
    /// Starts a program.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(program: &str, args: &[String]) -> io::Result<Wire> {
        let (process, streams) = Process::start(program, args)?;
        Ok(Wire {
            process,
            input: Some(pipes::write(streams.stdin)),
            lines: pipes::read_lines(streams.stdout),
            last_words: LastWords::collect(streams.stderr),
        })
    }

    /// Sends a text as it is, line breaks and all. Nothing is waited for; that nobody listens shows in what is heard.
    pub fn write(&self, text: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(text.to_owned());
        }
    }

    /// Closes the engine's input once everything is written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line, waited for no longer than `limit`. A dead engine has ended even while its output is held open by a
    /// child of its own.
    pub fn line(&mut self, limit: Duration) -> Heard {
        let deadline = Instant::now().checked_add(limit);
        loop {
            let dead = self.process.has_exited();
            let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok((line, true)) => return Heard::Line(line),
                Ok((line, false)) => return Heard::Endless(line),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) if dead => return Heard::End,
                Err(RecvTimeoutError::Timeout) if left > LOOK || deadline.is_none() => {}
                Err(RecvTimeoutError::Timeout) => return Heard::Silence,
            }
        }
    }

    /// Waits for the engine to end by itself, and for its last words; `None` if it has not within `limit`.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let status = self.process.wait(limit);
        if status.is_some() {
            self.last_words.wait(GRACE);
        }
        status
    }

    /// The last lines of the engine's error output so far.
    pub fn stderr(&self) -> Vec<String> {
        self.last_words.lines()
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.input = None;
        self.process.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Wire {
        Wire::start("sh", &["-c".to_owned(), script.to_owned()]).unwrap()
    }

    #[test]
    fn lines_come_as_they_are_written() {
        let mut wire = shell("printf '= 2\\r\\n\\n'; read x; echo \"$x!\" >&2; exit 3");
        let second = Duration::from_secs(10);
        assert_eq!(wire.line(second), Heard::Line("= 2\r".to_owned()));
        assert_eq!(wire.line(second), Heard::Line(String::new()));
        assert_eq!(wire.line(Duration::from_millis(30)), Heard::Silence);
        wire.write("hello\n");
        assert_eq!(wire.line(second), Heard::End);
        assert_eq!(wire.wait(second).and_then(|status| status.code()), Some(3));
        assert_eq!(wire.stderr(), ["hello!"]);
    }

    #[test]
    fn timed_nobody_outlives_the_wire_and_nothing_grows_without_end() {
        let start = Instant::now();
        let mut wire = shell("trap '' TERM; sleep 600 & yes");
        assert_eq!(wire.line(Duration::from_secs(10)), Heard::Line("y".to_owned()));
        wire.close_input();
        assert_eq!(wire.wait(Duration::from_millis(50)), None);
        drop(wire);
        let mut endless = shell("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo after");
        assert!(
            matches!(endless.line(Duration::from_secs(10)), Heard::Endless(text) if text.starts_with("xxx"))
        );
        assert_eq!(endless.line(Duration::from_secs(10)), Heard::Line("after".to_owned()));
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
