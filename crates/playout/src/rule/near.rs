//! The eight points around a point.

use goban::{Board, Keep, Point, SizeClass};

/// The low bit of each field of a code.
const LOW: u16 = 0x5555;
const NEIGHBOURS: u16 = 0x00ff;

/// Calls `visit` with every empty point of the board among the eight around `point`.
#[inline(always)]
pub fn each_empty<C: SizeClass, K: Keep>(board: &Board<C, K>, point: Point, mut visit: impl FnMut(Point)) {
    let code = board.code(point).0;
    let mut empty = !(code | code >> 1) & LOW;
    let off = code & code >> 1 & LOW & NEIGHBOURS;
    if off != 0 {
        // Only one of the diagonals off the board is marked as such; the neighbours tell which are.
        const GONE: [u16; 4] = [1 << 8 | 1 << 10, 1 << 8 | 1 << 12, 1 << 10 | 1 << 14, 1 << 12 | 1 << 14];
        let gone = (0..4).fold(0, |gone, i| if off >> (2 * i) & 1 == 1 { gone | GONE[i] } else { gone });
        empty &= !gone;
    }
    let steps: [usize; 8] = const {
        let stride = C::STRIDE;
        [
            stride.wrapping_neg(),
            1usize.wrapping_neg(),
            1,
            stride,
            (stride + 1).wrapping_neg(),
            (stride - 1).wrapping_neg(),
            stride - 1,
            stride + 1,
        ]
    };
    while empty != 0 {
        let field = empty.trailing_zeros() as usize / 2;
        empty &= empty - 1;
        visit(Point::from_idx(point.idx().wrapping_add(steps[field & 7])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Color, Full, Move, Rng, Size, Upto9, Upto13, Vertex};

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
                let mut found = Vec::new();
                each_empty(&board, C::point(vertex), |point| found.push(C::vertex(point)));
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
