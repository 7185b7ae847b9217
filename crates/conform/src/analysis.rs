//! Analysis that runs until the next line comes, in the two dialects that clients speak.
//!
//! `lz` has whole numbers in 1/10000 for what is a share, `kata` decimals from 0 to 1, and scores and ownership beside.

use std::time::{Duration, Instant};

use super::CheckLevel::{Must, Want};
use super::ClientProgram::{Cgos, Every, Lizzie, LizzieYzy, Q5Go, Sabaki};
use super::words::is_move;
use super::{Check, CheckResult, CheckSession, Halt, fail, require};

const STREAM: &str = "nothing is shown, or the session is out of step";
const AT_ONCE: &str = "clicks on the board are answered late";
const FIELDS: &str = "candidate moves are not shown, or the reader dies";

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        Must,
        "lz-analyze 20: the id, info lines, an empty line at the end",
        &[Lizzie, LizzieYzy],
        STREAM,
        |s| stream_of(s, "lz-analyze 20"),
    ),
    Check::new(Must, "lz-analyze b 20 likewise", &[Sabaki], STREAM, |s| stream_of(s, "lz-analyze b 20")),
    Check::new(Must, "lz-analyze black 20 likewise", &[Q5Go], STREAM, |s| {
        stream_of(s, "lz-analyze black 20")
    }),
    Check::new(Must, "lz-analyze ends at once", &[Lizzie, Sabaki, Q5Go], AT_ONCE, |s| {
        at_once(s, "lz-analyze 20")
    }),
    Check::new(Must, "lz-analyze is ended by a play, which is played", &[Lizzie, LizzieYzy], AT_ONCE, |s| {
        by_play(s, "lz-analyze 20")
    }),
    Check::new(
        Must,
        "lz-analyze: move, visits, winrate in 1/10000, pv last",
        &[Lizzie, Q5Go, Sabaki],
        FIELDS,
        |s| fields_of(s, AnalyzeDialect::Lz),
    ),
    Check::new(
        Want,
        "lz-analyze has prior, lcb and order",
        &[Lizzie, Sabaki],
        "these columns are empty",
        |s| more_of(s, AnalyzeDialect::Lz),
    ),
    Check::new(
        Want,
        "lz-analyze avoid b D4,C3 1 leaves these moves out",
        &[Lizzie, LizzieYzy],
        "the menu entries do nothing",
        avoid,
    ),
    Check::new(
        Want,
        "lz-analyze allow b D4 1 keeps to this move",
        &[Lizzie, LizzieYzy],
        "the menu entries do nothing",
        allow,
    ),
    Check::new(
        Must,
        "lz-genmove_analyze b 20 ends in play and a move",
        &[Lizzie, Sabaki],
        "the move is not found",
        |s| genmove(s, "lz-genmove_analyze b 20"),
    ),
    Check::new(
        Must,
        "kata-analyze 20: the id, info lines, an empty line at the end",
        &[LizzieYzy],
        STREAM,
        |s| stream_of(s, "kata-analyze 20"),
    ),
    Check::new(Must, "kata-analyze b 20 likewise", &[Sabaki], STREAM, |s| stream_of(s, "kata-analyze b 20")),
    Check::new(Must, "kata-analyze black 20 likewise", &[Q5Go], STREAM, |s| {
        stream_of(s, "kata-analyze black 20")
    }),
    Check::new(Must, "kata-analyze ends at once", &[LizzieYzy, Sabaki, Q5Go], AT_ONCE, |s| {
        at_once(s, "kata-analyze 20")
    }),
    Check::new(
        Must,
        "kata-analyze: move, visits, winrate from 0 to 1, pv last",
        &[Sabaki, Q5Go, LizzieYzy],
        FIELDS,
        |s| fields_of(s, AnalyzeDialect::Kata),
    ),
    Check::new(
        Want,
        "kata-analyze has prior, lcb, order and the three scores",
        &[Sabaki, Q5Go, Lizzie, LizzieYzy],
        "scores are not shown",
        |s| more_of(s, AnalyzeDialect::Kata),
    ),
    Check::new(
        Want,
        "kata-analyze with ownership true has a number for each point",
        &[Lizzie, LizzieYzy],
        "no territory is shown",
        ownership,
    ),
    Check::new(
        Must,
        "kata-genmove_analyze b 20 ends in play and a move",
        &[Sabaki, Q5Go],
        "the move is not found",
        |s| genmove(s, "kata-genmove_analyze b 20"),
    ),
    Check::new(
        Must,
        "kata-genmove_analyze b ownership true likewise, with a report",
        &[Cgos, Every],
        "the move is not found",
        |s| genmove(s, "kata-genmove_analyze b ownership true"),
    ),
];

