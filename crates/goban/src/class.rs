//! Size classes: four memory layouts, so that a small board does not pay for a large one.
//!
//! A class fixes the longest side it can hold and with it the stride, the tables' lengths and the words of a
//! set. Any board uses the smallest class that holds it; code is compiled once per class, not per size.

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

use crate::color::Color;
use crate::point::Point;
use crate::rng::splitmix64;
use crate::sealed::Sealed;
use crate::set::{PointSet, Words};
use crate::vertex::{Size, Vertex};

/// One value for each of a fixed number of indices: an array, and nothing else.
///
/// ```compile_fail,E0277
/// # use std::ops::{Index, IndexMut};
/// #[derive(Clone, Copy)]
/// struct Short([u8; 1]);
/// impl goban::PointMap<u8> for Short {
///     const LEN: usize = 90; // a lie that would let the board write behind its end
///     fn filled(value: u8) -> Self {
///         Short([value])
///     }
/// }
/// # impl Index<usize> for Short { type Output = u8; fn index(&self, idx: usize) -> &u8 { &self.0[idx] } }
/// # impl IndexMut<usize> for Short { fn index_mut(&mut self, idx: usize) -> &mut u8 { &mut self.0[idx] } }
/// # impl AsRef<[u8]> for Short { fn as_ref(&self) -> &[u8] { &self.0 } }
/// # impl AsMut<[u8]> for Short { fn as_mut(&mut self) -> &mut [u8] { &mut self.0 } }
/// ```
pub trait PointMap<T>:
    Sealed + Copy + Send + Sync + Index<usize, Output = T> + IndexMut<usize> + AsRef<[T]> + AsMut<[T]> + 'static
{
    /// Number of values, the length of the slices that `as_ref` and `as_mut` give.
    const LEN: usize;

    /// The array with `value` everywhere.
    fn filled(value: T) -> Self;
}

impl<T: Copy + Send + Sync + 'static, const N: usize> PointMap<T> for [T; N] {
    const LEN: usize = N;

    fn filled(value: T) -> Self {
        [value; N]
    }
}

/// A number in memory, as small as the class allows: `u8` or `u16`.
///
/// ```compile_fail,E0277
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Large;
/// impl goban::CompactInt for Large {
///     const MAX: usize = 255;
///     fn pack(_: usize) -> Self {
///         Large
///     }
///     fn unpack(self) -> usize {
///         1_000_000 // not the number that was packed
///     }
/// }
/// ```
pub trait CompactInt: Sealed + Copy + Clone + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The largest number that fits.
    const MAX: usize;
    /// The number `n`, at most [`CompactInt::MAX`]; a larger one is cut to its low bits.
    fn pack(n: usize) -> Self;
    /// The number.
    fn unpack(self) -> usize;
}

macro_rules! small {
    ($($int:ident),*) => {$(
        impl CompactInt for $int {
            const MAX: usize = $int::MAX as usize;

            #[inline(always)]
            fn pack(n: usize) -> Self {
                debug_assert!(n <= <Self as CompactInt>::MAX);
                n as Self
            }

            #[inline(always)]
            fn unpack(self) -> usize {
                self as usize
            }
        }
    )*};
}
small!(u8, u16);

