//! Tengen's moves, hints and the counting of dead stones, as jobs of the pool.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goban::{Color, Position, Scoring};
use mcts::Settings;
use player::nets::NetFile;
use player::{Budget, Decision, Player, SearchPlayer, dead};

use super::{Desk, Session, game_of};
use crate::pool::{Job, Progress, lock};
use crate::protocol::spot::point;
use crate::protocol::tell::{Hint, Num};
use crate::protocol::{Answer, Refusal, Tell};
use player::levels::{HINT, Level, NET_HINT};

/// Under territory rules every slice begins with a judgement of the board, so slices are longer by this much.
const JUDGEMENT: Duration = Duration::from_millis(150);
/// Nobody resigns before this fraction, as 1/n, of the board's points is played.
const RESIGN_AFTER: usize = 3;

/// Somebody of ours thinks about one move.
struct Thinking {
    player: Option<SearchPlayer>,
    position: Position,
    color: Color,
    /// Simulations left.
    left: u64,
    /// The end in any case.
    end: Option<Instant>,
    time: Duration,
    may_resign: bool,
    stop: Arc<AtomicBool>,
}

impl Thinking {
    fn new(player: SearchPlayer, position: Position, level: &Level, time: Duration) -> Self {
        let n_plays = position.plays().len();
        let area = position.size().area();
        Self {
            player: Some(player),
            color: position.to_play(),
            left: level.playouts.unwrap_or(u64::MAX),
            end: None,
            time,
            may_resign: n_plays * RESIGN_AFTER > area,
            stop: Arc::default(),
            position,
        }
    }

    /// Thinks until the moment; gives the player back with its decision at the end, or with the reason if it cannot go on.
    fn slice(&mut self, mut until: Instant) -> Option<(SearchPlayer, Result<Decision, String>)> {
        // The time counts from the first turn on: waiting for others is not thinking.
        let end = *self.end.get_or_insert_with(|| Instant::now() + self.time);
        if self.position.rules().scoring == Scoring::Territory {
            until += JUDGEMENT;
        }
        let player = self.player.as_mut()?;
        let budget = Budget {
            playouts: Some(self.left),
            time: Some(
                until.min(end).saturating_duration_since(Instant::now()).max(Duration::from_millis(1)),
            ),
            stop: Arc::clone(&self.stop),
            may_resign: self.may_resign,
            ..Budget::default()
        };
        let decision = player.choose(&self.position, self.color, &budget).map_err(|error| error.to_string());
        let n_run = player.last().map(|thought| (thought.report.simulations, thought.report.is_settled));
        let is_over = match n_run {
            // No search was needed.
            None | Some((0, _)) => true,
            Some((n_run, is_settled)) => {
                self.left = self.left.saturating_sub(n_run);
                is_settled || self.left == 0
            }
        };
        if is_over || decision.is_err() || Instant::now() >= end || self.stop.load(Ordering::Relaxed) {
            return Some((self.player.take()?, decision));
        }
        None
    }
}

/// Tengen's move in a session's game.
struct MoveJob {
    session: Arc<Session>,
    serial: u64,
    thinking: Thinking,
    stop: Arc<AtomicBool>,
}

impl Job for MoveJob {
    fn slice(&mut self, until: Instant) -> Progress {
        if self.stop.load(Ordering::Relaxed) {
            return Progress::Done;
        }
        // A search that panics is no reason to leave the visitor waiting.
        let slice = catch_unwind(AssertUnwindSafe(|| self.thinking.slice(until)));
        match slice {
            Ok(None) => return Progress::More,
            Ok(Some((player, Ok(decision)))) => self.session.decided(self.serial, decision, player),
            Ok(Some((_, Err(why)))) => self.session.failed(self.serial, &why),
            Err(_) => self.session.failed(self.serial, "an error inside the search"),
        }
        Progress::Done
    }

    fn is_short(&self) -> bool {
        true
    }

