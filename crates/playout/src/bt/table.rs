//! Weights laid out for a board: what a playout looks up for every point and move.

use goban::{Code, Color, EyeRule, Point};

use super::list::{LINE, N_LINES, N_SELF_ATARI, SELF_ATARI, SHAPE};
use super::{BtGeometry, BtModel};
use crate::math::exp;
use crate::pattern3::{seen_by, shape_number};

/// The whole number that stands for a factor of 1, as the lasting features of a move give it.
const ONE: f32 = 16_384.0;
/// Lasting factors above this are cut, so that numbers fit into 32 bits.
const MAX_FACTOR: f32 = 65_536.0;

/// The factors γ^(1/T) of a model.
#[derive(Clone, Debug)]
pub struct BtTable {
    /// The board.
    pub geometry: BtGeometry,
    /// By feature.
    factors: Vec<f32>,
    /// By code: the factor of the neighbourhood for Black and for White in [`ONE`]s; 0 of an own eye.
    by_code: Vec<[f32; 2]>,
    /// By line.
    by_line: [f32; N_LINES],
    /// The probability that a drawn move is played: of one that is no self-atari, then by level of self-atari.
    accepted: [f32; 1 + N_SELF_ATARI],
}

impl BtTable {
    /// A model's factors at a temperature T, above 0, for boards of this kind.
    pub fn new(model: &BtModel, geometry: BtGeometry, temperature: f32) -> BtTable {
        let factors: Vec<f32> = model.weights().iter().map(|weight| exp(weight / temperature)).collect();
        let factor_of = |code: Code, color: Color| {
            if code.is_eye(color, EyeRule::Standard) {
                return 0.0;
            }
            ONE * factors[SHAPE + shape_number(seen_by(code, color))].clamp(1.0 / ONE, MAX_FACTOR)
        };
        let by_code =
            (0..=u16::MAX).map(|code| Color::BOTH.map(|color| factor_of(Code(code), color))).collect();
        let mut by_line = [0.0; N_LINES];
        by_line.copy_from_slice(&factors[LINE..LINE + N_LINES]);
        // A drawn move is played with a probability in proportion to its factor; the largest is certain.
        let mut accepted = [1.0; 1 + N_SELF_ATARI];
        accepted[1..].copy_from_slice(&factors[SELF_ATARI..SELF_ATARI + N_SELF_ATARI]);
        let most = accepted.iter().copied().fold(1.0, f32::max);
        accepted.iter_mut().for_each(|p| *p /= most);
        BtTable { geometry, factors, by_code, by_line, accepted }
    }

    /// The weights of a move at a point with this neighbourhood, by its lasting features, for Black and for White.
    #[inline(always)]
    pub fn lasting(&self, point: Point, code: Code) -> [u32; 2] {
        let line = self.by_line[self.geometry.line(point)];
        self.by_code[usize::from(code.0)].map(|factor| {
            let weight = factor * line;
            // Every move may be played but one into an own eye.
            if weight > 0.0 { (weight.min(MAX_FACTOR * ONE) as u32).max(1) } else { 0 }
        })
    }

    /// The factor of a feature.
    #[inline(always)]
    pub fn factor(&self, feature: usize) -> f32 {
        self.factors[feature]
    }

    /// The probability that a drawn move is played, by its level of self-atari.
    #[inline(always)]
    pub fn accepted(&self, self_atari: Option<usize>) -> f32 {
        self.accepted[self_atari.map_or(0, |level| level + 1)]
    }
}
