//! Models that rank moves by their features, as trainers write them into files: P(a) = e^{s(a)} / Σ_b e^{s(b)}.
//!
//! The strength of a move is the sum of its features' weights, s = Σ_i w_i; with latent factors every two of its features
//! also have their say together, s = Σ_i w_i + Σ_{i<j} ⟨v_i, v_j⟩. [Wistuba & Schmidt-Thieme 2013; Xiao & Müller 2016]
//! Every trainer gives such a model: what differs is how the weights were found.
//!
//! In reading order: [`language`] (the features of a model: groups of the list and harvested circles) · [`rows`] (weights,
//! with or without factors) · this file (the model at work) · [`file`](mod@file) (its file).

pub mod file;
pub mod language;
pub mod rows;

use std::sync::LazyLock;

use goban::{Move, Size, SizeClass};

use crate::math;
use crate::view::PositionView;
pub use file::{BadModel, ModelNotes};
pub use language::{Language, Teams};
pub use rows::Rows;

/// A model that ranks moves.
#[derive(Debug, Clone)]
pub struct RankingModel {
    /// Where it comes from, in words.
    pub notes: ModelNotes,
    /// The board size that it was trained for.
    pub size: Size,
    /// Its features.
    pub language: Language,
    /// What each of them is worth.
    pub rows: Rows,
}

impl RankingModel {
    /// Writes P(a) of all moves; `teams` is scratch.
    pub fn fill<C: SizeClass>(
        &self,
        position: &PositionView<'_, C>,
        moves: &[Move],
        teams: &mut Teams,
        out: &mut [f32],
    ) {
        self.language.read(position, moves, teams);
        for (strength, team) in out.iter_mut().zip(teams.iter()) {
            *strength = self.rows.strength(team);
        }
        softmax(out);
    }

    /// Writes P(a) of all moves by weights of groups alone, without scratch; what circles and factors say is left out.
    pub fn fill_plain<C: SizeClass>(&self, position: &PositionView<'_, C>, moves: &[Move], out: &mut [f32]) {
        self.language.groups.each_team(position, moves, |idx, team| out[idx] = self.rows.strength(team));
        softmax(out);
    }
}

macro_rules! built_in {
    ($file:literal) => {
        LazyLock::new(|| {
            RankingModel::from_bytes(include_bytes!($file))
                .unwrap_or_else(|error| panic!("{}: {error}", $file))
        })
    };
}

/// By board size; the first of each pair without distances.
static MODELS: [[LazyLock<RankingModel>; 2]; 3] = [
    [built_in!("bt-9-far.rank"), built_in!("bt-9-near.rank")],
    [built_in!("bt-13-far.rank"), built_in!("bt-13-near.rank")],
    [built_in!("bt-19-far.rank"), built_in!("bt-19-near.rank")],
];

/// The built-in Bradley-Terry model for boards of a size, with or without the distance to the last two moves. It has
/// groups of the list only: no circles, no factors.
pub fn built_in(size: Size, has_distance: bool) -> &'static RankingModel {
    let n_points = size.area();
    // As the built-in factors of `tactics`: 11×11 lies between 9×9 and 13×13, 16×16 between 13×13 and 19×19.
    let which = usize::from(n_points > 11 * 11) + usize::from(n_points > 16 * 16);
    &MODELS[which][usize::from(has_distance)]
}

/// Turns strengths into probabilities.
pub fn softmax(out: &mut [f32]) {
    let highest = out.iter().copied().fold(f32::MIN, f32::max);
    out.iter_mut().for_each(|strength| *strength = math::exp(*strength - highest));
    let sum: f32 = out.iter().sum();
    out.iter_mut().for_each(|p| *p /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_models_are_plain_and_of_their_size() {
        for (models, side) in MODELS.iter().zip([9, 13, 19]) {
            for (model, has_distance) in models.iter().zip([false, true]) {
                assert_eq!(model.size, Size::square(side).unwrap());
                assert!(model.language.circles.is_empty() && model.rows.n_factors() == 0);
                let features = model.language.groups.describe();
                assert_eq!(features.contains("last:"), has_distance, "{features}");
            }
        }
    }

    #[test]
    fn probabilities_worked_by_hand() {
        let mut out = [0.0, 3.0f32.ln(), -1e6];
        softmax(&mut out);
        assert!((out[0] - 0.25).abs() < 1e-6 && (out[1] - 0.75).abs() < 1e-6 && out[2] < 1e-30, "{out:?}");
    }
}
