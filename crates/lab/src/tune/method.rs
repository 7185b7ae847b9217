//! The interface of all tuning methods: they propose games and learn from their results. They play nothing
//! themselves, so that simulated games tune as real ones do.

use goban::Rng;

use super::axis::TunedAxis;
use super::belief::Belief;
use super::local::Local;
use super::sample::{Bout, TuneSample};

/// A method of tuning. Steps are numbered from 0. Step `k` is proposed when exactly the steps up to `k − delay` have been
/// learnt, however many games are played at a time, so that a run is the same on every number of cores and after every
/// interruption; [`super::TuneSession`] sees to that.
pub trait Method: Send {
    /// The colour pairs of a step; the generator is the step's own.
    fn propose(&self, step: u64, rng: &mut Rng) -> Vec<Bout>;

    /// Takes what came of a step: a sample for each of its bouts. Steps are told in order.
    fn learn(&mut self, step: u64, samples: &[TuneSample]);

    /// The parameters.
    fn axes(&self) -> &[TunedAxis];

    /// How many opponents there are; 0 if values play against each other.
    fn n_opponents(&self) -> usize;

    /// All samples, in order.
    fn samples(&self) -> &[TuneSample];

    /// How many steps are under way at a time, at least 1.
    fn delay(&self) -> u64;

    /// Where walkers stand, unit coordinates, if the method has any.
    fn walkers(&self) -> &[Vec<f64>] {
        &[]
    }

    /// What the samples allow one to believe.
    fn belief(&self) -> Belief {
        let n_axes = self.axes().len();
        let regions = Local::regions(n_axes, self.n_opponents(), self.samples());
        Belief::new(&regions, self.samples(), n_axes)
    }
}
