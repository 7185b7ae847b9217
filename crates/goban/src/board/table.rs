//! Arrays over the points of a board whose indices carry their own proof.
//!
//! An [`Idx`] is below `C::POINTS` by construction: it is made by a checked conversion or copied from another
//! one. So arrays with an entry for every point can be read without a check. Measured on uniform playouts,
//! checks in these places cost a fifth of all instructions on 9×9. This is the only
//! unsafe code of the crate; everything it relies on is in this file.
#![allow(unsafe_code)]

use crate::class::{CompactInt, PointMap, SizeClass};
use crate::point::Point;
use crate::set::PointSet;

/// The index of a point, or a place in a list of points: a number below `C::POINTS`.
pub(crate) struct Idx<C: SizeClass>(C::CompactInt);

impl<C: SizeClass> Clone for Idx<C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: SizeClass> Copy for Idx<C> {}
impl<C: SizeClass> PartialEq for Idx<C> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<C: SizeClass> Eq for Idx<C> {}

impl<C: SizeClass> Idx<C> {
    /// # Panics
    /// If `idx` is not below `C::POINTS`.
    #[inline(always)]
    pub(crate) fn new(idx: usize) -> Self {
        assert!(idx < C::POINTS, "no point of this board");
        Self(CompactInt::pack(idx))
    }

    #[inline(always)]
    pub(crate) fn of(point: Point) -> Self {
        Self::new(point.idx())
    }

    #[inline(always)]
    pub(crate) fn get(self) -> usize {
        self.0.unpack()
    }

    #[inline(always)]
    pub(crate) fn point(self) -> Point {
        Point::from_idx(self.get())
    }
}

/// One value for each point.
pub(crate) struct PerPoint<C: SizeClass, T: Copy + Send + Sync + 'static>(C::PointMap<T>);

impl<C: SizeClass, T: Copy + Send + Sync + 'static> Clone for PerPoint<C, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: SizeClass, T: Copy + Send + Sync + 'static> Copy for PerPoint<C, T> {}

impl<C: SizeClass, T: Copy + Send + Sync + 'static> PerPoint<C, T> {
    pub(crate) fn filled(value: T) -> Self {
        Self(PointMap::filled(value))
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        self.0.as_ref()
    }

    #[inline(always)]
    pub(crate) fn at(&self, idx: Idx<C>) -> &T {
        let slice = self.0.as_ref();
        debug_assert_eq!(slice.len(), C::POINTS);
        // SAFETY: `C::PointMap` is an array of `C::POINTS` entries (checked in `class.rs` at compile time), and an
        // `Idx` is below `C::POINTS`.
        unsafe { slice.get_unchecked(idx.get()) }
    }

    #[inline(always)]
    pub(crate) fn at_mut(&mut self, idx: Idx<C>) -> &mut T {
        let slice = self.0.as_mut();
        debug_assert_eq!(slice.len(), C::POINTS);
        // SAFETY: as in `at`.
        unsafe { slice.get_unchecked_mut(idx.get()) }
    }
}

/// The constant set that belongs to a point.
#[inline(always)]
pub(crate) fn neighbours<C: SizeClass>(idx: Idx<C>) -> &'static C::Set {
    let slice = C::NEIGHBOURS.as_ref();
    debug_assert_eq!(slice.len(), C::POINTS);
    // SAFETY: as in `PerPoint::at`.
    unsafe { slice.get_unchecked(idx.get()) }
}

/// One value for each point, with room around the board so that every point has eight neighbours.
pub(crate) struct Bordered<C: SizeClass, T: Copy + Send + Sync + 'static>(C::Padded<T>);

impl<C: SizeClass, T: Copy + Send + Sync + 'static> Clone for Bordered<C, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: SizeClass, T: Copy + Send + Sync + 'static> Copy for Bordered<C, T> {}

impl<C: SizeClass, T: Copy + Send + Sync + 'static> Bordered<C, T> {
    pub(crate) fn filled(value: T) -> Self {
        Self(PointMap::filled(value))
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        self.0.as_ref()
    }

    /// The value of the point itself.
    #[inline(always)]
    pub(crate) fn at(&self, idx: Idx<C>) -> T {
        self.window(idx)[C::STRIDE + 1]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, idx: Idx<C>, value: T) {
        self.window_mut(idx)[C::STRIDE + 1] = value;
    }

    /// The values from the north-western neighbour to the south-eastern one, `2 * STRIDE + 3` of them, the
    /// point itself in the middle. Constant places in it need no further check.
    #[inline(always)]
    pub(crate) fn window(&self, idx: Idx<C>) -> &[T] {
        let slice = self.0.as_ref();
        debug_assert_eq!(slice.len(), C::POINTS + 2 * C::STRIDE + 2);
        // SAFETY: `C::Padded` has `C::POINTS + 2 * C::STRIDE + 2` entries (checked in `class.rs` at compile
        // time) and `idx <= C::POINTS - 1`, so the window ends at or before the last entry.
        unsafe { slice.get_unchecked(idx.get()..idx.get() + 2 * C::STRIDE + 3) }
    }

    #[inline(always)]
    pub(crate) fn window_mut(&mut self, idx: Idx<C>) -> &mut [T] {
        let slice = self.0.as_mut();
        debug_assert_eq!(slice.len(), C::POINTS + 2 * C::STRIDE + 2);
        // SAFETY: as in `window`.
        unsafe { slice.get_unchecked_mut(idx.get()..idx.get() + 2 * C::STRIDE + 3) }
    }

    /// The value of the neighbour in direction `I`: north, west, east, south, the order of a
    /// [`Code`](super::code::Code).
    #[inline(always)]
    pub(crate) fn near<const I: usize>(&self, idx: Idx<C>) -> T {
        self.window(idx)[[1, C::STRIDE, C::STRIDE + 2, 2 * C::STRIDE + 1][I]]
    }
}

/// Adds the point to the set.
#[inline(always)]
pub(crate) fn insert<C: SizeClass>(set: &mut C::Set, idx: Idx<C>) {
    debug_assert!(idx.get() / 64 < set.words_mut().len());
    // SAFETY: a set of the class has a bit for every index below `C::POINTS` (checked in `class.rs` at compile
    // time).
    let word = unsafe { set.words_mut().get_unchecked_mut(idx.get() / 64) };
    *word |= 1 << (idx.get() % 64);
}

/// Takes the point out of the set.
#[inline(always)]
pub(crate) fn remove<C: SizeClass>(set: &mut C::Set, idx: Idx<C>) {
    debug_assert!(idx.get() / 64 < set.words_mut().len());
    // SAFETY: as in `insert`.
    let word = unsafe { set.words_mut().get_unchecked_mut(idx.get() / 64) };
    *word &= !(1 << (idx.get() % 64));
}
