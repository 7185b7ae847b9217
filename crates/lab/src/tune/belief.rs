//! The belief after the games: where the best values are, with an interval for each, and how strong others are.
//!
//! The fit gives not one quadratic but a distribution of them, normal around the likeliest. Each draw has a top in the box;
//! the estimate is the mean of the tops, the interval holds the middle 95 % of them along each axis. A third of the draws
//! are from a fit with third powers, a third from one with third and fourth powers: what asymmetry the games do not rule
//! out is part of what is not known. So is the region in which a fit holds: several have an equal share
//! ([`Local::regions`]). Where games do not tell whether the strength bends at all, tops lie at the ends of the box and the
//! interval is the whole axis, as it should be.

use goban::Rng;

use super::local::Local;
use super::quadratic::Surface;
use super::random::normal;
use super::sample::TuneSample;
use crate::stats::{Elo, MOST_ELO};

/// Draws from the distribution of surfaces.
const N_DRAWS: usize = 1800;

/// Elo per natural logarithm of the odds.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Surfaces as likely as the games make them.
#[derive(Clone, Debug)]
pub struct Belief {
    surfaces: Vec<Surface>,
    /// The top of each.
    tops: Vec<Vec<f64>>,
    /// The weighted number of samples that the fit rests on.
    pub n_samples: f64,
}

/// The best point with its interval, unit coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Top {
    /// The estimate.
    pub point: Vec<f64>,
    /// The lower end of each axis' 95 % interval.
    pub low: Vec<f64>,
    /// The upper end of each axis' 95 % interval.
    pub high: Vec<f64>,
}

impl Belief {
    /// From fits to samples of `n_axes` parameters in several regions, the widest first.
    pub fn new(regions: &[Local], samples: &[TuneSample], n_axes: usize) -> Self {
        let mut rng = Rng::new(1);
        let n_samples = regions.first().map_or(0.0, |local| local.weights.iter().sum());
        let mut belief = Self { surfaces: Vec::new(), tops: Vec::new(), n_samples };
        for local in regions {
            let centre = centre(local, samples, n_axes);
            for (i, fit) in std::iter::once(&local.fit).chain(&local.bent).enumerate() {
                let root = fit.root();
                for _ in 0..N_DRAWS / (regions.len() * (1 + local.bent.len())) {
                    let deviates: Vec<f64> = (0..fit.n_coefficients()).map(|_| normal(&mut rng)).collect();
                    let surface = fit.draw(&root, &deviates);
                    belief.tops.push(if i == 0 { surface.top() } else { surface.climb(&centre) });
                    belief.surfaces.push(surface);
                }
            }
        }
        belief
    }

    /// The best point with its interval.
    pub fn top(&self) -> Top {
        let n_axes = self.tops.first().map_or(0, Vec::len);
        let mut top = Top { point: Vec::new(), low: Vec::new(), high: Vec::new() };
        for axis in 0..n_axes {
            let [low, mean, high] = middle(self.tops.iter().map(|point| point[axis]).collect());
            top.point.push(mean);
            top.low.push(low);
            top.high.push(high);
        }
        top
    }

    /// How much stronger the values at one point are than those at another.
    pub fn difference(&self, point: &[f64], other: &[f64]) -> Elo {
        let differences = self.surfaces.iter().map(|surface| surface.at(point) - surface.at(other)).collect();
        let [low, elo, high] =
            middle(differences).map(|nats| (nats * ELO_PER_NAT).clamp(-MOST_ELO, MOST_ELO));
        Elo { elo, low, high }
    }
}

/// The mean, between the ends of what the middle 95 % are in. A mean that outliers have drawn out of that is put back.
fn middle(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let (low, high) = (values[n / 40], values[n - 1 - n / 40]);
    [low, (values.iter().sum::<f64>() / n as f64).clamp(low, high), high]
}

/// The weighted mean of the samples' points.
fn centre(local: &Local, samples: &[TuneSample], n_axes: usize) -> Vec<f64> {
    let (mut centre, mut sum) = (vec![0.0; n_axes], 0.0);
    for (sample, weight) in samples.iter().zip(&local.weights) {
        for (total, u) in centre.iter_mut().zip(&sample.bout.point) {
            *total += weight * u;
        }
        sum += weight;
    }
    centre.iter().map(|total| if sum > 0.0 { total / sum } else { 0.5 }).collect()
}
