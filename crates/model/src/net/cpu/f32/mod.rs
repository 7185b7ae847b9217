//! The reference engine: a forward pass in single precision, written to be read. Every network that can be read, every
//! board.
//!
//! Activations stand point by point, the channels of a point side by side. A convolution is one matrix product for each tap
//! of its kernel, four points and eight outputs at a time. No fused operations, no platform library: an evaluation is the
//! same on every machine.
//!
//! In reading order: this file, the whole pass · `kernel` products and convolutions · `pointwise` norms and activations ·
//! `pool` · `block` · `attention` · `head`.

pub(super) mod attention;
mod block;
mod head;
mod kernel;
mod pointwise;
mod pool;

use super::super::graph::{Graph, N_GLOBALS, N_PLANES, TipNorm, Trunk};
use super::super::output::{NetInput, NetOutput};
use kernel::{add_to_points, convolve, product};

/// The smallest and the largest side of a board.
pub const SIDES: std::ops::RangeInclusive<usize> = 1..=25;

/// The size of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Board {
    width: usize,
    height: usize,
}

impl Board {
    fn n_points(self) -> usize {
        self.width * self.height
    }
}

/// An input that does not have the numbers of planes, globals or points that it claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a board of {width} by {height} with {n_planes} plane values and {n_globals} globals is no input")]
pub struct BadInput {
    width: usize,
    height: usize,
    n_planes: usize,
    n_globals: usize,
}

/// Evaluates a position.
///
/// # Errors
/// When the input has the wrong size.
pub fn evaluate(graph: &Graph, input: &NetInput<'_>) -> Result<NetOutput, BadInput> {
    let board = Board { width: input.width, height: input.height };
    let is_good = SIDES.contains(&board.width)
        && SIDES.contains(&board.height)
        && input.point_planes.len() == N_PLANES * board.n_points()
        && input.globals.len() == N_GLOBALS;
    if !is_good {
        return Err(BadInput {
            width: input.width,
            height: input.height,
            n_planes: input.point_planes.len(),
            n_globals: input.globals.len(),
        });
    }
    let tip = trunk(&graph.trunk, board, input);
    let mut out = NetOutput::default();
    head::policy(&graph.policy, board, &tip, &mut out);
    head::value(&graph.value, board, &tip, &mut out);
    Ok(out)
}

/// The features of each point at the tip of the trunk.
fn trunk(trunk: &Trunk, board: Board, input: &NetInput<'_>) -> Vec<f32> {
    let mut x = convolve(&trunk.conv, board, input.point_planes);
    add_to_points(&mut x, &product(&trunk.globals, input.globals));
    for block in &trunk.blocks {
        block::add_block(block, board, &mut x);
    }
    match &trunk.tip {
        TipNorm::Batch(norm) => pointwise::norm(norm, &mut x),
        TipNorm::Rms(norm) => pointwise::tip_rms(norm, &mut x),
    }
    pointwise::activate(trunk.tip_activation, &mut x);
    x
}

#[cfg(test)]
mod tests;
