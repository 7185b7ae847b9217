//! Connect Four as a game to search: seven columns of six cells, the stones as bits, a draw when the board is full.
//!
//! An action is a column, 0 at the left. The board has seven bits for each column, the lowest cell first; the seventh stays
//! empty, so that no line runs from one column's top into the next one's bottom. [John Tromp's bitboard]
//!
//! In reading order: this file, the rules and playouts · `foresight` results that a look tells, for searches that prove them.

mod foresight;

use super::board_form::{self, PointView};
use crate::cx::PathStep;
use crate::evaluate::{Bounds, EvaluationSample, Kit, Rollout};
use crate::game::{Action, Game, Outcome, Reward, Side};
use crate::trace::Play;
use goban::{Rng, Symmetry};
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};
use recipe::{Choice, Error};

/// Columns.
pub const WIDTH: usize = 7;
/// Cells of a column.
pub const HEIGHT: usize = 6;

/// Bits of a column, the empty one on top included.
const STEP: usize = HEIGHT + 1;
/// All cells.
const FULL: u64 = {
    let mut cells = 0;
    let mut column = 0;
    while column < WIDTH {
        cells |= ((1 << HEIGHT) - 1) << (STEP * column);
        column += 1;
    }
    cells
};
/// The lowest cell of each column.
const BOTTOM: u64 = {
    let mut cells = 0;
    let mut column = 0;
    while column < WIDTH {
        cells |= 1 << (STEP * column);
        column += 1;
    }
    cells
};

/// A position of Connect Four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectFour {
    /// The cells of each player.
    stones: [u64; 2],
    to_play: Side,
    winner: Option<Side>,
}

impl Default for ConnectFour {
    fn default() -> ConnectFour {
        ConnectFour::new()
    }
}

impl ConnectFour {
    /// The empty board; the first player is to move.
    pub const fn new() -> ConnectFour {
        ConnectFour { stones: [0; 2], to_play: Side::First, winner: None }
    }

    /// Who has a stone in a cell, row 0 being the lowest.
    pub fn stone(&self, column: usize, row: usize) -> Option<Side> {
        let is_there = |side: Side| self.stones[side.idx()] >> (STEP * column + row) & 1 == 1;
        [Side::First, Side::Second].into_iter().find(|&side| is_there(side))
    }

    /// Who has four in a row.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Moves played so far.
    pub fn n_moves(&self) -> usize {
        self.taken().count_ones() as usize
    }

    /// Whether an action is legal now.
    pub fn is_legal(&self, action: Action) -> bool {
        action.idx() < WIDTH && self.winner.is_none() && self.free() & column(action) != 0
    }

