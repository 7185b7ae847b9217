//! The running program itself: its time, its memory of the search, its echo.

use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response, stderr};

use super::Engine;
use crate::cpu_time;

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new("cputime", "", "Seconds of processor time used so far.", |_: &mut Engine, _, _| {
            Ok(format!("{:.3}", cpu_seconds()?))
        }),
        Entry::new("clear_cache", "", "Forgets everything that was thought.", |engine, _, _| {
            engine.seat.player().forget();
            Ok(String::new())
        }),
        // Whatever was running has ended when this line is answered.
        Entry::new("stop", "", "Ends an analysis, or thinking on the opponent's time.", stop),
        Entry::new("stop-ponder", "", "As stop.", stop),
        Entry::new("echo", "TEXT", "Says it back.", |_, args, _| Ok(args.rest().to_string())),
        Entry::new("echo_err", "TEXT", "Says it back, on the error output too.", |_, args, _| {
            let text = args.rest();
            stderr::log(text);
            Ok(text.to_string())
        }),
    ];
    registry.group("session", &commands).map(|_| ())
}

fn stop(engine: &mut Engine, _: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    engine.seat.stop();
    Ok(String::new())
}

/// Processor time of this process, all its threads together, in seconds.
pub(super) fn cpu_seconds() -> Result<f64, GtpError> {
    cpu_time::seconds().ok_or_else(|| cpu_time::UNKNOWN.into())
}
