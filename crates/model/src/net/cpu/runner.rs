//! An engine of either kind of number behind one object, with memory of its own: for callers that measure and compare engines.
//!
//! Generic code is compiled in the crate that names its types. Here both engines are, so that they run at the speed at
//! which searches run them, however the caller is compiled.

use super::engine::{Engine, Misfit, Scratch};
use super::gemm::Number;
use super::simd::Isa;
use crate::net::graph::Graph;
use crate::net::output::{NetInput, NetOutput};

/// The numbers that an engine computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Integers of 16 bits, the same bits on every machine: what searches use.
    I16,
    /// Floating-point numbers of 32 bits.
    F32,
}

impl NumberKind {
    /// Both.
    pub const ALL: [NumberKind; 2] = [NumberKind::I16, NumberKind::F32];

    /// The name: `i16` or `f32`.
    pub fn name(self) -> &'static str {
        match self {
            NumberKind::I16 => <i16 as Number>::NAME,
            NumberKind::F32 => <f32 as Number>::NAME,
        }
    }
}

/// An engine for boards of one size, and the memory it computes in.
pub trait Runner {
    /// Evaluates positions, each into its own place of `out`.
    ///
    /// # Errors
    /// When a position does not fit the engine.
    fn evaluate(&mut self, inputs: &[NetInput<'_>], out: &mut [NetOutput]) -> Result<(), Misfit>;
}

struct Owned<T: Number> {
    engine: Engine<T>,
    scratch: Scratch<T>,
}

impl<T: Number> Owned<T> {
    fn boxed(graph: &Graph, board: [usize; 2], isa: Isa, capacity: usize) -> Box<dyn Runner> {
        let engine = Engine::<T>::new(graph, board, isa);
        let scratch = engine.scratch(capacity);
        Box::new(Owned { engine, scratch })
    }
}

impl<T: Number> Runner for Owned<T> {
    fn evaluate(&mut self, inputs: &[NetInput<'_>], out: &mut [NetOutput]) -> Result<(), Misfit> {
        self.engine.evaluate(&mut self.scratch, inputs, out)
    }
}

/// Packs a network for boards of these columns and rows; at most `capacity` positions go through the layers together.
pub fn build(
    number: NumberKind,
    graph: &Graph,
    board: [usize; 2],
    isa: Isa,
    capacity: usize,
) -> Box<dyn Runner> {
    match number {
        NumberKind::I16 => Owned::<i16>::boxed(graph, board, isa, capacity),
        NumberKind::F32 => Owned::<f32>::boxed(graph, board, isa, capacity),
    }
}
