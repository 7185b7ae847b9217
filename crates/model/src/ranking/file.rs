//! The file of a model: lines of text that say what it is, an empty line, and the numbers, lowest byte first.
//!
//! ```text
//! tengen ranking 1
//! trainer latent --factors 5
//! size 9x9
//! features place:25 last:18 shape:2051
//! circles 101234
//! factors 5
//! data 380000 positions of 19000 games, seed 1
//! score log loss 1.7900 nats, first choice played 47.2 %, in 1000 games that were kept apart
//! checksum 0123456789abcdef
//! ```
//!
//! Behind it the rows (a weight, then the factors, 32 bits each) of the features of the groups, of the levels of unknown
//! circles, and of each circle behind its key, keys rising. The checksum is FNV-1a over the other lines and the numbers.

use std::fmt::Write;

use goban::Size;
use goban::circles::N_CIRCLES;

use super::rows::{MAX_FACTORS, ROW};
use super::{Language, RankingModel, Rows};
use crate::features::set::{BadFeatures, FeatureSet};
use crate::tactics::PatternTable;

/// The first line.
const TITLE: &str = "tengen ranking 1";
/// The line about the checksum begins so.
const CHECKSUM: &str = "checksum ";
/// More circles than any table has; a file that states more is damaged.
const MAX_CIRCLES: usize = 1 << 24;

/// Where a model comes from, one line each, without line breaks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelNotes {
    /// The trainer, with its settings.
    pub trainer: String,
    /// What it was trained on.
    pub data: String,
    /// How well it predicts games that were kept apart.
    pub score: String,
}

/// Why a file is no model that this program can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadModel {
    /// It is something else.
    #[error("not a ranking model: expected the first line `{TITLE}`")]
    Title,
    /// A line is missing or says something else.
    #[error("the line `{found}` of the model's head: expected `{expected}`")]
    Line {
        /// The line that was found.
        found: String,
        /// What stands there in a model.
        expected: String,
    },
    /// The features are not those of this program.
    #[error("a model for other features: {0}")]
    Features(#[from] BadFeatures),
    /// The numbers are too few or too many.
    #[error(
        "the file has {found} bytes of numbers, expected {expected}: it was cut short or belongs to another head"
    )]
    Length {
        /// Bytes found.
        found: usize,
        /// Bytes that the head asks for.
        expected: usize,
    },
    /// The bytes are not those that were written.
    #[error("the checksum is {found:016x}, expected {expected:016x}: the file is damaged")]
    Checksum {
        /// Of the bytes.
        found: u64,
        /// As stated.
        expected: u64,
    },
    /// A weight that is no number, or keys that do not rise.
    #[error("the numbers make no sense: {0}")]
    Numbers(&'static str),
}

/// FNV-1a, continued from `hash`.
pub fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The start of [`fnv`].
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

