//! Where a move goes, independent of the board's memory layout: what records, clients and players exchange.

use std::fmt;

use thiserror::Error;

/// Width and height of a board, each 2 to 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

/// A board that we cannot lay out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("board size {width}x{height} is not supported: each side must be 2 to 25")]
pub struct SizeError {
    /// The width asked for.
    pub width: usize,
    /// The height asked for.
    pub height: usize,
}

impl Size {
    /// The shortest side.
    pub const MIN: usize = 2;
    /// The longest side: 25 letters name the columns.
    pub const MAX: usize = 25;

    /// A board of `width` columns and `height` rows.
    pub fn new(width: usize, height: usize) -> Result<Self, SizeError> {
        let fits = |side| (Self::MIN..=Self::MAX).contains(&side);
        if fits(width) && fits(height) {
            Ok(Self { width: width as u8, height: height as u8 })
        } else {
            Err(SizeError { width, height })
        }
    }

    /// A square board.
    pub fn square(side: usize) -> Result<Self, SizeError> {
        Self::new(side, side)
    }

    /// Number of columns.
    #[inline]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[inline]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    #[inline]
    pub const fn area(self) -> usize {
        self.width() * self.height()
    }

    /// True where the board turns into itself by a quarter turn.
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// Width and height exchanged.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { width: self.height, height: self.width }
    }

    /// True for a point of this board; false for a pass.
    #[inline]
    pub fn contains(self, vertex: Vertex) -> bool {
        !vertex.is_pass() && vertex.col() < self.width() && vertex.row() < self.height()
    }

    /// Every point, row by row from the top, each row from the left.
    pub fn vertices(self) -> impl Iterator<Item = Vertex> + Clone {
        (0..self.height()).flat_map(move |row| (0..self.width()).map(move |col| Vertex::new(col, row)))
    }

    /// Reads `D4` or `pass` in any case: columns are letters without I, row 1 is the bottom row.
    pub fn parse_vertex(self, text: &str) -> Result<Vertex, VertexError> {
        let bad = || VertexError { text: text.to_string(), size: self };
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Vertex::PASS);
        }
        let mut letters = text.chars();
        let letter = letters.next().ok_or_else(bad)?.to_ascii_uppercase();
        let col = COLUMNS.find(letter).ok_or_else(bad)?;
        let digits = letters.as_str();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
        let from_bottom: usize = digits.parse().map_err(|_| bad())?;
        if col < self.width() && (1..=self.height()).contains(&from_bottom) {
            Ok(Vertex::new(col, self.height() - from_bottom))
        } else {
            Err(bad())
        }
    }

    /// Writes `D4` or `pass`; the inverse of [`Size::parse_vertex`]. A point that the board has not is `?`.
    pub fn show(self, vertex: Vertex) -> String {
        if vertex.is_pass() {
            return "pass".to_string();
        }
        if !self.contains(vertex) {
            return "?".to_string();
        }
        format!("{}{}", column_letter(vertex.col()), self.height() - vertex.row())
    }

    /// [`Size::show`] for errors: a point off the board has no name, so it is counted out from the top left, from 1.
    pub(crate) fn describe(self, vertex: Vertex) -> String {
        if vertex.is_pass() || self.contains(vertex) {
            return self.show(vertex);
        }
        format!("column {}, row {} from the top", vertex.col() + 1, vertex.row() + 1)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

const COLUMNS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The letter over column `col` (0 is the left one); I is left out as on every Go board.
pub fn column_letter(col: usize) -> char {
    COLUMNS.as_bytes().get(col).map_or('?', |&b| char::from(b))
}

/// A point of some board, by column from the left and row from the top, both from 0; or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex(u16);

impl Vertex {
    /// The move that places no stone.
    pub const PASS: Self = Self(u16::MAX);

    /// The point in column `col` from the left and row `row` from the top. No board has points beyond 24, so numbers above
    /// 254 count as 254: such a vertex is off every board, and never a pass.
    #[inline]
    pub const fn new(col: usize, row: usize) -> Self {
        const FAR: usize = 254;
        let (col, row) = (if col < FAR { col } else { FAR }, if row < FAR { row } else { FAR });
        Self((row as u16) << 8 | col as u16)
    }

    /// True for a pass.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 == Self::PASS.0
    }

    /// Column from the left; of no meaning for a pass.
    #[inline]
    pub const fn col(self) -> usize {
        (self.0 & 0xff) as usize
    }

    /// Row from the top; of no meaning for a pass.
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 >> 8) as usize
    }
}

impl fmt::Debug for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            f.write_str("pass")
        } else {
            write!(f, "(col {}, row {})", self.col(), self.row())
        }
    }
}

/// Text that names no point of the board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{text}\" is not a point of a {size} board: expected a column letter (without I) and a row number, like {}, or pass", size.show(Vertex::new(1, size.height() - 2)))]
pub struct VertexError {
    /// The text that names no point.
    pub text: String,
    /// The board it was meant for.
    pub size: Size,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_read_and_written() {
        let size = Size::new(25, 13).unwrap();
        for vertex in size.vertices() {
            assert_eq!(size.parse_vertex(&size.show(vertex)), Ok(vertex));
            assert_eq!(size.parse_vertex(&size.show(vertex).to_lowercase()), Ok(vertex));
        }
        assert_eq!(size.show(Vertex::new(8, 12)), "J1");
        assert_eq!(size.show(Vertex::new(24, 0)), "Z13");
        assert_eq!(size.parse_vertex("PaSs"), Ok(Vertex::PASS));
        for bad in ["", "I5", "A0", "A14", "AA1", "5A", "a", "é3", "A+1", "A99999999999999999999"] {
            assert!(size.parse_vertex(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn points_off_the_board_have_no_name() {
        let size = Size::new(9, 5).unwrap();
        for vertex in [Vertex::new(9, 4), Vertex::new(8, 5), Vertex::new(24, 24)] {
            assert_eq!(size.show(vertex), "?");
        }
        assert_eq!(size.describe(Vertex::new(9, 5)), "column 10, row 6 from the top");
        assert_eq!(size.describe(Vertex::new(8, 4)), "J1");
        for far in [25, 51, 254, 255, 256, 512, usize::MAX] {
            for vertex in [Vertex::new(far, 0), Vertex::new(0, far), Vertex::new(far, far)] {
                assert!(
                    !vertex.is_pass() && Size::square(25).is_ok_and(|size| !size.contains(vertex)),
                    "{far}"
                );
            }
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let error = Size::square(9).unwrap().parse_vertex("I5").unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"I5\" is not a point of a 9x9 board: expected a column letter (without I) and a row number, like B2, or pass"
        );
        assert_eq!(
            Size::new(1, 26).unwrap_err().to_string(),
            "board size 1x26 is not supported: each side must be 2 to 25"
        );
    }
}
