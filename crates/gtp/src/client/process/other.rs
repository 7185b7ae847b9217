//! Systems without process groups.

use std::process::{Child, Command};

/// Nobody watches here.
pub(super) enum Watcher {}

impl Watcher {
    pub(super) fn start() -> Option<Self> {
        None
    }
}

/// The child stays where it is.
pub(super) fn set_apart(_command: &mut Command, _watcher: Option<&Watcher>) {}

/// Whether the child has ended.
pub(super) fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills the child.
pub(super) fn kill(child: &mut Child, _watcher: Option<&Watcher>) {
    // The only failure is that it has ended already.
    let _ = child.kill();
}
