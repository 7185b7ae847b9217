//! The search tree of `mcts`, the very same files, compiled with the cells and locks of `loom` in place of those of the
//! standard library. A test is then a *model*: a few threads that do a little to one small tree, run again and again until
//! every order in which they can meet at a cell, and every old value a weak ordering lets them read, has been tried.
//! One limit is loom's own: no load sees a store that comes later in the order of the run, as a relaxed load on some
//! machines could.
//!
//! In reading order: `sync` the cells · [`game`] and [`tree`] from `mcts` · this file: what a model needs beside them.
//! The models are in `tests/it`.

#[path = "../../mcts/src/game.rs"]
#[allow(dead_code, reason = "the rest of the crate it comes from uses it")]
pub mod game;
mod sync;
#[path = "../../mcts/src/tree/mod.rs"]
#[allow(dead_code, reason = "the rest of the crate it comes from uses it")]
pub mod tree;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tree::layout::LINK;
use tree::{ChildIdx, Node, Tree};

/// Runs a model under all interleavings of its threads.
pub fn check(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    // One node more is some thirty accesses to cells, and a full arena is asked for a slot of every size.
    builder.max_branches = 10_000;
    builder.check(model);
}

/// Lets two threads share a tree, as a scope of threads does; afterwards it belongs to one alone again.
pub fn share<A: 'static, B>(
    tree: Tree,
    there: impl FnOnce(&Tree) -> A + 'static,
    here: impl FnOnce(&Tree) -> B,
) -> (Tree, A, B) {
    let tree = Arc::new(tree);
    let other = Arc::clone(&tree);
    let thread = loom::thread::spawn(move || there(&other));
    let here = here(&tree);
    let there = thread.join().expect("a failed model has stopped already");
    (Arc::into_inner(tree).expect("the other thread has ended"), there, here)
}

/// Whether a child has a node, by the cell alone: nothing else is visible for having seen it.
pub fn is_linked(parent: Node<'_>, child: ChildIdx) -> bool {
    parent.counts(LINK)[child.idx()].load(Relaxed) != 0
}

/// Begins a visit on the way down, as a simulation does.
pub fn begin_visit(node: Node<'_>, child: ChildIdx) {
    node.begin_visit(child);
}

/// Ends a visit that was begun, and counts it `weight` times over, as a simulation does on its way up.
pub fn finish_visit(node: Node<'_>, child: ChildIdx, weight: u32) {
    node.end_visit(child);
    node.add_visits(child, weight);
}
