//! Moves that the engine makes.

use std::time::{Duration, Instant};

use super::CheckLevel::{Must, Want};
use super::ClientProgram::{Cgos, Every, GoGui, Gomill, Kgs, Ogs, Sabaki};
use super::words::{is_move, is_point};
use super::{Check, CheckResult, CheckSession, Halt, require};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        Must,
        "genmove gives one point, pass or resign",
        &[Every],
        "anything else loses the game",
        one_move,
    ),
    Check::new(Must, "genmove puts its stone on the board", &[Every], "the two boards would differ", stays),
    Check::new(
        Must,
        "genmove for one colour twice in a row",
        &[GoGui, Kgs],
        "a set-up or a pass of the other side",
        twice,
    ),
    Check::new(
        Must,
        "genmove for White on an empty board",
        &[GoGui, Sabaki],
        "whoever plays first",
        white_first,
    ),
    Check::new(
        Must,
        "genmove without a colour is refused",
        &[Every],
        "nobody knows who has moved",
        no_colour,
    ),
    Check::new(
        Must,
        "a few moves alternating are all legal",
        &[Every],
        "an illegal move loses the game",
        sequence,
    ),
    Check::new(
        Must,
        "genmove after two passes answers",
        &[Kgs, GoGui],
        "play is resumed when the players disagree",
        resumed,
    ),
    Check::new(
        Must,
        "genmove with one second in each period keeps it",
        &[Ogs, Kgs],
        "the game is lost on time",
        period,
    ),
    Check::new(
        Must,
        "genmove with nothing left on the clock plays at once",
        &[Cgos, Ogs, GoGui],
        "the game is lost on time",
        no_time,
    ),
    Check::new(
        Want,
        "reg_genmove leaves the board alone",
        &[GoGui],
        "gogui-regress asks again and again",
        regression,
    ),
    Check::new(
        Want,
        "kgs-genmove_cleanup gives a move",
        &[Kgs],
        "a quarrel about dead stones is lost",
        cleanup,
    ),
    Check::new(
        Must,
        "undo after genmove",
        &[GoGui, Sabaki, Gomill],
        "a move of the engine is taken back",
        undone,
    ),
];

/// Enough for a move, little enough for a check.
const CLOCK: &str = "time_settings 5 0 0";

/// A clear board with a clock that makes an engine hurry, where it knows clocks.
fn hurry(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    if session.lists("time_settings")? {
        session.accept(CLOCK)?;
    }
    Ok(())
}

/// A move of the engine.
fn genmove(session: &mut CheckSession<'_>, command: &str) -> Result<String, Halt> {
    let text = session.accept(command)?;
    require(is_move(&text, true), format!("a point, pass or resign to {command}"), format!("= {text}"))?;
    Ok(text)
}

fn one_move(session: &mut CheckSession<'_>) -> CheckResult {
    hurry(session)?;
    genmove(session, "genmove b").map(|_| ())
}

fn stays(session: &mut CheckSession<'_>) -> CheckResult {
    hurry(session)?;
    let point = genmove(session, "genmove b")?;
    if !is_point(&point) {
        return Err(Halt::Skip(format!("the engine played {point}")));
    }
    session.refuse(&format!("play w {point}")).map(|_| ())
}

fn twice(session: &mut CheckSession<'_>) -> CheckResult {
    hurry(session)?;
    genmove(session, "genmove b")?;
    genmove(session, "genmove b").map(|_| ())
}

fn white_first(session: &mut CheckSession<'_>) -> CheckResult {
    hurry(session)?;
    genmove(session, "genmove white").map(|_| ())
}

fn no_colour(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.refuse("genmove").map(|_| ())
}

/// The engine's own list of moves is replayed on a second board of its own, so that captures are judged by the same rules.
fn sequence(session: &mut CheckSession<'_>) -> CheckResult {
    hurry(session)?;
    let mut plays = Vec::new();
    for color in ["b", "w"].iter().cycle().take(8) {
        let text = genmove(session, &format!("genmove {color}"))?;
        if text.eq_ignore_ascii_case("resign") {
            break;
        }
        plays.push(format!("play {color} {text}"));
    }
    session.clear()?;
    plays.iter().try_for_each(|play| session.accept(play).map(|_| ()))
}

fn resumed(session: &mut CheckSession<'_>) -> CheckResult {
    hurry(session)?;
    session.accept("play b pass")?;
    session.accept("play w pass")?;
    genmove(session, "genmove b").map(|_| ())
}

fn period(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["time_settings", "time_left"])?;
    session.clear()?;
    session.accept("time_settings 0 1 1")?;
    session.accept("time_left w 1 1")?;
    within(session, "genmove white", Duration::from_millis(1500))
}

fn no_time(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["time_settings", "time_left"])?;
    session.clear()?;
    session.accept("time_settings 60 0 0")?;
    session.accept("time_left b 0 0")?;
    within(session, "genmove b", Duration::from_millis(1500))
}

fn within(session: &mut CheckSession<'_>, command: &str, limit: Duration) -> CheckResult {
    let start = Instant::now();
    genmove(session, command)?;
    let took = start.elapsed();
    require(
        took < limit,
        format!("a move within {:.1} s", limit.as_secs_f64()),
        format!("{:.1} s", took.as_secs_f64()),
    )
}

fn regression(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["reg_genmove"])?;
    hurry(session)?;
    let point = genmove(session, "reg_genmove b")?;
    if !is_point(&point) {
        return Err(Halt::Skip(format!("the engine played {point}")));
    }
    session.accept(&format!("play b {point}")).map(|_| ())
}

fn cleanup(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kgs-genmove_cleanup"])?;
    hurry(session)?;
    session.accept("play b c3")?;
    genmove(session, "kgs-genmove_cleanup w").map(|_| ())
}

fn undone(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["undo"])?;
    hurry(session)?;
    let point = genmove(session, "genmove b")?;
    if !is_point(&point) {
        return Err(Halt::Skip(format!("the engine played {point}")));
    }
    session.accept("undo")?;
    session.accept(&format!("play w {point}")).map(|_| ())
}
