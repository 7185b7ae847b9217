//! The features of a move, and a factor for each: in text, as a trainer writes them, and at work. Their levels are those of
//! [`crate::features::list`], by numbers of their own.

use goban::Code;
use goban::circles::N_CIRCLES;
use playout::pattern3::class_of;

use crate::features::MoveFeatures;
use crate::features::level::{self, FAR, HIGH};

const N_CODES: usize = 1 << 16;

// Where the features of each kind begin.
const PASS: usize = 0;
const PLACE: usize = PASS + 2;
const LAST: usize = PLACE + HIGH * HIGH;
const BEFORE: usize = LAST + FAR + 1;
const TAKE: usize = BEFORE + FAR + 1;
const ATARI: usize = TAKE + 9;
const SELF_ATARI: usize = ATARI + 3;
const FIGHT: usize = SELF_ATARI + 1;
const UNKNOWN: usize = FIGHT + 1;
const SHAPE: usize = UNKNOWN + N_CIRCLES;

/// The number of features.
pub const N_FEATURES: usize = SHAPE + N_CODES;

/// How many stones: none, one, more.
const SIZES: [&str; 3] = ["none", "one", "many"];

/// Calls `each` with every feature of a move, by number; `is_after_pass` if the move before it was a pass. Shapes are taken
/// as they are, see [`class`].
#[inline(always)]
pub fn each_feature(features: &MoveFeatures, is_after_pass: bool, mut each: impl FnMut(usize)) {
    if features.is_pass {
        return each(PASS + usize::from(is_after_pass));
    }
    each(PLACE + level::place(features));
    each(LAST + level::distance(features.distance[0]));
    each(BEFORE + level::distance(features.distance[1]));
    // Most moves have none of these, and one question is enough.
    let n_stones = features.n_captured | features.n_saved | features.n_atari;
    if n_stones > 0 || features.is_self_atari | features.is_fight {
        let take = level::take(features);
        if take > 0 {
            each(TAKE + take);
        }
        if features.n_atari > 0 {
            each(ATARI + level::size(features.n_atari));
        }
        if features.is_self_atari {
            each(SELF_ATARI);
        }
        if features.is_fight {
            each(FIGHT);
        }
    }
    each(SHAPE + usize::from(features.shape));
}

/// The feature of a move whose circle of this level is the first in its row that is not known.
pub fn unknown(level: u8) -> usize {
    UNKNOWN + usize::from(level)
}

/// The feature that stands for all its turns and reflections.
pub fn class(feature: usize) -> usize {
    match feature.checked_sub(SHAPE) {
        Some(code) => SHAPE + usize::from(class_of(Code(code as u16)).0),
        None => feature,
    }
}

/// A feature as the text writes it.
pub fn name(feature: usize) -> String {
    match feature {
        PASS => "pass first".to_string(),
        f if f < PLACE => "pass again".to_string(),
        f if f < LAST => format!("place {} {}", (f - PLACE) / HIGH + 1, (f - PLACE) % HIGH + 1),
        f if f < BEFORE => format!("last {}", f - LAST),
        f if f < TAKE => format!("before {}", f - BEFORE),
        f if f < ATARI => format!("take {} save {}", SIZES[(f - TAKE) / 3], SIZES[(f - TAKE) % 3]),
        f if f < SELF_ATARI => format!("atari {}", SIZES[f - ATARI]),
        SELF_ATARI => "self-atari".to_string(),
        FIGHT => "fight".to_string(),
        f if f < SHAPE => format!("unknown {}", f - UNKNOWN),
        f => format!("shape {:04x}", f - SHAPE),
    }
}

/// The feature that the words name.
fn number(words: &[&str]) -> Option<usize> {
    let within = |word: &str, low: usize, high: usize| {
        word.parse::<usize>().ok().filter(|number| (low..=high).contains(number))
    };
    let size = |word: &str| SIZES.iter().position(|&known| known == word);
    Some(match *words {
        ["pass", "first"] => PASS,
        ["pass", "again"] => PASS + 1,
        ["place", low, high] => PLACE + (within(low, 1, HIGH)? - 1) * HIGH + within(high, 1, HIGH)? - 1,
        ["last", far] => LAST + within(far, 0, FAR)?,
        ["before", far] => BEFORE + within(far, 0, FAR)?,
        ["take", taken, "save", saved] => TAKE + size(taken)? * 3 + size(saved)?,
        ["atari", stones] => ATARI + size(stones)?,
        ["self-atari"] => SELF_ATARI,
        ["fight"] => FIGHT,
        ["unknown", level] => UNKNOWN + within(level, 0, N_CIRCLES - 1)?,
        ["shape", code] => SHAPE + usize::from(u16::from_str_radix(code, 16).ok()?),
        _ => return None,
    })
}

