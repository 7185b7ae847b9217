//! The tree in columns. A node is a list of actions and, for each, a cell in every column that some piece claimed; a
//! child node exists only where the search grew one. Values stand at the parent, per child, as the mover there sees
//! them.
//!
//! In reading order: [`layout`] what columns there are · `arena` where they lie · `tally` count and sum in one word ·
//! this file: nodes by id · `room` recycling the least visited.

mod arena;
pub mod layout;
mod room;
mod tally;

use crate::game::{Action, Side};
use crate::sync::{AtomicI64, AtomicU16, AtomicU32};
use arena::{Arena, Chunk, Slot};
use layout::{BlockColumn, CountColumn, LINK, Layout, NodeCount, NodeSum, SumColumn, UNDER_WAY, VISITS};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

pub use arena::MAX_CHILDREN;
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

/// A node's columns, found once and then read without further checks.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    arena: &'a Arena,
    chunk: &'a Chunk,
    place: usize,
    n_children: usize,
    id: NodeId,
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

impl<'a> Node<'a> {
    /// The node's id.
    #[inline]
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Number of children (arms).
    #[inline]
    pub fn n_children(self) -> usize {
        self.n_children
    }

    /// Who is to move here.
    #[inline]
    pub fn mover(self) -> Side {
        if self.head().mover.load(Relaxed) == 0 { Side::First } else { Side::Second }
    }

