//! Uniform playouts of Hex: the empty cells in random order, filled in turn to the last one; then the winner is looked up
//! once. A board that is filled further than the win has the same winner. Nobody swaps in a playout.

use super::{Cell, HexGame, bit, decide, flood};
use crate::evaluate::{EvaluationSample, Rollout};
use crate::game::{Action, Game, Side};
use crate::trace::Play;
use goban::Rng;

/// The playout with its buffer.
#[derive(Debug, Default)]
pub(super) struct HexRollout {
    spots: Vec<EmptyCell>,
}

/// An empty cell, with its action.
#[derive(Debug, Clone, Copy)]
struct EmptyCell {
    action: Action,
    cell: Cell,
}

impl HexRollout {
    /// Lists the empty cells.
    fn collect(&mut self, game: &HexGame) {
        self.spots.clear();
        for row in 0..game.side() {
            let mut empty = game.empty(row);
            while empty != 0 {
                let cell = Cell { row: row as u8, col: empty.trailing_zeros() as u8 };
                self.spots.push(EmptyCell { action: game.action(cell), cell });
                empty &= empty - 1;
            }
        }
    }

    /// Every order is as likely as the other. [Fisher & Yates]
    fn shuffle(&mut self, rng: &mut Rng) {
        for n in (2..=self.spots.len()).rev() {
            self.spots.swap(n - 1, rng.below(n as u32) as usize);
        }
    }
}

impl Rollout<HexGame> for HexRollout {
    fn run(&mut self, position: &HexGame, rng: &mut Rng, wants_ownership: bool, out: &mut EvaluationSample) {
        self.collect(position);
        self.shuffle(rng);
        let (mover, other) = (position.mover(), !position.mover());
        let (pairs, last) = self.spots.as_chunks::<2>();
        let plays =
            pairs.iter().flat_map(|[one, two]| [Play::new(mover, one.action), Play::new(other, two.action)]);
        out.tail.extend(plays);
        out.tail.extend(last.iter().map(|spot| Play::new(mover, spot.action)));
        // What is not Black's is White's at the end.
        let mut black = position.rows[Side::First.idx()];
        let offset = usize::from(mover != Side::First);
        for spot in self.spots.iter().skip(offset).step_by(2) {
            black[usize::from(spot.cell.row) + 1] |= bit(spot.cell);
        }
        let is_black = flood::connects(&black, position.side());
        decide(if is_black { Side::First } else { Side::Second }, &mut out.outcome);
        out.outcome.length = self.spots.len() as u32;
        if wants_ownership {
            let side = position.side();
            let owner =
                |idx: usize| if black[idx / side + 1] >> (idx % side + 1) & 1 == 1 { 1.0 } else { -1.0 };
            out.outcome.ownership.extend((0..side * side).map(owner));
            out.outcome.ownership.extend(position.swap().map(|_| 0.0));
        }
    }
}
