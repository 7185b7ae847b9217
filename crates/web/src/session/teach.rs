//! The cost of a visitor's move, as `player::review` judges it: a mistake that is beyond doubt is told at once, anything
//! less is let pass.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goban::{Position, Size, Vertex};
use player::levels::NET_RECIPE;
use player::nets::NetFile;
use player::review::thresholds::{SINGLE_NET_PLAYOUTS, SINGLE_PLAYOUTS};
use player::review::{MoveReview, ReviewBudget, ReviewMeans, SingleReview, Slice};

use super::{Desk, Session};
use crate::pool::{Job, Progress};
use crate::protocol::spot::point;
use crate::protocol::tell::{Lesson, Num};
use crate::protocol::{Answer, Refusal};
use crate::study;

/// The longest that the visitor waits, on however slow a machine, not counting waiting for others.
const PATIENCE: Duration = Duration::from_secs(8);
/// Moves of a line that is shown.
const LINE: usize = 8;

/// The review of the visitor's last move in a session's game.
struct LessonJob {
    session: Arc<Session>,
    serial: u64,
    size: Size,
    review: SingleReview,
    means: ReviewMeans,
    /// The end in any case, from the first turn on.
    end: Option<Instant>,
    stop: Arc<AtomicBool>,
}

impl Job for LessonJob {
    fn slice(&mut self, until: Instant) -> Progress {
        if self.stop.load(Ordering::Relaxed) {
            return Progress::Done;
        }
        let end = *self.end.get_or_insert_with(|| Instant::now() + PATIENCE);
        let slice = Slice { until: Some(until.min(end)), stop: Arc::clone(&self.stop) };
        // A review that fails teaches nothing, and the game goes on.
        let step = catch_unwind(AssertUnwindSafe(|| self.review.step(&self.means, &slice)));
        let lesson = match step {
            Ok(Ok(false)) if Instant::now() < end => return Progress::More,
            Ok(Ok(_)) => lesson(self.size, &self.review.verdict()),
            Ok(Err(error)) => {
                log::error!("{}: a move cannot be reviewed: {error}", self.session.short_id());
                None
            }
            Err(_) => {
                log::error!("{}: the review of a move has panicked", self.session.short_id());
                None
            }
        };
        self.session.reviewed(self.serial, lesson);
        Progress::Done
    }

    fn is_forgotten(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_short(&self) -> bool {
        true
    }
}

/// What there is to say of a move; nothing unless it is a mistake. Where a pass would have been better there is nothing to
/// learn.
fn lesson(size: Size, one: &MoveReview) -> Option<Lesson> {
    let better = one.better.as_ref().filter(|better| better.vertex().is_some_and(|to| !to.is_pass()))?;
    if !one.grade.is_mistake() {
        return None;
    }
    let line = |moves: &[Vertex]| moves.iter().take(LINE).map(|&to| point(size, to)).collect();
    Some(Lesson {
        ply: one.number - 1,
        played: Num(one.left),
        best: Num(one.best),
        low: Num(one.loss.low),
        high: Num(one.loss.high),
        points: Num(one.points.mean.max(0.0)),
        played_line: line(&[&[one.play.vertex], one.answer.as_slice()].concat()),
        best_line: line(&better.line),
    })
}

/// Nothing is held against the visitor's last move.
pub(super) fn forget_lesson(desk: &mut Desk) {
    desk.is_unchecked = false;
    desk.lesson = None;
}

impl Session {
    /// Whether the visitor is taught from now on. Without it a move that is being looked at stands.
    pub(super) fn teach(self: &Arc<Self>, on: bool) -> Answer<()> {
        let mut desk = self.desk()?;
        desk.table.set_teach(on)?;
        let is_turn = !on && (desk.is_unchecked || desk.lesson.is_some());
        if is_turn {
            forget_lesson(&mut desk);
        }
        self.changed(&mut desk, is_turn)
    }

    /// A move that was shown to be costly stands.
    pub(super) fn play_on(self: &Arc<Self>) -> Answer<()> {
        let mut desk = self.desk()?;
        if desk.lesson.is_none() {
            return Err(Refusal::state("no move waits for a decision"));
        }
        forget_lesson(&mut desk);
        self.changed(&mut desk, true)
    }

    /// The job that reviews the last move of the position.
    pub(super) fn lesson_job(
        self: &Arc<Self>,
        position: &Position,
        net: Option<&str>,
        serial: u64,
        stop: Arc<AtomicBool>,
    ) -> Answer<Box<dyn Job>> {
        let net = self.adviser(net)?;
        let (recipe, playouts) = match &net {
            Some(_) => (NET_RECIPE, SINGLE_NET_PLAYOUTS),
            None => ("default", SINGLE_PLAYOUTS),
        };
        let means = ReviewMeans {
            recipe: study::recipe(recipe)?,
            net: net.as_ref().map(NetFile::loaded),
            memory: self.means.tree_memory(self.means.bounds.memory / 8),
            seed: self.seed(),
        };
        let review = SingleReview::new(position.clone(), ReviewBudget { playouts })
            .ok_or_else(|| Refusal::state("no move was made"))?;
        let (session, size) = (Arc::clone(self), position.size());
        Ok(Box::new(LessonJob { session, serial, size, review, means, end: None, stop }))
    }

    /// The visitor's last move was reviewed: Tengen moves, or waits if there is something to say.
    fn reviewed(self: &Arc<Self>, serial: u64, lesson: Option<Lesson>) {
        let Ok(mut desk) = self.desk() else { return };
        if desk.table.serial() != serial || !desk.is_unchecked {
            return;
        }
        desk.is_unchecked = false;
        desk.thinking = None;
        desk.lesson = lesson;
        self.set_to_work(&mut desk);
        self.tell(&super::game_of(&desk));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Color, PlayedMove};
    use player::review::{Estimate, Grade, Variation};

    #[test]
    fn only_mistakes_beside_a_better_move_are_worth_a_lesson() {
        let size = Size::square(9).unwrap();
        let [a, b, c] = [Vertex::new(0, 0), Vertex::new(4, 4), Vertex::new(2, 2)];
        let mistake = MoveReview {
            number: 12,
            play: PlayedMove { color: Color::White, vertex: a },
            grade: Grade::Mistake,
            loss: Estimate { mean: 0.2, low: 0.1, high: 0.3 },
            points: Estimate { mean: 3.0, low: 1.0, high: 5.0 },
            best: 0.6,
            left: 0.4,
            better: Some(Variation { win: 0.6, visits: 100, line: vec![b, a] }),
            answer: vec![c],
            n_duels: 2,
        };
        let told = lesson(size, &mistake).unwrap();
        assert_eq!((told.ply, told.low, told.high), (11, Num(0.1), Num(0.3)));
        assert_eq!(told.played_line, [point(size, a), point(size, c)]);
        assert_eq!(told.best_line, [point(size, b), point(size, a)]);
        assert_eq!(lesson(size, &MoveReview { grade: Grade::Unsure, ..mistake.clone() }), None);
        let pass = Some(Variation { win: 0.6, visits: 100, line: vec![Vertex::PASS] });
        assert_eq!(lesson(size, &MoveReview { better: pass, ..mistake }), None);
    }
}
