//! Drawn boards: stones that may be nonsense, until they are checked.

use std::fmt;

use thiserror::Error;

use crate::color::Color;
use crate::vertex::{Size, SizeError, Vertex};

/// Stones on a board as somebody wrote them down; chains without liberties are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    size: Size,
    /// Row by row from the top left.
    stones: Vec<Option<Color>>,
}

impl Setup {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        Self { size, stones: vec![None; size.area()] }
    }

    /// Reads a drawn board: one line per row from the top, `X` or `#` black, `O` white, `.`, `+`, `-` or `,`
    /// empty, spaces where you like. A row number before or after a row and lines of column letters are
    /// passed over.
    pub fn parse(text: &str) -> Result<Self, SetupError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !is_heading(line));
        let mut rows: Vec<Vec<Option<Color>>> = Vec::new();
        for (number, line) in lines {
            let row = parse_row(line).map_err(|sign| SetupError::Sign { line: number + 1, sign })?;
            if let Some(first) = rows.first().filter(|first| first.len() != row.len()) {
                return Err(SetupError::Ragged { line: number + 1, n: row.len(), expected: first.len() });
            }
            rows.push(row);
        }
        let size = Size::new(rows.first().map_or(0, Vec::len), rows.len())?;
        Ok(Self { size, stones: rows.into_iter().flatten().collect() })
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stone at a vertex; `None` off the board too.
    pub fn stone(&self, vertex: Vertex) -> Option<Color> {
        if self.size.contains(vertex) { self.stones[self.idx(vertex)] } else { None }
    }

    /// Puts a stone on a point of the board or takes it off.
    pub fn set(&mut self, vertex: Vertex, stone: Option<Color>) -> Result<(), SetupError> {
        if !self.size.contains(vertex) {
            return Err(SetupError::OffBoard { vertex, size: self.size });
        }
        let idx = self.idx(vertex);
        self.stones[idx] = stone;
        Ok(())
    }

    /// Every stone, row by row.
    pub fn stones(&self) -> impl Iterator<Item = (Vertex, Color)> + '_ {
        self.size.vertices().filter_map(|vertex| self.stone(vertex).map(|color| (vertex, color)))
    }

    /// Checks that a game can stand like this: every chain has a liberty.
    pub fn check(&self) -> Result<(), SetupError> {
        // Liberty spreads from empty points to the stones beside them and through their chains.
        let mut is_free = vec![false; self.stones.len()];
        let mut queue: Vec<Vertex> =
            self.size.vertices().filter(|&vertex| self.stone(vertex).is_none()).collect();
        while let Some(vertex) = queue.pop() {
            let here = self.stone(vertex);
            for near in neighbours(self.size, vertex) {
                let stone = self.stone(near);
                let idx = self.idx(near);
                if stone.is_some() && !is_free[idx] && (here.is_none() || here == stone) {
                    is_free[idx] = true;
                    queue.push(near);
                }
            }
        }
        match self.stones().find(|&(vertex, _)| !is_free[self.idx(vertex)]) {
            Some((vertex, color)) => Err(SetupError::NoLiberty { vertex, color, size: self.size }),
            None => Ok(()),
        }
    }

    fn idx(&self, vertex: Vertex) -> usize {
        vertex.row() * self.size.width() + vertex.col()
    }
}

/// The up to four points beside a point of the board.
pub(crate) fn neighbours(size: Size, vertex: Vertex) -> impl Iterator<Item = Vertex> {
    let (col, row) = (vertex.col(), vertex.row());
    let around = [(col, row.wrapping_sub(1)), (col.wrapping_sub(1), row), (col + 1, row), (col, row + 1)];
    let on_board = move |&(col, row): &(usize, usize)| col < size.width() && row < size.height();
    around.into_iter().filter(on_board).map(|(col, row)| Vertex::new(col, row))
}

/// A line of column letters, a rule of dashes or nothing: no row.
fn is_heading(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_letters =
        words.clone().all(|word| word.len() == 1 && word.bytes().all(|b| b.is_ascii_uppercase()));
    // A row of stones only, like `X O X`, has no A; the letters over the columns always do.
    is_letters && words.next().is_none_or(|first| first == "A")
}

fn parse_row(line: &str) -> Result<Vec<Option<Color>>, char> {
    let mut row = Vec::new();
    for sign in line.chars() {
        match sign {
            'X' | '#' => row.push(Some(Color::Black)),
            'O' => row.push(Some(Color::White)),
            '.' | '+' | '-' | ',' => row.push(None),
            _ if sign.is_whitespace() || sign.is_ascii_digit() || sign == '|' => {}
            _ => return Err(sign),
        }
    }
    Ok(row)
}

impl fmt::Display for Setup {
    /// The drawing that [`Setup::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.stones.chunks(self.size.width()) {
            for (col, stone) in row.iter().enumerate() {
                let sign = match stone {
                    None => '.',
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                };
                write!(f, "{}{sign}", if col > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A drawing or stones that make no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A sign that means nothing.
    #[error("line {line} of the board: '{sign}' is neither X, O nor a dot")]
    Sign {
        /// Counted from 1.
        line: usize,
        /// The sign given.
        sign: char,
    },
    /// Rows of different lengths.
    #[error("line {line} of the board has {n} points, the first row has {expected}")]
    Ragged {
        /// Counted from 1.
        line: usize,
        /// Points in this row.
        n: usize,
        /// Points in the first row.
        expected: usize,
    },
    /// A size that we cannot lay out.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A stone off the board.
    #[error("{} is not a point of a {size} board", size.describe(*vertex))]
    OffBoard {
        /// The point given.
        vertex: Vertex,
        /// The board.
        size: Size,
    },
    /// A chain that could not stand there.
    #[error("the chain of the {color} stone at {} has no liberty", size.show(*vertex))]
    NoLiberty {
        /// One of its stones.
        vertex: Vertex,
        /// Its colour.
        color: Color,
        /// The board.
        size: Size,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_read_and_written() {
        let plain = Setup::parse("X . O\n. X .\n").unwrap();
        assert_eq!(plain.to_string(), "X . O\n. X .\n");
        let framed = Setup::parse("   A B C\n 2 X . O 2\n 1 . X . 1\n   A B C\n").unwrap();
        assert_eq!(framed, plain);
        assert_eq!(Setup::parse("X.O\n.X."), Ok(plain));
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        let text = |drawing| Setup::parse(drawing).unwrap_err().to_string();
        assert_eq!(text("X . O\n. Y ."), "line 2 of the board: 'Y' is neither X, O nor a dot");
        assert_eq!(text("X . O\n. X"), "line 2 of the board has 2 points, the first row has 3");
        assert!(text("").contains("0x0 is not supported"));
        let check = |drawing| Setup::parse(drawing).unwrap().check().map_err(|e| e.to_string());
        assert_eq!(
            check("X O .\nO O ."),
            Err("the chain of the Black stone at A2 has no liberty".to_string())
        );
        assert_eq!(check("X X .\nO O ."), Ok(()));
        assert!(check("X X\nX X").is_err());
    }
}