impl RankingModel {
    /// The model as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let keys = self.language.circles.keys();
        let mut head = format!("{TITLE}\n");
        let ModelNotes { trainer, data, score } = &self.notes;
        // Writing to a string cannot fail.
        let _ = writeln!(head, "trainer {trainer}");
        let _ = writeln!(head, "size {}x{}", self.size.width(), self.size.height());
        let _ = writeln!(head, "features {}", self.language.groups.describe());
        let _ = writeln!(head, "circles {}", keys.len());
        let _ = writeln!(head, "factors {}", self.rows.n_factors());
        let _ = writeln!(head, "data {data}\nscore {score}");
        let mut numbers = Vec::new();
        let put = |numbers: &mut Vec<u8>, feature: usize| {
            let row = self.rows.row(feature).iter();
            numbers.extend(row.flat_map(|number| number.to_le_bytes()));
        };
        let first_slot = self.language.first_slot();
        (0..first_slot).for_each(|feature| put(&mut numbers, feature));
        for (key, slot) in keys {
            numbers.extend(key.to_le_bytes());
            put(&mut numbers, first_slot + slot);
        }
        let sum = fnv(fnv(FNV_START, head.as_bytes()), &numbers);
        let _ = write!(head, "{CHECKSUM}{sum:016x}\n\n");
        [head.into_bytes(), numbers].concat()
    }

    /// Reads what [`RankingModel::to_bytes`] wrote.
    ///
    /// # Errors
    /// Says why the bytes are no model that this program can use.
    pub fn from_bytes(bytes: &[u8]) -> Result<RankingModel, BadModel> {
        let mut head = Head { rest: bytes };
        if head.line() != Some(TITLE) {
            return Err(BadModel::Title);
        }
        let trainer = head.word("trainer ", "trainer NAME")?.to_string();
        let size = head.parsed("size ", "size 9x9", parse_size)?;
        let features = head.word("features ", "features NAME:LEVELS …")?;
        let groups = FeatureSet::from_description(features)?;
        let n_circles = head.parsed("circles ", "circles N", |n| upto(n, MAX_CIRCLES))?;
        let n_factors = head.parsed("factors ", "factors N", |n| upto(n, MAX_FACTORS))?;
        let data = head.word("data ", "data GAMES")?.to_string();
        let score = head.word("score ", "score TEXT")?.to_string();
        let summed = &bytes[..bytes.len() - head.rest.len()];
        let expected =
            head.parsed(CHECKSUM, "checksum of 16 hexadecimal digits", |n| u64::from_str_radix(n, 16).ok())?;
        if head.line() != Some("") {
            return Err(BadModel::Line { found: String::new(), expected: "an empty line".to_string() });
        }
        let numbers = head.rest;
        let n_plain = groups.n_features() + N_CIRCLES;
        let n_bytes = 4 * (n_plain * (1 + n_factors) + n_circles * (2 + n_factors));
        if numbers.len() != n_bytes {
            return Err(BadModel::Length { found: numbers.len(), expected: n_bytes });
        }
        let found = fnv(fnv(FNV_START, summed), numbers);
        if found != expected {
            return Err(BadModel::Checksum { found, expected });
        }
        let (language, rows) = read_numbers(numbers, groups, n_factors)?;
        Ok(RankingModel { notes: ModelNotes { trainer, data, score }, size, language, rows })
    }
}

/// The rows of all features. The number of bytes fits.
fn read_numbers(numbers: &[u8], groups: FeatureSet, n_factors: usize) -> Result<(Language, Rows), BadModel> {
    let n_plain = groups.n_features() + N_CIRCLES;
    let (plain, known) = numbers.split_at(4 * n_plain * (1 + n_factors));
    let word = |bytes: &[u8]| <[u8; 4]>::try_from(bytes).unwrap_or_default();
    let circle = 4 * (2 + n_factors);
    let keys: Vec<u32> =
        known.chunks_exact(circle).map(|bytes| u32::from_le_bytes(word(&bytes[..4]))).collect();
    if keys.first() == Some(&0) || !keys.is_sorted_by(|a, b| a < b) {
        return Err(BadModel::Numbers("the keys of circles do not rise from 1"));
    }
    let language = Language { groups, circles: PatternTable::new(&keys) };
    let mut rows = vec![[0.0; ROW]; language.n_features()];
    let mut is_finite = true;
    let mut read = |feature: usize, bytes: &[u8]| {
        for (number, bytes) in rows[feature].iter_mut().zip(bytes.chunks_exact(4)) {
            *number = f32::from_le_bytes(word(bytes));
            is_finite &= number.is_finite();
        }
    };
    plain.chunks_exact(4 * (1 + n_factors)).enumerate().for_each(|(feature, bytes)| read(feature, bytes));
    for (&key, bytes) in keys.iter().zip(known.chunks_exact(circle)) {
        if let Some(slot) = language.circles.slot(key) {
            read(language.first_slot() + slot, &bytes[4..]);
        }
    }
    if !is_finite {
        return Err(BadModel::Numbers("a weight is infinite or no number"));
    }
    let rows = match n_factors {
        0 => Rows::Weights(rows.iter().map(|row| row[0]).collect()),
        _ => Rows::Factors { n_factors, rows },
    };
    Ok((language, rows))
}

