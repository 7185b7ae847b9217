//! Playing a task: what its folder does not have yet is played and kept game by game, until the method has learnt enough.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::log::{TuneLog, TunedGame};
use super::session::{TuneGameId, TuneSession};
use super::task::TuneTask;
use super::verdict::TuneResult;
use crate::game::{Finished, FinishedGame, GameJob, PairSide, Pairing};
use crate::hall::{self, Schedule};
use crate::stats::WinDrawLoss;
use crate::{Error, Result};

/// How a run goes.
pub struct TuneProgress<'a> {
    /// Games that ended, in this run and before.
    pub n_games: u64,
    /// Games in all.
    pub n_all: u64,
    /// How long the others will take, from those of this run.
    pub time_left: Duration,
    /// The method with what it has learnt.
    pub session: &'a TuneSession,
}

/// Plays what is missing of a task, up to `parallel` games at a time, until it is complete or `stop` is set; then games in
/// progress are given up. `watch` is told after every game how it goes. The same task and folder continue a run, and give the
/// same result as one that was never interrupted.
///
/// # Errors
/// A folder of another run, an engine that cannot start, a game that cannot be played, a file that cannot be written.
pub fn run(
    task: &TuneTask,
    dir: &Path,
    parallel: usize,
    watch: &mut (dyn FnMut(&TuneProgress<'_>) + Send),
    stop: &Arc<AtomicBool>,
) -> Result<TuneResult> {
    let (log, entries) = TuneLog::open(dir, &task.settings())?;
    let session = replay(task, &entries)?;
    let mut table =
        Tuning { task, log, session, taken: BTreeSet::new(), watch, begun: Instant::now(), n_played: 0 };
    hall::play(&[], parallel, &mut table, stop)?;
    TuneResult::new(task, &table.session)
}

/// A session that knows the games on file. Each must be one that the method proposed.
///
/// # Errors
/// Names a game that was not.
pub fn replay(task: &TuneTask, entries: &[TunedGame]) -> Result<TuneSession> {
    let mut session = TuneSession::new(task.start(), task.n_steps(), task.seed);
    for (i, entry) in entries.iter().enumerate() {
        let wrong = |why: String| {
            let place = format!("finished game {} (step {}, bout {})", i + 1, entry.step, entry.bout);
            Error::input(format!("{place}: {why}; the games are of another program or were edited"))
        };
        let Some(bout) = session.bout(entry.id()) else {
            // A run of CLOP that was shortened has games beyond its end; they are kept for a longer one.
            if entry.step >= task.n_steps() {
                continue;
            }
            return Err(wrong("it was not to be played then".to_string()));
        };
        let players = task.pairing(bout)?.entrants.map(|entrant| entrant.text().to_string());
        if players != entry.players {
            return Err(wrong(format!("\"{}\" was proposed, not \"{}\"", players[0], entry.players[0])));
        }
        if !session.finished(entry.id(), entry.outcome) {
            return Err(wrong("it is on file twice".to_string()));
        }
    }
    Ok(session)
}

/// A run under way.
struct Tuning<'a> {
    task: &'a TuneTask,
    log: TuneLog,
    session: TuneSession,
    /// Games given to tables.
    taken: BTreeSet<TuneGameId>,
    watch: &'a mut (dyn FnMut(&TuneProgress<'_>) + Send),
    begun: Instant,
    n_played: u64,
}

/// Bouts of a step, at most; a bout is a pairing of its own.
const BOUTS: usize = 2;

/// The pairing's index tells the step and the bout, the game's number the step again (for seeds and openings) and the half.
fn job(game: TuneGameId) -> GameJob {
    GameJob { pairing: game.step as usize * BOUTS + game.bout, number: 2 * game.step + 1 + game.half as u64 }
}

fn id(job: GameJob) -> TuneGameId {
    let (step, bout) = (job.pairing / BOUTS, job.pairing % BOUTS);
    TuneGameId { step: step as u64, bout, half: ((job.number + 1) % 2) as usize }
}

impl Schedule for Tuning<'_> {
    fn next(&mut self) -> Option<GameJob> {
        let game = self.session.open_games().find(|game| !self.taken.contains(game))?;
        self.taken.insert(game);
        Some(job(game))
    }

    fn late_pairing(&self, pairing: usize) -> Option<Result<Pairing>> {
        let game = id(GameJob { pairing, number: 1 });
        Some(self.task.pairing(self.session.bout(game)?))
    }

    fn finished(&mut self, game: &Finished) -> Result<()> {
        let id = id(game.job);
        let Some(bout) = self.session.bout(id) else { return Ok(()) };
        let players = self.task.pairing(bout)?.entrants.map(|entrant| entrant.text().to_string());
        let outcome = outcome(&game.line);
        let TuneGameId { step, bout, half } = id;
        let (line, sgf) = (game.line.clone(), game.sgf.clone());
        self.log.add(&TunedGame { step, bout, half, players, outcome, game: line, sgf })?;
        self.session.finished(id, outcome);
        self.taken.remove(&id);
        self.n_played += 1;
        let n_games = self.session.n_games();
        let left = self.task.n_games.saturating_sub(n_games) as f64;
        let per_game = self.begun.elapsed().as_secs_f64() / self.n_played as f64;
        (self.watch)(&TuneProgress {
            n_games,
            n_all: self.task.n_games,
            time_left: Duration::try_from_secs_f64(per_game * left).unwrap_or(Duration::MAX),
            session: &self.session,
        });
        Ok(())
    }
}

fn outcome(line: &FinishedGame) -> WinDrawLoss {
    match line.winner {
        Some(PairSide::A) => WinDrawLoss::Win,
        Some(PairSide::B) => WinDrawLoss::Loss,
        None => WinDrawLoss::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_and_games() {
        for game in [(0, 0, 0), (0, 1, 1), (7, 0, 1), (123, 1, 0)] {
            let game = TuneGameId { step: game.0, bout: game.1, half: game.2 };
            assert_eq!(id(job(game)), game);
            // A has Black in the first game of each pair.
            assert_eq!(PairSide::A.color(job(game).number) == goban::Color::Black, game.half == 0);
        }
    }
}
