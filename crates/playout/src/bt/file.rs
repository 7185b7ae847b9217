//! Learned weights and the file they are kept in, lines of text:
//!
//! ```text
//! tengen playout weights 1
//! trainer mm --prior 1
//! size 9x9
//! data 180000 positions of 9500 games, seed 1
//! score log loss 2.6 nats, first choice played 25 %
//! shape 0.125 -1.5 …
//! line …
//! checksum 0123456789abcdef
//! ```
//!
//! A line for each group of features, in the order of the list, has the logarithms of the factors of all its levels. The checksum is
//! FNV-1a over all lines before it.

use std::fmt::Write;

use goban::Size;

use super::list::{GROUPS, N_FEATURES};
use crate::shapes::file::fnv;

/// The first line.
const TITLE: &str = "tengen playout weights 1";
/// The last line begins so.
const CHECKSUM: &str = "checksum ";
/// Logarithms of factors beyond this are cut: a playout plays every move now and then.
pub const MAX_WEIGHT: f32 = 9.0;

/// Where weights come from, one line each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BtNotes {
    /// The trainer, with its settings.
    pub trainer: String,
    /// What it was trained on.
    pub data: String,
    /// How well it does on what was kept apart.
    pub score: String,
}

/// Learned weights.
#[derive(Clone, Debug, PartialEq)]
pub struct BtModel {
    /// The board they were learned on.
    pub size: Size,
    /// How they were learned.
    pub notes: BtNotes,
    /// ln γ by feature, rounded to thousandths.
    weights: Vec<f32>,
}

/// Weights that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWeights {
    /// It is something else.
    #[error("not a file of playout weights; expected the first line `{TITLE}`")]
    Title,
    /// The checksum is wrong.
    #[error("the file is damaged: its checksum is not that of its lines")]
    Damaged,
    /// A line is not what it should be.
    #[error("`{found}`: expected {expected}")]
    Line {
        /// Its beginning.
        found: String,
        /// Right.
        expected: String,
    },
    /// The weights of other features.
    #[error("the feature `{name}` has {there} levels there, and {here} in this program")]
    Levels {
        /// The group.
        name: &'static str,
        /// Its levels in the file.
        there: usize,
        /// Its levels in the list.
        here: usize,
    },
}

fn refused(found: Option<&str>, expected: impl Into<String>) -> BadWeights {
    // A damaged line may be endless.
    BadWeights::Line { found: found.unwrap_or("").chars().take(60).collect(), expected: expected.into() }
}

impl BtModel {
    /// Weights by feature, rounded as they are in a file.
    ///
    /// # Panics
    /// When there are not as many as features.
    pub fn new(size: Size, notes: BtNotes, weights: &[f32]) -> BtModel {
        assert_eq!(weights.len(), N_FEATURES, "a weight for every feature");
        let round = |weight: &f32| (weight.clamp(-MAX_WEIGHT, MAX_WEIGHT) * 1000.0).round() / 1000.0;
        let one_line = |text: String| text.replace(['\n', '\r'], " ");
        let BtNotes { trainer, data, score } = notes;
        let notes = BtNotes { trainer: one_line(trainer), data: one_line(data), score: one_line(score) };
        BtModel { size, notes, weights: weights.iter().map(round).collect() }
    }

