//! Bayes with a Gaussian prior: the arms' values are ½ + μ with μ ~ N(0, K), and a simulation shows the value of its arm
//! with a noise of variance σ². The estimate is the mean of the posterior N(m, Σ). [You 4.1]
//!
//! A visit of arm b with reward z changes all arms, by Sherman and Morrison's formula for a change of rank one (4.28):
//! with s the row of b in Σ and d = σ² + Σ_bb,
//!
//! > m ← m + s·(z − ½ − m_b)/d, Σ ← Σ − s·sᵀ/d.
//!
//! This mean is the Σ·(sums of z − ½)/σ² of (4.29), with the rewards so far in place of its a₀, but small steps keep their
//! digits where that product of a tiny and a huge number loses them. A visit that stands for w simulations has σ²/w in
//! place of σ². Rewards are centred at the neutral one: ½ for wins, 0 for points.
//!
//! K = `scale`·((1 − `own`)·k + `own`·I) with a fixed symmetric kernel k. `manhattan` is a sum of a kernel over columns and
//! one over rows, so without `own` an arm's value is what its column is worth plus what its row is worth, and nothing else.
//! With `diagonal`, k = I, the arms are strangers and m_b = n·(Q − ½)/(n + σ²/`scale`): a mean drawn towards ½.
//!
//! The weight is σ²/Σ_aa − σ²/K_aa: the visits after which an arm on its own is as certain. Σ is made at a
//! node's first visit; with several threads a change may be lost, or a number be a
//! millionth off. A prior's H has no part in it.
//!
//! Kernels such as `manhattan` leave many combinations of arms no variance at all, and there rounding errors would grow
//! like 1/(1/error − n/σ²) until they are all there is. So Σ is kept in `f64`. It is symmetric: the upper half of a square of
//! 32-bit cells has the high words, the lower half the low words.

use super::Estimator;
use super::kernel::manhattan;
use super::pairs::{self, MAX_ARMS};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Visit};
use crate::game::{Action, ActionDistances, Reward};
use crate::tree::layout::{BlockColumn, CountColumn, NodeCount, SumColumn};
use crate::tree::{ChildIdx, Node};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

recipe::words! {
    /// A kernel that never changes.
    pub enum FixedKernel {
        /// Points close to each other are similar.
        Manhattan = "manhattan",
        /// An arm is similar to itself only.
        Diagonal = "diagonal",
    }
}

recipe::params! {
    /// Posterior mean of the arms under a Gaussian prior with a fixed kernel; for boards up to 13×13.
    pub struct Gauss as "gauss" {
        kernel: word(FixedKernel) = FixedKernel::Manhattan, "how similar two arms are before anything is seen";
        scale: f32 = 0.1, 1e-4..=1e4, "prior variance of an arm's value, in rewards squared";
        own: f32 = 0.0, 0.0..=1.0, "share of that variance which an arm has with no other";
        noise: f32 = 0.25, 1e-3..=1e5, "variance σ² of one simulation's reward around its arm's value";
    }
}

/// The model with its columns.
struct Posterior {
    prior: PriorKernel,
    columns: Columns,
}

/// K.
struct PriorKernel {
    params: Gauss,
    /// Those of the game, if the kernel asks for them.
    distances: Option<Arc<ActionDistances>>,
}

#[derive(Debug, Clone, Copy)]
struct Columns {
    /// m, as the mover sees it.
    mean: SumColumn,
    /// K_aa as `f32` bits.
    prior: CountColumn,
    /// Σ: the diagonal and the part above it have the high words, the part below the low words.
    sigma: BlockColumn,
    /// The low words of Σ's diagonal.
    low: CountColumn,
    /// Whether Σ is there: [`ABSENT`], [`MAKING`] or [`READY`].
    state: NodeCount,
}

const ABSENT: u32 = 0;
const MAKING: u32 = 1;
const READY: u32 = 2;

/// Means have 30 binary digits after the point: a step is less than a millionth after a million visits.
const MEAN_BITS: u16 = 30;

/// No arm is surer than this many visits would make it.
const MAX_WEIGHT: f64 = 1e9;

