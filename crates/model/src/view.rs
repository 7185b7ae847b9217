//! A position as the models of this crate see it.

use goban::{Board, Color, EyeRule, Full, Move, Point, PointSet, Position, SizeClass};

/// A board, who is to move on it, and the moves that led to it.
#[derive(Debug, Clone, Copy)]
pub struct PositionView<'a, C: SizeClass> {
    /// The stones, with the ko.
    pub board: &'a Board<C, Full>,
    /// Who is to move.
    pub to_play: Color,
    /// The last two moves, the latest first; `None` where there was none or nobody knows it.
    pub recent: [Option<Move>; 2],
}

impl<'a, C: SizeClass> PositionView<'a, C> {
    /// The end of a game; `board` is the game's board in its size class.
    pub fn of_position(board: &'a Board<C, Full>, position: &Position) -> Self {
        let mut recent = position.plays().iter().rev().map(|play| board.to_move(play.vertex));
        Self { board, to_play: position.to_play(), recent: [recent.next(), recent.next()] }
    }

    /// Whether the last move was a pass.
    #[inline]
    pub fn is_after_pass(&self) -> bool {
        self.recent[0] == Some(Move::PASS)
    }

    /// Where the last two moves were made, the latest first; `None` for a pass as well.
    #[inline]
    pub fn recent_points(&self) -> [Option<Point>; 2] {
        self.recent.map(|mv| mv.and_then(Move::point))
    }

    /// Appends the moves worth looking at: legal ones that fill no own eye, by index, then the pass.
    pub fn moves(&self, out: &mut Vec<Move>) {
        let is_sensible = |point: &Point| {
            self.board.is_legal(self.to_play, *point)
                && !self.board.is_eye(*point, self.to_play, EyeRule::Standard)
        };
        out.extend(self.board.empty().iter().filter(is_sensible).map(Move::at));
        out.push(Move::PASS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size, Vertex, with_board};

    #[test]
    fn the_end_of_a_game() {
        let mut game = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        game.play(Color::Black, Vertex::new(4, 4)).unwrap();
        game.play(Color::White, Vertex::PASS).unwrap();
        with_board!(game.board(), |board| {
            let view = PositionView::of_position(board, &game);
            assert!(view.is_after_pass() && view.to_play == Color::Black);
            assert_eq!(view.recent_points(), [None, board.to_move(Vertex::new(4, 4)).point()]);
            let mut moves = Vec::new();
            view.moves(&mut moves);
            assert!(moves.len() == 81 && moves[80].is_pass());
        });
    }
}
