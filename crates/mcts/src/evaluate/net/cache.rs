//! Answers of a network by position, within a bound of bytes. Memory is taken as answers come in, in pieces that hold dozens of them, and an
//! answer that meets another in its slot takes its place.

use model::net::NetAnswer;

/// Bytes of a chunk, about; it holds one entry at least.
const CHUNK_BYTES: usize = 1 << 16;
/// Numbers of an entry before its policy: the key in two halves, value, lead, and the lengths of the policy and of the owners.
const N_HEAD: usize = 6;
/// Bytes that an allocator may add to a piece of memory.
const ALLOCATION_BYTES: usize = 16;

/// Answers by position.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// By hash the number of an entry, from 1 on, or 0. As many as there can be entries; made with the first of them.
    slots: Vec<u32>,
    /// Entries as bits, dozens in a chunk.
    chunks: Vec<Box<[u32]>>,
    n_entries: usize,
    layout: CacheLayout,
}

/// The shape of a cache, from which its bytes follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct CacheLayout {
    /// Numbers of an entry.
    n_numbers: usize,
    entries_per_chunk: usize,
    max_chunks: usize,
}

impl CacheLayout {
    /// The largest cache within `n_bytes` for answers of `n_numbers` numbers in policy and owners.
    fn within(n_bytes: usize, n_numbers: usize) -> CacheLayout {
        let n_numbers = N_HEAD + n_numbers;
        let entries_per_chunk = (CHUNK_BYTES / (4 * n_numbers)).max(1);
        let mut layout = CacheLayout { n_numbers, entries_per_chunk, max_chunks: 0 };
        let fixed_bytes = 2 * ALLOCATION_BYTES;
        // The number of an entry has 32 bits.
        let max_chunks = n_bytes.saturating_sub(fixed_bytes) / layout.bytes_per_chunk();
        layout.max_chunks = max_chunks.min(u32::MAX as usize / entries_per_chunk);
        layout
    }

    /// The bytes of a chunk, of its place in the list of chunks, and of the slots for its entries.
    fn bytes_per_chunk(self) -> usize {
        self.chunk_bytes() + size_of::<Box<[u32]>>() + size_of::<u32>() * self.entries_per_chunk
    }

    fn chunk_bytes(self) -> usize {
        4 * self.n_numbers * self.entries_per_chunk + ALLOCATION_BYTES
    }

    fn max_entries(self) -> usize {
        self.entries_per_chunk * self.max_chunks
    }
}

impl Cache {
    /// A cache that never takes more than `n_bytes`, for answers of up to `n_numbers` numbers in policy and owners. Where not even
    /// one chunk fits in, nothing is remembered.
    pub(super) fn new(n_bytes: usize, n_numbers: usize) -> Cache {
        Cache { layout: CacheLayout::within(n_bytes, n_numbers), ..Cache::default() }
    }

    /// The bytes it has taken.
    pub(super) fn bytes(&self) -> usize {
        if self.slots.is_empty() {
            return 0;
        }
        let lists =
            size_of::<u32>() * self.slots.capacity() + size_of::<Box<[u32]>>() * self.chunks.capacity();
        lists + 2 * ALLOCATION_BYTES + self.chunks.len() * self.layout.chunk_bytes()
    }

    /// The bytes it may take in the end.
    pub(super) fn max_bytes(&self) -> usize {
        match self.layout.max_chunks {
            0 => 0,
            n_chunks => 2 * ALLOCATION_BYTES + n_chunks * self.layout.bytes_per_chunk(),
        }
    }

    /// Reads what is known of a position; says whether anything is.
    pub(super) fn read(&self, key: u64, out: &mut NetAnswer) -> bool {
        let Some(&number) = self.slots.get(self.slot(key)) else { return false };
        let Some(entry_idx) = (number as usize).checked_sub(1) else { return false };
        let entry = self.entry(entry_idx);
        let (&[low, high, value, lead, n_policy, n_owners], numbers) = entry.split_at(N_HEAD) else {
            return false;
        };
        if (u64::from(high) << 32 | u64::from(low)) != key {
            return false;
        }
        (out.value, out.lead) = (f32::from_bits(value), f32::from_bits(lead));
        let (policy, owners) = numbers.split_at(n_policy as usize);
        let fill = |bits: &[u32], out: &mut Vec<f32>| {
            out.clear();
            out.extend(bits.iter().map(|&bits| f32::from_bits(bits)));
        };
        fill(policy, &mut out.policy);
        fill(&owners[..n_owners as usize], &mut out.ownership);
        true
    }

