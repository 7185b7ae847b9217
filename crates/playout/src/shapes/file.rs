//! Learned weights and the file they are kept in.
//!
//! The file begins with lines of text, `tengen shapes 1` and then a name and a value each: the `side` of the square board, the
//! `trainer` with its settings, the number of `games`, the `seed`, and the number of `weights`. An empty line ends them. The weights
//! follow class by class, location-dependent ones first, then location-independent ones, then those of positions after Black's
//! and after White's moves. A weight is a whole number of [`UNIT`]s, written as a variable-length number: seven bits a byte, the lowest
//! first, the highest bit set in all bytes but the last; n ≥ 0 is written as 2n, n < 0 as −2n − 1. Weights of 0 come in
//! runs: a byte 0 and the length of the run. The last eight bytes are the FNV-1a hash of all before, the lowest first.

use std::fmt::Write;

use goban::{Color, Size};
use thiserror::Error;

use super::classes::ShapeClasses;

/// The weight that the number 1 in a file stands for, in ln(odds).
pub const UNIT: f32 = 1.0 / 4096.0;

/// The first line.
const MAGIC: &str = "tengen shapes 1";
/// Bytes of the hash at the end.
const N_HASH: usize = 8;

/// A file of weights that cannot be used, and why.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ShapeFileError {
    /// It is something else.
    #[error("not a file of local shapes; expected its first line to be \"{MAGIC}\"")]
    Foreign,
    /// A line is missing, or its value cannot be read.
    #[error("the line \"{name} ...\" is missing or cannot be read; expected {expected}")]
    Header {
        /// The line's name.
        name: &'static str,
        /// Its value.
        expected: &'static str,
    },
    /// The hash is another.
    #[error("damaged: the hash at its end does not belong to what stands before")]
    Damaged,
    /// The number of weights is not the one that boards of that side have.
    #[error("{found} weights; expected {expected}, as many as the shapes of {side}x{side} share")]
    Count {
        /// In the file.
        found: usize,
        /// Right.
        expected: usize,
        /// The side.
        side: usize,
    },
}

/// How weights were learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShapeOrigin {
    /// The trainer's name and settings, one line.
    pub trainer: String,
    /// Games learned from.
    pub n_games: u64,
    /// The seed of everything drawn.
    pub seed: u64,
}

/// Learned weights of the shapes of a square board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeModel {
    /// The board they were learned on.
    pub size: Size,
    /// How they were learned.
    pub origin: ShapeOrigin,
    /// By class, class 0 without a weight left out; then those of the turn. In [`UNIT`]s.
    weights: Vec<i16>,
}

/// Weights of the turn: after Black's moves and after White's.
const N_TURNS: usize = 2;

impl ShapeModel {
    /// The weights of all classes and of positions after Black's and White's moves, rounded to [`UNIT`]s; those beyond ±8 are cut.
    pub fn new(size: Size, origin: ShapeOrigin, weights: &[f32], turns: [f32; N_TURNS]) -> ShapeModel {
        let round = |&weight: &f32| (weight / UNIT).round() as i16;
        ShapeModel { size, origin, weights: weights.iter().skip(1).chain(&turns).map(round).collect() }
    }

    /// The weight of a class, in [`UNIT`]s.
    #[inline]
    pub fn weight(&self, class: usize) -> i16 {
        class.checked_sub(1).map_or(0, |idx| self.weights[idx])
    }

    /// The weight of positions after a move of `color`, in [`UNIT`]s of Black's ln(odds).
    pub fn turn(&self, color: Color) -> i16 {
        self.weights[self.weights.len() - N_TURNS + color.idx()]
    }

    /// Number of weights that are not 0.
    pub fn n_known(&self) -> usize {
        self.weights.iter().filter(|&&weight| weight != 0).count()
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        let ShapeOrigin { trainer, n_games, seed } = &self.origin;
        let trainer = trainer.replace(['\n', '\r'], " ");
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{MAGIC}\nside {}\ntrainer {trainer}\ngames {n_games}\nseed {seed}\nweights {}\n\n",
            self.size.width(),
            self.weights.len()
        );
        let mut bytes = text.into_bytes();
        let mut rest = self.weights.as_slice();
        while let Some(&weight) = rest.first() {
            let n_zeros = rest.iter().take_while(|&&weight| weight == 0).count();
            if n_zeros > 0 {
                bytes.push(0);
                push_number(&mut bytes, n_zeros as u32);
            } else {
                let weight = i32::from(weight);
                push_number(&mut bytes, ((weight << 1) ^ (weight >> 31)) as u32);
            }
            rest = &rest[n_zeros.max(1)..];
        }
        let hash = fnv(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<ShapeModel, ShapeFileError> {
        if !bytes.starts_with(MAGIC.as_bytes()) || bytes.get(MAGIC.len()) != Some(&b'\n') {
            return Err(ShapeFileError::Foreign);
        }
        let (body, hash) = bytes.split_last_chunk::<N_HASH>().ok_or(ShapeFileError::Damaged)?;
        if fnv(body) != u64::from_le_bytes(*hash) {
            return Err(ShapeFileError::Damaged);
        }
        let header = Header::split(body)?;
        let side: usize = header.number("side", "the side of a board from 2 to 25")?;
        let size = Size::square(side).map_err(|_| ShapeFileError::Header {
            name: "side",
            expected: "the side of a board from 2 to 25",
        })?;
        let origin = ShapeOrigin {
            trainer: header.value("trainer", "the trainer and its settings")?.to_string(),
            n_games: header.number("games", "a number of games")?,
            seed: header.number("seed", "a number")?,
        };
        let n_weights: usize = header.number("weights", "a number of weights")?;
        let expected = ShapeClasses::new(size).n_classes() - 1 + N_TURNS;
        if n_weights != expected {
            return Err(ShapeFileError::Count { found: n_weights, expected, side });
        }
        let weights = read_weights(header.rest, n_weights)?;
        Ok(ShapeModel { size, origin, weights })
    }
}

/// The lines at the beginning, and what follows them.
struct Header<'a> {
    lines: &'a str,
    rest: &'a [u8],
}

