//! The arguments of a command, taken one after the other, with errors in the protocol's idiom.

use crate::GtpError;
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// The words after a command's name. As an iterator it yields the words; the typed getters below take the next
/// word and say what they expected when it is missing or wrong.
#[derive(Clone, Debug)]
pub struct Args<'a> {
    /// What has not been taken yet, without spaces at either end.
    rest: &'a str,
}

impl<'a> Iterator for Args<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_ascii_start();
        Some(word)
    }
}

impl<'a> Args<'a> {
    /// Arguments separated by spaces.
    pub fn new(text: &'a str) -> Self {
        Args { rest: text.trim_ascii() }
    }

    /// The next word, left in place.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.split(|c: char| c.is_ascii_whitespace()).next().filter(|word| !word.is_empty())
    }

    /// Whether every word has been taken.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes everything left, inner spaces included: a file name, a line of chat.
    pub fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    /// Refuses arguments nobody asked for.
    pub fn finish(&self) -> Result<(), GtpError> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(GtpError(format!("syntax error: unexpected {}", quote(word)))),
        }
    }

    /// The next word, as it stands. `what` names it in the error.
    pub fn word(&mut self, what: &str) -> Result<&'a str, GtpError> {
        self.next().ok_or_else(|| GtpError(format!("syntax error: missing {what}")))
    }

    /// An integer within `range`: `args.int("board size", 2..=25)`.
    pub fn int<T>(&mut self, what: &str, range: impl RangeBounds<T>) -> Result<T, GtpError>
    where
        T: TryFrom<i64> + PartialOrd + Display,
    {
        let word = self.word(what)?;
        let wide: i64 = word.parse().map_err(|_| expected(&format!("an integer {what}"), word))?;
        match T::try_from(wide) {
            Ok(value) if range.contains(&value) => Ok(value),
            _ => Err(out_of_range(what, &range, word)),
        }
    }

    /// A finite number within `range`: `args.float("komi", ..)`.
    pub fn float(&mut self, what: &str, range: impl RangeBounds<f64>) -> Result<f64, GtpError> {
        let word = self.word(what)?;
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() && range.contains(&value) => Ok(value),
            Ok(value) if value.is_finite() => Err(out_of_range(what, &range, word)),
            _ => Err(expected(&format!("a number as {what}"), word)),
        }
    }

    /// A truth value, in any of the usual spellings.
    pub fn flag(&mut self, what: &str) -> Result<bool, GtpError> {
        let spellings = [("true", true), ("false", false), ("1", true), ("0", false)];
        let more = [("on", true), ("off", false), ("yes", true), ("no", false)];
        let word = self.word(what)?;
        lookup(word, &spellings)
            .or_else(|| lookup(word, &more))
            .ok_or_else(|| expected(&format!("true or false as {what}"), word))
    }

    /// One of some fixed words, in any case, translated to its value.
    pub fn choice<T: Copy>(&mut self, what: &str, choices: &[(&str, T)]) -> Result<T, GtpError> {
        let word = self.word(what)?;
        lookup(word, choices).ok_or_else(|| {
            let known: Vec<&str> = choices.iter().map(|choice| choice.0).collect();
            expected(&format!("{what} ({})", known.join(", ")), word)
        })
    }

    /// Anything that reads itself from a word; the type's own reason is added to the error.
    pub fn parse<T>(&mut self, what: &str) -> Result<T, GtpError>
    where
        T: FromStr,
        T::Err: Display,
    {
        let word = self.word(what)?;
        word.parse().map_err(|reason| GtpError(format!("syntax error: bad {what} {}: {reason}", quote(word))))
    }
}

fn lookup<T: Copy>(word: &str, choices: &[(&str, T)]) -> Option<T> {
    choices.iter().find(|choice| choice.0.eq_ignore_ascii_case(word)).map(|choice| choice.1)
}

fn expected(what: &str, got: &str) -> GtpError {
    GtpError(format!("syntax error: expected {what}, got {}", quote(got)))
}

fn out_of_range<T: Display>(what: &str, range: &impl RangeBounds<T>, got: &str) -> GtpError {
    let low = match range.start_bound() {
        Bound::Included(low) => Some(format!("at least {low}")),
        Bound::Excluded(low) => Some(format!("more than {low}")),
        Bound::Unbounded => None,
    };
    let high = match range.end_bound() {
        Bound::Included(high) => Some(format!("at most {high}")),
        Bound::Excluded(high) => Some(format!("less than {high}")),
        Bound::Unbounded => None,
    };
    let limits = match (low, high) {
        (Some(low), Some(high)) => format!("must be {low} and {high}"),
        (Some(limit), None) | (None, Some(limit)) => format!("must be {limit}"),
        (None, None) => "is out of range".to_owned(),
    };
    GtpError(format!("{what} {limits}, got {}", quote(got)))
}

/// A word as error texts show it: quoted, and cut short, for a controller may send megabytes.
fn quote(word: &str) -> String {
    const LONGEST: usize = 60;
    match word.char_indices().nth(LONGEST) {
        None => format!("{word:?}"),
        Some((cut, _)) => format!("{:?}", format!("{}…", &word[..cut])),
    }
}
