//! A game as far as it was played: setup, plays, rules, komi; who is to move and what is legal.
//!
//! Repetition is exact: every position since the last setup is found by its hash and then compared stone by
//! stone. Playing allocates nothing once the lists have grown, and [`Position::clear`] keeps them.
//!
//! Reading order: this file (state, questions, playing), `illegal` (why a move is refused), `history` (undo,
//! setup, replaying), `handicap`, `after` and `repetition` (the parts of the superko check).

mod after;
mod handicap;
mod history;
mod illegal;
mod repetition;

pub use handicap::HandicapError;
pub use illegal::{IllegalMove, IllegalReason};

use thiserror::Error;

use crate::any::AnyBoard;
use crate::board::{Board, Full};
use crate::class::SizeClass;
use crate::color::Color;
use crate::point::Point;
use crate::rules::{Ko, Rules};
use crate::vertex::{Size, Vertex};
use crate::with_board;
use history::Edit;
use repetition::Repetition;

/// A stone placed by a player, or his pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayedMove {
    /// Who plays.
    pub color: Color,
    /// Where; may be a pass.
    pub vertex: Vertex,
}

/// A game in progress. Colours may play in any order, as clients demand.
#[derive(Clone, Debug)]
pub struct Position {
    board: AnyBoard,
    rules: Rules,
    komi: f32,
    handicap: usize,
    to_play: Color,
    plays: Vec<PlayedMove>,
    /// The hash of the stones before the first play and after each.
    hashes: Vec<u64>,
    /// Setups in order; each replaced the position before the play with its number.
    edits: Vec<Edit>,
    /// Stones taken before the last setup, by their colour; the board counts the ones after it.
    n_captured_before: [u32; 2],
    /// Keys of the positions since the last setup; only kept under superko.
    seen: Repetition,
}

/// A komi that is no number, or beyond [`Position::MAX_KOMI`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("komi {komi}: expected a number from -{max} to {max}", max = Position::MAX_KOMI)]
pub struct KomiError {
    /// The komi given, in points.
    pub komi: f32,
}

/// Distinguishes the two players in the keys of situational superko.
const WHITE_TO_PLAY: u64 = 0x6a09_e667_f3bc_c908;

impl Position {
    /// The largest komi of either sign. No game needs it; some clients send a million for a game that White cannot
    /// lose, and scores must still be finite and exact to a point.
    pub const MAX_KOMI: f32 = 10_000_000.0;

    /// An empty board, Black to play, komi 0.
    pub fn new(size: Size, rules: Rules) -> Self {
        let mut position = Self {
            board: AnyBoard::new(size),
            rules,
            komi: 0.0,
            handicap: 0,
            to_play: Color::Black,
            plays: Vec::new(),
            hashes: Vec::new(),
            edits: Vec::new(),
            n_captured_before: [0; 2],
            seen: Repetition::default(),
        };
        position.start_history();
        position
    }

    /// Back to the empty board with Black to play and no handicap; size, rules, komi and memory stay.
    pub fn clear(&mut self) {
        self.board.clear();
        self.handicap = 0;
        self.to_play = Color::Black;
        self.plays.clear();
        self.edits.clear();
        self.n_captured_before = [0; 2];
        self.start_history();
    }

    /// [`Position::clear`] with another size and other rules.
    pub fn reset(&mut self, size: Size, rules: Rules) {
        if size != self.size() {
            self.board = AnyBoard::new(size);
        }
        self.rules = rules;
        self.clear();
    }

    /// The stones.
    pub fn board(&self) -> &AnyBoard {
        &self.board
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The rules in force.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rules; plays made before stay, whatever the new rules say of them.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.index_history();
    }

    /// Points that White receives, handicap compensation not included.
    pub fn komi(&self) -> f32 {
        self.komi
    }

    /// Changes the komi, to a number of at most [`Position::MAX_KOMI`] either way.
    pub fn set_komi(&mut self, komi: f32) -> Result<(), KomiError> {
        if !(-Self::MAX_KOMI..=Self::MAX_KOMI).contains(&komi) {
            return Err(KomiError { komi });
        }
        // Adding zero turns the negative zero, which would be printed as -0, into the usual one.
        self.komi = komi + 0.0;
        Ok(())
    }

    /// Number of handicap stones; 0 in an even game.
    pub fn handicap(&self) -> usize {
        self.handicap
    }

    /// Says how many handicap stones a record's setup contains; only compensation depends on it.
    pub fn set_handicap(&mut self, n: usize) {
        self.handicap = n;
    }

    /// Who is to move: the opponent of who moved last.
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// The plays so far, passes included.
    pub fn plays(&self) -> &[PlayedMove] {
        &self.plays
    }

    /// The plays since the last setup, or all.
    pub fn plays_since_setup(&self) -> &[PlayedMove] {
        &self.plays[self.history_start()..]
    }

    /// The last play since the last setup.
    pub fn last(&self) -> Option<PlayedMove> {
        self.plays[self.history_start()..].last().copied()
    }

    /// The hash of the stones before the first play and after each: one more than there are plays.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Stones of `color` taken off the board so far.
    pub fn n_captured(&self, color: Color) -> u32 {
        self.n_captured_before[color.idx()] + self.board.n_captured(color)
    }