/// Builds the model.
pub fn build(params: &Gauss, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Estimator>, recipe::Error> {
    pairs::check(&blueprint.facts, VARIANT.name)?;
    let distances = match params.kernel {
        FixedKernel::Manhattan => Some(blueprint.need_distances(VARIANT.name)?),
        FixedKernel::Diagonal => None,
    };
    let prior = PriorKernel { params: params.clone(), distances };
    let layout = &mut blueprint.layout;
    let columns = Columns {
        mean: layout.sum(MEAN_BITS),
        prior: layout.count(),
        sigma: layout.per_pair(),
        low: layout.count(),
        state: layout.node_count(),
    };
    Ok(Box::new(Posterior { prior, columns }))
}

impl Estimator for Posterior {
    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        let (neutral, noise) = (cx.reward.neutral(), f64::from(self.prior.params.noise));
        let columns = self.columns;
        if cx.node.node_count(columns.state).load(Acquire) != READY {
            out.mean.fill(neutral);
            out.weight.fill(0.0);
            return;
        }
        cx.node.read_sums(columns.mean, &mut out.mean);
        // A win rate the prior knows no bounds of.
        let (low, high) = match cx.reward {
            Reward::Win => (0.0, 1.0),
            Reward::Score => (f32::MIN, f32::MAX),
        };
        out.mean.iter_mut().for_each(|mean| *mean = (*mean + neutral).clamp(low, high));
        let (sigma, prior) = (Matrix::of(cx.node, columns), cx.node.counts(columns.prior));
        for (arm, (weight, prior)) in out.weight.iter_mut().zip(prior).enumerate() {
            let prior = f64::from(f32::from_bits(prior.load(Relaxed))).max(f64::MIN_POSITIVE);
            let variance = sigma.get(arm, arm).max(noise / MAX_WEIGHT);
            *weight = (noise / variance - noise / prior).max(0.0) as f32;
        }
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        let columns = self.columns;
        let Some(sigma) = self.sigma(cx, columns) else { return };
        let (mut row, mut means) = ([0.0; MAX_ARMS], [0.0; MAX_ARMS]);
        let n_arms = cx.node.n_children();
        let (Some(row), Some(means)) = (row.get_mut(..n_arms), means.get_mut(..n_arms)) else { return };
        let chosen = visit.chosen.idx();
        let noise = f64::from(self.prior.params.noise) / f64::from(visit.weight);
        sigma.read_row(chosen, row);
        cx.node.read_sums(columns.mean, means);
        let surprise = f64::from(visit.reward - cx.reward.neutral() - means[chosen]) / (noise + row[chosen]);
        for (child_idx, &s) in row.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            cx.node.add_sum(columns.mean, ChildIdx(child_idx as u16), (s * surprise) as f32);
        }
        sigma.shrink(chosen, row, noise);
    }
}

impl Posterior {
    /// Σ of a node, made of K if it is not there yet; `None` while another thread makes it.
    fn sigma<'a>(&self, cx: &Cx<'a>, columns: Columns) -> Option<Matrix<'a>> {
        let node = cx.node;
        let state = node.node_count(columns.state);
        if state.load(Acquire) == READY {
            return Some(Matrix::of(node, columns));
        }
        state.compare_exchange(ABSENT, MAKING, Acquire, Relaxed).ok()?;
        let sigma = Matrix::of(node, columns);
        for (a_idx, a) in node.actions().enumerate() {
            for (b_idx, b) in node.actions().enumerate().skip(a_idx) {
                sigma.set(a_idx, b_idx, self.prior.get(a, b));
            }
            // Rounded up, so that an arm of which nothing was seen has no weight.
            let own = (self.prior.get(a, a) as f32).next_up();
            node.counts(columns.prior)[a_idx].store(own.to_bits(), Relaxed);
        }
        state.store(READY, Release);
        Some(sigma)
    }
}

impl PriorKernel {
    /// K_ab.
    fn get(&self, a: Action, b: Action) -> f64 {
        let same = if a == b { 1.0 } else { 0.0 };
        let k = self.distances.as_ref().map_or(same, |distances| manhattan::similarity(distances, a, b));
        let own = f64::from(self.params.own);
        f64::from(self.params.scale) * ((1.0 - own) * k + own * same)
    }
}

/// Σ in a node's cells.
struct Matrix<'a> {
    cells: &'a [AtomicU32],
    low: &'a [AtomicU32],
    stride: usize,
}

