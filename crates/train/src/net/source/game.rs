//! The rows of one recorded game.

use std::convert::Infallible;

use goban::{Color, Position, Rng, Rules, Scoring, Vertex};
use model::net::features;
use model::net::katago::KataGoNet;
use records::{RecordStep, RecordedGame, to_color};
use sgf::{GameResult, Margin};

use super::{GameRows, PolicySource, SourceSettings, teacher};
use crate::net::Row;
use crate::net::row::FULL_OWNER;

/// Why a game has no rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkippedGame {
    /// It has handicap, or stones that were set up.
    Handicap,
    /// No position of it can be learned from.
    Empty,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq)]
pub struct GameEnd {
    /// Black's result: 1 a win, ½ a draw, 0 a loss; `None` where the record does not tell, or tells who was late.
    pub value: Option<f32>,
    /// Points by which Black won.
    pub score: Option<f32>,
    /// The owner of each point, if the last board is played out: the game ended by two passes, and its score by area is the
    /// recorded one.
    pub owners: Option<Vec<Option<Color>>>,
    /// Moves that can be replayed.
    pub n_moves: usize,
}

impl GameEnd {
    /// Follows a game to its end.
    pub fn of(game: &RecordedGame, rules: Rules, komi: f32) -> GameEnd {
        let mut last: Option<Position> = None;
        let mut n_moves = 0;
        let n_plays = game.plays().count();
        let Ok(_) = game.replay(rules, komi, |position, play| {
            n_moves += 1;
            if n_moves == n_plays {
                let mut end = position.clone();
                if end.play(play.color, play.vertex).is_ok() {
                    last = Some(end);
                }
            }
            Ok::<_, Infallible>(true)
        });
        let mut end =
            GameEnd { value: value(&game.result), score: score(&game.result), owners: None, n_moves };
        if game.komi.is_none() {
            // Nobody knows by how much more a player had to win.
            (end.value, end.score) = (None, None);
            return end;
        }
        let played_out = last.filter(|last| last.is_over() && rules.scoring == Scoring::Area);
        if let Some(score) = played_out.map(|last| last.score()) {
            let is_right = match &game.result {
                GameResult::Win { margin: Margin::Score(_), .. } | GameResult::Draw => {
                    end.score.is_some_and(|right| (score.margin() - right).abs() < 0.01)
                }
                // Dead stones that were left on the board make points that are nobody's.
                GameResult::Win { color, margin: Margin::Unknown } => {
                    score.winner() == Some(to_color(*color)) && score.owners.iter().all(Option::is_some)
                }
                _ => false,
            };
            if is_right {
                end.score = Some(score.margin());
                end.owners = Some(score.owners);
            }
        }
        end
    }
}

/// Black's result by the record.
fn value(result: &GameResult) -> Option<f32> {
    match result {
        GameResult::Win { margin: Margin::Time | Margin::Forfeit, .. } => None,
        GameResult::Win { color, .. } => Some(if to_color(*color) == Color::Black { 1.0 } else { 0.0 }),
        GameResult::Draw => Some(0.5),
        GameResult::Void | GameResult::Unknown => None,
    }
}

/// Points by which Black won by the record.
fn score(result: &GameResult) -> Option<f32> {
    match result {
        GameResult::Win { color, margin: Margin::Score(points) } => {
            Some(if to_color(*color) == Color::Black { *points as f32 } else { -*points as f32 })
        }
        GameResult::Draw => Some(0.0),
        _ => None,
    }
}

/// Draws the rows of a game.
pub(super) fn rows(
    game: &RecordedGame,
    settings: &SourceSettings,
    teacher: Option<&KataGoNet>,
    rng: &mut Rng,
) -> Result<GameRows, SkippedGame> {
    let is_set_up = game.steps.iter().any(|step| matches!(step, RecordStep::Setup { .. }));
    if game.handicap > 0 || is_set_up {
        return Err(SkippedGame::Handicap);
    }
    let rules = match settings.rules[..] {
        [] => Rules::TROMP_TAYLOR,
        ref rules => rules[rng.below(rules.len() as u32) as usize],
    };
    let end = GameEnd::of(game, rules, settings.komi);
    // Players who agree on dead stones pass where nobody who plays on may: only a board that is played out teaches passes.
    let teaches_passes =
        end.owners.is_some() || teacher.is_some() && settings.policy == PolicySource::Teacher;
    let mut plies: Vec<usize> = (0..end.n_moves)
        .zip(game.plays())
        .filter(|(_, play)| teaches_passes || !play.vertex.is_pass())
        .map(|(ply, _)| ply)
        .collect();
    choose(&mut plies, settings.positions, rng);
    let (mut rows, mut ply) = (Vec::with_capacity(plies.len()), 0);
    let Ok(_) = game.replay(rules, settings.komi, |position, play| {
        if plies.binary_search(&ply).is_ok() {
            let encoded = features::encode(position);
            rows.push(match teacher {
                Some(teacher) => {
                    let mut row = teacher::row(teacher, &encoded);
                    if settings.policy == PolicySource::Played {
                        row.policy = played_policy(position, play.vertex);
                    }
                    row
                }
                None => row(position, play.vertex, &end),
            });
        }
        ply += 1;
        Ok::<_, Infallible>(plies.last().is_some_and(|&last| ply <= last))
    });
    if rows.is_empty() {
        return Err(SkippedGame::Empty);
    }
    Ok(GameRows { rows, is_played_out: end.owners.is_some() })
}

/// Keeps `n` of some plies, drawn at random, in their order.
fn choose(plies: &mut Vec<usize>, n: usize, rng: &mut Rng) {
    let n = n.min(plies.len());
    for at in 0..n {
        let other = at + rng.below((plies.len() - at) as u32) as usize;
        plies.swap(at, other);
    }
    plies.truncate(n);
    plies.sort_unstable();
}

/// All probability to the move that was played.
fn played_policy(position: &Position, played: Vertex) -> Vec<(u16, f32)> {
    let size = position.size();
    let place = if played.is_pass() { size.area() } else { played.row() * size.width() + played.col() };
    vec![(place as u16, 1.0)]
}

/// A position with the move that was played there and the end of its game.
pub fn row(position: &Position, played: Vertex, end: &GameEnd) -> Row {
    let mut row = Row { weight: 1.0, ..Row::default() };
    row.set_position(&features::encode(position));
    row.policy = played_policy(position, played);
    let mover = position.to_play();
    let is_black = mover == Color::Black;
    row.value = end.value.map(|value| if is_black { value } else { 1.0 - value });
    row.score = end.score.map(|score| if is_black { score } else { -score });
    if let Some(owners) = &end.owners {
        let owner = |owner: &Option<Color>| match owner {
            None => 0,
            Some(color) if *color == mover => FULL_OWNER,
            Some(_) => -FULL_OWNER,
        };
        row.ownership = owners.iter().map(owner).collect();
    }
    row
}
