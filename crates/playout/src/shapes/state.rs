//! The value of a position by its shapes, kept move by move.
//!
//! A stone changes the shapes of at most thirty rectangles, and what a move would be worth changes only for points that share a
//! rectangle with it, two steps away at most. So a position keeps, for each point and colour, what a stone there would add, and
//! works it out anew where something changed. Sums are whole numbers: they do not depend on the way that led to them.

use std::sync::Arc;

use goban::{Board, Color, Keep, Point, PointSet, SizeClass};

use super::grid::{ShapeCodes, ShapeGrid, stone_digit};
use super::table::ShapeTable;

/// The shapes of a position with their weights.
#[derive(Clone, Debug)]
pub struct ShapeState {
    table: Arc<ShapeTable>,
    grid: ShapeGrid,
    codes: ShapeCodes,
    empty: ShapeCodes,
    /// By rectangle: the weight of its shape.
    weights: Vec<i32>,
    sum: i32,
    /// By point: what a black and a white stone there would add to the sum if it took nothing. Right for empty points that are not
    /// `stale`.
    added: Vec<[i32; 2]>,
    is_stale: Vec<bool>,
    /// The points that are.
    stale: Vec<Point>,
    /// By colour of the stones: captured when the board was last seen.
    n_captured: [u32; 2],
}

/// How far two points of one rectangle can be apart, in columns or rows.
const REACH: usize = 2;

impl ShapeState {
    /// The empty board.
    pub fn new<C: SizeClass>(table: Arc<ShapeTable>) -> ShapeState {
        let grid = ShapeGrid::new::<C>(table.size());
        let codes = ShapeCodes::new::<C>(&grid);
        let weights: Vec<i32> = codes.shapes.iter().map(|&shape| table.weight(shape)).collect();
        let mut state = ShapeState {
            sum: weights.iter().sum(),
            empty: codes.clone(),
            table,
            codes,
            weights,
            added: vec![[0; 2]; C::POINTS],
            is_stale: vec![false; C::POINTS],
            stale: Vec::with_capacity(C::POINTS),
            n_captured: [0; 2],
            grid,
        };
        state.forget::<C>();
        state
    }

    /// The weights.
    pub fn table(&self) -> &ShapeTable {
        &self.table
    }

    /// The weights of all shapes together, in [`UNIT`](super::file::UNIT)s of Black's ln(odds).
    #[inline(always)]
    pub fn sum(&self) -> i32 {
        self.sum
    }

    /// Holds nothing for known.
    fn forget<C: SizeClass>(&mut self) {
        self.stale.clear();
        for vertex in self.grid.size().vertices() {
            self.stale.push(C::point(vertex));
            self.is_stale[C::point(vertex).idx()] = true;
        }
    }

    /// Becomes a position, whatever was there before.
    pub fn start<C: SizeClass, K: Keep>(&mut self, board: &Board<C, K>) {
        self.codes.copy_from(&self.empty);
        for vertex in self.grid.size().vertices() {
            let point = C::point(vertex);
            if let Some(color) = board.stone(point) {
                self.codes.set(&self.grid, point, stone_digit(color), |_, _| {});
            }
        }
        self.sum = 0;
        for (weight, &shape) in self.weights.iter_mut().zip(&self.codes.shapes) {
            *weight = self.table.weight(shape);
            self.sum += *weight;
        }
        self.forget::<C>();
        self.see_captures(board);
    }

    /// Notes how many stones were captured; true if others were captured since.
    fn see_captures<C: SizeClass, K: Keep>(&mut self, board: &Board<C, K>) -> bool {
        let n_captured = Color::BOTH.map(|color| board.n_captured(color));
        std::mem::replace(&mut self.n_captured, n_captured) != n_captured
    }

    /// Follows a move of `color` at `point`, which `board` has seen already.
    pub fn play<C: SizeClass, K: Keep>(&mut self, board: &Board<C, K>, color: Color, point: Point) {
        self.set::<C>(point, stone_digit(color));
        if !self.see_captures(board) {
            return;
        }
        for vertex in self.grid.size().vertices() {
            let point = C::point(vertex);
            if self.codes.digit(point) != 0 && board.stone(point).is_none() {
                self.set::<C>(point, 0);
            }
        }
    }

