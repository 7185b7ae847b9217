//! What single clients want beyond the common commands.

use std::time::{Duration, Instant};

use super::CheckLevel::{May, Want};
use super::ClientProgram::{GoGui, Gomill, Kgs, Lizzie, LizzieYzy, Ogs, Q5Go};
use super::words::is_move;
use super::{Check, CheckResult, CheckSession, require};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        Want,
        "kgs-rules leaves the board alone",
        &[Kgs],
        "the game is set back to its start",
        kgs_rules,
    ),
    Check::new(Want, "kgs-game_over keeps the board", &[Kgs], "a game that is resumed is lost", game_over),
    Check::new(
        Want,
        "kata-set-rules knows the usual rules",
        &[Q5Go, LizzieYzy],
        "the engine plays by other rules",
        kata_rules,
    ),
    Check::new(
        Want,
        "kata-get-rules answers with an object of JSON",
        &[LizzieYzy],
        "the rules are not shown",
        get_rules,
    ),
    Check::new(Want, "gogui-play_sequence plays its moves", &[GoGui], "the two boards differ", sequence),
    Check::new(Want, "gg-undo 2 takes back two moves", &[GoGui], "the two boards differ", undo),
    Check::new(Want, "gogui-setup sets its stones", &[GoGui], "the two boards differ", setup),
    Check::new(
        Want,
        "gogui-analyze_commands gives type/label/command",
        &[GoGui],
        "the menu is empty",
        analyze,
    ),
    Check::new(
        Want,
        "# interrupt ends a thought where gogui-interrupt is listed",
        &[GoGui],
        "the engine cannot be stopped",
        interrupt,
    ),
    Check::new(Want, "gomill-cpu_time gives seconds", &[Gomill], "reports have no times", cpu_time),
    Check::new(
        Want,
        "cputime gives seconds",
        &[GoGui],
        "gogui-twogtp cannot say who used how much time",
        gogui_time,
    ),
    Check::new(
        Want,
        "loadsgf of a missing file is refused",
        &[GoGui],
        "a test goes on with the wrong position",
        missing,
    ),
    Check::new(
        May,
        "a hundred games in one process",
        &[],
        "boards that are cleared a hundred times",
        many_games,
    ),
    Check::new(
        Want,
        "the error output is harmless",
        &[Lizzie, Ogs],
        "Lizzie takes such lines for replies",
        stderr,
    ),
];

fn kgs_rules(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kgs-rules"])?;
    session.clear()?;
    session.accept("play b e5")?;
    for rules in ["chinese", "japanese", "aga", "new_zealand"] {
        session.accept(&format!("kgs-rules {rules}"))?;
    }
    session.refuse("play w e5")?;
    session.accept("kgs-rules chinese").map(|_| ())
}

fn game_over(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kgs-game_over"])?;
    session.clear()?;
    session.accept("play b e5")?;
    session.accept("kgs-game_over")?;
    session.refuse("play w e5").map(|_| ())
}

fn kata_rules(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kata-set-rules"])?;
    for rules in ["japanese", "chinese", "korean", "aga", "new-zealand", "tromp-taylor"] {
        session.accept(&format!("kata-set-rules {rules}"))?;
    }
    session.accept("kata-set-rules chinese").map(|_| ())
}

fn get_rules(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["kata-get-rules"])?;
    let text = session.accept("kata-get-rules")?;
    let is_object = serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|value| value.is_object());
    require(is_object, "an object of JSON", format!("= {text}"))
}

fn sequence(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["gogui-play_sequence"])?;
    session.clear()?;
    session.accept("gogui-play_sequence b C3 w D4 b PASS w E5")?;
    ["play b C3", "play b D4", "play b E5"].iter().try_for_each(|play| session.refuse(play).map(|_| ()))
}

fn undo(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["gg-undo"])?;
    session.clear()?;
    for play in ["play b c3", "play w d4", "play b e5", "gg-undo 2", "play b d4", "play w e5"] {
        session.accept(play)?;
    }
    session.refuse("play b c3").map(|_| ())
}

fn setup(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["gogui-setup"])?;
    session.clear()?;
    session.accept("gogui-setup b C3 w D4")?;
    session.refuse("play b D4")?;
    session.refuse("play w C3").map(|_| ())
}

fn analyze(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["gogui-analyze_commands"])?;
    let text = session.accept("gogui-analyze_commands")?;
    let odd = text.lines().find(|line| line.split('/').count() < 3);
    require(odd.is_none(), "lines of type/label/command", format!("the line {:?}", odd.unwrap_or_default()))
}

fn interrupt(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["gogui-interrupt", "time_settings"])?;
    session.clear()?;
    // Half an hour for one move: whoever answers in a moment was interrupted, or thinks as long as it likes.
    session.accept("time_settings 0 1800 1")?;
    session.send("genmove b")?;
    session.send_raw("# interrupt\n")?;
    let start = Instant::now();
    let reply = session.reply(session.patience())?;
    require(reply.is_ok() && is_move(&reply.text, true), "a move", reply.show())?;
    let limit = Duration::from_secs(5).min(session.patience());
    session.accept("time_settings 0 1 0")?;
    require(
        start.elapsed() < limit,
        "a move soon after the interrupt",
        format!("{:.1} s", start.elapsed().as_secs_f64()),
    )
}

fn cpu_time(session: &mut CheckSession<'_>) -> CheckResult {
    seconds(session, "gomill-cpu_time")
}

fn gogui_time(session: &mut CheckSession<'_>) -> CheckResult {
    seconds(session, "cputime")
}

fn seconds(session: &mut CheckSession<'_>, command: &str) -> CheckResult {
    session.needs(&[command])?;
    let text = session.accept(command)?;
    require(
        text.parse::<f64>().is_ok_and(|seconds| seconds >= 0.0),
        "a number of seconds",
        format!("= {text}"),
    )
}

fn missing(session: &mut CheckSession<'_>) -> CheckResult {
    session.needs(&["loadsgf"])?;
    session.refuse("loadsgf no/such/file.sgf")?;
    session.clear()
}

fn many_games(session: &mut CheckSession<'_>) -> CheckResult {
    (0..100).try_for_each(|_| {
        session.clear()?;
        session.accept("play b e5").map(|_| ())
    })
}

fn stderr(session: &mut CheckSession<'_>) -> CheckResult {
    let is_bad = |line: &&String| {
        ["=", "?", "info", "play"].iter().any(|start| line.starts_with(start)) || line.contains(" -> ")
    };
    let lines = session.stderr();
    let bad = lines.iter().find(is_bad);
    require(
        bad.is_none(),
        "no line that begins with =, ?, info or play or holds an arrow",
        format!("the line {:?}", bad.map_or("", String::as_str)),
    )
}
