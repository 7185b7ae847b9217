//! The checkpoint of a training after a round, as bytes: two lines of text (what it is, and the training it belongs to), then
//! the curve and the numbers of the trainer, lowest byte first, and a checksum (FNV-1a) over all before it.

use model::ranking::file::{FNV_START, fnv};

use super::{Score, State};

const TITLE: &[u8] = b"tengen training 1\n";

/// What is known of a model after a round, as three numbers.
pub trait RoundScore: Copy {
    /// The numbers.
    fn numbers(&self) -> [f64; 3];

    /// What these numbers say.
    fn of_numbers(numbers: [f64; 3]) -> Self;
}

impl RoundScore for Score {
    fn numbers(&self) -> [f64; 3] {
        [self.log_loss, self.top1, self.top20]
    }

    fn of_numbers([log_loss, top1, top20]: [f64; 3]) -> Score {
        Score { log_loss, top1, top20 }
    }
}

/// A training after some rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint<S = Score> {
    /// The scores of the rounds that are done.
    pub curve: Vec<S>,
    /// The trainer's numbers.
    numbers: Vec<Vec<f32>>,
}

/// Why a training cannot go on from a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCheckpoint {
    /// It is something else.
    #[error("not a training that was begun")]
    Title,
    /// The checksum or a length is wrong.
    #[error("the file is damaged: its checksum or length is wrong")]
    Damaged,
    /// It belongs to another training.
    #[error("it belongs to another training: {found}; expected {expected}")]
    Other {
        /// The training as the file states it.
        found: String,
        /// The training that was asked for.
        expected: String,
    },
    /// Another trainer's numbers.
    #[error("it holds the numbers of another trainer")]
    Numbers,
}

impl<S: RoundScore> Checkpoint<S> {
    pub(crate) fn of(curve: &[S], state: &State<'_>) -> Checkpoint<S> {
        Checkpoint { curve: curve.to_vec(), numbers: state.iter().map(|numbers| numbers.to_vec()).collect() }
    }

    /// Writes the numbers into a trainer.
    pub(crate) fn restore(&self, state: State<'_>) -> Result<(), BadCheckpoint> {
        let fits = state.iter().map(|to| to.len()).eq(self.numbers.iter().map(Vec::len));
        if !fits {
            return Err(BadCheckpoint::Numbers);
        }
        state.into_iter().zip(&self.numbers).for_each(|(to, from)| to.copy_from_slice(from));
        Ok(())
    }

    /// As a file; `training` is a line that tells this training from every other.
    pub fn to_bytes(&self, training: &str) -> Vec<u8> {
        let mut bytes = [TITLE, training.as_bytes(), b"\n"].concat();
        bytes.extend((self.curve.len() as u64).to_le_bytes());
        bytes.extend(self.curve.iter().flat_map(RoundScore::numbers).flat_map(f64::to_le_bytes));
        bytes.extend((self.numbers.len() as u64).to_le_bytes());
        for numbers in &self.numbers {
            bytes.extend((numbers.len() as u64).to_le_bytes());
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(fnv(FNV_START, &bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`Checkpoint::to_bytes`] wrote for the same training.
    ///
    /// # Errors
    /// Says why the training cannot go on from these bytes.
    pub fn from_bytes(bytes: &[u8], training: &str) -> Result<Checkpoint<S>, BadCheckpoint> {
        let rest = bytes.strip_prefix(TITLE).ok_or(BadCheckpoint::Title)?;
        let Some((summed, sum)) = bytes.split_last_chunk::<8>() else { return Err(BadCheckpoint::Damaged) };
        if u64::from_le_bytes(*sum) != fnv(FNV_START, summed) {
            return Err(BadCheckpoint::Damaged);
        }
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or(BadCheckpoint::Damaged)?;
        let found = String::from_utf8_lossy(&rest[..end]);
        if found != training {
            let [found, expected] = [found.as_ref(), training].map(str::to_string);
            return Err(BadCheckpoint::Other { found, expected });
        }
        let mut reader = Reader { rest: &rest[end + 1..rest.len() - 8] };
        reader.checkpoint().filter(|_| reader.rest.is_empty()).ok_or(BadCheckpoint::Damaged)
    }
}

/// Bytes that were not yet read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*first)
    }

    /// A number of things of `size` bytes, if there may be as many.
    fn count(&mut self, size: usize) -> Option<usize> {
        let n = usize::try_from(u64::from_le_bytes(self.take()?)).ok()?;
        (n <= self.rest.len() / size).then_some(n)
    }

    fn checkpoint<S: RoundScore>(&mut self) -> Option<Checkpoint<S>> {
        let mut curve = Vec::new();
        for _ in 0..self.count(24)? {
            let mut next = || self.take().map(f64::from_le_bytes);
            curve.push(S::of_numbers([next()?, next()?, next()?]));
        }
        let mut numbers = Vec::new();
        for _ in 0..self.count(8)? {
            let n = self.count(4)?;
            numbers.push((0..n).map(|_| self.take().map(f32::from_le_bytes)).collect::<Option<_>>()?);
        }
        Some(Checkpoint { curve, numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_come_back_and_others_are_refused() {
        let score = Score { log_loss: 1.5, top1: 0.25, top20: 0.75 };
        let checkpoint = Checkpoint { curve: vec![score; 3], numbers: vec![vec![1.0, -2.0], vec![]] };
        let bytes = checkpoint.to_bytes("mm, 3 games");
        assert_eq!(Checkpoint::from_bytes(&bytes, "mm, 3 games"), Ok(checkpoint.clone()));
        let refused = |bytes: &[u8], training: &str| {
            Checkpoint::<Score>::from_bytes(bytes, training).unwrap_err().to_string()
        };
        assert!(refused(&bytes, "tm").contains("another training: mm, 3 games"));
        for idx in [30, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[idx] ^= 4;
            assert!(refused(&damaged, "mm, 3 games").contains("damaged"));
        }
        assert!(refused(&bytes[..40], "mm, 3 games").contains("damaged"));
        assert!(refused(b"something else", "mm").contains("not a training"));
        let (mut a, mut b) = ([0.0; 2], [0.0; 0]);
        assert_eq!(checkpoint.restore(vec![&mut a, &mut b]), Ok(()));
        assert_eq!(a, [1.0, -2.0]);
        assert_eq!(checkpoint.restore(vec![&mut a]), Err(BadCheckpoint::Numbers));
    }
}
