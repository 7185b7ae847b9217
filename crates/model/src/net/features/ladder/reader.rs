//! Reading a ladder: the owner of the prey and the hunters in turn, until the prey is caught or free.
//!
//! - The owner may take hunters in atari beside the prey, or play its last liberty. The hunters play one of its two
//!   liberties. Nobody commits suicide.
//! - With three liberties when the hunters are to move the prey is free, with one it is caught.
//! - A hunter who takes a ko gives the prey away: ladders that need a ko do not count. Only before the first move of the
//!   owner a ko is forgiven, and the owner may retake it.
//! - If both liberties of the prey are mouths of kos that the hunters can take, connecting either brings no liberty, and
//!   no hunter is in atari, the prey is caught.
//! - After a sequence of one and a half moves a point the prey counts as caught; after 25 000 moves in all as free.

use goban::{Point, PointSet, SizeClass};

use super::sketch::Sketch;

/// Moves that are read for one question.
const MAX_MOVES: usize = 25_000;

/// One question.
pub(super) struct LadderReader {
    /// Moves that may still be read.
    n_left: usize,
    /// Moves in a row after which the prey counts as caught.
    max_depth: usize,
}

/// What the hunters can do.
enum Hunt {
    /// The prey is caught.
    Caught,
    /// It is free.
    Free,
    /// One move is worth reading.
    One(Point),
    /// Two are, the more promising first.
    Two(Point, Point),
}

impl LadderReader {
    /// A question on a board of `area` points.
    pub(super) fn new(area: usize) -> Self {
        Self { n_left: MAX_MOVES, max_depth: area * 3 / 2 }
    }

    /// True if the prey, which has one liberty and whose owner is to move, is caught.
    pub(super) fn is_caught<C: SizeClass>(&mut self, mut prey: Sketch<C>) -> bool {
        prey.clear_ko();
        self.flee(prey, 0) && self.n_left > 0
    }

    /// True if the prey is caught with its owner to move. The last move of each side is followed without recursion, and in
    /// a ladder there is hardly ever another.
    fn flee<C: SizeClass>(&mut self, mut prey: Sketch<C>, mut depth: usize) -> bool {
        loop {
            if depth >= self.max_depth {
                return true;
            }
            if self.n_left == 0 || prey.has_ko() {
                return false;
            }
            let Some(last) = prey.liberties().first() else { return true };
            let mut run = prey;
            let can_run = run.defend(last);
            if can_run && run.liberties().len_up_to(3) == 3 {
                return false;
            }
            let mut captures = prey.captures();
            captures.remove(last);
            for point in captures.iter() {
                let mut next = prey;
                if next.defend(point) && !self.hunt(next, depth + 1) {
                    return false;
                }
            }
            if !can_run {
                return true;
            }
            prey = run;
            match self.step(&mut prey, depth + 1) {
                Some(is_caught) => return is_caught,
                None => depth += 2,
            }
        }
    }

    /// True if the prey is caught with the hunters to move.
    fn hunt<C: SizeClass>(&mut self, mut prey: Sketch<C>, depth: usize) -> bool {
        self.step(&mut prey, depth).unwrap_or_else(|| self.flee(prey, depth + 1))
    }

    /// The hunters' turn, after a move of the owner: `true` if the prey is caught, `false` if it is free; `None` if that
    /// depends on their last idea, which is then played.
    fn step<C: SizeClass>(&mut self, prey: &mut Sketch<C>, depth: usize) -> Option<bool> {
        self.n_left = self.n_left.saturating_sub(1);
        if depth >= self.max_depth {
            return Some(true);
        }
        let last = match hunt(prey) {
            Hunt::Caught => return Some(true),
            Hunt::Free => return Some(false),
            Hunt::One(point) => point,
            Hunt::Two(first, second) => {
                let mut next = *prey;
                self.n_left = self.n_left.saturating_sub(1);
                if next.attack(first) && self.flee(next, depth + 1) {
                    return Some(true);
                }
                second
            }
        };
        self.n_left = self.n_left.saturating_sub(1);
        if prey.attack(last) { None } else { Some(false) }
    }
}

/// What the hunters can do against the prey.
fn hunt<C: SizeClass>(prey: &Sketch<C>) -> Hunt {
    let liberties = prey.liberties();
    let mut points = liberties.iter();
    let (a, b) = match (points.next(), points.next(), points.next()) {
        (Some(a), Some(b), None) => (a, b),
        (_, None, _) => return Hunt::Caught,
        _ => return Hunt::Free,
    };
    let (open_a, open_b) = (prey.n_open(a, b), prey.n_open(b, a));
    if open_a == 0 && open_b == 0 && prey.is_double_ko(a, b) {
        return Hunt::Caught;
    }
    // Where the prey reaches three open points at the other liberty it is out at once.
    match (open_a >= 3, open_b >= 3) {
        (true, true) => Hunt::Free,
        (true, false) => Hunt::One(a),
        (false, true) => Hunt::One(b),
        (false, false) if open_b > open_a => Hunt::Two(b, a),
        (false, false) => Hunt::Two(a, b),
    }
}
