//! P(a) = γ(a) / Σ_b γ(b), γ a product over place, distances to the last two moves, captures, rescues, ataris, what the
//! fight around the last move asks for, the 3×3 shape and the circular patterns around the move: a Bradley-Terry model
//! whose factors were fitted to recorded games. [Coulom 2007, with other features]
//!
//! Every pattern that was met often enough has a factor, and all that are known count, not only the largest: what a larger
//! one adds to the smaller ones in it is its factor.
//!
//! The patterns cost most of the time and can be left for later: [`Tactics::fill_cheap`] first, then
//! [`Tactics::multiply_patterns`], or the same for the likeliest moves alone. The factors were fitted together, so without
//! patterns they are a poor model: the first choice is the same in less than half of all positions.
//!
//! There is a model each for 9×9, 13×13 and 19×19; other boards use that of the nearest size.
//!
//! In reading order: [`weights`] a factor for each feature · [`patterns`] a factor for each pattern · this file, the two
//! together.

pub mod patterns;
pub mod weights;

use std::sync::LazyLock;

use goban::{Circles, Move, Size, SizeClass, Vertex};

use crate::features::{self, MoveFeatures, Wanted};
use crate::math;
use crate::view::PositionView;
pub use patterns::PatternTable;
pub use weights::FeatureWeights;

/// Factors of features and patterns, fitted to the games of one board size.
#[derive(Debug, Clone)]
pub struct Tactics {
    /// By feature.
    pub weights: FeatureWeights,
    /// By pattern.
    pub patterns: PatternTable,
}

/// Points of the largest board.
const MAX_MOVES: usize = Size::MAX * Size::MAX;

macro_rules! built_in {
    ($gammas:literal, $circles:literal) => {
        LazyLock::new(|| Tactics {
            weights: FeatureWeights::parse(include_str!($gammas))
                .unwrap_or_else(|error| panic!("{}: {error}", $gammas)),
            patterns: PatternTable::parse(include_bytes!($circles))
                .unwrap_or_else(|error| panic!("{}: {error}", $circles)),
        })
    };
}

static MODELS: [LazyLock<Tactics>; 3] = [
    built_in!("gammas-9.txt", "circles-9.bin"),
    built_in!("gammas-13.txt", "circles-13.bin"),
    built_in!("gammas-19.txt", "circles-19.bin"),
];

impl Tactics {
    /// The model that is built in for boards of a size.
    pub fn of(size: Size) -> &'static Tactics {
        let n_points = size.area();
        // 11×11 lies between 9×9 and 13×13, 16×16 between 13×13 and 19×19.
        &MODELS[usize::from(n_points > 11 * 11) + usize::from(n_points > 16 * 16)]
    }

    /// Writes γ(a) of all moves, and shows the features of each on the way.
    pub fn fill_gammas<C: SizeClass>(
        &self,
        position: &PositionView<'_, C>,
        wanted: Wanted,
        moves: &[Move],
        out: &mut [f32],
        each: impl FnMut(usize, &MoveFeatures),
    ) {
        self.fill_cheap(position, wanted, moves, out, each);
        self.multiply_patterns(position, moves, out);
    }

    /// Writes the product of all factors of each move but those of patterns, and shows its features on the way.
    pub fn fill_cheap<C: SizeClass>(
        &self,
        position: &PositionView<'_, C>,
        wanted: Wanted,
        moves: &[Move],
        out: &mut [f32],
        mut each: impl FnMut(usize, &MoveFeatures),
    ) {
        let is_after_pass = position.is_after_pass();
        features::each_move(position, wanted, moves, |idx, features| {
            out[idx] = self.weights.of(features, is_after_pass);
            each(idx, features);
        });
    }

    /// Multiplies what [`Tactics::fill_cheap`] wrote by the factors of the patterns around each move.
    pub fn multiply_patterns<C: SizeClass>(
        &self,
        position: &PositionView<'_, C>,
        moves: &[Move],
        out: &mut [f32],
    ) {
        let mut circles = Circles::new(position.board, position.to_play, position.recent_points()[0]);
        for (gamma, mv) in out.iter_mut().zip(moves) {
            if let Some(point) = mv.point() {
                *gamma = self.with_patterns(&mut circles, C::vertex(point), *gamma);
            }
        }
    }

    /// As [`Tactics::multiply_patterns`] for the `n_likeliest` moves by what [`Tactics::fill_cheap`] wrote, and more where
    /// several are as likely; every other move is multiplied by the geometric mean of what these got, so that all stay
    /// comparable. A pass has no patterns and stays what it is.
    pub fn multiply_patterns_of_likeliest<C: SizeClass>(
        &self,
        position: &PositionView<'_, C>,
        moves: &[Move],
        n_likeliest: usize,
        out: &mut [f32],
    ) {
        let Some(least) = nth_largest(moves, n_likeliest, out) else {
            return self.multiply_patterns(position, moves, out);
        };
        let mut circles = Circles::new(position.board, position.to_play, position.recent_points()[0]);
        let (mut sum, mut n) = (0.0, 0.0);
        let is_likely = |gamma: f32| gamma >= least;
        // Factors are never negative: the sign bit marks what is done.
        for (gamma, mv) in out.iter_mut().zip(moves) {
            if let (Some(point), true) = (mv.point(), is_likely(*gamma)) {
                let whole = self.with_patterns(&mut circles, C::vertex(point), *gamma);
                if whole > 0.0 {
                    sum += math::ln(whole / *gamma);
                    n += 1.0;
                }
                *gamma = -whole;
            }
        }
        let others = if n > 0.0 { math::exp(sum / n) } else { 1.0 };
        for (gamma, mv) in out.iter_mut().zip(moves) {
            if gamma.is_sign_negative() {
                *gamma = -*gamma;
            } else if !mv.is_pass() {
                *gamma *= others;
            }
        }
    }

    /// γ times the factors of the patterns around a point.
    #[inline(always)]
    fn with_patterns<C: SizeClass>(&self, circles: &mut Circles<C>, vertex: Vertex, gamma: f32) -> f32 {
        let mut gamma = gamma;
        circles.draw(vertex, |circle| {
            let factor = self.patterns.factor(circle.key);
            gamma *= factor.unwrap_or_else(|| self.weights.factor(weights::unknown(circle.level)));
            factor.is_some()
        });
        gamma
    }

    /// Writes P(a) of all moves.
    pub fn fill<C: SizeClass>(&self, position: &PositionView<'_, C>, moves: &[Move], out: &mut [f32]) {
        self.fill_gammas(position, Wanted::default(), moves, out, |_, _| {});
        normalise(out);
    }
}

