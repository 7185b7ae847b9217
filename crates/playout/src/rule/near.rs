//! The eight points around a point.

use std::marker::PhantomData;

use goban::{Board, Code, Color, Keep, Point, SizeClass};

/// Some of the eight points around a point.
#[derive(Clone, Copy, Debug)]
pub struct Near<C: SizeClass> {
    center: Point,
    /// One bit for each point left, at the low bit of its field in a code.
    rest: u16,
    class: PhantomData<C>,
}

/// The empty points of the board among the eight around `center`.
#[inline(always)]
pub fn empties<C: SizeClass, K: Keep>(board: &Board<C, K>, center: Point) -> Near<C> {
    let rest = board.code(center).empty_around();
    Near { center, rest, class: PhantomData }
}

impl<C: SizeClass> Near<C> {
    /// No points.
    #[inline(always)]
    pub fn nothing(center: Point) -> Self {
        Self { center, rest: 0, class: PhantomData }
    }

    /// True without points.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.rest == 0
    }

    /// The point if there is exactly one.
    #[inline(always)]
    pub fn only(mut self) -> Option<Point> {
        if self.rest & self.rest.wrapping_sub(1) == 0 { self.next() } else { None }
    }

    /// Those of the points whose neighbourhoods are good for `color`: `colors` gives one bit for each, Black's lowest. All
    /// eight are asked about, without a branch between.
    #[inline(always)]
    pub fn filter_codes<K: Keep>(
        mut self,
        board: &Board<C, K>,
        color: Color,
        colors: impl Fn(Code) -> u8,
    ) -> Self {
        let mut good = 0;
        for code in board.codes_around(self.center).into_iter().rev() {
            good = good * 4 + u32::from(colors(code));
        }
        self.rest &= (good >> color.idx()) as u16;
        self
    }
}

impl<C: SizeClass> Iterator for Near<C> {
    type Item = Point;

    #[inline(always)]
    fn next(&mut self) -> Option<Point> {
        if self.rest == 0 {
            return None;
        }
        let field = self.rest.trailing_zeros() as usize / 2;
        self.rest &= self.rest - 1;
        Some(self.center.towards::<C>(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Full, Move, Rng, Size, Upto9, Upto13, Vertex};

    /// Against the definition, on random boards of several shapes.
    fn check<C: SizeClass>(width: usize, height: usize, rng: &mut Rng) {
        let size = Size::new(width, height).unwrap();
        let mut board = Board::<C, Full>::new(size);
        let mut color = Color::Black;
        for _ in 0..2 * size.area() {
            let point = board.empty_nth(rng.below(board.n_empty() as u32) as usize).point();
            if board.is_legal(color, point) {
                board.play(color, Move::at(point));
            }
            color = !color;
            for vertex in size.vertices() {
                let mut found: Vec<Vertex> = empties(&board, C::point(vertex)).map(C::vertex).collect();
                let is_near = |other: &Vertex| {
                    let (dx, dy) = (other.col().abs_diff(vertex.col()), other.row().abs_diff(vertex.row()));
                    dx.max(dy) == 1 && board.stone(C::point(*other)).is_none()
                };
                let mut expected: Vec<Vertex> = size.vertices().filter(is_near).collect();
                let key = |vertex: &Vertex| (vertex.row(), vertex.col());
                found.sort_by_key(key);
                expected.sort_by_key(key);
                assert_eq!(found, expected, "around {vertex:?} of {board:?}");
            }
        }
    }

    #[test]
    fn all_empty_points_around() {
        let mut rng = Rng::new(3);
        check::<Upto9>(9, 9, &mut rng);
        check::<Upto9>(5, 3, &mut rng);
        check::<Upto9>(2, 2, &mut rng);
        check::<Upto13>(11, 13, &mut rng);
    }
}
