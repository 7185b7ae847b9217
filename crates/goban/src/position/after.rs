//! The hash that a move would leave, without playing it: what a superko check asks.

use crate::board::{Board, Full};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::set::PointSet;

impl<C: SizeClass> Board<C, Full> {
    /// The hash of the stones after `color` plays at the empty `point`, captures and suicide carried out.
    #[inline]
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
        let code = self.code(point);
        let with_stone = self.hash() ^ C::ZOBRIST[color.idx()][point.idx()];
        let enemies = code.neighbours_of(!color);
        if enemies == 0 && code.empty_neighbours() != 0 {
            return with_stone;
        }
        let mut hash = with_stone;
        let takes = self.toggle_chains_in_atari(!color, point, &mut hash);
        if !takes && code.empty_neighbours() == 0 && self.is_suicide_for(color, point) {
            hash = self.hash();
            self.toggle_chains_in_atari(color, point, &mut hash);
        }
        hash
    }

    /// Takes the stones of all chains of `color` whose last liberty is `point` out of the hash; true if there
    /// are any.
    fn toggle_chains_in_atari(&self, color: Color, point: Point, hash: &mut u64) -> bool {
        let mut heads = [None; 4];
        for (slot, near) in self.neighbours(point).enumerate() {
            if self.stone(near) != Some(color) || self.liberties(near).len() != 1 {
                continue;
            }
            let head = Some(self.head(near));
            if heads.contains(&head) {
                continue;
            }
            heads[slot] = head;
            for stone in self.chain(near) {
                *hash ^= C::ZOBRIST[color.idx()][stone.idx()];
            }
        }
        heads != [None; 4]
    }
}
