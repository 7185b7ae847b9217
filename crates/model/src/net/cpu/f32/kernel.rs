//! Matrix products and convolutions.

use super::super::super::graph::{Conv, MatMul};
use super::Board;

/// Outputs computed together.
const LANES: usize = 8;
/// Points computed together.
const ROWS: usize = 4;

/// y = x W for each of the vectors in `x`.
pub(super) fn product(matrix: &MatMul, x: &[f32]) -> Vec<f32> {
    let (n_in, n_out) = (matrix.n_in, matrix.n_out);
    let mut out = vec![0.0; x.len() / n_in * n_out];
    let row = |vector: usize, _: usize| &x[vector * n_in..][..n_in];
    by_tiles(&matrix.weights, n_in, n_out, row, &mut out);
    out
}

/// The convolution of a board, with zeros outside.
pub(super) fn convolve(conv: &Conv, board: Board, x: &[f32]) -> Vec<f32> {
    let n_in = conv.n_in;
    let outside = vec![0.0; n_in];
    let mut out = vec![0.0; board.n_points() * conv.n_out];
    let row = |point: usize, tap: usize| {
        // One off the board above or to the left wraps around to a large number.
        let y = (point / board.width + tap / conv.width).wrapping_sub(conv.height / 2);
        let x_at = (point % board.width + tap % conv.width).wrapping_sub(conv.width / 2);
        if y < board.height && x_at < board.width {
            &x[(y * board.width + x_at) * n_in..][..n_in]
        } else {
            &outside[..]
        }
    };
    by_tiles(&conv.weights, n_in, conv.n_out, row, &mut out);
    out
}

/// out(p, o) = Σ over taps t and inputs i of row(p, t)(i) · weights(t, i, o), in that order of addition.
fn by_tiles<'a>(
    weights: &[f32],
    n_in: usize,
    n_out: usize,
    row: impl Fn(usize, usize) -> &'a [f32],
    out: &mut [f32],
) {
    let n_rows = out.len() / n_out;
    let mut panel = vec![[0.0; LANES]; weights.len() / n_out];
    for first_out in (0..n_out).step_by(LANES) {
        let n_lanes = LANES.min(n_out - first_out);
        for (lanes, weights) in panel.iter_mut().zip(weights.chunks_exact(n_out)) {
            lanes[..n_lanes].copy_from_slice(&weights[first_out..][..n_lanes]);
        }
        for first_row in (0..n_rows).step_by(ROWS) {
            let mut sums = [[0.0; LANES]; ROWS];
            for (tap, panel) in panel.chunks_exact(n_in).enumerate() {
                let rows = std::array::from_fn(|idx| row((first_row + idx).min(n_rows - 1), tap));
                sums = accumulate(sums, rows, panel);
            }
            for (idx, sums) in sums.iter().enumerate().take(n_rows - first_row) {
                let at = (first_row + idx) * n_out + first_out;
                out[at..at + n_lanes].copy_from_slice(&sums[..n_lanes]);
            }
        }
    }
}

/// Adds the products of some rows with a panel of weights to sums. All rows are as long as the panel.
#[inline]
fn accumulate(
    mut sums: [[f32; LANES]; ROWS],
    rows: [&[f32]; ROWS],
    panel: &[[f32; LANES]],
) -> [[f32; LANES]; ROWS] {
    let [a, b, c, d] = rows;
    let inputs = a.iter().zip(b).zip(c).zip(d);
    for ((((a, b), c), d), weights) in inputs.zip(panel) {
        for (sums, x) in sums.iter_mut().zip([a, b, c, d]) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += x * weight;
            }
        }
    }
    sums
}

/// Adds the same vector to every point.
pub(super) fn add_to_points(x: &mut [f32], bias: &[f32]) {
    for channels in x.chunks_exact_mut(bias.len()) {
        add(channels, bias);
    }
}

/// Adds one vector to another.
pub(super) fn add(x: &mut [f32], more: &[f32]) {
    for (x, more) in x.iter_mut().zip(more) {
        *x += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::graph::Activation;
    use crate::net::sample::Maker;

    #[test]
    fn a_product_worked_by_hand() {
        let matrix = MatMul { n_in: 2, n_out: 3, weights: vec![1.0, 2.0, 3.0, 10.0, 20.0, 30.0] };
        assert_eq!(product(&matrix, &[1.0, 0.5, 0.0, -1.0]), [6.0, 12.0, 18.0, -10.0, -20.0, -30.0]);
    }

    #[test]
    fn a_convolution_worked_by_hand() {
        // Three columns, two rows; the kernel is 1 2 3 / 4 5 6 / 7 8 9 and not turned.
        let weights = (1..=9u8).map(f32::from).collect();
        let conv = Conv { height: 3, width: 3, n_in: 1, n_out: 1, weights };
        let board = Board { width: 3, height: 2 };
        let mut x = [0.0; 6];
        // A one in the middle of the upper row is seen from its right neighbour by the tap to the left, 4.
        x[1] = 1.0;
        assert_eq!(convolve(&conv, board, &x), [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        x[1] = 0.0;
        x[5] = 1.0;
        assert_eq!(convolve(&conv, board, &x), [0.0, 9.0, 8.0, 0.0, 6.0, 5.0]);
    }

    #[test]
    fn channels_are_in_the_order_of_the_file() {
        // One tap, two inputs, two outputs: weights in,out.
        let conv = Conv { height: 1, width: 1, n_in: 2, n_out: 2, weights: vec![1.0, 2.0, 3.0, 4.0] };
        let board = Board { width: 2, height: 1 };
        assert_eq!(convolve(&conv, board, &[1.0, 10.0, 1.0, 0.0]), [31.0, 42.0, 1.0, 2.0]);
    }

    #[test]
    fn tiles_give_what_single_sums_give() {
        let mut maker = Maker::new(8, Activation::Relu);
        for (width, height, side, n_in, n_out) in [(5, 5, 3, 3, 8), (7, 3, 5, 2, 11), (1, 6, 3, 9, 1)] {
            let conv = maker.conv(side, n_in, n_out);
            let board = Board { width, height };
            let x = maker.product(board.n_points(), n_in).weights;
            let out = convolve(&conv, board, &x);
            let reach = (side / 2) as isize;
            for (idx, got) in out.iter().enumerate() {
                let (point, o) = (idx / n_out, idx % n_out);
                let mut right = 0.0;
                for (dy, dx) in (0..side * side).map(|tap| (tap / side, tap % side)) {
                    let y = (point / width + dy) as isize - reach;
                    let column = (point % width + dx) as isize - reach;
                    if !(0..height as isize).contains(&y) || !(0..width as isize).contains(&column) {
                        continue;
                    }
                    for i in 0..n_in {
                        let at = (y as usize * width + column as usize) * n_in + i;
                        right += f64::from(x[at]) * f64::from(conv.row(dy, dx, i)[o]);
                    }
                }
                assert!((f64::from(*got) - right).abs() < 1e-5);
            }
        }
    }
}
