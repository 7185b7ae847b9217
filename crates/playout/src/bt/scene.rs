//! The features of the moves of one position.
//!
//! The neighbourhood and the line of a point are *lasting*: they change only where stones come and go. *Passing* features depend on the
//! last moves and on chains in atari; only the few points of [`BtScene::special`] have any. Whether a move is a self-atari is asked of a
//! single move: a policy asks it of the one it has drawn.

use goban::tactics::{after, n_liberties_after};
use goban::{Board, Color, Keep, Move, Point, PointSet, Size, SizeClass};

use super::list::{
    BEFORE, BRACE, EXTEND, LAST, LINE, N_LINES, N_OUTCOMES, PRESS, SELF_ATARI, SHAPE, TAKE, self_atari_level,
    size_level,
};
use crate::pattern3::{seen_by, shape_number};

/// What features need to know of a board besides its stones.
#[derive(Clone, Debug)]
pub struct BtGeometry {
    /// By point: its line from the edge, from 0, at most the fifth.
    lines: Vec<u8>,
    /// By point: the words of the set of points at most two steps away, without the point itself.
    near: Vec<u64>,
}

/// True if two points lie beside each other, diagonally, or two lines apart on the same line.
fn are_near<C: SizeClass>(a: Point, b: Point) -> bool {
    let (a, b) = (C::vertex(a), C::vertex(b));
    let apart = (a.col().abs_diff(b.col()), a.row().abs_diff(b.row()));
    matches!(apart, (0, 1 | 2) | (1, 0 | 1) | (2, 0))
}

/// The level of two points that are near each other.
#[inline(always)]
fn step<C: SizeClass>(a: Point, b: Point) -> usize {
    let apart = a.idx().abs_diff(b.idx());
    if apart == 1 || apart == C::STRIDE {
        0
    } else if apart == 2 || apart == 2 * C::STRIDE {
        2
    } else {
        1
    }
}

impl BtGeometry {
    /// For boards of a size.
    pub fn new<C: SizeClass>(size: Size) -> BtGeometry {
        let mut lines = vec![0; C::POINTS];
        let mut near = Vec::with_capacity(C::POINTS * C::Set::N_WORDS);
        for (idx, line) in lines.iter_mut().enumerate() {
            let (point, mut set) = (Point::from_idx(idx), C::Set::EMPTY);
            let at = C::vertex(point);
            if at.col() < size.width() && at.row() < size.height() {
                let to_edge = at.col().min(at.row());
                let to_far_edge = (size.width() - 1 - at.col()).min(size.height() - 1 - at.row());
                *line = to_edge.min(to_far_edge).min(N_LINES - 1) as u8;
                let others = size.vertices().map(C::point).filter(|&other| are_near::<C>(point, other));
                others.for_each(|other| set.insert(other));
            }
            near.extend_from_slice(set.words_mut());
        }
        BtGeometry { lines, near }
    }

    /// For a board.
    pub fn of<C: SizeClass, K: Keep>(board: &Board<C, K>) -> BtGeometry {
        BtGeometry::new::<C>(board.size())
    }

    /// The line of a point, from 0.
    #[inline(always)]
    pub(super) fn line(&self, point: Point) -> usize {
        usize::from(self.lines[point.idx()])
    }

    /// The points at most two steps away from one.
    #[inline(always)]
    fn near<C: SizeClass>(&self, point: Point) -> C::Set {
        let mut set = C::Set::EMPTY;
        let n_words = C::Set::N_WORDS;
        set.words_mut().copy_from_slice(&self.near[point.idx() * n_words..][..n_words]);
        set
    }
}

/// A position as its features see it.
pub struct BtScene<'a, C: SizeClass, K: Keep> {
    board: &'a Board<C, K>,
    geometry: &'a BtGeometry,
    mover: Color,
    /// Where the last two moves were made, the latest first, and the points near them.
    recent: [Option<(Point, C::Set)>; 2],
    /// The last move, if its stone still stands.
    last: Option<Point>,
    /// The liberties of its chain, if it has two.
    press: C::Set,
    /// Liberties of own chains of two beside it, by the level of their size.
    brace: [C::Set; 2],
}