/// How numbers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AnalyzeDialect {
    Lz,
    Kata,
}

/// How long the first report may take, and the end of the analysis.
const FIRST: Duration = Duration::from_secs(20);
const STOP: Duration = Duration::from_millis(500);

/// What an analysis wrote.
struct Stream {
    /// The first line with a report.
    info: String,
    /// From the next command to its answer.
    delay: Duration,
}

/// The name of the command in a line.
fn word(command: &str) -> &str {
    command.split_whitespace().next().unwrap_or_default()
}

/// Clears the board, starts an analysis, waits for its first report and ends it by `end`, which must be answered.
fn analyse(session: &mut CheckSession<'_>, command: &str, end: &str) -> Result<Stream, Halt> {
    session.needs(&[word(command)])?;
    session.clear()?;
    session.send(&format!("31 {command}"))?;
    let head = session.line(session.patience(), "=31 at once")?;
    if !head.starts_with("=31") {
        return fail("=31 at once", format!("the line {head:?}"));
    }
    let info = session.line(FIRST, "a line that begins with: info move")?;
    session.send(&format!("32 {end}"))?;
    let start = Instant::now();
    if !info.starts_with("info move ") {
        return fail("a line that begins with: info move", format!("the line {info:?}"));
    }
    while !session.line(FIRST, "an empty line at the end of the analysis")?.trim_end().is_empty() {}
    let reply = session.reply(FIRST)?;
    require(reply.id == "32" && reply.is_ok(), format!("=32, the answer to {end}"), reply.show())?;
    Ok(Stream { info, delay: start.elapsed() })
}

fn stream_of(session: &mut CheckSession<'_>, command: &str) -> CheckResult {
    analyse(session, command, "name").map(|_| ())
}

fn at_once(session: &mut CheckSession<'_>, command: &str) -> CheckResult {
    let Stream { delay, .. } = analyse(session, command, "name")?;
    require(delay < STOP, "the next answer within 0.5 s", format!("{:.2} s", delay.as_secs_f64()))
}

fn by_play(session: &mut CheckSession<'_>, command: &str) -> CheckResult {
    analyse(session, command, "play b e5")?;
    session.refuse("play w e5").map(|_| ())
}

/// The words of each candidate move of a report.
fn candidates(info: &str) -> Vec<Vec<&str>> {
    let text = info.split(" ownership ").next().unwrap_or_default();
    let parts = text.strip_prefix("info ").unwrap_or(text).split(" info ");
    parts.map(|part| part.split_whitespace().collect()).collect()
}

/// The value behind a key, before the line of play.
fn value<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    let end = words.iter().position(|word| *word == "pv").unwrap_or(words.len());
    words[..end].chunks(2).find(|pair| pair[0] == key).and_then(|pair| pair.get(1)).copied()
}

fn fields_of(session: &mut CheckSession<'_>, dialect: AnalyzeDialect) -> CheckResult {
    let Stream { info, .. } = analyse(session, dialect.command(), "name")?;
    for words in candidates(&info) {
        let shown = || words.join(" ");
        let vertex = value(&words, "move").unwrap_or_default();
        require(is_move(vertex, false), "move and a point or pass", shown())?;
        let has_visits = value(&words, "visits").is_some_and(|text| text.parse::<u64>().is_ok());
        require(has_visits, "visits and a whole number", shown())?;
        let is_share = value(&words, "winrate").is_some_and(|text| dialect.is_share(text));
        require(is_share, dialect.share(), shown())?;
        let pv = words.iter().position(|word| *word == "pv").map(|at| &words[at + 1..]);
        let is_line = pv.is_some_and(|line| !line.is_empty() && line.iter().all(|word| is_move(word, false)));
        require(is_line, "pv and a line of moves as the last of each move", shown())?;
    }
    let has_odd = info
        .split_whitespace()
        .any(|word| ["nan", "-nan", "inf", "-inf"].contains(&word.to_ascii_lowercase().as_str()));
    require(!has_odd, "numbers", "nan or inf")
}

