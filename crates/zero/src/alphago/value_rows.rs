//! Rows for a value network: one position of each game, so that the network does not learn games by heart. [Silver et al. 2016]
//!
//! A number U is drawn. The moves before the U-th are drawn from one policy, the U-th is one of all moves, each as likely as the others, so that
//! positions are as varied as the moves before them are good, and the rest are drawn from a stronger policy. In Go no move fills an own eye,
//! and the U-th is a pass only if there is no other. The row is the position after the U-th move with the end of the game. A game that is over before
//! that gives no row, and another game, with another U, takes its place.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goban::Rng;
use model::net::katago::KataGoNet;
use player::boardgame::Tabletop;
use train::net::Row;
use train::net::source::{HELD_OUT_EVERY, RowsOut};

use super::games::{GameOrder, GamePlan, PlayRules, PolicyGames};
use super::seed_of;
use crate::{Error, Result};

/// How positions are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueRowsSettings {
    /// Positions in all, those of files that are there included.
    pub positions: u64,
    /// The largest U.
    pub last_move: usize,
    /// How games are played.
    pub rules: PlayRules,
    /// Everything random follows from it.
    pub seed: u64,
    /// Threads at work; the rows do not depend on it.
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValueRowsTally {
    /// Games, those without a row included.
    pub n_games: u64,
    /// Games that were over before their position.
    pub n_short: u64,
    /// Rows written.
    pub n_rows: u64,
    /// Rows written that are held out.
    pub n_held_out: u64,
    /// Moves of all games.
    pub n_moves: u64,
    /// The sum of results for Black.
    pub black_wins: f64,
}

/// Games that are ordered at once.
const GAMES_TOGETHER: usize = 512;

/// The networks of the moves before and after the one that is drawn among all.
const BEFORE: usize = 0;
const AFTER: usize = 1;

/// The numbers of the rows that a file of rows is to have next: every fiftieth row is held out, if any is.
#[derive(Clone, Copy, Debug)]
struct NextRow {
    learned: u64,
    held_out: Option<u64>,
}

impl NextRow {
    fn of(out: &RowsOut) -> NextRow {
        let n_learned = out.rows.n_rows();
        match &out.held_out {
            None => NextRow { learned: n_learned, held_out: None },
            Some(held_out) => NextRow {
                learned: n_learned + n_learned / (HELD_OUT_EVERY - 1),
                held_out: Some(held_out.n_rows() * HELD_OUT_EVERY + HELD_OUT_EVERY - 1),
            },
        }
    }

    fn is_held_out(&self, number: u64) -> bool {
        self.held_out.is_some() && number % HELD_OUT_EVERY == HELD_OUT_EVERY - 1
    }

    /// Whether the row of this number is still to come: a file may have lost its last rows when the program was ended, and the other not.
    fn wants(&self, number: u64) -> bool {
        if self.is_held_out(number) {
            self.held_out.is_some_and(|next| number >= next)
        } else {
            number >= self.learned
        }
    }
}

/// Plays games and writes a row of each, in files that may have rows already: it goes on behind them. `nets` are the networks of the moves before
/// the drawn one and after it. `seen` is told the tally from time to time, and ends the work by breaking off.
///
/// # Errors
/// When rows cannot be written.
pub fn draw_rows(
    start: &dyn Tabletop,
    nets: &[Arc<KataGoNet>; 2],
    settings: &ValueRowsSettings,
    out: &mut RowsOut,
    stop: &AtomicBool,
    mut seen: impl FnMut(&ValueRowsTally) -> ControlFlow<()>,
) -> Result<ValueRowsTally> {
    let next = NextRow::of(out);
    let first = next.held_out.map_or(next.learned, |held_out| held_out.min(next.learned));
    let games = PolicyGames { start, nets, rules: settings.rules, threads: settings.threads, stop };
    let mut wanted = (first..settings.positions).filter(|&number| next.wants(number));
    let mut tally = ValueRowsTally::default();
    loop {
        let numbers: Vec<u64> = wanted.by_ref().take(GAMES_TOGETHER).collect();
        if numbers.is_empty() {
            return Ok(tally);
        }
        let Some(rows) = rows_of(&games, &numbers, settings, &mut tally) else { return Ok(tally) };
        for (number, row) in numbers.into_iter().zip(rows) {
            let written = match &mut out.held_out {
                Some(held_out) if next.is_held_out(number) => {
                    tally.n_held_out += 1;
                    held_out.push(&row)
                }
                _ => {
                    tally.n_rows += 1;
                    out.rows.push(&row)
                }
            };
            written.map_err(Error::input)?;
        }
        if seen(&tally).is_break() {
            return Ok(tally);
        }
    }
}

/// The rows of these numbers, each from a game of its own; none if it was stopped.
fn rows_of(
    games: &PolicyGames<'_>,
    numbers: &[u64],
    settings: &ValueRowsSettings,
    tally: &mut ValueRowsTally,
) -> Option<Vec<Row>> {
    let mut rows: Vec<Option<Row>> = vec![None; numbers.len()];
    let mut attempt = 0;
    loop {
        let missing: Vec<usize> = (0..rows.len()).filter(|&idx| rows[idx].is_none()).collect();
        if missing.is_empty() {
            return rows.into_iter().collect();
        }
        let order = |&idx: &usize| order(numbers[idx], attempt, settings);
        let orders: Vec<GameOrder> = missing.iter().map(order).collect();
        for (idx, game) in missing.into_iter().zip(games.play(&orders)?) {
            tally.n_games += 1;
            tally.n_moves += game.n_moves as u64;
            tally.black_wins += f64::from(game.win);
            match game.positions.into_iter().next() {
                Some(position) => rows[idx] = Some(Row { policy: Vec::new(), ..position.row }),
                None => tally.n_short += 1,
            }
        }
        attempt += 1;
    }
}

/// The game of a row, and those in its place if it is too short.
fn order(number: u64, attempt: u64, settings: &ValueRowsSettings) -> GameOrder {
    let mut rng = Rng::new(seed_of(&[settings.seed, number, attempt]));
    let random_move = 1 + rng.below(settings.last_move.max(1) as u32) as usize;
    let plan = GamePlan::ValuePosition { before: BEFORE, after: AFTER, random_move };
    GameOrder { plan, seed: rng.next_u64() }
}