    /// Number of passes at the end of the game so far.
    pub fn n_passes(&self) -> usize {
        self.plays[self.history_start()..].iter().rev().take_while(|play| play.vertex.is_pass()).count()
    }

    /// True after two passes in a row; playing on is still possible.
    pub fn is_over(&self) -> bool {
        self.n_passes() >= 2
    }

    /// Who passed first and so took the button, whether or not the rules have one.
    pub fn first_to_pass(&self) -> Option<Color> {
        self.plays.iter().find(|play| play.vertex.is_pass()).map(|play| play.color)
    }

    /// Plays a move, or says why it is illegal and changes nothing.
    pub fn play(&mut self, color: Color, vertex: Vertex) -> Result<(), IllegalMove> {
        if !vertex.is_pass() {
            self.legality(color, vertex)?;
        }
        self.board.play(color, vertex);
        self.plays.push(PlayedMove { color, vertex });
        self.hashes.push(self.board.hash());
        self.to_play = !color;
        if self.rules.ko != Ko::Simple {
            self.seen.push(self.key(self.board.hash(), self.to_play));
        }
        Ok(())
    }

    /// Says whether `color` may play at `vertex` now. A pass is always legal.
    pub fn legality(&self, color: Color, vertex: Vertex) -> Result<(), IllegalMove> {
        self.refusal(color, vertex).map_or(Ok(()), |reason| {
            Err(IllegalMove { play: PlayedMove { color, vertex }, size: self.size(), reason })
        })
    }

    /// True if `color` may play at `vertex` now.
    pub fn is_legal(&self, color: Color, vertex: Vertex) -> bool {
        self.refusal(color, vertex).is_none()
    }

    /// Every point at which `color` may play, row by row; the pass is not listed.
    pub fn legal_moves(&self, color: Color) -> Vec<Vertex> {
        self.size().vertices().filter(|&vertex| self.is_legal(color, vertex)).collect()
    }

    #[inline]
    fn refusal(&self, color: Color, vertex: Vertex) -> Option<IllegalReason> {
        if vertex.is_pass() {
            return None;
        }
        if !self.size().contains(vertex) {
            return Some(IllegalReason::OffBoard);
        }
        let is_superko = self.rules.ko != Ko::Simple;
        let hash = with_board!(&self.board, |board| {
            let point = board.point(vertex);
            if let Some(reason) = refusal_by_stones(board, &self.rules, color, point) {
                return Some(reason);
            }
            is_superko.then(|| board.hash_after(color, point))
        });
        let repeats = self.repeated(color, vertex, self.key(hash?, !color))?;
        // The usual word for the usual case: the shortest repetition.
        let is_ko = self.board.ko() == Some(vertex) && repeats + 1 == self.plays.len();
        Some(if is_ko { IllegalReason::Ko } else { IllegalReason::Superko { repeats } })
    }

    /// The number of plays after which the stones already were as this move would leave them.
    fn repeated(&self, color: Color, vertex: Vertex, key: u64) -> Option<usize> {
        let start = self.history_start();
        let mut candidates = self.seen.find(key).peekable();
        candidates.peek()?;
        // Equal hashes are hardly ever an accident, but a rule must not depend on it.
        let mut after = self.board.clone();
        after.play(color, vertex);
        candidates.map(|idx| start + idx).find(|&n| self.board_after(n).has_same_stones(&after))
    }

    /// The key that superko compares: the stones, and under the situational rule who is to move.
    #[inline]
    fn key(&self, hash: u64, to_play: Color) -> u64 {
        if self.rules.ko == Ko::Situational && to_play == Color::White { hash ^ WHITE_TO_PLAY } else { hash }
    }
}

/// Refuses what the stones on the board forbid; repetition beyond the simple ko is not looked at.
#[inline]
fn refusal_by_stones<C: SizeClass>(
    board: &Board<C, Full>,
    rules: &Rules,
    color: Color,
    point: Point,
) -> Option<IllegalReason> {
    if board.stone(point).is_some() {
        return Some(IllegalReason::Occupied);
    }
    let code = board.code(point);
    if code.empty_neighbours() != 0 {
        return None;
    }
    // Who took the ko may fill it: his stones are around the point. Superko finds retaking by itself.
    if rules.ko == Ko::Simple && board.ko() == Some(point) && !code.is_surrounded_by(color) {
        return Some(IllegalReason::Ko);
    }
    (!rules.suicide && board.is_suicide_for(color, point)).then_some(IllegalReason::Suicide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_hashes_of_different_stones_are_no_repetition() {
        let mut position = Position::new(Size::square(5).unwrap(), Rules::TROMP_TAYLOR);
        position.play(Color::Black, Vertex::new(1, 1)).unwrap();
        let vertex = Vertex::new(3, 3);
        let mut after = position.board.clone();
        after.play(Color::White, vertex);
        // Pretend that the empty board has the hash that this move leads to.
        position.seen.clear();
        position.seen.push(after.hash());
        assert_eq!(position.seen.find(after.hash()).count(), 1);
        assert!(position.is_legal(Color::White, vertex));
    }
}
