//! One policy against one file of labels.

use goban::{Color, Rng, Rules};
use recipe::Choice;
use serde::Serialize;

use super::error::{Accuracy, AccuracyCase};
use super::file::{Label, Labels};
use super::playouts;
use crate::error::{Error, ErrorPlace, Result};
use crate::phase::GamePhase;
use crate::spread::{seed_of, spread};

/// Seeds of the bootstrap differ from those of the playouts.
const BOOTSTRAP_SEED: u64 = 0x626f_6f74;

/// Labels within this of 0 or 1 are sure.
const SURE: f64 = 0.1;

/// The playouts from each position.
#[derive(Clone, Debug)]
pub struct AccuracySettings {
    /// Who chooses the moves.
    pub policy: Choice,
    /// Playouts from each position.
    pub playouts: u64,
    /// Everything random follows from it.
    pub seed: u64,
    /// Positions at the same time.
    pub parallel: usize,
}

/// A policy's errors against each kind of label.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// Against the value that the deep search found, 0..=1.
    pub value: Accuracy,
    /// Against who wins by that search: 1 or 0 for a value above or below ½, as somebody labels who looks at a
    /// position and says who is ahead.
    pub winner: Accuracy,
    /// The same in positions that the search is sure of: values up to 0.1 or from 0.9.
    pub sure: Accuracy,
    /// Against how the game ended, where the record says.
    pub result: Accuracy,
    /// Playouts of all positions together.
    pub playouts: u64,
}

/// Plays from every position and compares. The result depends on the seed, not on how many positions are played at the
/// same time. `played` is told of each.
///
/// # Errors
/// When a position cannot be read or the policy cannot be built; without any position.
pub fn measure(labels: &Labels, settings: &AccuracySettings, mut played: impl FnMut()) -> Result<Measured> {
    let rules: Rules = labels.header.rules.parse().map_err(Error::other).at("rules of the labels")?;
    let labels = &labels.labels;
    if labels.is_empty() {
        return Err(Error::input("the file has no labelled position yet; expected at least one"));
    }
    let mut results = Vec::with_capacity(labels.len());
    let mut sizes = Vec::with_capacity(labels.len());
    let hire = || {
        |idx: usize| {
            let label = &labels[idx];
            let position = label.position(rules)?;
            let mut rng = Rng::new(seed_of(settings.seed, label.number));
            let results = playouts::play(&position, &settings.policy, settings.playouts, &mut rng)?;
            Ok((results, position.size()))
        }
    };
    spread(labels.len(), settings.parallel, hire, |_, (halves, size)| {
        results.push(halves);
        sizes.push(size);
        played();
        Ok(())
    })?;
    let against = |of: &dyn Fn(&Label) -> Option<f64>| {
        let cases: Vec<AccuracyCase<'_>> = labels
            .iter()
            .zip(results.iter().zip(&sizes))
            .filter_map(|(label, (results, size))| {
                Some(AccuracyCase {
                    results,
                    label: of(label)?,
                    is_black: Color::from(label.to_play) == Color::Black,
                    phase: GamePhase::of(label.before_move as usize, *size),
                })
            })
            .collect();
        Accuracy::new(&cases, &mut Rng::new(settings.seed ^ BOOTSTRAP_SEED))
    };
    let is_sure = |label: &Label| !(SURE..=1.0 - SURE).contains(&label.value);
    Ok(Measured {
        value: against(&|label| Some(label.value)),
        winner: against(&|label| Some(winner(label.value))),
        sure: against(&|label| is_sure(label).then(|| winner(label.value))),
        result: against(&|label| label.result),
        playouts: settings.playouts * labels.len() as u64,
    })
}

/// Who is ahead: 1 Black, 0 White, ½ neither.
fn winner(value: f64) -> f64 {
    match value {
        _ if value > 0.5 => 1.0,
        _ if value < 0.5 => 0.0,
        _ => 0.5,
    }
}
