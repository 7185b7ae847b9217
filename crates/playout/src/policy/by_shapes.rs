//! The value of every move by the shapes that it leaves, and three ways to choose by it; shared by the policies `shapes`,
//! `shapes-epsilon`, `shapes-sigma` and `shapes-tau`. [Gelly & Silver 2007, §5]
//!
//! Q(s,a) is the probability of a win for the mover after the move, as [`crate::shapes`] tells it. Points that are refused, own eyes
//! among them, are left out; a policy passes when nothing else is left. Moves of the same value are equally likely.

use std::sync::{Arc, LazyLock};

use goban::{Board, Color, Move, Point, Rng, Size, SizeClass, Tactical};

use super::{Chance, Eye, MovePolicy, draw_fair, may_choose};
use crate::math::{self, exp};
use crate::rollout::{Playout, PlayoutRunner};
use crate::shapes::{self, ShapeState, ShapeTable};

/// How a move is chosen by its value.
#[derive(Clone, Copy, Debug)]
pub enum ShapeRule {
    /// With this probability any move, else the best.
    Epsilon(f32),
    /// The best after Gaussian noise with this standard deviation was added to each value.
    Sigma(f32),
    /// With probability ∝ e^{Q/τ}, this being τ.
    Tau(f32),
}

/// Draws of noise, 2¹¹ equally likely ones.
static NOISE: LazyLock<Vec<f32>> = LazyLock::new(|| math::normal_quantiles(1 << NOISE_BITS));
const NOISE_BITS: u32 = 11;

/// A policy that plays by the values of shapes.
#[derive(Clone, Debug)]
pub struct ShapesPolicy {
    state: ShapeState,
    rule: ShapeRule,
    /// The ε of the rule.
    any: Chance,
    noise: &'static [f32],
    /// By point: what the mover's stone adds to the sum of weights, as the mover sees it.
    gains: Vec<i32>,
    /// By place in the board's list of empty points: the value of the move, then what the rule makes of it.
    values: Vec<f32>,
}

impl ShapesPolicy {
    /// The policy before its first playout on boards of class `C`.
    pub fn new<C: SizeClass>(table: Arc<ShapeTable>, rule: ShapeRule) -> ShapesPolicy {
        let area = table.size().area();
        let any = Chance::new(if let ShapeRule::Epsilon(epsilon) = rule { epsilon } else { 0.0 });
        let state = ShapeState::new::<C>(table);
        ShapesPolicy { state, rule, any, noise: &NOISE, gains: vec![0; C::POINTS], values: vec![0.0; area] }
    }

    /// Works out what each move adds.
    #[inline]
    fn weigh<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color) {
        let sign = if mover == Color::Black { 1 } else { -1 };
        let Self { state, gains, .. } = self;
        state.refresh();
        for point in board.empties() {
            gains[point.idx()] = sign * state.added(mover, point);
        }
        state.each_capture(board, mover, |point, added| gains[point.idx()] = sign * added);
    }

    /// The best move that is not refused; of several one at random.
    #[inline]
    fn best<C: SizeClass, const IS_BLACK: bool>(
        &self,
        board: &mut Board<C, Tactical>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let (mut best, mut n_best, mut found) = (i32::MIN, 0, None);
        for place in 0..board.n_empty() {
            let entry = board.empty_nth(place);
            let gain = self.gains[entry.point().idx()];
            if gain < best || !may_choose::<C, Tactical, IS_BLACK>(board, entry, Eye::Standard) {
                continue;
            }
            n_best = if gain > best { 1 } else { n_best + 1 };
            best = gain;
            if n_best == 1 || rng.below(n_best) == 0 {
                found = Some(entry.point());
            }
        }
        found
    }

    /// Fills in Q of every empty point.
    #[inline]
    fn fill_values<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color) {
        let sign = if mover == Color::Black { 1 } else { -1 };
        let Self { state, gains, values, .. } = self;
        for (value, point) in values.iter_mut().zip(board.empties()) {
            let black = state.table().black_wins(state.sum() + sign * gains[point.idx()], mover);
            *value = if mover == Color::Black { black } else { 1.0 - black };
        }
    }

    /// The best move after noise that is not refused.
    #[inline]
    fn noisy<C: SizeClass, const IS_BLACK: bool>(
        &self,
        board: &mut Board<C, Tactical>,
        sigma: f32,
        rng: &mut Rng,
    ) -> Option<Point> {
        let (mut best, mut found) = (f32::MIN, None);
        for place in 0..board.n_empty() {
            let noise = self.noise[(rng.next_u64() >> (64 - NOISE_BITS)) as usize];
            let value = self.values[place] + sigma * noise;
            let entry = board.empty_nth(place);
            if value > best && may_choose::<C, Tactical, IS_BLACK>(board, entry, Eye::Standard) {
                (best, found) = (value, Some(entry.point()));
            }
        }
        found
    }

    /// Draws by e^{Q/τ}, again without the moves that are refused.
    #[inline]
    fn draw<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Tactical>,
        tau: f32,
        rng: &mut Rng,
    ) -> Option<Point> {
        let n_empty = board.n_empty();
        let values = &mut self.values[..n_empty];
        let best = values.iter().copied().fold(0.0, math::at_least);
        values.iter_mut().for_each(|value| *value = exp((*value - best) / tau));
        for _ in 0..n_empty {
            let mut rest = rng.unit() * values.iter().sum::<f32>();
            let is_here = |weight: &f32| {
                let is_here = rest < *weight;
                rest -= weight;
                is_here
            };
            // Rounding may carry a draw beyond the last one.
            let last = values.iter().rposition(|&weight| weight > 0.0)?;
            let place = values.iter().position(is_here).unwrap_or(last);
            let entry = board.empty_nth(place);
            if may_choose::<C, Tactical, IS_BLACK>(board, entry, Eye::Standard) {
                return Some(entry.point());
            }
            values[place] = 0.0;
        }
        None
    }
}