/// The n-th largest γ of the moves but the pass; `None` if there are not more than n.
fn nth_largest(moves: &[Move], n: usize, gammas: &[f32]) -> Option<f32> {
    let mut buffer = [0.0; MAX_MOVES];
    let mut n_moves = 0;
    let points = gammas.iter().zip(moves).filter(|(_, mv)| !mv.is_pass());
    for (place, (&gamma, _)) in buffer.iter_mut().zip(points) {
        *place = gamma;
        n_moves += 1;
    }
    if n == 0 || n >= n_moves {
        return (n == 0).then_some(f32::INFINITY);
    }
    let (_, nth, _) = buffer[..n_moves].select_nth_unstable_by(n - 1, |a, b| b.total_cmp(a));
    Some(*nth)
}

/// Turns γ into P: numbers in proportion that sum to 1, all the same if they were all 0.
pub fn normalise(out: &mut [f32]) {
    let sum: f32 = out.iter().sum();
    if sum > 0.0 {
        out.iter_mut().for_each(|p| *p /= sum);
    } else {
        let even = 1.0 / out.len().max(1) as f32;
        out.fill(even);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Board, Color, Full, Upto9, Vertex};

    #[test]
    fn every_table_has_something_to_say() {
        for model in &MODELS {
            assert!(model.patterns.len() > 50_000, "{}", model.patterns.len());
            let pass = MoveFeatures { is_pass: true, ..MoveFeatures::default() };
            let centre = MoveFeatures { lines: [5, 5], ..MoveFeatures::default() };
            let corner = MoveFeatures { lines: [1, 1], ..MoveFeatures::default() };
            assert!(model.weights.of(&pass, false) < model.weights.of(&corner, false));
            assert!(model.weights.of(&corner, false) < model.weights.of(&centre, false));
        }
    }

    #[test]
    fn near_moves_are_likely_and_probabilities_sum_to_one() {
        let size = Size::square(5).unwrap();
        let mut board = Board::<Upto9, Full>::new(size);
        let at = |n: usize| Move::at(board.point(Vertex::new(n % 5, n / 5)));
        let (black, white, moves) = (at(12), at(13), [at(8), at(20), Move::PASS]);
        board.play(Color::Black, black);
        board.play(Color::White, white);
        let position =
            PositionView { board: &board, to_play: Color::Black, recent: [Some(white), Some(black)] };
        let mut p = [0.0; 3];
        // A hane beside the last move, the far corner, a pass.
        Tactics::of(size).fill(&position, &moves, &mut p);
        assert!(p[0] > 20.0 * p[1].max(p[2]) && (p.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{p:?}");
    }

    #[test]
    fn nothing_likely_is_all_alike() {
        let mut none = [0.0; 4];
        normalise(&mut none);
        assert_eq!(none, [0.25; 4]);
        normalise(&mut []);
    }
}
