//! A short list of moves that a rule proposes.

use crate::point::Point;

/// Points to play at, each once, in the order in which they were proposed.
///
/// It has room for [`Candidates::CAPACITY`] points; more are dropped, which no rule around a single move can cause.
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    points: [Point; Self::CAPACITY],
    len: usize,
}

impl Default for Candidates {
    fn default() -> Self {
        Self::new()
    }
}

impl Candidates {
    /// The most points that a list holds.
    pub const CAPACITY: usize = 48;

    /// No points yet.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { points: [Point::from_idx(0); Self::CAPACITY], len: 0 }
    }

    /// Forgets all points.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Proposes `point`; false if it was there already or there is no room.
    #[inline]
    pub fn push(&mut self, point: Point) -> bool {
        if self.len == Self::CAPACITY || self.contains(point) {
            return false;
        }
        self.points[self.len] = point;
        self.len += 1;
        true
    }

    /// True if `point` was proposed.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        // The list is short: the library's search for long ones would cost more.
        self.iter().any(|other| other == point)
    }

    /// Takes out the points that `keep` refuses.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Point) -> bool) {
        let mut n_kept = 0;
        for i in 0..self.len {
            let point = self.points[i];
            if keep(point) {
                self.points[n_kept] = point;
                n_kept += 1;
            }
        }
        self.len = n_kept;
    }

    /// Forgets all points from number `len` on.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Takes out the point with number `idx`; the last one comes into its place. For drawing without replacement.
    ///
    /// # Panics
    /// If `idx` is not below [`Candidates::len`].
    #[inline]
    pub fn swap_remove(&mut self, idx: usize) -> Point {
        assert!(idx < self.len, "candidate {idx} of {}", self.len);
        self.len -= 1;
        let point = self.points[idx];
        self.points[idx] = self.points[self.len];
        point
    }

    /// Number of points.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True without points.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The points.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Point] {
        &self.points[..self.len]
    }

    /// The points one by one.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.as_slice().iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_each_point_once_and_in_order() {
        let mut list = Candidates::new();
        for idx in [5, 3, 5, 9, 3, 1] {
            list.push(Point::from_idx(idx));
        }
        let indices = |list: &Candidates| list.iter().map(Point::idx).collect::<Vec<_>>();
        assert_eq!(indices(&list), [5, 3, 9, 1]);
        list.retain(|point| point.idx() != 3);
        assert_eq!(indices(&list), [5, 9, 1]);
        assert_eq!(list.swap_remove(0).idx(), 5);
        assert_eq!(indices(&list), [1, 9]);
        list.clear();
        for idx in 0..100 {
            list.push(Point::from_idx(idx));
        }
        assert_eq!(list.len(), Candidates::CAPACITY, "what does not fit is dropped");
    }
}
