//! `temperature`: a move's probability is ∝ exp(K·v), v its AMAF value at the root of the search. [Bouzy 2004; Hsu]
//!
//! v is the mean result, 0..=1, of the simulations from the root, tree and playout together, in which a colour played on the
//! point: its win rate, or, in a search that maximises points, the mean margin as a share of the board (½ is even, 1 the
//! whole board). It is ½ for a point where the colour never played. Passes do not count. K is an inverse temperature: 0 is
//! `uniform`, and the larger it is, the more the playouts repeat what has won. With `anneal` it rises from 0 in a straight
//! line while the values are still noise. All is forgotten when the root changes. Each thread of a search learns from its
//! own playouts; outside a search there is nothing to learn from and all moves are equally likely.

use goban::{Board, Color, Lean, Move, Point, Rng, Size, SizeClass};

use super::{Eye, MovePolicy, draw_below, may_choose};
use crate::math::exp;
use crate::rollout::{Playout, PlayoutRunner};

recipe::params! {
    /// A legal move that fills no own eye has probability ∝ exp(K·v), v its AMAF value at the root.
    pub struct Temperature as "temperature" {
        k: f32 = 5.0, 0.0..=100.0, "inverse temperature K, per unit of win rate; 0 is uniform";
        anneal: u32 = 0, 0..=1_000_000_000, "playouts from the root over which K rises from 0 to k; 0: constant";
        eye: word(Eye) = Eye::Standard, "which surrounded points are left alone";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(
    params: &Temperature,
    size: Size,
) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(Box::new(Playout::<C, _>::new(size, Learner::new(params, C::POINTS))))
}

/// The weight of a move whose value is 1. Weights are whole numbers, so that sums and differences are exact; K·v may lie
/// 30 below the best before a move has the least weight, 1.
const FULL_WEIGHT: f32 = (1u64 << 44) as f32;

/// The results of one colour's play on one point.
#[derive(Clone, Copy, Debug, Default)]
struct PointRecord {
    /// Simulations in which the colour played there.
    n: u32,
    /// Number of the last one of them.
    last: u32,
    /// Of those, how many the colour won; a draw is half a win.
    wins: f64,
}

/// The policy with each point's wins since the root changed.
#[derive(Clone, Debug)]
pub struct Learner {
    params: Temperature,
    /// Simulations learned from.
    n_learned: u32,
    /// By colour and point.
    records: [Vec<PointRecord>; 2],
    /// exp(K·(v−1))·[`FULL_WEIGHT`] for the playout under way, by colour and point; at least 1.
    weights: [Vec<u64>; 2],
    /// The largest of them, by colour.
    best: [u64; 2],
}

/// Draws that may be rejected before the weights are added up, which costs a look at every empty point.
const MAX_REJECTED: usize = 8;

impl Learner {
    /// A policy that has learned nothing, for boards with `n_points` point indices.
    pub fn new(params: &Temperature, n_points: usize) -> Learner {
        Learner {
            params: params.clone(),
            n_learned: 0,
            records: [vec![PointRecord::default(); n_points], vec![PointRecord::default(); n_points]],
            weights: [vec![1; n_points], vec![1; n_points]],
            best: [1; 2],
        }
    }

    /// K of the next playout.
    pub fn strength(&self) -> f32 {
        let Temperature { k, anneal, .. } = self.params;
        if self.n_learned < anneal { k * (self.n_learned as f32 / anneal as f32) } else { k }
    }

    /// The AMAF value of a point, 0..=1, as `color` sees it.
    pub fn value(&self, color: Color, point: Point) -> f32 {
        value(self.records[color.idx()][point.idx()])
    }
}

#[inline]
fn value(record: PointRecord) -> f32 {
    if record.n > 0 { (record.wins / f64::from(record.n)) as f32 } else { 0.5 }
}

/// Draws one of the first `n_left` listed empty points by weight: a number below the sum, and a walk to the point it
/// falls on. Returns its number in the list.
fn walk<C: SizeClass>(board: &Board<C, Lean>, n_left: usize, weights: &[u64], rng: &mut Rng) -> usize {
    let in_order = || board.empties().take(n_left).map(|point| weights[point.idx()]);
    let mut rest = draw_below(rng, in_order().sum());
    let is_here = |weight: u64| {
        let is_here = rest < weight;
        rest = rest.saturating_sub(weight);
        is_here
    };
    in_order().position(is_here).unwrap_or(0)
}

impl MovePolicy for Learner {
    type Keep = Lean;

    fn learns(&self) -> bool {
        true
    }

    fn start<C: SizeClass>(&mut self, _board: &Board<C, Lean>, _recent: [Move; 2]) {
        let k = self.strength();
        for ((weights, best), records) in self.weights.iter_mut().zip(&mut self.best).zip(&self.records) {
            *best = 1;
            for (weight, &record) in weights.iter_mut().zip(records) {
                *weight = ((exp(k * (value(record) - 1.0)) * FULL_WEIGHT) as u64).max(1);
                *best = (*best).max(*weight);
            }
        }
    }

    /// Draws a point uniformly and keeps it with probability weight / largest weight; after a few that were not kept
    /// the weights are added up instead, which never fails. A kept point that is refused is moved behind the others,
    /// so either way the choice has the right probabilities among the points not refused.
    #[inline]
    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Lean>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let color_idx = if IS_BLACK { 0 } else { 1 };
        let (weights, best) = (&self.weights[color_idx], self.best[color_idx]);
        let mut n_left = board.n_empty();
        let mut n_rejected = 0;
        while n_left > 0 {
            let entry = if n_rejected < MAX_REJECTED {
                let entry = board.empty_nth(rng.below(n_left as u32) as usize);
                let weight = weights[entry.point().idx()];
                if weight < best && draw_below(rng, best) >= weight {
                    n_rejected += 1;
                    continue;
                }
                entry
            } else {
                board.empty_nth(walk(board, n_left, weights, rng))
            };
            if may_choose::<C, Lean, IS_BLACK>(board, entry, self.params.eye) {
                return Some(entry.point());
            }
            n_left -= 1;
            board.set_aside(entry, n_left);
        }
        None
    }

    fn learn(&mut self, first: Color, moves: &[Move], black_win: f32) {
        self.n_learned += 1;
        let mut mover = first;
        for mv in moves {
            if let Some(point) = mv.point() {
                let record = &mut self.records[mover.idx()][point.idx()];
                // However often the colour played there, the simulation counts once.
                if record.last != self.n_learned {
                    record.last = self.n_learned;
                    record.n += 1;
                    record.wins += f64::from(if mover == Color::Black { black_win } else { 1.0 - black_win });
                }
            }
            mover = !mover;
        }
    }

    fn forget(&mut self) {
        self.n_learned = 0;
        self.records.iter_mut().for_each(|records| records.fill(PointRecord::default()));
    }
}
