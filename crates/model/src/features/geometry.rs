//! Lines and distances of all points of a board at once, in loops that vectorise.

use goban::{Point, Size, SizeClass};

/// Places for the points of the largest class, in whole vectors of 32.
const N_PLACES: usize = 672;
const N_LANES: usize = 32;

/// A number for each point.
type PointColumn = [u8; N_PLACES];

/// Lines and distances by point.
pub(super) struct Geometry {
    /// The lower line of the two coordinates, from 1 at the edge.
    low: PointColumn,
    /// The higher one.
    high: PointColumn,
    /// Coulom's distances to the last move and to the one before it; 0 where there is none.
    distance: [PointColumn; 2],
}

/// Columns (or rows) of all points where rows lie `stride` apart.
const fn coordinates(stride: usize, is_row: bool) -> PointColumn {
    let mut all = [0; N_PLACES];
    let mut idx = 0;
    while idx < N_PLACES {
        all[idx] = (if is_row { idx / stride } else { idx % stride }) as u8;
        idx += 1;
    }
    all
}

impl Geometry {
    /// Of a board whose last two moves were made at `recent`.
    pub(super) fn new<C: SizeClass>(size: Size, recent: [Option<Point>; 2]) -> Geometry {
        let n = const { C::POINTS.next_multiple_of(N_LANES) };
        let cols: &'static PointColumn = const { &coordinates(C::STRIDE, false) };
        let rows: &'static PointColumn = const { &coordinates(C::STRIDE, true) };
        let mut all = Geometry { low: [0; N_PLACES], high: [0; N_PLACES], distance: [[0; N_PLACES]; 2] };
        let (right, bottom) = (size.width() as u8 - 1, size.height() as u8 - 1);
        // Points off the board get some number too.
        let line = |at: u8, end: u8| at.min(end.wrapping_sub(at)) + 1;
        let (low, high) = (&mut all.low[..n], &mut all.high[..n]);
        for (((low, high), &col), &row) in low.iter_mut().zip(high).zip(&cols[..n]).zip(&rows[..n]) {
            let (x, y) = (line(col, right), line(row, bottom));
            (*low, *high) = (x.min(y), x.max(y));
        }
        for (distance, from) in all.distance.iter_mut().zip(recent) {
            let Some(from) = from else { continue };
            let (x, y) = (cols[from.idx()], rows[from.idx()]);
            for ((distance, &col), &row) in distance[..n].iter_mut().zip(&cols[..n]).zip(&rows[..n]) {
                let (dx, dy) = (col.abs_diff(x), row.abs_diff(y));
                *distance = dx + dy + dx.max(dy);
            }
        }
        all
    }

    /// The lines of a point, the lower first.
    #[inline(always)]
    pub(super) fn lines(&self, point: Point) -> [u8; 2] {
        [self.low[point.idx()], self.high[point.idx()]]
    }

    /// Coulom's distances from a point to the last moves.
    #[inline(always)]
    pub(super) fn distance(&self, point: Point) -> [u8; 2] {
        [self.distance[0][point.idx()], self.distance[1][point.idx()]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Upto9, Upto25, Vertex};

    /// Against the definitions.
    fn check<C: SizeClass>(width: usize, height: usize, last: Vertex) {
        let size = Size::new(width, height).unwrap();
        let all = Geometry::new::<C>(size, [Some(C::point(last)), None]);
        for vertex in size.vertices() {
            let (x, y) =
                (vertex.col().min(width - 1 - vertex.col()), vertex.row().min(height - 1 - vertex.row()));
            let (dx, dy) = (vertex.col().abs_diff(last.col()), vertex.row().abs_diff(last.row()));
            let point = C::point(vertex);
            assert_eq!(all.lines(point).map(usize::from), [x.min(y) + 1, x.max(y) + 1]);
            assert_eq!(all.distance(point).map(usize::from), [dx + dy + dx.max(dy), 0]);
        }
    }

    #[test]
    fn lines_and_distances_of_all_points() {
        check::<Upto9>(9, 9, Vertex::new(2, 3));
        check::<Upto9>(2, 7, Vertex::new(1, 6));
        check::<Upto25>(25, 25, Vertex::new(24, 0));
    }
}
