//! Attention: every point asks all points of the board.

use super::super::super::graph::{AttentionBlock, Rope};
use super::Board;
use super::kernel::product;
use super::pointwise::rms_norm;
use crate::math::{exp, ln, sin_cos, softmax};

/// What an attention block adds.
pub(super) fn attend(block: &AttentionBlock, board: Board, x: &[f32]) -> Vec<f32> {
    let mut n = x.to_vec();
    rms_norm(&block.norm, &mut n);
    let mut query = product(&block.query, &n);
    let mut key = product(&block.key, &n);
    let value = product(&block.value, &n);
    if let Some(rope) = &block.rope {
        let turns = Turns::new(rope, block, [board.width, board.height]);
        turns.apply(&mut query, block.n_heads);
        turns.apply(&mut key, block.n_kv_heads);
    }
    let mut heads = vec![0.0; board.n_points() * block.n_heads * block.value_dim];
    for head in 0..block.n_heads {
        attend_head(block, head, &query, &key, &value, &mut heads);
    }
    product(&block.out, &heads)
}

/// One head: for each point the values of all points, weighted by the softmax of query · key / √dim.
fn attend_head(
    block: &AttentionBlock,
    head: usize,
    query: &[f32],
    key: &[f32],
    value: &[f32],
    out: &mut [f32],
) {
    let (dim, value_dim) = (block.query_dim, block.value_dim);
    let kv_head = head / (block.n_heads / block.n_kv_heads);
    let scale = 1.0 / (dim as f32).sqrt();
    let mut weights = Vec::new();
    let outs = out.chunks_exact_mut(block.n_heads * value_dim);
    for (query, out) in query.chunks_exact(block.n_heads * dim).zip(outs) {
        let query = &query[head * dim..][..dim];
        weights.clear();
        weights.extend(key.chunks_exact(block.n_kv_heads * dim).map(|key| {
            let key = &key[kv_head * dim..][..dim];
            scale * query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>()
        }));
        softmax(&mut weights);
        let out = &mut out[head * value_dim..][..value_dim];
        for (weight, value) in weights.iter().zip(value.chunks_exact(block.n_kv_heads * value_dim)) {
            let value = &value[kv_head * value_dim..][..value_dim];
            out.iter_mut().zip(value).for_each(|(out, value)| *out += weight * value);
        }
    }
}

/// Sines and cosines of the angles by which pairs of channels are turned.
#[derive(Debug)]
pub(in crate::net::cpu) struct Turns {
    /// In the order point, key head, pair: sine and cosine.
    turns: Vec<[f32; 2]>,
    n_kv_heads: usize,
    n_pairs: usize,
}

impl Turns {
    /// The angles of all points of a board of these columns and rows.
    pub(in crate::net::cpu) fn new(
        rope: &Rope,
        block: &AttentionBlock,
        [width, height]: [usize; 2],
    ) -> Turns {
        let n_pairs = block.query_dim / 2;
        let mut turns = Vec::with_capacity(width * height * block.n_kv_heads * n_pairs);
        for point in 0..width * height {
            let (x, y) = ((point % width) as f64, (point / width) as f64);
            for idx in 0..block.n_kv_heads * n_pairs {
                let [fx, fy] = match rope {
                    Rope::Learned { frequencies } => frequencies[idx],
                    Rope::Fixed { theta } => fixed_frequencies(*theta, idx % n_pairs, n_pairs),
                };
                let (sin, cos) = sin_cos(x * f64::from(fx) + y * f64::from(fy));
                turns.push([sin as f32, cos as f32]);
            }
        }
        Turns { turns, n_kv_heads: block.n_kv_heads, n_pairs }
    }

    /// Turns queries or keys of all points; a query head turns as the key head that it asks.
    pub(in crate::net::cpu) fn apply(&self, x: &mut [f32], n_heads: usize) {
        let (n_pairs, n_together) = (self.n_pairs, n_heads / self.n_kv_heads);
        let points = x.chunks_exact_mut(n_heads * n_pairs * 2);
        for (channels, turns) in points.zip(self.turns.chunks_exact(self.n_kv_heads * n_pairs)) {
            for (head, channels) in channels.chunks_exact_mut(2 * n_pairs).enumerate() {
                let turns = &turns[head / n_together * n_pairs..];
                for (pair, [sin, cos]) in channels.chunks_exact_mut(2).zip(turns) {
                    let (a, b) = (pair[0], pair[1]);
                    pair[0] = a * cos - b * sin;
                    pair[1] = a * sin + b * cos;
                }
            }
        }
    }
}

