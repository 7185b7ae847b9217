//! Colours, and points as the format writes them: two letters, the column from the left and the row from the top.

use std::fmt;

/// The largest width and height the format can write: the letters `a` to `z`, then `A` to `Z`.
pub const MAX_SIZE: u8 = 52;

/// The colour of a stone, or of the player who holds these stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// Black, who moves first in an even game.
    Black,
    /// White.
    White,
}

impl Color {
    /// The other colour.
    pub fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The letter the format uses: `B` or `W`.
    pub fn letter(self) -> char {
        match self {
            Self::Black => 'B',
            Self::White => 'W',
        }
    }

    /// Reads a colour as `PL` and `RE` write it: `B`, `white`; `FF[1]` also had `1` and `2`.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "b" | "black" | "1" => Some(Self::Black),
            "w" | "white" | "2" => Some(Self::White),
            _ => None,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A point of the board: `col` counts from the left, `row` from the top, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coord {
    /// Column from the left, 0 to 51.
    pub col: u8,
    /// Row from the top, 0 to 51.
    pub row: u8,
}

impl Coord {
    /// The point with these numbers.
    pub fn new(col: u8, row: u8) -> Self {
        Self { col, row }
    }

    /// Reads two letters such as `dd` or `aZ`; `None` for anything else.
    pub fn from_sgf(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [col, row] => Some(Self { col: number(*col)?, row: number(*row)? }),
            _ => None,
        }
    }

    /// Whether the point lies on a board of this size.
    pub fn is_on(self, width: u8, height: u8) -> bool {
        self.col < width && self.row < height
    }

    /// Reads a point as people write it (`Q16`: no column I, rows from the bottom); some old programs saved these.
    pub(crate) fn from_human(text: &str, height: u8) -> Option<Self> {
        let letter = text.chars().next()?.to_ascii_uppercase();
        if !letter.is_ascii_uppercase() || letter == 'I' {
            return None;
        }
        let digits = &text[1..];
        if digits.is_empty() || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let col = letter as u8 - b'A' - u8::from(letter > 'I');
        let from_bottom: u8 = digits.parse().ok()?;
        let row = height.checked_sub(from_bottom)?;
        (from_bottom > 0).then_some(Self { col, row })
    }
}

/// Writes the two letters; numbers beyond the format's 52 letters, which no reader of this crate makes, become `?`.
impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.col), letter(self.row))
    }
}

fn number(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

fn letter(number: u8) -> char {
    match number {
        0..=25 => char::from(b'a' + number),
        26..=51 => char::from(b'A' + number - 26),
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_numbers_agree() {
        for col in 0..MAX_SIZE {
            let point = Coord::new(col, MAX_SIZE - 1 - col);
            assert_eq!(Coord::from_sgf(&point.to_string()), Some(point));
        }
        assert_eq!(Coord::from_sgf("aZ"), Some(Coord::new(0, 51)));
        for bad in ["", "a", "aaa", "a1", "é", "  "] {
            assert_eq!(Coord::from_sgf(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn human_points_count_rows_from_the_bottom() {
        assert_eq!(Coord::from_human("R16", 19), Some(Coord::new(16, 3)));
        assert_eq!(Coord::from_human("a1", 19), Some(Coord::new(0, 18)));
        for bad in ["I5", "A0", "A20", "A", "5A", "é1", "A+1", "A123"] {
            assert_eq!(Coord::from_human(bad, 19), None, "{bad:?}");
        }
    }
}
