//! Drawn positions with a known right move, and whether a player finds it.
//!
//! `boards/README.md` explains the lines of such a file. The komi of a case is chosen so that the right moves win the
//! game under area scoring and all others lose it; a player that only cares about winning has the same answer as
//! one that counts points.

use goban::{Color, Position, Rules, Setup, Vertex};
use thiserror::Error;

use crate::player::{Budget, Decision, Player, PlayerError};

/// A position and its answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is about.
    pub title: String,
    /// The line of its title in the file, from 1.
    pub line: usize,
    /// The position; the player to move is to find the answer.
    pub position: Position,
    /// The right moves; if there are none, every move is right that is not to be avoided.
    pub best: Vec<Vertex>,
    /// The wrong moves.
    pub avoid: Vec<Vertex>,
}

impl Case {
    /// Whether this is an answer.
    pub fn is_right(&self, decision: Decision) -> bool {
        let Decision::Play(vertex) = decision else { return false };
        (self.best.is_empty() || self.best.contains(&vertex)) && !self.avoid.contains(&vertex)
    }

    /// The answer as text: `B D4 D5`, `B not C3`, or both.
    pub fn answer(&self) -> String {
        let mut text = self.position.to_play().letter().to_string();
        let mut add = |word: &str| {
            text.push(' ');
            text.push_str(word);
        };
        self.best.iter().for_each(|&vertex| add(&self.position.size().show(vertex)));
        if !self.avoid.is_empty() {
            add("not");
        }
        self.avoid.iter().for_each(|&vertex| add(&self.position.size().show(vertex)));
        text
    }
}

/// A player's answer to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What it played.
    pub decision: Decision,
    /// Whether that is an answer.
    pub is_right: bool,
}

/// Has a player answer a case, with nothing in its mind from the cases before.
///
/// # Errors
/// When the player is not able to answer.
pub fn solve(case: &Case, player: &mut dyn Player, budget: &Budget) -> Result<Attempt, PlayerError> {
    player.forget();
    let decision = player.choose(&case.position, case.position.to_play(), budget)?;
    Ok(Attempt { decision, is_right: case.is_right(decision) })
}

/// A line that makes no case.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: \"{text}\": {why}")]
pub struct CaseError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
    /// What is wrong with it, and what was expected.
    pub why: String,
}

/// Reads all cases of a file.
///
/// # Errors
/// The first line that makes no case: nonsense, an illegal move, a case without an answer.
pub fn parse(text: &str) -> Result<Vec<Case>, CaseError> {
    let mut lines = text.lines().zip(1..).map(|(text, number)| FileLine { number, text }).peekable();
    let mut cases = Vec::new();
    while let Some(line) = lines.next() {
        if line.is_idle() {
            continue;
        }
        let Some(title) = line.title() else { return Err(line.error("expected a title: `= words`")) };
        let drawing: Vec<&str> =
            std::iter::from_fn(|| lines.next_if(FileLine::is_drawn)).map(|row| row.text).collect();
        let position = Setup::parse(&drawing.join("\n"))
            .and_then(|setup| Position::from_setup(&setup, Color::Black, Rules::default()));
        let position = position.map_err(|error| line.error(&error.to_string()))?;
        let mut case = Case {
            title: title.to_string(),
            line: line.number,
            position,
            best: Vec::new(),
            avoid: Vec::new(),
        };
        while let Some(next) = lines.next_if(|line| line.title().is_none()) {
            if !next.is_idle() {
                obey(&mut case, next.text).map_err(|why| next.error(&why))?;
            }
        }
        if case.best.is_empty() && case.avoid.is_empty() {
            return Err(line.error("no answer; expected a line like `best B D4` or `avoid B D4`"));
        }
        if let Some(both) = case.best.iter().find(|vertex| case.avoid.contains(vertex)) {
            let at = case.position.size().show(*both);
            return Err(line.error(&format!("{at} is both best and to be avoided; expected one of the two")));
        }
        cases.push(case);
    }
    if cases.is_empty() {
        let why = "no position; expected a title, a drawn board and an answer like `best B D4`".to_string();
        return Err(CaseError { line: 1, text: text.lines().next().unwrap_or_default().to_string(), why });
    }
    Ok(cases)
}

/// A line of a file and its number, from 1.
#[derive(Clone, Copy)]
struct FileLine<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> FileLine<'a> {
    /// Nothing but a comment.
    fn is_idle(&self) -> bool {
        self.text.trim().is_empty() || self.text.starts_with('#')
    }

    /// A row of a drawn board.
    fn is_drawn(&self) -> bool {
        !self.is_idle() && self.text.split_whitespace().all(|word| [".", "X", "O"].contains(&word))
    }

    fn title(&self) -> Option<&'a str> {
        self.text.strip_prefix("= ").map(str::trim)
    }

    fn error(&self, why: &str) -> CaseError {
        CaseError { line: self.number, text: self.text.to_string(), why: why.to_string() }
    }
}

/// Carries out one line of a case.
fn obey(case: &mut Case, line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let position = &mut case.position;
    if matches!(words[0], "rules" | "komi" | "turn" | "play")
        && !(case.best.is_empty() && case.avoid.is_empty())
    {
        return Err("the answer is given already; expected this line before it".to_string());
    }
    match words[..] {
        ["rules", name] => position.set_rules(name.parse().map_err(|e: goban::RulesError| e.to_string())?),
        ["komi", komi] => {
            let komi = komi.parse().map_err(|_| format!("{komi} is not a number"))?;
            position.set_komi(komi).map_err(|e| e.to_string())?;
        }
        ["turn", of] => position.set_to_play(color(of)?),
        ["play", by, at] => {
            let vertex = position.size().parse_vertex(at).map_err(|e| e.to_string())?;
            position.play(color(by)?, vertex).map_err(|e| e.to_string())?;
        }
        ["best", by, ref at @ ..] if !at.is_empty() => case.best.extend(answers(position, by, at)?),
        ["avoid", by, ref at @ ..] if !at.is_empty() => case.avoid.extend(answers(position, by, at)?),
        _ => {
            let expected =
                "expected `rules NAME`, `komi K`, `turn W`, `play B D4`, `best B D4` or `avoid B D4`";
            return Err(expected.to_string());
        }
    }
    Ok(())
}

fn color(word: &str) -> Result<Color, String> {
    Color::parse(word).ok_or_else(|| format!("{word} is not a colour; expected B or W"))
}

/// The moves of an answer: legal ones of the player to move.
fn answers(position: &Position, by: &str, at: &[&str]) -> Result<Vec<Vertex>, String> {
    let mover = position.to_play();
    if color(by)? != mover {
        return Err(format!("{mover} is to move; expected an answer of {mover}"));
    }
    let legal = |word: &&str| {
        let vertex = position.size().parse_vertex(word).map_err(|e| e.to_string())?;
        position.legality(mover, vertex).map_err(|e| e.to_string())?;
        Ok(vertex)
    };
    at.iter().map(legal).collect()
}
