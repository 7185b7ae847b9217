//! What a game must tell the search: whose turn it is, what may be played, how it ended. Actions are dense indices, so
//! that maps over all actions are arrays.

use crate::leaf::Rollout;
use goban::Circle;
use recipe::{Choice, Error};
use std::ops::Not;

/// One of the two players. In Go the first is Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// The player who moves first in a new game.
    First = 0,
    /// The other one.
    Second = 1,
}

impl Side {
    /// 0 or 1.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// An action as a dense index below [`Game::n_actions`]. A pass is an action like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(pub u16);

impl Action {
    /// The index.
    #[inline]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// What a game knows of an action without searching: reasons for and against it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remark {
    /// The action leaves everything as it is.
    pub is_pass: bool,
    /// Enemy stones that it takes.
    pub n_captured: u16,
    /// Own stones, in the largest such chain, that it saves from capture.
    pub n_saved: u16,
    /// Enemy stones, in the largest such chain, that it begins to hunt with success.
    pub n_hunted: u16,
    /// It runs with own stones that are lost all the same.
    pub is_caught: bool,
    /// It loses its own stones for nothing.
    pub is_self_atari: bool,
    /// It makes a good shape with its neighbours.
    pub is_pattern: bool,
    /// The fight around the last move asks for it.
    pub is_fight: bool,
    /// It takes a liberty that the other chain of a race has to itself.
    pub is_race: bool,
    /// Steps to the last move and to the one before it, chains being one place; 0 if far.
    pub fate: [u8; 2],
    /// No stone is near.
    pub is_lonely: bool,
    /// Enemy stones, in the largest such chain, that it leaves with one liberty.
    pub n_attacked: u16,
    /// What stands around it as the mover sees it: the same number for the same surroundings.
    pub shape: u16,
    /// The lines of its two coordinates, from 1 at the edge, the lower first.
    pub lines: [u8; 2],
    /// How far it is from the last move and from the one before it; 0 if there is no such move.
    pub away: [u8; 2],
}

/// Which remarks are wanted, where they cost time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wants {
    /// Ladders are read.
    pub ladder: bool,
    /// Races are looked for everywhere.
    pub race: bool,
    /// Steps to so many of the last moves, at most two; the others are said to be far.
    pub n_fates: usize,
}

/// How far a game is, for what depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stage {
    /// Moves played so far, passes included.
    pub n_moves: u32,
    /// Stones that the first player was given before.
    pub handicap: u32,
}

/// A two-player game without hidden information or chance: the position and its rules in one.
pub trait Game: Clone + Send + Sync + 'static {
    /// The number of action indices, the same for all positions of one game.
    fn n_actions(&self) -> usize;

    /// Who is to move.
    fn mover(&self) -> Side;

    /// Appends all actions worth searching, in a fixed order; at least one unless the game has ended.
    fn actions(&self, out: &mut Vec<Action>);

    /// The action that leaves everything as it is, if the game has one; what is learned from all moves ignores it.
    fn pass(&self) -> Option<Action> {
        None
    }

    /// The most arms a position of this game can have.
    fn max_arms(&self) -> usize {
        self.n_actions()
    }

    /// How far apart two actions are on the board, in steps along its lines; `None` if one of them has no place.
    fn distance(&self, a: Action, b: Action) -> Option<u32> {
        let _ = (a, b);
        None
    }

    /// The largest distance between two actions; 0 if they have no places.
    fn max_distance(&self) -> u32 {
        0
    }

    /// The line an action stands on, the board's edge being the first; `None` if it has no place.
    fn line(&self, action: Action) -> Option<u32> {
        let _ = action;
        None
    }

    /// The action played `back` moves ago, the last one being 0, if it is remembered.
    fn recent(&self, back: usize) -> Option<Action> {
        let _ = back;
        None
    }

    /// Calls `each` with the number of every action and what is known of it, in their order; false if the game knows
    /// nothing and `each` was not called.
    fn remark(&self, wants: Wants, actions: &[Action], each: &mut dyn FnMut(usize, &Remark)) -> bool {
        let _ = (wants, actions, each);
        false
    }

    /// Calls `known` with the number of an action and what stands around it, in growing circles as long as it knows them;
    /// a game without places has none.
    fn circles(&self, actions: &[Action], known: impl FnMut(usize, Circle) -> bool) {
        let _ = (actions, known);
    }

    /// How far the game is; `None` for a game that is not decided by points.
    fn stage(&self) -> Option<Stage> {
        None
    }

    /// Plays an action that [`Game::actions`] gave.
    fn play(&mut self, action: Action);

    /// If the game has ended, writes how and returns true.
    fn ended(&self, out: &mut Outcome) -> bool;

    /// The rollout that plays `policy` from positions of this game.
    ///
    /// # Errors
    /// When the policy is of no use for this game.
    fn rollout(&self, policy: &Choice) -> Result<Box<dyn Rollout<Self>>, Error> {
        crate::leaf::random::build(policy)
    }
}

