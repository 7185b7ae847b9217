//! Boards and moves that are played from outside.

use super::CheckLevel::{May, Must, Want};
use super::ClientProgram::{Cgos, Every, GoGui, Gomill, Kgs, Lizzie, Ogs, Q5Go, Sabaki};
use super::{Check, CheckResult, CheckSession, fail, require};

const MOVES: &str = "clients write colours and points in every case";
const KOMI: &str = "clients write komi as they like, and some end at a refusal";

pub(super) const CHECKS: &[Check] = &[
    Check::accepts(Must, "play b e5", &[Cgos, Ogs], MOVES),
    Check::accepts(Must, "play white f5", &[Q5Go], MOVES),
    Check::accepts(Must, "play BLACK G5", &[GoGui], MOVES),
    Check::accepts(Must, "play W pass", &[GoGui, Gomill], MOVES),
    Check::accepts(Must, "play b PASS", &[GoGui, Sabaki], MOVES),
    Check::accepts(Must, "komi 7", &[Sabaki], KOMI),
    Check::accepts(Must, "komi 0", &[Sabaki], KOMI),
    Check::accepts(Must, "komi 0.5", &[Kgs, Ogs], KOMI),
    Check::accepts(Must, "komi -3.5", &[Sabaki, Kgs], KOMI),
    Check::accepts(Must, "komi 7.0", &[Cgos], KOMI),
    Check::accepts(Want, "komi 1e+06", &[Q5Go], "q5Go writes large numbers so"),
    Check::new(
        Must,
        "komi before boardsize and clear_board is no error",
        &[Sabaki, Cgos],
        "Sabaki and CGOS send it first",
        early_komi,
    ),
    Check::new(
        Must,
        "an occupied point: exactly ? illegal move",
        &[Gomill],
        "gomill looks for these words",
        occupied,
    ),
    Check::new(
        Must,
        "suicide of one stone is refused or accepted, cleanly",
        &[Every],
        "the board must not be spoiled",
        suicide,
    ),
    Check::new(Must, "a point off the board is refused", &[Every], "a stone that nobody sees", off_board),
    Check::new(Must, "play without a point is refused", &[Every], "a stone that nobody sees", no_point),
    Check::new(
        Must,
        "moves of one colour in a row",
        &[Sabaki, Q5Go, Kgs],
        "set-ups come as moves of one colour",
        in_a_row,
    ),
    Check::new(
        Must,
        "a refused move leaves the game as it was",
        &[Every],
        "the two boards would differ",
        unchanged,
    ),
    Check::new(
        Must,
        "undo takes back one move",
        &[GoGui, Sabaki, Lizzie],
        "the two boards would differ",
        undo,
    ),
    Check::new(
        Want,
        "undo without a move: ? cannot undo",
        &[GoGui, Sabaki],
        "a client that has lost count learns nothing",
        no_undo,
    ),
    Check::new(
        Must,
        "a capture takes the stone off the board",
        &[Every],
        "the two boards would differ",
        capture,
    ),
    Check::new(
        Must,
        "undo gives captured stones back",
        &[GoGui, Sabaki, Lizzie],
        "the two boards would differ",
        undo_capture,
    ),
    Check::new(
        Must,
        "boardsize with the current size is no error",
        &[GoGui, Ogs, Gomill],
        "sent before every game",
        same_size,
    ),
    Check::new(
        Must,
        "an absurd boardsize: ? unacceptable size",
        &[GoGui, Ogs],
        "the client goes on with a board that is not there",
        absurd_size,
    ),
    Check::accepts(Must, "boardsize 9", &[Every], "a usual size"),
    Check::accepts(Must, "boardsize 13", &[Every], "a usual size"),
    Check::accepts(Must, "boardsize 19", &[Every], "a usual size"),
    Check::accepts(Want, "boardsize 5", &[GoGui, Sabaki, Ogs], "small boards for beginners"),
    Check::accepts(May, "boardsize 2", &[], "the smallest board there is"),
    Check::accepts(May, "boardsize 25", &[], "the largest board that letters allow"),
    Check::new(
        Want,
        "rectangular_boardsize 9 7 is accepted or cleanly refused",
        &[Sabaki, Q5Go],
        "records of odd sizes",
        rectangle,
    ),
    Check::new(
        Want,
        "boardsize 9 7 is accepted or cleanly refused",
        &[Ogs, Lizzie],
        "records of odd sizes",
        two_sides,
    ),
];

fn early_komi(session: &mut CheckSession<'_>) -> CheckResult {
    session.accept("komi 6.5")?;
    session.clear()
}

fn occupied(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.accept("play b e5")?;
    let text = session.refuse("play w e5")?;
    require(text == "illegal move", "? illegal move", format!("? {text}"))
}

fn suicide(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.accept("play w a2")?;
    session.accept("play w b1")?;
    session.ask("play b a1")?;
    session.accept("play b e5").map(|_| ())
}

fn off_board(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.refuse("play b Z99").map(|_| ())
}

fn no_point(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.refuse("play b").map(|_| ())
}

fn in_a_row(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    ["play b c3", "play b d3", "play b e3", "play w c5"]
        .iter()
        .try_for_each(|play| session.accept(play).map(|_| ()))
}

fn unchanged(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.accept("play b e5")?;
    session.refuse("play w e5")?;
    session.refuse("play b e5")?;
    session.accept("play w d4").map(|_| ())
}

fn undo(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["undo"])?;
    session.clear()?;
    ["play b c3", "play w d4", "undo", "play w d4"]
        .iter()
        .try_for_each(|play| session.accept(play).map(|_| ()))?;
    session.refuse("play b c3").map(|_| ())
}

fn no_undo(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["undo"])?;
    session.clear()?;
    session.accept("play b c3")?;
    session.accept("undo")?;
    let text = session.refuse("undo")?;
    require(text.contains("cannot undo"), "? cannot undo", format!("? {text}"))
}

/// White A1 is captured by Black A2 and B1.
const CAPTURE: [&str; 3] = ["play w a1", "play b a2", "play b b1"];

fn capture(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    CAPTURE.iter().try_for_each(|play| session.accept(play).map(|_| ()))?;
    // Only an empty point can be played on.
    session.accept("play b a1").map(|_| ())
}

fn undo_capture(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["undo"])?;
    session.clear()?;
    CAPTURE.iter().try_for_each(|play| session.accept(play).map(|_| ()))?;
    session.accept("undo")?;
    session.refuse("play b a1").map(|_| ())
}

fn same_size(session: &mut CheckSession<'_>) -> CheckResult {
    session.clear()?;
    session.clear()
}

fn absurd_size(session: &mut CheckSession<'_>) -> CheckResult {
    let text = session.refuse("boardsize 1000")?;
    require(text.contains("unacceptable size"), "? unacceptable size", format!("? {text}"))
}

fn rectangle(session: &mut CheckSession<'_>) -> CheckResult {
    accepted_or_refused(session, "rectangular_boardsize 9 7")
}

fn two_sides(session: &mut CheckSession<'_>) -> CheckResult {
    accepted_or_refused(session, "boardsize 9 7")
}

fn accepted_or_refused(session: &mut CheckSession<'_>, command: &str) -> CheckResult {
    let reply = session.ask(command)?;
    match reply.status {
        '=' | '?' => session.clear(),
        _ => fail("= or ?", reply.show()),
    }
}
