//! What a look at a position tells of its result, and the moves worth trying, best first: for searches that prove results.
//!
//! Three rules are exact. Who can complete four in a row does so. Who must prevent two fours at once, or opens the cell of a four
//! with every move, has lost. And where all columns hold an even number of stones and the first player is to move, the second can
//! answer every stone with one on top of it: he gets all cells of the even rows, so that the first wins only by a four within his stones
//! and the odd rows. [Allis 1988, claimeven]

use super::{BOTTOM, ConnectFour, FULL, WIDTH, column, fourths, has_four};
use crate::evaluate::Bounds;
use crate::game::{Action, Side};

/// The cells of the first, third and fifth row from below.
const ODD_ROWS: u64 = BOTTOM * 0b01_0101;
/// Where the lowest empty cell of a column with an odd number of stones is.
const AFTER_ODD: u64 = BOTTOM * 0b10_1010;
/// Columns from the middle outwards: of moves that threaten as much, the inner one comes first.
const INNER_FIRST: [u16; WIDTH] = [3, 2, 4, 1, 5, 0, 6];

impl ConnectFour {
    /// The cells in which the mover does not lose at the other's next move, where he cannot win at once.
    fn holding(&self) -> u64 {
        let theirs = fourths(self.stones[(!self.to_play).idx()]);
        let free = self.free();
        let forced = free & theirs;
        match forced.count_ones() {
            0 => free & !(theirs >> 1),
            1 => forced & !(theirs >> 1),
            _ => 0,
        }
    }

    /// What can be said of the result without trying a move.
    pub(super) fn foresee(&self) -> Bounds {
        if self.free() & fourths(self.stones[self.to_play.idx()]) != 0 {
            return Bounds::WON;
        }
        if self.holding() == 0 {
            return Bounds::LOST;
        }
        // Two cells are left, and neither player can win in the next one: the last is no four either, or it would be forbidden.
        if self.n_moves() + 2 >= WIDTH * super::HEIGHT {
            return Bounds::DRAWN;
        }
        self.follow_up()
    }

    /// What the second player gets by answering every stone with one on top of it.
    fn follow_up(&self) -> Bounds {
        let taken = self.taken();
        if self.to_play != Side::First || (taken + BOTTOM) & AFTER_ODD != 0 {
            return Bounds::OPEN;
        }
        let [first, second] = self.stones;
        let empty = FULL & !taken;
        if has_four(first | empty & ODD_ROWS) {
            Bounds::OPEN
        } else if has_four(second | empty & !ODD_ROWS) {
            Bounds::LOST
        } else {
            Bounds { most: 0, ..Bounds::OPEN }
        }
    }

    /// Appends the moves that do not lose at once, those first that leave the mover most cells to complete a four in.
    pub(super) fn order_moves(&self, out: &mut Vec<Action>) {
        let (own, holding) = (self.stones[self.to_play.idx()], self.holding());
        let mut moves = [(0, Action(0)); WIDTH];
        let mut n_moves = 0;
        for action in INNER_FIRST.map(Action) {
            let cell = holding & column(action);
            if cell == 0 {
                continue;
            }
            let n_threats = (fourths(own | cell) & !(self.taken() | cell)).count_ones();
            let mut place = n_moves;
            while place > 0 && moves[place - 1].0 < n_threats {
                moves[place] = moves[place - 1];
                place -= 1;
            }
            moves[place] = (n_threats, action);
            n_moves += 1;
        }
        out.extend(moves[..n_moves].iter().map(|&(_, action)| action));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::after;
    use super::*;
    use crate::game::{Game, Outcome};
    use goban::Rng;

    #[test]
    fn plain_results_are_seen() {
        for (columns, bounds) in [
            // Three of one's own on the floor, and a free cell beside them.
            ("bacada", Bounds::WON),
            // The other's three on the floor, open at both ends.
            ("bbccd", Bounds::LOST),
            // The other's three in a column: one cell must be taken, and what comes then is open.
            ("abaca", Bounds::OPEN),
            // All columns are even. Nobody has anything yet: the first player's odd rows hold fours.
            ("", Bounds::OPEN),
        ] {
            assert_eq!(after(columns).foresee(), bounds, "{columns}");
        }
    }

    #[test]
    fn answers_on_top_hold_where_no_odd_row_wins() {
        let mut rng = Rng::new(3);
        let (mut n_held, mut n_lost) = (0, 0);
        // Late positions with even columns from random games, against all continuations.
        for _ in 0..60_000 {
            let mut game = ConnectFour::new();
            while !game.is_over() && game.n_moves() < 30 {
                game.play(Action(rng.below(WIDTH as u32) as u16).clamp_legal(&game));
            }
            if game.is_over() {
                continue;
            }
            match game.follow_up() {
                bounds if bounds == Bounds::OPEN => {}
                bounds => {
                    let value = value(&game);
                    assert!(value <= bounds.most, "{game:?}: {value}");
                    n_held += u32::from(bounds.most == 0);
                    n_lost += u32::from(bounds.most < 0);
                }
            }
        }
        assert!(n_held > 5 && n_lost > 5, "{n_held} {n_lost}");
    }

    impl Action {
        /// This column, or the next one to the right that is not full.
        fn clamp_legal(self, game: &ConnectFour) -> Action {
            let later = (0..WIDTH as u16).map(|step| Action((self.0 + step) % WIDTH as u16));
            later.into_iter().find(|&action| game.is_legal(action)).unwrap_or(self)
        }
    }

    /// The mover's result by trying everything: −1, 0 or 1.
    fn value(game: &ConnectFour) -> i8 {
        let mut outcome = Outcome::default();
        if game.ended(&mut outcome) {
            return (2.0 * outcome.win_for(game.mover()) - 1.0) as i8;
        }
        let mut best = -1;
        for action in (0..WIDTH as u16).map(Action).filter(|&action| game.is_legal(action)) {
            let mut next = *game;
            next.play(action);
            best = best.max(-value(&next));
            if best == 1 {
                break;
            }
        }
        best
    }

    #[test]
    fn bounds_and_moves_agree_with_all_continuations() {
        let mut rng = Rng::new(4);
        let mut n_seen = 0;
        for _ in 0..20_000 {
            let mut game = ConnectFour::new();
            while !game.is_over() && game.n_moves() < 31 {
                game.play(Action(rng.below(WIDTH as u32) as u16).clamp_legal(&game));
            }
            if game.is_over() {
                continue;
            }
            let (bounds, value) = (game.foresee(), value(&game));
            assert!((bounds.least..=bounds.most).contains(&value), "{game:?}: {value} {bounds:?}");
            if bounds.least < bounds.most {
                // The best move is among those to try.
                let mut moves = Vec::new();
                game.order_moves(&mut moves);
                let best = moves.iter().map(|&action| {
                    let mut next = game;
                    next.play(action);
                    -self::value(&next)
                });
                assert_eq!(best.max(), Some(value), "{game:?}");
                n_seen += 1;
            }
        }
        assert!(n_seen > 200, "{n_seen}");
    }
}