recipe::words! {
    /// What a simulation is worth to the search.
    pub enum Reward {
        /// The game: 1 for a win, ½ for a draw, 0 for a loss.
        Win = "win",
        /// The margin in points, komi included.
        Score = "score",
    }
}

impl Reward {
    /// What `side` gets for an outcome: 0..=1, or points.
    #[inline]
    pub fn of(self, outcome: &Outcome, side: Side) -> f32 {
        match self {
            Reward::Win => outcome.win_for(side),
            Reward::Score => outcome.score_for(side),
        }
    }

    /// What an arm is worth of which nothing is known: as much to one side as to the other.
    #[inline]
    pub const fn neutral(self) -> f32 {
        match self {
            Reward::Win => 0.5,
            Reward::Score => 0.0,
        }
    }

    /// How far a sure win lies above the neutral value; where points count it is said how many.
    #[inline]
    pub const fn of_verdict(self, points: f32) -> f32 {
        match self {
            Reward::Win => 0.5,
            Reward::Score => points,
        }
    }

    /// The same value as the other side sees it.
    #[inline]
    pub fn flip(self, value: f32) -> f32 {
        2.0 * self.neutral() - value
    }
}

/// How a simulation ended, or what was thought of its last position. Everything is seen by [`Side::First`]; other views
/// go through [`Outcome::win_for`] and [`Outcome::score_for`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// 1 if the first player won, 0 if he lost, ½ for a draw; an evaluation may lie between.
    pub win: f32,
    /// The first player's margin in points, komi included.
    pub score: f32,
    /// Number of moves from the evaluated position to the end.
    pub length: u32,
    /// Who owns each point at the end: +1 first player, −1 second, 0 neither; by action index. Empty when it was not
    /// asked for or the game has no points.
    pub ownership: Vec<i8>,
}

impl Outcome {
    /// The win, 0..=1, as `side` sees it.
    #[inline]
    pub fn win_for(&self, side: Side) -> f32 {
        match side {
            Side::First => self.win,
            Side::Second => 1.0 - self.win,
        }
    }

    /// The margin in points as `side` sees it.
    #[inline]
    pub fn score_for(&self, side: Side) -> f32 {
        match side {
            Side::First => self.score,
            Side::Second => -self.score,
        }
    }

    /// Decides the game anew as if the second player got `extra` points more; the score stays what it is. What is no end
    /// of a game but an evaluation, a win between loss, draw and win, is left alone.
    pub fn recount(&mut self, extra: f32) {
        if [0.0, 0.5, 1.0].contains(&self.win) {
            self.win = win_by(self.score - extra);
        }
    }

    /// An outcome that says nothing: what stands in for an evaluation that is no number.
    pub fn make_neutral(&mut self) {
        self.win = 0.5;
        self.score = 0.0;
    }

    /// Whether a search may believe it: a win in 0..=1 and a finite score.
    pub fn is_sound(&self) -> bool {
        (0.0..=1.0).contains(&self.win) && self.score.is_finite()
    }
}

/// The first player's win, 0, ½ or 1, by his margin in points.
#[inline]
pub(crate) fn win_by(margin: f32) -> f32 {
    match margin.partial_cmp(&0.0) {
        Some(std::cmp::Ordering::Greater) => 1.0,
        Some(std::cmp::Ordering::Less) => 0.0,
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_counted_anew() {
        let recount = |win, score, extra| {
            let mut outcome = Outcome { win, score, ..Outcome::default() };
            outcome.recount(extra);
            (outcome.win, outcome.score)
        };
        // Black is 3½ points ahead: still with 3 more for White, not with 4; even with 3½.
        assert_eq!((recount(1.0, 3.5, 3.0), recount(1.0, 3.5, 4.0)), ((1.0, 3.5), (0.0, 3.5)));
        assert_eq!((recount(1.0, 3.5, 3.5), recount(0.0, -300.0, -1e6)), ((0.5, 3.5), (1.0, -300.0)));
        assert_eq!(recount(0.5, 0.0, 0.5), (0.0, 0.0));
        // An opinion is no end.
        assert_eq!(recount(0.7, 3.5, 10.0), (0.7, 3.5));
    }
}
