//! The life and death of an engine's process.
//!
//! Where there are process groups (`unix`), what an engine has started ends with it, and a watcher ends it should this program
//! be killed before it can; elsewhere (`other`) only the engine itself is ended, and only by us.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

/// A child, in a process group of its own where there are such.
pub(super) struct Process {
    child: Child,
    /// Ends the engine if we cannot. None where there is no such thing, or it could not be started.
    watcher: Option<system::Watcher>,
    /// Set once the child is reaped; from then on its number may belong to somebody else.
    status: Option<ExitStatus>,
}

/// The child's three pipes.
pub(super) struct Streams {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

impl Process {
    pub(super) fn start(program: &str, args: &[String]) -> io::Result<(Process, Streams)> {
        let watcher = system::Watcher::start();
        let mut command = Command::new(program);
        system::set_apart(command.args(args), watcher.as_ref());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process { child, watcher, status: None };
        match streams {
            (Some(stdin), Some(stdout), Some(stderr)) => Ok((process, Streams { stdin, stdout, stderr })),
            _ => Err(io::Error::other("the child has no pipes")),
        }
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the child has ended.
    pub(super) fn has_exited(&mut self) -> bool {
        self.status.is_some() || system::has_exited(&mut self.child)
    }

    /// Gives the child time to end, then buries it: what is left of its group is killed.
    pub(super) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        while !self.has_exited() {
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.kill()
    }

    /// Kills the whole group and reaps the child.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            system::kill(&mut self.child, self.watcher.as_ref());
            self.status = self.child.wait().ok();
            self.watcher = None;
        }
        self.status
    }
}
