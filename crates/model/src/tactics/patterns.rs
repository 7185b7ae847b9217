//! The circular patterns that were met often enough to have a factor of their own.

use crate::math;

/// Weights are kept in steps of 1/1024 of ln γ.
const STEPS: f32 = 1024.0;
/// Bytes of one circle: its key, then its weight, the lowest byte first.
const N_BYTES: usize = 6;

/// γ by the key of a circle.
#[derive(Debug, Clone)]
pub struct PatternTable {
    /// A key and its factor; key 0 is a free slot. At least half of them are free, and their number is a power of two.
    slots: Box<[(u32, f32)]>,
}

/// Bytes that are no list of circles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{len} bytes of circles: expected {N_BYTES} for each, keys rising from 1")]
pub struct BadPatterns {
    len: usize,
}

impl PatternTable {
    /// All these circles, with the factor 1.
    pub fn new(keys: &[u32]) -> PatternTable {
        let n_slots = (2 * keys.len()).next_power_of_two().max(2);
        let mut table = PatternTable { slots: vec![(0, 1.0); n_slots].into_boxed_slice() };
        for &key in keys.iter().filter(|&&key| key > 0) {
            let slot = table.place(key);
            table.slots[slot].0 = key;
        }
        table
    }

    /// Reads what [`PatternTable::to_bytes`] wrote.
    ///
    /// # Errors
    /// If it did not.
    pub fn parse(bytes: &[u8]) -> Result<PatternTable, BadPatterns> {
        let bad = BadPatterns { len: bytes.len() };
        let (entries, rest) = bytes.as_chunks::<N_BYTES>();
        let read = |&[a, b, c, d, e, f]: &[u8; N_BYTES]| {
            (u32::from_le_bytes([a, b, c, d]), i16::from_le_bytes([e, f]))
        };
        let keys: Vec<u32> = entries.iter().map(|entry| read(entry).0).collect();
        if !rest.is_empty() || keys.first() == Some(&0) || !keys.is_sorted_by(|a, b| a < b) {
            return Err(bad);
        }
        let mut table = PatternTable::new(&keys);
        for (key, weight) in entries.iter().map(read) {
            let slot = table.place(key);
            table.slots[slot].1 = math::exp(f32::from(weight) / STEPS);
        }
        Ok(table)
    }

    /// The circles and ln γ by slot, as bytes.
    pub fn to_bytes(&self, mut weight: impl FnMut(usize) -> f32) -> Vec<u8> {
        self.keys()
            .into_iter()
            .flat_map(|(key, slot)| {
                let [a, b, c, d] = key.to_le_bytes();
                let [e, f] = ((weight(slot) * STEPS).round() as i16).to_le_bytes();
                [a, b, c, d, e, f]
            })
            .collect()
    }

    /// The circles by rising keys, and the slot of each.
    pub fn keys(&self) -> Vec<(u32, usize)> {
        let slots = self.slots.iter().enumerate().filter(|(_, slot)| slot.0 > 0);
        let mut keys: Vec<(u32, usize)> = slots.map(|(number, slot)| (slot.0, number)).collect();
        keys.sort_unstable();
        keys
    }

    /// Where a key stands or would stand.
    #[inline]
    fn place(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot].0 != key && self.slots[slot].0 != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The slot of a circle, if it is known.
    #[inline]
    pub fn slot(&self, key: u32) -> Option<usize> {
        let slot = self.place(key);
        (self.slots[slot].0 == key).then_some(slot)
    }

    /// γ of a circle, if it is known.
    #[inline(always)]
    pub fn factor(&self, key: u32) -> Option<f32> {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize;
        // Where no slot is free the first one is asked for ever; at least half of them are.
        loop {
            let &(there, factor) = self.slots.get(slot & mask)?;
            if there == key {
                return Some(factor);
            }
            if there == 0 {
                return None;
            }
            slot += 1;
        }
    }

    /// The number of slots, used or not.
    pub fn n_slots(&self) -> usize {
        self.slots.len()
    }

    /// The number of circles.
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.0 > 0).count()
    }

    /// True if no circle is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_come_back_as_they_were_written() {
        let table = PatternTable::new(&[7, 3, 1 << 31, u32::MAX]);
        assert_eq!((table.len(), table.n_slots()), (4, 8));
        assert!(table.slot(5).is_none() && table.factor(7) == Some(1.0));
        let weight = |slot: usize| if Some(slot) == table.slot(3) { -2.0 } else { 0.5 };
        let read = PatternTable::parse(&table.to_bytes(weight)).unwrap();
        assert_eq!((read.len(), read.factor(5)), (4, None));
        let close = |key: u32, right: f32| (read.factor(key).unwrap() / right - 1.0).abs() < 1e-3;
        assert!(close(3, 0.135_335) && close(1 << 31, 1.648_721) && close(u32::MAX, 1.648_721));
        assert!(PatternTable::parse(&[]).unwrap().is_empty());
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[1u8, 0, 0, 0, 0][..], &[0; 6], &[2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]] {
            let error = PatternTable::parse(bytes).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{} bytes", bytes.len())), "{error}");
        }
    }
}
