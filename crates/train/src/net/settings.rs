//! How a network is trained: plain settings with public fields.

use goban::{Size, Symmetry};
use model::net::symmetry::Turning;

/// Everything that decides a training run beside the network and the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainSettings {
    /// How weights follow their gradients.
    pub optimiser: Optimiser,
    /// The size of the steps.
    pub learning_rate: RateSchedule,
    /// The pull of convolutions and products towards 0; norms and biases feel none. With [`Optimiser::Sgd`] it is added to the gradient,
    /// times the weight; with [`Optimiser::Adam`] it acts on the weight itself, times the learning rate.
    pub weight_decay: f32,
    /// The largest length of the gradient of all weights together; a longer one is shortened to it. Infinity for none.
    pub clip: f32,
    /// How much each target counts.
    pub loss_weights: LossWeights,
    /// What [`Trainer::graph`](super::Trainer::graph) gives: the last weights, or an average over steps.
    pub averaging: Averaging,
    /// Threads that share a step, at least 1. Their number changes no bit of the result.
    pub threads: usize,
    /// The seed of the symmetries drawn.
    pub seed: u64,
    /// The turns and reflections of which each row gets one at random in each step, by board. Rows of other boards stay as they are.
    pub symmetries: Vec<BoardSymmetries>,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings {
            optimiser: Optimiser::default(),
            learning_rate: RateSchedule::default(),
            weight_decay: 1e-4,
            clip: f32::INFINITY,
            loss_weights: LossWeights::default(),
            averaging: Averaging::default(),
            threads: 1,
            seed: 1,
            symmetries: Vec::new(),
        }
    }
}

/// How weights follow their gradients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Optimiser {
    /// Gradient descent with momentum: v ← momentum · v + g, w ← w − rate · v.
    Sgd {
        /// The share of the last step that is kept, 0..1.
        momentum: f32,
    },
    /// Adam with weight decay apart (Kingma & Ba 2015, Loshchilov & Hutter 2019).
    Adam {
        /// The share that the mean of gradients keeps with each step, 0..1.
        beta1: f32,
        /// The share that the mean of squared gradients keeps, 0..1.
        beta2: f32,
        /// Added to the root of the mean square.
        epsilon: f32,
    },
}

impl Optimiser {
    /// Momentum 0.9.
    pub const SGD: Optimiser = Optimiser::Sgd { momentum: 0.9 };
    /// The usual constants.
    pub const ADAM: Optimiser = Optimiser::Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
}

impl Default for Optimiser {
    fn default() -> Optimiser {
        Optimiser::ADAM
    }
}

/// The learning rate by step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateSchedule {
    /// The rate after warming up.
    pub peak: f32,
    /// Steps over which the rate rises from 0 to the peak; 0 for none.
    pub warm_up: u64,
    /// What becomes of it then.
    pub shape: RateShape,
}

/// How the learning rate falls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RateShape {
    /// It stays.
    Constant,
    /// It is multiplied by a factor from time to time.
    Step {
        /// Steps between two falls.
        every: u64,
        /// The factor.
        factor: f32,
    },
    /// It falls along half a cosine and stays at the floor.
    Cosine {
        /// The step, warming up included, at which the floor is reached.
        n_steps: u64,
        /// The rate at the end, as a share of the peak.
        floor: f32,
    },
}

impl Default for RateSchedule {
    fn default() -> RateSchedule {
        RateSchedule { peak: 1e-3, warm_up: 100, shape: RateShape::Constant }
    }
}

impl RateSchedule {
    /// The rate of a step, counted from 0.
    pub fn at(&self, step: u64) -> f32 {
        if step < self.warm_up {
            return self.peak * ((step + 1) as f64 / self.warm_up as f64) as f32;
        }
        let past = step - self.warm_up;
        match self.shape {
            RateShape::Constant => self.peak,
            RateShape::Step { every, factor } => {
                let n_falls = past / every.max(1);
                self.peak * factor.powi(i32::try_from(n_falls).unwrap_or(i32::MAX))
            }
            RateShape::Cosine { n_steps, floor } => {
                let span = n_steps.saturating_sub(self.warm_up).max(1);
                let (_, cos) =
                    model::math::sin_cos(std::f64::consts::PI * past.min(span) as f64 / span as f64);
                self.peak * (floor + (1.0 - floor) * (0.5 + 0.5 * cos) as f32)
            }
        }
    }
}

