//! Finding earlier positions by hash: a small open-addressing table that keeps its memory between games.

/// The keys of the positions of a game in order, and a table to find one by its key.
#[derive(Clone, Debug, Default)]
pub(super) struct Repetition {
    keys: Vec<u64>,
    /// Index into `keys` plus one; 0 is free. The length is a power of two and at least twice that of `keys`.
    slots: Vec<u32>,
}

const FIRST_SLOTS: usize = 256;

impl Repetition {
    /// Forgets all keys, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.slots.clear();
    }

    /// Adds the key of the next position. The same key may come several times.
    pub(super) fn push(&mut self, key: u64) {
        if (self.keys.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        self.keys.push(key);
        self.enter(key, self.keys.len() as u32);
    }

    /// The indices of all positions with this key, first to last added.
    #[inline]
    pub(super) fn find(&self, key: u64) -> impl Iterator<Item = usize> + '_ {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = key as usize;
        std::iter::from_fn(move || {
            while let Some(&entry) = self.slots.get(slot & mask).filter(|&&entry| entry != 0) {
                slot = slot.wrapping_add(1);
                let idx = entry as usize - 1;
                if self.keys[idx] == key {
                    return Some(idx);
                }
            }
            None
        })
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(FIRST_SLOTS);
        self.slots.clear();
        self.slots.resize(n_slots, 0);
        for i in 0..self.keys.len() {
            self.enter(self.keys[i], i as u32 + 1);
        }
    }

    fn enter(&mut self, key: u64, entry: u32) {
        // The keys are Zobrist hashes: their low bits are as good as any.
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_position_with_a_key() {
        let mut table = Repetition::default();
        assert_eq!(table.find(0).count(), 0);
        // Keys that all start at the same slot, each three times, over several growths.
        let key = |i: usize| ((i % 300) as u64) << 40 | 5;
        for i in 0..900 {
            table.push(key(i));
        }
        for i in 0..300 {
            assert_eq!(table.find(key(i)).collect::<Vec<_>>(), [i, i + 300, i + 600]);
        }
        assert_eq!(table.find(6).count(), 0);
        table.clear();
        assert_eq!(table.find(key(0)).count(), 0);
    }
}
