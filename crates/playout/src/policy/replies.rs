//! Last good replies with forgetting: the answer to a move, or to two moves in a row, in a playout that was won.
//! [Drake 2009; Baier & Drake 2010]
//!
//! After each simulation the winner's replies are stored, tree moves included, and those of the loser that are stored are
//! deleted. A stored reply is played whenever the same moves come again.

use goban::{Color, Move, Point};

/// No reply.
const NONE: u16 = u16::MAX;

/// The replies of both colours.
#[derive(Clone, Debug)]
pub struct Replies {
    n_points: usize,
    /// By colour and the move answered.
    one: [Vec<u16>; 2],
    /// By colour and the two moves answered, the earlier one times the number of points plus the later one; empty if
    /// only one move counts.
    two: [Vec<u16>; 2],
}

impl Replies {
    /// Nothing stored; `depth` moves are looked at, 0 to 2, on boards with `n_points` point indices.
    pub fn new(depth: u32, n_points: usize) -> Replies {
        let table = |is_used: bool, n: usize| {
            let table = vec![NONE; if is_used { n } else { 0 }];
            [table.clone(), table]
        };
        Replies { n_points, one: table(depth >= 1, n_points), two: table(depth >= 2, n_points * n_points) }
    }

    /// Whether anything is stored at all.
    pub fn is_used(&self) -> bool {
        !self.one[0].is_empty()
    }

    fn pair(&self, recent: [Point; 2]) -> usize {
        recent[1].idx() * self.n_points + recent[0].idx()
    }

    /// The replies of `color` to the moves `recent`, the latest first: to both, then to the latest alone.
    pub fn get(&self, color: Color, recent: [Move; 2]) -> [Option<Point>; 2] {
        let Some(last) = recent[0].point() else { return [None; 2] };
        let point = |stored: Option<&u16>| {
            stored.filter(|&&stored| stored != NONE).map(|&stored| Point::from_idx(usize::from(stored)))
        };
        let two =
            recent[1].point().and_then(|before| point(self.two[color.idx()].get(self.pair([last, before]))));
        [two, point(self.one[color.idx()].get(last.idx()))]
    }

    /// Learns from a whole simulation; see [`PlayoutRunner::learn`](crate::PlayoutRunner::learn). A draw teaches nothing.
    pub fn learn(&mut self, first: Color, moves: &[Move], black_win: f32) {
        if black_win == 0.5 {
            return;
        }
        let winner = if black_win > 0.5 { Color::Black } else { Color::White };
        let mut mover = first;
        let mut recent = [Move::PASS; 2];
        for &mv in moves {
            if let (Some(point), Some(last)) = (mv.point(), recent[0].point()) {
                let point = point.idx() as u16;
                let pair = recent[1].point().map(|before| self.pair([last, before]));
                let (one, two) = (&mut self.one[mover.idx()], &mut self.two[mover.idx()]);
                let slots = [one.get_mut(last.idx()), pair.and_then(|pair| two.get_mut(pair))];
                for slot in slots.into_iter().flatten() {
                    if mover == winner {
                        *slot = point;
                    } else if *slot == point {
                        *slot = NONE;
                    }
                }
            }
            recent = [mv, recent[0]];
            mover = !mover;
        }
    }

    /// Deletes all.
    pub fn forget(&mut self) {
        self.one.iter_mut().chain(&mut self.two).for_each(|table| table.fill(NONE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(idx: usize) -> Move {
        Move::at(Point::from_idx(idx))
    }

    #[test]
    fn the_winners_replies_are_stored_and_the_losers_forgotten() {
        let mut replies = Replies::new(2, 10);
        let get = |replies: &Replies, color, recent: [usize; 2]| {
            replies.get(color, recent.map(at)).map(|point| point.map(Point::idx))
        };
        // Black 1, White 2, Black 3, White 4: Black wins, so 3 answers 2, and answers 1-2.
        replies.learn(Color::Black, &[at(1), at(2), at(3), at(4)], 1.0);
        assert_eq!(get(&replies, Color::Black, [2, 1]), [Some(3), Some(3)]);
        assert_eq!(get(&replies, Color::Black, [2, 7]), [None, Some(3)]);
        assert_eq!(get(&replies, Color::White, [1, 7]), [None, None]);
        // Black loses with another answer to 2: the stored one stays. Then with the stored one: it is deleted.
        replies.learn(Color::White, &[at(2), at(5)], 0.0);
        assert_eq!(get(&replies, Color::Black, [2, 1]), [Some(3), Some(3)]);
        replies.learn(Color::White, &[at(2), at(3)], 0.0);
        assert_eq!(get(&replies, Color::Black, [2, 1]), [Some(3), None]);
        replies.learn(Color::Black, &[at(1), at(2), at(3)], 0.5);
        assert_eq!(get(&replies, Color::Black, [2, 1]), [Some(3), None], "a draw teaches nothing");
        replies.forget();
        assert_eq!(get(&replies, Color::Black, [2, 1]), [None, None]);
        // A pass is never answered.
        assert_eq!(replies.get(Color::Black, [Move::PASS, at(1)]), [None, None]);
    }

    #[test]
    fn depth_limits_what_is_stored() {
        let mut one = Replies::new(1, 10);
        one.learn(Color::Black, &[at(1), at(2), at(3)], 1.0);
        assert_eq!(one.get(Color::Black, [at(2), at(1)]), [None, Some(Point::from_idx(3))]);
        let mut none = Replies::new(0, 10);
        none.learn(Color::Black, &[at(1), at(2), at(3)], 1.0);
        assert!(!none.is_used() && none.get(Color::Black, [at(2), at(1)]) == [None, None]);
    }
}
