//! Threads that share the pieces of a batch.
//!
//! What a piece gives depends on its rows and the weights alone, and pieces are summed in their order: the number of threads changes
//! no bit.

use super::batch::{self, Piece};
use super::loss::{self, LossRule, LossSums};
use super::packed::Packed;
use super::pass::{self, Memory, Pass};
use super::plan::Plan;
use model::net::cpu::geometry::Geometry;
use model::net::cpu::simd::Isa;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;

/// The layers of a network, and threads that go through them.
pub(super) struct Workers {
    pub(super) plan: Plan,
    isa: Isa,
    packed: Packed,
    /// By thread and board.
    memories: Vec<BTreeMap<[usize; 2], Memory>>,
}

/// The losses and gradients of a piece.
#[derive(Default)]
pub(super) struct PieceResult {
    pub(super) losses: LossSums,
    /// The sum over its rows, in the order of the weights; empty where only losses are wanted.
    pub(super) gradients: Vec<f32>,
}

impl Workers {
    /// Threads for a network.
    pub(super) fn new(plan: Plan, isa: Isa, n_threads: usize) -> Workers {
        let packed = Packed::new(&plan, isa);
        let memories = (0..n_threads.max(1)).map(|_| BTreeMap::new()).collect();
        Workers { plan, isa, packed, memories }
    }

    /// Packs weights for the boards of these pieces.
    pub(super) fn pack(&mut self, weights: &[f32], pieces: &[Piece<'_>]) {
        let mut tiles = Vec::new();
        for piece in pieces {
            if !tiles.contains(&piece.geometry.tile) {
                tiles.push(piece.geometry.tile);
            }
        }
        self.packed.update(&self.plan, weights, &tiles);
    }

    /// Takes all pieces through the layers, and back if gradients are wanted; one result for each.
    pub(super) fn run(
        &mut self,
        pieces: &[Piece<'_>],
        rule: &LossRule,
        is_learning: bool,
        results: &mut Vec<PieceResult>,
    ) {
        results.resize_with(pieces.len(), PieceResult::default);
        let Workers { plan, isa, packed, memories } = self;
        let (plan, packed, isa) = (&*plan, &*packed, *isa);
        let queue = Mutex::new(pieces.iter().zip(results));
        let work = |memories: &mut BTreeMap<[usize; 2], Memory>| {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((piece, result)) = next else { break };
                let Geometry { width, height, .. } = piece.geometry;
                let pass = Pass::new(plan, packed, isa, piece.geometry);
                let new = || Memory::new(plan, piece.geometry);
                let memory = memories.entry([width, height]).or_insert_with(new);
                run_piece(pass, piece, rule, memory, is_learning.then_some(&mut result.gradients));
                result.losses = memory.losses;
            }
        };
        let n_threads = memories.len().min(pieces.len());
        let (own, others) = memories.split_at_mut(1);
        std::thread::scope(|scope| {
            for memories in others.iter_mut().take(n_threads.saturating_sub(1)) {
                scope.spawn(|| work(memories));
            }
            own.iter_mut().for_each(work);
        });
    }
}

/// Takes a piece through the layers, a few boards at a time.
fn run_piece(
    pass: Pass<'_>,
    piece: &Piece<'_>,
    rule: &LossRule,
    memory: &mut Memory,
    gradients: Option<&mut Vec<f32>>,
) {
    memory.losses = LossSums::default();
    memory.gradients.clear();
    let layout = piece.geometry.image();
    for rows in piece.rows.chunks(pass::n_together(piece.geometry)) {
        memory.n_boards = rows.len();
        batch::write(rows, layout, &mut memory.tape.planes, &mut memory.tape.globals);
        pass.forward(memory);
        let (outputs, slopes) = (&memory.tape.outputs, &mut memory.work.outputs);
        loss::losses(rule, rows, outputs, slopes, &mut memory.losses);
        if gradients.is_some() {
            pass.backward(memory);
        }
    }
    if let Some(gradients) = gradients {
        gradients.resize(pass.plan.n_weights, 0.0);
        memory.gradients.collect(pass.plan, pass.isa, gradients);
    }
}