/// γ by feature; what a text does not name is 1.
#[derive(Debug, Clone)]
pub struct FeatureWeights(Box<[f32; N_FEATURES]>);

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("line {number} `{line}`: expected a feature and its factor, such as `place 3 4 0.94`")]
pub struct BadFactor {
    number: usize,
    line: String,
}

impl FeatureWeights {
    /// Reads one feature and its factor per line; `#` begins a comment. One shape stands for its turns and reflections.
    ///
    /// # Errors
    /// Names the line that cannot be read.
    pub fn parse(text: &str) -> Result<FeatureWeights, BadFactor> {
        let mut gammas = Box::new([1.0; N_FEATURES]);
        for (idx, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            let Some((gamma, feature)) = words.split_last() else { continue };
            let gamma = gamma.parse().ok().filter(|gamma: &f32| gamma.is_finite() && *gamma >= 0.0);
            match (number(feature), gamma) {
                (Some(feature), Some(gamma)) => gammas[class(feature)] = gamma,
                _ => return Err(BadFactor { number: idx + 1, line: line.to_string() }),
            }
        }
        for feature in SHAPE..N_FEATURES {
            gammas[feature] = gammas[class(feature)];
        }
        Ok(FeatureWeights(gammas))
    }

    /// The factor of one feature.
    #[inline]
    pub fn factor(&self, feature: usize) -> f32 {
        self.0[feature]
    }

    /// γ(a), the product over its features but circles; `is_after_pass` if the move before it was a pass.
    #[inline]
    pub fn of(&self, features: &MoveFeatures, is_after_pass: bool) -> f32 {
        let mut gamma = 1.0;
        each_feature(features, is_after_pass, |feature| gamma *= self.0[feature]);
        gamma
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# fitted by hand\n\nplace 3 4 0.5\nlast 2 4\nbefore 0 0.25 # far\n\
                        take one save none 3\nself-atari 0.1\nshape 0001 2\npass again 7";

    #[test]
    fn factors_multiply() {
        let weights = FeatureWeights::parse(TEXT).unwrap();
        let plain = MoveFeatures { lines: [3, 4], distance: [2, 0], ..MoveFeatures::default() };
        // 0.5 · 4 · 0.25
        assert_eq!(weights.of(&plain, false), 0.5);
        assert_eq!(
            weights.of(&MoveFeatures { n_captured: 1, is_self_atari: true, ..plain }, false),
            0.5 * 3.0 * 0.1
        );
        assert_eq!(weights.of(&MoveFeatures { n_captured: 2, lines: [3, 9], ..plain }, false), 1.0);
        let pass = MoveFeatures { is_pass: true, ..MoveFeatures::default() };
        assert_eq!((weights.of(&pass, false), weights.of(&pass, true)), (1.0, 7.0));
        // A stone of the mover's to the north is one to the south, turned.
        for north_or_south in [1, 1 << 6] {
            assert_eq!(weights.of(&MoveFeatures { shape: north_or_south, ..plain }, false), 1.0);
        }
        assert_eq!(weights.of(&MoveFeatures { shape: 2, ..plain }, false), 0.5);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for feature in (0..SHAPE + 300).chain([N_FEATURES - 1]) {
            let written = name(feature);
            let words: Vec<&str> = written.split_whitespace().collect();
            assert_eq!(number(&words), Some(feature), "{written}");
        }
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, line) in [
            ("place 3 4 0.5\nplace 0 4 1", "line 2 `place 0 4 1`"),
            ("shape 10000 1", "line 1"),
            ("last 18 1", "line 1"),
            ("fight many 1", "line 1"),
            ("fight", "line 1"),
            ("fight -1", "line 1"),
            ("fight NaN", "line 1"),
        ] {
            let error = FeatureWeights::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(line) && error.contains("such as `place 3 4 0.94`"), "{error}");
        }
    }
}
