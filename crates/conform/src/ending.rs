//! How the engine leaves.

use std::time::{Duration, Instant};

use super::CheckLevel::{Must, Want};
use super::ClientProgram::{Cgos, Every, Gomill, Lizzie, Ogs, Sabaki};
use super::{Check, CheckResult, CheckSession, require};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        Want,
        "a new process answers within a second",
        &[Ogs, Cgos],
        "gtp2ogs starts one for every move",
        quick_start,
    ),
    Check::new(
        Must,
        "quit answers, and the process ends within a second",
        &[Lizzie, Sabaki, Cgos, Gomill],
        "it is killed, or a window asks about it",
        quit,
    ),
    Check::new(
        Must,
        "the process ends when its input is closed",
        &[Every],
        "engines are left behind when a client dies",
        end_of_input,
    ),
    Check::new(
        Want,
        "the process ends when its input is closed while it thinks",
        &[Every],
        "engines are left behind when a client dies",
        end_in_thought,
    ),
];

fn quick_start(session: &mut CheckSession<'_>) -> CheckResult {
    session.end();
    let start = Instant::now();
    session.accept("name")?;
    require(
        start.elapsed() < Duration::from_secs(1),
        "an answer within 1 s",
        format!("{:.1} s", start.elapsed().as_secs_f64()),
    )
}

fn quit(session: &mut CheckSession<'_>) -> CheckResult {
    session.accept("name")?;
    session.accept("quit")?;
    let has_ended = session.ends_within(Duration::from_secs(1));
    require(has_ended, "the end of the process", "it was still there after 1 s")
}

fn end_of_input(session: &mut CheckSession<'_>) -> CheckResult {
    session.accept("name")?;
    session.close()?;
    let has_ended = session.ends_within(Duration::from_secs(2));
    require(has_ended, "the end of the process", "it was still there after 2 s")
}

fn end_in_thought(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    if session.lists("time_settings")? {
        session.accept("time_settings 0 5 1")?;
    }
    session.send("genmove b")?;
    session.close()?;
    let has_ended = session.ends_within(Duration::from_secs(8));
    require(has_ended, "the end of the process", "it was still there after 8 s")
}