    /// ln γ by feature.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The file.
    pub fn to_text(&self) -> String {
        let BtNotes { trainer, data, score } = &self.notes;
        let mut text =
            format!("{TITLE}\ntrainer {trainer}\nsize {}\ndata {data}\nscore {score}\n", self.size);
        let mut weights = self.weights.iter();
        // Writing to a string cannot fail.
        for group in GROUPS {
            text.push_str(group.name);
            for weight in weights.by_ref().take(group.n_levels) {
                // No −0.
                let _ = write!(text, " {}", weight + 0.0);
            }
            text.push('\n');
        }
        let sum = fnv(text.as_bytes());
        let _ = writeln!(text, "{CHECKSUM}{sum:016x}");
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<BtModel, BadWeights> {
        if text.lines().next() != Some(TITLE) {
            return Err(BadWeights::Title);
        }
        let (body, sum) = text.rsplit_once(CHECKSUM).ok_or(BadWeights::Damaged)?;
        if u64::from_str_radix(sum.trim_end(), 16) != Ok(fnv(body.as_bytes())) {
            return Err(BadWeights::Damaged);
        }
        let mut lines = body.lines().skip(1);
        let mut word = |name: &str| {
            let line = lines.next();
            let rest = line.and_then(|line| line.strip_prefix(name)).and_then(|line| line.strip_prefix(' '));
            rest.ok_or_else(|| refused(line, format!("a line `{name} …`")))
        };
        let trainer = word("trainer")?.to_string();
        let size = word("size")?;
        let size = parse_size(size).ok_or_else(|| refused(Some(size), "a size of boards such as 9x9"))?;
        let [data, score] = [word("data")?, word("score")?].map(str::to_string);
        let mut weights = Vec::with_capacity(N_FEATURES);
        for group in GROUPS {
            let line = word(group.name)?;
            let before = weights.len();
            for number in line.split_whitespace() {
                let weight = number.parse().ok().filter(|weight: &f32| weight.abs() <= MAX_WEIGHT);
                weights.push(weight.ok_or_else(|| {
                    refused(Some(number), format!("a number from -{MAX_WEIGHT} to {MAX_WEIGHT}"))
                })?);
            }
            let (there, here) = (weights.len() - before, group.n_levels);
            if there != here {
                return Err(BadWeights::Levels { name: group.name, there, here });
            }
        }
        match lines.next() {
            None => Ok(BtModel { size, notes: BtNotes { trainer, data, score }, weights }),
            line => Err(refused(line, "no further line")),
        }
    }
}

fn parse_size(text: &str) -> Option<Size> {
    let (width, height) = text.split_once('x')?;
    Size::new(width.parse().ok()?, height.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> BtModel {
        let weights: Vec<f32> = (0..N_FEATURES).map(|feature| 0.0137 * (feature as f32 - 500.0)).collect();
        let [trainer, data, score] = ["by hand", "no\ngames", "none"].map(str::to_string);
        BtModel::new(Size::new(9, 7).unwrap(), BtNotes { trainer, data, score }, &weights)
    }

    #[test]
    fn weights_come_back_as_they_were_written() {
        let model = model();
        assert_eq!(BtModel::parse(&model.to_text()).unwrap(), model);
        assert_eq!((model.weights()[0], model.weights()[501]), (-6.85, 0.014));
        assert!(model.to_text().lines().any(|line| line == "data no games"));
    }

    #[test]
    fn damaged_and_foreign_files_are_refused_with_a_reason() {
        let good = model().to_text();
        let check = |text: &str, expected: &str| {
            let error = BtModel::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check("", "expected the first line");
        check("tengen ranking 1\n", "not a file of playout weights");
        check(&good[..good.len() - 30], "damaged");
        check(&good.replacen("-6.85", "-6.84", 1), "damaged");
        let signed = |from: &str, to: &str| {
            let body = good[..good.rfind(CHECKSUM).unwrap()].replacen(from, to, 1);
            let sum = fnv(body.as_bytes());
            format!("{body}{CHECKSUM}{sum:016x}\n")
        };
        check(&signed("-6.85 ", ""), "the feature `shape` has 1106 levels there, and 1107 in this program");
        check(&signed("-6.85", "-9.5"), "`-9.5`: expected a number from -9 to 9");
        check(&signed("-6.85", "much"), "`much`: expected a number");
        check(&signed("\nline", "\nlines"), "expected a line `line …`");
        check(&signed("size 9x7", "size 9"), "`9`: expected a size of boards");
        check(&signed("score none", ""), "expected a line `score …`");
    }
}
