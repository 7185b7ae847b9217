//! Ctrl-C, and the end of a command that it stops.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The time that the end in order has before a further Ctrl-C ends the program as it is.
const END_IN_ORDER: Duration = Duration::from_secs(5);

/// Calls `handler` at every Ctrl-C.
pub(crate) fn on_ctrl_c(handler: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")
}

/// A flag that Ctrl-C sets. The command ends in order by itself, at once.
pub(crate) fn flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_stop = Arc::clone(&stop);
    on_ctrl_c(move || on_stop.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

/// Ctrl-C sets the flag of a command that plays games: games in progress are abandoned, and outside engines are told to leave.
/// Nobody is waited for, so that a hasty second Ctrl-C is not needed; it would leave engines behind.
pub(crate) fn stop_games(stop: Arc<AtomicBool>) -> Result<()> {
    let mut first: Option<Instant> = None;
    on_ctrl_c(move || match first {
        Some(first) if first.elapsed() > END_IN_ORDER => std::process::exit(130),
        Some(_) => {}
        None => {
            first = Some(Instant::now());
            stop.store(true, Ordering::Relaxed);
            eprintln!("\ntengen: stopping; games in progress are abandoned");
        }
    })
}

/// Says how far a command came before Ctrl-C, as in `after 3 of 10 games`, and whether the same command goes on from there.
pub(crate) fn stopped(how_far: &str, goes_on: bool) -> ExitCode {
    eprintln!("tengen: stopped {how_far}{}", if goes_on { "; the same command goes on" } else { "" });
    ExitCode::from(130)
}
