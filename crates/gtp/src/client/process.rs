//! The life and death of an engine's process.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A child at the head of a process group of its own, so that what it starts can be ended with it.
pub(super) struct Process {
    child: Child,
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
        let mut command = Command::new(program);
        command.args(args).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process { child, status: None };
        match streams {
            (Some(stdin), Some(stdout), Some(stderr)) => Ok((process, Streams { stdin, stdout, stderr })),
            _ => Err(io::Error::other("the child has no pipes")),
        }
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the child has ended. It is left unreaped, for as long as it is, its group's number is its own.
    pub(super) fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = Pid::from_child(&self.child);
        self.status.is_some() || !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
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
            // The only failure is that nobody is left to be killed.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            self.status = self.child.wait().ok();
        }
        self.status
    }
}