    fn head(self) -> &'a arena::Head {
        &self.chunk.heads[self.place]
    }

    /// The actions of all children, in order, as they are kept.
    #[inline]
    pub(crate) fn action_cells(self) -> &'a [AtomicU16] {
        let start = self.place * self.chunk.capacity;
        &self.chunk.actions[start..start + self.n_children]
    }

    /// The action of a child.
    #[inline]
    pub fn action(self, child: ChildIdx) -> Action {
        Action(self.action_cells()[child.idx()].load(Relaxed))
    }

    /// The actions of all children, in order.
    pub fn actions(self) -> impl ExactSizeIterator<Item = Action> + 'a {
        self.action_cells().iter().map(|cell| Action(cell.load(Relaxed)))
    }

    /// The child that plays an action.
    pub fn find(self, action: Action) -> Option<ChildIdx> {
        self.actions().position(|known| known == action).map(|idx| ChildIdx(idx as u16))
    }

    /// A count column: one cell per child.
    #[inline]
    pub fn counts(self, column: CountColumn) -> &'a [AtomicU32] {
        let n_columns = usize::from(self.arena.layout.n_counts);
        let start = (self.place * n_columns + usize::from(column.0)) * self.chunk.capacity;
        &self.chunk.counts[start..start + self.n_children]
    }

    #[inline]
    fn sum_cells(self, idx: u16) -> &'a [AtomicI64] {
        let start = (self.place * self.arena.layout.n_sums() + usize::from(idx)) * self.chunk.capacity;
        &self.chunk.sums[start..start + self.n_children]
    }

    /// Whether the node has its priors, so that the search may go on below it.
    #[inline]
    pub fn is_open(self) -> bool {
        self.head().stage.load(Acquire) != AWAITING
    }

    /// Opens the node: its first priors are written.
    pub fn open(self) {
        self.head().stage.store(OPEN, Release);
    }

    /// Claims the right to write better priors, which one caller gets once; the node stays open meanwhile.
    pub fn claim_refinement(self) -> bool {
        let stage = &self.head().stage;
        stage.load(Relaxed) == OPEN && stage.compare_exchange(OPEN, REFINED, AcqRel, Relaxed).is_ok()
    }

    /// Finished visits of a child.
    #[inline]
    pub fn visits(self, child: ChildIdx) -> u32 {
        self.counts(VISITS)[child.idx()].load(Relaxed)
    }

    /// Visits of a child, finished or under way.
    #[inline]
    pub fn begun(self, child: ChildIdx) -> u32 {
        self.visits(child).saturating_add(self.counts(UNDER_WAY)[child.idx()].load(Relaxed))
    }

    /// A visit of a child is under way.
    #[inline]
    pub(crate) fn begin_visit(self, child: ChildIdx) {
        self.counts(UNDER_WAY)[child.idx()].fetch_add(1, Relaxed);
    }

    /// A visit of a child is no longer under way.
    #[inline]
    pub(crate) fn end_visit(self, child: ChildIdx) {
        self.counts(UNDER_WAY)[child.idx()].fetch_sub(1, Relaxed);
    }

    /// Counts finished visits of a child.
    #[inline]
    pub(crate) fn add_visits(self, child: ChildIdx, n: u32) {
        self.counts(VISITS)[child.idx()].fetch_add(n, Relaxed);
    }

    /// Reads finished visits into a scratch column; returns their sum.
    #[inline]
    pub fn read_visits(self, out: &mut [f32]) -> u64 {
        self.read_totals(VISITS, out)
    }

    /// Reads finished visits plus pseudo-visits, a column of `f32` bits, into a scratch column; returns their sum.
    pub(crate) fn read_visits_and(self, pseudo: CountColumn, out: &mut [f32]) -> f32 {
        let (cells, cells_rest) = self.counts(VISITS).as_chunks::<8>();
        let (pseudo, pseudo_rest) = self.counts(pseudo).as_chunks::<8>();
        let (out, out_rest) = out[..self.n_children].as_chunks_mut::<8>();
        // Pseudo-visits are added up in their order: sums of fractions depend on it.
        let (mut totals, mut pseudo_total) = ([0u32; 8], 0.0);
        for (out, (cells, pseudo)) in out.iter_mut().zip(cells.iter().zip(pseudo)) {
            let visits = gather(cells, |cell| cell.load(Relaxed));
            let pseudo = gather(pseudo, |cell| cell.load(Relaxed));
            for i in 0..8 {
                out[i] = small_to_f32(visits[i]) + f32::from_bits(pseudo[i]);
                totals[i] = totals[i].wrapping_add(visits[i]);
            }
            pseudo_total = pseudo.iter().fold(pseudo_total, |sum, &bits| sum + f32::from_bits(bits));
        }
        let mut total: u64 = totals.iter().map(|&visits| u64::from(visits)).sum();
        for (x, (cell, pseudo)) in out_rest.iter_mut().zip(cells_rest.iter().zip(pseudo_rest)) {
            let (visits, pseudo) = (cell.load(Relaxed), f32::from_bits(pseudo.load(Relaxed)));
            *x = small_to_f32(visits) + pseudo;
            total += u64::from(visits);
            pseudo_total += pseudo;
        }
        total as f32 + pseudo_total
    }

    /// Reads visits under way into a scratch column; returns their sum.
    #[inline]
    pub(crate) fn read_under_way(self, out: &mut [f32]) -> u64 {
        self.read_totals(UNDER_WAY, out)
    }

    #[inline]
    fn read_totals(self, column: CountColumn, out: &mut [f32]) -> u64 {
        let (cells, cells_rest) = self.counts(column).as_chunks::<16>();
        let (out, out_rest) = out[..self.n_children].as_chunks_mut::<16>();
        let mut totals = [0u32; 16];
        for (out, cells) in out.iter_mut().zip(cells) {
            let visits = gather(cells, |cell| cell.load(Relaxed));
            for i in 0..16 {
                out[i] = small_to_f32(visits[i]);
                totals[i] = totals[i].wrapping_add(visits[i]);
            }
        }
        let mut total = totals.iter().map(|&visits| u64::from(visits)).sum();
        for (x, cell) in out_rest.iter_mut().zip(cells_rest) {
            let visits = cell.load(Relaxed);
            *x = small_to_f32(visits);
            total += u64::from(visits);
        }
        total
    }

    /// Reads a count column into a scratch column.
    #[inline]
    pub fn read_counts(self, column: CountColumn, out: &mut [f32]) {
        for (x, cell) in out.iter_mut().zip(self.counts(column)) {
            *x = cell.load(Relaxed) as f32;
        }
    }

    /// The number of one child in a column of numbers.
    #[inline]
    pub fn float(self, column: CountColumn, child_idx: usize) -> f32 {
        f32::from_bits(self.counts(column)[child_idx].load(Relaxed))
    }

    /// Reads a column of `f32` bits into a scratch column.
    #[inline]
    pub fn read_floats(self, column: CountColumn, out: &mut [f32]) {
        let (cells, cells_rest) = self.counts(column).as_chunks::<16>();
        let (out, out_rest) = out[..self.n_children].as_chunks_mut::<16>();
        for (out, cells) in out.iter_mut().zip(cells) {
            out.iter_mut().zip(cells).for_each(|(x, cell)| *x = f32::from_bits(cell.load(Relaxed)));
        }
        for (x, cell) in out_rest.iter_mut().zip(cells_rest) {
            *x = f32::from_bits(cell.load(Relaxed));
        }
    }

    /// Adds a column of `f32` bits to a scratch column.
    #[inline]
    pub fn add_floats(self, column: CountColumn, out: &mut [f32]) {
        let (cells, cells_rest) = self.counts(column).as_chunks::<16>();
        let (out, out_rest) = out[..self.n_children].as_chunks_mut::<16>();
        for (out, cells) in out.iter_mut().zip(cells) {
            let bits = gather(cells, |cell| cell.load(Relaxed));
            for i in 0..16 {
                out[i] += f32::from_bits(bits[i]);
            }
        }
        for (x, cell) in out_rest.iter_mut().zip(cells_rest) {
            *x += f32::from_bits(cell.load(Relaxed));
        }
    }

    /// Writes a column of `f32` bits.
    pub fn write_floats(self, column: CountColumn, values: &[f32]) {
        for (cell, x) in self.counts(column).iter().zip(values) {
            cell.store(x.to_bits(), Relaxed);
        }
    }

    /// Reads a sum column into a scratch column.
    #[inline]
    pub fn read_sums(self, column: SumColumn, out: &mut [f32]) {
        let unit = unit(column.n_fraction_bits);
        let (cells, out) = (self.sum_cells(column.idx), &mut out[..self.n_children]);
        for (out, cells) in out.as_chunks_mut().0.iter_mut().zip(cells.as_chunks().0) {
            read_sixteen(cells, unit, out);
        }
        // The rest together with some that were read before: a vector of old ones costs less than a few new ones by themselves.
        if let (Some(cells), Some(out)) = (cells.last_chunk(), out.last_chunk_mut()) {
            if !self.n_children.is_multiple_of(16) {
                read_sixteen(cells, unit, out);
            }
            return;
        }
        for (x, cell) in out.iter_mut().zip(cells) {
            *x = (to_f64(cell.load(Relaxed)) * unit) as f32;
        }
    }

    /// One child's sum.
    #[inline]
    pub fn sum(self, column: SumColumn, child: ChildIdx) -> f32 {
        (self.sum_cells(column.idx)[child.idx()].load(Relaxed) as f64 * unit(column.n_fraction_bits)) as f32
    }

    /// Adds to one child's sum. The value must be finite.
    #[inline]
    pub fn add_sum(self, column: SumColumn, child: ChildIdx, value: f32) {
        let quanta = to_quanta(value, column.n_fraction_bits);
        self.sum_cells(column.idx)[child.idx()].fetch_add(quanta, Relaxed);
    }

    /// Adds to the sums of the first children. The values must be finite.
    #[inline]
    pub fn add_sums(self, column: SumColumn, values: impl Iterator<Item = f32>) {
        for (cell, value) in self.sum_cells(column.idx).iter().zip(values) {
            cell.fetch_add(to_quanta(value, column.n_fraction_bits), Relaxed);
        }
    }

    /// A count of the node.
    pub fn node_count(self, column: NodeCount) -> &'a AtomicU32 {
        let n_columns = usize::from(self.arena.layout.n_node_counts);
        &self.chunk.node_counts[self.place * n_columns + usize::from(column.0)]
    }

    fn node_sum_cell(self, column: NodeSum) -> &'a AtomicI64 {
        let n_columns = usize::from(self.arena.layout.n_node_sums);
        &self.chunk.node_sums[self.place * n_columns + usize::from(column.idx)]
    }

    /// A sum of the node.
    pub fn node_sum(self, column: NodeSum) -> f32 {
        (self.node_sum_cell(column).load(Relaxed) as f64 * unit(column.n_fraction_bits)) as f32
    }

    /// Adds to a sum of the node. The value must be finite.
    pub fn add_node_sum(self, column: NodeSum, value: f32) {
        self.node_sum_cell(column).fetch_add(to_quanta(value, column.n_fraction_bits), Relaxed);
    }

    /// A lazy block: one cell per action, or per ordered pair of children (row · [`Node::pair_stride`] + column).
    pub fn block(self, column: BlockColumn) -> &'a [AtomicU32] {
        self.arena.block(self.chunk, self.place, usize::from(column.0))
    }

    /// The distance between two rows of a block per pair.
    pub fn pair_stride(self) -> usize {
        self.chunk.capacity
    }

    /// Sets every cell of a slot that may have been used before to zero.
    fn clear(self) {
        let layout = &self.arena.layout;
        (0..layout.n_counts).for_each(|idx| zero(self.counts(CountColumn(idx))));
        (0..layout.n_sums()).for_each(|idx| {
            self.sum_cells(idx as u16).iter().for_each(|cell| cell.store(0, Relaxed));
        });
        (0..layout.n_node_counts).for_each(|idx| self.node_count(NodeCount(idx)).store(0, Relaxed));
        (0..layout.n_node_sums).for_each(|idx| {
            self.node_sum_cell(NodeSum { idx, n_fraction_bits: 0 }).store(0, Relaxed);
        });
        let n_blocks = layout.blocks.len();
        let blocks = &self.chunk.blocks[self.place * n_blocks..(self.place + 1) * n_blocks];
        blocks.iter().filter_map(|block| block.get()).for_each(|cells| zero(cells));
    }
}

