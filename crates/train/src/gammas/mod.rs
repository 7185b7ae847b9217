//! Fits the factors of the prior `tactics` to recorded games: those under which the played moves are likeliest.
//!
//! P(a) = e^{Σ w} / Σ_b e^{Σ w} over the features of a move, w = ln γ; the mean of −ln P(played move) is made small by
//! stochastic gradient descent whose steps shrink for features that were often met. [Duchi, Hazan & Singer 2011]
//!
//! In reading order: [`harvest`](mod@harvest) which circles are common · [`moves`] the moves of a position as features ·
//! [`fit`](mod@fit) the descent · this file, the text.

pub mod fit;
pub mod harvest;
pub mod moves;

pub use fit::{FitSettings, GammaFit, fit, keep_some};
pub use harvest::harvest;
pub use moves::Moves;

use std::fmt::Write;

use model::tactics::PatternTable;
use model::tactics::weights::{self, N_FEATURES};

/// Shapes met less often than this keep the factor 1.
const MIN_SHAPES: u32 = 100;

/// The factors as the prior reads them, one feature per line, features that were never met left out; `about` says in a
/// comment where they come from.
pub fn write(fit: &GammaFit, about: &str) -> String {
    let mut text = String::new();
    for line in about.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for (feature, (&weight, &n_met)) in fit.weights.iter().zip(&fit.n_met).take(N_FEATURES).enumerate() {
        let name = weights::name(feature);
        if n_met >= if name.starts_with("shape") { MIN_SHAPES } else { 1 } {
            let gamma = weight.exp();
            // Three digits that count; writing to a string cannot fail.
            let _ = match gamma {
                0.1.. => writeln!(text, "{name} {gamma:.3}"),
                _ => writeln!(text, "{name} {gamma:.6}"),
            };
        }
    }
    text
}

/// The circles and their factors as the prior reads them.
pub fn write_circles(fit: &GammaFit, known: &PatternTable) -> Vec<u8> {
    known.to_bytes(|slot| fit.weights[N_FEATURES + slot])
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::MoveFeatures;
    use model::tactics::FeatureWeights;
    use records::RecordedGame;

    use crate::made_games::MadeGames;

    /// Games in which both sides play beside the last move if that is possible, else anywhere.
    fn games(n: usize) -> Vec<RecordedGame> {
        MadeGames { seed: 7, n_moves: 20, strays: None }.games(n)
    }

    #[test]
    fn habits_are_learned_and_can_be_read_again() {
        let (learned, kept) = keep_some(games(120));
        let known = PatternTable::new(&[]);
        let settings = FitSettings { epochs: 12, positions: 6, ..FitSettings::default() };
        let mut n_epochs = 0;
        let found = fit(&learned, &kept, &known, &settings, |_, _| n_epochs += 1);
        // At most four moves are beside the last one, ln 4 = 1.4; who knows nothing has ln 80 = 4.4.
        assert!(
            n_epochs == 12 && found.log_loss < 1.4 && found.top1 > 0.2,
            "{} {}",
            found.log_loss,
            found.top1
        );
        let text = write(&found, "made by hand\nfor a test");
        assert!(text.starts_with("# made by hand\n# for a test\n"), "{text}");
        let weights = FeatureWeights::parse(&text).unwrap();
        let at = |far| {
            let features = MoveFeatures { lines: [3, 3], distance: [far, 6], ..MoveFeatures::default() };
            weights.of(&features, false)
        };
        // Coulom's distance is 2 for a neighbour and 3 for a diagonal.
        assert!(at(2) > 20.0 * at(3) && at(2) > 20.0 * at(8), "{} {} {}", at(2), at(3), at(8));
    }

    #[test]
    fn common_circles_are_learned() {
        let (learned, kept) = keep_some(games(120));
        let known = harvest(&learned, 30);
        assert!(known.len() > 5, "{}", known.len());
        // The empty board, seen from the middle, stands around one opening of 81: not often enough.
        assert!(harvest(&learned, 100_000).is_empty());
        let found = fit(&learned, &kept, &known, &FitSettings::default(), |_, _| {});
        let read = PatternTable::parse(&write_circles(&found, &known)).unwrap();
        assert_eq!(read.len(), known.len());
        assert!(found.weights[N_FEATURES..].iter().any(|&weight| weight > 0.1), "none is worth anything");
    }

    #[test]
    fn the_same_seed_gives_the_same_factors() {
        let games = games(10);
        let known = harvest(&games, 5);
        let settings = FitSettings { epochs: 2, ..FitSettings::default() };
        let weights = || fit(&games, &games, &known, &settings, |_, _| {}).weights;
        assert_eq!(weights(), weights());
    }
}
