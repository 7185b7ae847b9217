//! The review of a game: what each move cost, with an interval around it, and which moves are mistakes beyond doubt. The
//! command, the page and the JSON output show the same review, so that the same game, budget and seed have the same
//! mistakes everywhere.
//!
//! A review goes through the game twice. First every position gets a *glance*: a short search, whose tree is carried on from
//! move to move, with the move that was played and the one that the search likes best brought to the same number of
//! visits. Then the moves that seem to cost something are *suspects*: the positions after both moves are searched again
//! with more, several times with other seeds. Such *duels* are independent of each other and of the choice of the move, so
//! their spread says how sure the difference is. A loss whose interval touches zero is never called a mistake.
//!
//! In reading order: [`thresholds`] (all numbers that decide), [`mod@line`] (the game), [`finding`] (what is found and kept),
//! [`plan`] (what is to be searched next), [`work`] (searching it, in slices), [`estimate`] (intervals), [`verdict`] (what a
//! move cost), [`course`] (how the game went), [`single`] (one move alone, as it is played), [`json`] (for programs).

pub mod course;
pub mod estimate;
pub mod finding;
pub mod json;
pub mod line;
pub mod plan;
pub mod single;
pub mod thresholds;
pub mod verdict;
pub mod work;

use goban::Color;

pub use estimate::Estimate;
pub use finding::{Duel, Finding, Glance, Variation};
pub use line::GameLine;
pub use plan::{Ledger, ReviewBudget, Task};
pub use single::SingleReview;
pub use verdict::{Grade, MoveReview};
pub use work::{ReviewMeans, ReviewWorker, Slice, SpeedTest};

/// A game whose positions are searched, and what came of it.
#[derive(Clone, Debug)]
pub struct Review {
    /// The moves, the first one first.
    pub moves: Vec<MoveReview>,
    /// Black's win rate before each move and at the end, 0..=1, smoothed.
    pub black: Vec<f32>,
    /// Black's expected margin in points likewise.
    pub score: Vec<f32>,
}

/// The costs of one player's moves, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// Moves.
    pub n_moves: usize,
    /// Moves that the search would have played, too.
    pub n_choices: usize,
    /// Mistakes, blunders among them.
    pub n_mistakes: usize,
    /// Blunders.
    pub n_blunders: usize,
    /// Moves that may be mistakes.
    pub n_unsure: usize,
}

impl Review {
    /// Judges a game from what was found in it. Positions that were not looked at yet are left out of the course, and their
    /// moves are not judged.
    pub fn new(line: &GameLine, ledger: &Ledger) -> Self {
        let moves = line.plays().iter().enumerate();
        let moves = moves.map(|(ply, &play)| MoveReview::new(ply, play, ledger)).collect();
        let (black, score) = course::course(line, ledger);
        Self { moves, black, score }
    }

    /// The mistakes, the most costly one first.
    pub fn mistakes(&self) -> Vec<&MoveReview> {
        let mut moves: Vec<&MoveReview> = self.moves.iter().filter(|one| one.grade.is_mistake()).collect();
        moves.sort_by(|a, b| b.loss.mean.total_cmp(&a.loss.mean));
        moves
    }

    /// The mistakes that decided most, at most `n`, in the order of the game.
    pub fn turning_points(&self, n: usize) -> Vec<&MoveReview> {
        let mut moves = self.mistakes();
        moves.truncate(n);
        moves.sort_by_key(|one| one.number);
        moves
    }

    /// The moves that may be mistakes: what they seem to cost would be one, but the interval touches zero.
    pub fn unsure(&self) -> impl Iterator<Item = &MoveReview> {
        self.moves.iter().filter(|one| one.grade == Grade::Unsure)
    }

    /// What the moves of a player cost.
    pub fn summary(&self, color: Color) -> PlayerSummary {
        let mut sum = PlayerSummary::default();
        for one in self.moves.iter().filter(|one| one.play.color == color) {
            sum.n_moves += 1;
            sum.n_choices += usize::from(one.grade == Grade::Choice);
            sum.n_mistakes += usize::from(one.grade.is_mistake());
            sum.n_blunders += usize::from(one.grade == Grade::Blunder);
            sum.n_unsure += usize::from(one.grade == Grade::Unsure);
        }
        sum
    }
}
