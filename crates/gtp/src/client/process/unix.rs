//! Process groups, and a watcher over each.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

/// Hears which group to watch, then hears nothing more: when its input ends, whoever started it is gone, however that came.
const WATCH: &str = r#"read -r group && ! read -r rest && kill -s KILL -- "-$group""#;

/// A shell that ends an engine's group when this program is gone: killed outright, it can no longer do so itself. The pipe
/// between them closes with the program whatever ends it, on every Unix.
pub(super) struct Watcher {
    shell: Child,
    /// Held open for as long as the engine is ours.
    pipe: ChildStdin,
}

impl Watcher {
    /// Starts one. Without a shell engines are started all the same.
    pub(super) fn start() -> Option<Self> {
        let mut command = Command::new("sh");
        // In a group of its own: what is sent to ours, from the terminal for example, must not hit it.
        command.args(["-c", WATCH]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut shell = command.spawn().ok()?;
        let pipe = shell.stdin.take()?;
        Some(Self { shell, pipe })
    }

    /// Says which engine is meant.
    pub(super) fn watch(mut self, engine: &Child) -> Option<Self> {
        writeln!(self.pipe, "{}", engine.id()).ok().map(|()| self)
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Killed and not merely let go: it must not take the end of the pipe for ours.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

/// Puts the child at the head of a group of its own.
pub(super) fn set_apart(command: &mut Command) {
    command.process_group(0);
}

/// Whether the child has ended. It is left unreaped: for as long as it is, its group's number is its own.
pub(super) fn has_exited(child: &mut Child) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
}

/// Kills the whole group.
pub(super) fn kill(child: &mut Child) {
    // The only failure is that nobody is left to be killed.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}
