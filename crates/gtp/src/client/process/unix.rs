//! Process groups, and a watcher over each.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

/// Hears nothing: when its input ends, whoever started it is gone, however that came, and its group with it.
const WATCH: &str = r#"trap "" HUP INT QUIT PIPE TERM; read -r rest; kill -s KILL 0"#;

/// A shell at the head of an engine's group that ends it when this program is gone: killed outright, it can no longer do so
/// itself. The pipe between them closes with the program whatever ends it, on every Unix. The engine is started into the
/// group, so that there is no moment without the watcher.
pub(super) struct Watcher {
    shell: Child,
    /// Held open for as long as the engine is ours.
    _pipe: ChildStdin,
}

impl Watcher {
    /// Starts one. Without a shell engines are started all the same.
    pub(super) fn start() -> Option<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", WATCH]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut shell = command.spawn().ok()?;
        let pipe = shell.stdin.take()?;
        Some(Self { shell, _pipe: pipe })
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

/// Puts the child into the watcher's group, or at the head of a group of its own.
pub(super) fn set_apart(command: &mut Command, watcher: Option<&Watcher>) {
    let group = watcher.and_then(|watcher| i32::try_from(watcher.shell.id()).ok());
    command.process_group(group.unwrap_or(0));
}

/// Whether the child has ended. It is left unreaped: for as long as it is, its number is its own.
pub(super) fn has_exited(child: &mut Child) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
}

/// Kills the whole group, the watcher included. As long as its head is not reaped its number is its own.
pub(super) fn kill(child: &mut Child, watcher: Option<&Watcher>) {
    let head = watcher.map_or(&*child, |watcher| &watcher.shell);
    // The only failure is that nobody is left to be killed.
    let _ = kill_process_group(Pid::from_child(head), Signal::KILL);
}