/// The frequencies by column and by row of a pair whose embedding is not learned: the first half of the pairs turns by the
/// row, the second by the column, slower from pair to pair.
fn fixed_frequencies(theta: f32, pair: usize, n_pairs: usize) -> [f32; 2] {
    let n_half = n_pairs / 2;
    // theta^(−2q / (dim / 2)) with dim / 2 = n_pairs for the q-th pair of its half.
    let power = -2.0 * (pair % n_half) as f32 / n_pairs as f32;
    let frequency = exp(power * ln(theta));
    if pair < n_half { [0.0, frequency] } else { [frequency, 0.0] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::graph::{MatMul, RmsNorm};

    fn near(got: &[f32], right: &[f32]) {
        assert!(got.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?} instead of {right:?}");
    }

    /// One head on two channels; queries and keys are the first channel, twice; values are both channels.
    fn block(rope: Option<Rope>) -> AttentionBlock {
        let product = |weights: [f32; 4]| MatMul { n_in: 2, n_out: 2, weights: weights.to_vec() };
        AttentionBlock {
            name: "attention".into(),
            n_heads: 1,
            n_kv_heads: 1,
            query_dim: 2,
            value_dim: 2,
            norm: RmsNorm { epsilon: 0.0, weights: vec![1.0, 1.0] },
            query: product([1.0, 0.0, 0.0, 0.0]),
            key: product([1.0, 0.0, 0.0, 0.0]),
            value: product([1.0, 0.0, 0.0, 1.0]),
            out: product([2.0, 0.0, 0.0, 2.0]),
            rope,
        }
    }

    #[test]
    fn two_points_worked_by_hand() {
        // Mean squares 1 and 1, so the norm changes nothing. Queries and keys: (1, 0) and (−1, 0).
        let x = [1.0, 1.0, -1.0, 1.0];
        let board = Board { width: 2, height: 1 };
        let out = attend(&block(None), board, &x);
        // The first point gives weight e^(1/√2) to itself and e^(−1/√2) to the other; twice the mean of (±1, 1).
        let (near_one, far_one) = ((0.5f32.sqrt()).exp(), (-(0.5f32.sqrt())).exp());
        let first = 2.0 * (near_one - far_one) / (near_one + far_one);
        near(&out, &[first, 2.0, -first, 2.0]);
    }

    #[test]
    fn turned_points_ask_in_their_own_direction() {
        // Half a turn for each column: the second point's query and key become (1, 0), all scores are equal then.
        let rope = Rope::Learned { frequencies: vec![[std::f32::consts::PI, 0.3]] };
        let out = attend(&block(Some(rope)), Board { width: 2, height: 1 }, &[1.0, 1.0, -1.0, 1.0]);
        near(&out, &[0.0, 2.0, 0.0, 2.0]);
        // A quarter of a turn for each row: queries and keys stand across, only the own score is left: 1/√2.
        let rope = Rope::Learned { frequencies: vec![[0.3, std::f32::consts::FRAC_PI_2]] };
        let out = attend(&block(Some(rope)), Board { width: 1, height: 2 }, &[1.0, 1.0, -1.0, 1.0]);
        let own = (0.5f32.sqrt()).exp();
        let first = 2.0 * (own - 1.0) / (own + 1.0);
        near(&out, &[first, 2.0, -first, 2.0]);
    }

    #[test]
    fn fixed_frequencies_slow_down_within_each_half() {
        // Queries of 8 channels: four pairs, two for the row and two for the column.
        let all: Vec<[f32; 2]> = (0..4).map(|pair| fixed_frequencies(100.0, pair, 4)).collect();
        near(all.as_flattened(), &[0.0, 1.0, 0.0, 0.1, 1.0, 0.0, 0.1, 0.0]);
    }

    #[test]
    fn query_heads_share_a_key_head() {
        let mut wide = block(None);
        wide.n_heads = 2;
        wide.query = MatMul { n_in: 2, n_out: 4, weights: vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] };
        wide.out = MatMul { n_in: 4, n_out: 2, weights: vec![2.0, 0.0, 0.0, 2.0, 100.0, 0.0, 0.0, 1000.0] };
        let x = [1.0, 1.0, -1.0, 1.0];
        let board = Board { width: 2, height: 1 };
        let one = attend(&block(None), board, &x);
        // The second head asks nothing and gets the mean value, (0, 1).
        let right: Vec<f32> = one.chunks(2).flat_map(|pair| [pair[0], pair[1] + 1000.0]).collect();
        near(&attend(&wide, board, &x), &right);
    }
}