/// The lines that were not yet read.
struct Head<'a> {
    rest: &'a [u8],
}

impl<'a> Head<'a> {
    fn line(&mut self) -> Option<&'a str> {
        let end = self.rest.iter().position(|&byte| byte == b'\n')?;
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        str::from_utf8(line).ok()
    }

    /// The rest of a line that begins as it should.
    fn word(&mut self, name: &str, expected: &str) -> Result<&'a str, BadModel> {
        let line = self.line().unwrap_or_default();
        line.strip_prefix(name).ok_or_else(|| refused(line, expected))
    }

    fn parsed<T>(
        &mut self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, BadModel> {
        let word = self.word(name, expected)?;
        parse(word).ok_or_else(|| refused(&format!("{name}{word}"), expected))
    }
}

fn refused(found: &str, expected: &str) -> BadModel {
    // A damaged head may be one endless line.
    BadModel::Line { found: found.chars().take(80).collect(), expected: expected.to_string() }
}

fn upto(text: &str, most: usize) -> Option<usize> {
    text.parse().ok().filter(|&n| n <= most)
}

fn parse_size(text: &str) -> Option<Size> {
    let (width, height) = text.split_once('x')?;
    Size::new(width.parse().ok()?, height.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(n_factors: usize) -> RankingModel {
        let groups = FeatureSet::parse("last,ko").unwrap();
        let language = Language { groups, circles: PatternTable::new(&[5, 77, 1 << 31]) };
        let mut rows = vec![[0.0; ROW]; language.n_features()];
        let used = (0..language.first_slot())
            .chain(language.circles.keys().into_iter().map(|(_, slot)| language.first_slot() + slot));
        for feature in used {
            rows[feature][..=n_factors]
                .iter_mut()
                .zip(0..)
                .for_each(|(x, n)| *x = feature as f32 - 0.1 * n as f32);
        }
        let rows = match n_factors {
            0 => Rows::Weights(rows.iter().map(|row| row[0]).collect()),
            _ => Rows::Factors { n_factors, rows },
        };
        let [trainer, data, score] = ["mm", "3 games", "none"].map(str::to_string);
        let notes = ModelNotes { trainer, data, score };
        RankingModel { notes, size: Size::square(9).unwrap(), language, rows }
    }

    #[test]
    fn models_come_back_as_they_were_written() {
        for n_factors in [0, 5] {
            let model = model(n_factors);
            let read = RankingModel::from_bytes(&model.to_bytes()).unwrap();
            assert_eq!((&read.rows, &read.notes, read.size), (&model.rows, &model.notes, model.size));
            assert_eq!(read.language.groups, model.language.groups);
            assert_eq!(read.to_bytes(), model.to_bytes());
        }
    }

    #[test]
    fn damaged_and_foreign_files_are_refused_with_a_reason() {
        let good = model(2).to_bytes();
        let check = |bytes: &[u8], expected: &str| {
            let error = RankingModel::from_bytes(bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check(b"", "expected the first line");
        check(b"take one save none 3\n", "not a ranking model");
        check(&good[..good.len() - 4], "cut short");
        let mut damaged = good.clone();
        *damaged.last_mut().unwrap() ^= 1;
        check(&damaged, "the file is damaged");
        let text = |from: &str, to: &str| {
            let end = good.windows(2).position(|pair| pair == b"\n\n").unwrap();
            let head = str::from_utf8(&good[..end]).unwrap().replace(from, to);
            [head.as_bytes(), &good[end..]].concat()
        };
        check(&text("ko:3", "ko:4"), "the feature `ko` has 4 levels there, and 3 in this program");
        check(&text("ko:3", "kowloon:3"), "for other features: there is no feature `kowloon`");
        check(&text("factors 2", "factors 9"), "`factors 9` of the model's head: expected `factors N`");
        check(&text("size 9x9", "size 9"), "expected `size 9x9`");
        check(&text("data 3", "data 4"), "damaged");
        let mut nan = model(0);
        nan.rows = Rows::Weights(vec![f32::NAN; nan.rows.len()]);
        check(&nan.to_bytes(), "infinite or no number");
    }
}
