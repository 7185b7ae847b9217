//! Playouts that tell how their moves depend on the weights: the sum over all moves of ψ = ∇ ln π(a), which is φ(a) − Σ_b π(b)·φ(b), φ the
//! features of a move. They are those of the policy `bt`, but every move is weighed in full.

use std::sync::Arc;

use goban::{Board, Color, EyeRule, Move, Point, Rng, Size, SizeClass, Tactical};
use playout::Start;
use playout::bt::list::N_FEATURES;
use playout::bt::{BtGeometry, BtScene};

/// The player of such playouts.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    /// γ by feature.
    factors: Arc<[f32]>,
    geometry: BtGeometry,
    /// The most moves of a playout; as many as it takes if there is no such bound.
    horizon: Option<usize>,
    recent: [Move; 2],
    /// Σ ψ of the playout, by feature.
    sums: Vec<f32>,
    /// Moves that were chosen among others.
    n_chosen: u32,
    moves: Vec<WeighedMove>,
    /// The features of all of them, one after the other.
    features: Vec<u16>,
}

/// A move of the position at hand.
#[derive(Clone, Copy, Debug)]
struct WeighedMove {
    point: Point,
    /// Where its features end.
    end: u32,
    weight: f32,
}

impl Recorder {
    /// Plays by these factors, one for each feature.
    pub(super) fn new<C: SizeClass>(size: Size, factors: Arc<[f32]>, horizon: Option<usize>) -> Recorder {
        Recorder {
            factors,
            geometry: BtGeometry::new::<C>(size),
            horizon,
            recent: [Move::PASS; 2],
            sums: vec![0.0; N_FEATURES],
            n_chosen: 0,
            moves: Vec::with_capacity(C::POINTS),
            features: Vec::with_capacity(8 * C::POINTS),
        }
    }

    /// Weighs all moves; returns the sum of the weights.
    fn weigh<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color) -> f32 {
        let Self { factors, geometry, recent, moves, features, .. } = self;
        moves.clear();
        features.clear();
        let scene = BtScene::new(board, geometry, mover, *recent);
        let mut sum = 0.0;
        for point in board.empties() {
            if board.is_eye(point, mover, EyeRule::Standard) || !board.is_legal(mover, point) {
                continue;
            }
            let mut weight = 1.0;
            scene.team(point, &mut |feature| {
                weight *= factors[feature];
                features.push(feature as u16);
            });
            moves.push(WeighedMove { point, end: features.len() as u32, weight });
            sum += weight;
        }
        sum
    }

    /// Adds ψ of the move with number `chosen`.
    fn record(&mut self, chosen: usize, sum: f32) {
        self.n_chosen += 1;
        let mut start = 0;
        for (number, mv) in self.moves.iter().enumerate() {
            let played = if number == chosen { 1.0 } else { 0.0 };
            let step = played - mv.weight / sum;
            for &feature in &self.features[start..mv.end as usize] {
                self.sums[usize::from(feature)] += step;
            }
            start = mv.end as usize;
        }
    }
}

impl Recorder {
    /// Draws a move by its weight and records it; `None` to pass.
    fn choose<C: SizeClass>(
        &mut self,
        board: &Board<C, Tactical>,
        mover: Color,
        rng: &mut Rng,
    ) -> Option<Point> {
        let sum = self.weigh(board, mover);
        let last = self.moves.len().checked_sub(1)?;
        let mut rest = rng.unit() * sum;
        let is_here = |mv: &WeighedMove| {
            let is_here = rest < mv.weight;
            rest -= mv.weight;
            is_here
        };
        // Rounding may carry a draw beyond the last one.
        let chosen = self.moves.iter().position(is_here).unwrap_or(last);
        self.record(chosen, sum);
        Some(self.moves[chosen].point)
    }