/// How much each target counts in the loss of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossWeights {
    /// Of the policy's cross-entropy in nats.
    pub policy: f32,
    /// Of the result's cross-entropy in nats.
    pub value: f32,
    /// Of the score's loss: half the squared error, in units of 20 points, beyond half a unit growing linearly.
    pub score: f32,
    /// Of the owners' cross-entropy in nats, the mean over points.
    pub ownership: f32,
}

impl Default for LossWeights {
    fn default() -> LossWeights {
        LossWeights { policy: 1.0, value: 1.0, score: 0.25, ownership: 0.5 }
    }
}

/// An average of the weights over steps, which plays better than the last ones.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Averaging {
    /// The last weights.
    #[default]
    Off,
    /// Each step moves the average towards the weights by 1 − `decay`; in the first steps by more, so that the first weights are soon
    /// forgotten.
    Exponential {
        /// The share that is kept, 0..1.
        decay: f32,
    },
    /// The plain mean of the weights after each step from one on; before that the last weights.
    Equal {
        /// The first step that counts.
        from: u64,
    },
}

impl Averaging {
    /// How far the average moves towards the weights after a step, counted from 0; `None` without an average.
    pub(super) fn share(self, step: u64) -> Option<f32> {
        match self {
            Averaging::Off => None,
            Averaging::Exponential { decay } => {
                let early = (1 + step) as f32 / (10 + step) as f32;
                Some(1.0 - decay.min(early))
            }
            Averaging::Equal { from } => Some(1.0 / (step.saturating_sub(from) + 1) as f32),
        }
    }
}

/// The symmetries of boards of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardSymmetries {
    /// Columns and rows.
    pub board: [u8; 2],
    /// What is drawn from, each with equal probability.
    pub turnings: Vec<Turning>,
}

impl BoardSymmetries {
    /// All symmetries of a board of Go.
    pub fn of_board(size: Size) -> BoardSymmetries {
        let turnings = Symmetry::ALL.iter().map(|&symmetry| Turning::of_board(size, symmetry)).collect();
        BoardSymmetries { board: [size.width() as u8, size.height() as u8], turnings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_worked_by_hand() {
        let near = |schedule: RateSchedule, step, right: f32| {
            assert!((schedule.at(step) - right).abs() < 1e-6, "{step}: {}", schedule.at(step));
        };
        let cosine = RateShape::Cosine { n_steps: 110, floor: 0.1 };
        let schedule = RateSchedule { peak: 1.0, warm_up: 10, shape: cosine };
        for (step, right) in [(0, 0.1), (9, 1.0), (10, 1.0), (60, 0.55), (110, 0.1), (5000, 0.1)] {
            near(schedule, step, right);
        }
        let steps = RateSchedule { peak: 1.0, warm_up: 0, shape: RateShape::Step { every: 5, factor: 0.5 } };
        for (step, right) in [(0, 1.0), (4, 1.0), (5, 0.5), (10, 0.25)] {
            near(steps, step, right);
        }
    }

    #[test]
    fn averages_forget_the_first_weights() {
        let ema = Averaging::Exponential { decay: 0.99 };
        assert!(
            (ema.share(0).unwrap() - 0.9).abs() < 1e-6 && (ema.share(1_000_000).unwrap() - 0.01).abs() < 1e-6
        );
        let equal = Averaging::Equal { from: 3 };
        assert_eq!([0, 3, 4, 5].map(|step| equal.share(step).unwrap()), [1.0, 1.0, 0.5, 1.0 / 3.0]);
        assert_eq!(Averaging::Off.share(7), None);
    }
}
