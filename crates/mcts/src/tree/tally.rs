//! Tallies: the count and the sum of an arm's rewards in one cell of 64 bits, so that a model which touches half the arms
//! of a node at every visit reads and writes one word each.
//!
//! A cell holds n in its lower 24 bits and the sum, in quanta, in the upper 40. Rewards are shifted to be non-negative:
//! a win counts 0..=2¹⁶ quanta; points are taken from −1024 to +1024, in 32 quanta each. A cell whose n has reached 2²³ is full,
//! and count and sum are halved: eight million samples later the older half of them stands for a quarter of the mean, then an eighth.
//!
//! Cells are added to by a load and a store. Of two threads that meet at one cell the later store wins, and the samples
//! that others added since its load are lost: one as a rule, more if the thread was suspended in between. Count and sum
//! still belong together. The mean of a model that has thousands does not notice, and an exchange that cannot lose costs
//! five times as much.

use super::layout::TallyColumn;
use super::number::gather;
use super::{ChildIdx, Node};
use crate::game::{Action, Reward};
use crate::sync::{AtomicI64, AtomicU16};
use std::sync::atomic::Ordering::Relaxed;

const COUNT_BITS: u32 = 24;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// The bit of n that says: halve.
const FULL: u64 = 1 << (COUNT_BITS - 1);
/// One sample may stand for at most this many, so that n never outgrows its bits.
const MAX_WEIGHT: u32 = 1 << 22;
/// A sample counts at most this many times over for one cell.
pub const MAX_TIMES: u32 = 8;

/// How rewards are written into the cells of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    shift: f32,
    per_quantum: f32,
    n_quanta: f32,
}

impl Scale {
    fn of(reward: Reward) -> Scale {
        let (shift, n_quanta) = match reward {
            Reward::Win => (0.0, 65_536.0),
            Reward::Score => (1024.0, 32.0),
        };
        Scale { shift, per_quantum: 1.0 / n_quanta, n_quanta }
    }

    /// One reward `weight` times over, as what is added to a cell, and that at most `times` times.
    fn sample(self, reward: f32, weight: u32, times: u32) -> u64 {
        let weight = u64::from(weight.min(MAX_WEIGHT / times));
        let quanta = ((reward + self.shift) * self.n_quanta + 0.5).clamp(0.0, 65_536.0) as u64;
        (weight * quanta) << COUNT_BITS | weight
    }
}

impl Node<'_> {
    /// Adds one reward, `weight` times over, to the tallies of the arms for which `is_credited` says so.
    #[inline]
    pub fn add_tallies(
        self,
        column: TallyColumn,
        reward: f32,
        weight: u32,
        is_credited: impl Fn(Action) -> bool,
    ) {
        let sample = Scale::of(self.arena.layout.reward).sample(reward, weight, 1);
        let gain = |action| if is_credited(action) { sample } else { 0 };
        add(self.sum_cells(column.0), self.action_cells(), gain);
    }

    /// Adds one reward, `weight` times over, to the tallies of all arms, each as many times more as `times` says, which is
    /// at most [`MAX_TIMES`].
    #[inline]
    pub fn add_tallies_times(
        self,
        column: TallyColumn,
        reward: f32,
        weight: u32,
        times: impl Fn(Action) -> u32,
    ) {
        let sample = Scale::of(self.arena.layout.reward).sample(reward, weight, MAX_TIMES);
        let gain = |action| sample * u64::from(times(action));
        add(self.sum_cells(column.0), self.action_cells(), gain);
    }

    /// Halves the tallies that are full. Whoever adds to tallies sees to it that this is called before eight million more
    /// samples can come to one of them.
    pub fn halve_tallies(self, column: TallyColumn) {
        halve(self.sum_cells(column.0));
    }

    /// Reads a column of tallies into scratch columns: sums of rewards and their numbers.
    #[inline]
    pub fn read_tallies(self, column: TallyColumn, sums: &mut [f32], counts: &mut [f32]) {
        let scale = Scale::of(self.arena.layout.reward);
        let n = self.n_children;
        read(self.sum_cells(column.0), scale, &mut sums[..n], &mut counts[..n]);
    }

    /// One child's tally: the sum of rewards and their number.
    #[inline]
    pub fn tally(self, column: TallyColumn, child: ChildIdx) -> (f32, f32) {
        let scale = Scale::of(self.arena.layout.reward);
        read_one(&self.sum_cells(column.0)[child.idx()], scale)
    }
}

/// Adds to every cell what its action gains: nothing, a sample, or some times a sample.
#[inline]
fn add(cells: &[AtomicI64], actions: &[AtomicU16], gain: impl Fn(Action) -> u64) {
    let add_one = |cell: &AtomicI64, action: &AtomicU16| {
        let gain = gain(Action(action.load(Relaxed)));
        cell.store(cell.load(Relaxed).wrapping_add(gain as i64), Relaxed);
    };
    let ((quads, rest), (quad_actions, rest_actions)) = (cells.as_chunks::<4>(), actions.as_chunks::<4>());
    for (quad, actions) in quads.iter().zip(quad_actions) {
        for i in 0..4 {
            add_one(&quad[i], &actions[i]);
        }
    }
    for (cell, action) in rest.iter().zip(rest_actions) {
        add_one(cell, action);
    }
}

