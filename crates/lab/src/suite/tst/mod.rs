//! Regression tests in the manner of GNU Go: GTP commands as they would be sent to an engine; a numbered one followed by
//! `#? [answer]` is a test. A `*` behind the bracket marks a failure that its author knows of, a `&` a test that he
//! wants to be left alone.
//!
//! ```text
//! loadsgf games/some.sgf 20
//! 10 reg_genmove black
//! #? [D4|E5]*
//! ```
//!
//! A player has nothing but moves to give, so the tests of `reg_genmove` and `genmove` are tried and all others are listed
//! by their command as not applicable. What changes the position is carried out (`table`), everything else is passed
//! over and counted.
//!
//! Reading order: this file (which lines make a test), `line` (one line), `table` (the position).

mod line;
mod table;

use std::path::Path;

use goban::Color;

use super::{Defaults, QuestionKind, Remark, RightAnswer, Suite, SuiteCase, SuiteItem};
use crate::error::{Error, Result};
use line::{TstCommand, TstLine};
use table::{Effect, TestTable};

/// Commands that put another kind of player in the engine's place; what follows asks about that one.
const OTHER_PLAYER: &[&str] = &["fuegotest_param"];

/// Reads a file of tests.
pub(super) fn read(path: &Path, defaults: &Defaults) -> Result<Suite> {
    let bytes = std::fs::read(path).map_err(Error::unread(path, "a file of GTP commands with answers"))?;
    read_bytes(path, &bytes, defaults)
}

/// Reads the tests of a file with this content; records are looked for beside the file.
pub(super) fn read_bytes(path: &Path, bytes: &[u8], defaults: &Defaults) -> Result<Suite> {
    let mut reader = TstReader {
        suite: Suite::new(path, QuestionKind::Regression),
        table: TestTable::new(path, *defaults),
        open: None,
        other_player: None,
    };
    for (number, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let done = line::parse(text).and_then(|line| reader.take(number, line));
        done.map_err(|why| {
            let text = line::excerpt(&String::from_utf8_lossy(text));
            Error::input(format!("{}: line {number}: {text:?}: {why}", path.display()))
        })?;
    }
    reader.close();
    Ok(reader.suite)
}

/// A numbered command whose answer has not come yet.
struct OpenCommand {
    id: String,
    line: usize,
    command: String,
    /// The position and the colour that is to move; `None` for what is no question about a move.
    question: Option<TstQuestion>,
}

struct TstQuestion {
    color: Color,
    /// The text says why there is no position.
    position: std::result::Result<goban::Position, String>,
    source: Option<String>,
}

struct TstReader {
    suite: Suite,
    table: TestTable,
    open: Option<OpenCommand>,
    /// The command that put another player in place.
    other_player: Option<String>,
}

impl TstReader {
    /// Takes a line in; the error says what is wrong with it.
    fn take(&mut self, number: usize, line: TstLine<'_>) -> std::result::Result<(), String> {
        match line {
            TstLine::Nothing => Ok(()),
            TstLine::Answer(text) => self.answer(number, text),
            TstLine::Command(command) => {
                self.close();
                self.command(number, &command);
                Ok(())
            }
        }
    }

    /// Ends the wait for an answer: a numbered command without one is no test.
    fn close(&mut self) {
        self.open = None;
    }

    fn command(&mut self, number: usize, command: &TstCommand<'_>) {
        let asked = is_genmove(command.name).then(|| Color::parse(command.args.trim())).flatten();
        if let Some(id) = command.id {
            let source = self.table.source.clone();
            let question = asked.map(|color| TstQuestion { color, position: self.table.position(), source });
            let (id, command) = (id.to_string(), command.name.to_string());
            self.open = Some(OpenCommand { id, line: number, command, question });
        }
        if OTHER_PLAYER.contains(&command.name) {
            self.other_player = Some(format!("after {} {}", command.name, command.args.trim()));
        }
        match self.table.obey(command) {
            Effect::Done => {}
            Effect::Refused(text) => {
                let name = command.id.unwrap_or_default().to_string();
                self.suite.remarks.push(Remark { name, line: number, text });
            }
            Effect::Unknown if command.id.is_none() => {
                *self.suite.ignored.entry(command.name.to_string()).or_default() += 1;
            }
            Effect::Unknown => {}
        }
    }

    fn answer(&mut self, number: usize, text: &str) -> std::result::Result<(), String> {
        let Some(OpenCommand { id, line, command, question }) = self.open.take() else {
            let text = "an answer without a numbered command before it".to_string();
            self.suite.remarks.push(Remark { name: String::new(), line: number, text });
            return Ok(());
        };
        let remark = |text: &str| Remark { name: id.clone(), line, text: text.to_string() };
        let inapplicable = match (&question, &self.other_player) {
            (None, _) if is_genmove(&command) => Some("a move of no colour"),
            (None, _) if command.is_empty() => Some("a number without a command"),
            (None, _) => Some(command.as_str()),
            (Some(_), Some(other)) => Some(other.as_str()),
            (Some(_), None) => None,
        };
        let item = match (inapplicable, question) {
            (None, Some(question)) => match expectation(text)? {
                Expectation::Ignored => SuiteItem::Inapplicable(remark("marked & to be ignored")),
                Expectation::Judged { answer, expects_failure } => match question.position {
                    Err(why) => SuiteItem::Error(remark(&why)),
                    Ok(position) => SuiteItem::Case(Box::new(SuiteCase {
                        name: id,
                        line,
                        position,
                        color: question.color,
                        answer,
                        expects_failure,
                        source: question.source,
                    })),
                },
            },
            (why, _) => SuiteItem::Inapplicable(remark(why.unwrap_or_default())),
        };
        self.suite.items.push(item);
        Ok(())
    }
}

fn is_genmove(command: &str) -> bool {
    matches!(command, "genmove" | "reg_genmove")
}

enum Expectation {
    Judged { answer: RightAnswer, expects_failure: bool },
    Ignored,
}

/// Reads what stands behind `#?`: `[answer]`, and `*` or `&` behind it.
fn expectation(text: &str) -> std::result::Result<Expectation, String> {
    let signs = text.trim_end_matches(['*', '&']);
    let inner = signs.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let answer = inner.ok_or("expected an answer in brackets: #? [D4|E5] or #? [!C3]*")?;
    let behind = &text[signs.len()..];
    if behind.contains('&') {
        return Ok(Expectation::Ignored);
    }
    let answer = RightAnswer::pattern(answer)?;
    Ok(Expectation::Judged { answer, expects_failure: behind.contains('*') })
}

#[cfg(test)]
mod tests;
