//! The tree in columns. A node is a list of actions and, for each, a cell in every column that some piece claimed; a
//! child node exists only where the search grew one. Values stand at the parent, per child, as the mover there sees
//! them.
//!
//! In reading order: [`layout`] what columns there are · `arena` where they lie · `tally` count and sum in one word ·
//! `number` cells as numbers · `node` one node's columns · this file: nodes by id · `room` recycling the least visited.

mod arena;
pub mod layout;
mod node;
mod number;
mod room;
mod tally;

use crate::game::{Action, Side};
use arena::{Arena, Slot};
use layout::{LINK, Layout};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

pub use arena::MAX_CHILDREN;
pub use node::Node;
pub use tally::MAX_TIMES;

/// A node. The id of a node that was recycled since is recognised and finds nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId {
    slot: Slot,
    generation: u32,
}

/// A child by its place in its parent's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChildIdx(pub u16);

impl ChildIdx {
    /// The index.
    #[inline]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// The stages of a node: it awaits its first priors, has them, or has asked for better ones.
const AWAITING: u16 = 0;
const OPEN: u16 = 1;
const REFINED: u16 = 2;

/// All nodes of a search; shared by its threads.
#[derive(Debug)]
pub struct Tree {
    arena: Arena,
}

impl Tree {
    /// An empty tree whose columns take at most about `ceiling` bytes.
    pub fn new(layout: Layout, ceiling: usize) -> Tree {
        Tree { arena: Arena::new(layout, ceiling) }
    }

    /// Forgets all nodes and returns their memory.
    pub fn reset(&mut self) {
        *self = Tree::new(self.arena.layout.clone(), self.arena.ceiling());
    }

    /// From now on nodes have room for at least `n_children` children, so that a recycled one can take the place of any other
    /// of the same search.
    pub fn set_least(&mut self, n_children: usize) {
        self.arena.set_least(n_children);
    }

    /// Whether a node of `n_children` children is of the usual size. If there is no room for a larger one, recycling may not
    /// help.
    pub(crate) fn is_usual(&self, n_children: usize) -> bool {
        self.arena.is_usual(n_children)
    }

    /// The columns of the nodes.
    pub fn layout(&self) -> &Layout {
        &self.arena.layout
    }

    /// Number of nodes in use.
    pub fn n_nodes(&self) -> usize {
        self.arena.n_nodes()
    }

    /// Bytes taken by the columns of nodes in use and of those waiting to be used again.
    pub fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// Finds a node, unless it was recycled.
    #[inline]
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        let node = self.node_at(id.slot)?;
        (node.id.generation == id.generation).then_some(node)
    }

    #[inline]
    fn node_at(&self, slot: Slot) -> Option<Node<'_>> {
        let (chunk, place) = self.arena.find(slot)?;
        let head = &chunk.heads[place];
        let n_children = usize::from(head.n_children.load(Relaxed));
        let id = NodeId { slot, generation: head.generation.load(Relaxed) };
        Some(Node { arena: &self.arena, chunk, place, n_children, id })
    }

    /// Makes a node that nothing points to yet, with all its columns zero, which awaits its priors; `None` when the tree is
    /// full.
    pub fn add(&self, mover: Side, actions: &[Action]) -> Option<Node<'_>> {
        let slot = self.arena.take(actions.len())?;
        let (chunk, place) = self.arena.find(slot)?;
        let head = &chunk.heads[place];
        head.n_children.store(actions.len() as u16, Relaxed);
        head.mover.store(mover.idx() as u16, Relaxed);
        head.parent.store(0, Relaxed);
        head.stage.store(AWAITING, Relaxed);
        let node = self.node_at(slot)?;
        node.clear();
        for (cell, action) in node.action_cells().iter().zip(actions) {
            cell.store(action.0, Relaxed);
        }
        Some(node)
    }

    /// Hangs a new node below its parent; false if another thread was quicker: then its node stays, and the new one is
    /// returned to the arena.
    pub fn link(&self, parent: Node<'_>, child: ChildIdx, node: NodeId) -> bool {
        if let Some((chunk, place)) = self.arena.find(node.slot) {
            chunk.heads[place].parent.store(parent.id.slot.0, Relaxed);
            chunk.heads[place].parent_child.store(child.0, Relaxed);
        }
        let cell = &parent.counts(LINK)[child.idx()];
        if cell.compare_exchange(0, node.slot.0, AcqRel, Relaxed).is_err() {
            self.arena.give_back(node.slot);
            return false;
        }
        true
    }

    /// The child's node, if it has grown one.
    #[inline]
    pub fn child(&self, parent: Node<'_>, child: ChildIdx) -> Option<Node<'_>> {
        match parent.counts(LINK)[child.idx()].load(Acquire) {
            0 => None,
            slot => self.node_at(Slot(slot)),
        }
    }

    /// Recycles a node and all below it, except the subtree of `keep`, which is cut off and becomes a root.
    pub fn recycle(&mut self, top: NodeId, keep: Option<NodeId>) {
        let mut waiting = vec![top];
        while let Some(id) = waiting.pop() {
            let Some(node) = self.node(id) else { continue };
            if Some(id) == keep {
                node.head().parent.store(0, Relaxed);
                continue;
            }
            for child_idx in 0..node.n_children() {
                waiting.extend(self.child(node, ChildIdx(child_idx as u16)).map(Node::id));
            }
            if let Some((parent, child)) = self.parent(node) {
                parent.counts(LINK)[child.idx()].store(0, Relaxed);
            }
            self.arena.give_back(id.slot);
        }
    }

    /// The parent and the place below it; none for a root.
    pub fn parent(&self, node: Node<'_>) -> Option<(Node<'_>, ChildIdx)> {
        let slot = node.head().parent.load(Relaxed);
        let parent = (slot != 0).then(|| self.node_at(Slot(slot))).flatten()?;
        let child = ChildIdx(node.head().parent_child.load(Relaxed));
        let is_linked = parent.counts(LINK).get(child.idx())?.load(Relaxed) == node.id.slot.0;
        is_linked.then_some((parent, child))
    }
}

#[cfg(test)]
mod tests;
