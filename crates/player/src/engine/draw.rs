//! The board as text.

use std::fmt::Write;

use goban::{Color, Position, Vertex, column_letter};

/// A drawing of the position: coordinates, star points, the last move in brackets, and below it who is to play, komi and
/// captures. There is no empty line in it.
pub fn draw(position: &Position) -> String {
    let size = position.size();
    let letters: String = (0..size.width()).map(|col| format!(" {}", column_letter(col))).collect();
    let stars = size.fixed_handicap_points(size.max_fixed_handicap());
    let last = position.last().map(|play| play.vertex);
    let mut text = format!("  {letters}\n");
    for row in 0..size.height() {
        let number = size.height() - row;
        let _ = write!(text, "{number:2}");
        for col in 0..size.width() {
            let vertex = Vertex::new(col, row);
            let is_after_last = col > 0 && last == Some(Vertex::new(col - 1, row));
            text.push(match last {
                Some(last) if last == vertex => '(',
                _ if is_after_last => ')',
                _ => ' ',
            });
            text.push(match position.board().stone(vertex) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None if stars.contains(&vertex) => '+',
                None => '.',
            });
        }
        let is_last_at_edge = last == Some(Vertex::new(size.width() - 1, row));
        let _ = writeln!(text, "{}{number}", if is_last_at_edge { ')' } else { ' ' });
    }
    let _ = writeln!(text, "  {letters}");
    let _ = writeln!(text, "{}", state(position));
    let taken_by = |color: Color| position.n_captured(!color);
    let _ =
        write!(text, "Captures: Black (X) {}, White (O) {}", taken_by(Color::Black), taken_by(Color::White));
    text
}

/// The lines below the board: whose turn it is, komi, the last move, captures.
fn state(position: &Position) -> String {
    let mut text = format!("{} to play, komi {}", position.to_play(), position.komi());
    if position.handicap() > 0 {
        let _ = write!(text, ", handicap {}", position.handicap());
    }
    if let Some(last) = position.last() {
        let at = position.size().show(last.vertex);
        let _ = write!(text, ", move {}: {} {at}", position.plays().len(), last.color);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size};

    #[test]
    fn last_move_and_captures_are_shown() {
        let mut position = Position::new(Size::new(7, 3).unwrap(), Rules::CHINESE);
        for (color, vertex) in [(Color::Black, "A3"), (Color::White, "A2"), (Color::White, "B3")] {
            position.play(color, position.size().parse_vertex(vertex).unwrap()).unwrap();
        }
        let expected = "   A B C D E F G
 3 .(O). . . . . 3
 2 O . . . . . . 2
 1 . . . . . . . 1
   A B C D E F G
Black to play, komi 0, move 3: White B3
Captures: Black (X) 0, White (O) 1";
        assert_eq!(draw(&position), expected);
    }

    #[test]
    fn star_points_and_the_edge_are_drawn() {
        let mut position = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        position.play(Color::Black, Vertex::new(8, 0)).unwrap();
        let text = draw(&position);
        assert!(text.contains(" 9 . . . . . . . .(X)9\n"), "{text}");
        assert!(text.contains(" 7 . . + . + . + . . 7\n"), "{text}");
    }
}
