//! The input of KataGo's networks, their version 7: 22 planes and 19 numbers that tell a position from the side of the
//! player to move. Networks of file version 8 and later read it.
//!
//! [`NetPosition`] borrows what there is to tell and knows no search; [`fill`] writes it down. [`GameInput`] makes one of
//! a [`goban::Position`]. Nothing is allocated by [`fill`].
//!
//! In reading order: this file (names of planes and globals, the position, [`fill`]) · [`stones`] stones and liberties ·
//! [`ko`] points that may not be taken · [`history`] the last moves · [`ladder`] chains that a ladder takes · [`area`]
//! points that count for a player · [`globals`] komi and rules · [`game`] the position at the end of a game.

pub mod area;
pub mod game;
pub mod globals;
pub mod history;
pub mod ko;
pub mod ladder;
pub mod stones;
#[cfg(test)]
mod tests;

use std::any::Any;

use goban::{Board, Color, Full, Move, Point, PointSet, Rules, SizeClass, Upto9, Upto13, Upto19, Upto25};

pub use game::{GameInput, encode};
use stones::Survey;

/// Number of planes.
pub const N_PLANES: usize = 22;
/// Number of numbers about the position as a whole.
pub const N_GLOBALS: usize = 19;

/// Names of the planes, by index. *Own* is the player to move, *other* his opponent.
pub mod plane {
    /// All points of the board.
    pub const ON_BOARD: usize = 0;
    /// Own stones.
    pub const OWN: usize = 1;
    /// Stones of the other.
    pub const OTHER: usize = 2;
    /// Stones of chains with one liberty; two and three liberties have the next two planes.
    pub const LIBERTIES: usize = 3;
    /// Empty points that ko or superko forbids to the player to move.
    pub const KO: usize = 6;
    /// Kos that may not be retaken while dead stones are settled on the board; never set here.
    pub const ENCORE_KO: usize = 7;
    /// Never set by anybody.
    pub const UNUSED: usize = 8;
    /// The last move; the four before it have the next four planes.
    pub const MOVES: usize = 9;
    /// Stones of both players that a ladder takes.
    pub const CAUGHT: usize = 14;
    /// The same on the board before the last move.
    pub const CAUGHT_BEFORE: usize = 15;
    /// The same on the board before the last two moves.
    pub const CAUGHT_EARLIER: usize = 16;
    /// Moves that begin a ladder which takes a chain of the other with two liberties.
    pub const LADDER_MOVES: usize = 17;
    /// Points that count for the player to move as the board stands.
    pub const OWN_AREA: usize = 18;
    /// Points that count for the other.
    pub const OTHER_AREA: usize = 19;
    /// Own stones when the settling of dead stones began; never set here.
    pub const OWN_ENCORE: usize = 20;
    /// Stones of the other at that time; never set here.
    pub const OTHER_ENCORE: usize = 21;
}

/// Names of the globals, by index.
pub mod global {
    /// 1 if the last move was a pass; the four before it have the next four.
    pub const PASSES: usize = 0;
    /// Points that the player to move is given before the board is counted, divided by 20.
    pub const KOMI: usize = 5;
    /// 1 under superko.
    pub const SUPERKO: usize = 6;
    /// Which superko: 0.5 positional, -0.5 situational.
    pub const KO_KIND: usize = 7;
    /// 1 if suicide of several stones is legal.
    pub const SUICIDE: usize = 8;
    /// 1 under territory scoring.
    pub const TERRITORY: usize = 9;
    /// 1 if points in seki do not count.
    pub const SEKI_TAX: usize = 10;
    /// 1 if each group also pays for two eyes.
    pub const GROUP_TAX: usize = 11;
    /// 1 while dead stones are settled on the board; never set here.
    pub const ENCORE: usize = 12;
    /// 1 in the second part of it; never set here.
    pub const SECOND_ENCORE: usize = 13;
    /// 1 if a pass now ends the game.
    pub const PASS_ENDS: usize = 14;
    /// 1 if the players search unequally much; never set here.
    pub const HANDICAPPED: usize = 15;
    /// By how much; never set here.
    pub const HANDICAP: usize = 16;
    /// 1 while nobody has taken the button.
    pub const BUTTON: usize = 17;
    /// How close komi is to one that allows a draw, -0.5..=0.5; see [`komi_wave`](super::globals::komi_wave).
    pub const KOMI_WAVE: usize = 18;
}

