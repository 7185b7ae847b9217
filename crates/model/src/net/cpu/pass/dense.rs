//! Small matrix products in f32 without fused operations, for what is left beside convolutions: biases and outputs.

use crate::net::cpu::gemm::padded;
use crate::net::cpu::simd::{BLOCK, Buffer, Isa, Kernel, Lanes};
use crate::net::graph::{MatBias, MatMul};

/// y(o) = Σ x(i) · w(i, o) + b(o), inputs and outputs padded to whole blocks.
#[derive(Debug, Clone)]
pub struct Dense {
    /// The length of x.
    pub n_in: usize,
    /// The length of y.
    pub n_out: usize,
    weights: Buffer<f32>,
    bias: Buffer<f32>,
}

impl Dense {
    /// Packs a product whose input consists of `n_parts` parts of equal length, each padded.
    pub fn new(product: &MatMul, bias: Option<&MatBias>, n_parts: usize) -> Dense {
        let n_part = product.n_in / n_parts;
        let (n_in, n_out) = (n_parts * padded(n_part), padded(product.n_out));
        let mut weights = Buffer::zeros(n_in * n_out);
        for input in 0..product.n_in {
            let row = input / n_part * padded(n_part) + input % n_part;
            for (to, &w) in weights[row * n_out..].iter_mut().zip(product.row(input)) {
                *to = if w.abs() < f32::MIN_POSITIVE { 0.0 } else { w };
            }
        }
        let mut biases = Buffer::zeros(n_out);
        if let Some(bias) = bias {
            biases[..bias.weights.len()].copy_from_slice(&bias.weights);
        }
        Dense { n_in, n_out, weights, bias: biases }
    }

    /// Multiplies `rows` vectors.
    pub fn run(&self, isa: Isa, from: &[f32], rows: usize, to: &mut [f32]) {
        isa.run(Product { dense: self, from: &from[..rows * self.n_in], to });
    }

    /// The memory in bytes.
    pub fn n_bytes(&self) -> usize {
        4 * (self.weights.len() + self.bias.len())
    }
}

struct Product<'a> {
    dense: &'a Dense,
    from: &'a [f32],
    to: &'a mut [f32],
}

impl Kernel for Product<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Dense { n_in, n_out, weights, bias } = self.dense;
        let mut rows = self.from.chunks_exact(4 * n_in);
        let mut outs = self.to.chunks_exact_mut(4 * n_out);
        for (from, to) in rows.by_ref().zip(outs.by_ref()) {
            multiply::<L, 4>(l, weights, bias, from, to);
        }
        let rest = rows.remainder();
        let n_done = self.from.len() - rest.len();
        let to = &mut self.to[n_done / n_in * n_out..];
        for (from, to) in rest.chunks_exact(*n_in).zip(to.chunks_exact_mut(*n_out)) {
            multiply::<L, 1>(l, weights, bias, from, to);
        }
    }
}

/// `R` rows at once; each output is summed in the order of the inputs.
#[inline(always)]
fn multiply<L: Lanes, const R: usize>(l: L, weights: &[f32], bias: &[f32], from: &[f32], to: &mut [f32]) {
    let (n_in, n_out) = (from.len() / R, bias.len());
    debug_assert!(n_out % BLOCK == 0 && weights.len() == n_in * n_out);
    for c in (0..n_out).step_by(L::N) {
        let mut sums = [l.load(&bias[c..]); R];
        for (input, weights) in weights.chunks_exact(n_out).enumerate() {
            let w = l.load(&weights[c..]);
            for (r, sum) in sums.iter_mut().enumerate() {
                *sum = l.add(*sum, l.mul(l.splat(from[r * n_in + input]), w));
            }
        }
        for (r, &sum) in sums.iter().enumerate() {
            l.store(&mut to[r * n_out + c..], sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_padded_and_rows_independent() {
        // Two parts of one channel: y₀ = x₀ + 10·x₁ + ½, y₁ = 2·x₀ + 20·x₁.
        let product = MatMul { n_in: 2, n_out: 2, weights: vec![1.0, 2.0, 10.0, 20.0] };
        let dense = Dense::new(&product, Some(&MatBias { weights: vec![0.5, 0.0] }), 2);
        assert_eq!((dense.n_in, dense.n_out), (32, 16));
        let mut from = vec![0.0; 7 * 32];
        for (n, row) in from.chunks_exact_mut(32).enumerate() {
            (row[0], row[16]) = (n as f32, 1.0);
        }
        for isa in Isa::all() {
            let mut to = vec![f32::NAN; 7 * 16];
            dense.run(isa, &from, 7, &mut to);
            for (n, row) in to.chunks_exact(16).enumerate() {
                let n = n as f32;
                assert_eq!((row[0], row[1], row[2]), (n + 10.5, 2.0 * n + 20.0, 0.0), "{}", isa.name());
            }
        }
    }
}