impl<'a> Matrix<'a> {
    fn of(node: Node<'a>, columns: Columns) -> Matrix<'a> {
        Matrix { cells: node.block(columns.sigma), low: node.counts(columns.low), stride: node.pair_stride() }
    }

    /// The cells of Σ_ab's high and low word, a ≤ b.
    #[inline]
    fn words(&self, a: usize, b: usize) -> (&AtomicU32, &AtomicU32) {
        let low = if a == b { &self.low[a] } else { &self.cells[b * self.stride + a] };
        (&self.cells[a * self.stride + b], low)
    }

    /// Σ_ab, a ≤ b. Words of two threads make a number a millionth off, never an infinite one.
    #[inline]
    fn get(&self, a: usize, b: usize) -> f64 {
        let (high, low) = self.words(a, b);
        f64::from_bits(u64::from(high.load(Relaxed)) << 32 | u64::from(low.load(Relaxed)))
    }

    #[inline]
    fn set(&self, a: usize, b: usize, value: f64) {
        let (high, low) = self.words(a, b);
        high.store((value.to_bits() >> 32) as u32, Relaxed);
        low.store(value.to_bits() as u32, Relaxed);
    }

    /// Reads the row of an arm. Rounding, or a change that another thread lost, may leave more covariance than the variances
    /// allow, |Σ_ab| ≤ √(Σ_aa·Σ_bb): the excess is cut off, so that no variance can become negative.
    fn read_row(&self, arm: usize, out: &mut [f64]) {
        let variance = self.get(arm, arm);
        for (a, s) in out.iter_mut().enumerate() {
            let bound = (variance * self.get(a, a)).sqrt();
            *s = self.get(a.min(arm), a.max(arm)).clamp(-bound, bound);
        }
        out[arm] = variance;
    }

    /// Σ ← Σ − s·sᵀ/(σ² + Σ_bb) for the row s of arm b. The row itself becomes s·σ²/(σ² + Σ_bb), which needs no difference.
    fn shrink(&self, arm: usize, row: &[f64], noise: f64) {
        let d = noise + row[arm];
        for (a, &s) in row.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            let t = s / d;
            for (b, &u) in row.iter().enumerate().skip(a + 1) {
                self.set(a, b, self.get(a, b) - t * u);
            }
            self.set(a, a, (self.get(a, a) - t * s).max(0.0));
        }
        for (a, &s) in row.iter().enumerate() {
            self.set(a.min(arm), a.max(arm), s * (noise / d));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::trial::{Go, Trial, model};
    use crate::game::{Game, GameFacts};
    use goban::{Rng, Size};

    #[test]
    fn strangers_are_shrunken_means() {
        // σ²/k = 0.25/0.0625 = 4: m = ½ + n·(Q − ½)/(n + 4). Arm 0, three wins and a loss: ½ + 4·¼/8. Arm 1, a loss:
        // ½ − ½/5. Arm 2, ten million wins: 1, as near as makes no difference. The pass, a draw: ½. Arm 3: nothing.
        let trial =
            Trial::new(&[model("gauss:kernel=diagonal,noise=0.25,scale=0.0625")], Some((0.9, 9.0, 9.0)));
        trial.expect(0, [(0.5, 0.0); 5]);
        [1.0, 0.0, 1.0, 1.0].into_iter().for_each(|reward| trial.play(&[0, 1], reward, 1));
        trial.play(&[1, 0], 0.0, 1);
        trial.play(&[2, 0], 1.0, 10_000_000);
        trial.play(&[-1, 0], 0.5, 1);
        trial.expect(0, [(0.625, 4.0), (0.4, 1.0), (1.0, 1e7), (0.5, 0.0), (0.5, 1.0)]);
    }

    #[test]
    fn neighbours_worked_by_hand() {
        // On 5×5 the row of arms has k = .8, .7, .6, .5 at distances 0, 1, 2, 3; scale 1, σ² = .2.
        // 0 won: d = .2 + .8 = 1, m = (.8, .7, .6, .5)·½; Σ_aa = .8 − s² = .16, .31, .44, .55; weights .2/Σ_aa − .25.
        let trial = Trial::new(&[model("gauss:noise=0.2,scale=1")], None);
        trial.play(&[0, 1], 1.0, 1);
        let weight = |variance: f32| 0.2 / variance - 0.25;
        let pass = (0.5, 0.0);
        let after = [(0.9, 1.0), (0.85, weight(0.31)), (0.8, weight(0.44)), (0.75, weight(0.55)), pass];
        trial.expect(0, after);
        // 1 lost: its row is s = (.7 − .56, .31, .7 − .42, .6 − .35) = (.14, .31, .28, .25), d = .51, and the surprise
        // (−.5 − .35)/.51 = −5/3: m = (.4 − .7/3, .35 − 1.55/3, .3 − 1.4/3, .25 − 1.25/3) = (1/6, −1/6, −1/6, −1/6).
        // Variances: .16 − .14²/.51, .31·.2/.51, .44 − .28²/.51, .55 − .25²/.51.
        trial.play(&[1, 0], 0.0, 1);
        let (two_thirds, third) = (2.0 / 3.0, 1.0 / 3.0);
        let weights =
            [0.16 - 0.0196 / 0.51, 0.062 / 0.51, 0.44 - 0.0784 / 0.51, 0.55 - 0.0625 / 0.51].map(weight);
        let after =
            [(two_thirds, weights[0]), (third, weights[1]), (third, weights[2]), (third, weights[3]), pass];
        trial.expect(0, after);
    }

    #[test]
    fn a_heavy_visit_is_many_visits() {
        let trials = [(1, 5), (5, 1)].map(|(weight, n)| {
            let trial = Trial::new(&[model("gauss:own=0.3")], None);
            (0..n).for_each(|_| trial.play(&[1, 0], 1.0, weight));
            trial.estimates(0)
        });
        for (a, b) in trials[0].iter().zip(&trials[1]) {
            assert!((a.0 - b.0).abs() < 1e-5 && (a.1 - b.1).abs() < 1e-4, "{a:?} {b:?}");
        }
    }

    /// K·(K + diag(σ²/n))⁻¹·(Q − ½), the posterior mean in one piece, by elimination.
    fn posterior(k: &[Vec<f64>], noise: f64, n: &[f64], sums: &[f64]) -> Vec<f64> {
        let size = n.len();
        let mut rows: Vec<Vec<f64>> = k.to_vec();
        for a in 0..size {
            rows[a][a] += noise / n[a];
            rows[a].push(sums[a] / n[a]);
        }
        for pivot in 0..size {
            for a in 0..size {
                if a != pivot {
                    let (factor, upper) = (rows[a][pivot] / rows[pivot][pivot], rows[pivot].clone());
                    rows[a].iter_mut().zip(&upper).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        let solved: Vec<f64> = (0..size).map(|a| rows[a][size] / rows[a][a]).collect();
        k.iter().map(|row| row.iter().zip(&solved).map(|(k, x)| k * x).sum()).collect()
    }

    #[test]
    fn long_runs_keep_their_digits() {
        // 100 000 visits of a 5×5 board's arms, most of them to few, as a search makes them.
        let game = Go::new(Size::square(5).unwrap(), 7.5);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let pass = game.pass();
        let arms: Vec<i16> =
            actions.iter().map(|&action| if Some(action) == pass { -1 } else { action.0 as i16 }).collect();
        for text in ["gauss", "gauss:own=0.2", "gauss:scale=100,noise=0.01"] {
            let Estimated { got, n, sums } = run(text, &arms, 100_000);
            let recipe =
                recipe::Recipe::parse(&crate::ROOT, &recipe::Shelf::default(), &format!("models={text}"));
            let params = crate::search::pieces::SearchParams::from(recipe.unwrap().root());
            let params = Gauss::from(&params.models[0]);
            let distance = |a, b| game.distance(a, b);
            let distances = Some(Arc::new(ActionDistances::measure(&GameFacts::of(&game, &distance))));
            let kernel = PriorKernel { params: params.clone(), distances };
            let row = |a| actions.iter().map(|&b| kernel.get(a, b)).collect();
            let k: Vec<Vec<f64>> = actions.iter().map(|&a| row(a)).collect();
            let expected = posterior(&k, f64::from(params.noise), &n, &sums);
            for ((got, expected), n) in got.iter().zip(&expected).zip(&n) {
                let expected = (0.5 + expected).clamp(0.0, 1.0);
                assert!((f64::from(got.0) - expected).abs() < 1e-4, "{text}: {got:?} for {expected}");
                assert!(f64::from(got.1) > 0.9999 * n, "{text}: at least the arm's own visits: {got:?} {n}");
            }
        }
    }

    struct Estimated {
        got: Vec<(f32, f32)>,
        n: Vec<f64>,
        sums: Vec<f64>,
    }

    fn run(text: &str, arms: &[i16], n_visits: u32) -> Estimated {
        let trial = Trial::with_arms(&[model(text)], None, arms);
        let (mut n, mut sums) = (vec![0.0; arms.len()], vec![0.0; arms.len()]);
        let mut rng = Rng::new(7);
        for visit in 0..n_visits {
            let spread = if visit % 16 == 0 { arms.len() as u32 } else { 3 };
            let arm = rng.below(spread) as usize;
            let reward = if rng.below(40) < 5 + arm as u32 { 1.0 } else { 0.0 };
            trial.play(&[arms[arm]], reward, 1);
            n[arm] += 1.0;
            sums[arm] += f64::from(reward) - 0.5;
        }
        Estimated { got: trial.estimates(0), n, sums }
    }

    #[test]
    fn threads_leave_finite_numbers() {
        let trial = Trial::new(&[model("gauss:scale=10,noise=0.01")], None);
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let trial = &trial;
                scope.spawn(move || {
                    let mut rng = Rng::new(thread);
                    (0..20_000).for_each(|_| trial.play(&[rng.below(4) as i16], rng.below(2) as f32, 1));
                });
            }
        });
        for (mean, weight) in trial.estimates(0) {
            assert!((0.0..=1.0).contains(&mean) && weight.is_finite() && weight >= 0.0, "{mean} {weight}");
        }
    }
}
