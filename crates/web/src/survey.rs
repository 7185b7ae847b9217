//! A whole game under review: the page is told of each position as it is looked at, and of the mistakes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use goban::{Color, Size};
use player::review::{
    Finding, GameLine, Glance, Grade, Ledger, MoveReview, Review, ReviewBudget, ReviewMeans, ReviewWorker,
    Slice, SpeedTest, Task, Variation,
};

use crate::pool::{Job, Progress};
use crate::protocol::spot::point;
use crate::protocol::tell::{self, Num};
use crate::protocol::{Refusal, Tell};

/// The budget of a review.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Allowed {
    /// Simulations for each position.
    Playouts(u64),
    /// Seconds for the whole game, about.
    Seconds(f64),
}

/// A review at work.
pub(crate) struct SurveyJob {
    number: u64,
    line: GameLine,
    means: ReviewMeans,
    allowed: Allowed,
    speed: Option<SpeedTest>,
    ledger: Option<Ledger>,
    tasks: VecDeque<Task>,
    worker: Option<ReviewWorker>,
    stop: Arc<AtomicBool>,
    /// Says whether anybody listens.
    tell: Box<dyn Fn(&Tell) -> bool + Send>,
}

impl SurveyJob {
    pub(crate) fn new(
        number: u64,
        line: GameLine,
        means: ReviewMeans,
        allowed: Allowed,
        stop: Arc<AtomicBool>,
        tell: impl Fn(&Tell) -> bool + Send + 'static,
    ) -> Self {
        Self {
            number,
            line,
            means,
            allowed,
            speed: None,
            ledger: None,
            tasks: VecDeque::new(),
            worker: None,
            stop,
            tell: Box::new(tell),
        }
    }

    /// The ledger, once it is known what may be spent; none if that is still measured, or cannot be.
    fn ledger(&mut self, slice: &Slice) -> Result<Option<&mut Ledger>, recipe::Error> {
        if self.ledger.is_none() {
            let n = self.line.n_positions();
            let budget = match self.allowed {
                Allowed::Playouts(playouts) => ReviewBudget { playouts },
                Allowed::Seconds(seconds) => {
                    let test = match self.speed.take() {
                        Some(test) => test,
                        None => SpeedTest::new(&self.means, &self.line)?,
                    };
                    let Some(speed) = self.speed.insert(test).step(slice) else { return Ok(None) };
                    ReviewBudget::of_time(seconds, speed, n)
                }
            };
            self.speed = None;
            self.ledger = Some(Ledger::new(budget, n));
        }
        Ok(self.ledger.as_mut())
    }

    /// Works until the moment; whether anything is left to do for somebody who listens.
    fn work(&mut self, until: Instant) -> Result<Progress, recipe::Error> {
        let slice = Slice { until: Some(until), stop: Arc::clone(&self.stop) };
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Progress::Done);
            }
            if self.ledger(&slice)?.is_none() {
                return Ok(Progress::More);
            }
            let Some(ledger) = &mut self.ledger else { return Ok(Progress::Done) };
            if self.worker.is_none() {
                if self.tasks.is_empty() {
                    self.tasks = ledger.tasks().into();
                }
                self.worker = self.tasks.pop_front().map(ReviewWorker::new);
            }
            let Some(worker) = &mut self.worker else {
                (self.tell)(&Tell::Review(self.message(true)));
                return Ok(Progress::Done);
            };
            let Some(found) = worker.step(&self.means, &self.line, ledger.budget(), &slice)? else {
                return Ok(Progress::More);
            };
            self.worker = None;
            for finding in found {
                if !self.take(finding) {
                    return Ok(Progress::Done);
                }
            }
            if Instant::now() >= until {
                return Ok(Progress::More);
            }
        }
    }

    /// Takes in what was found and tells of it; whether anybody listens.
    fn take(&mut self, finding: Finding) -> bool {
        let Some(ledger) = &mut self.ledger else { return false };
        let told = match &finding {
            Finding::Glance(glance) => Some(Tell::Survey(glance_of(self.number, &self.line, glance))),
            Finding::Duel(_) => None,
        };
        ledger.add(finding);
        let message = told.unwrap_or_else(|| Tell::Review(self.message(false)));
        (self.tell)(&message)
    }

    /// What is known of the game so far.
    fn message(&self, done: bool) -> tell::ReviewMessage {
        let size = self.line.last().size();
        let Some(ledger) = &self.ledger else { return tell::ReviewMessage::default() };
        let review = Review::new(&self.line, ledger);
        let worth_telling = |one: &&MoveReview| one.grade.is_mistake() || one.grade == Grade::Unsure;
        let numbers = |values: &[f32]| values.iter().copied().map(Num).collect();
        tell::ReviewMessage {
            number: self.number,
            playouts: ledger.budget().playouts,
            share: Num(if done {
                1.0
            } else {
                (ledger.n_spent() as f32 / ledger.n_allowed().max(1) as f32).min(1.0)
            }),
            moves: review.moves.iter().filter(worth_telling).map(|one| move_of(size, one)).collect(),
            win: if done { numbers(&review.black) } else { Vec::new() },
            score: if done { numbers(&review.score) } else { Vec::new() },
            done,
        }
    }
}

impl Job for SurveyJob {
    fn slice(&mut self, until: Instant) -> Progress {
        self.work(until).unwrap_or_else(|error| {
            let refusal = Refusal::invalid(error.to_string());
            (self.tell)(&crate::session::error(Some("survey".to_string()), refusal));
            Progress::Done
        })
    }

    fn is_forgotten(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The message for a glance at a position.
fn glance_of(number: u64, line: &GameLine, glance: &Glance) -> tell::SurveyPoint {
    let is_black = glance.to_play == Color::Black;
    let best = glance.candidates.first().and_then(Variation::vertex);
    tell::SurveyPoint {
        number,
        ply: glance.ply,
        of: line.n_positions(),
        win: Num(if is_black { glance.win } else { 1.0 - glance.win }),
        score: Num(if is_black { glance.margin } else { -glance.margin }),
        best: best.map(|to| point(line.last().size(), to)),
    }
}

/// The message for a move.
fn move_of(size: Size, one: &MoveReview) -> tell::ReviewedMove {
    let interval =
        |estimate: &player::review::Estimate| (Num(estimate.mean), Num(estimate.low), Num(estimate.high));
    let line = one.better.iter().flat_map(|better| &better.line);
    tell::ReviewedMove {
        ply: one.number,
        verdict: one.grade.word(),
        loss: interval(&one.loss),
        points: interval(&one.points),
        line: line.map(|&to| point(size, to)).collect(),
    }
}
