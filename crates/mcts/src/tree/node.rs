//! One node: its arms, and their cells in every column.

use super::arena::{Arena, Chunk, Head};
use super::layout::{BlockColumn, CountColumn, NodeCount, NodeSum, SumColumn, UNDER_WAY, VISITS};
use super::number::{gather, read_sixteen, small_to_f32, to_f64, to_quanta, unit};
use super::{AWAITING, ChildIdx, NodeId, OPEN, REFINED};
use crate::game::{Action, Side};
use crate::sync::{AtomicI64, AtomicU16, AtomicU32};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// A node's columns, found once and then read without further checks.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    pub(super) arena: &'a Arena,
    pub(super) chunk: &'a Chunk,
    pub(super) place: usize,
    pub(super) n_children: usize,
    pub(super) id: NodeId,
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

    pub(super) fn head(self) -> &'a Head {
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
    pub(super) fn sum_cells(self, idx: u16) -> &'a [AtomicI64] {
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
    pub(super) fn clear(self) {
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
