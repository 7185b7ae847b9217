//! Simultaneous perturbation stochastic approximation (J. C. Spall 1992, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", IEEE Trans. Automatic Control 37; gains as in Spall 1998,
//! "Implementation of the simultaneous perturbation algorithm").
//!
//! A walker stands at θ. A step moves all parameters at once by ±c_k, each sign by a coin, and plays a colour pair of θ + cΔ
//! against θ − cΔ (or one of each against an opponent). The difference of the points, −1 to 1, moves θ by
//! `R_k c_k Δ · difference`. How far is drawn anew each time, between ¼ and 1¾ of `c_k`, since moves of one size could not tell
//! a slope from an asymmetry. Gains fall slowly: `c_k = c (N / k)^0.101`, `R_k = a_k / c_k²` with `a_k` falling as
//! `1 / (A + k)^0.602`, where `A` is a tenth of the `N` steps a walker makes; `c` and `R` are those of the last step.
//!
//! Where one walker stands at the end says nothing about how sure that is, and one that starts near the top sees no slope
//! at all. So there are several, from different places, who take turns; and the result is the top of a quadratic fitted to
//! all their games near the top ([`super::local`]), whose interval comes from the fit ([`super::belief`]).

use goban::Rng;

use super::axis::{TunedAxis, snap};
use super::method::Method;
use super::random::{of_step, unit};
use super::sample::{Bout, Rival, TuneSample};

/// The gains of a run: step sizes and learning rate.
#[derive(Clone, Debug)]
pub struct Gains {
    /// Steps of all walkers together.
    pub steps: u64,
    /// How many walk.
    pub walkers: usize,
    /// `c`: how far each parameter is moved to both sides at the end, unit coordinates.
    pub step: Vec<f64>,
    /// `R`: how far a walker goes at the end for a pair won, in units of `c`.
    pub rate: f64,
}

/// The method, its walkers and what they have seen.
#[derive(Clone, Debug)]
pub struct Spsa {
    axes: Vec<TunedAxis>,
    /// 0: walkers play against themselves.
    n_opponents: usize,
    gains: Gains,
    walkers: Vec<Vec<f64>>,
    samples: Vec<TuneSample>,
}

/// Spall's exponents.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

impl Gains {
    /// How many walk, if nobody says.
    pub const WALKERS: usize = 4;

    /// What serves most: moves of a tenth of each axis, four walkers, and a rate that halves when there are four times as
    /// many steps. Smaller moves or a higher rate let walkers go where luck was, and then the games are where luck was:
    /// the fit to them is too sure of it.
    pub fn usual(n_axes: usize, steps: u64, walkers: usize) -> Self {
        let each = (steps / walkers as u64).max(1) as f64;
        Self { steps, walkers, step: vec![0.1; n_axes], rate: (1.0 / each.sqrt()).min(0.2) }
    }
}

impl Spsa {
    /// Walkers at their starts: the first at the axes' own, the others spread over the box by a seed.
    pub fn new(axes: Vec<TunedAxis>, n_opponents: usize, mut gains: Gains, seed: u64) -> Self {
        gains.walkers = gains.walkers.max(1);
        for (step, axis) in gains.step.iter_mut().zip(&axes) {
            // A whole number must be able to become another: half a unit to each side.
            if axis.whole {
                let unit = axis.unit_length(axis.value(0.5).max(1.0), 1.0);
                *step = step.max(0.5 * unit);
            }
        }
        let start: Vec<f64> = axes.iter().map(|axis| axis.unit(axis.start)).collect();
        let mut walkers = spread(gains.walkers, axes.len(), seed);
        walkers[0] = start;
        Self { axes, n_opponents, gains, walkers, samples: Vec::new() }
    }

    /// The signs of a step: a function of its own generator, so that they need not be kept.
    fn signs(&self, rng: &mut Rng) -> Vec<f64> {
        self.axes.iter().map(|_| if unit(rng) < 0.5 { -1.0 } else { 1.0 }).collect()
    }