/// The layout of all boards up to one side length.
///
/// Rows lie `STRIDE = SIDE + 1` apart; the spare column is shared as right border of one row and left border
/// of the next, so neighbours are constant offsets. Bits of border points never enter the set of empty points.
///
/// There are four classes, [`Upto9`], [`Upto13`], [`Upto19`] and [`Upto25`], and no others can be made:
///
/// ```compile_fail,E0277
/// use goban::{SizeClass, Upto9};
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Upto11;
/// impl SizeClass for Upto11 {
///     const SIDE: usize = 11; // with arrays that end at 9x9
///     type Set = <Upto9 as SizeClass>::Set;
///     type CompactInt = u8;
///     type PointMap<T: Copy + Send + Sync + 'static> = [T; 90];
///     type Padded<T: Copy + Send + Sync + 'static> = [T; 112];
///     const NEIGHBOURS: &'static [Self::Set; 90] = Upto9::NEIGHBOURS;
///     const ZOBRIST: &'static [[u64; 90]; 2] = Upto9::ZOBRIST;
/// }
/// ```
pub trait SizeClass: Sealed + Copy + Clone + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The longest side.
    const SIDE: usize;
    /// Distance from a point to the one below it.
    const STRIDE: usize = Self::SIDE + 1;
    /// Number of point indices, the spare column included.
    const POINTS: usize = Self::SIDE * Self::STRIDE;
    /// A set of points.
    type Set: PointSet;
    /// Holds an index or a number of stones.
    type CompactInt: CompactInt;
    /// `POINTS` values.
    type PointMap<T: Copy + Send + Sync + 'static>: PointMap<T>;
    /// `POINTS` values with `STRIDE + 1` more on both sides, so that all eight neighbours have a place.
    type Padded<T: Copy + Send + Sync + 'static>: PointMap<T>;
    /// The neighbours of each point. Border points may be among them: they are never empty and hold no stone.
    const NEIGHBOURS: &'static Self::PointMap<Self::Set>;
    /// The hash of a stone, by colour and point.
    const ZOBRIST: &'static [Self::PointMap<u64>; 2];

    /// The point of a vertex that is not a pass.
    #[inline]
    fn point(vertex: Vertex) -> Point {
        debug_assert!(!vertex.is_pass());
        Point::from_idx(vertex.row() * Self::STRIDE + vertex.col())
    }

    /// The vertex of a point.
    #[inline]
    fn vertex(point: Point) -> Vertex {
        Vertex::new(point.idx() % Self::STRIDE, point.idx() / Self::STRIDE)
    }

    /// True if the two points, both on the board, are neighbours.
    #[inline(always)]
    fn are_beside(a: Point, b: Point) -> bool {
        let apart = a.idx().abs_diff(b.idx());
        apart == 1 || apart == Self::STRIDE
    }

    /// True if the two points, both on the board, are neighbours or lie diagonally to each other.
    #[inline(always)]
    fn are_near(a: Point, b: Point) -> bool {
        let apart = a.idx().abs_diff(b.idx());
        apart == 1 || (Self::STRIDE - 1..=Self::STRIDE + 1).contains(&apart)
    }

    /// All points of a board of `size`.
    fn on_board(size: Size) -> Self::Set {
        let mut set = Self::Set::EMPTY;
        // A row is shorter than a word and lies in one or two.
        let row: u64 = (1 << size.width()) - 1;
        for start in (0..size.height()).map(|y| y * Self::STRIDE) {
            let (word_idx, shift) = (start / 64, start % 64);
            let words = set.words_mut();
            words[word_idx] |= row << shift;
            if shift + size.width() > 64 {
                words[word_idx + 1] |= row >> (64 - shift);
            }
        }
        set
    }

    /// The set together with all neighbours of its points; border points may be among them.
    #[inline]
    fn dilate(set: &Self::Set) -> Self::Set {
        let columns = set.shift_up(1).union(&set.shift_down(1));
        let rows = set.shift_up(Self::STRIDE).union(&set.shift_down(Self::STRIDE));
        set.union(&columns).union(&rows)
    }

    /// The part of `within` that is connected to `seed`, `seed` itself included.
    fn flood(seed: &Self::Set, within: &Self::Set) -> Self::Set {
        let mut region = *seed;
        loop {
            let grown = Self::dilate(&region).intersection(within).union(seed);
            if grown == region {
                return region;
            }
            region = grown;
        }
    }

    /// The connected parts of a set.
    fn parts(set: &Self::Set) -> impl Iterator<Item = Self::Set> {
        let mut rest = *set;
        std::iter::from_fn(move || {
            let mut seed = Self::Set::EMPTY;
            seed.insert(rest.first()?);
            let part = Self::flood(&seed, &rest);
            rest = rest.difference(&part);
            Some(part)
        })
    }
}

