//! The hall: tables side by side where the games of a match are played, each with its own players.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Error, Result};
use goban::{Color, Rng};
use indicatif::{ProgressBar, ProgressStyle};
use player::{Allowance, GameError, GameRecord, GameSetup, Judge, JudgeName, Patience, play_game};

use super::contestant::{Contestant, Seat};
use super::store::Store;
use super::tally::{Line, Side, Tally};

/// A match that is to be played.
pub(super) struct Hall {
    pub(super) contestants: [Contestant; 2],
    /// The game, but for the players' allowances.
    pub(super) setup: GameSetup,
    pub(super) common: Allowance,
    pub(super) judge: JudgeName,
    pub(super) patience: Patience,
    pub(super) seed: u64,
    pub(super) games: u64,
    /// Number of tables.
    pub(super) parallel: usize,
}

/// A game as it comes from its table.
struct Finished {
    line: Line,
    sgf: String,
}

impl Hall {
    /// Plays the games that are not finished yet and adds all up. Each is stored before it counts.
    pub(super) fn play(
        &self,
        finished: &[Line],
        store: &mut Option<Store>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut done = BTreeSet::new();
        for line in finished.iter().filter(|line| line.game <= self.games) {
            tally.add(line);
            done.insert(line.game);
        }
        let open: Vec<u64> = (1..=self.games).filter(|game| !done.contains(game)).collect();
        let bar = progress(self.games, &tally);
        let next = AtomicUsize::new(0);
        let (sender, results) = channel();
        let first_error: Mutex<Option<Error>> = Mutex::new(None);
        let fail = |error: Error| {
            stop.store(true, Ordering::Relaxed);
            first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        };
        thread::scope(|scope| {
            for _ in 0..self.parallel.min(open.len()) {
                let (sender, open, next, fail) = (sender.clone(), &open, &next, &fail);
                scope.spawn(move || {
                    if let Err(error) = self.serve_table(open, next, &sender, stop) {
                        fail(error);
                    }
                });
            }
            drop(sender);
            for Finished { line, sgf } in results {
                let kept = store.as_mut().map_or(Ok(()), |store| store.save(&line, &sgf));
                if let Err(error) = kept {
                    fail(error);
                    break;
                }
                tally.add(&line);
                bar.set_message(tally.running());
                bar.set_position(tally.games);
            }
        });
        bar.finish_and_clear();
        match first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => {
                Err(error.context(format!("stopped after {} of {} games", tally.games, self.games)))
            }
            None => Ok(tally),
        }
    }

    /// Plays one open game after the other.
    fn serve_table(
        &self,
        open: &[u64],
        next: &AtomicUsize,
        results: &Sender<Finished>,
        stop: &Arc<AtomicBool>,
    ) -> Result<()> {
        let [a, b] = &self.contestants;
        let sit = || -> Result<_> {
            let seats = [a.sit(self.patience, stop)?, b.sit(self.patience, stop)?];
            Ok((seats, self.judge.call_until(self.patience, stop).context("the referee")?))
        };
        let (mut seats, mut judge) = match sit() {
            // Whoever was not waited for has not failed.
            Err(_) if stop.load(Ordering::Relaxed) => return Ok(()),
            seated => seated?,
        };
        while let Some(&game) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            let seeds = seeds(self.seed, game);
            let record = match self.play_one(game, seeds, &mut seats, &mut judge, stop) {
                Ok(record) => record,
                Err(GameError::Stopped) => break,
                Err(error) => return Err(error).with_context(|| format!("game {game}")),
            };
            let line = Line::new(game, seeds, &record);
            let sgf = to_sgf(game, &record)?;
            // Nobody takes results any more when they cannot be stored.
            if results.send(Finished { line, sgf }).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn play_one(
        &self,
        game: u64,
        seeds: [u64; 2],
        seats: &mut [Seat; 2],
        judge: &mut Judge,
        stop: &Arc<AtomicBool>,
    ) -> Result<GameRecord, GameError> {
        if stop.load(Ordering::Relaxed) {
            return Err(GameError::Stopped);
        }
        let mut setup = self.setup.clone();
        for side in Side::BOTH {
            let allowance = self.contestants[side.idx()].allowance(self.common);
            setup.allowance[side.color(game).idx()] = allowance;
        }
        let position = setup.position()?;
        for (seat, side) in seats.iter_mut().zip(Side::BOTH) {
            let allowance = setup.allowance[side.color(game).idx()];
            match seat.ready(seeds[side.idx()], &position, allowance) {
                Err(_) if stop.load(Ordering::Relaxed) => return Err(GameError::Stopped),
                ready => ready.map_err(GameError::Unable)?,
            }
        }
        let [a, b] = seats.each_mut().map(Seat::player);
        let (black, white) = if Side::A.color(game) == Color::Black { (a, b) } else { (b, a) };
        play_game(black, white, &setup, judge, stop)
    }
}

/// The seeds of A and B in a game: the same in whatever order games are played.
fn seeds(seed: u64, game: u64) -> [u64; 2] {
    let mut rng = Rng::new(Rng::new(seed).next_u64().wrapping_add(game));
    [rng.next_u64(), rng.next_u64()]
}

fn to_sgf(game: u64, record: &GameRecord) -> Result<String> {
    let mut header = record.header();
    header.event = Some("tengen match".to_string());
    header.round = Some(game.to_string());
    let tree = record.to_sgf(header).with_context(|| format!("the record of game {game}"))?;
    Ok(tree.to_string())
}

/// A bar with the running score, for terminals only.
fn progress(games: u64, tally: &Tally) -> ProgressBar {
    let bar = ProgressBar::new(games).with_position(tally.games);
    let template = "{bar:24} {pos}/{len} {elapsed_precise} (eta {eta_precise}) {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar.set_message(tally.running());
    bar
}
