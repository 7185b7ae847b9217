//! A game, and nothing but a game: whose turn it is, what may be played, how it ended. Actions are dense indices, so that
//! maps over all actions are arrays.

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

/// A two-player game without hidden information or chance: the position and its rules in one.
pub trait Game: Clone + Send + Sync + 'static {
    /// The number of action indices, the same for all positions of one game; at most [`MAX_ACTIONS`].
    fn n_actions(&self) -> usize;

    /// The player to move.
    fn mover(&self) -> Side;

    /// Appends all actions worth searching, in a fixed order; at least one unless the game has ended.
    fn actions(&self, out: &mut Vec<Action>);

    /// Plays an action that [`Game::actions`] gave.
    fn play(&mut self, action: Action);

    /// If the game has ended, writes its outcome and returns true.
    fn ended(&self, out: &mut Outcome) -> bool;

    /// A hash of the position and its mover: positions of equal keys are taken for the same.
    fn key(&self) -> u64;

    /// The action that leaves everything as it is, if the game has one; AMAF ignores it.
    fn pass(&self) -> Option<Action> {
        None
    }

    /// The most arms a position of this game can have.
    fn max_arms(&self) -> usize {
        self.n_actions()
    }

    /// Steps between two actions along the lines of the board; `None` if one of them has no place.
    fn distance(&self, a: Action, b: Action) -> Option<u32> {
        let _ = (a, b);
        None
    }

    /// The largest distance between two actions; 0 if they have no places.
    fn max_distance(&self) -> u32 {
        0
    }

    /// Whether the game is decided by points, so that a margin means something.
    fn is_scored(&self) -> bool {
        false
    }

    /// Whether an outcome can tell who owns each point at the end.
    fn has_owners(&self) -> bool {
        false
    }

    /// The number of input planes that a network is shown, each with a cell per action; 0 if there are none.
    fn n_planes(&self) -> usize {
        0
    }

    /// Writes the input planes, one after the other, as the mover sees them: `n_planes() * n_actions()` cells, which are
    /// 0 before.
    fn planes(&self, out: &mut [f32]) {
        let _ = out;
    }
}

/// The most actions a game may have; a 25×25 board has 651.
pub const MAX_ACTIONS: usize = 1 << 10;

/// Plain facts about a game, for the pieces of a search, which know no game.
#[derive(Clone, Copy)]
pub struct GameFacts<'a> {
    /// The number of action indices.
    pub n_actions: usize,
    /// The most arms a position can have.
    pub max_arms: usize,
    /// The pass, if there is one.
    pub pass: Option<Action>,
    /// Whether the game is decided by points.
    pub is_scored: bool,
    /// Whether points have owners at the end.
    pub has_owners: bool,
    /// The largest distance between two actions; 0 if they have no places.
    pub max_distance: u32,
    /// Steps between two actions; `None` if one of them has no place.
    pub distance: &'a dyn Fn(Action, Action) -> Option<u32>,
}

impl<'a> GameFacts<'a> {
    /// The facts about `game`, whose [`Game::distance`] is `distance`.
    pub fn of(game: &impl Game, distance: &'a dyn Fn(Action, Action) -> Option<u32>) -> GameFacts<'a> {
        GameFacts {
            n_actions: game.n_actions(),
            max_arms: game.max_arms(),
            pass: game.pass(),
            is_scored: game.is_scored(),
            has_owners: game.has_owners(),
            max_distance: game.max_distance(),
            distance,
        }
    }
}

/// The distances between all actions of a game, measured once.
#[derive(Debug, Clone)]
pub struct ActionDistances {
    n_actions: usize,
    /// The largest distance.
    pub max: u32,
    /// By pair of actions; [`ActionDistances::NONE`] where one has no place.
    cells: Box<[u16]>,
}

impl ActionDistances {
    const NONE: u16 = u16::MAX;

    /// Measures all distances.
    pub fn measure(facts: &GameFacts<'_>) -> ActionDistances {
        let n_actions = facts.n_actions;
        let cell = |idx: usize| {
            let pair = (Action((idx / n_actions) as u16), Action((idx % n_actions) as u16));
            (facts.distance)(pair.0, pair.1).and_then(|steps| u16::try_from(steps).ok()).unwrap_or(Self::NONE)
        };
        ActionDistances {
            n_actions,
            max: facts.max_distance,
            cells: (0..n_actions * n_actions).map(cell).collect(),
        }
    }

    /// Steps between two actions; `None` if one of them has no place.
    #[inline]
    pub fn get(&self, a: Action, b: Action) -> Option<u32> {
        let cell = self.cells[a.idx() * self.n_actions + b.idx()];
        (cell != Self::NONE).then_some(u32::from(cell))
    }
}

recipe::words! {
    /// The unit in which a search values a simulation.
    pub enum Reward {
        /// The game: 1 for a win, ½ for a draw, 0 for a loss.
        Win = "win",
        /// The margin in points, komi included.
        Score = "score",
    }
}

impl Reward {
    /// The reward of `side` for an outcome: 0..=1, or points.
    #[inline]
    pub fn of(self, outcome: &Outcome, side: Side) -> f32 {
        match self {
            Reward::Win => outcome.win_for(side),
            Reward::Score => outcome.score_for(side),
        }
    }

    /// The value of an arm of which nothing is known: as much to one side as to the other.
    #[inline]
    pub const fn neutral(self) -> f32 {
        match self {
            Reward::Win => 0.5,
            Reward::Score => 0.0,
        }
    }

    /// How far a sure win lies above the neutral value; `points` where points count.
    #[inline]
    pub const fn of_sure_win(self, points: f32) -> f32 {
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
    /// Who owns each point at the end: +1 first player, −1 second, 0 neither; an evaluation may lie between. By action index;
    /// empty when it was not asked for or the game has no points.
    pub ownership: Vec<f32>,
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
