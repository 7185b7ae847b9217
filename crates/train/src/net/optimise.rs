//! Weights that follow their gradients.

use super::settings::{Averaging, Optimiser, TrainSettings};
use std::ops::Range;

/// The optimiser's state of a group of weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WeightState {
    /// The weights.
    pub(super) weights: Vec<f32>,
    /// Momentum, or the mean of gradients.
    pub(super) first: Vec<f32>,
    /// The mean of squared gradients.
    pub(super) second: Vec<f32>,
    /// The average over steps.
    pub(super) averages: Vec<f32>,
}

impl WeightState {
    /// Before the first step.
    pub(super) fn new(weights: Vec<f32>) -> WeightState {
        let n = weights.len();
        WeightState { averages: weights.clone(), first: vec![0.0; n], second: vec![0.0; n], weights }
    }

    /// Follows the gradients of a step, counted from 0. `decaying` are the places of the weights that decay.
    pub(super) fn step(
        &mut self,
        settings: &TrainSettings,
        step: u64,
        decaying: &[Range<usize>],
        gradients: &mut [f32],
    ) {
        let rate = settings.learning_rate.at(step);
        match settings.optimiser {
            Optimiser::Sgd { momentum } => {
                self.decay_gradients(settings.weight_decay, decaying, gradients);
                self.descend(rate, momentum, gradients);
            }
            Optimiser::Adam { beta1, beta2, epsilon } => {
                let keep = 1.0 - rate * settings.weight_decay;
                for range in decaying {
                    self.weights[range.clone()].iter_mut().for_each(|weight| *weight *= keep);
                }
                self.adapt(rate, [beta1, beta2, epsilon], step, gradients);
            }
        }
        self.average(settings.averaging, step);
    }

    fn decay_gradients(&self, decay: f32, decaying: &[Range<usize>], gradients: &mut [f32]) {
        for range in decaying {
            let weights = &self.weights[range.clone()];
            gradients[range.clone()].iter_mut().zip(weights).for_each(|(g, weight)| *g += decay * weight);
        }
    }

    fn descend(&mut self, rate: f32, momentum: f32, gradients: &[f32]) {
        for ((weight, v), g) in self.weights.iter_mut().zip(&mut self.first).zip(gradients) {
            *v = momentum * *v + g;
            *weight -= rate * *v;
        }
    }

    fn adapt(&mut self, rate: f32, [beta1, beta2, epsilon]: [f32; 3], step: u64, gradients: &[f32]) {
        let power = |beta: f32| power(f64::from(beta), step + 1);
        let rate = f64::from(rate) / (1.0 - power(beta1));
        let (rate, second) = (rate as f32, (1.0 / (1.0 - power(beta2))) as f32);
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, (m, v)), g) in self.weights.iter_mut().zip(moments).zip(gradients) {
            *m = beta1 * *m + (1.0 - beta1) * g;
            *v = beta2 * *v + (1.0 - beta2) * g * g;
            *weight -= rate * *m / ((*v * second).sqrt() + epsilon);
        }
    }

    fn average(&mut self, averaging: Averaging, step: u64) {
        match averaging.share(step) {
            None => self.averages.copy_from_slice(&self.weights),
            Some(share) => {
                for (average, weight) in self.averages.iter_mut().zip(&self.weights) {
                    *average += share * (weight - *average);
                }
            }
        }
    }
}

/// xⁿ by products alone, so that it has the same bits on every machine.
fn power(x: f64, mut n: u64) -> f64 {
    let (mut square, mut out) = (x, 1.0);
    while n > 0 {
        if n & 1 == 1 {
            out *= square;
        }
        square *= square;
        n >>= 1;
    }
    out
}

/// The length of a vector, summed in its order.
pub(super) fn length(gradients: &[f32]) -> f64 {
    gradients.iter().map(|&g| f64::from(g) * f64::from(g)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::settings::{RateSchedule, RateShape};

    fn settings(optimiser: Optimiser) -> TrainSettings {
        let learning_rate = RateSchedule { peak: 0.1, warm_up: 0, shape: RateShape::Constant };
        TrainSettings { optimiser, learning_rate, weight_decay: 0.5, ..TrainSettings::default() }
    }

    #[test]
    fn steps_worked_by_hand() {
        // The first weight decays. Step 1: v = (1 + 0.5·2, 1) = (2, 1). Step 2: v = (0.9·2 + 1 + 0.5·1.8, 0.9 + 1).
        let sgd = settings(Optimiser::SGD);
        let mut state = WeightState::new(vec![2.0, 3.0]);
        state.step(&sgd, 0, std::slice::from_ref(&(0..1)), &mut [1.0, 1.0]);
        assert!((state.weights[0] - 1.8).abs() < 1e-6 && (state.weights[1] - 2.9).abs() < 1e-6);
        state.step(&sgd, 1, std::slice::from_ref(&(0..1)), &mut [1.0, 1.0]);
        assert!((state.weights[0] - 1.43).abs() < 1e-6 && (state.weights[1] - 2.71).abs() < 1e-6);
        assert_eq!(state.averages, state.weights);

        // Adam's first step has the length of the rate, whatever the gradient; decay takes 0.1·0.5 of the weight.
        let mut state = WeightState::new(vec![2.0, 3.0]);
        state.step(&settings(Optimiser::ADAM), 0, std::slice::from_ref(&(0..1)), &mut [0.01, -7.0]);
        assert!((state.weights[0] - 1.8).abs() < 1e-5 && (state.weights[1] - 3.1).abs() < 1e-5);
    }

    #[test]
    fn powers_and_lengths() {
        assert!((power(0.9, 3) - 0.729).abs() < 1e-12 && power(0.999, 0) == 1.0);
        assert_eq!(length(&[3.0, -4.0]), 5.0);
    }
}