impl<'a, C: SizeClass, K: Keep> BtScene<'a, C, K> {
    /// The moves of `mover` after the moves `recent`, the latest first; a pass also stands for an unknown one.
    #[inline(always)]
    pub fn new(board: &'a Board<C, K>, geometry: &'a BtGeometry, mover: Color, recent: [Move; 2]) -> Self {
        const { assert!(K::ATARI, "features read the chains in atari") };
        let last = recent[0].point().filter(|&point| board.is_stone(point, !mover));
        let recent = recent.map(|mv| mv.point().map(|point| (point, geometry.near::<C>(point))));
        let (mut press, mut brace) = (C::Set::EMPTY, [C::Set::EMPTY; 2]);
        if let Some(last) = last {
            if board.n_liberties(last) == 2 {
                press = board.liberties(last);
            }
            for head in board.chains_beside_with(last, mover, 2, 2) {
                let set = &mut brace[size_level(board.chain_len(head))];
                *set = set.union(&board.liberties(head));
            }
        }
        Self { board, geometry, mover, recent, last, press, brace }
    }

    /// The empty points that may have passing features.
    #[inline(always)]
    pub fn special(&self) -> C::Set {
        let [own, enemy] = [self.mover, !self.mover].map(|color| self.board.last_liberties(color));
        let mut set = own.union(enemy).union(&self.press).union(&self.brace[0]).union(&self.brace[1]);
        for (_, near) in self.recent.iter().flatten() {
            set = set.union(near);
        }
        set.intersection(self.board.empty())
    }

    /// The lasting features of a move.
    #[inline(always)]
    pub fn lasting(&self, point: Point) -> [usize; 2] {
        let code = seen_by(self.board.code(point), self.mover);
        [SHAPE + shape_number(code), LINE + self.geometry.line(point)]
    }

    /// Calls `each` with every passing feature of a move.
    #[inline(always)]
    pub fn passing(&self, point: Point, mut each: impl FnMut(usize)) {
        for (start, recent) in [LAST, BEFORE].into_iter().zip(&self.recent) {
            if let Some((other, near)) = recent
                && near.contains(point)
            {
                each(start + step::<C>(*other, point));
            }
        }
        if self.board.last_liberties(!self.mover).contains(point)
            && let Some(level) = self.take(point)
        {
            each(TAKE + level);
        }
        if self.board.last_liberties(self.mover).contains(point)
            && let Some(level) = self.extend(point)
        {
            each(EXTEND + level);
        }
        if self.press.contains(point)
            && let Some(last) = self.last
        {
            each(PRESS + size_level(self.board.chain_len(last)));
        }
        if self.brace[1].contains(point) {
            each(BRACE + 1);
        } else if self.brace[0].contains(point) {
            each(BRACE);
        }
    }

    /// The level of the stones that a move takes.
    #[inline(never)]
    fn take(&self, point: Point) -> Option<usize> {
        let (board, mover) = (self.board, self.mover);
        let may_save = !board.last_liberties(mover).is_empty();
        let (mut n_stones, mut saves) = (0, false);
        for head in board.chains_beside_with(point, !mover, 1, 1) {
            n_stones += board.chain_len(head);
            let is_beside_atari = |stone| !board.chains_beside_with(stone, mover, 1, 1).is_empty();
            saves |= may_save && board.chain(head).any(is_beside_atari);
        }
        (n_stones > 0).then(|| size_level(n_stones) + if saves { 2 } else { 0 })
    }

    /// The level of the chains in atari that a move extends.
    #[inline(never)]
    fn extend(&self, point: Point) -> Option<usize> {
        let (board, mover) = (self.board, self.mover);
        let (mut n_stones, mut is_fresh) = (0, false);
        for head in board.chains_beside_with(point, mover, 1, 1) {
            n_stones += board.chain_len(head);
            let is_this = |other: Point| other == head;
            is_fresh |=
                self.last.is_some_and(|last| board.chains_beside(last, mover).into_iter().any(is_this));
        }
        let n_liberties = n_liberties_after(board, mover, point, N_OUTCOMES);
        let outcome = n_liberties.clamp(1, N_OUTCOMES) - 1;
        (n_stones > 0).then(|| (size_level(n_stones) * 2 + usize::from(is_fresh)) * N_OUTCOMES + outcome)
    }

    /// Calls `each` with every feature of a move, in the order of the list. For trainers: small rather than fast.
    #[inline(never)]
    pub fn team(&self, point: Point, each: &mut dyn FnMut(usize)) {
        self.lasting(point).into_iter().for_each(&mut *each);
        self.passing(point, &mut *each);
        if let Some(level) = self_atari(self.board, self.mover, point) {
            each(SELF_ATARI + level);
        }
    }
}

