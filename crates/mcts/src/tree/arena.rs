//! Where nodes live. A node with n children takes a slot of the size class n rounded up to a multiple of eight, and slots
//! come from chunks of about 64 kB, so making and recycling a node is O(1) and never moves another. Everything in a
//! chunk is atomic: threads share the tree without locks, except to take or return a slot.

use super::layout::{Layout, Per};
use crate::sync::{AtomicI64, AtomicU16, AtomicU32, AtomicUsize, CHUNK_BYTES, Mutex, OnceLock};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

/// A place in the arena: size class (7 bits) and index (25 bits). 0 is no slot, since no class is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(pub(super) u32);

const INDEX_BITS: u32 = 25;
const CLASS_STEP: usize = 8;
const N_CLASSES: usize = 128;
/// A node has at most this many children; a 25×25 board needs 626.
pub const MAX_CHILDREN: usize = CLASS_STEP * (N_CLASSES - 1);

impl Slot {
    fn new(class: usize, index: usize) -> Slot {
        Slot((class as u32) << INDEX_BITS | index as u32)
    }

    fn class(self) -> usize {
        (self.0 >> INDEX_BITS) as usize
    }

    fn index(self) -> usize {
        (self.0 & ((1 << INDEX_BITS) - 1)) as usize
    }
}

/// The fixed part of a node.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Grows whenever the slot changes hands, so that an old `NodeId` is recognised.
    pub(super) generation: AtomicU32,
    /// The parent's slot; 0 at the root.
    pub(super) parent: AtomicU32,
    pub(super) parent_child: AtomicU16,
    pub(super) n_children: AtomicU16,
    /// The mover: 0 or 1.
    pub(super) mover: AtomicU16,
    /// How far the node's priors are.
    pub(super) stage: AtomicU16,
}

/// The columns of some nodes of one class. Columns of a node lie together: the offset of column c of the node at place i
/// is (i·columns + c)·capacity.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) capacity: usize,
    pub(super) heads: Box<[Head]>,
    pub(super) actions: Box<[AtomicU16]>,
    pub(super) counts: Box<[AtomicU32]>,
    pub(super) sums: Box<[AtomicI64]>,
    pub(super) node_counts: Box<[AtomicU32]>,
    pub(super) node_sums: Box<[AtomicI64]>,
    pub(super) blocks: Box<[OnceLock<Block>]>,
}

/// The cells of a lazy block.
pub(super) type Block = Box<[AtomicU32]>;

fn zeroed<T: Default>(n: usize) -> Box<[T]> {
    (0..n).map(|_| T::default()).collect()
}

impl Chunk {
    fn new(n_slots: usize, capacity: usize, layout: &Layout) -> Chunk {
        let n_arms = n_slots * capacity;
        Chunk {
            capacity,
            heads: zeroed(n_slots),
            actions: zeroed(n_arms),
            counts: zeroed(n_arms * usize::from(layout.n_counts)),
            sums: zeroed(n_arms * layout.n_sums()),
            node_counts: zeroed(n_slots * usize::from(layout.n_node_counts)),
            node_sums: zeroed(n_slots * usize::from(layout.n_node_sums)),
            blocks: zeroed(n_slots * layout.blocks.len()),
        }
    }
}

fn node_bytes(capacity: usize, layout: &Layout) -> usize {
    size_of::<Head>()
        + capacity * (2 + 4 * usize::from(layout.n_counts) + 8 * layout.n_sums())
        + 4 * usize::from(layout.n_node_counts)
        + 8 * usize::from(layout.n_node_sums)
        + layout
            .blocks
            .iter()
            .map(|&per| size_of::<OnceLock<Block>>() + 4 * n_cells(per, capacity, layout))
            .sum::<usize>()
}

/// The cells of a lazy block.
fn n_cells(per: Per, capacity: usize, layout: &Layout) -> usize {
    match per {
        Per::Pair => capacity * capacity,
        Per::Action => layout.n_actions,
    }
}

/// All slots of one class.
#[derive(Debug)]
struct Class {
    capacity: usize,
    /// A chunk has 2ˢ slots.
    shift: u32,
    chunks: OnceLock<Box<[OnceLock<Box<Chunk>>]>>,
    supply: Mutex<Supply>,
}

impl Class {
    fn new(capacity: usize, layout: &Layout) -> Class {
        let n_slots = (CHUNK_BYTES / node_bytes(capacity, layout)).max(1);
        Class { capacity, shift: n_slots.ilog2(), chunks: OnceLock::new(), supply: Mutex::default() }
    }

    fn chunk_bytes(&self, layout: &Layout) -> usize {
        node_bytes(self.capacity, layout) << self.shift
    }
}

#[derive(Debug, Default)]
struct Supply {
    free: Vec<u32>,
    n_made: usize,
}