    #[inline]
    fn taken(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The cells into which the next stone may fall, one in each column that is not full.
    #[inline]
    fn free(&self) -> u64 {
        (self.taken() + BOTTOM) & FULL
    }

    /// The cells among those free that a careful player chooses from: where he wins at once, else where the other would, else those
    /// above which nobody wins with the next stone, else those above which the other does not, else all.
    #[inline]
    fn careful(&self, free: u64) -> u64 {
        let own = fourths(self.stones[self.to_play.idx()]);
        let theirs = fourths(self.stones[(!self.to_play).idx()]);
        let safe = free & !(theirs >> 1);
        let choices = [free & own, free & theirs, safe & !(own >> 1), safe];
        choices.into_iter().find(|&cells| cells != 0).unwrap_or(free)
    }

    /// A point of the board, counted in rows from the top, as the mover sees it.
    fn view(&self, point: usize) -> PointView {
        let (column, row) = (point % WIDTH, HEIGHT - 1 - point / WIDTH);
        match self.stone(column, row) {
            Some(side) if side == self.to_play => PointView::Own,
            Some(_) => PointView::Other,
            None if self.free() >> (STEP * column + row) & 1 == 1 => PointView::Open,
            None => PointView::Closed,
        }
    }

    /// Puts a stone into a cell.
    #[inline]
    fn place(&mut self, cell: u64) {
        let own = &mut self.stones[self.to_play.idx()];
        *own |= cell;
        if has_four(*own) {
            self.winner = Some(self.to_play);
        }
        self.to_play = !self.to_play;
    }

    /// Whether nothing can be played any more.
    #[inline]
    fn is_over(&self) -> bool {
        self.winner.is_some() || self.taken() == FULL
    }

    fn decide(&self, out: &mut Outcome) {
        (out.win, out.score) = match self.winner {
            Some(Side::First) => (1.0, 1.0),
            Some(Side::Second) => (0.0, -1.0),
            None => (0.5, 0.0),
        };
    }
}

/// The cells of a column.
#[inline]
const fn column(action: Action) -> u64 {
    ((1 << HEIGHT) - 1) << (STEP * action.idx())
}

/// Whether four of these cells stand in a row: up, across or along a diagonal.
#[inline]
fn has_four(cells: u64) -> bool {
    [1, STEP, STEP - 1, STEP + 1].into_iter().any(|step| {
        let pairs = cells & cells >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The cells of the board that make four in a row with three of these, which stand in a position: a column has no gap. A diagonal
/// that leaves the board ends in the empty bit on top of a column, which is no cell.
#[inline]
fn fourths(cells: u64) -> u64 {
    let up = cells << 1 & cells << 2 & cells << 3;
    let found = [STEP, STEP - 1, STEP + 1].into_iter().fold(up, |found, step| {
        let (right, left) = (cells << step, cells >> step);
        let (two_right, two_left) = (right & cells << (2 * step), left & cells >> (2 * step));
        let ends = two_right & (cells << (3 * step) | left) | two_left & (cells >> (3 * step) | right);
        found | ends
    });
    found & FULL
}

impl Game for ConnectFour {
    fn n_actions(&self) -> usize {
        WIDTH
    }

    fn mover(&self) -> Side {
        self.to_play
    }

    /// The columns that are not full, from the left.
    fn actions(&self, out: &mut Vec<Action>) {
        out.extend((0..WIDTH as u16).map(Action).filter(|&action| self.is_legal(action)));
    }

    /// Columns between two of them.
    fn distance(&self, a: Action, b: Action) -> Option<u32> {
        Some(u32::from(a.0.abs_diff(b.0)))
    }

    fn max_distance(&self) -> u32 {
        WIDTH as u32 - 1
    }

    fn play(&mut self, action: Action) {
        debug_assert!(self.is_legal(action), "{action:?}");
        self.place(self.free() & column(action));
    }

    fn ended(&self, out: &mut Outcome) -> bool {
        if !self.is_over() {
            return false;
        }
        self.decide(out);
        out.length = 0;
        true
    }

    /// Stones and mover as one number, equal for equal positions. Who moves follows from the number of stones; taken cells
    /// added to the mover's own name a position without ambiguity, and a hash spreads that number over 64 bits.
    fn key(&self) -> u64 {
        let taken = self.taken();
        Rng::new(taken + BOTTOM + self.stones[self.to_play.idx()]).next_u64()
    }
}

impl Kit for ConnectFour {
    const NAME: &'static str = "connect-four";

    fn rollout(&self, policy: &Choice, _reward: Reward) -> Result<Box<dyn Rollout<Self>>, Error> {
        match policy.name() {
            "uniform" => Ok(Box::new(ColumnRollout { is_careful: false })),
            "careful" => Ok(Box::new(ColumnRollout { is_careful: true })),
            other => Err(Error::unsuitable(other, "connect-four knows the policies `uniform` and `careful`")),
        }
    }

    fn bounds(&self) -> Bounds {
        self.foresee()
    }

    fn candidates(&self, out: &mut Vec<Action>) {
        self.order_moves(out);
    }

    fn knows_form(&self, _form: InputForm) -> bool {
        true
    }

    fn encode(&self, form: InputForm, _: &Self, _: &[PathStep], out: &mut EncodedPosition) -> u64 {
        match form {
            InputForm::Board => board_form::encode([WIDTH, HEIGHT], |point| self.view(point), false, out),
            InputForm::Planes => *out = EncodedPosition::default(),
        }
        self.key()
    }

    /// On a board the place of a column is the cell into which the stone would fall; that of a full one is behind all cells.
    fn policy_idx(&self, form: InputForm, action: Action) -> usize {
        let row = (self.taken() & column(action)).count_ones() as usize;
        match form {
            InputForm::Planes => action.idx(),
            InputForm::Board if row == HEIGHT => WIDTH * HEIGHT,
            InputForm::Board => (HEIGHT - 1 - row) * WIDTH + action.idx(),
        }
    }

    /// Left and right may be exchanged.
    fn turnings(&self, form: InputForm) -> Vec<Turning> {
        board_form::turnings(form, [WIDTH, HEIGHT], &[Symmetry::IDENTITY, Symmetry::FLIP])
    }
}

/// Playouts in which each column that is not full is as likely as the other.
#[derive(Debug)]
struct ColumnRollout {
    /// Whether a fourth in a row is played, and the other's prevented, before anything else.
    is_careful: bool,
}

impl Rollout<ConnectFour> for ColumnRollout {
    fn run(
        &mut self,
        position: &ConnectFour,
        rng: &mut Rng,
        _wants_ownership: bool,
        out: &mut EvaluationSample,
    ) {
        let mut game = *position;
        let mut length = 0;
        while !game.is_over() {
            let free = game.free();
            let mut cells = if self.is_careful { game.careful(free) } else { free };
            for _ in 0..rng.below(cells.count_ones()) {
                cells &= cells - 1;
            }
            let cell = cells & cells.wrapping_neg();
            let action = Action((cell.trailing_zeros() as usize / STEP) as u16);
            out.tail.push(Play::new(game.to_play, action));
            game.place(cell);
            length += 1;
        }
        game.decide(&mut out.outcome);
        out.outcome.length = length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn after(columns: &str) -> ConnectFour {
        let mut game = ConnectFour::new();
        for letter in columns.bytes() {
            game.play(Action(u16::from(letter - b'a')));
        }
        game
    }

    #[test]
    fn four_in_a_row_win() {
        for (columns, winner) in [
            ("abababa", Side::First),
            ("abababgb", Side::Second),
            ("aabbccd", Side::First),
            ("gabbccdcddgd", Side::Second),
            ("abbccdcddgd", Side::First),
            ("gffeededdad", Side::First),
        ] {
            let game = after(columns);
            assert_eq!(game.winner(), Some(winner), "{columns}");
            assert_eq!(after(&columns[..columns.len() - 1]).winner(), None, "{columns}");
            let mut outcome = Outcome::default();
            assert!(game.ended(&mut outcome) && outcome.win_for(winner) == 1.0, "{columns}");
        }
    }

    /// The columns that a careful player chooses from.
    fn careful(columns: &str) -> String {
        let game = after(columns);
        let cells = game.careful(game.free());
        (0..WIDTH as u16)
            .filter(|&idx| cells & column(Action(idx)) != 0)
            .map(|idx| (b'a' + idx as u8) as char)
            .collect()
    }

    #[test]
    fn a_careful_player_wins_prevents_and_opens_nothing() {
        for (columns, choices) in [
            ("", "abcdefg"),
            // Three in a row on the floor, and the other's three in the first column: to win comes first.
            ("bacada", "e"),
            // The other's three in the first column, nothing of one's own.
            ("abacad", "a"),
            // The other's three in a row on the floor, open at both ends.
            ("bbccd", "ae"),
            // The other's row b c d on the second line: he wins in a and e of that line, once the cells below are taken.
            ("bbdcfcfd", "bcdfg"),
        ] {
            assert_eq!(careful(columns), choices, "{columns}");
        }
    }

    #[test]
    fn fourth_cells_are_those_that_make_four() {
        // Every empty cell of positions from random games, against trying it; no stone floats, so no column has a gap.
        let mut rng = Rng::new(1);
        let mut n_found = 0;
        for _ in 0..200 {
            let mut game = ConnectFour::new();
            while !game.is_over() {
                let own = game.stones[game.to_play.idx()];
                let empty =
                    (0..STEP * WIDTH).map(|bit| 1 << bit).filter(|cell| FULL & !game.taken() & cell != 0);
                let made = empty.filter(|cell| has_four(own | cell)).fold(0, |all, cell: u64| all | cell);
                assert_eq!(fourths(own) & !game.taken(), made, "{game:?}");
                n_found += made.count_ones();
                let mut actions = Vec::new();
                game.actions(&mut actions);
                game.play(actions[rng.below(actions.len() as u32) as usize]);
            }
        }
        assert!(n_found > 1000, "{n_found}");
    }

    #[test]
    fn a_line_that_leaves_the_board_threatens_nothing_there() {
        let cell = |column: usize, row: usize| 1 << (STEP * column + row);
        // The upper three rows of a rising and of a falling diagonal: the cells beyond would lie above the board.
        assert_eq!(fourths(cell(2, 3) | cell(3, 4) | cell(4, 5)), cell(1, 2));
        assert_eq!(fourths(cell(2, 5) | cell(3, 4) | cell(4, 3)), cell(5, 2));
        // The lower three rows: the bit before the lowest cell of a column belongs to the column before.
        assert_eq!(fourths(cell(2, 2) | cell(3, 1) | cell(4, 0)), cell(1, 3));
        assert_eq!(fourths(cell(2, 0) | cell(3, 1) | cell(4, 2)), cell(5, 3));
    }

    #[test]
    fn no_line_runs_around_the_edge() {
        // Black's stones are the top two of one column and the lowest two of the next.
        let mut game = ConnectFour::new();
        game.stones[0] = 0b11 << 4 | 0b11 << STEP;
        assert!(!has_four(game.stones[0]));
        assert!(has_four(0b1111 << 2));
    }
}
