//! A game as it is stored: its moves, and of the full searches what they teach. Rows are not stored; they come of the moves again, so a
//! run's games are a fifth of the size, can be read by people, and survive a change of the planes.

use mcts::Action;
use model::net::EncodedPosition;
use player::boardgame::Tabletop;
use serde::{Deserialize, Serialize};
use train::net::row::{FULL_OWNER, Row};

/// Parts of a whole in which shares and values are stored.
const PARTS: f32 = 10_000.0;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredEnding {
    /// By its rules.
    Rules,
    /// Somebody gave up.
    Resigned,
    /// After too many moves; it counts as the board stood.
    Cut,
}

/// The targets that a full search gives for the position before a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedPly(
    /// Moves before it.
    pub u32,
    /// The share of wins that the mover expected, in ten-thousandths.
    pub u16,
    /// The moves with their shares, in ten-thousandths.
    pub Vec<(u16, u16)>,
);

impl SearchedPly {
    /// What a search taught after `n_moves` moves.
    pub fn new(n_moves: usize, win: f32, policy: &[(Action, f32)]) -> Self {
        let policy = policy.iter().map(|&(action, share)| (action.0, in_parts(share).max(1))).collect();
        Self(n_moves as u32, in_parts(win), policy)
    }
}

/// A share from 0 to 1 in ten-thousandths.
pub fn in_parts(share: f32) -> u16 {
    (share.clamp(0.0, 1.0) * PARTS).round() as u16
}

/// Ten-thousandths as a share from 0 to 1.
pub fn of_parts(parts: u16) -> f32 {
    f32::from(parts) / PARTS
}

/// A game of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredGame {
    /// Its number in the run, from 1.
    pub game: u64,
    /// The number of the network that played it.
    pub net: u32,
    /// The moves as people write them, with blanks between.
    pub moves: String,
    /// How many of them were drawn blindly, at the beginning.
    pub blind: u32,
    /// How it ended.
    pub end: StoredEnding,
    /// Black's result: 1, ½ or 0.
    pub result: f32,
    /// Points by which Black won, where points count and the game was played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// Whose each point was in the end, in rows from the top: `X` Black's, `O` White's, `.` nobody's; empty where that means nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owners: String,
    /// Where nobody was allowed to give up, the least that Black and White expected, in ten-thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lows: Option<[u16; 2]>,
    /// What full searches taught.
    pub searched: Vec<SearchedPly>,
}

/// The signs of owners, for −1, 0 and 1.
const OWNERS: [char; 3] = ['O', '.', 'X'];

/// Owners as text.
pub fn owners_text(owners: &[i8]) -> String {
    owners.iter().map(|&owner| OWNERS[(owner.signum() + 1) as usize]).collect()
}

impl StoredGame {
    /// The number of moves.
    pub fn n_moves(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The rows that its full searches give, with so much of a search's own value in the value's target. `start` is the board before
    /// the first move.
    ///
    /// # Errors
    /// A move that is none of this game, or is illegal.
    pub fn rows(&self, start: &dyn Tabletop, value_mix: f32) -> Result<Vec<Row>, String> {
        let mut board = start.fresh();
        let mut encoded = EncodedPosition::default();
        let mut rows = Vec::with_capacity(self.searched.len());
        let mut searched = self.searched.iter().peekable();
        for (ply, text) in self.moves.split_whitespace().enumerate() {
            if let Some(taught) = searched.next_if(|taught| taught.0 as usize == ply) {
                board.encode(&mut encoded);
                rows.push(self.row(board.as_ref(), &encoded, taught, value_mix));
            }
            let wrong = |why: String| self.wrong_move(ply, &why);
            let action = board.parse(text).map_err(wrong)?;
            board.play(action).map_err(wrong)?;
        }
        Ok(rows)
    }

    /// A move of this game that cannot be played again, in words.
    pub(crate) fn wrong_move(&self, ply: usize, why: &str) -> String {
        format!("game {}, move {}: {why}", self.game, ply + 1)
    }

    /// The row of a position.
    fn row(
        &self,
        board: &dyn Tabletop,
        encoded: &EncodedPosition,
        taught: &SearchedPly,
        value_mix: f32,
    ) -> Row {
        let [width, height] = encoded.board;
        let is_black = board.to_play() == goban::Color::Black;
        let sign = if is_black { 1.0 } else { -1.0 };
        let result = if is_black { self.result } else { 1.0 - self.result };
        let SearchedPly(_, win, policy) = taught;
        let sum: f32 = policy.iter().map(|&(_, parts)| f32::from(parts)).sum();
        let mut row = Row {
            width: width as u8,
            height: height as u8,
            policy: policy
                .iter()
                .map(|&(action, parts)| (board.policy_idx(Action(action)) as u16, f32::from(parts) / sum))
                .collect(),
            value: Some((1.0 - value_mix) * result + value_mix * of_parts(*win)),
            score: self.score.map(|score| sign * score),
            ownership: self.owners.chars().map(|owner| owner_of(owner, is_black)).collect(),
            weight: 1.0,
            ..Row::default()
        };
        row.globals.iter_mut().zip(&encoded.globals).for_each(|(global, &told)| *global = told);
        row.set_planes(&encoded.planes);
        row.set_legal(&encoded.legal);
        row
    }
}

/// The sign of a point's owner as the mover sees it.
fn owner_of(sign: char, is_black: bool) -> i8 {
    let black = match sign {
        'X' => FULL_OWNER,
        'O' => -FULL_OWNER,
        _ => 0,
    };
    if is_black { black } else { -black }
}