/// All size classes, and the bytes they took.
#[derive(Debug)]
pub(super) struct Arena {
    pub(super) layout: Layout,
    classes: Box<[Class]>,
    bytes: AtomicUsize,
    ceiling: usize,
    n_nodes: AtomicUsize,
    /// Slots are taken of this class at least.
    least_class: usize,
}

impl Arena {
    pub(super) fn new(layout: Layout, ceiling: usize) -> Arena {
        let classes = (0..N_CLASSES).map(|idx| Class::new(idx * CLASS_STEP, &layout)).collect();
        Arena {
            layout,
            classes,
            bytes: AtomicUsize::new(0),
            ceiling,
            n_nodes: AtomicUsize::new(0),
            least_class: 1,
        }
    }

    pub(super) fn ceiling(&self) -> usize {
        self.ceiling
    }

    /// From now on a slot has room for at least `n_children` children. Nodes of one search have about as many, and slots that
    /// are all alike can take each other's place when room is made.
    pub(super) fn set_least(&mut self, n_children: usize) {
        self.least_class = n_children.div_ceil(CLASS_STEP).clamp(1, N_CLASSES - 1);
    }

    /// Whether a node of `n_children` children fits into the slots that most have.
    pub(super) fn is_usual(&self, n_children: usize) -> bool {
        n_children.div_ceil(CLASS_STEP) <= self.least_class
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.n_nodes.load(Relaxed)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Takes a slot for `n_children`, or `None` if that would pass the ceiling. The columns may hold old values.
    pub(super) fn take(&self, n_children: usize) -> Option<Slot> {
        if n_children > MAX_CHILDREN {
            return None;
        }
        let class_idx = n_children.div_ceil(CLASS_STEP).max(self.least_class);
        // At the ceiling a free slot of a larger class serves as well.
        let slot = self
            .take_of(class_idx, true)
            .or_else(|| (class_idx + 1..N_CLASSES).find_map(|larger| self.take_of(larger, false)))?;
        self.n_nodes.fetch_add(1, Relaxed);
        Some(slot)
    }

    fn take_of(&self, class_idx: usize, may_grow: bool) -> Option<Slot> {
        let class = &self.classes[class_idx];
        let mut supply = class.supply.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = supply.free.pop() {
            return Some(Slot::new(class_idx, index as usize));
        }
        if !may_grow {
            return None;
        }
        let index = supply.n_made;
        self.make_room(class, index)?;
        supply.n_made += 1;
        Some(Slot::new(class_idx, index))
    }

    /// Sees to it that the chunk of a new slot exists.
    fn make_room(&self, class: &Class, index: usize) -> Option<()> {
        let chunk_bytes = class.chunk_bytes(&self.layout);
        let chunks = class.chunks.get_or_init(|| zeroed(self.ceiling / chunk_bytes + 1));
        let place = chunks.get(index >> class.shift)?;
        if index >> INDEX_BITS != 0 {
            return None;
        }
        if place.get().is_none() {
            self.reserve(chunk_bytes)?;
            place.get_or_init(|| Box::new(Chunk::new(1 << class.shift, class.capacity, &self.layout)));
        }
        Some(())
    }

    /// Books memory. The very first chunk is always granted, so that there is a root under any ceiling.
    fn reserve(&self, n_bytes: usize) -> Option<()> {
        let grow = |bytes: usize| (bytes == 0 || bytes + n_bytes <= self.ceiling).then_some(bytes + n_bytes);
        self.bytes.fetch_update(Relaxed, Relaxed, grow).ok().map(|_| ())
    }

    /// Returns a slot; ids that still name its node are dead from now on.
    pub(super) fn give_back(&self, slot: Slot) {
        if let Some((chunk, place)) = self.find(slot) {
            chunk.heads[place].generation.fetch_add(1, Relaxed);
            let class = &self.classes[slot.class()];
            class.supply.lock().unwrap_or_else(PoisonError::into_inner).free.push(slot.index() as u32);
            self.n_nodes.fetch_sub(1, Relaxed);
        }
    }

    /// The chunk of a slot and the place in it.
    #[inline]
    pub(super) fn find(&self, slot: Slot) -> Option<(&Chunk, usize)> {
        let class = &self.classes[slot.class()];
        let chunk = class.chunks.get()?.get(slot.index() >> class.shift)?.get()?;
        Some((chunk, slot.index() & ((1 << class.shift) - 1)))
    }

    /// The lazy block of a node, made when it is first asked for. Its bytes were counted with the node's.
    pub(super) fn block<'a>(&self, chunk: &'a Chunk, place: usize, block_idx: usize) -> &'a [AtomicU32] {
        chunk.blocks[place * self.layout.blocks.len() + block_idx]
            .get_or_init(|| zeroed(n_cells(self.layout.blocks[block_idx], chunk.capacity, &self.layout)))
    }
}