/// The level of a move that takes nothing and leaves its chain with one liberty.
#[inline(always)]
pub fn self_atari<C: SizeClass, K: Keep>(board: &Board<C, K>, mover: Color, point: Point) -> Option<usize> {
    if board.code(point).n_empty() >= 2 { None } else { self_atari_inside(board, mover, point) }
}

#[inline(never)]
fn self_atari_inside<C: SizeClass, K: Keep>(
    board: &Board<C, K>,
    mover: Color,
    point: Point,
) -> Option<usize> {
    let after = after(board, mover, point);
    let is_self_atari = after.n_captured == 0 && after.liberties.len() == 1;
    is_self_atari.then(|| self_atari_level(after.n_stones))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bt::list::GROUPS;
    use goban::{Full, Setup, Upto9, Vertex};

    /// The features of a move of Black's after White's move `last`, but for the shape, as text.
    fn team(drawing: &str, last: (usize, usize), mv: (usize, usize)) -> Vec<String> {
        let setup = Setup::parse(drawing).unwrap();
        let mut board = Board::<Upto9, Full>::new(setup.size());
        for (vertex, color) in setup.stones() {
            board.play(color, board.to_move(vertex));
        }
        let geometry = BtGeometry::new::<Upto9>(setup.size());
        let at = |(col, row)| Upto9::point(Vertex::new(col, row));
        let scene = BtScene::new(&board, &geometry, Color::Black, [Move::at(at(last)), Move::PASS]);
        let mut names = Vec::new();
        scene.team(at(mv), &mut |feature| {
            let mut rest = feature;
            let group = GROUPS.iter().find(|group| {
                let is_here = rest < group.n_levels;
                rest -= if is_here { 0 } else { group.n_levels };
                is_here
            });
            names.push(format!("{} {rest}", group.unwrap().name));
        });
        let is_special = scene.special().contains(at(mv));
        assert!(
            is_special
                || names
                    .iter()
                    .all(|name| ["shape", "line", "self"].iter().any(|word| name.starts_with(word)))
        );
        names.remove(0);
        names
    }

    #[test]
    fn features_worked_by_hand() {
        let fight = "
            . . . . . . .
            . . X O . . .
            . X O X O . .
            . . . X . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        // White D6 has put no chain into atari; E6's chain has three liberties. C5 is in atari at C4: taking it saves nothing.
        assert_eq!(team(fight, (3, 1), (2, 3)), ["line 2", "take 0"]);
        // Beside the last move, whose stone has two liberties, and a diagonal to it.
        assert_eq!(team(fight, (3, 1), (3, 0)), ["line 0", "last 0", "press 0"]);
        assert_eq!(team(fight, (3, 1), (4, 0)), ["line 0", "last 1"]);
        assert_eq!(team(fight, (3, 1), (5, 1)), ["line 1", "last 2"]);
    }

    #[test]
    fn chains_in_atari_worked_by_hand() {
        let running = "
            . . . . . . .
            . . O . . . .
            . O X O . . .
            . . . . . . .
            . . . . . . .
            . O O . . . .
            X X O . . . .";
        // The last move was to the right of the stone: fresh, one stone, three liberties afterwards.
        assert_eq!(team(running, (3, 2), (2, 3)), ["line 2", "last 1", "extend 5"]);
        // The corner: two stones with one liberty, and one more would have it still; the atari is old.
        assert_eq!(team(running, (3, 2), (0, 5)), ["line 0", "extend 6", "self-atari 2"]);
    }

    #[test]
    fn two_liberties_and_self_atari_worked_by_hand() {
        let edge = "
            . . . . . . .
            . . . . . . .
            . . . X . . .
            . . X O X . .
            . . . O . . .
            . X X X . . O
            . . . . . O .";
        // White's two stones, the lower one the last move, have two liberties, C3 and E3.
        assert_eq!(team(edge, (3, 4), (4, 4)), ["line 2", "last 0", "press 1"]);
        // A stone in the corner between two white ones takes nothing and has no liberty: illegal, and no level; one beside has one.
        assert_eq!(team(edge, (5, 6), (4, 6)), ["line 0", "last 0"]);
        assert_eq!(team(edge, (3, 4), (6, 6)), ["line 0"]);
        let hole = "
            . . . . .
            . O . . .
            O . O . .
            . . . . .
            . . . . .";
        assert_eq!(team(hole, (2, 2), (1, 2)), ["line 1", "last 0", "self-atari 0"]);
    }
}
