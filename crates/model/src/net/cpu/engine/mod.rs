//! The fast engine: a network packed for one size of board and one kind of number.
//!
//! In i16 an evaluation is the same bits on every machine and in every batch: sums of products are exact, activations are scaled
//! by the range of their own board, and everything else is done in f32 without fused operations. In f32 matrix products
//! are fused.
//!
//! An [`Engine`] is shared by threads; each has a [`Scratch`] of its own.
//!
//! In reading order: this file · `scratch` · `norm` · `conv` · `block` · `attention` · `head`.

mod attention;
mod block;
mod conv;
mod head;
mod norm;
mod scratch;

pub use scratch::Scratch;

use super::first::First;
use super::gemm::{Number, padded};
use super::geometry::Geometry;
use super::pass::activate::Range;
use super::simd::Isa;
use crate::net::graph::{Activation, Conv, Graph, MatMul, N_GLOBALS, N_PLANES, Norm, TipNorm};
use crate::net::output::{NetInput, NetOutput};
use block::Packed;
use conv::Convolution;
use head::Heads;
use norm::Prepare;
use scratch::{Sizes, Target};

/// An engine in i16: what plays.
pub type EngineI16 = Engine<i16>;
/// An engine in f32.
pub type EngineF32 = Engine<f32>;

/// Rows of the matrix products that a convolution of 3×3 takes at a time, if boards are small enough. As many use each weight
/// often enough while it is near; what more of them write leaves the near caches.
const ROWS_TOGETHER: usize = 36;

/// A position that does not fit the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a position of {width}×{height} with {n_planes} plane values and {n_globals} globals does not fit the engine"
)]
pub struct Misfit {
    width: usize,
    height: usize,
    n_planes: usize,
    n_globals: usize,
}

/// A network packed for one size of board.
#[derive(Debug)]
pub struct Engine<T: Number> {
    geometry: Geometry,
    isa: Isa,
    first: First,
    blocks: Vec<Packed<T>>,
    tip: Tip,
    heads: Heads<T>,
    sizes: Sizes,
}

/// Instructions and board of an engine.
#[derive(Debug, Clone, Copy)]
struct Context {
    isa: Isa,
    geometry: Geometry,
}

/// The norm at the trunk's tip: a root mean square first, perhaps, then scale, bias and activation.
#[derive(Debug)]
struct Tip {
    /// Epsilon, the number of channels, and whether all points are taken together.
    rms: Option<(f32, usize, bool)>,
    prepare: Prepare,
}

/// An engine under construction.
struct Build {
    geometry: Geometry,
    sizes: Sizes,
}

impl Build {
    /// Packs convolutions that read the same channels and makes room for what they read and write.
    fn convolution<T: Number>(&mut self, convs: &[&Conv], target: Target) -> Convolution<T> {
        let conv = Convolution::new(self.geometry, convs);
        let [left, products] = conv.needs(self.geometry);
        let sizes = &mut self.sizes;
        sizes.left = sizes.left.max(left);
        sizes.products = sizes.products.max(products);
        sizes.target(target, conv.n_out);
        if !sizes.images.contains(&conv.n_in) {
            sizes.images.push(conv.n_in);
        }
        conv
    }

    /// Packs products at each point.
    fn products<T: Number>(&mut self, products: &[&MatMul]) -> Convolution<T> {
        let convs: Vec<Conv> = products.iter().map(|product| conv::pointwise(product)).collect();
        self.convolution(&convs.iter().collect::<Vec<_>>(), Target::MID)
    }
}

impl<T: Number> Engine<T> {
    /// Packs a network for boards of these columns and rows, to be run with an instruction set.
    pub fn new(graph: &Graph, [width, height]: [usize; 2], isa: Isa) -> Engine<T> {
        let geometry = Geometry::new(width, height);
        let mut build = Build { geometry, sizes: Sizes::default() };
        let trunk = &graph.trunk;
        build.sizes.target(Target::trunk(0), padded(trunk.n_channels));
        let blocks = trunk.blocks.iter().map(|block| Packed::new(block, &mut build, 0)).collect();
        let heads = Heads::new(graph, &mut build);
        Engine {
            geometry,
            isa,
            first: First::new(trunk, geometry),
            blocks,
            tip: Tip::new(&trunk.tip, trunk.tip_activation),
            heads,
            sizes: build.sizes,
        }
    }