impl<'a> Header<'a> {
    fn split(body: &'a [u8]) -> Result<Header<'a>, ShapeFileError> {
        let end = body.windows(2).position(|pair| pair == b"\n\n").ok_or(ShapeFileError::Damaged)?;
        let lines = str::from_utf8(&body[..end]).map_err(|_| ShapeFileError::Damaged)?;
        Ok(Header { lines, rest: &body[end + 2..] })
    }

    fn value(&self, name: &'static str, expected: &'static str) -> Result<&'a str, ShapeFileError> {
        let mut values = self.lines.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        values.next().ok_or(ShapeFileError::Header { name, expected })
    }

    fn number<T: std::str::FromStr>(
        &self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<T, ShapeFileError> {
        self.value(name, expected)?.parse().map_err(|_| ShapeFileError::Header { name, expected })
    }
}

/// Reads exactly this number of weights from all of the bytes.
fn read_weights(mut bytes: &[u8], n_weights: usize) -> Result<Vec<i16>, ShapeFileError> {
    let mut weights = Vec::with_capacity(n_weights);
    while !bytes.is_empty() {
        match read_number(&mut bytes)? {
            0 => {
                let n_zeros = read_number(&mut bytes)? as usize;
                if n_zeros > n_weights - weights.len() {
                    return Err(ShapeFileError::Damaged);
                }
                weights.resize(weights.len() + n_zeros, 0);
            }
            number => {
                let weight = (number >> 1) as i32 ^ -((number & 1) as i32);
                weights.push(i16::try_from(weight).map_err(|_| ShapeFileError::Damaged)?);
            }
        }
        if weights.len() > n_weights {
            return Err(ShapeFileError::Damaged);
        }
    }
    if weights.len() == n_weights { Ok(weights) } else { Err(ShapeFileError::Damaged) }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u32, ShapeFileError> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first().ok_or(ShapeFileError::Damaged)?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(ShapeFileError::Damaged)
}

/// The FNV-1a hash of some bytes: enough against damage, none against malice.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some weights of 3×3.
    fn model() -> ShapeModel {
        let size = Size::square(3).unwrap();
        let mut weights = vec![0.0; ShapeClasses::new(size).n_classes()];
        for (weight, value) in weights.iter_mut().skip(5).step_by(3).zip((-900..).step_by(7)) {
            *weight = value as f32 * 0.01;
        }
        let origin = ShapeOrigin { trainer: "by hand".to_string(), n_games: 3, seed: 9 };
        ShapeModel::new(size, origin, &weights, [-0.5, 0.25])
    }

    #[test]
    fn what_is_written_is_read_again() {
        let model = model();
        assert_eq!(ShapeModel::parse(&model.to_bytes()).unwrap(), model);
        assert_eq!((model.turn(Color::Black), model.turn(Color::White)), (-2048, 1024));
        // −9.0 is beyond what a number of 16 bits holds.
        assert_eq!((model.weight(0), model.weight(4), model.weight(5)), (0, 0, i16::MIN));
    }

    #[test]
    fn damaged_and_foreign_files_are_refused_with_a_reason() {
        let bytes = model().to_bytes();
        let refused = |bytes: &[u8]| ShapeModel::parse(bytes).unwrap_err();
        for text in ["", "tengen shapes 2\n", "(;GM[1])", "tengen shapes 1"] {
            assert_eq!(refused(text.as_bytes()), ShapeFileError::Foreign, "{text}");
        }
        for end in MAGIC.len() + 1..bytes.len() {
            assert_eq!(refused(&bytes[..end]), ShapeFileError::Damaged, "cut at {end}");
        }
        for at in MAGIC.len() + 1..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert_eq!(refused(&changed), ShapeFileError::Damaged, "changed at {at}");
        }
    }

    #[test]
    fn files_with_a_right_hash_and_wrong_contents_are_refused() {
        let body = &model().to_bytes()[..];
        let body = &body[..body.len() - N_HASH];
        let text = String::from_utf8_lossy(&body[..100]).into_owned();
        let end = text.find("\n\n").unwrap();
        let with = |from: &str, to: &str, rest: &[u8]| {
            let mut bytes = text[..end + 2].replace(from, to).into_bytes();
            bytes.extend(rest);
            bytes.extend(fnv(&bytes).to_le_bytes());
            ShapeModel::parse(&bytes).unwrap_err().to_string()
        };
        let rest = &body[end + 2..];
        assert!(with("side 3", "side 99", rest).contains("\"side ...\""));
        assert!(with("side 3", "side 4", rest).contains("as the shapes of 4x4 share"));
        assert!(with("games 3", "games many", rest).contains("expected a number of games"));
        assert!(with("seed 9\n", "", rest).contains("\"seed ...\" is missing"));
        assert!(with("", "", &rest[..rest.len() - 1]).contains("damaged"));
        assert!(with("", "", &[rest, &[2]].concat()).contains("damaged"));
        assert!(with("", "", &[0, 0xff, 0xff, 0xff, 0xff, 0x7f]).contains("damaged"));
    }
}
