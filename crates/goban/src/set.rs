//! Sets of points as machine words.

use std::fmt::Debug;

use crate::point::Point;
use crate::sealed::Sealed;

/// A set of points of one size class. All operations take time in the number of words, two for 9×9.
///
/// Every set is a [`Words`]; no other type can be one:
///
/// ```compile_fail,E0277
/// use goban::{Point, PointSet};
/// #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
/// struct Liar;
/// impl PointSet for Liar {
///     const EMPTY: Self = Liar;
///     const N_WORDS: usize = 2;
///     fn words_mut(&mut self) -> &mut [u64] {
///         &mut [] // not two words
///     }
/// #   fn contains(&self, _: Point) -> bool { false }
/// #   fn insert(&mut self, _: Point) {}
/// #   fn remove(&mut self, _: Point) {}
/// #   fn len(&self) -> usize { 0 }
/// #   fn is_empty(&self) -> bool { true }
/// #   fn is_disjoint(&self, _: &Self) -> bool { true }
/// #   fn meets_once(&self, _: &Self) -> bool { false }
/// #   fn union(&self, _: &Self) -> Self { Liar }
/// #   fn intersection(&self, _: &Self) -> Self { Liar }
/// #   fn difference(&self, _: &Self) -> Self { Liar }
/// #   fn shift_up(&self, _: usize) -> Self { Liar }
/// #   fn shift_down(&self, _: usize) -> Self { Liar }
/// #   fn first(&self) -> Option<Point> { None }
/// #   fn last(&self) -> Option<Point> { None }
///     // and the other operations
/// }
/// ```
pub trait PointSet: Sealed + Copy + Clone + Debug + PartialEq + Eq + Default + Send + Sync + 'static {
    /// The set without points.
    const EMPTY: Self;
    /// Number of words, the length of the slice that [`PointSet::words_mut`] gives.
    const N_WORDS: usize;

    /// True if `point` is in the set.
    fn contains(&self, point: Point) -> bool;
    /// Adds `point`.
    fn insert(&mut self, point: Point);
    /// Takes `point` out.
    fn remove(&mut self, point: Point);
    /// Number of points.
    fn len(&self) -> usize;
    /// Number of points, counted up to `max`, which is small: counting one by one is then cheaper than counting the bits of all words.
    #[inline(always)]
    fn len_up_to(mut self, max: usize) -> usize {
        let mut n = 0;
        for word in self.words_mut() {
            while *word != 0 && n < max {
                n += 1;
                *word &= *word - 1;
            }
        }
        n
    }
    /// True without points.
    fn is_empty(&self) -> bool;
    /// True if no point is in both sets.
    fn is_disjoint(&self, other: &Self) -> bool;
    /// True if exactly one point is in both sets.
    fn meets_once(&self, other: &Self) -> bool;
    /// Points in either set.
    #[must_use]
    fn union(&self, other: &Self) -> Self;
    /// Points in both sets.
    #[must_use]
    fn intersection(&self, other: &Self) -> Self;
    /// Points of this set that are not in `other`.
    #[must_use]
    fn difference(&self, other: &Self) -> Self;
    /// Every point moved `n` indices up, 1 to 63; points that leave the words are lost.
    #[must_use]
    fn shift_up(&self, n: usize) -> Self;
    /// Every point moved `n` indices down, 1 to 63; points that leave the words are lost.
    #[must_use]
    fn shift_down(&self, n: usize) -> Self;
    /// The point with the smallest index.
    fn first(&self) -> Option<Point>;
    /// The point with the largest index.
    fn last(&self) -> Option<Point>;
    /// The words themselves, 64 points each.
    fn words_mut(&mut self) -> &mut [u64];
    /// The points in order of their indices.
    fn iter(&self) -> SetIter<Self> {
        SetIter { rest: *self, word_idx: 0 }
    }
}

/// `W` words of 64 points each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Default for Words<W> {
    fn default() -> Self {
        Self([0; W])
    }
}

impl<const W: usize> Words<W> {
    #[inline(always)]
    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut out = [0; W];
        for (out, (a, b)) in out.iter_mut().zip(self.0.iter().zip(&other.0)) {
            *out = f(*a, *b);
        }
        Self(out)
    }

    /// The set of the given indices; for tables made at compile time.
    pub(crate) const fn with(mut self, idx: usize) -> Self {
        self.0[idx / 64] |= 1 << (idx % 64);
        self
    }
}

