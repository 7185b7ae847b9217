//! The two players.

use std::fmt;
use std::ops::Not;

/// A player and the colour of his stones. As an index Black is 0, White is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Moves first in an even game.
    Black = 0,
    /// Receives komi.
    White = 1,
}

impl Color {
    /// Black, then White.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White.
    #[inline(always)]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The colour in any spelling that clients use: `b`, `w`, `black`, `white`, upper or lower case.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Self::Black),
            "w" | "white" => Some(Self::White),
            _ => None,
        }
    }

    /// `B` or `W`, as results and records write it.
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'B',
            Self::White => 'W',
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}