/// The hash of one stone; a board's hash is the XOR over its stones. It does not depend on the board's size.
pub const fn zobrist(color: Color, vertex: Vertex) -> u64 {
    splitmix64((color as u64) << 32 | (vertex.row() as u64) << 16 | vertex.col() as u64)
}

macro_rules! size_class {
    ($(#[$doc:meta])* $name:ident, side $side:literal, words $words:literal, small $small:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;

        const _: () = {
            const STRIDE: usize = $side + 1;
            const POINTS: usize = $side * STRIDE;

            static NEIGHBOURS: [Words<$words>; POINTS] = {
                let mut table = [Words([0; $words]); POINTS];
                let mut idx = 0;
                while idx < POINTS {
                    let mut set = Words([0; $words]);
                    if idx >= 1 { set = set.with(idx - 1) }
                    if idx >= STRIDE { set = set.with(idx - STRIDE) }
                    if idx + 1 < POINTS { set = set.with(idx + 1) }
                    if idx + STRIDE < POINTS { set = set.with(idx + STRIDE) }
                    table[idx] = set;
                    idx += 1;
                }
                table
            };

            static ZOBRIST: [[u64; POINTS]; 2] = {
                let mut table = [[0; POINTS]; 2];
                let mut idx = 0;
                while idx < POINTS {
                    if idx % STRIDE < $side {
                        let vertex = Vertex::new(idx % STRIDE, idx / STRIDE);
                        table[0][idx] = zobrist(Color::Black, vertex);
                        table[1][idx] = zobrist(Color::White, vertex);
                    }
                    idx += 1;
                }
                table
            };

            impl SizeClass for $name {
                const SIDE: usize = $side;
                type Set = Words<$words>;
                type CompactInt = $small;
                type PointMap<T: Copy + Send + Sync + 'static> = [T; POINTS];
                type Padded<T: Copy + Send + Sync + 'static> = [T; POINTS + 2 * STRIDE + 2];
                const NEIGHBOURS: &'static [Words<$words>; POINTS] = &NEIGHBOURS;
                const ZOBRIST: &'static [[u64; POINTS]; 2] = &ZOBRIST;
            }
        };
    };
}

size_class!(/// Boards up to 9×9.
    Upto9, side 9, words 2, small u8);
size_class!(/// Boards up to 13×13.
    Upto13, side 13, words 4, small u8);
size_class!(/// Boards up to 19×19.
    Upto19, side 19, words 6, small u16);
size_class!(/// Boards up to 25×25.
    Upto25, side 25, words 11, small u16);

#[cfg(test)]
mod tests {
    use super::*;

    fn check_class<C: SizeClass>() {
        let size = Size::square(C::SIDE).unwrap();
        let board = C::on_board(size);
        assert_eq!(board.len(), size.area());
        let mut keys = std::collections::HashSet::new();
        for vertex in size.vertices() {
            let point = C::point(vertex);
            assert_eq!(C::vertex(point), vertex);
            let near = C::NEIGHBOURS[point.idx()].intersection(&board);
            let expected = size
                .vertices()
                .filter(|other| other.col().abs_diff(vertex.col()) + other.row().abs_diff(vertex.row()) == 1);
            assert_eq!(near.iter().map(C::vertex).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            for color in Color::BOTH {
                assert!(keys.insert(C::ZOBRIST[color.idx()][point.idx()]));
            }
        }
        assert_eq!(C::flood(&C::NEIGHBOURS[0], &board), board);
    }

    #[test]
    fn layouts_are_sound() {
        check_class::<Upto9>();
        check_class::<Upto13>();
        check_class::<Upto19>();
        check_class::<Upto25>();
    }
}
