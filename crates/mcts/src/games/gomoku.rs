//! Gomoku as a game to search: five stones in a row win, or as many as one likes; on 3×3 with three it is Tic-Tac-Toe. More than
//! the number win as well, every empty cell may be taken (free-style), and a full board is a draw.
//!
//! An action is a cell, counted row by row from the top left. A player's stones are one number of bits for each row.

use super::board_form::{self, PointView};
use crate::cx::PathStep;
use crate::evaluate::Kit;
use crate::game::{Action, Game, Outcome, Side};
use goban::{Rng, Size, Symmetry};
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};

/// The most columns, and the most rows.
pub const MAX_SIDE: usize = 19;
/// The fewest of either.
pub const MIN_SIDE: usize = 3;

/// A position of Gomoku.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gomoku {
    width: usize,
    height: usize,
    /// Stones in a row that win.
    row: usize,
    /// By player and row of the board: a bit for each stone.
    stones: [[u32; MAX_SIDE]; 2],
    n_moves: usize,
    winner: Option<Side>,
    key: u64,
}

impl Gomoku {
    /// The empty board; `None` if a side is not between 3 and 19, or `row` stones fit on neither side or are fewer than 3.
    pub fn new(width: usize, height: usize, row: usize) -> Option<Gomoku> {
        let is_sound = [width, height].iter().all(|side| (MIN_SIDE..=MAX_SIDE).contains(side));
        let fits = (MIN_SIDE..=width.max(height)).contains(&row);
        let stones = [[0; MAX_SIDE]; 2];
        (is_sound && fits).then_some(Gomoku { width, height, row, stones, n_moves: 0, winner: None, key: 0 })
    }

    /// Columns and rows.
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Who has a stone in a cell.
    pub fn stone(&self, action: Action) -> Option<Side> {
        let (x, y) = self.place(action);
        [Side::First, Side::Second].into_iter().find(|side| self.stones[side.idx()][y] >> x & 1 == 1)
    }

    /// Whether an action is legal now.
    pub fn is_legal(&self, action: Action) -> bool {
        action.idx() < self.n_actions() && !self.is_over() && self.stone(action).is_none()
    }

    /// Who has enough stones in a row.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Column and row of an action.
    fn place(&self, action: Action) -> (usize, usize) {
        (action.idx() % self.width, action.idx() / self.width)
    }

    /// A cell as the mover sees it.
    fn view(&self, action: Action) -> PointView {
        match self.stone(action) {
            Some(side) if side == self.mover() => PointView::Own,
            Some(_) => PointView::Other,
            None if self.is_over() => PointView::Closed,
            None => PointView::Open,
        }
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.n_moves == self.n_actions()
    }

    /// Whether a player has enough stones in a row through the one at (x, y).
    fn has_row(&self, side: Side, x: usize, y: usize) -> bool {
        let stones = &self.stones[side.idx()];
        let run = |dx: isize, dy: isize| {
            let step = |n: usize| {
                Some((x.checked_add_signed(n as isize * dx)?, y.checked_add_signed(n as isize * dy)?))
            };
            // Beyond the last row of the board there are no stones, and beyond the last column no bits.
            let is_there =
                |(x, y): (usize, usize)| stones.get(y).is_some_and(|row| x < MAX_SIDE && row >> x & 1 == 1);
            (1..self.row).take_while(|&n| step(n).is_some_and(is_there)).count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(dx, dy)| 1 + run(dx, dy) + run(-dx, -dy) >= self.row)
    }
}

impl Game for Gomoku {
    fn n_actions(&self) -> usize {
        self.width * self.height
    }

    fn mover(&self) -> Side {
        if self.n_moves.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// The empty cells, from the top left.
    fn actions(&self, out: &mut Vec<Action>) {
        for y in 0..self.height {
            let mut empty = !(self.stones[0][y] | self.stones[1][y]) & ((1 << self.width) - 1);
            while empty != 0 {
                out.push(Action((y * self.width + empty.trailing_zeros() as usize) as u16));
                empty &= empty - 1;
            }
        }
    }

    fn play(&mut self, action: Action) {
        debug_assert!(self.is_legal(action), "{action:?}");
        let (side, (x, y)) = (self.mover(), self.place(action));
        self.stones[side.idx()][y] |= 1 << x;
        self.n_moves += 1;
        self.key ^= Rng::new(2 * u64::from(action.0) + side.idx() as u64).next_u64();
        if self.has_row(side, x, y) {
            self.winner = Some(side);
        }
    }

    fn ended(&self, out: &mut Outcome) -> bool {
        if !self.is_over() {
            return false;
        }
        (out.win, out.score) = match self.winner {
            Some(Side::First) => (1.0, 1.0),
            Some(Side::Second) => (0.0, -1.0),
            None => (0.5, 0.0),
        };
        out.length = 0;
        true
    }

    /// A hash of the stones; who moves follows from their number.
    fn key(&self) -> u64 {
        self.key
    }

    /// A king's steps, since rows run along diagonals, too.
    fn distance(&self, a: Action, b: Action) -> Option<u32> {
        let ((ax, ay), (bx, by)) = (self.place(a), self.place(b));
        Some(ax.abs_diff(bx).max(ay.abs_diff(by)) as u32)
    }

    fn max_distance(&self) -> u32 {
        self.width.max(self.height) as u32 - 1
    }
}

/// Playouts are the uniform ones that every game has.
impl Kit for Gomoku {
    const NAME: &'static str = "gomoku";

