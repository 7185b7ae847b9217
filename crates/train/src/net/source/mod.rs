//! Rows from recorded games: positions drawn from each game, with what was played and how the game ended, or with what another
//! network says of them.
//!
//! In reading order: this file (settings, and all games of some files) · [`game`] the rows of one game · [`teacher`] a network's
//! answers as targets.

pub mod game;
pub mod teacher;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;

use goban::{Rng, Rules, Size};
use model::net::file::checksum::Fnv1a;
use model::net::katago::KataGoNet;
use records::{ReadItem, RecordedGame, read};

use super::Row;
use super::rows::{RowsError, RowsWriter};
pub use game::{GameEnd, SkippedGame};

/// Games that each thread works on before the rows are written.
const GAMES_PER_THREAD: usize = 64;
/// Games for each one that is held out, if any is.
pub const HELD_OUT_EVERY: u64 = 50;

/// How rows are drawn from games.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceSettings {
    /// The board; games on others are passed over.
    pub size: Size,
    /// Games that are taken, the first ones; `None` for all.
    pub n_games: Option<u64>,
    /// Positions drawn from each game; of shorter games all.
    pub positions: usize,
    /// The rules of a game are drawn from these.
    pub rules: Vec<Rules>,
    /// Points for White where a record names none; such games have no value and no score.
    pub komi: f32,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// Threads at work; the rows do not depend on it.
    pub threads: usize,
    /// Who says what is to be played, where there is a teacher.
    pub policy: PolicySource,
}

/// Whose moves a policy is to learn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PolicySource {
    /// The teacher's.
    #[default]
    Teacher,
    /// The players': value, score and owners alone are the teacher's.
    Played,
}

impl PolicySource {
    /// All of them.
    pub const ALL: [PolicySource; 2] = [PolicySource::Teacher, PolicySource::Played];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            PolicySource::Teacher => "teacher",
            PolicySource::Played => "played",
        }
    }
}

/// Counts of games and their rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceTally {
    /// Games on boards of the size.
    pub n_games: u64,
    /// Games with handicap or with stones set up, which are left out.
    pub n_handicap: u64,
    /// Games from which no position could be drawn.
    pub n_empty: u64,
    /// Games whose last board has the recorded score.
    pub n_played_out: u64,
    /// Rows.
    pub n_rows: u64,
    /// Rows that are held out.
    pub n_held_out: u64,
    /// Files, lines and records that could not be read.
    pub n_unreadable: u64,
}

/// Where rows go.
pub struct RowsOut {
    /// Those to learn from.
    pub rows: RowsWriter,
    /// Those of every fiftieth game ([`HELD_OUT_EVERY`]), to judge by; `None`: there are none.
    pub held_out: Option<RowsWriter>,
}

/// Draws rows from the games of some files and writes them. `seen` is told the tally after every few games and what could not be read; it ends
/// the work by breaking off.
///
/// # Errors
/// When rows cannot be written.
pub fn draw_rows(
    paths: &[PathBuf],
    settings: &SourceSettings,
    teacher: Option<&KataGoNet>,
    out: &mut RowsOut,
    mut seen: impl FnMut(&SourceTally, Option<&str>) -> ControlFlow<()>,
) -> Result<SourceTally, RowsError> {
    let mut tally = SourceTally::default();
    let mut waiting: Vec<RecordedGame> = Vec::new();
    let mut failed = None;
    let n_together = GAMES_PER_THREAD * settings.threads.max(1);
    let mut n_taken = 0;
    read(paths, |item| {
        match item {
            ReadItem::Game(game) if game.size == settings.size => waiting.push(*game),
            ReadItem::Game(_) => return ControlFlow::Continue(()),
            ReadItem::Unreadable(why) => {
                tally.n_unreadable += 1;
                return seen(&tally, Some(&why));
            }
        }
        n_taken += 1;
        let is_last = settings.n_games == Some(n_taken);
        if waiting.len() == n_together || is_last {
            if let Err(error) = write_some(&mut waiting, settings, teacher, out, &mut tally) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            seen(&tally, None)?;
        }
        if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    write_some(&mut waiting, settings, teacher, out, &mut tally)?;
    let _ = seen(&tally, None);
    Ok(tally)
}

/// Draws the rows of some games and writes them in the order of the games.
fn write_some(
    games: &mut Vec<RecordedGame>,
    settings: &SourceSettings,
    teacher: Option<&KataGoNet>,
    out: &mut RowsOut,
    tally: &mut SourceTally,
) -> Result<(), RowsError> {
    let first = tally.n_games;
    let each = games.len().div_ceil(settings.threads.max(1)).max(1);
    let drawn: Vec<Drawn> = thread::scope(|scope| {
        let workers: Vec<_> = games
            .chunks(each)
            .enumerate()
            .map(|(part, games)| {
                let first = first + (part * each) as u64;
                scope.spawn(move || draw_some(games, first, settings, teacher))
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    for (number, drawn) in (first..).zip(drawn) {
        tally.n_games += 1;
        let rows = match drawn {
            Err(SkippedGame::Handicap) => {
                tally.n_handicap += 1;
                continue;
            }
            Err(SkippedGame::Empty) => {
                tally.n_empty += 1;
                continue;
            }
            Ok(rows) => rows,
        };
        tally.n_played_out += u64::from(rows.is_played_out);
        let is_held_out = number % HELD_OUT_EVERY == HELD_OUT_EVERY - 1;
        match &mut out.held_out {
            Some(held_out) if is_held_out => {
                tally.n_held_out += rows.rows.len() as u64;
                rows.rows.iter().try_for_each(|row| held_out.push(row))?;
            }
            _ => {
                tally.n_rows += rows.rows.len() as u64;
                rows.rows.iter().try_for_each(|row| out.rows.push(row))?;
            }
        }
    }
    games.clear();
    Ok(())
}

/// The rows of a game, and whether it was played out.
#[derive(Debug)]
struct GameRows {
    rows: Vec<Row>,
    is_played_out: bool,
}

/// The rows of a game, or why it was skipped.
type Drawn = Result<GameRows, SkippedGame>;

/// The rows of each of some games, the first of which has the number `first`.
fn draw_some(
    games: &[RecordedGame],
    first: u64,
    settings: &SourceSettings,
    teacher: Option<&KataGoNet>,
) -> Vec<Drawn> {
    let mut all = Vec::with_capacity(games.len());
    for (number, game) in (first..).zip(games) {
        // A game's rows depend on its number and on no other game.
        let mut sum = Fnv1a::default();
        [settings.seed, number].iter().for_each(|number| sum.add(&number.to_le_bytes()));
        let mut rng = Rng::new(sum.value());
        all.push(game::rows(game, settings, teacher, &mut rng));
    }
    all
}
