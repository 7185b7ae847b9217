//! The weights of shapes, laid out for a board so that a shape costs one look.
//!
//! On the board that they were learned on, each shape gets the sum of its two weights. On any other board the
//! location-dependent weight is that of the learned rectangle which lies as far from the nearest edges, and for rectangles far from
//! all edges that of the middle.

use goban::{Color, Size};

use super::classes::{Entry, ShapeClasses};
use super::file::{ShapeModel, UNIT};
use super::grid::{ShapeRect, first_shapes, rects};
use crate::math::exp;

/// The weight of every shape of a board, both kinds of weights summed up.
#[derive(Clone, Debug)]
pub struct ShapeTable {
    size: Size,
    /// By number of the shape, in [`UNIT`]s; sums beyond ±8 are cut.
    weights: Vec<i16>,
    turns: [i16; 2],
}

impl ShapeTable {
    /// The weights of a model for boards of `size`.
    pub fn new(model: &ShapeModel, size: Size) -> ShapeTable {
        let classes = ShapeClasses::new(model.size);
        let learned: Vec<ShapeRect> = rects(model.size).collect();
        let (firsts, _) = first_shapes(&learned);
        let weight = |entry: Entry| {
            let weight = i32::from(model.weight(entry as usize / 2));
            if entry.is_multiple_of(2) { weight } else { -weight }
        };
        let mut weights = Vec::new();
        for rect in rects(size) {
            let kind = rect.kind();
            let like = ShapeRect {
                kind_idx: rect.kind_idx,
                col: learned_place(rect.col, kind.width, size.width(), model.size.width()),
                row: learned_place(rect.row, kind.height, size.height(), model.size.height()),
            };
            let like = learned.iter().position(|other| *other == like);
            let placed = like.map(|idx| &classes.all_placed()[firsts[idx] as usize..][..kind.n_shapes()]);
            weights.extend(classes.anywhere(rect.kind_idx).iter().enumerate().map(|(shape, &anywhere)| {
                let sum = weight(anywhere) + placed.map_or(0, |entries| weight(entries[shape]));
                sum.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
            }));
        }
        ShapeTable { size, weights, turns: Color::BOTH.map(|color| model.turn(color)) }
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The weight of a shape, by its number among those of all rectangles, in [`UNIT`]s.
    #[inline(always)]
    pub fn weight(&self, shape: u32) -> i32 {
        i32::from(self.weights[shape as usize])
    }

    /// How likely Black wins, 0..=1, if the weights of all shapes add up to `sum` after a move of `last`.
    #[inline(always)]
    pub fn black_wins(&self, sum: i32, last: Color) -> f32 {
        sigmoid((sum + i32::from(self.turns[last.idx()])) as f32 * UNIT)
    }
}

/// σ(x) = 1 / (1 + e⁻ˣ).
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The place, on a side of `learned` points, of the rectangle that lies as far from the nearest edge as the one at `at` on a side of
/// `side` points; both are `length` points long.
fn learned_place(at: usize, length: usize, side: usize, learned: usize) -> usize {
    let last = |side: usize| (side + 1).saturating_sub(length).saturating_sub(1);
    let (before, behind) = (at, last(side).saturating_sub(at));
    let middle = last(learned) / 2;
    if before <= behind { before.min(middle) } else { last(learned) - behind.min(middle) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::file::ShapeOrigin;

    #[test]
    fn places_keep_their_distance_from_the_nearest_edge() {
        let places = |length, side, learned| -> Vec<usize> {
            (0..side + 1 - length).map(|at| learned_place(at, length, side, learned)).collect()
        };
        assert_eq!(places(3, 9, 9), (0..7).collect::<Vec<_>>());
        assert_eq!(places(2, 9, 9), (0..8).collect::<Vec<_>>());
        assert_eq!(places(1, 13, 9), [0, 1, 2, 3, 4, 4, 4, 4, 4, 5, 6, 7, 8]);
        assert_eq!(places(3, 5, 9), [0, 1, 6]);
    }

    #[test]
    fn both_weights_of_a_shape_add_up_and_sums_are_cut() {
        let size = Size::square(3).unwrap();
        let classes = ShapeClasses::new(size);
        let mut weights = vec![0.0; classes.n_classes()];
        // A stone in a corner, and a stone anywhere.
        weights[1] = 0.5;
        weights[classes.n_placed() + 1] = 0.25;
        let model = |weights: &[f32]| ShapeModel::new(size, ShapeOrigin::default(), weights, [0.0, 1.0]);
        let table = ShapeTable::new(&model(&weights), size);
        // Black and white in the corner, black at the edge.
        assert_eq!([1, 2, 4].map(|shape| table.weight(shape)), [3072, -3072, 1024]);
        assert_eq!(table.black_wins(0, Color::Black), 0.5);
        assert!((table.black_wins(4096, Color::White) - 0.880_797).abs() < 1e-6);
        weights[1] = 7.9;
        assert_eq!(ShapeTable::new(&model(&weights), size).weight(1), i32::from(i16::MAX));
        // The corners of a larger board are corners too, and the rest of its edge is edge.
        let larger = ShapeTable::new(&model(&weights), Size::new(7, 5).unwrap());
        assert_eq!([1, 4, 3 * 6 + 1].map(|shape| larger.weight(shape)), [32767, 1024, 32767]);
    }
}