    /// Puts a digit on a point, for good.
    fn set<C: SizeClass>(&mut self, point: Point, digit: u8) {
        self.change(point, digit);
        let (at, size) = (C::vertex(point), self.grid.size());
        let span = |at: usize, side: usize| at.saturating_sub(REACH)..(at + REACH + 1).min(side);
        for row in span(at.row(), size.height()) {
            for col in span(at.col(), size.width()) {
                let idx = row * C::STRIDE + col;
                if !std::mem::replace(&mut self.is_stale[idx], true) {
                    self.stale.push(Point::from_idx(idx));
                }
            }
        }
    }

    /// Puts a digit on a point and keeps the sum right.
    #[inline]
    fn change(&mut self, point: Point, digit: u8) {
        let Self { table, grid, codes, weights, sum, .. } = self;
        codes.set(grid, point, digit, |rect, shape| {
            let weight = table.weight(shape);
            *sum += weight - weights[rect];
            weights[rect] = weight;
        });
    }

    /// Works out what is not known of the empty points. To be called before [`ShapeState::added`].
    #[inline]
    pub fn refresh(&mut self) {
        let Self { table, grid, codes, weights, added, is_stale, stale, .. } = self;
        for point in stale.drain(..) {
            is_stale[point.idx()] = false;
            if codes.digit(point) != 0 {
                continue;
            }
            let mut sums = [0; 2];
            for touch in grid.touches(point) {
                let (rect, power) = (usize::from(touch.rect), u32::from(touch.power));
                let (shape, weight) = (codes.shapes[rect], weights[rect]);
                sums[0] += table.weight(shape + power) - weight;
                sums[1] += table.weight(shape + 2 * power) - weight;
            }
            added[point.idx()] = sums;
        }
    }

    /// What a stone of `color` at the empty `point` adds to the sum if it takes nothing. Right after [`ShapeState::refresh`].
    #[inline(always)]
    pub fn added(&self, color: Color, point: Point) -> i32 {
        self.added[point.idx()][color.idx()]
    }

    /// What a stone of `color` at the empty `point` adds to the sum, stones that it takes included.
    pub fn added_with_captures<C: SizeClass, K: Keep>(
        &mut self,
        board: &Board<C, K>,
        color: Color,
        point: Point,
    ) -> i32 {
        let before = self.sum;
        self.change(point, stone_digit(color));
        let taken = board.chains_beside_with(point, !color, 1, 1);
        for head in taken {
            board.chain(head).for_each(|stone| self.change(stone, 0));
        }
        let added = self.sum - before;
        for head in taken {
            board.chain(head).for_each(|stone| self.change(stone, stone_digit(!color)));
        }
        self.change(point, 0);
        debug_assert_eq!(self.sum, before);
        added
    }

