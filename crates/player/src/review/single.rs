//! The review of a single move while the game goes on, for a teacher who speaks up at once. It searches as a review of the
//! whole game does, and its verdict has the same meaning.

use goban::{PlayedMove, Position};

use super::line::GameLine;
use super::plan::{Ledger, ReviewBudget, Task};
use super::thresholds::SINGLE_ROUNDS;
use super::verdict::{self, MoveReview};
use super::work::{ReviewMeans, ReviewWorker, Slice};

/// The review of the last move of a game, in slices.
pub struct SingleReview {
    line: GameLine,
    /// Moves before it.
    ply: usize,
    play: PlayedMove,
    ledger: Ledger,
    worker: Option<ReviewWorker>,
}

impl SingleReview {
    /// Of the last move of the game that led to this position; none if there was no move. The budget says how many
    /// simulations a position is worth, as in a review; duels come on top of it.
    pub fn new(game: Position, budget: ReviewBudget) -> Option<Self> {
        let line = GameLine::new(game);
        let ply = line.plays().len().checked_sub(1)?;
        let play = *line.plays().last()?;
        let ledger = Ledger::new(budget, line.n_positions());
        Some(Self { line, ply, play, ledger, worker: None })
    }

    /// Works on until the slice is over; whether nothing is left to do.
    ///
    /// # Errors
    /// A recipe that does not fit the board or the network.
    pub fn step(&mut self, means: &ReviewMeans, slice: &Slice) -> Result<bool, recipe::Error> {
        loop {
            if self.worker.is_none() {
                let Some(task) = self.next_task() else { return Ok(true) };
                self.worker = Some(ReviewWorker::new(task));
            }
            let Some(worker) = &mut self.worker else { return Ok(true) };
            let Some(found) = worker.step(means, &self.line, self.ledger.budget(), slice)? else {
                return Ok(false);
            };
            self.worker = None;
            // A task that finds nothing would be set again and again.
            if found.is_empty() {
                return Ok(true);
            }
            for finding in found {
                self.ledger.add(finding);
            }
            if slice.is_over() {
                return Ok(false);
            }
        }
    }

    /// What is known of the move so far.
    pub fn verdict(&self) -> MoveReview {
        MoveReview::new(self.ply, self.play, &self.ledger)
    }

    fn next_task(&self) -> Option<Task> {
        let ply = self.ply;
        let Some(glance) = self.ledger.glance(ply) else {
            return Some(Task::Glances { first: ply, end: ply + 1 });
        };
        let best = glance.candidates.first()?.vertex()?;
        let round = self.ledger.duels(ply).count();
        let is_open = round < SINGLE_ROUNDS && verdict::suspicion(&self.ledger, ply, round).is_some();
        is_open.then_some(Task::Duel { ply, round, best })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use goban::{Rules, Size};
    use mcts::ROOT;
    use recipe::Recipe;

    use super::super::verdict::Grade;
    use super::*;
    use crate::recipes::SHELF;

    fn review(moves: &[&str], slice: Duration) -> MoveReview {
        let size = Size::square(7).unwrap();
        let mut game = Position::new(size, Rules::CHINESE);
        game.set_komi(8.5).unwrap();
        for text in moves {
            game.play(game.to_play(), size.parse_vertex(text).unwrap()).unwrap();
        }
        let recipe = Recipe::parse(&ROOT, &SHELF, "default").unwrap();
        let means = ReviewMeans { recipe, net: None, memory: 16 << 20, seed: 1 };
        let mut single = SingleReview::new(game, ReviewBudget { playouts: 600 }).unwrap();
        let stop = Arc::default();
        while !single
            .step(&means, &Slice { until: Some(Instant::now() + slice), stop: Arc::clone(&stop) })
            .unwrap()
        {}
        single.verdict()
    }

    /// Black has three stones in atari, and to save them or not is the game.
    const ATARI: [&str; 9] = ["D4", "D5", "C4", "C5", "E4", "E5", "D3", "B4", "F5"];

    #[test]
    fn a_blunder_is_told_with_what_was_better_and_how_it_is_answered() {
        // White's wall on the fifth line is about to be cut off; A1 leaves it to its fate.
        let one = review(&[&ATARI[..], &["A1"]].concat(), Duration::from_millis(20));
        assert!(one.grade.is_mistake() && one.loss.low > 0.0 && one.n_duels >= 2, "{one:?}");
        assert_eq!(one.number, ATARI.len() + 1);
        let better = one.better.as_ref().unwrap();
        assert!(better.line.len() > 1 && one.better_move() != Some(one.play.vertex), "{one:?}");
        assert!(!one.answer.is_empty(), "{one:?}");
        // How the work was sliced changes nothing.
        let at_once = review(&[&ATARI[..], &["A1"]].concat(), Duration::from_secs(600));
        assert_eq!((at_once.loss, at_once.answer), (one.loss, one.answer));
    }

    #[test]
    fn good_moves_are_let_pass() {
        for moves in [&["D4"][..], &ATARI[..1], &["D4", "D5"]] {
            let one = review(moves, Duration::from_millis(20));
            assert!(!one.grade.is_mistake() && one.grade != Grade::Unknown, "{moves:?}: {one:?}");
        }
    }

    #[test]
    fn a_game_without_moves_has_nothing_to_review() {
        let size = Size::square(7).unwrap();
        assert!(
            SingleReview::new(Position::new(size, Rules::CHINESE), ReviewBudget { playouts: 600 }).is_none()
        );
    }
}