/// Halves count and sum of the cells that are full.
fn halve(cells: &[AtomicI64]) {
    for cell in cells {
        let old = cell.load(Relaxed) as u64;
        if old & FULL != 0 {
            let (n, sum) = ((old & COUNT_MASK) >> 1, old >> (COUNT_BITS + 1));
            cell.store((sum << COUNT_BITS | n) as i64, Relaxed);
        }
    }
}

/// Reads counts and sums of rewards (not shifted any more).
#[inline]
fn read(cells: &[AtomicI64], scale: Scale, sums: &mut [f32], counts: &mut [f32]) {
    let eights = sums.as_chunks_mut().0.iter_mut().zip(counts.as_chunks_mut().0);
    for (cells, (sums, counts)) in cells.as_chunks().0.iter().zip(eights) {
        read_eight(cells, scale, sums, counts);
    }
    // The rest together with some that were read before: a vector of old ones costs less than a few new ones by themselves.
    let last = (cells.last_chunk(), sums.last_chunk_mut(), counts.last_chunk_mut());
    if let (Some(last), Some(sums), Some(counts)) = last {
        if !cells.len().is_multiple_of(8) {
            read_eight(last, scale, sums, counts);
        }
        return;
    }
    for ((cell, sum), count) in cells.iter().zip(sums).zip(counts) {
        (*sum, *count) = read_one(cell, scale);
    }
}

/// Reads eight cells at once.
#[inline(always)]
fn read_eight(cells: &[AtomicI64; 8], scale: Scale, sums: &mut [f32; 8], counts: &mut [f32; 8]) {
    let words = gather(cells, |cell| cell.load(Relaxed) as u64);
    for i in 0..8 {
        counts[i] = (words[i] & COUNT_MASK) as u32 as i32 as f32;
        sums[i] = to_f32(words[i] >> COUNT_BITS) * scale.per_quantum - scale.shift * counts[i];
    }
}

/// Reads one cell: the sum of rewards and their number.
#[inline]
fn read_one(cell: &AtomicI64, scale: Scale) -> (f32, f32) {
    let word = cell.load(Relaxed) as u64;
    let count = (word & COUNT_MASK) as u32 as i32 as f32;
    (to_f32(word >> COUNT_BITS) * scale.per_quantum - scale.shift * count, count)
}

/// A number below 2⁵², by way of the mantissa of a double: vector units of every machine can do that.
#[inline]
fn to_f32(x: u64) -> f32 {
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    (f64::from_bits(x | TWO_52) - f64::from_bits(TWO_52)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reward: Reward, samples: &[(f32, u32)], expected: (f32, f32)) {
        let cells: Vec<AtomicI64> = (0..7).map(|_| AtomicI64::new(0)).collect();
        let actions: Vec<AtomicU16> = (0..7).map(AtomicU16::new).collect();
        let scale = Scale::of(reward);
        for &(reward, weight) in samples {
            let sample = scale.sample(reward, weight, 1);
            add(&cells, &actions, |action| if action.0 % 2 == 0 { sample } else { 0 });
            halve(&cells);
        }
        let (mut sums, mut counts) = ([9.0; 7], [9.0; 7]);
        read(&cells, scale, &mut sums, &mut counts);
        for idx in 0..7 {
            let right = if idx % 2 == 0 { expected } else { (0.0, 0.0) };
            assert_eq!((sums[idx], counts[idx]), right, "cell {idx}");
        }
    }

    #[test]
    fn counts_and_sums() {
        check(Reward::Win, &[], (0.0, 0.0));
        check(Reward::Win, &[(1.0, 1), (0.5, 1), (0.0, 1), (1.0, 10)], (11.5, 13.0));
        check(Reward::Score, &[(-361.5, 1), (7.25, 2)], (-347.0, 3.0));
        // Beyond any board: cut off at 1024 points.
        check(Reward::Score, &[(1e7, 1), (-1e7, 1)], (0.0, 2.0));
    }

    #[test]
    fn samples_count_some_times_over() {
        // Three wins and a draw, 0 to 7 times over; then a weight beyond all bounds, which leaves room for 8 times as much.
        let cells: Vec<AtomicI64> = (0..8).map(|_| AtomicI64::new(0)).collect();
        let actions: Vec<AtomicU16> = (0..8).map(AtomicU16::new).collect();
        let scale = Scale::of(Reward::Win);
        for (reward, weight) in [(1.0, 3), (0.5, 1)] {
            let sample = scale.sample(reward, weight, MAX_TIMES);
            add(&cells, &actions, |action| u64::from(action.0) * sample);
        }
        for (times, cell) in cells.iter().enumerate() {
            assert_eq!(read_one(cell, scale), (3.5 * times as f32, 4.0 * times as f32));
        }
        assert_eq!(u64::from(MAX_TIMES) * (scale.sample(1.0, u32::MAX, MAX_TIMES) & COUNT_MASK), 1 << 22);
    }

    #[test]
    fn halves_when_full() {
        // Two samples of 2²² wins fill the count, which is halved; a third of losses makes it full once more.
        let n = 1 << 22;
        check(Reward::Win, &[(1.0, n), (1.0, n)], (n as f32, n as f32));
        check(Reward::Win, &[(1.0, n), (1.0, n), (0.0, n)], (n as f32 / 2.0, n as f32));
        check(Reward::Score, &[(-10.0, n), (-10.0, n)], (-10.0 * n as f32, n as f32));
    }
}
