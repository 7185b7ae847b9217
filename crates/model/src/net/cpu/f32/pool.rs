//! Pooling: what the whole board says, three numbers for each channel.

use super::super::super::graph::{Conv, MatMul, NormAct};
use super::Board;
use super::kernel::{convolve, product};
use super::pointwise::norm_act;

/// √A − 14 for a board of A points: near 0 for the boards that the networks were trained on most.
fn relative_side(n_points: usize) -> f32 {
    (n_points as f32).sqrt() - 14.0
}

/// The mean of each channel over the board.
fn means(x: &[f32], n_channels: usize) -> Vec<f32> {
    let mut means = vec![0.0; n_channels];
    x.chunks_exact(n_channels).for_each(|channels| super::kernel::add(&mut means, channels));
    let n_points = (x.len() / n_channels) as f32;
    means.iter_mut().for_each(|mean| *mean /= n_points);
    means
}

/// Trunk and policy: all means, all means · (√A − 14) / 10, all maxima.
pub(super) fn pool(x: &[f32], n_channels: usize) -> Vec<f32> {
    let mut out = means(x, n_channels);
    let scale = relative_side(x.len() / n_channels) * 0.1;
    out.extend_from_within(..);
    out[n_channels..].iter_mut().for_each(|mean| *mean *= scale);
    let mut maxima = vec![f32::NEG_INFINITY; n_channels];
    for channels in x.chunks_exact(n_channels) {
        maxima.iter_mut().zip(channels).for_each(|(max, x)| *max = max.max(*x));
    }
    out.extend(maxima);
    out
}

/// Value head: with s = √A − 14 all means, all means · s / 10, all means · (s² / 100 − 1 / 10).
pub(super) fn pool_for_value(x: &[f32], n_channels: usize) -> Vec<f32> {
    let means = means(x, n_channels);
    let side = relative_side(x.len() / n_channels);
    let scales = [1.0, side * 0.1, side * side * 0.01 - 0.1];
    scales.iter().flat_map(|scale| means.iter().map(move |mean| mean * scale)).collect()
}

/// The pooled vector of a block or of the policy head: convolution, norm, activation, pooling.
pub(super) fn pooled_conv(conv: &Conv, act: &NormAct, board: Board, x: &[f32]) -> Vec<f32> {
    let mut g = convolve(conv, board, x);
    norm_act(act, &mut g);
    pool(&g, conv.n_out)
}

/// The bias that a pooled vector gives to each channel.
pub(super) fn bias(to_bias: &MatMul, pooled: &[f32]) -> Vec<f32> {
    product(to_bias, pooled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooling_worked_by_hand() {
        // Four points, two channels; √4 − 14 = −12.
        let x = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 6.0, -6.0];
        let right = [3.0, -3.0, -3.6, 3.6, 6.0, -1.0];
        assert!(pool(&x, 2).iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-5));
        // 12²/100 − 0.1 = 1.34.
        let right = [3.0, -3.0, -3.6, 3.6, 4.02, -4.02];
        assert!(pool_for_value(&x, 2).iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