    /// Remembers an answer, unless it is longer than answers should be.
    pub(super) fn insert(&mut self, key: u64, answer: &NetAnswer) {
        let NetAnswer { policy, value, lead, ownership } = answer;
        if self.layout.max_chunks == 0 || N_HEAD + policy.len() + ownership.len() > self.layout.n_numbers {
            return;
        }
        if self.slots.is_empty() {
            self.slots = vec![0; self.layout.max_entries()];
            self.chunks = Vec::with_capacity(self.layout.max_chunks);
        }
        let slot = self.slot(key);
        let entry_idx = match self.slots[slot] {
            0 => self.add_entry(),
            number => number as usize - 1,
        };
        self.slots[slot] = entry_idx as u32 + 1;
        let head = [
            key as u32,
            (key >> 32) as u32,
            value.to_bits(),
            lead.to_bits(),
            policy.len() as u32,
            ownership.len() as u32,
        ];
        let numbers = policy.iter().chain(ownership).map(|number| number.to_bits());
        let entry = self.entry_mut(entry_idx);
        entry[..N_HEAD].copy_from_slice(&head);
        entry[N_HEAD..].iter_mut().zip(numbers).for_each(|(cell, bits)| *cell = bits);
    }

    /// A new entry; there is room for one as long as a slot is free.
    fn add_entry(&mut self) -> usize {
        let CacheLayout { n_numbers, entries_per_chunk, .. } = self.layout;
        if self.n_entries == self.chunks.len() * entries_per_chunk {
            self.chunks.push(vec![0; n_numbers * entries_per_chunk].into_boxed_slice());
        }
        self.n_entries += 1;
        self.n_entries - 1
    }

    /// The slot of a position among as many as there are.
    fn slot(&self, key: u64) -> usize {
        // The high bits of a product depend on all bits of the key.
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        ((mixed * self.slots.len() as u64) >> 32) as usize
    }

    fn entry(&self, entry_idx: usize) -> &[u32] {
        let CacheLayout { n_numbers, entries_per_chunk, .. } = self.layout;
        &self.chunks[entry_idx / entries_per_chunk][entry_idx % entries_per_chunk * n_numbers..][..n_numbers]
    }

    fn entry_mut(&mut self, entry_idx: usize) -> &mut [u32] {
        let CacheLayout { n_numbers, entries_per_chunk, .. } = self.layout;
        &mut self.chunks[entry_idx / entries_per_chunk][entry_idx % entries_per_chunk * n_numbers..]
            [..n_numbers]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(n: u64) -> NetAnswer {
        let numbers = |len: u64| (0..len).map(|idx| (n + idx) as f32).collect();
        NetAnswer { policy: numbers(82), value: n as f32, lead: -(n as f32), ownership: numbers(n % 82) }
    }

    #[test]
    fn what_is_remembered_is_what_was_said() {
        let mut cache = Cache::new(1 << 20, 2 * 82);
        let keys = |n: u64| n.wrapping_mul(0xd6e8_feb8_6659_fd93);
        for n in 0..5000 {
            cache.insert(keys(n), &answer(n));
            assert!(cache.bytes() <= cache.max_bytes());
        }
        let mut out = NetAnswer::default();
        let n_known = (0..5000).filter(|&n| cache.read(keys(n), &mut out) && out == answer(n)).count();
        let n_found = (0..5000).filter(|&n| cache.read(keys(n), &mut out)).count();
        assert_eq!(n_known, n_found, "an answer is remembered as it was");
        let n_held = (1 << 20) / (4 * (N_HEAD + 2 * 82));
        assert!((n_held * 9 / 10..=n_held).contains(&n_known), "{n_known} of {n_held}");
        assert!(cache.read(keys(4999), &mut out), "the newest is there");
    }

    #[test]
    fn a_huge_cache_takes_memory_only_as_it_is_filled_and_a_tiny_one_none() {
        let mut huge = Cache::new(1 << 30, 2 * 82);
        assert_eq!(huge.bytes(), 0);
        assert!(huge.max_bytes() <= 1 << 30 && huge.max_bytes() > (1 << 30) - (1 << 17));
        huge.insert(7, &answer(1));
        // The list of slots is a small part.
        assert!(huge.bytes() < 1 << 23, "{}", huge.bytes());
        let mut tiny = Cache::new(1 << 10, 2 * 82);
        tiny.insert(7, &answer(1));
        assert_eq!((tiny.bytes(), tiny.max_bytes()), (0, 0));
        assert!(!tiny.read(7, &mut NetAnswer::default()));
        // Longer answers than expected are not kept.
        let mut short = Cache::new(1 << 20, 82);
        short.insert(7, &answer(5));
        assert!(!short.read(7, &mut NetAnswer::default()) && short.bytes() == 0);
    }
}
