//! The weights while they are learned, and the step of temporal differences.

use goban::{Color, Size};
use playout::shapes::ShapeClasses;
use playout::shapes::classes::Entry;
use playout::shapes::grid::{ShapeRect, first_shapes, rects};
use playout::shapes::table::sigmoid;

/// Weights under way.
#[derive(Clone, Debug)]
pub struct ShapeLearner {
    classes: ShapeClasses,
    /// By [`Entry`]: each weight and, behind it, its opposite, so that a shape's weight is read without a look at its sign.
    signed: Vec<f32>,
    /// The weights of positions after Black's and after White's moves.
    pub turns: [f32; 2],
    /// By rectangle: its kind, and the number of its empty shape among those of all rectangles.
    rects: Vec<(u32, u32)>,
}

/// The features of one position: the entries of its shapes that have a weight, those of their place and those of their kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    entries: Vec<Entry>,
}

impl ShapeLearner {
    /// All weights are 0.
    pub fn new(size: Size) -> ShapeLearner {
        let classes = ShapeClasses::new(size);
        let all: Vec<ShapeRect> = rects(size).collect();
        let (firsts, _) = first_shapes(&all);
        let rects = all.iter().zip(firsts).map(|(rect, first)| (rect.kind_idx as u32, first)).collect();
        ShapeLearner { signed: vec![0.0; 2 * classes.n_classes()], classes, turns: [0.0; 2], rects }
    }

    /// Number of features of a position, |φ|: two for each rectangle, and the turn.
    pub fn n_features(&self) -> usize {
        2 * self.rects.len() + 1
    }

    /// The weights, by class.
    pub fn weights(&self) -> Vec<f32> {
        self.signed.iter().copied().step_by(2).collect()
    }

    /// Takes over weights by class; as many as [`ShapeLearner::weights`] gives.
    pub fn set_weights(&mut self, weights: impl Iterator<Item = f32>) {
        for (pair, weight) in self.signed.chunks_exact_mut(2).zip(weights) {
            pair.copy_from_slice(&[weight, -weight]);
        }
    }

    /// The two entries of the shape that a rectangle shows.
    #[inline(always)]
    fn entries(&self, rect: usize, shape: u32) -> [Entry; 2] {
        let (kind_idx, first) = self.rects[rect];
        [self.classes.placed(shape), self.classes.anywhere(kind_idx as usize)[(shape - first) as usize]]
    }

    /// The weight of the shape that a rectangle shows.
    #[inline(always)]
    pub fn weight(&self, rect: usize, shape: u32) -> f32 {
        let [placed, anywhere] = self.entries(rect, shape);
        self.signed[placed as usize] + self.signed[anywhere as usize]
    }

    /// Collects the features of a position from the shapes of its rectangles.
    pub fn collect(&self, shapes: &[u32], features: &mut Features) {
        features.entries.clear();
        for (rect, &shape) in shapes.iter().enumerate() {
            features.entries.extend(self.entries(rect, shape).into_iter().filter(|&entry| entry > 1));
        }
    }

    /// How likely Black wins after a move of `last` that led to these features, 0..=1.
    pub fn black_wins(&self, features: &Features, last: Color) -> f32 {
        let sum: f32 = features.entries.iter().map(|&entry| self.signed[entry as usize]).sum();
        sigmoid(sum + self.turns[last.idx()])
    }

    /// Adds `step` to the weight of each feature of a position after a move of `last`.
    pub fn step(&mut self, features: &Features, last: Color, step: f32) {
        for &entry in &features.entries {
            self.signed[entry as usize] += step;
            self.signed[entry as usize ^ 1] -= step;
        }
        self.turns[last.idx()] += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Board, Upto9};
    use playout::shapes::{ShapeCodes, ShapeGrid};

    #[test]
    fn a_step_worked_by_hand() {
        // 2×2: four points, two lying pairs, two standing ones, one square.
        let size = Size::square(2).unwrap();
        let mut learner = ShapeLearner::new(size);
        assert_eq!(learner.n_features(), 19);
        let grid = ShapeGrid::new::<Upto9>(size);
        let features = |learner: &ShapeLearner, digit: u8| {
            let mut codes = ShapeCodes::new::<Upto9>(&grid);
            let corner = Board::<Upto9>::new(size).to_move(goban::Vertex::new(1, 0)).point().unwrap();
            codes.set(&grid, corner, digit, |_, _| {});
            let mut features = Features::default();
            learner.collect(&codes.shapes, &mut features);
            features
        };
        // A stone alone shows in four rectangles, twice each: its point, two pairs, the square.
        let (black, white) = (features(&learner, 1), features(&learner, 2));
        assert_eq!((black.entries.len(), features(&learner, 0).entries.len()), (8, 0));
        learner.step(&black, Color::Black, 0.25);
        // The pairs are one shape, whether they lie or stand, so it is there twice and its two weights made two steps: the
        // sum is that of 2 + 2·2·2 + 2 steps, and one of the turn.
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let near =
            |found: f32, right: f64| assert!((f64::from(found) - right).abs() < 1e-6, "{found} {right}");
        near(learner.black_wins(&black, Color::Black), sigmoid(0.25 * 13.0));
        near(learner.black_wins(&white, Color::White), sigmoid(-0.25 * 12.0));
        let weights = learner.weights();
        let mut copy = ShapeLearner::new(size);
        copy.set_weights(weights.iter().copied());
        assert_eq!((copy.weights(), copy.turns), (weights, [0.0; 2]));
    }
}
