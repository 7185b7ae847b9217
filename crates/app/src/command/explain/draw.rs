//! Small boards: the position with letters on the best moves, and who is expected to own what.

use goban::{Color, Position, Vertex, column_letter};

/// The board with its coordinates, `cell` saying what stands on each point.
fn grid(position: &Position, cell: impl Fn(Vertex) -> char) -> String {
    let size = position.size();
    let letters: String = (0..size.width()).map(|col| format!(" {}", column_letter(col))).collect();
    let mut text = format!("   {letters}\n");
    for row in 0..size.height() {
        let number = size.height() - row;
        let cells: String =
            (0..size.width()).map(|col| format!(" {}", cell(Vertex::new(col, row)))).collect();
        text += &format!(" {number:2}{cells} {number}\n");
    }
    text + &format!("   {letters}\n")
}

/// The stones, `X` Black and `O` White; `marks` are lettered a, b, c, …
pub(super) fn board(position: &Position, marks: &[Vertex]) -> String {
    let size = position.size();
    let stars = size.fixed_handicap_points(size.max_fixed_handicap());
    grid(position, |vertex| {
        let mark = marks.iter().position(|&mark| mark == vertex).and_then(letter);
        match (position.board().stone(vertex), mark) {
            (Some(Color::Black), _) => 'X',
            (Some(Color::White), _) => 'O',
            (None, Some(letter)) => letter,
            (None, None) if stars.contains(&vertex) => '+',
            (None, None) => '.',
        }
    })
}

/// The letter of the best move, the second best, …; none beyond z.
pub(super) fn letter(idx: usize) -> Option<char> {
    ('a'..='z').nth(idx)
}

/// How sure an owner must be for a capital letter, and for any letter.
const SURE: f32 = 0.75;
const LIKELY: f32 = 0.25;

/// Who is expected to own each point: `owners` in the order of the board's vertices, −1 White to +1 Black.
pub(super) fn owners(position: &Position, owners: &[f32]) -> String {
    let width = position.size().width();
    grid(position, |vertex| match owners.get(vertex.row() * width + vertex.col()) {
        Some(&owner) if owner >= SURE => 'X',
        Some(&owner) if owner >= LIKELY => 'x',
        Some(&owner) if owner <= -SURE => 'O',
        Some(&owner) if owner <= -LIKELY => 'o',
        _ => '.',
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size};

    #[test]
    fn moves_are_lettered_and_owners_drawn() {
        let mut position = Position::new(Size::new(4, 2).unwrap(), Rules::CHINESE);
        position.play(Color::Black, Vertex::new(1, 0)).unwrap();
        let marks = [Vertex::new(3, 1), Vertex::PASS, Vertex::new(0, 0)];
        assert_eq!(board(&position, &marks), "    A B C D\n  2 c X . . 2\n  1 . . . a 1\n    A B C D\n");
        let map = owners(&position, &[1.0, 0.75, 0.74, 0.25, 0.24, -0.24, -0.25, -0.75]);
        assert_eq!(map, "    A B C D\n  2 X X x x 2\n  1 . . o O 1\n    A B C D\n");
    }
}
