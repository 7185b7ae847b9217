//! The position that an engine was told, and the commands that lead from it to another.

use goban::{AnyBoard, Color, PlayedMove, Position, Rules, Size};

/// A game as an engine is told it: stones that stood there before the first move, then plays.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToldGame {
    pub(super) size: Size,
    pub(super) komi: f32,
    pub(super) rules: Rules,
    /// True if `stones` are Black's handicap.
    pub(super) is_handicap: bool,
    pub(super) stones: Vec<PlayedMove>,
    pub(super) plays: Vec<PlayedMove>,
}

impl ToldGame {
    pub(super) fn of(position: &Position) -> Self {
        let mut first = position.board_after(0);
        let start = stones(&first);
        // Stones set up in the middle of a game can be told only as a new beginning.
        let is_one_game = first.hash() == position.hashes()[0]
            && position.plays().iter().zip(&position.hashes()[1..]).all(|(play, &hash)| {
                first.play(play.color, play.vertex);
                first.hash() == hash
            });
        let (stones, plays) = if is_one_game {
            (start, position.plays().to_vec())
        } else {
            (stones(position.board()), Vec::new())
        };
        Self {
            size: position.size(),
            komi: position.komi(),
            rules: position.rules(),
            is_handicap: position.handicap() > 1 && stones.iter().all(|stone| stone.color == Color::Black),
            stones,
            plays,
        }
    }

    /// How many plays to take back and which to make to get to `target`; `None` if only a new beginning helps.
    pub(super) fn way_to<'a>(&self, target: &'a ToldGame) -> Option<(usize, &'a [PlayedMove])> {
        let is_same_game = self.size == target.size
            && self.komi == target.komi
            && self.rules == target.rules
            && self.is_handicap == target.is_handicap
            && self.stones == target.stones;
        let n_common = self.plays.iter().zip(&target.plays).take_while(|(a, b)| a == b).count();
        is_same_game.then(|| (self.plays.len() - n_common, &target.plays[n_common..]))
    }

    /// The command that makes a play.
    pub(super) fn command(&self, play: PlayedMove) -> String {
        format!("play {} {}", letter(play.color), self.size.show(play.vertex))
    }

    /// The points of the stones at the start, as `set_free_handicap` takes them.
    pub(super) fn start_points(&self) -> String {
        let points: Vec<String> = self.stones.iter().map(|stone| self.size.show(stone.vertex)).collect();
        points.join(" ")
    }
}

/// `b` or `w`.
pub(super) fn letter(color: Color) -> char {
    color.letter().to_ascii_lowercase()
}

/// All stones of a board. Put down one by one in any order they capture nothing. They come in the order in which a setup of
/// ours places them, so that an engine of ours has the same board in memory, and with the same seed plays the same game.
fn stones(board: &AnyBoard) -> Vec<PlayedMove> {
    let stone = |vertex| board.stone(vertex).map(|color| PlayedMove { color, vertex });
    board.size().vertices().filter_map(stone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Vertex;

    fn position(moves: &[&str]) -> Position {
        let mut position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        for text in moves {
            let vertex = position.size().parse_vertex(text).unwrap();
            position.play(position.to_play(), vertex).unwrap();
        }
        position
    }

    #[test]
    fn the_way_is_what_differs() {
        let at = |moves: &[&str]| ToldGame::of(&position(moves));
        let target = at(&["C3", "B2", "D4"]);
        assert_eq!(at(&["C3", "B2"]).way_to(&target), Some((0, &target.plays[2..])));
        assert_eq!(at(&["C3", "A1", "D4"]).way_to(&target), Some((2, &target.plays[1..])));
        assert_eq!(at(&["C3", "B2", "D4", "E5"]).way_to(&target), Some((1, &[][..])));
        let mut other = target.clone();
        other.komi = 1.0;
        assert_eq!(other.way_to(&target), None);
    }

    #[test]
    fn a_setup_in_the_middle_is_a_new_beginning() {
        let mut game = position(&["C3", "B2"]);
        let corner = Vertex::new(0, 0);
        game.setup(&[(corner, Some(Color::White))], Color::Black).unwrap();
        game.play(Color::Black, Vertex::new(4, 4)).unwrap();
        let table = ToldGame::of(&game);
        assert_eq!((table.stones.len(), table.plays.len()), (4, 0));
        let mut handicap = position(&[]);
        handicap.set_free_handicap(&[corner, Vertex::new(4, 4)]).unwrap();
        let table = ToldGame::of(&handicap);
        assert!(table.is_handicap);
        assert_eq!(table.start_points(), "A5 E1");
    }
}