impl<const W: usize> PointSet for Words<W> {
    const EMPTY: Self = Self([0; W]);
    const N_WORDS: usize = W;

    #[inline(always)]
    fn contains(&self, point: Point) -> bool {
        self.0[point.idx() / 64] >> (point.idx() % 64) & 1 == 1
    }

    #[inline(always)]
    fn insert(&mut self, point: Point) {
        self.0[point.idx() / 64] |= 1 << (point.idx() % 64);
    }

    #[inline(always)]
    fn remove(&mut self, point: Point) {
        self.0[point.idx() / 64] &= !(1 << (point.idx() % 64));
    }

    #[inline(always)]
    fn len(&self) -> usize {
        if let [low, high] = self.0[..] {
            // Written out: the compiler would otherwise count in vectors, at twice the price for two words. As one number of
            // 128 bits every comparison with 1 would cost eight instructions more.
            return low.count_ones() as usize + high.count_ones() as usize;
        }
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn is_disjoint(&self, other: &Self) -> bool {
        let (a, b) = (&self.0[..], &other.0[..]);
        match W {
            2 => pair_is_disjoint(a, b),
            4 => four_are_disjoint(a, b),
            6 => four_are_disjoint(a, b) && pair_is_disjoint(&a[4..], &b[4..]),
            8 => four_are_disjoint(a, b) && four_are_disjoint(&a[4..], &b[4..]),
            _ => self.intersection(other).is_empty(),
        }
    }

    #[inline(always)]
    fn meets_once(&self, other: &Self) -> bool {
        self.intersection(other).len() == 1
    }

    #[inline(always)]
    fn union(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn difference(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline]
    fn shift_up(&self, n: usize) -> Self {
        debug_assert!(0 < n && n < 64);
        let mut out = [0; W];
        let mut carry = 0;
        for (out, word) in out.iter_mut().zip(&self.0) {
            *out = word << n | carry;
            carry = word >> (64 - n);
        }
        Self(out)
    }

    #[inline]
    fn shift_down(&self, n: usize) -> Self {
        debug_assert!(0 < n && n < 64);
        let mut out = [0; W];
        let mut carry = 0;
        for (out, word) in out.iter_mut().zip(&self.0).rev() {
            *out = word >> n | carry;
            carry = word << (64 - n);
        }
        Self(out)
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    #[inline]
    fn first(&self) -> Option<Point> {
        let (word_idx, word) = self.0.iter().enumerate().find(|(_, word)| **word != 0)?;
        Some(Point::from_idx(word_idx * 64 + word.trailing_zeros() as usize))
    }

    #[inline]
    fn last(&self) -> Option<Point> {
        let (word_idx, word) = self.0.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(Point::from_idx(word_idx * 64 + word.ilog2() as usize))
    }
}

/// Written so that the compiler makes one instruction (`vptest`) of the whole comparison.
#[inline(always)]
fn four_are_disjoint(a: &[u64], b: &[u64]) -> bool {
    let common = [a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]];
    common == [0; 4]
}

/// As [`four_are_disjoint`]; for two words the fold is the form that becomes one instruction.
#[inline(always)]
fn pair_is_disjoint(a: &[u64], b: &[u64]) -> bool {
    (a[0] & b[0]) | (a[1] & b[1]) == 0
}

/// The points of a set in order of their indices.
#[derive(Clone, Debug)]
pub struct SetIter<S> {
    rest: S,
    /// The words before this one are used up.
    word_idx: usize,
}

impl<S: PointSet> Iterator for SetIter<S> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let words = self.rest.words_mut();
        while let Some(word) = words.get_mut(self.word_idx) {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Point::from_idx(self.word_idx * 64 + bit));
            }
            self.word_idx += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behave_like_a_set() {
        let mut set = Words::<3>::EMPTY;
        let points = [0, 1, 63, 64, 127, 128, 190].map(Point::from_idx);
        for point in points {
            assert!(!set.contains(point));
            set.insert(point);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), points);
        assert_eq!(set.len(), 7);
        assert_eq!((set.first(), set.last()), (Some(points[0]), Some(points[6])));
        let up: Vec<usize> = set.shift_up(20).iter().map(Point::idx).collect();
        assert_eq!(up, [20, 21, 83, 84, 147, 148]);
        let down: Vec<usize> = set.shift_down(10).iter().map(Point::idx).collect();
        assert_eq!(down, [53, 54, 117, 118, 180]);
        for point in points {
            set.remove(point);
        }
        assert!(set.is_empty() && set.first().is_none() && set.last().is_none());
    }
}
