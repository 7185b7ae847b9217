//! One position at work: a turn of a question, searched in slices.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goban::Symmetry;
use mcts::Settings;
use model::net::output::NetEvaluation;
use recipe::Recipe;

use super::ask::Query;
use crate::nets::{self, NetFile};
use crate::player::PlayerError;
use crate::searcher;
use crate::study::{Study, StudyStep};
use crate::survey::Survey;

/// How long a job searches before it is looked whether another is more urgent.
const SLICE: Duration = Duration::from_millis(50);

/// A turn of a question.
pub(super) struct AnalysisJob {
    pub(super) query: Arc<Query>,
    /// Which of the question's turns.
    pub(super) idx: usize,
    /// Set when nobody wants more than what has been found.
    pub(super) stop: Arc<AtomicBool>,
    /// Whether its tree is kept while others are searched.
    pub(super) has_place: bool,
    /// What the network says of the position by itself, once it was asked; -1 stands for the policy of illegal moves.
    raw: OnceCell<Option<NetEvaluation>>,
    /// The search, once it has begun.
    study: Option<BegunJob>,
}

struct BegunJob {
    study: Box<dyn Study>,
    /// When it is told next what has been found so far, if that is wanted.
    next: Option<Instant>,
    /// Seconds of searching up to now.
    seconds: f64,
}

/// The state of a job after a slice.
pub(super) enum JobProgress {
    /// There is more to do.
    More,
    /// There is more to do, and something to tell.
    Partial(Survey),
    /// That is all.
    Done(Survey),
    /// The search could not begin because of this field.
    Failed(&'static str, String),
    /// It was ended before it began.
    Nothing,
}

impl AnalysisJob {
    /// The jobs of a question, one for each turn.
    pub(super) fn of(query: &Arc<Query>) -> Vec<Self> {
        let job = |idx| Self {
            query: Arc::clone(query),
            idx,
            stop: Arc::new(AtomicBool::new(false)),
            has_place: false,
            raw: OnceCell::new(),
            study: None,
        };
        (0..query.turns.len()).map(job).collect()
    }

    /// The number of moves before the position.
    pub(super) fn turn(&self) -> usize {
        self.query.turns[self.idx].number
    }

    /// The larger the sooner.
    pub(super) fn priority(&self) -> i64 {
        self.query.turns[self.idx].priority
    }

    /// Whether it has a tree.
    pub(super) fn has_begun(&self) -> bool {
        self.study.is_some()
    }

    /// Forgets what was found; the search begins anew.
    pub(super) fn give_up_tree(&mut self) {
        self.study = None;
    }

    /// How long it has been searched.
    pub(super) fn spent(&self) -> Duration {
        Duration::from_secs_f64(self.study.as_ref().map_or(0.0, |begun| begun.seconds))
    }

    /// What the network says of the position by itself.
    pub(super) fn raw(&self, net: &NetFile) -> Option<&NetEvaluation> {
        let ask = || {
            let position = self.query.position(self.turn());
            let mut raw = nets::raw::evaluate_file(net, &position, Symmetry::IDENTITY).ok()?;
            for (p, vertex) in raw.policy.iter_mut().zip(position.size().vertices()) {
                if !position.is_legal(position.to_play(), vertex) {
                    *p = -1.0;
                }
            }
            Some(raw)
        };
        self.raw.get_or_init(ask).as_ref()
    }

    /// Searches on for a while.
    pub(super) fn slice(&mut self, recipe: &Recipe, settings: &Settings) -> JobProgress {
        let mut begun = match self.study.take() {
            Some(begun) => begun,
            None if self.stop.load(Ordering::Relaxed) => return JobProgress::Nothing,
            None => match self.begin(recipe, settings) {
                Ok(begun) => begun,
                Err(PlayerError::Unable { why, .. }) => return JobProgress::Failed("", why),
                Err(error) => return JobProgress::Failed("", error.to_string()),
            },
        };
        let query = &self.query;
        let now = Instant::now();
        let mut until = now + SLICE;
        if let Some(time) = query.max_time {
            until = until.min(now + Duration::from_secs_f64((time - begun.seconds).max(0.0)));
        }
        if let Some(next) = begun.next {
            until = until.min(next.max(now));
        }
        let step = StudyStep { simulations: query.max_visits, until, stop: Arc::clone(&self.stop) };
        let survey = begun.study.step(&step);
        begun.seconds = survey.seconds;
        let is_out_of_time = query.max_time.is_some_and(|time| survey.seconds >= time);
        if survey.is_done || is_out_of_time || self.stop.load(Ordering::Relaxed) {
            return JobProgress::Done(survey);
        }
        let is_due = begun.next.is_some_and(|next| Instant::now() >= next);
        if is_due {
            begun.next = query.report_every.map(|every| Instant::now() + every);
        }
        self.study = Some(begun);
        if is_due { JobProgress::Partial(survey) } else { JobProgress::More }
    }

    fn begin(&self, recipe: &Recipe, settings: &Settings) -> Result<BegunJob, PlayerError> {
        let position = self.query.position(self.turn());
        let color = position.to_play();
        let study = searcher::study(recipe, settings, &position, color, &self.query.question(color))?;
        let next = self.query.first_report.map(|first| Instant::now() + first);
        Ok(BegunJob { study, next, seconds: 0.0 })
    }
}

/// A search that does nothing, for tests of who is searched when.
#[cfg(test)]
struct Idle;

#[cfg(test)]
impl Study for Idle {
    fn step(&mut self, _: &StudyStep) -> Survey {
        unreachable!("nobody searches here")
    }
}

#[cfg(test)]
impl AnalysisJob {
    /// As if it had been searched for so long.
    pub(super) fn pretend(&mut self, seconds: f64) {
        self.study = Some(BegunJob { study: Box::new(Idle), next: None, seconds });
    }
}
