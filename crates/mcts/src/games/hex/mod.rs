//! Hex as a game to search: a rhombus of 2 to 19 cells a side, a winner known after every move, and the swap rule.
//!
//! The first player is Black (Red in some books) and connects the top row with the bottom row; the second is White (Blue)
//! and connects the left column with the right one. A cell is row · side + column, both from 0 at the top left, where `a1`
//! is. The six neighbours of a cell are those in its row and in its column, and the two on the other diagonal: above to the
//! right, below to the left. There are no draws.
//!
//! Under the swap rule the second player's first move may be [`HexGame::swap`] ("swap-pieces"): Black's stone is taken off
//! and a white one stands on its mirror image, row and column exchanged; then it is Black's turn. The action has the index
//! after the last cell, and a game without the rule does not have it.
//!
//! In reading order: this file, the game · `chains` which stones are connected · `flood` who has won a full board ·
//! `rollout` its playouts.

mod chains;
mod flood;
mod rollout;

use super::board_form::{self, PointView};
use crate::cx::PathStep;
use crate::evaluate::{Kit, Rollout};
use crate::game::{Action, Game, Outcome, Reward, Side};
use chains::Chains;
use goban::{Rng, Symmetry};
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};
use recipe::{Choice, Error};
use rollout::HexRollout;

/// The longest side.
pub const MAX_SIDE: usize = 19;

/// One player's cells by row. There is an empty row above and below, and bit 0 is left of the first column, so that
/// neighbours need no check.
type HexRows = [u32; MAX_SIDE + 2];

/// Row and column of a cell, from 0 at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The row, from the top.
    pub row: u8,
    /// The column, from the left.
    pub col: u8,
}

impl Cell {
    /// Row and column exchanged: Black's way across the board becomes White's.
    pub const fn mirror(self) -> Cell {
        Cell { row: self.col, col: self.row }
    }
}

/// A position of Hex.
#[derive(Debug, Clone, Copy)]
pub struct HexGame {
    side: u8,
    has_swap: bool,
    to_play: Side,
    n_moves: u16,
    winner: Option<Side>,
    key: u64,
    rows: [HexRows; 2],
    chains: Chains,
}

impl HexGame {
    /// An empty board, with the swap rule or without; `None` for a side that is not 2 to 19.
    pub fn new(side: usize, has_swap: bool) -> Option<HexGame> {
        (2..=MAX_SIDE).contains(&side).then(|| HexGame {
            side: side as u8,
            has_swap,
            to_play: Side::First,
            n_moves: 0,
            winner: None,
            key: 0,
            rows: [[0; MAX_SIDE + 2]; 2],
            chains: Chains::new(),
        })
    }

    /// Cells a side.
    pub fn side(&self) -> usize {
        usize::from(self.side)
    }

    /// Whether the game is played with the swap rule.
    pub fn has_swap(&self) -> bool {
        self.has_swap
    }

    /// The action of a cell of this board.
    #[inline]
    pub fn action(&self, cell: Cell) -> Action {
        Action(u16::from(cell.row) * u16::from(self.side) + u16::from(cell.col))
    }

    /// The cell of an action; `None` for the swap.
    #[inline]
    pub fn cell(&self, action: Action) -> Option<Cell> {
        let side = u16::from(self.side);
        (action.0 < side * side).then(|| Cell { row: (action.0 / side) as u8, col: (action.0 % side) as u8 })
    }

    /// The action that exchanges the first stone, if the game has it.
    pub fn swap(&self) -> Option<Action> {
        self.has_swap.then_some(Action(u16::from(self.side) * u16::from(self.side)))
    }

    /// Whether the mover may swap now.
    pub fn can_swap(&self) -> bool {
        self.has_swap && self.n_moves == 1
    }

