//! A run on the disk: its settings, its curve and all weights to the last bit.
//!
//! Lines of text, `tengen shapes run 1` and then a name and a value each, among them a `row` for each row of the curve; an empty line;
//! the weights by class as 32-bit floats, then those of the turn, lowest byte first; the FNV-1a hash of all that, eight bytes.

use std::fmt::Write;

use playout::shapes::file::fnv;

use super::{CurveRow, SelfPlayTally, ShapeTrainer, TdSettings};

/// The first line.
const MAGIC: &str = "tengen shapes run 1\n";

/// A checkpoint that a run cannot go on from, and why.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ShapeCheckpointError {
    /// It is something else.
    #[error("not a run of the trainer of shapes; expected its first line to be \"{}\"", MAGIC.trim_end())]
    Foreign,
    /// The hash is another, or a line cannot be read.
    #[error("damaged: the hash at its end does not belong to what stands before, or a line is missing")]
    Damaged,
    /// It has other settings.
    #[error(
        "{name} {found} in the file and {wanted} here; expected the settings that the run was begun with"
    )]
    Differs {
        /// The setting.
        name: &'static str,
        /// Its value in the file.
        found: String,
        /// The value asked for.
        wanted: String,
    },
}

/// Names and values of the settings.
fn lines(settings: &TdSettings) -> [(&'static str, String); 6] {
    let TdSettings { size, lambda, epsilon, alpha, komi, seed } = settings;
    [
        ("size", size.width().to_string()),
        ("lambda", lambda.to_string()),
        ("epsilon", epsilon.to_string()),
        ("alpha", alpha.to_string()),
        ("komi", komi.to_string()),
        ("seed", seed.to_string()),
    ]
}

/// Whether some bytes begin as a checkpoint does.
pub fn is_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC.as_bytes())
}

impl ShapeTrainer {
    /// The run as it is now.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = MAGIC.to_string();
        // Writing to a string cannot fail.
        for (name, value) in lines(&self.settings) {
            let _ = writeln!(text, "{name} {value}");
        }
        let SelfPlayTally { n_games, n_black, n_moves } = self.tally;
        let _ = writeln!(text, "games {}\ntally {n_games} {n_black} {n_moves}", self.n_games);
        for row in &self.rows {
            let _ = writeln!(text, "row {}", row.to_text());
        }
        text.push('\n');
        let mut bytes = text.into_bytes();
        let weights = self.learner.weights().into_iter().chain(self.learner.turns);
        bytes.extend(weights.flat_map(f32::to_le_bytes));
        let hash = fnv(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// Goes on with a run that was begun with `settings`.
    ///
    /// # Errors
    /// Says why that cannot be.
    pub fn parse(bytes: &[u8], settings: &TdSettings) -> Result<ShapeTrainer, ShapeCheckpointError> {
        use ShapeCheckpointError::{Damaged, Differs, Foreign};
        if !is_checkpoint(bytes) {
            return Err(Foreign);
        }
        let (body, hash) = bytes.split_last_chunk::<8>().ok_or(Damaged)?;
        if fnv(body) != u64::from_le_bytes(*hash) {
            return Err(Damaged);
        }
        let end = body.windows(2).position(|pair| pair == b"\n\n").ok_or(Damaged)?;
        let text = str::from_utf8(&body[MAGIC.len()..end]).map_err(|_| Damaged)?;
        let pairs: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(' ')).collect();
        let value = |name: &str| {
            pairs.iter().find(|(other, _)| *other == name).map(|(_, value)| *value).ok_or(Damaged)
        };
        for (name, wanted) in lines(settings) {
            let found = value(name)?.to_string();
            if found != wanted {
                return Err(Differs { name, found, wanted });
            }
        }
        let mut run = ShapeTrainer::new(*settings);
        run.n_games = value("games")?.parse().map_err(|_| Damaged)?;
        let tally: Vec<u64> =
            value("tally")?.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| Damaged)?;
        let &[n_games, n_black, n_moves] = tally.as_slice() else { return Err(Damaged) };
        run.tally = SelfPlayTally { n_games, n_black, n_moves };
        let rows = pairs.iter().filter(|(name, _)| *name == "row").map(|(_, row)| CurveRow::parse(row));
        run.rows = rows.collect::<Option<_>>().ok_or(Damaged)?;
        run.take_weights(&body[end + 2..])?;
        Ok(run)
    }

    /// Takes over the weights of a checkpoint.
    fn take_weights(&mut self, bytes: &[u8]) -> Result<(), ShapeCheckpointError> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let n_classes = self.learner.weights().len();
        if !rest.is_empty() || numbers.len() != n_classes + self.learner.turns.len() {
            return Err(ShapeCheckpointError::Damaged);
        }
        let (weights, turns) = numbers.split_at(n_classes);
        self.learner.set_weights(weights.iter().map(|bytes| f32::from_le_bytes(*bytes)));
        for (turn, bytes) in self.learner.turns.iter_mut().zip(turns) {
            *turn = f32::from_le_bytes(*bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Size;

    #[test]
    fn damaged_and_foreign_runs_and_other_settings_are_refused() {
        let size = Size::square(3).unwrap();
        let settings = TdSettings { size, lambda: 0.0, epsilon: 0.1, alpha: 0.1, komi: 7.5, seed: 1 };
        let mut run = ShapeTrainer::new(settings);
        run.play(3);
        run.measure(2);
        run.play(2);
        let bytes = run.to_bytes();
        assert_eq!(ShapeTrainer::parse(&bytes, &settings).unwrap().to_bytes(), bytes);
        let refused = |bytes: &[u8]| ShapeTrainer::parse(bytes, &settings).unwrap_err();
        assert_eq!(refused(&run.model().to_bytes()), ShapeCheckpointError::Foreign);
        assert_eq!(refused(b""), ShapeCheckpointError::Foreign);
        for end in (MAGIC.len()..bytes.len()).step_by(7) {
            assert_eq!(refused(&bytes[..end]), ShapeCheckpointError::Damaged, "cut at {end}");
        }
        let mut changed = bytes.clone();
        changed[MAGIC.len() + 60] ^= 1;
        assert_eq!(refused(&changed), ShapeCheckpointError::Damaged);
        let other = TdSettings { alpha: 0.2, ..settings };
        let error = ShapeTrainer::parse(&bytes, &other).unwrap_err().to_string();
        assert!(error.starts_with("alpha 0.1 in the file and 0.2 here; expected"), "{error}");
    }
}
