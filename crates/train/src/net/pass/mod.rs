//! A few boards of one size through all layers and back.
//!
//! In reading order: this file, what a pass reads · `memory` what it writes · `layer` convolutions, products and norms, forwards and
//! backwards · `pool` · `forward` · `backward`.

mod backward;
mod forward;
mod layer;
mod memory;
mod pool;

pub(super) use memory::{Memory, Outputs};

use super::packed::{Packed, PackedLinear};
use super::plan::Plan;
use model::net::cpu::geometry::Geometry;
use model::net::cpu::simd::Isa;

/// Rows of the matrix products of a convolution, if boards are small enough: enough to use each weight often while it is near, few
/// enough for what is between two layers to stay near too.
const ROWS_TOGETHER: usize = 72;

/// The boards of one size that go through the layers together.
pub(super) fn n_together(geometry: Geometry) -> usize {
    (ROWS_TOGETHER / geometry.n_tiles()).max(1)
}

/// The data that all threads read in a step.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) plan: &'a Plan,
    pub(super) packed: &'a Packed,
    pub(super) isa: Isa,
    pub(super) geometry: Geometry,
    convs: &'a [PackedLinear],
}

impl<'a> Pass<'a> {
    /// A pass over boards of one size; the weights are packed for its tile.
    pub(super) fn new(plan: &'a Plan, packed: &'a Packed, isa: Isa, geometry: Geometry) -> Pass<'a> {
        Pass { plan, packed, isa, geometry, convs: packed.convs(geometry.tile) }
    }
}