    /// Shows each point at which `color` would take something, with what the move adds to the sum.
    pub fn each_capture<C: SizeClass, K: Keep>(
        &mut self,
        board: &Board<C, K>,
        color: Color,
        mut each: impl FnMut(Point, i32),
    ) {
        if !board.may_have_atari(!color) {
            return;
        }
        let mut seen = C::Set::EMPTY;
        for head in board.chains_in_atari(!color) {
            let Some(liberty) = board.liberties(head).first() else { continue };
            if !seen.contains(liberty) {
                seen.insert(liberty);
                each(liberty, self.added_with_captures(board, color, liberty));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::file::{ShapeModel, ShapeOrigin};
    use crate::shapes::{ShapeClasses, ShapeScan};
    use goban::{EyeRule, Full, Move, Rng, Size, Tactical, Upto9, Upto13};

    /// Weights drawn at random.
    fn table(learned: usize, size: Size) -> Arc<ShapeTable> {
        let square = Size::square(learned).unwrap();
        let mut rng = Rng::new(5);
        let weights: Vec<f32> =
            (0..ShapeClasses::new(square).n_classes()).map(|_| rng.unit() - 0.5).collect();
        let model = ShapeModel::new(square, ShapeOrigin::default(), &weights, [0.0; 2]);
        Arc::new(ShapeTable::new(&model, size))
    }

    /// The sum of a board that was never seen before.
    fn scan<C: SizeClass, K: Keep>(table: &Arc<ShapeTable>, board: &Board<C, K>) -> i32 {
        let mut state = ShapeState::new::<C>(Arc::clone(table));
        state.start(board);
        state.sum()
    }

    /// Plays random games, eyes filled and all, and compares every move of every position with a new look at the board.
    fn check<C: SizeClass>(size: Size, n_games: usize, n_moves: usize) {
        let table = table(5, size);
        let mut rng = Rng::new(size.area() as u64);
        let (mut state, grid) = (ShapeState::new::<C>(Arc::clone(&table)), ShapeGrid::new::<C>(size));
        let (mut n_captures, mut n_kos) = (0, 0);
        for _ in 0..n_games {
            let mut full = Board::<C, Full>::new(size);
            let mut color = Color::Black;
            state.start(&full.keeping::<Tactical>());
            for _ in 0..n_moves {
                let board = full.keeping::<Tactical>();
                state.refresh();
                let legal = |point: &Point| {
                    board.is_legal(color, *point) && !board.is_eye(*point, color, EyeRule::Standard)
                };
                let moves: Vec<Point> = board.empties().filter(legal).collect();
                if moves.is_empty() {
                    break;
                }
                let mut captures = Vec::new();
                state.each_capture(&board, color, |point, added| captures.push((point, added)));
                let mut seen = ShapeScan::new(&table, &grid, &board);
                for &point in &moves {
                    let mut after = full;
                    let n_taken = after.play(color, Move::at(point));
                    let capture = captures.iter().find(|(other, _)| *other == point);
                    assert_eq!(capture.is_some(), n_taken > 0);
                    let added = capture.map_or(state.added(color, point), |(_, added)| *added);
                    assert_eq!(state.sum() + added, scan(&table, &after), "{after:?}");
                    let black = table.black_wins(state.sum() + added, color);
                    let own = if color == Color::Black { black } else { 1.0 - black };
                    assert_eq!(seen.value_of_move(&board, color, point), own, "{after:?}");
                }
                let point = moves[rng.below(moves.len() as u32) as usize];
                n_captures += full.play(color, Move::at(point));
                n_kos += usize::from(full.ko().is_some());
                state.play(&full.keeping::<Tactical>(), color, point);
                assert_eq!(state.sum(), scan(&table, &full), "{full:?}");
                color = !color;
            }
        }
        assert!(n_captures > 20 && n_kos > 0, "{n_captures} {n_kos}");
    }

    #[test]
    fn the_value_kept_move_by_move_is_that_of_a_new_look() {
        check::<Upto9>(Size::square(5).unwrap(), 6, 60);
        check::<Upto9>(Size::new(7, 4).unwrap(), 4, 80);
        check::<Upto13>(Size::new(3, 10).unwrap(), 6, 120);
    }

    #[test]
    fn a_position_worked_by_hand() {
        // Only single stones have weights: 1 in the corner, 0.5 on the edge, 0.25 in the middle, and 0.125 anywhere.
        let size = Size::square(3).unwrap();
        let classes = ShapeClasses::new(size);
        let mut weights = vec![0.0; classes.n_classes()];
        weights[1..4].copy_from_slice(&[1.0, 0.5, 0.25]);
        weights[classes.n_placed() + 1] = 0.125;
        let model = ShapeModel::new(size, ShapeOrigin::default(), &weights, [0.0; 2]);
        let mut state = ShapeState::new::<Upto9>(Arc::new(ShapeTable::new(&model, size)));
        let mut board = Board::<Upto9, Full>::new(size);
        let units = |value: f32| (value * 4096.0) as i32;
        for (color, text, expected) in [
            (Color::Black, "b2", 0.375),
            (Color::White, "a3", 0.375 - 1.125),
            (Color::Black, "a2", 0.375 - 1.125 + 0.625),
        ] {
            let point = board.to_move(size.parse_vertex(text).unwrap()).point().unwrap();
            board.play(color, Move::at(point));
            state.play(&board, color, point);
            assert_eq!(state.sum(), units(expected), "{text}");
        }
        // Black b3 takes the stone in the corner: 0.625 for the stone, 1.125 for the one that goes.
        let b3 = board.to_move(size.parse_vertex("b3").unwrap()).point().unwrap();
        state.refresh();
        assert_eq!(state.added(Color::Black, b3), units(0.625));
        let mut captures = Vec::new();
        state.each_capture(&board, Color::Black, |point, added| captures.push((point, added)));
        assert_eq!(captures, [(b3, units(0.625 + 1.125))]);
    }
}