    fn knows_form(&self, _form: InputForm) -> bool {
        true
    }

    fn encode(&self, form: InputForm, _: &Self, _: &[PathStep], out: &mut EncodedPosition) -> u64 {
        match form {
            InputForm::Board => {
                board_form::encode(self.size(), |point| self.view(Action(point as u16)), false, out);
            }
            InputForm::Planes => *out = EncodedPosition::default(),
        }
        self.key()
    }

    fn turnings(&self, form: InputForm) -> Vec<Turning> {
        let symmetries = Size::new(self.width, self.height).map_or(&[][..], Symmetry::of);
        board_form::turnings(form, self.size(), symmetries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, ROOT, Search, Settings};
    use recipe::{Recipe, Shelf};

    /// The position after Black's and White's stones at (x, y), in turn.
    fn after(width: usize, height: usize, row: usize, cells: &[(usize, usize)]) -> Gomoku {
        let mut game = Gomoku::new(width, height, row).unwrap();
        cells.iter().for_each(|&(x, y)| game.play(Action((y * width + x) as u16)));
        game
    }

    #[test]
    fn five_in_a_row_win_in_every_direction() {
        for (dx, dy, x, y) in [(1, 0, 2, 3), (0, 1, 2, 3), (1, 1, 2, 3), (1, -1, 2, 7)] {
            let mut cells = Vec::new();
            // The middle stone comes last, so that both ends of the row are looked at.
            for (n, other) in [0, 1, 3, 4, 2].into_iter().zip(0..) {
                cells.push(((x + n * dx) as usize, (y + n * dy) as usize));
                cells.push((other, 8));
            }
            cells.pop();
            let game = after(9, 9, 5, &cells);
            assert_eq!(game.winner(), Some(Side::First), "{dx} {dy}");
            assert_eq!(after(9, 9, 5, &cells[..8]).winner(), None);
            assert_eq!(after(9, 9, 6, &cells).winner(), None, "five are no six");
            let mut outcome = Outcome::default();
            assert!(game.ended(&mut outcome) && outcome.win == 1.0 && !game.is_legal(Action(0)));
        }
    }

    #[test]
    fn rows_do_not_run_around_the_edge() {
        // The last two cells of one row of the board and the first of the next.
        let game = after(5, 3, 3, &[(3, 0), (0, 2), (4, 0), (1, 2), (0, 1)]);
        assert_eq!(game.winner(), None);
        assert_eq!((game.distance(Action(0), Action(14)), game.max_distance()), (Some(4), 4));
    }

    #[test]
    fn sizes_and_rows_have_ends() {
        for (width, height, row) in [(2, 3, 3), (20, 19, 5), (3, 3, 4), (9, 9, 2), (0, 0, 0)] {
            assert!(Gomoku::new(width, height, row).is_none(), "{width} {height} {row}");
        }
        assert_eq!(Gomoku::new(19, 19, 5).unwrap().n_actions(), 361);
    }

    #[test]
    fn keys_are_those_of_positions() {
        let cells = [(0, 0), (1, 1), (2, 2), (0, 1)];
        let turned = [cells[2], cells[3], cells[0], cells[1]];
        let exchanged = [cells[1], cells[0], cells[2], cells[3]];
        let key = |cells| after(5, 5, 5, cells).key();
        assert_eq!(key(&cells), key(&turned));
        assert_ne!(key(&cells), key(&exchanged));
    }

    #[test]
    fn three_in_a_row_on_three_by_three_are_a_draw_that_a_search_finds() {
        let recipe = Recipe::parse(&ROOT, &Shelf::default(), "select=uct select.c=1").unwrap();
        let game = Gomoku::new(3, 3, 3).unwrap();
        let mut search = Search::new(&recipe, game, &Settings::default()).unwrap();
        while let Some(action) = {
            let report = search.run(&Limits::simulations(3000));
            search.pick(&report)
        } {
            search.advance(action);
        }
        let mut outcome = Outcome::default();
        assert!(search.position().ended(&mut outcome) && outcome.win == 0.5, "{:?}", search.position());
    }
}
