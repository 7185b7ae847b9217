//! The board in a terminal: wood and stones where there is colour, letters where there is none.

use goban::{Color, Position, Vertex, column_letter};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawStyle {
    /// With colours and round stones.
    Color,
    /// `X` for Black and `O` for White, for pipes and simple terminals.
    Plain,
}

const WOOD: &str = "\x1b[48;5;179m";
const LINE: &str = "\x1b[38;5;94m";
const BLACK: &str = "\x1b[38;5;16m";
const WHITE: &str = "\x1b[38;5;231m";
const MARK: &str = "\x1b[1;38;5;160m";
const RESET: &str = "\x1b[0m";

/// The board with coordinates on all sides; the last move stands in brackets, so that no one needs colours to
/// find it.
pub(super) fn board(position: &Position, style: DrawStyle) -> String {
    let size = position.size();
    let last = position.last().map(|play| play.vertex).filter(|vertex| !vertex.is_pass());
    let mut letters: String = (0..size.width()).map(|col| format!(" {}", column_letter(col))).collect();
    letters.push(' ');
    let mut out = format!("    {letters}\n");
    for row in 0..size.height() {
        let number = size.height() - row;
        out += &format!(" {number:>2} ");
        if style == DrawStyle::Color {
            out += WOOD;
        }
        for col in 0..=size.width() {
            let bracket = bracket(last, col, row);
            out += &paint(bracket, MARK, style);
            if col < size.width() {
                out += &cell(position, Vertex::new(col, row), style);
            }
        }
        if style == DrawStyle::Color {
            out += RESET;
        }
        out += &format!(" {number:<2}\n");
    }
    out += &format!("    {letters}");
    out
}

/// What stands left of the cell in column `col`: a bracket if the last move is in or before it.
fn bracket(last: Option<Vertex>, col: usize, row: usize) -> &'static str {
    match last {
        Some(vertex) if vertex.row() == row && vertex.col() == col => "(",
        Some(vertex) if vertex.row() == row && vertex.col() + 1 == col => ")",
        _ => " ",
    }
}

fn paint(text: &str, color: &str, style: DrawStyle) -> String {
    if style == DrawStyle::Plain || text == " " {
        return text.to_string();
    }
    format!("{color}{text}{RESET}{WOOD}")
}

fn cell(position: &Position, vertex: Vertex, style: DrawStyle) -> String {
    match (position.board().stone(vertex), style) {
        (Some(Color::Black), DrawStyle::Color) => format!("{BLACK}●"),
        (Some(Color::White), DrawStyle::Color) => format!("{WHITE}●"),
        (Some(Color::Black), DrawStyle::Plain) => "X".to_string(),
        (Some(Color::White), DrawStyle::Plain) => "O".to_string(),
        (None, DrawStyle::Color) => format!("{LINE}{}", if is_star(position, vertex) { "+" } else { "·" }),
        (None, DrawStyle::Plain) => if is_star(position, vertex) { "+" } else { "." }.to_string(),
    }
}

/// The points that a wooden board marks: where handicap stones go.
fn is_star(position: &Position, vertex: Vertex) -> bool {
    let size = position.size();
    let n = size.max_fixed_handicap();
    size.fixed_handicap_points(n).contains(&vertex)
        || (n >= 4 && size.width() % 2 == 1 && size.height() % 2 == 1)
            && vertex == Vertex::new(size.width() / 2, size.height() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size};

    #[test]
    fn last_move_stands_in_brackets() {
        let mut position = Position::new(Size::new(4, 3).unwrap(), Rules::CHINESE);
        position.play(Color::Black, Vertex::new(3, 1)).unwrap();
        let expected = "     A B C D \n  3  . . . .  3 \n  2  . . .(X) 2 \n  1  . . . .  1 \n     A B C D ";
        assert_eq!(board(&position, DrawStyle::Plain), expected);
        position.play(Color::White, Vertex::new(0, 0)).unwrap();
        assert!(board(&position, DrawStyle::Plain).contains("  3 (O). . .  3 "));
    }
}