fn zero(cells: &[AtomicU32]) {
    cells.iter().for_each(|cell| cell.store(0, Relaxed));
}

/// Some cells as plain numbers in memory. Atomic loads are single ones; what follows then takes whole vectors of them,
/// but only if the compiler does not keep each number in a register: hence the black box.
#[inline(always)]
fn gather<A, T: Copy + Default, const N: usize>(cells: &[A; N], load: impl Fn(&A) -> T) -> [T; N] {
    let mut numbers = [T::default(); N];
    numbers.iter_mut().zip(cells).for_each(|(number, cell)| *number = load(cell));
    std::hint::black_box(&mut numbers);
    numbers
}

/// Reads sixteen sums at once.
#[inline(always)]
fn read_sixteen(cells: &[AtomicI64; 16], unit: f64, out: &mut [f32; 16]) {
    let words = gather(cells, |cell| cell.load(Relaxed));
    for i in 0..16 {
        out[i] = (to_f64(words[i]) * unit) as f32;
    }
}

/// A count below 2³¹, which vector units convert at once.
#[inline]
fn small_to_f32(count: u32) -> f32 {
    count as i32 as f32
}

/// A whole number as a double, rounded if it is beyond 2⁵³, by way of two mantissas: vector units of every machine can do
/// that. The high word stands in one of 2⁸⁴ (shifted by 2³¹, so that it is never negative), the low one in one of 2⁵².
#[inline]
fn to_f64(x: i64) -> f64 {
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    const TWO_84: u64 = 0x4530_0000_0000_0000;
    const SIGN: u64 = 0x8000_0000;
    let high = f64::from_bits(((x as u64) >> 32) ^ (TWO_84 | SIGN));
    let low = f64::from_bits((x as u64 & 0xffff_ffff) | TWO_52);
    // 2⁸⁴ + 2⁶³ + 2⁵²: what the two mantissas have too much.
    (high - f64::from_bits(TWO_84 | SIGN | 0x10_0000)) + low
}

/// The value of one quantum: 2⁻ᵇ, exactly.
#[inline]
fn unit(n_fraction_bits: u16) -> f64 {
    1.0 / (1u64 << n_fraction_bits) as f64
}

/// To the nearest quantum, halves away from zero.
#[inline]
fn to_quanta(value: f32, n_fraction_bits: u16) -> i64 {
    debug_assert!(value.is_finite());
    let scaled = f64::from(value) * (1u64 << n_fraction_bits) as f64;
    (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i64
}

#[cfg(test)]
mod tests;
