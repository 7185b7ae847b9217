//! The moves of a position as the numbers of their features.

use goban::{Position, SizeClass, Vertex, with_board};
use mcts::game::{Action, Game as _, Wants};
use mcts::go::GoGame;
use mcts::prior::tactics::is_after_pass;
use mcts::prior::tactics::known::Known;
use mcts::prior::tactics::table::{self, N_FEATURES};

/// All moves of one position, in lists without gaps that are used again.
#[derive(Debug, Clone, Default)]
pub struct Moves {
    actions: Vec<Action>,
    /// By move and place: below [`N_FEATURES`] as the table counts them, from there on slots of circles.
    features: Vec<u32>,
    /// Where the features of each move end.
    ends: Vec<u32>,
    /// Which of them was played.
    pub played: usize,
}

impl Moves {
    /// Takes all moves of a position; false if no search would consider the one that was played, such as one into an own
    /// eye.
    pub fn fill(&mut self, position: &Position, played: Vertex, known: &Known) -> bool {
        with_board!(position.board(), |board| self.fill_on(&game_of(board, position), played, known))
    }

    fn fill_on<C: SizeClass>(&mut self, game: &GoGame<C>, played: Vertex, known: &Known) -> bool {
        self.actions.clear();
        game.actions(&mut self.actions);
        let idx = self.actions.iter().position(|&action| GoGame::<C>::vertex(action) == played);
        let Some(idx) = idx else { return false };
        self.played = idx;
        // Circles come move by move, and so do remarks: the features of one move are joined from both.
        let mut circles: Vec<Vec<u32>> = vec![Vec::new(); self.actions.len()];
        game.circles(&self.actions, |arm_idx, circle| {
            let slot = known.slot(circle.key);
            circles[arm_idx].push(slot.map_or(table::unknown(circle.level), |slot| N_FEATURES + slot) as u32);
            slot.is_some()
        });
        self.features.clear();
        self.ends.clear();
        let is_again = is_after_pass(game);
        game.remark(Wants::default(), &self.actions, &mut |arm_idx, remark| {
            table::features(remark, is_again, |feature| self.features.push(table::class(feature) as u32));
            self.features.extend(&circles[arm_idx]);
            self.ends.push(self.features.len() as u32);
        });
        true
    }

    /// The features of each move.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.ends.iter().enumerate().map(|(idx, &end)| {
            let start = idx.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            &self.features[start..end as usize]
        })
    }
}

/// The game as a search sees it.
pub(super) fn game_of<C: SizeClass>(board: &goban::Board<C>, position: &Position) -> GoGame<C> {
    let mut recent =
        position.plays().iter().rev().map(|play| GoGame::<C>::action(board.to_move(play.vertex)));
    GoGame {
        board: *board,
        to_play: position.to_play(),
        recent: [recent.next(), recent.next()],
        ..GoGame::new(board.size(), 0.0)
    }
}