    /// Who has a stone on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        let has = |side: Side| self.rows[side.idx()][usize::from(cell.row) + 1] & bit(cell) != 0;
        [Side::First, Side::Second].into_iter().find(|&side| has(side))
    }

    /// Who has connected his two edges.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Moves played so far; the swap is one.
    pub fn n_moves(&self) -> usize {
        usize::from(self.n_moves)
    }

    /// Whether an action is legal now.
    pub fn is_legal(&self, action: Action) -> bool {
        match self.cell(action) {
            _ if self.winner.is_some() => false,
            Some(cell) => self.stone(cell).is_none(),
            None => self.can_swap() && Some(action) == self.swap(),
        }
    }

    /// A cell as networks see it, and the cell that they see there: the board is reflected where the second player moves, so that who
    /// is to move always connects the top with the bottom.
    fn seen(&self, cell: Cell) -> Cell {
        match self.to_play {
            Side::First => cell,
            Side::Second => cell.mirror(),
        }
    }

    /// A point of the board that networks see, in rows from the top, as the mover sees it.
    fn view(&self, point: usize) -> PointView {
        let cell = Cell { row: (point / self.side()) as u8, col: (point % self.side()) as u8 };
        match self.stone(self.seen(cell)) {
            Some(side) if side == self.to_play => PointView::Own,
            Some(_) => PointView::Other,
            None if self.winner.is_none() => PointView::Open,
            None => PointView::Closed,
        }
    }

    /// The empty cells of one row, as bits from column 0 on.
    fn empty(&self, row: usize) -> u32 {
        let taken = self.rows[0][row + 1] | self.rows[1][row + 1];
        !(taken >> 1) & ((1 << self.side) - 1)
    }

    /// Puts a stone on an empty cell and looks whether it connects the edges.
    fn place(&mut self, side: Side, cell: Cell) {
        let own = &mut self.rows[side.idx()];
        own[usize::from(cell.row) + 1] |= bit(cell);
        if self.chains.place(own, side, cell, self.side) {
            self.winner = Some(side);
        }
        self.key ^= stone_key(side, self.action(cell));
    }

    /// Exchanges the first stone for a white one on its mirror image.
    fn exchange(&mut self) {
        let row = (0..self.side).find(|&row| self.rows[0][usize::from(row) + 1] != 0);
        let Some(row) = row else { return };
        let col = self.rows[0][usize::from(row) + 1].trailing_zeros() as u8 - 1;
        if let Some(empty) = HexGame::new(self.side(), self.has_swap) {
            *self = HexGame { n_moves: self.n_moves, to_play: self.to_play, ..empty };
            self.place(Side::Second, Cell { row, col }.mirror());
        }
    }
}

/// The place of a cell in its row.
#[inline]
const fn bit(cell: Cell) -> u32 {
    2 << cell.col
}

/// A stone's part of the position's key.
fn stone_key(side: Side, action: Action) -> u64 {
    Rng::new(2 * u64::from(action.0) + side.idx() as u64).next_u64()
}

impl Game for HexGame {
    fn n_actions(&self) -> usize {
        self.side() * self.side() + usize::from(self.has_swap)
    }

    fn mover(&self) -> Side {
        self.to_play
    }

    /// The empty cells by row and column, then the swap.
    fn actions(&self, out: &mut Vec<Action>) {
        if self.winner.is_some() {
            return;
        }
        for row in 0..self.side() {
            let mut empty = self.empty(row);
            while empty != 0 {
                out.push(Action((row * self.side()) as u16 + empty.trailing_zeros() as u16));
                empty &= empty - 1;
            }
        }
        out.extend(self.swap().filter(|_| self.can_swap()));
    }

    /// Steps from cell to cell.
    fn distance(&self, a: Action, b: Action) -> Option<u32> {
        let (a, b) = (self.cell(a)?, self.cell(b)?);
        let (rows, cols) = (a.row.abs_diff(b.row), a.col.abs_diff(b.col));
        // One step goes a row down and a column back, but none a row down and a column on.
        let is_along = (a.row < b.row) != (a.col < b.col);
        Some(u32::from(if is_along { rows.max(cols) } else { rows + cols }))
    }

    fn max_distance(&self) -> u32 {
        2 * (u32::from(self.side) - 1)
    }

    fn play(&mut self, action: Action) {
        debug_assert!(self.is_legal(action), "{action:?}");
        let mover = self.to_play;
        match self.cell(action) {
            Some(cell) => self.place(mover, cell),
            None => self.exchange(),
        }
        self.to_play = !mover;
        self.n_moves += 1;
    }

    fn has_owners(&self) -> bool {
        true
    }

    fn ended(&self, out: &mut Outcome) -> bool {
        let Some(winner) = self.winner else { return false };
        decide(winner, out);
        out.length = 0;
        true
    }

    /// Stones and mover as one number (Zobrist): equal for equal positions of games of one size.
    fn key(&self) -> u64 {
        match self.to_play {
            Side::First => self.key,
            Side::Second => !self.key,
        }
    }
}

impl Kit for HexGame {
    const NAME: &'static str = "hex";

    fn rollout(&self, policy: &Choice, _reward: Reward) -> Result<Box<dyn Rollout<Self>>, Error> {
        match policy.name() {
            "uniform" => Ok(Box::new(HexRollout::default())),
            other => Err(Error::unsuitable(other, "hex knows only the policy `uniform`")),
        }
    }

    fn knows_form(&self, _form: InputForm) -> bool {
        true
    }

    fn encode(&self, form: InputForm, _: &Self, _: &[PathStep], out: &mut EncodedPosition) -> u64 {
        match form {
            InputForm::Board => {
                board_form::encode([self.side(); 2], |point| self.view(point), self.can_swap(), out);
            }
            InputForm::Planes => *out = EncodedPosition::default(),
        }
        self.key()
    }

    /// On a board the place of a cell is where the mover sees it; that of the swap is behind all cells, as it is among the actions.
    fn policy_idx(&self, form: InputForm, action: Action) -> usize {
        match (form, self.cell(action)) {
            (InputForm::Board, Some(cell)) => self.action(self.seen(cell)).idx(),
            _ => action.idx(),
        }
    }

