//! Weights in the form that products read, packed anew for each step, and gradients in the form that products write.

use super::plan::{Linear, Plan};
use model::net::cpu::gemm::{Weights, padded};
use model::net::cpu::simd::{Buffer, Isa};
use model::net::cpu::winograd::TileSize;
use model::net::cpu::winograd::kernel::{KernelAdjoint, KernelPass, N_TAPS};

/// The matrices of a layer from inputs to outputs, and from gradients of outputs to those of inputs.
pub(super) struct PackedLinear {
    pub(super) forward: Weights<f32>,
    pub(super) backward: Weights<f32>,
    /// Added to the outputs, padded; empty for none.
    pub(super) bias: Buffer<f32>,
}

/// Scale and bias, padded.
pub(super) struct PackedNorm {
    pub(super) scale: Buffer<f32>,
    pub(super) bias: Buffer<f32>,
}

/// The weights of a network.
pub(super) struct Packed {
    isa: Isa,
    pub(super) products: Vec<PackedLinear>,
    pub(super) norms: Vec<PackedNorm>,
    /// Convolutions for each tile that was asked for.
    convs: Vec<(TileSize, Vec<PackedLinear>)>,
    /// The taps of a convolution with padding, and the same with inputs and outputs exchanged.
    taps: [Vec<f32>; 2],
}

impl PackedLinear {
    fn new(linear: &Linear, n_matrices: usize) -> PackedLinear {
        let Linear { depth, width, .. } = *linear;
        PackedLinear {
            forward: Weights::zeros(n_matrices, [depth, width]),
            backward: Weights::zeros(n_matrices, [width, depth]),
            bias: Buffer::zeros(if linear.bias.is_some() { width } else { 0 }),
        }
    }

    /// Packs a product.
    fn set(&mut self, linear: &Linear, weights: &[f32]) {
        let (mut row, mut back) = (vec![0.0; linear.width], vec![0.0; linear.width * linear.depth]);
        for input in 0..linear.n_in {
            let to = linear.row(input);
            for part in &linear.parts {
                let from = &weights[part.at + input * part.n_out..][..part.n_out];
                row[part.start..][..part.n_out].copy_from_slice(from);
            }
            self.forward.set_row(0, to, &row);
            row.iter().enumerate().for_each(|(output, &w)| back[output * linear.depth + to] = w);
        }
        for (output, row) in back.chunks_exact(linear.depth).enumerate() {
            self.backward.set_row(0, output, row);
        }
        if let Some(bias) = linear.bias {
            let n_out = linear.parts[0].n_out;
            self.bias[..n_out].copy_from_slice(&weights[bias..][..n_out]);
        }
    }
}

impl Packed {
    /// Room for the weights of a network.
    pub(super) fn new(plan: &Plan, isa: Isa) -> Packed {
        let norm = |n| PackedNorm { scale: Buffer::zeros(padded(n)), bias: Buffer::zeros(padded(n)) };
        Packed {
            isa,
            products: plan.products.iter().map(|product| PackedLinear::new(product, 1)).collect(),
            norms: plan.norms.iter().map(|plan| norm(plan.n)).collect(),
            convs: Vec::new(),
            taps: [Vec::new(), Vec::new()],
        }
    }

    /// The convolutions for a tile that was packed.
    pub(super) fn convs(&self, tile: TileSize) -> &[PackedLinear] {
        self.convs.iter().find(|(known, _)| *known == tile).map_or(&[], |(_, convs)| convs)
    }

    /// Packs all weights for these tiles.
    pub(super) fn update(&mut self, plan: &Plan, weights: &[f32], tiles: &[TileSize]) {
        for (packed, product) in self.products.iter_mut().zip(&plan.products) {
            packed.set(product, weights);
        }
        for (packed, norm) in self.norms.iter_mut().zip(&plan.norms) {
            packed.scale[..norm.n].copy_from_slice(&weights[norm.scale..][..norm.n]);
            packed.bias[..norm.n].copy_from_slice(&weights[norm.bias..][..norm.n]);
        }
        for &tile in tiles {
            if self.convs.iter().all(|(known, _)| *known != tile) {
                let new = plan.convs.iter().map(|conv| PackedLinear::new(conv, tile.n_frequencies()));
                self.convs.push((tile, new.collect()));
            }
        }
        for (conv, linear) in plan.convs.iter().enumerate() {
            self.set_taps(linear, weights);
            let [taps, turned] = &self.taps;
            for (tile, convs) in self.convs.iter_mut().filter(|(tile, _)| tiles.contains(tile)) {
                let PackedLinear { forward, backward, .. } = &mut convs[conv];
                KernelPass { tile: *tile, taps, weights: forward }.run(self.isa);
                KernelPass { tile: *tile, taps: turned, weights: backward }.run(self.isa);
            }
        }
    }

