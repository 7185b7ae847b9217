//! A position to learn from: the input of a network and what its answer should be.

use model::net::EncodedPosition;
use model::net::cpu::f32::SIDES;
use model::net::graph::{N_GLOBALS, N_PLANES};

/// The scale of [`Row::ownership`]: a point that is wholly the mover's.
pub const FULL_OWNER: i8 = 127;

/// A position with its targets, all as the mover sees them. Points are counted in rows from the top; the pass is behind the last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Columns of the board.
    pub width: u8,
    /// Rows of the board.
    pub height: u8,
    /// The planes, each number 0 or 1, as bits: plane by plane, the points of each in order, the lowest bit of a byte first.
    pub planes: Vec<u8>,
    /// Numbers of the position as a whole.
    pub globals: [f32; N_GLOBALS],
    /// Whether each point, and the pass, is a legal move, as bits.
    pub legal: Vec<u8>,
    /// The wanted probability of the moves that have any, as (place, probability); sums to 1. Empty where nothing is known.
    pub policy: Vec<(u16, f32)>,
    /// How much better than expected, or worse, the moves of the policy turned out: the factor of the policy's loss in a policy gradient
    /// (Williams 1992), below 0 where they are to become less likely. `None` where they are to be imitated, as 1 would do.
    pub advantage: Option<f32>,
    /// The mover's expected result: 1 a win, ½ a draw, 0 a loss.
    pub value: Option<f32>,
    /// Points by which the mover won or is expected to win.
    pub score: Option<f32>,
    /// The owner of each point at the end: [`FULL_OWNER`] the mover, −[`FULL_OWNER`] the opponent. Empty where nothing is known.
    pub ownership: Vec<i8>,
    /// How much the row counts; 1 for most.
    pub weight: f32,
}

impl Row {
    /// The number of points of the board.
    pub fn n_points(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// The bytes of the planes of a board.
    pub(super) fn plane_bytes(n_points: usize) -> usize {
        (N_PLANES * n_points).div_ceil(8)
    }

    /// The bytes of the legal moves of a board.
    pub(super) fn legal_bytes(n_points: usize) -> usize {
        (n_points + 1).div_ceil(8)
    }

    /// Whether a row can be kept and learned from: its parts fit its board, and its numbers are in range.
    ///
    /// # Errors
    /// What is amiss.
    pub fn check(&self) -> Result<(), &'static str> {
        let n_points = self.n_points();
        let all = |is_good: bool, reason| if is_good { Ok(()) } else { Err(reason) };
        let is_side = |side: u8| SIDES.contains(&usize::from(side));
        all(is_side(self.width) && is_side(self.height), "no side of a board")?;
        all(self.planes.len() == Row::plane_bytes(n_points), "planes of another board")?;
        all(self.legal.len() == Row::legal_bytes(n_points), "legal moves of another board")?;
        all(self.ownership.is_empty() || self.ownership.len() == n_points, "owners of another board")?;
        all(self.globals.iter().all(|x| x.is_finite()), "globals that are not numbers")?;
        let is_share = |&(place, p): &(u16, f32)| usize::from(place) <= n_points && (0.0..=1.0).contains(&p);
        all(self.policy.len() <= n_points + 1, "a policy of more moves than there are")?;
        all(self.policy.iter().all(is_share), "a policy that is none")?;
        all(self.advantage.is_none_or(f32::is_finite), "an advantage that is no number")?;
        all(self.value.is_none_or(|value| (0.0..=1.0).contains(&value)), "a value outside 0..=1")?;
        all(self.score.is_none_or(f32::is_finite), "a score that is not a number")?;
        all(self.weight.is_finite() && self.weight >= 0.0, "a weight that is none")
    }

    /// Takes over the board, the planes, the globals and the legal moves of a position in KataGo's form.
    pub fn set_position(&mut self, position: &EncodedPosition) {
        let EncodedPosition { planes, globals, board: [width, height], legal, .. } = position;
        // No board is larger than 25×25.
        (self.width, self.height) = (*width as u8, *height as u8);
        self.set_planes(planes);
        self.set_legal(legal);
        self.globals = [0.0; N_GLOBALS];
        self.globals.iter_mut().zip(globals).for_each(|(to, from)| *to = *from);
    }

    /// Packs planes that stand point by point, as an engine reads them; a number counts as 1 if it is not 0.
    pub fn set_planes(&mut self, point_planes: &[f32]) {
        let n_points = self.n_points();
        self.planes.clear();
        self.planes.resize((N_PLANES * n_points).div_ceil(8), 0);
        for (point, planes) in point_planes.chunks_exact(N_PLANES).enumerate() {
            for (plane, _) in planes.iter().enumerate().filter(|(_, number)| **number != 0.0) {
                let bit = plane * n_points + point;
                self.planes[bit / 8] |= 1 << (bit % 8);
            }
        }
    }

    /// Writes the planes point by point, as an engine reads them.
    pub fn fill_planes(&self, out: &mut Vec<f32>) {
        let n_points = self.n_points();
        out.clear();
        out.resize(N_PLANES * n_points, 0.0);
        for plane in 0..N_PLANES {
            for point in 0..n_points {
                let bit = plane * n_points + point;
                if self.planes[bit / 8] >> (bit % 8) & 1 == 1 {
                    out[point * N_PLANES + plane] = 1.0;
                }
            }
        }
    }

    /// Packs which moves are legal: the points in order, then the pass.
    pub fn set_legal(&mut self, legal: &[bool]) {
        self.legal.clear();
        self.legal.resize(legal.len().div_ceil(8), 0);
        for (place, _) in legal.iter().enumerate().filter(|(_, is_legal)| **is_legal) {
            self.legal[place / 8] |= 1 << (place % 8);
        }
    }

    /// Whether a point, or the pass behind the last of them, is a legal move.
    pub fn is_legal(&self, place: usize) -> bool {
        self.legal.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_and_legal_moves_come_back() {
        let mut row = Row { width: 3, height: 2, ..Row::default() };
        let planes: Vec<f32> = (0..6 * N_PLANES).map(|n| f32::from(n % 7 < 2)).collect();
        row.set_planes(&planes);
        let mut back = Vec::new();
        row.fill_planes(&mut back);
        assert_eq!(planes, back);
        let legal = [true, false, true, true, false, false, true];
        row.set_legal(&legal);
        assert!(legal.iter().enumerate().all(|(place, &is_legal)| row.is_legal(place) == is_legal));
        assert!(!row.is_legal(7) && !row.is_legal(900));
    }
}