    /// `c_k / c` and `R_k` of the walker whose turn `step` is.
    fn gain(&self, step: u64) -> (f64, f64) {
        let n = (self.gains.steps as f64 / self.gains.walkers as f64).max(1.0);
        let k = (step / self.gains.walkers as u64) as f64 + 1.0;
        let c = (n / k).powf(GAMMA);
        let (stability, c2) = (0.1 * n, c * c);
        let a = ((stability + n) / (stability + k)).powf(ALPHA);
        (c, self.gains.rate * a / c2)
    }

    fn walker(&self, step: u64) -> usize {
        (step % self.gains.walkers as u64) as usize
    }
}

/// Points that fill the box evenly along each axis, in an order of its own for each (McKay, Beckman and Conover 1979,
/// "Latin hypercube").
fn spread(n_points: usize, n_axes: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut rng = of_step(seed, u64::MAX);
    let mut points = vec![vec![0.0; n_axes]; n_points];
    for axis in 0..n_axes {
        let mut order: Vec<usize> = (0..n_points).collect();
        for i in (1..n_points).rev() {
            order.swap(i, rng.below(i as u32 + 1) as usize);
        }
        for (point, place) in points.iter_mut().zip(order) {
            point[axis] = (place as f64 + 0.5) / n_points as f64;
        }
    }
    points
}

impl Method for Spsa {
    fn propose(&self, step: u64, rng: &mut Rng) -> Vec<Bout> {
        let (signs, (c, _)) = (self.signs(rng), self.gain(step));
        let c = c * (0.25 + 1.5 * unit(rng));
        let side = |direction: f64| -> Vec<f64> {
            let here = self.walkers[self.walker(step)].iter();
            let moved = here.zip(&signs).zip(&self.gains.step);
            snap(
                &self.axes,
                &moved.map(|((u, sign), size)| u + direction * c * size * sign).collect::<Vec<_>>(),
            )
        };
        let (plus, minus) = (side(1.0), side(-1.0));
        if self.n_opponents == 0 {
            return vec![Bout { point: plus, rival: Rival::Point(minus) }];
        }
        let turn = step / self.gains.walkers as u64;
        let rival = Rival::Opponent((turn % self.n_opponents as u64) as usize);
        vec![Bout { point: plus, rival: rival.clone() }, Bout { point: minus, rival }]
    }

    fn learn(&mut self, step: u64, samples: &[TuneSample]) {
        let share = |sample: &TuneSample| sample.points / sample.games.max(1.0);
        let difference = match samples {
            [one] => 2.0 * share(one) - 1.0,
            [plus, minus, ..] => share(plus) - share(minus),
            [] => 0.0,
        };
        let (c, rate) = self.gain(step);
        // The direction is read off the points that were played, rather than drawn again.
        let signs: Vec<f64> = match samples {
            [TuneSample { bout: Bout { point, rival: Rival::Point(minus) }, .. }] => direction(point, minus),
            [plus, minus, ..] => direction(&plus.bout.point, &minus.bout.point),
            _ => vec![0.0; self.axes.len()],
        };
        let walker = self.walker(step);
        for (i, u) in self.walkers[walker].iter_mut().enumerate() {
            *u = (*u + rate * c * self.gains.step[i] * signs[i] * difference).clamp(0.0, 1.0);
        }
        self.samples.extend_from_slice(samples);
    }

    fn axes(&self) -> &[TunedAxis] {
        &self.axes
    }

    fn n_opponents(&self) -> usize {
        self.n_opponents
    }

    fn samples(&self) -> &[TuneSample] {
        &self.samples
    }

    fn walkers(&self) -> &[Vec<f64>] {
        &self.walkers
    }

    /// Each walker has one step under way, so that no step is proposed without knowing the walker's last.
    fn delay(&self) -> u64 {
        self.gains.walkers as u64
    }
}

/// The signs in which two points differ; 0 where rounding has made them equal.
fn direction(plus: &[f64], minus: &[f64]) -> Vec<f64> {
    plus.iter()
        .zip(minus)
        .map(|(p, m)| {
            if p > m {
                1.0
            } else if p < m {
                -1.0
            } else {
                0.0
            }
        })
        .collect()
}
