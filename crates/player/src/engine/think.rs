//! Asking the player: what it sees, its budget, and how a controller that has lost patience reaches it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use goban::{Color, Ko, Position, Rules, Vertex};
use gtp::{GtpError, Interrupt, Response, stderr};

use super::{Engine, graphics};
use crate::player::{Budget, Decision};
use crate::study::{Onlooker, StudyQuestion};
use crate::survey::Survey;
use crate::time::plan;

/// How often a thinking engine looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(5);

/// The purpose of a search for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be played.
    Play,
    /// To be played in a game whose dead stones must be captured.
    Cleanup,
    /// To be shown only.
    Study,
}

impl Engine {
    /// Thinks about a move and, unless it is for study, plays it and takes the time off the clock. GoGui sees the thinking
    /// if it has asked to.
    pub(super) fn genmove(&mut self, color: Color, purpose: Purpose, interrupt: &Interrupt) -> Response {
        if !self.is_live {
            return self.genmove_watched(color, purpose, interrupt, None);
        }
        let mut show = |survey: &Survey| graphics::show_live(survey);
        let mut onlooker = Onlooker::new(StudyQuestion::default(), graphics::EVERY, &mut show);
        self.genmove_watched(color, purpose, interrupt, Some(&mut onlooker))
    }

    /// The same with somebody looking on or not.
    pub(super) fn genmove_watched(
        &mut self,
        color: Color,
        purpose: Purpose,
        interrupt: &Interrupt,
        onlooker: Option<&mut Onlooker<'_>>,
    ) -> Response {
        let start = Instant::now();
        let budget = self.budget(purpose);
        let position = strict(&self.position);
        let mut player = self.seat.player();
        let decision = watched(&|| interrupt.requested(), &budget.stop, || match onlooker {
            Some(onlooker) => player.choose_watched(&position, color, &budget, onlooker),
            None => player.choose(&position, color, &budget),
        })
        .map_err(|error| GtpError(error.to_string()))?;
        self.comment = player.explain();
        drop(player);
        let size = self.position.size();
        match (decision, purpose) {
            (Decision::Play(vertex), Purpose::Study) => return Ok(size.show(vertex)),
            (Decision::Resign, Purpose::Study) => return Ok("resign".to_string()),
            _ => {}
        }
        // Time that the clock says is lost has been lost; whoever holds the real clock decides.
        self.clocks[color.idx()].spend(start.elapsed());
        match decision {
            Decision::Resign => Ok("resign".to_string()),
            Decision::Play(vertex) => {
                let vertex = self.make(color, vertex);
                if self.options.ponder && !self.position.is_over() && !interrupt.requested() {
                    self.seat.ponder(strict(&self.position), !color);
                }
                Ok(size.show(vertex))
            }
        }
    }

    /// Plays our own move. A player that errs costs a pass and a line in the log, since a refused `genmove` would cost
    /// the game.
    fn make(&mut self, color: Color, vertex: Vertex) -> Vertex {
        let Err(error) = self.position.play(color, vertex) else { return vertex };
        stderr::log(&format!("{} passes: {error}", self.seat.player().name()));
        // A pass is always legal.
        let _ = self.position.play(color, Vertex::PASS);
        Vertex::PASS
    }

    fn budget(&self, purpose: Purpose) -> Budget {
        let time = match (self.options.time, self.turn_limit.map(plan::within)) {
            (Some(time), Some(limit)) => Some(time.min(limit)),
            (time, limit) => time.or(limit),
        };
        Budget {
            playouts: self.options.playouts,
            time,
            clocks: (purpose != Purpose::Study).then_some(self.clocks),
            may_resign: self.options.may_resign && purpose == Purpose::Play,
            cleanup: purpose == Purpose::Cleanup,
            ..Budget::default()
        }
    }
}

/// The position as our player sees it: without suicide and without any repetition. That is legal everywhere, whatever
/// the client has told us of the rules or has not.
pub(super) fn strict(position: &Position) -> Position {
    let mut strict = position.clone();
    strict.set_rules(Rules { ko: Ko::Positional, suicide: false, ..position.rules() });
    strict
}

/// Does some work while another thread looks whether it `must_end` and passes that on to it.
pub(crate) fn watched<T>(
    must_end: &(dyn Fn() -> bool + Sync),
    stop: &AtomicBool,
    work: impl FnOnce() -> T,
) -> T {
    let done = AtomicBool::new(false);
    let watch = || {
        while !done.load(Ordering::Relaxed) {
            if must_end() {
                stop.store(true, Ordering::Relaxed);
            }
            thread::park_timeout(LOOK);
        }
    };
    thread::scope(|scope| {
        // Without a watcher the work is merely not interrupted.
        let watcher = thread::Builder::new().spawn_scoped(scope, watch).ok();
        let _release =
            Release { done: &done, watcher: watcher.as_ref().map(|handle| handle.thread().clone()) };
        work()
    })
}

/// Sends the watcher home, also when the work has panicked.
struct Release<'a> {
    done: &'a AtomicBool,
    watcher: Option<thread::Thread>,
}

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.watcher.iter().for_each(thread::Thread::unpark);
    }
}
