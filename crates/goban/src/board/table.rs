//! Arrays over the points of a board whose indices carry their own proof.
//!
//! An [`Idx`] is below `C::POINTS` by construction: it is made by a checked conversion or copied from another
//! one. So arrays with an entry for every point can be read without a check. Measured on uniform playouts,
//! checks in these places cost a fifth of all instructions on 9×9. This is the only
//! unsafe code of the crate.
//!
//! It relies on the lengths that a size class states. They are compared with `C::POINTS` at compile time, in this file,
//! for every class that a board is built with. The types that state them are sealed, so each statement is one of these:
//! - a [`PointMap`] is an array `[T; N]`, whose `as_ref` and `as_mut` give `N` entries, and its `LEN` is `N`;
//! - a [`PointSet`] is a `Words<W>`, whose `words_mut` gives `W` words, and its `N_WORDS` is `W`;
//! - a [`CompactInt`] is `u8` or `u16`, its `MAX` is theirs, and up to it `unpack` gives back the number packed.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use crate::class::{CompactInt, PointMap, SizeClass};
use crate::point::Point;
use crate::set::PointSet;

/// The index of a point, or a place in a list of points: `get` is below `C::POINTS`.
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
    /// Every index survives being packed.
    const FITS: () = assert!(C::POINTS <= C::CompactInt::MAX + 1);

    /// # Panics
    /// If `idx` is not below `C::POINTS`.
    #[inline(always)]
    pub(crate) fn new(idx: usize) -> Self {
        const { Self::FITS };
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
    /// There is an entry for every index.
    const HAS_ALL: () = assert!(C::PointMap::<T>::LEN == C::POINTS);

    pub(crate) fn filled(value: T) -> Self {
        Self(PointMap::filled(value))
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        self.0.as_ref()
    }

    #[inline(always)]
    pub(crate) fn at(&self, idx: Idx<C>) -> &T {
        const { Self::HAS_ALL };
        let slice = self.0.as_ref();
        debug_assert_eq!(slice.len(), C::POINTS);
        // SAFETY: the slice has `C::POINTS` entries by `HAS_ALL`, and an `Idx` is below `C::POINTS`.
        unsafe { slice.get_unchecked(idx.get()) }
    }

    #[inline(always)]
    pub(crate) fn at_mut(&mut self, idx: Idx<C>) -> &mut T {
        const { Self::HAS_ALL };
        let slice = self.0.as_mut();
        debug_assert_eq!(slice.len(), C::POINTS);
        // SAFETY: as in `at`.
        unsafe { slice.get_unchecked_mut(idx.get()) }
    }
}

/// The constant set that belongs to a point.
#[inline(always)]
pub(crate) fn neighbours<C: SizeClass>(idx: Idx<C>) -> &'static C::Set {
    const { PerPoint::<C, C::Set>::HAS_ALL };
    let slice = C::NEIGHBOURS.as_ref();
    debug_assert_eq!(slice.len(), C::POINTS);
    // SAFETY: `C::NEIGHBOURS` is a `C::PointMap<C::Set>`, the type within `PerPoint<C, C::Set>`; so as in `PerPoint::at`.
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
    /// There is an entry for every index and for the `STRIDE + 1` places on either side.
    const HAS_ALL: () = assert!(C::Padded::<T>::LEN == C::POINTS + 2 * C::STRIDE + 2);

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
        const { Self::HAS_ALL };
        let slice = self.0.as_ref();
        debug_assert_eq!(slice.len(), C::POINTS + 2 * C::STRIDE + 2);
        // SAFETY: the slice has `C::POINTS + 2 * C::STRIDE + 2` entries by `HAS_ALL` and `idx <= C::POINTS - 1`, so the
        // window ends at or before the last entry.
        unsafe { slice.get_unchecked(idx.get()..idx.get() + 2 * C::STRIDE + 3) }
    }

    #[inline(always)]
    pub(crate) fn window_mut(&mut self, idx: Idx<C>) -> &mut [T] {
        const { Self::HAS_ALL };
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

/// A set of the class has a bit for every index.
struct SetHasAll<C>(PhantomData<C>);

impl<C: SizeClass> SetHasAll<C> {
    const PROOF: () = assert!(C::POINTS <= 64 * C::Set::N_WORDS);
}

/// Adds the point to the set.
#[inline(always)]
pub(crate) fn insert<C: SizeClass>(set: &mut C::Set, idx: Idx<C>) {
    const { SetHasAll::<C>::PROOF };
    debug_assert!(idx.get() / 64 < set.words_mut().len());
    // SAFETY: the set has `N_WORDS` words, and `idx < C::POINTS <= 64 * N_WORDS` by `SetHasAll`.
    let word = unsafe { set.words_mut().get_unchecked_mut(idx.get() / 64) };
    *word |= 1 << (idx.get() % 64);
}

/// Takes the point out of the set.
#[inline(always)]
pub(crate) fn remove<C: SizeClass>(set: &mut C::Set, idx: Idx<C>) {
    const { SetHasAll::<C>::PROOF };
    debug_assert!(idx.get() / 64 < set.words_mut().len());
    // SAFETY: as in `insert`.
    let word = unsafe { set.words_mut().get_unchecked_mut(idx.get() / 64) };
    *word &= !(1 << (idx.get() % 64));
}
