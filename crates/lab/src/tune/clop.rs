//! Confident local optimisation (R. Coulom 2011, "CLOP", Advances in Computer Games): values are tried where the quadratic
//! fitted so far does not yet rule them out, with the density of [`Local::weight`].

use goban::Rng;

use super::axis::{TunedAxis, snap};
use super::local::{HEIGHT, Local};
use super::method::Method;
use super::random::unit;
use super::sample::{Bout, Rival, TuneSample};

/// The method and what it has seen.
#[derive(Clone, Debug)]
pub struct Clop {
    axes: Vec<TunedAxis>,
    n_opponents: usize,
    /// Coulom's H.
    pub height: f64,
    samples: Vec<TuneSample>,
    local: Option<Local>,
    /// The next number of samples at which it is fitted anew.
    next_fit: usize,
}

/// Steps under way at a time: enough for the tables of a small machine, and few beside what it takes to learn anything.
const DELAY: u64 = 8;

/// Sweeps over the axes when a point is drawn.
const SWEEPS: usize = 8;

impl Clop {
    /// A method that has seen nothing. There must be an opponent; several take turns.
    pub fn new(axes: Vec<TunedAxis>, n_opponents: usize) -> Self {
        let next_fit = first_fit(axes.len());
        Self { axes, n_opponents, height: HEIGHT, samples: Vec::new(), local: None, next_fit }
    }

    /// A point with the density of the weights: a walk of slice sampling along the axes (Neal 2003, "Slice sampling") from a
    /// sample that was drawn with its weight.
    fn draw(&self, local: &Local, rng: &mut Rng) -> Vec<f64> {
        let total: f64 = local.weights.iter().sum();
        let mut left = unit(rng) * total;
        let drawn = local.weights.iter().position(|weight| {
            left -= weight;
            left <= 0.0
        });
        let mut point = self.samples[drawn.unwrap_or(0)].bout.point.clone();
        for _ in 0..SWEEPS {
            for axis in 0..point.len() {
                let floor = local.weight(&point) * unit(rng);
                let (here, mut low, mut high) = (point[axis], 0.0, 1.0);
                // The slice shrinks towards where the walk is, which is in it; fifty cuts are far more than it takes.
                for _ in 0..50 {
                    point[axis] = low + unit(rng) * (high - low);
                    if local.weight(&point) >= floor {
                        break;
                    }
                    if point[axis] < here {
                        low = point[axis];
                    } else {
                        high = point[axis];
                    }
                    point[axis] = here;
                }
            }
        }
        point
    }
}

/// Samples before the first fit: two for each coefficient.
fn first_fit(n_axes: usize) -> usize {
    2 * (1 + super::quadratic::n_monomials(n_axes))
}

impl Method for Clop {
    fn propose(&self, step: u64, rng: &mut Rng) -> Vec<Bout> {
        let point = match &self.local {
            Some(local) => self.draw(local, rng),
            None => self.axes.iter().map(|_| unit(rng)).collect(),
        };
        let rival = Rival::Opponent((step % self.n_opponents.max(1) as u64) as usize);
        vec![Bout { point: snap(&self.axes, &point), rival }]
    }

    fn learn(&mut self, _step: u64, samples: &[TuneSample]) {
        self.samples.extend_from_slice(samples);
        // Each fit is a matter of milliseconds, but of all samples; every twentieth more of them is often enough.
        if self.samples.len() >= self.next_fit {
            self.local = Some(Local::new(self.axes.len(), self.n_opponents, &self.samples, self.height));
            self.next_fit = self.samples.len() + 1 + self.samples.len() / 20;
        }
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

    fn delay(&self) -> u64 {
        DELAY
    }
}