    /// Columns and rows of the boards.
    pub fn board(&self) -> [usize; 2] {
        [self.geometry.width, self.geometry.height]
    }

    /// The instruction set in use.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// The memory of the weights in bytes.
    pub fn n_bytes(&self) -> usize {
        self.first.n_bytes() + self.heads.n_bytes() + self.blocks.iter().map(Packed::n_bytes).sum::<usize>()
    }

    /// The number of positions that go through the layers together at most: larger batches are slower and are cut.
    pub fn group(&self) -> usize {
        (ROWS_TOGETHER / self.geometry.n_tiles()).max(1)
    }

    /// Memory for one thread; at most `capacity` positions, and at most a [group](Engine::group), go through the layers together.
    pub fn scratch(&self, capacity: usize) -> Scratch<T> {
        Scratch::new(self, capacity)
    }

    /// Evaluates positions, each into its own place of `out`. After the first call with the same buffers nothing is allocated.
    ///
    /// # Errors
    /// When a position has another size than the engine, or planes or globals of the wrong number.
    pub fn evaluate(
        &self,
        scratch: &mut Scratch<T>,
        inputs: &[NetInput<'_>],
        out: &mut [NetOutput],
    ) -> Result<(), Misfit> {
        inputs.iter().try_for_each(|input| self.check(input))?;
        let n_groups = inputs.len().div_ceil(scratch.capacity).max(1);
        let n_each = inputs.len().div_ceil(n_groups).max(1);
        for (inputs, out) in inputs.chunks(n_each).zip(out.chunks_mut(n_each)) {
            self.run(scratch, inputs, out);
        }
        Ok(())
    }

    fn check(&self, input: &NetInput<'_>) -> Result<(), Misfit> {
        let (n_planes, n_globals) = (input.point_planes.len(), input.globals.len());
        let is_good = [input.width, input.height] == self.board()
            && n_planes == N_PLANES * self.geometry.n_points()
            && n_globals == N_GLOBALS;
        let NetInput { width, height, .. } = *input;
        if is_good { Ok(()) } else { Err(Misfit { width, height, n_planes, n_globals }) }
    }

    fn run(&self, scratch: &mut Scratch<T>, inputs: &[NetInput<'_>], out: &mut [NetOutput]) {
        let cx = Context { isa: self.isa, geometry: self.geometry };
        scratch.n_boards = inputs.len();
        let trunk = Target::trunk(0);
        let n_numbers = self.geometry.n_points() * self.tip.prepare.n_channels();
        let boards = scratch.targets[trunk.0].chunks_exact_mut(n_numbers);
        for (input, to) in inputs.iter().zip(boards) {
            self.first.run(self.isa, input, &mut scratch.sparse, to);
        }
        for block in &self.blocks {
            block.run(cx, scratch, 0);
        }
        self.tip.run(cx, scratch);
        self.heads.run(cx, scratch, out);
    }
}

impl Tip {
    fn new(tip: &TipNorm, activation: Activation) -> Tip {
        match tip {
            TipNorm::Batch(norm) => Tip { rms: None, prepare: Prepare::of(norm, activation) },
            TipNorm::Rms(rms) => {
                let norm = Norm { scale: rms.scale.clone(), bias: rms.bias.clone() };
                let prepare = Prepare::of(&norm, activation);
                Tip { rms: Some((rms.epsilon, rms.scale.len(), rms.spatial)), prepare }
            }
        }
    }

    /// From the trunk's boards to their images.
    fn run<T: Number>(&self, cx: Context, scratch: &mut Scratch<T>) {
        let (trunk, n_padded) = (Target::trunk(0), self.prepare.n_channels());
        if let Some((epsilon, n_channels, is_spatial)) = self.rms {
            let n_points = if is_spatial { cx.geometry.n_points() } else { 1 };
            let n_used = scratch.n_boards * cx.geometry.n_points() * n_padded;
            for x in scratch.targets[trunk.0][..n_used].chunks_exact_mut(n_points * n_padded) {
                let mean = attention::sum_of_squares(x) / (n_points * n_channels) as f32;
                let factor = 1.0 / (mean + epsilon).sqrt();
                x.iter_mut().for_each(|x| *x *= factor);
            }
        }
        self.prepare.to_image(cx, scratch, self.prepare.all_of(trunk));
    }
}

#[cfg(test)]
mod tests;