    /// Plays from a position until both pass, or as far as the horizon; leaves the end on `board`. Not the loop of the playouts, which
    /// is made for speed: here every move is weighed.
    fn play<C: SizeClass>(&mut self, board: &mut Board<C, Tactical>, start: &Start<'_, C>, rng: &mut Rng) {
        board.copy_from(start.board);
        self.recent = start.recent;
        self.sums.fill(0.0);
        self.n_chosen = 0;
        let (mut mover, mut has_passed) = (start.to_play, false);
        for _ in 0..self.horizon.unwrap_or(3 * board.size().area()) {
            let mv = self.choose(board, mover, rng).map_or(Move::PASS, Move::at);
            board.play(mover, mv);
            self.recent = [mv, self.recent[0]];
            if mv.is_pass() && has_passed {
                return;
            }
            has_passed = mv.is_pass();
            mover = !mover;
        }
    }
}

/// How results depend on the weights.
pub(super) struct Gradient {
    /// The mean result, 0..=1 as Black sees it.
    pub(super) value: f32,
    /// By feature: the mean of (result − baseline) · Σ ψ / T, T the number of moves.
    pub(super) slope: Vec<f32>,
}

/// Plays `n` playouts from a position, and follows each result back to its moves. `value_of` tells a result, as Black sees it, from the
/// board at the end.
#[inline(never)]
pub(super) fn gradient<C: SizeClass>(
    mut recorder: Recorder,
    start: &Start<'_, C>,
    n: u32,
    baseline: f32,
    rng: &mut Rng,
    value_of: &mut dyn FnMut(&Board<C, Tactical>) -> f32,
) -> Gradient {
    let mut board = Board::new(start.board.size());
    let (mut total, mut slope) = (0.0, vec![0.0; N_FEATURES]);
    for _ in 0..n {
        recorder.play(&mut board, start, rng);
        let value = value_of(&board);
        total += value;
        let step = (value - baseline) / (n * recorder.n_chosen.max(1)) as f32;
        slope.iter_mut().zip(&recorder.sums).for_each(|(slope, sum)| *slope += step * sum);
    }
    Gradient { value: total / n as f32, slope }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Full, Upto9};
    use playout::bt::list::{LAST, LINE};

    #[test]
    fn slopes_are_those_of_differences() {
        // One move on 5×5 from a known last move: whether it stands beside that is the result, so that its mean is the probability.
        let size = Size::square(5).unwrap();
        let mut board = Board::<Upto9, Full>::new(size);
        let centre = board.to_move(goban::Vertex::new(2, 2));
        board.play(Color::White, centre);
        let start = Start { board: &board, to_play: Color::Black, recent: [centre, Move::PASS] };
        let run = |last: f32, line: f32, n: u32| {
            let mut factors = vec![1.0; N_FEATURES];
            factors[LAST] = last.exp();
            factors[LINE] = line.exp();
            let recorder = Recorder::new::<Upto9>(size, factors.into(), Some(1));
            gradient(recorder, &start, n, 0.3, &mut Rng::new(1), &mut |board| {
                let n_beside = board.code(centre.point().unwrap()).n_neighbours(Color::Black);
                n_beside as f32
            })
        };
        // P = 4·e^w / (4·e^w + 16·e^v + 4), w the weight of a move beside and v that of the first line.
        let p = |w: f32, v: f32| 4.0 * w.exp() / (4.0 * w.exp() + 16.0 * v.exp() + 4.0);
        let found = run(0.7, 0.2, 200_000);
        assert!((found.value - p(0.7, 0.2)).abs() < 0.005, "{}", found.value);
        let slopes = [(p(0.71, 0.2) - p(0.69, 0.2)) / 0.02, (p(0.7, 0.21) - p(0.7, 0.19)) / 0.02];
        assert!((found.slope[LAST] - slopes[0]).abs() < 0.005, "{} {slopes:?}", found.slope[LAST]);
        assert!((found.slope[LINE] - slopes[1]).abs() < 0.005, "{} {slopes:?}", found.slope[LINE]);
    }
}
