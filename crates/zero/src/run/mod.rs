//! The loop: threads that play games, one of which trains whenever steps are due, until somebody stops it.
//!
//! No thread has a fixed part. Whoever has finished a game looks whether steps are due for the positions so far; if so, and if nobody
//! else trains, it makes some of them, else it plays the next game. So all processors are busy, and training gets the share that
//! `[learn] passes` declares, one thread at most.
//!
//! In reading order: this file, a run and what its threads share · `work` what a thread does · `publish` from the trainer to the next network.

mod publish;
mod work;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mcts::LoadedNet;
use player::boardgame::Tabletop;
use player::cpu_time;

use crate::curves::RunPoint;
use crate::folder::{GameSums, GamesLog, RunFolder, RunLock, RunState};
use crate::learner::Learner;
use crate::resign::{CheckedGame, ResignWatch};
use crate::stored::{StoredGame, of_parts};
use crate::tally::GameTally;
use crate::window::Window;
use crate::{Error, ErrorPlace, Result, RunSettings};

/// An event of a run at work.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// It begins, or goes on: the games that are there, and the rows of the window.
    Begun {
        /// The newest network.
        newest: u32,
        /// The games so far.
        sums: GameSums,
        /// Rows in the window.
        window: usize,
    },
    /// A new network.
    Net(Box<RunPoint>),
    /// It ends, with everything on the disk.
    Ended {
        /// The newest network.
        newest: u32,
        /// The games so far.
        sums: GameSums,
    },
}

/// A run at work in its folder.
pub struct Run {
    folder: RunFolder,
    settings: RunSettings,
    start: Box<dyn Tabletop>,
    stop: Arc<AtomicBool>,
    learner: Mutex<Learner>,
    games: Mutex<Games>,
    playing: Mutex<NetAtPlay>,
    state: Mutex<RunState>,
    begun: Instant,
    /// The processor time when it was opened.
    cpu_begun: f64,
    /// Seconds at work, and of processor time, before it was opened.
    seconds_before: (f64, f64),
    _lock: RunLock,
}

/// The network that plays.
#[derive(Clone)]
struct NetAtPlay {
    number: u32,
    net: LoadedNet,
}

/// The games of a run and what is made of them.
struct Games {
    log: GamesLog,
    window: Window,
    resign: ResignWatch,
    /// Since the last network.
    tally: GameTally,
    /// Since when, in seconds at work.
    tally_from: f64,
    /// The number of the last game that was begun.
    n_begun: u64,
    /// When games were last brought to the disk.
    stored_at: Instant,
}

