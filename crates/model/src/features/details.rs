//! What only ranking models ask of a move: the chain it would make, the chains beside it, vital points of eye spaces, and
//! distances along chains that go farther than a prior's rules look.

use goban::tactics::{Distances, after, nakade};
use goban::{Board, Color, Full, Move, Point, PointSet, SizeClass};

use crate::view::PositionView;

/// Steps along chains beyond this are one.
pub const MAX_PATH: u8 = 8;

/// Whose eye space a vital point lies in, as the mover sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VitalPoint {
    /// The mover's own.
    Own,
    /// The enemy's.
    Enemy,
}

/// Details of one move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveDetails {
    /// Liberties of the chain that the stone would be part of, at most 255.
    pub n_liberties: u8,
    /// Stones of that chain, the new one included, at most 255.
    pub n_stones: u8,
    /// The move takes a single stone and could be taken back at once but for the ko rule.
    pub takes_ko: bool,
    /// Own chains beside the point, 0 to 4, and the fewest liberties of any of them; 0 if there is none.
    pub own: Beside,
    /// The same for the enemy's.
    pub enemy: Beside,
    /// The point is the vital point of a small eye space.
    pub vital: Option<VitalPoint>,
    /// Steps along the common fate graph to the last move and to the one before it, at most [`MAX_PATH`]; `MAX_PATH + 1`
    /// if it is farther, 0 if there was no such move on the board.
    pub path: [u8; 2],
}

/// Chains of one colour beside a point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beside {
    /// Their number, 0 to 4.
    pub n_chains: u8,
    /// The fewest liberties of any of them; 0 if there is none.
    pub least_liberties: u8,
}

/// A position of which details are asked.
pub struct DetailReader<'a, C: SizeClass> {
    board: &'a Board<C, Full>,
    mover: Color,
    paths: Option<[Option<Distances<C>>; 2]>,
}

impl<'a, C: SizeClass> DetailReader<'a, C> {
    /// For the moves of a position; distances along chains are measured only if they are wanted.
    pub fn new(position: &PositionView<'a, C>, wants_paths: bool) -> Self {
        let measure = |mv: Option<Move>| {
            let start = mv.and_then(Move::point)?;
            let mut distances = Distances::new();
            distances.measure(position.board, start, MAX_PATH);
            Some(distances)
        };
        let paths = wants_paths.then(|| position.recent.map(measure));
        Self { board: position.board, mover: position.to_play, paths }
    }

    /// The details of a legal move at an empty point.
    pub fn of(&self, point: Point) -> MoveDetails {
        let (board, mover) = (self.board, self.mover);
        let chain = after(board, mover, point);
        let n_liberties: usize = chain.liberties.len();
        let path = self.paths.as_ref().map_or([0; 2], |paths| {
            paths.each_ref().map(|from| from.as_ref().map_or(0, |from| from.at(point).min(MAX_PATH + 1)))
        });
        MoveDetails {
            n_liberties: small(n_liberties),
            n_stones: small(chain.n_stones),
            takes_ko: chain.n_captured == 1 && chain.n_stones == 1 && n_liberties == 1,
            own: self.beside(point, mover),
            enemy: self.beside(point, !mover),
            vital: self.vital(point),
            path,
        }
    }

    fn beside(&self, point: Point, color: Color) -> Beside {
        let mut found = Beside::default();
        for head in self.board.chains_beside(point, color) {
            let n_liberties = small(self.board.n_liberties(head));
            found.least_liberties =
                if found.n_chains == 0 { n_liberties } else { found.least_liberties.min(n_liberties) };
            found.n_chains += 1;
        }
        found
    }

    fn vital(&self, point: Point) -> Option<VitalPoint> {
        let code = self.board.code(point);
        let sees = |color| code.neighbours_of(color) != 0;
        // Both colours beside the point, or none and open points all around: no eye space.
        if sees(Color::Black) == sees(Color::White) && sees(Color::Black) {
            return None;
        }
        let (_, owner) = nakade::eye_space(self.board, point)?;
        let is_vital = nakade::vital_point(self.board, point) == Some(point);
        is_vital.then_some(if owner == self.mover { VitalPoint::Own } else { VitalPoint::Enemy })
    }
}

fn small(n: usize) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Setup, Upto9};

    /// The details of a move of Black's on a drawn board after White's move `last`.
    fn about(drawing: &str, last: &str, mv: &str) -> MoveDetails {
        let setup = Setup::parse(drawing).unwrap();
        let size = setup.size();
        let mut board = Board::<Upto9, Full>::new(size);
        for (vertex, color) in setup.stones() {
            board.play(color, board.to_move(vertex));
        }
        let to_move = |name: &str| board.to_move(size.parse_vertex(name).unwrap());
        let position =
            PositionView { board: &board, to_play: Color::Black, recent: [Some(to_move(last)), None] };
        DetailReader::new(&position, true).of(to_move(mv).point().unwrap())
    }

    #[test]
    fn the_chain_that_a_move_makes_and_its_neighbours() {
        let board = ". . . . .
                     . X X O .
                     . . O O .
                     . . . . .
                     . . . . .";
        // B3 joins the two black stones from below: three stones, liberties A4, B5, C5, A3, B2.
        let found = about(board, "D4", "B3");
        assert_eq!((found.n_stones, found.n_liberties), (3, 5));
        assert_eq!(found.own, Beside { n_chains: 1, least_liberties: 4 });
        // White's three stones: D5, E4, E3, D2, C2, B3.
        assert_eq!(found.enemy, Beside { n_chains: 1, least_liberties: 6 });
        // B3 touches White's chain, of which D4 is a stone; before the last move there was none.
        assert_eq!((found.path, found.vital, found.takes_ko), ([1, 0], None, false));
    }

    #[test]
    fn kos_and_vital_points() {
        let ko = ". . . . .
                  . X O . .
                  X O . O .
                  . X O . .
                  . . . . .";
        let found = about(ko, "C4", "C3");
        assert!(found.takes_ko && (found.n_stones, found.n_liberties) == (1, 1));
        let eye = "O O O O O
                   O . . . O
                   O O O O O
                   X X X X X
                   . . . . .";
        assert_eq!(about(eye, "A5", "C4").vital, Some(VitalPoint::Enemy));
        assert_eq!(about(eye, "A5", "B4").vital, None);
    }
}
