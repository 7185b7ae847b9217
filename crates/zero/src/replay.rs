//! Games of a run to look at: the latest ones in a line each, and one of them position by position.

use mcts::Action;
use player::boardgame::Tabletop;

use crate::folder::RunFolder;
use crate::status::RunStatus;
use crate::stored::{StoredEnding, StoredGame, of_parts};
use crate::{Error, Result};

/// A position of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFrame {
    /// The board as lines of text: `X` Black, `O` White.
    pub board: String,
    /// The move that led to it; none at the beginning.
    pub last: Option<String>,
    /// The share of wins that Black expected here, 0 to 1, where a full search looked.
    pub black_win: Option<f32>,
    /// The moves that the search preferred here with their shares, the likeliest first.
    pub candidates: Vec<(String, f32)>,
}

/// Candidates of a position that are told.
const N_CANDIDATES: usize = 5;

impl RunStatus {
    /// The latest games, the last one first.
    ///
    /// # Errors
    /// A damaged file.
    pub fn latest_games(&self, folder: &RunFolder, n: usize) -> Result<Vec<StoredGame>> {
        let mut found: Vec<StoredGame> = Vec::new();
        for net in (0..=self.state.newest).rev() {
            if let Some((_, games)) = folder.read_games(net)? {
                found.extend(games.into_iter().rev().take(n - found.len()));
            }
            if found.len() == n {
                break;
            }
        }
        Ok(found)
    }
}

impl StoredGame {
    /// How it ended, in a word or two: `Black wins`, `a draw`, with the points where they count.
    pub fn result_text(&self) -> String {
        let by = match (self.end, self.score) {
            (StoredEnding::Resigned, _) => " by resignation".to_string(),
            (_, Some(score)) if score != 0.0 => format!(" by {}", score.abs()),
            _ => String::new(),
        };
        match self.result {
            1.0 => format!("Black wins{by}"),
            0.0 => format!("White wins{by}"),
            _ => "a draw".to_string(),
        }
    }

    /// Its positions, from the empty board of `start`.
    ///
    /// # Errors
    /// A move that is none of this game, or is illegal.
    pub fn frames(&self, start: &dyn Tabletop) -> Result<Vec<GameFrame>> {
        let mut board = start.fresh();
        let mut searched = self.searched.iter().peekable();
        let mut frames = Vec::with_capacity(self.n_moves() + 1);
        let mut last = None;
        let mut moves = self.moves.split_whitespace();
        for ply in 0.. {
            let taught = searched.next_if(|taught| taught.0 as usize == ply);
            let is_black = board.to_play() == goban::Color::Black;
            frames.push(GameFrame {
                board: board.draw(),
                last: last.take(),
                black_win: taught
                    .map(|taught| of_parts(taught.1))
                    .map(|win| if is_black { win } else { 1.0 - win }),
                candidates: taught.map_or_else(Vec::new, |taught| candidates(board.as_ref(), &taught.2)),
            });
            let Some(text) = moves.next() else { break };
            let wrong = |why: String| Error::input(self.wrong_move(ply, &why));
            let action = board.parse(text).map_err(wrong)?;
            board.play(action).map_err(wrong)?;
            last = Some(text.to_string());
        }
        Ok(frames)
    }
}

/// The likeliest moves as people write them.
fn candidates(board: &dyn Tabletop, policy: &[(u16, u16)]) -> Vec<(String, f32)> {
    let sum: f32 = policy.iter().map(|&(_, parts)| f32::from(parts)).sum();
    let mut moves: Vec<(u16, u16)> = policy.to_vec();
    moves.sort_by_key(|&(action, parts)| (std::cmp::Reverse(parts), action));
    moves.truncate(N_CANDIDATES);
    moves
        .into_iter()
        .map(|(action, parts)| (board.show(Action(action)), f32::from(parts) / sum.max(1.0)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored::SearchedPly;
    use player::boardgame::GameChoice;

    fn game(moves: &str) -> StoredGame {
        StoredGame {
            game: 7,
            net: 3,
            moves: moves.to_string(),
            blind: 0,
            end: StoredEnding::Rules,
            result: 1.0,
            score: None,
            owners: String::new(),
            lows: None,
            searched: vec![SearchedPly(1, 2500, vec![(0, 1000), (3, 6000), (6, 3000)])],
        }
    }

    #[test]
    fn a_game_is_shown_position_by_position() {
        let start = GameChoice::parse("connect-four", None).unwrap().unwrap().board();
        let frames = game("d d c").frames(start.as_ref()).unwrap();
        assert_eq!(frames.len(), 4);
        let stones = |frame: &GameFrame| frame.board.matches(['X', 'O']).count();
        assert_eq!(frames.iter().map(stones).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(
            frames.iter().map(|frame| frame.last.as_deref()).collect::<Vec<_>>(),
            [None, Some("d"), Some("d"), Some("c")]
        );
        // White expected a quarter of the wins after Black's first move.
        assert_eq!(
            frames.iter().map(|frame| frame.black_win).collect::<Vec<_>>(),
            [None, Some(0.75), None, None]
        );
        let told: Vec<_> = frames[1].candidates.iter().map(|(text, share)| (text.as_str(), *share)).collect();
        assert_eq!(told, [("d", 0.6), ("g", 0.3), ("a", 0.1)]);
        let why = game("d z").frames(start.as_ref()).unwrap_err().to_string();
        assert!(why.starts_with("game 7, move 2: "), "{why}");
    }

    #[test]
    fn results_say_who_won_and_how() {
        let one = game("d");
        assert_eq!(one.result_text(), "Black wins");
        assert_eq!(
            StoredGame { result: 0.0, score: Some(-3.5), ..one.clone() }.result_text(),
            "White wins by 3.5"
        );
        assert_eq!(
            StoredGame { result: 0.0, end: StoredEnding::Resigned, ..one.clone() }.result_text(),
            "White wins by resignation"
        );
        assert_eq!(StoredGame { result: 0.5, ..one }.result_text(), "a draw");
    }
}