impl AnalyzeDialect {
    fn command(self) -> &'static str {
        match self {
            AnalyzeDialect::Lz => "lz-analyze 20",
            AnalyzeDialect::Kata => "kata-analyze 20",
        }
    }

    fn is_share(self, text: &str) -> bool {
        match self {
            AnalyzeDialect::Lz => text.parse::<u32>().is_ok_and(|share| share <= 10_000),
            AnalyzeDialect::Kata => {
                text.contains('.') && text.parse::<f64>().is_ok_and(|share| (0.0..=1.0).contains(&share))
            }
        }
    }

    fn share(self) -> &'static str {
        match self {
            AnalyzeDialect::Lz => "winrate and a whole number from 0 to 10000",
            AnalyzeDialect::Kata => "winrate and a decimal from 0 to 1",
        }
    }
}

fn more_of(session: &mut CheckSession<'_>, dialect: AnalyzeDialect) -> CheckResult {
    let Stream { info, .. } = analyse(session, dialect.command(), "name")?;
    let common = ["prior", "lcb", "order"].as_slice();
    let scores = if dialect == AnalyzeDialect::Kata {
        ["scoreLead", "scoreMean", "scoreStdev"].as_slice()
    } else {
        &[]
    };
    let first = candidates(&info).into_iter().next().unwrap_or_default();
    for key in common.iter().chain(scores) {
        require(value(&first, key).is_some(), format!("{key} and a number"), first.join(" "))?;
    }
    Ok(())
}

fn avoid(session: &mut CheckSession<'_>) -> CheckResult {
    let Stream { info, .. } = analyse(session, "lz-analyze 20 avoid b D4,C3 1", "name")?;
    let all = candidates(&info);
    let barred =
        all.iter().filter_map(|words| value(words, "move")).find(|point| ["D4", "C3"].contains(point));
    require(barred.is_none(), "neither D4 nor C3", format!("{} among the moves", barred.unwrap_or_default()))
}

fn allow(session: &mut CheckSession<'_>) -> CheckResult {
    let Stream { info, .. } = analyse(session, "lz-analyze 20 allow b D4 1", "name")?;
    let all = candidates(&info);
    let moves: Vec<&str> = all.iter().filter_map(|words| value(words, "move")).collect();
    require(moves == ["D4"], "D4 alone", moves.join(" "))
}

fn ownership(session: &mut CheckSession<'_>) -> CheckResult {
    let Stream { info, .. } = analyse(session, "kata-analyze 20 ownership true", "name")?;
    let numbers: Vec<&str> =
        info.split(" ownership ").nth(1).unwrap_or_default().split_whitespace().collect();
    let n_points = session.size() * session.size();
    let is_owner = |text: &&str| text.parse::<f64>().is_ok_and(|owner| (-1.001..=1.001).contains(&owner));
    let n_owners = numbers.iter().take_while(|text| is_owner(text)).count();
    require(
        n_owners == n_points,
        format!("ownership and {n_points} numbers from -1 to 1"),
        format!("{n_owners} numbers"),
    )
}

fn genmove(session: &mut CheckSession<'_>, command: &str) -> CheckResult {
    session.needs(&[word(command)])?;
    session.clear()?;
    let has_clock = session.lists("time_settings")?;
    if has_clock {
        session.accept("time_settings 5 0 0")?;
    }
    let reply = session.ask(&format!("33 {command}"))?;
    require(reply.id == "33" && reply.is_ok(), "=33", reply.show())?;
    let last = reply.text.lines().last().unwrap_or_default();
    let is_play = last.strip_prefix("play ").is_some_and(|text| is_move(text, true));
    require(is_play, "play and a move in the last line", format!("the line {last:?}"))?;
    require(reply.text.contains("info move "), "a line that begins with info move", reply.show())?;
    if has_clock {
        session.accept("time_settings 0 1 0")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_taken_apart() {
        let info = "info move D4 visits 12 winrate 0.53 order 0 pv D4 Q16 info move pass visits 1 winrate 0.1 pv pass ownership 0.1 -1";
        let all = candidates(info);
        assert_eq!(all.len(), 2);
        assert_eq!((value(&all[0], "visits"), value(&all[1], "move")), (Some("12"), Some("pass")));
        assert_eq!((value(&all[0], "D4"), value(&all[0], "lcb")), (None, None));
        assert!(
            AnalyzeDialect::Kata.is_share("0.53")
                && !AnalyzeDialect::Kata.is_share("1")
                && !AnalyzeDialect::Kata.is_share("5300")
        );
        assert!(
            AnalyzeDialect::Lz.is_share("5300")
                && !AnalyzeDialect::Lz.is_share("0.53")
                && !AnalyzeDialect::Lz.is_share("10001")
        );
    }
}
