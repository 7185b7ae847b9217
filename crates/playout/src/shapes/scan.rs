//! The values of all moves of one position, from one look at the board: for priors, which see each position once and may not
//! allocate.

use goban::{Board, Color, Keep, Point, Size, SizeClass};

use super::grid::{ShapeGrid, digit, stone_digit};
use super::table::ShapeTable;

/// Rectangles of the largest board.
const MAX_RECTS: usize = {
    let (one, two, three) = (Size::MAX, Size::MAX - 1, Size::MAX - 2);
    one * one + 2 * one * two + two * two + 2 * two * three + three * three
};

/// The shapes of one position with their weights.
pub struct ShapeScan<'a> {
    table: &'a ShapeTable,
    grid: &'a ShapeGrid,
    /// By rectangle: the number of its shape.
    shapes: [u32; MAX_RECTS],
    /// By rectangle: the weight of its shape.
    weights: [i32; MAX_RECTS],
    sum: i32,
}

impl<'a> ShapeScan<'a> {
    /// Looks at a board; `grid` and `table` are those of its size.
    pub fn new<C: SizeClass, K: Keep>(
        table: &'a ShapeTable,
        grid: &'a ShapeGrid,
        board: &Board<C, K>,
    ) -> ShapeScan<'a> {
        let mut scan = ShapeScan { table, grid, shapes: [0; MAX_RECTS], weights: [0; MAX_RECTS], sum: 0 };
        let n_rects = grid.n_rects();
        scan.shapes[..n_rects].copy_from_slice(grid.first_shapes());
        for vertex in board.size().vertices() {
            let point = C::point(vertex);
            let digit = u32::from(digit(board.at(point)));
            if digit != 0 {
                for touch in grid.touches(point) {
                    scan.shapes[usize::from(touch.rect)] += digit * u32::from(touch.power);
                }
            }
        }
        for (weight, &shape) in scan.weights.iter_mut().zip(&scan.shapes[..n_rects]) {
            *weight = table.weight(shape);
            scan.sum += *weight;
        }
        scan
    }

    /// How likely `color` wins after it passed, 0..=1.
    pub fn value_of_pass(&self, color: Color) -> f32 {
        self.value(color, self.sum)
    }

    /// How likely `color` wins after a stone at the empty `point`, stones that it takes included, 0..=1.
    pub fn value_of_move<C: SizeClass, K: Keep>(
        &mut self,
        board: &Board<C, K>,
        color: Color,
        point: Point,
    ) -> f32 {
        let taken = board.chains_beside_with(point, !color, 1, 1);
        let (own, other) = (i32::from(stone_digit(color)), i32::from(stone_digit(!color)));
        if taken.is_empty() {
            let mut sum = self.sum;
            for touch in self.grid.touches(point) {
                let rect = usize::from(touch.rect);
                let shape = self.shapes[rect] + own as u32 * u32::from(touch.power);
                sum += self.table.weight(shape) - self.weights[rect];
            }
            return self.value(color, sum);
        }
        let before = self.sum;
        self.change(point, own);
        for head in taken {
            board.chain(head).for_each(|stone| self.change(stone, -other));
        }
        let after = self.sum;
        for head in taken {
            board.chain(head).for_each(|stone| self.change(stone, other));
        }
        self.change(point, -own);
        debug_assert_eq!(self.sum, before);
        self.value(color, after)
    }

    /// Adds a step to the digit of a point.
    fn change(&mut self, point: Point, step: i32) {
        for touch in self.grid.touches(point) {
            let rect = usize::from(touch.rect);
            self.shapes[rect] = self.shapes[rect].wrapping_add_signed(step * i32::from(touch.power));
            let weight = self.table.weight(self.shapes[rect]);
            self.sum += weight - self.weights[rect];
            self.weights[rect] = weight;
        }
    }

    fn value(&self, color: Color, sum: i32) -> f32 {
        let black = self.table.black_wins(sum, color);
        if color == Color::Black { black } else { 1.0 - black }
    }
}
