//! Going back and setting up: everything that replays the game or replaces its stones.

use super::{PlayedMove, Position};
use crate::any::AnyBoard;
use crate::color::Color;
use crate::rules::{Ko, Rules};
use crate::setup::{Setup, SetupError};
use crate::symmetry::Symmetry;
use crate::vertex::Vertex;

/// Stones put on and taken off the board outside the order of play.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    /// Number of plays before it.
    at: usize,
    stones: Vec<(Vertex, Option<Color>)>,
    to_play: Color,
}

impl Position {
    /// A game that starts from given stones.
    pub fn from_setup(setup: &Setup, to_play: Color, rules: Rules) -> Result<Self, SetupError> {
        let mut position = Self::new(setup.size(), rules);
        let stones: Vec<_> = setup.stones().map(|(vertex, color)| (vertex, Some(color))).collect();
        position.setup(&stones, to_play)?;
        Ok(position)
    }

    /// The stones on the board as a setup.
    pub fn to_setup(&self) -> Setup {
        self.board.to_setup()
    }

    /// Puts stones on the board or takes them off (`None`), at any time of the game; where a point is named
    /// twice the last counts. Nothing is captured: a chain without liberties is an error and changes nothing.
    /// The ko is forgotten and repetition counts from here, as positions before are no longer the same game.
    pub fn setup(&mut self, stones: &[(Vertex, Option<Color>)], to_play: Color) -> Result<(), SetupError> {
        let mut after = self.board.to_setup();
        stones.iter().try_for_each(|&(vertex, stone)| after.set(vertex, stone))?;
        after.check()?;
        for color in Color::BOTH {
            self.n_captured_before[color.idx()] += self.board.n_captured(color);
        }
        self.board = AnyBoard::with_stones(after.size(), after.stones());
        self.edits.push(Edit { at: self.plays.len(), stones: stones.to_vec(), to_play });
        self.to_play = to_play;
        self.hashes.pop();
        self.hashes.push(self.board.hash());
        self.index_history();
        Ok(())
    }

    /// Says who is to move, against the order of play; the stones and the history of plays stay.
    pub fn set_to_play(&mut self, color: Color) {
        self.to_play = color;
        if self.plays.len() == self.history_start() {
            // Nobody has moved since the start or the setup, so this is how the history begins.
            match self.edits.last_mut() {
                Some(edit) => edit.to_play = color,
                None => self.edits.push(Edit { at: 0, stones: Vec::new(), to_play: color }),
            }
            self.index_history();
        }
    }

    /// Takes back the last play, and every setup made after it, and returns it.
    pub fn undo(&mut self) -> Option<PlayedMove> {
        let last = *self.plays.last()?;
        let n_plays = self.plays.len() - 1;
        self.plays.truncate(n_plays);
        self.edits.retain(|edit| edit.at <= n_plays);
        self.replay();
        Some(last)
    }

    /// Takes back the last `n` plays, or none and returns false if there are fewer.
    pub fn undo_many(&mut self, n: usize) -> bool {
        let Some(n_plays) = self.plays.len().checked_sub(n) else { return false };
        self.plays.truncate(n_plays);
        self.edits.retain(|edit| edit.at <= n_plays);
        self.replay();
        true
    }

    /// The stones after the first `n` plays, and after a setup made then; the stones now if there are fewer plays.
    pub fn board_after(&self, n: usize) -> AnyBoard {
        let mut board = AnyBoard::new(self.size());
        self.walk(&mut board, n.min(self.plays.len()), |_| {});
        board
    }

    /// The same game seen in a mirror or turned; on a rectangle a quarter turn changes the size.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let size = self.size();
        let mut other = Self::new(symmetry.size(size), self.rules);
        other.komi = self.komi;
        other.handicap = self.handicap;
        let turn = |vertex| symmetry.apply(size, vertex);
        other.plays =
            self.plays.iter().map(|play| PlayedMove { vertex: turn(play.vertex), ..*play }).collect();
        other.edits = self.edits.clone();
        for (vertex, _) in other.edits.iter_mut().flat_map(|edit| &mut edit.stones) {
            *vertex = turn(*vertex);
        }
        other.replay();
        other.to_play = self.to_play;
        other
    }

    /// Number of plays before the last setup: repetition and passes count from there.
    pub(super) fn history_start(&self) -> usize {
        self.edits.last().map_or(0, |edit| edit.at)
    }

    /// Begins the history of an empty board.
    pub(super) fn start_history(&mut self) {
        self.hashes.clear();
        self.hashes.push(self.board.hash());
        self.index_history();
    }

    /// Builds the superko table anew from the hashes.
    pub(super) fn index_history(&mut self) {
        self.seen.clear();
        if self.rules.ko == Ko::Simple {
            return;
        }
        let start = self.history_start();
        for n in start..self.hashes.len() {
            let to_play = if n == start { self.first_to_play() } else { !self.plays[n - 1].color };
            self.seen.push(self.key(self.hashes[n], to_play));
        }
    }

    /// Who was to move at the start or after the last setup.
    fn first_to_play(&self) -> Color {
        self.edits.last().map_or(Color::Black, |edit| edit.to_play)
    }

    /// Plays everything again from the empty board.
    fn replay(&mut self) {
        let mut board = AnyBoard::new(self.size());
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.clear();
        let n_captured = self.walk(&mut board, self.plays.len(), |board| hashes.push(board.hash()));
        self.n_captured_before = n_captured;
        self.hashes = hashes;
        self.board = board;
        let last = self.plays[self.history_start()..].last();
        self.to_play = last.map_or(self.first_to_play(), |play| !play.color);
        self.index_history();
    }

    /// Plays the first `n` plays on an empty board and calls `visit` before the first and after each. Returns
    /// the stones taken before the last setup.
    fn walk(&self, board: &mut AnyBoard, n: usize, mut visit: impl FnMut(&AnyBoard)) -> [u32; 2] {
        let mut n_captured = [0; 2];
        let mut edits = self.edits.iter().peekable();
        for i in 0..=n {
            if let Some(play) = i.checked_sub(1).map(|last| self.plays[last]) {
                board.play(play.color, play.vertex);
            }
            while let Some(edit) = edits.next_if(|edit| edit.at == i) {
                for color in Color::BOTH {
                    n_captured[color.idx()] += board.n_captured(color);
                }
                let mut after = board.to_setup();
                for &(vertex, stone) in &edit.stones {
                    // The setup was checked when it was made.
                    let _ = after.set(vertex, stone);
                }
                *board = AnyBoard::with_stones(after.size(), after.stones());
            }
            visit(board);
        }
        n_captured
    }
}