    fn set_taps(&mut self, linear: &Linear, weights: &[f32]) {
        let Linear { n_in, depth, width, .. } = *linear;
        let [taps, turned] = &mut self.taps;
        for taps in [&mut *taps, turned] {
            taps.clear();
            taps.resize(N_TAPS * depth * width, 0.0);
        }
        for part in &linear.parts {
            for row in 0..N_TAPS * n_in {
                let (tap, input) = (row / n_in, row % n_in);
                let from = &weights[part.at + row * part.n_out..][..part.n_out];
                taps[(tap * depth + input) * width + part.start..][..part.n_out].copy_from_slice(from);
                let turned = &mut turned[(tap * width + part.start) * depth + input..];
                turned.iter_mut().step_by(depth).zip(from).for_each(|(to, &w)| *to = w);
            }
        }
    }
}

/// The gradients of all weights, padded, summed over boards with one tile.
pub(super) struct Gradients {
    tile: TileSize,
    /// By convolution, frequency by frequency.
    pub(super) convs: Vec<Buffer<f32>>,
    pub(super) products: Vec<Buffer<f32>>,
    /// By product; empty where there is no bias.
    pub(super) biases: Vec<Buffer<f32>>,
    pub(super) norms: Vec<PackedNorm>,
    taps: Vec<f32>,
}

impl Gradients {
    /// All zero.
    pub(super) fn new(plan: &Plan, tile: TileSize) -> Gradients {
        let zeros = |linear: &Linear, n: usize| Buffer::zeros(n * linear.depth * linear.width);
        let bias = |linear: &Linear| Buffer::zeros(if linear.bias.is_some() { linear.width } else { 0 });
        let norm = |n| PackedNorm { scale: Buffer::zeros(padded(n)), bias: Buffer::zeros(padded(n)) };
        Gradients {
            tile,
            convs: plan.convs.iter().map(|conv| zeros(conv, tile.n_frequencies())).collect(),
            products: plan.products.iter().map(|product| zeros(product, 1)).collect(),
            biases: plan.products.iter().map(bias).collect(),
            norms: plan.norms.iter().map(|plan| norm(plan.n)).collect(),
            taps: Vec::new(),
        }
    }

    /// Sets all to zero.
    pub(super) fn clear(&mut self) {
        let buffers = self.convs.iter_mut().chain(&mut self.products).chain(&mut self.biases);
        buffers.for_each(|buffer| buffer.fill(0.0));
        for norm in &mut self.norms {
            norm.scale.fill(0.0);
            norm.bias.fill(0.0);
        }
    }

    /// Writes all gradients as one vector in the order of the weights.
    pub(super) fn collect(&mut self, plan: &Plan, isa: Isa, out: &mut [f32]) {
        for (linear, frequencies) in plan.convs.iter().zip(&self.convs) {
            self.taps.resize(N_TAPS * linear.depth * linear.width, 0.0);
            KernelAdjoint { tile: self.tile, frequencies, taps: &mut self.taps }.run(isa);
            for part in &linear.parts {
                for row in 0..N_TAPS * linear.n_in {
                    let (tap, input) = (row / linear.n_in, row % linear.n_in);
                    let from = &self.taps[(tap * linear.depth + input) * linear.width + part.start..];
                    out[part.at + row * part.n_out..][..part.n_out].copy_from_slice(&from[..part.n_out]);
                }
            }
        }
        for ((linear, sums), bias) in plan.products.iter().zip(&self.products).zip(&self.biases) {
            for part in &linear.parts {
                for input in 0..linear.n_in {
                    let from = &sums[linear.row(input) * linear.width + part.start..];
                    out[part.at + input * part.n_out..][..part.n_out].copy_from_slice(&from[..part.n_out]);
                }
            }
            if let Some(at) = linear.bias {
                let n_out = linear.parts[0].n_out;
                out[at..][..n_out].copy_from_slice(&bias[..n_out]);
            }
        }
        for (norm, sums) in plan.norms.iter().zip(&self.norms) {
            out[norm.scale..][..norm.n].copy_from_slice(&sums.scale[..norm.n]);
            out[norm.bias..][..norm.n].copy_from_slice(&sums.bias[..norm.n]);
        }
    }
}