impl MovePolicy for ShapesPolicy {
    type Keep = Tactical;

    fn start<C: SizeClass>(&mut self, board: &Board<C, Tactical>, _recent: [Move; 2]) {
        self.state.start(board);
    }

    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Tactical>,
        rng: &mut Rng,
    ) -> Option<Point> {
        if self.any.draw(rng) {
            return draw_fair::<C, Tactical, IS_BLACK>(board, Eye::Standard, rng);
        }
        let mover = if IS_BLACK { Color::Black } else { Color::White };
        self.weigh(board, mover);
        match self.rule {
            ShapeRule::Epsilon(_) => self.best::<C, IS_BLACK>(board, rng),
            ShapeRule::Sigma(sigma) => {
                self.fill_values(board, mover);
                self.noisy::<C, IS_BLACK>(board, sigma, rng)
            }
            ShapeRule::Tau(tau) => {
                self.fill_values(board, mover);
                self.draw::<C, IS_BLACK>(board, tau, rng)
            }
        }
    }

    fn played<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color, mv: Move) {
        if let Some(point) = mv.point() {
            self.state.play(board, mover, point);
        }
    }
}

/// The rollout of a rule with the weights in use.
pub(super) fn rollout<C: SizeClass>(size: Size, rule: ShapeRule) -> Box<dyn PlayoutRunner<C>> {
    Box::new(Playout::<C, _>::new(size, ShapesPolicy::new::<C>(shapes::table(size), rule)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{ShapeClasses, ShapeModel, file::ShapeOrigin};
    use goban::{Full, Upto9};

    /// On 3×3 a stone is worth 2 in the corner, 1 at the edge, nothing in the middle, in ln(odds).
    fn policy(rule: ShapeRule) -> ShapesPolicy {
        let size = Size::square(3).unwrap();
        let mut weights = vec![0.0; ShapeClasses::new(size).n_classes()];
        weights[1..3].copy_from_slice(&[2.0, 1.0]);
        let model = ShapeModel::new(size, ShapeOrigin::default(), &weights, [0.0; 2]);
        ShapesPolicy::new::<Upto9>(Arc::new(ShapeTable::new(&model, size)), rule)
    }

    /// How often the first move, White's, is a corner, an edge and the middle, in 9000 draws on the empty board.
    fn counts(rule: ShapeRule) -> [u32; 3] {
        let mut policy = policy(rule);
        let mut board = Board::<Upto9, Full>::new(Size::square(3).unwrap()).keeping();
        policy.start(&board, [Move::PASS; 2]);
        let (mut rng, mut counts) = (Rng::new(4), [0; 3]);
        for _ in 0..9000 {
            let point = policy.choose::<Upto9, false>(&mut board, &mut rng).unwrap();
            let vertex = Upto9::vertex(point);
            counts[usize::from(vertex.col() == 1) + usize::from(vertex.row() == 1)] += 1;
        }
        counts
    }

    #[test]
    fn rules_choose_as_often_as_they_should() {
        // Standard deviations are below 48.
        let near = |found: [u32; 3], right: [f64; 3]| {
            assert!(
                found.iter().zip(right).all(|(&n, right)| (f64::from(n) - right).abs() < 200.0),
                "{found:?}"
            );
        };
        assert_eq!(counts(ShapeRule::Epsilon(0.0)), [9000, 0, 0]);
        near(counts(ShapeRule::Epsilon(0.5)), [4500.0 + 2000.0, 2000.0, 500.0]);
        assert_eq!(counts(ShapeRule::Sigma(0.0)), [9000, 0, 0]);
        // Q is 0.881, 0.731 and 0.5.
        let weights = [0.881f64, 0.731, 0.5].map(|q| (q / 0.2).exp());
        let all = 4.0 * weights[0] + 4.0 * weights[1] + weights[2];
        let share = |n: f64, weight: f64| 9000.0 * n * weight / all;
        near(
            counts(ShapeRule::Tau(0.2)),
            [share(4.0, weights[0]), share(4.0, weights[1]), share(1.0, weights[2])],
        );
        let wild = counts(ShapeRule::Sigma(100.0));
        near(wild, [4000.0, 4000.0, 1000.0]);
        let noisy = counts(ShapeRule::Sigma(0.15));
        assert!(noisy[0] > 7000 && noisy[1] > 300 && noisy[1] < 2000 && noisy[2] < 30, "{noisy:?}");
    }
}