    /// The board may be turned by half a circle; reflected it is the other player's.
    fn turnings(&self, form: InputForm) -> Vec<Turning> {
        board_form::turnings(form, [self.side(); 2], &[Symmetry::IDENTITY, Symmetry::HALF_TURN])
    }
}

/// Writes who has won; the margin is one point.
fn decide(winner: Side, out: &mut Outcome) {
    (out.win, out.score) = match winner {
        Side::First => (1.0, 1.0),
        Side::Second => (0.0, -1.0),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut HexGame, cells: &[(u8, u8)]) {
        for &(row, col) in cells {
            game.play(game.action(Cell { row, col }));
        }
    }

    #[test]
    fn distances_are_steps_between_cells() {
        let game = HexGame::new(5, true).unwrap();
        let distance = |a: (u8, u8), b: (u8, u8)| {
            let [a, b] = [a, b].map(|(row, col)| game.action(Cell { row, col }));
            game.distance(a, b).unwrap()
        };
        for neighbour in [(2, 1), (2, 3), (1, 2), (3, 2), (1, 3), (3, 1)] {
            assert_eq!((distance((2, 2), neighbour), distance(neighbour, (2, 2))), (1, 1), "{neighbour:?}");
        }
        // Diagonally away from each other two steps; across the board eight one way, four the other.
        assert_eq!((distance((2, 2), (1, 1)), distance((2, 2), (3, 3))), (2, 2));
        assert_eq!((distance((0, 0), (4, 4)), distance((0, 4), (4, 0))), (8, 4));
        assert_eq!((distance((1, 1), (1, 1)), game.max_distance()), (0, 8));
        assert_eq!(game.distance(game.swap().unwrap(), Action(0)), None);
    }

    #[test]
    fn a_swap_mirrors_the_first_stone() {
        let mut game = HexGame::new(4, true).unwrap();
        let swap = game.swap().unwrap();
        assert!(!game.is_legal(swap));
        play(&mut game, &[(0, 2)]);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        assert_eq!((actions.len(), actions.last(), game.is_legal(swap)), (16, Some(&swap), true));
        let mut other = game;
        game.play(swap);
        assert_eq!((game.stone(Cell { row: 0, col: 2 }), game.mover()), (None, Side::First));
        assert_eq!(game.stone(Cell { row: 2, col: 0 }), Some(Side::Second));
        assert!(!game.is_legal(swap) && game.is_legal(Action(2)) && game.n_moves() == 2);
        // White goes on from his new stone in c, the third row: b3, c3 and d3 connect it to the right.
        play(&mut game, &[(0, 0), (2, 1), (0, 1), (2, 2), (0, 3)]);
        assert_eq!(game.winner(), None);
        play(&mut game, &[(2, 3)]);
        assert_eq!(game.winner(), Some(Side::Second));
        play(&mut other, &[(3, 3)]);
        assert!(!other.is_legal(swap));
        let without = HexGame::new(4, false).unwrap();
        assert_eq!((without.swap(), without.n_actions()), (None, 16));
    }

    #[test]
    fn sizes_have_ends() {
        for side in [0, 1, 20] {
            assert!(HexGame::new(side, true).is_none(), "{side}");
        }
        assert_eq!(HexGame::new(19, true).unwrap().n_actions(), 362);
    }

    #[test]
    fn keys_tell_positions_and_movers_apart() {
        let empty = HexGame::new(3, true).unwrap();
        let key = |cells: &[(u8, u8)]| {
            let mut game = empty;
            play(&mut game, cells);
            game.key()
        };
        assert_eq!(key(&[(0, 0), (1, 1), (2, 2)]), key(&[(2, 2), (1, 1), (0, 0)]));
        assert_ne!(key(&[(0, 0), (1, 1)]), key(&[(1, 1), (0, 0)]));
        assert_ne!(key(&[(0, 0)]), key(&[]));
        let mut passed = empty;
        passed.to_play = Side::Second;
        assert_ne!(passed.key(), empty.key());
        // A swapped stone stands as if White had been first.
        let mut swapped = empty;
        play(&mut swapped, &[(0, 1)]);
        swapped.play(swapped.swap().unwrap());
        assert_eq!(swapped.key(), stone_key(Side::Second, Action(3)));
    }

    #[test]
    fn other_policies_are_refused_by_name() {
        let recipe =
            recipe::Recipe::parse(&crate::ROOT, &recipe::Shelf::default(), "leaf.policy=mogo").unwrap();
        let error = crate::Search::new(&recipe, HexGame::new(5, false).unwrap(), &crate::Settings::default());
        let error = error.err().unwrap().to_string();
        assert_eq!(error, "`mogo` cannot be used here: hex knows only the policy `uniform`");
    }
}