/// A lock that a thread which failed has left is taken over: its error ends the run.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run {
    /// Opens the folder of a run, which begins there or goes on. Whoever sets `stop` ends it.
    ///
    /// # Errors
    /// A folder of another run or in use; files that are damaged; settings that do not fit together.
    pub fn open(path: &Path, settings: RunSettings, stop: Arc<AtomicBool>) -> Result<Self> {
        let folder = RunFolder::new(path);
        folder.prepare(&settings)?;
        let run_lock = folder.lock()?;
        let start = settings.board()?;
        let learner = Learner::open(&folder, &settings, start.as_ref())?;
        let state = folder.state()?;
        if !folder.net(0).exists() {
            let first = learner.net_file(&learner.graph(0), &settings, start.as_ref())?;
            folder.store_net(0, &first)?;
        }
        let net = player::nets::load(&folder.net(state.playing)).map_err(Error::input)?.loaded();
        let games = Games::open(&folder, &settings, start.as_ref(), &state)?;
        Ok(Self {
            folder,
            settings,
            start,
            stop,
            learner: Mutex::new(learner),
            games: Mutex::new(games),
            playing: Mutex::new(NetAtPlay { number: state.playing, net }),
            state: Mutex::new(state),
            begun: Instant::now(),
            cpu_begun: cpu_time::seconds().unwrap_or(0.0),
            seconds_before: (state.seconds, state.cpu_seconds),
            _lock: run_lock,
        })
    }

    /// Works until the run is stopped or has reached its end, and leaves everything on the disk.
    ///
    /// # Errors
    /// A system that refuses; training that has gone astray.
    pub fn work(&self, tell: &(dyn Fn(&RunEvent) + Sync)) -> Result<()> {
        let (newest, games) = (lock(&self.state).newest, lock(&self.games));
        tell(&RunEvent::Begun { newest, sums: games.log.sums(), window: games.window.len() });
        drop(games);
        let failure: Mutex<Option<Error>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for idx in 0..self.settings.machine.threads {
                let failure = &failure;
                scope.spawn(move || {
                    // Whoever cannot go on ends the run, also by a panic.
                    let stopper = StopOnDrop(&self.stop);
                    match work::Worker::new(self, idx).work(tell) {
                        Ok(()) => std::mem::forget(stopper),
                        Err(error) => {
                            lock(failure).get_or_insert(error);
                        }
                    }
                });
            }
        });
        let ended = self.close(tell);
        lock(&failure).take().map_or(ended, Err)
    }

    /// Brings to the disk what is not there yet.
    fn close(&self, tell: &(dyn Fn(&RunEvent) + Sync)) -> Result<()> {
        let mut games = lock(&self.games);
        games.log.store()?;
        self.folder.store_checkpoint(&lock(&self.learner).checkpoint()?)?;
        let mut state = lock(&self.state);
        (state.seconds, state.cpu_seconds) = self.seconds();
        self.folder.set_state(&state)?;
        tell(&RunEvent::Ended { newest: state.newest, sums: games.log.sums() });
        Ok(())
    }

    /// Seconds at work, and of processor time; those of earlier times included.
    fn seconds(&self) -> (f64, f64) {
        let (wall, cpu) = self.seconds_before;
        let now = cpu_time::seconds().unwrap_or(0.0);
        (wall + self.begun.elapsed().as_secs_f64(), cpu + now - self.cpu_begun)
    }

    /// Whether somebody stopped the run, or it has reached its end.
    fn is_over(&self) -> bool {
        let stop = &self.settings.stop;
        let is_reached = |most: f64, now: f64| most > 0.0 && now >= most;
        let (wall, cpu) = self.seconds();
        let is_over = self.stop.load(Ordering::Relaxed)
            || is_reached(3600.0 * stop.hours, wall)
            || is_reached(3600.0 * stop.cpu_hours, cpu)
            || is_reached(stop.games as f64, lock(&self.games).log.sums().games as f64)
            || is_reached(f64::from(stop.nets), f64::from(lock(&self.state).newest));
        if is_over {
            self.stop.store(true, Ordering::Relaxed);
        }
        is_over
    }
}

/// Ends the run when it is dropped.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Games {
    /// The games of a folder: the rows of the latest ones fill the window, and the latest that were checked tell of giving up.
    fn open(
        folder: &RunFolder,
        settings: &RunSettings,
        start: &dyn Tabletop,
        state: &RunState,
    ) -> Result<Self> {
        let log = GamesLog::open(folder, state.newest)?;
        let sums = log.sums();
        let most = settings.learn.window(sums.positions);
        let (mut latest, mut n_rows) = (Vec::new(), 0);
        for net in (0..=state.newest).rev() {
            if n_rows >= most {
                break;
            }
            let Some((_, games)) = folder.read_games(net)? else { continue };
            n_rows += games.iter().map(|game| game.searched.len()).sum::<usize>();
            latest.push(games);
        }
        let play = &settings.play;
        let mut games = Self {
            log,
            window: Window::default(),
            resign: ResignWatch::new(play.resign_below, play.resign_errors),
            tally: GameTally::default(),
            tally_from: state.seconds,
            n_begun: sums.last,
            stored_at: Instant::now(),
        };
        for game in latest.into_iter().rev().flatten() {
            let rows = game.rows(start, play.value_mix).map_err(Error::input).at(folder.path().display())?;
            games.window.add(rows, most);
            games.note(&game);
        }
        Ok(games)
    }

    /// Takes note of a game for the limit of giving up.
    fn note(&mut self, game: &StoredGame) {
        if let Some(lows) = game.lows {
            self.resign.add(CheckedGame { lows: lows.map(of_parts), result: game.result });
        }
    }
}
