//! Norms and activations, in place.

use super::super::super::graph::{Activation, Norm, NormAct, RmsNorm, TipRms};
use crate::math::{at_least, mish, silu};

/// y = x · scale + bias.
pub(super) fn norm(norm: &Norm, x: &mut [f32]) {
    scale_and_shift(&norm.scale, &norm.bias, x);
}

fn scale_and_shift(scale: &[f32], bias: &[f32], x: &mut [f32]) {
    for channels in x.chunks_exact_mut(scale.len()) {
        for ((x, scale), bias) in channels.iter_mut().zip(scale).zip(bias) {
            *x = *x * scale + bias;
        }
    }
}

/// An activation of every number.
pub(super) fn activate(activation: Activation, x: &mut [f32]) {
    match activation {
        Activation::Identity => {}
        Activation::Relu => x.iter_mut().for_each(|x| *x = at_least(*x, 0.0)),
        Activation::Mish => x.iter_mut().for_each(|x| *x = mish(*x)),
        Activation::Silu => x.iter_mut().for_each(|x| *x = silu(*x)),
    }
}

/// A norm and the activation after it.
pub(super) fn norm_act(both: &NormAct, x: &mut [f32]) {
    norm(&both.norm, x);
    activate(both.activation, x);
}

/// 1 / √(mean of x² + epsilon).
fn inverse_rms(x: &[f32], epsilon: f32) -> f32 {
    let sum: f32 = x.iter().map(|x| x * x).sum();
    1.0 / (sum / x.len() as f32 + epsilon).sqrt()
}

/// The norm of a transformer block, of each point by itself.
pub(super) fn rms_norm(norm: &RmsNorm, x: &mut [f32]) {
    for channels in x.chunks_exact_mut(norm.weights.len()) {
        let factor = inverse_rms(channels, norm.epsilon);
        for (x, weight) in channels.iter_mut().zip(&norm.weights) {
            *x *= factor * weight;
        }
    }
}

/// The root-mean-square norm at the tip of a trunk.
pub(super) fn tip_rms(norm: &TipRms, x: &mut [f32]) {
    let n_together = if norm.spatial { x.len() } else { norm.scale.len() };
    for together in x.chunks_exact_mut(n_together) {
        let factor = inverse_rms(together, norm.epsilon);
        together.iter_mut().for_each(|x| *x *= factor);
    }
    scale_and_shift(&norm.scale, &norm.bias, x);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: &[f32], right: &[f32]) {
        assert!(got.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?} instead of {right:?}");
    }

    #[test]
    fn a_norm_scales_and_shifts_each_channel() {
        let mut x = [1.0, 2.0, -3.0, 4.0];
        let both = NormAct {
            norm: Norm { scale: vec![2.0, -1.0], bias: vec![1.0, 0.5] },
            activation: Activation::Relu,
        };
        norm(&both.norm, &mut x);
        assert_eq!(x, [3.0, -1.5, -5.0, -3.5]);
        let mut x = [1.0, 2.0, -3.0, 4.0];
        norm_act(&both, &mut x);
        assert_eq!(x, [3.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn activations_worked_by_hand() {
        let of = |activation| {
            let mut x = [0.0, 1.0, -2.0];
            activate(activation, &mut x);
            x
        };
        assert_eq!(of(Activation::Identity), [0.0, 1.0, -2.0]);
        assert_eq!(of(Activation::Relu), [0.0, 1.0, 0.0]);
        near(&of(Activation::Silu), &[0.0, 0.731_058_6, -0.238_405_84]);
        near(&of(Activation::Mish), &[0.0, 0.865_098_4, -0.252_501_5]);
    }

    #[test]
    fn root_mean_squares_of_a_point_and_of_a_board() {
        // Mean squares of the two points: 12.5 + 3.5 = 4², and 0.5 + 3.5 = 2².
        let mut x = [3.0, 4.0, 1.0, 0.0];
        rms_norm(&RmsNorm { epsilon: 3.5, weights: vec![1.0, 2.0] }, &mut x);
        near(&x, &[0.75, 2.0, 0.5, 0.0]);
        let tip = |spatial| {
            let mut x = [3.0, 4.0, 1.0, 0.0];
            let epsilon = if spatial { 2.5 } else { 3.5 };
            tip_rms(&TipRms { epsilon, spatial, scale: vec![1.0, 2.0], bias: vec![0.0, 1.0] }, &mut x);
            x
        };
        near(&tip(false), &[0.75, 3.0, 0.5, 1.0]);
        // All four: 26/4 + 2.5 = 3².
        near(&tip(true), &[1.0, 11.0 / 3.0, 1.0 / 3.0, 1.0]);
    }
}