    fn is_forgotten(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A hint for the visitor.
struct HintJob {
    session: Arc<Session>,
    thinking: Thinking,
    stop: Arc<AtomicBool>,
}

impl Job for HintJob {
    fn slice(&mut self, until: Instant) -> Progress {
        if self.stop.load(Ordering::Relaxed) {
            return Progress::Done;
        }
        let Some((player, decision)) = self.thinking.slice(until) else { return Progress::More };
        let position = &self.thinking.position;
        let size = position.size();
        if let Err(why) = &decision {
            log::error!("{}: the search of a hint failed: {why}", self.session.short_id());
        }
        if let Ok(Decision::Play(vertex)) = decision {
            let line = player.last().and_then(|thought| thought.lines.get(thought.chosen?));
            let line = line.into_iter().flatten().take(6).map(|&to| point(size, to)).collect();
            self.session.tell(&Tell::Hint(Hint {
                ply: position.plays().len(),
                point: point(size, vertex),
                win: player.value().map(Num),
                line,
            }));
        }
        lock(&self.session.desk).hint = None;
        Progress::Done
    }

    fn is_short(&self) -> bool {
        true
    }

    fn is_forgotten(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Finds dead stones.
struct JudgeJob {
    session: Arc<Session>,
    serial: u64,
    position: Position,
    stop: Arc<AtomicBool>,
}

impl Job for JudgeJob {
    fn slice(&mut self, _: Instant) -> Progress {
        if self.stop.load(Ordering::Relaxed) {
            return Progress::Done;
        }
        self.session.judged(self.serial, dead::dead_stones(&self.position));
        Progress::Done
    }

    fn is_short(&self) -> bool {
        true
    }

    fn is_forgotten(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Session {
    /// Starts what is Tengen's to do: its move, or the judgement of the board at the end.
    pub(super) fn set_to_work(self: &Arc<Self>, desk: &mut Desk) {
        desk.trouble = None;
        let position = desk.table.position().clone();
        let (session, serial) = (Arc::clone(self), desk.table.serial());
        let stop: Arc<AtomicBool> = Arc::default();
        let flag = Arc::clone(&stop);
        if desk.table.is_counting() && !desk.table.all_alive() {
            self.means.pool.submit(self.key, Box::new(JudgeJob { session, serial, position, stop: flag }));
        } else if desk.table.is_ours() && desk.is_unchecked {
            match self.lesson_job(&position, desk.table.net(), serial, flag) {
                Ok(job) => self.means.pool.submit(self.key, job),
                // A network may be gone; then nothing is taught, and the game goes on.
                Err(_) => {
                    desk.is_unchecked = false;
                    return self.set_to_work(desk);
                }
            }
        } else if desk.table.is_ours() && desk.lesson.is_none() {
            let level = desk.table.level();
            let time = desk.table.time_for_move().map_or(level.time, |time| time.min(level.time));
            let engine = match desk.engine.take() {
                Some(engine) => Ok(engine),
                None => self
                    .net(desk.table.net())
                    .and_then(|net| self.engine(level, self.means.bounds.memory / 4, net.as_ref())),
            };
            let engine = match engine {
                Ok(engine) => engine,
                // The recipes of the levels are known to be sound, but a network may be gone.
                Err(refusal) => {
                    log::error!("{}: no player for Tengen: {refusal}", self.short_id());
                    desk.trouble = Some(refusal.message);
                    return;
                }
            };
            let thinking = Thinking::new(engine, position, level, time);
            self.means.pool.submit(self.key, Box::new(MoveJob { session, serial, thinking, stop: flag }));
        } else {
            return;
        }
        desk.thinking = Some(stop);
    }

    /// Tengen cannot move: the search of the position of this serial has failed. The visitor is told and may take a move
    /// back or begin anew; nobody has resigned.
    fn failed(&self, serial: u64, why: &str) {
        log::error!("{}: the search of a move failed: {why}", self.short_id());
        let Ok(mut desk) = self.desk() else { return };
        if desk.table.serial() == serial {
            desk.thinking = None;
            desk.engine = None;
            desk.trouble = Some(format!("the search has failed: {why}"));
            self.tell(&game_of(&desk));
        }
    }

    /// A seed for a search.
    pub(super) fn seed(&self) -> u64 {
        self.means.seed.unwrap_or_else(|| {
            let mut bytes = [0; 8];
            // Without randomness from the system all games are alike, which is no reason not to play.
            let _ = getrandom::fill(&mut bytes);
            u64::from_le_bytes(bytes)
        })
    }

    /// A player of a level, which is one with a network or without.
    fn engine(&self, level: &Level, memory: usize, net: Option<&NetFile>) -> Answer<SearchPlayer> {
        let seed = self.seed();
        // Simulations are counted for a level's strength, and those of several threads are worth less.
        let threads = if level.playouts.is_some() { 1 } else { self.means.pool.spare() };
        let memory = self.means.tree_memory(memory);
        let settings = Settings { seed, memory, threads, net: net.map(NetFile::loaded) };
        level.player(&settings).map_err(|error| Refusal::invalid(error.to_string()))
    }

    /// The network for hints and lessons. Without one of its own the game has those of the one that the server was started
    /// with.
    pub(super) fn adviser(&self, net: Option<&str>) -> Answer<Option<NetFile>> {
        let given = self.means.nets.given();
        self.net(net.or(given.as_deref()))
    }

    /// Looks for a good move of the visitor's.
    pub(super) fn hint(self: &Arc<Self>) -> Answer<()> {
        let mut desk = self.desk()?;
        if !desk.table.is_theirs() {
            return Err(Refusal::state("it is not your turn"));
        }
        if desk.hint.is_some() {
            return Ok(());
        }
        let net = self.adviser(desk.table.net())?;
        let level = if net.is_some() { &NET_HINT } else { &HINT };
        let engine = self.engine(level, self.means.bounds.memory / 8, net.as_ref())?;
        let mut thinking = Thinking::new(engine, desk.table.position().clone(), level, level.time);
        thinking.may_resign = false;
        let stop: Arc<AtomicBool> = Arc::default();
        desk.hint = Some(Arc::clone(&stop));
        let session = Arc::clone(self);
        self.means.pool.submit(self.key, Box::new(HintJob { session, thinking, stop }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::house::House;
    use super::*;
    use crate::Config;
    use crate::protocol::tell::Phase;

    #[test]
    fn a_search_that_fails_resigns_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let house = House::new(&Config::local(0, dir.path().to_path_buf())).unwrap();
        let session = house.session(None, [127, 0, 0, 1].into()).unwrap();
        let inbox = session.listen();
        let serial = lock(&session.desk).table.serial();
        session.failed(serial + 1, "of another position");
        assert!(lock(&session.desk).trouble.is_none());
        session.failed(serial, "no more memory");
        let Tell::Game(game) = session.game() else { panic!("no game") };
        assert!(game.phase == Phase::Playing && game.result.is_none() && !game.thinking);
        assert!(game.trouble.unwrap().contains("no more memory"));
        let told = inbox.next(Instant::now());
        assert!(matches!(told, crate::session::news::Told::Text(text) if text.contains("no more memory")));
        house.close();
    }
}
