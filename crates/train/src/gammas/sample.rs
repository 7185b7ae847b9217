//! Positions drawn from games, every move as the numbers of its features.

use goban::{AnyBoard, Position, Rng, Rules, SizeClass, with_board};
use lab::games::Game;
use mcts::game::{Action, Game as _, Wants};
use mcts::go::GoGame;
use mcts::prior::tactics::table;

/// What was played where, in long lists without gaps.
#[derive(Debug, Clone, Default)]
pub struct Positions {
    features: Vec<u32>,
    /// Where the features of each move end.
    move_ends: Vec<u32>,
    /// Where the moves of each position end.
    position_ends: Vec<u32>,
    /// Which of its moves was played.
    played: Vec<u32>,
    n_met: Vec<u64>,
}

impl Positions {
    /// Draws up to `per_game` positions from every game. Moves that no search would consider, such as one into an own
    /// eye, are passed over.
    pub fn draw(games: &[Game], per_game: usize, seed: u64) -> Positions {
        let mut positions = Positions { n_met: vec![0; table::N_FEATURES], ..Positions::default() };
        let mut rng = Rng::new(seed);
        for game in games {
            let n_moves = game.plays().count() as u32;
            if n_moves == 0 {
                continue;
            }
            let wanted: Vec<usize> = (0..per_game).map(|_| rng.below(n_moves) as usize).collect();
            let mut number = 0;
            // A game that cannot be followed to its end still has its beginning.
            let _ = game.replay(Rules::CHINESE, 0.0, |position, play| {
                if wanted.contains(&number) {
                    positions.add(position, play.vertex);
                }
                number += 1;
                Ok(true)
            });
        }
        positions
    }

    fn add(&mut self, position: &Position, played: goban::Vertex) {
        let board: &AnyBoard = position.board();
        with_board!(board, |board| self.add_on(board, position, played));
    }

    fn add_on<C: SizeClass>(&mut self, board: &goban::Board<C>, position: &Position, played: goban::Vertex) {
        let mut recent =
            position.plays().iter().rev().map(|play| GoGame::<C>::action(board.to_move(play.vertex)));
        let game = GoGame {
            board: *board,
            to_play: position.to_play(),
            recent: [recent.next(), recent.next()],
            ..GoGame::new(board.size(), 0.0)
        };
        let mut actions: Vec<Action> = Vec::new();
        game.actions(&mut actions);
        let Some(idx) = actions.iter().position(|&action| GoGame::<C>::vertex(action) == played) else {
            return;
        };
        let is_again = game.recent[0].is_some() && game.recent[0] == game.pass();
        game.remark(Wants::default(), &actions, &mut |_, remark| {
            table::features(remark, is_again, |feature| {
                let feature = table::class(feature);
                self.n_met[feature] += 1;
                self.features.push(feature as u32);
            });
            self.move_ends.push(self.features.len() as u32);
        });
        self.position_ends.push(self.move_ends.len() as u32);
        self.played.push(idx as u32);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.played.len()
    }

    /// True without positions.
    pub fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    /// How often a feature was met.
    pub fn n_met(&self, feature: usize) -> u64 {
        self.n_met[feature]
    }

    /// The moves of a position, and which of them was played, from 0.
    pub(crate) fn moves(&self, position: usize) -> (std::ops::Range<usize>, usize) {
        let end = |ends: &[u32], idx: usize| idx.checked_sub(1).map_or(0, |before| ends[before] as usize);
        let ends = &self.position_ends;
        (end(ends, position)..end(ends, position + 1), self.played[position] as usize)
    }

    /// The features of a move.
    pub(crate) fn features(&self, mv: usize) -> &[u32] {
        let start = mv.checked_sub(1).map_or(0, |before| self.move_ends[before] as usize);
        &self.features[start..self.move_ends[mv] as usize]
    }
}
