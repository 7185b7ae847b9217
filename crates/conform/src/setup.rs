//! Handicap, and the end of the game.

use super::CheckLevel::{Must, Want};
use super::ClientProgram::{GoGui, Gomill, Kgs, Lizzie, Ogs, Q5Go, Sabaki};
use super::words::is_point;
use super::{Check, CheckResult, CheckSession, require};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        Must,
        "place_free_handicap 2: two points, no pass",
        &[Ogs, Kgs, GoGui],
        "the game is resigned",
        place,
    ),
    Check::new(
        Must,
        "fixed_handicap 2 gives its two points",
        &[Gomill, Lizzie, Q5Go],
        "the stones are not shown",
        fixed,
    ),
    Check::new(
        Want,
        "fixed_handicap on a board with stones is refused",
        &[Gomill],
        "the two boards would differ",
        fixed_late,
    ),
    Check::new(
        Must,
        "set_free_handicap c3 g7",
        &[Sabaki, GoGui, Ogs, Kgs],
        "handicap games do not start",
        set,
    ),
    Check::new(
        Must,
        "set_free_handicap on a board with stones is refused",
        &[Sabaki, GoGui],
        "the two boards would differ",
        set_late,
    ),
    Check::new(
        Must,
        "final_score is B+n, W+n or 0",
        &[GoGui, Gomill, Q5Go],
        "the result is not understood",
        score,
    ),
    Check::new(
        Must,
        "final_status_list dead answers, possibly with nothing",
        &[Kgs, GoGui],
        "the game is not counted",
        dead,
    ),
    Check::new(
        Want,
        "final_status_list alive names a group with two eyes",
        &[GoGui, Q5Go],
        "the game is not counted",
        alive,
    ),
];

fn place(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["place_free_handicap"])?;
    session.clear()?;
    let text = session.accept("place_free_handicap 2")?;
    two_points(&text)
}

fn two_points(text: &str) -> CheckResult {
    let points: Vec<&str> = text.split_whitespace().collect();
    require(
        points.len() == 2 && points.iter().all(|point| is_point(point)),
        "two points",
        format!("= {text}"),
    )
}

fn fixed(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["fixed_handicap"])?;
    session.clear()?;
    let text = session.accept("fixed_handicap 2")?;
    two_points(&text)
}

fn fixed_late(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["fixed_handicap"])?;
    session.clear()?;
    session.accept("play b e5")?;
    session.refuse("fixed_handicap 2").map(|_| ())
}

fn set(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["set_free_handicap"])?;
    session.clear()?;
    session.accept("set_free_handicap c3 g7")?;
    session.refuse("play w g7").map(|_| ())
}

fn set_late(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["set_free_handicap"])?;
    session.clear()?;
    session.accept("play b e5")?;
    session.refuse("set_free_handicap c3 g7").map(|_| ())
}

/// One black stone, and both have passed.
fn finished(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear_small()?;
    session.accept("komi 0.5")?;
    ["play b c3", "play w pass", "play b pass"].iter().try_for_each(|play| session.accept(play).map(|_| ()))
}

fn score(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["final_score"])?;
    finished(session)?;
    let text = session.accept("final_score")?;
    let number = |rest: &str| rest.parse::<f64>().is_ok_and(|points| points.is_finite() && points >= 0.0);
    let is_score = text == "0"
        || text.strip_prefix(['B', 'W']).and_then(|rest| rest.strip_prefix('+')).is_some_and(number);
    require(is_score, "B+n, W+n or 0", format!("= {text}"))
}

fn dead(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["final_status_list"])?;
    finished(session)?;
    session.accept("final_status_list dead").map(|_| ())
}

/// A black group in the lower left corner with an eye of two points and one of one.
const GROUP: [&str; 7] = ["a2", "b2", "c2", "d2", "e2", "c1", "e1"];

fn alive(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["final_status_list"])?;
    session.clear_small()?;
    GROUP.iter().try_for_each(|point| session.accept(&format!("play b {point}")).map(|_| ()))?;
    ["play w pass", "play b pass"].iter().try_for_each(|play| session.accept(play).map(|_| ()))?;
    let text = session.accept("final_status_list alive")?;
    let named = |point: &&str| text.split_whitespace().any(|word| word.eq_ignore_ascii_case(point));
    require(GROUP.iter().all(named), GROUP.join(" "), format!("= {text}"))
}
