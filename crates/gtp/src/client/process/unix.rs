//! Process groups.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

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