/// An earlier board, as far as the planes need it.
#[derive(Debug, Clone, Copy)]
pub enum Past<'a, C: SizeClass> {
    /// Nobody knows it: the board after it stands in.
    Unknown,
    /// The board itself; its ladders are read.
    Board(&'a Board<C, Full>),
    /// The stones that ladders take on it, as [`fill`] returned them when it was asked about that board.
    Caught(C::Set),
}

/// A position as a network of KataGo's reads it.
#[derive(Debug, Clone, Copy)]
pub struct NetPosition<'a, C: SizeClass> {
    /// The stones, with the ko.
    pub board: &'a Board<C, Full>,
    /// The boards before the last move and before the last two.
    pub before: [Past<'a, C>; 2],
    /// The last moves, the latest first, as far as the colours alternate back from the opponent of `to_play`. Moves
    /// behind a `None` are not looked at.
    pub recent: [Option<Move>; 5],
    /// Who is to move.
    pub to_play: Color,
    /// Points that White is given before the board is counted: komi, compensation for handicap, the button. The stones
    /// that territory scoring charges each player for are counted on the board and not part of it.
    pub komi: f32,
    /// The rules of the game.
    pub rules: Rules,
    /// Points that superko forbids to `to_play`. The ko of the board need not be among them.
    pub banned: C::Set,
    /// True if a pass now ends the game.
    pub pass_ends: bool,
    /// True if the network is not to be told when a pass would end the game as a draw or a loss: the last moves are
    /// hidden from it as well then.
    pub hides_lost_pass: bool,
    /// True while the rules have a button that nobody has taken.
    pub has_button: bool,
}

/// Writes the planes and globals of a position: `planes[point * 22 + plane]`, the points row by row from the top left.
/// Returns the stones that ladders take on the board, for [`Past::Caught`] of a later position.
///
/// # Panics
/// If `planes` does not hold 22 numbers for each point.
pub fn fill<C: SizeClass>(
    position: &NetPosition<'_, C>,
    planes: &mut [f32],
    globals: &mut [f32; N_GLOBALS],
) -> C::Set {
    filler::<C>()(position, planes, globals)
}

/// [`fill`] on one size class.
pub type Filler<C> =
    for<'a> fn(&NetPosition<'a, C>, &mut [f32], &mut [f32; N_GLOBALS]) -> <C as SizeClass>::Set;

/// The function behind [`fill`], for a caller who asks often.
///
/// # Panics
/// When the size class is none of goban's four.
pub fn filler<C: SizeClass>() -> Filler<C> {
    let compiled = COMPILED.iter().find_map(|compiled| compiled().downcast_ref::<Filler<C>>().copied());
    compiled.expect("a size class of goban's")
}

/// [`fill_on`] for each size class. A generic function is compiled again by every crate that calls it; this table has it
/// compiled here, once.
static COMPILED: [fn() -> &'static dyn Any; 4] =
    [compiled::<Upto9>, compiled::<Upto13>, compiled::<Upto19>, compiled::<Upto25>];

fn compiled<C: SizeClass>() -> &'static dyn Any {
    const { &(fill_on::<C> as Filler<C>) }
}

fn fill_on<C: SizeClass>(
    position: &NetPosition<'_, C>,
    planes: &mut [f32],
    globals: &mut [f32; N_GLOBALS],
) -> C::Set {
    let size = position.board.size();
    assert_eq!(planes.len(), size.area() * N_PLANES, "the planes of a {size} board");
    planes.fill(0.0);
    globals.fill(0.0);
    let mut planes = PlaneWriter { values: planes, width: size.width() };
    let survey = Survey::new(position.board);
    stones::fill(position, &survey, &mut planes);
    ko::fill(position, &mut planes);
    let area = area::fill(position, &survey, &mut planes);
    let n_shown = history::fill(position, area, &mut planes, globals);
    let caught = ladder::fill(position, &survey, n_shown, &mut planes);
    globals::fill(position, globals);
    caught
}

/// The planes while they are written.
struct PlaneWriter<'a> {
    values: &'a mut [f32],
    width: usize,
}

impl PlaneWriter<'_> {
    /// Sets one point of a plane.
    #[inline(always)]
    fn set<C: SizeClass>(&mut self, plane: usize, point: Point) {
        let vertex = C::vertex(point);
        self.values[(vertex.row() * self.width + vertex.col()) * N_PLANES + plane] = 1.0;
    }

    /// Sets the points of a set, all of them on the board.
    fn set_all<C: SizeClass>(&mut self, plane: usize, points: &C::Set) {
        points.iter().for_each(|point| self.set::<C>(plane, point));
    }
}
