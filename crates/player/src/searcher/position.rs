//! The search of one position, which everybody makes here: players, studies, reviews, explanations, traces and labels. It
//! bars what the rules, superko and good sense forbid at the root, tells a network of earlier boards, and keeps its tree
//! when the game goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goban::{AnyBoard, Color, Position, Vertex};
use mcts::go_search::{self, GoSearch, Situation};
use mcts::report::Arm;
use mcts::{GameProgress, Limits, Notes, Report, Settings};
use recipe::Recipe;

use super::Thought;
use super::manners::may_pass;
use crate::study::{Onlooker, StudyQuestion};
use crate::survey::{Survey, Wants};
use crate::time::{SearchStanding, TimePlan, Watch};

/// The budget of one search.
pub(super) struct SearchEffort<'a> {
    /// New simulations, exactly unless the time runs out; without them the plan alone decides.
    pub(super) playouts: Option<u64>,
    /// The time, if it matters.
    pub(super) plan: Option<TimePlan>,
    /// When the move was asked for.
    pub(super) start: Instant,
    /// Set by anyone who wants the move now.
    pub(super) stop: &'a Arc<AtomicBool>,
}

/// Simulations after which nobody ponders on.
const MAX_PONDERED: u64 = 1_000_000_000;

/// A search and the position at the root of its tree.
pub struct PositionSearch {
    search: Box<dyn GoSearch>,
    position: Position,
    color: Color,
    /// Whether a network was loaded, which is told of earlier boards.
    has_net: bool,
}

impl PositionSearch {
    /// A search of `position`, in which `color` is to move, that looks at all moves that [`StudyQuestion::default`] allows.
    ///
    /// # Errors
    /// A recipe that does not fit the board or the network.
    pub fn new(
        recipe: &Recipe,
        settings: &Settings,
        position: &Position,
        color: Color,
    ) -> Result<Self, recipe::Error> {
        let has_net = settings.net.is_some();
        let boards = if has_net { boards_before(position) } else { [None, None] };
        let mut search =
            go_search::build(recipe, &with_boards(situation(position, color), &boards), settings)?;
        search.set_progress(progress(position));
        let mut made = Self { search, position: position.clone(), color, has_net };
        made.ask(&StudyQuestion::default());
        Ok(made)
    }

    /// The position at the root.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Who is to move there.
    pub fn to_play(&self) -> Color {
        self.color
    }

    /// Brings the tree's root to `position`, keeping what is known of it; false if that takes another search. What may be
    /// looked at is then to be said again.
    pub fn catch_up(&mut self, position: &Position, color: Color) -> bool {
        if position.size() != self.position.size() {
            return false;
        }
        let went_on = self.advance_to(position, color);
        let boards = if self.has_net && !went_on { boards_before(position) } else { [None, None] };
        if went_on || self.search.set_situation(&with_boards(situation(position, color), &boards)) {
            self.search.set_progress(progress(position));
            self.position.clone_from(position);
            self.color = color;
            return true;
        }
        false
    }

    /// Plays the moves made since the last question in the tree; false if the game did not simply go on.
    fn advance_to(&mut self, position: &Position, color: Color) -> bool {
        let old = &self.position;
        let is_same_game = old.komi() == position.komi()
            && old.rules() == position.rules()
            && old.handicap() == position.handicap()
            && position.plays().starts_with(old.plays())
            // The hashes tell of setups that the plays do not show.
            && position.hashes().starts_with(old.hashes());
        if !is_same_game {
            return false;
        }
        let n_old = old.plays().len();
        let new = &position.plays()[n_old..];
        let mut mover = self.color;
        for (n, play) in new.iter().enumerate() {
            // Nobody moves twice in the tree, and nobody kills his own stones there.
            let is_suicide = position.rules().suicide
                && !play.vertex.is_pass()
                && position.board_after(n_old + n + 1).is_empty(play.vertex);
            if play.color != mover || is_suicide {
                return false;
            }
            mover = !mover;
        }
        if mover != color {
            return false;
        }
        for play in new {
            self.search.advance(play.vertex);
        }
        // A game that is played on after two passes starts a new search.
        position.n_passes() < 2
    }

    /// What to play among the moves that are legal and `wanted`; nothing if there are none.
    pub(super) fn think(
        &mut self,
        effort: &SearchEffort<'_>,
        wanted: &dyn Fn(Vertex) -> bool,
        mut onlooker: Option<&mut Onlooker<'_>>,
    ) -> Thought {
        let notes = onlooker.as_ref().map_or_else(Notes::default, |onlooker| onlooker.question.wants.notes());
        self.search.set_notes(notes);
        let report = match self.restrict(wanted) {
            0 => return Thought::default(),
            // A move that must be made needs no time.
            1 if effort.playouts.is_none() && effort.plan.is_some() => {
                self.search.run(&Limits::simulations(1))
            }
            _ => self.search(effort, onlooker.as_deref_mut()),
        };
        // The tree knows no superko, and barred arms are not in the report; what is played is looked at all the same.
        let picked = self.search.pick(&report).filter(|&vertex| self.position.is_legal(self.color, vertex));
        if let Some(onlooker) = onlooker {
            onlooker.tell(&self.survey(&report, picked, onlooker.question.wants));
        }
        let line = |arm: &Arm| arm.line.iter().map(|&action| self.search.vertex(action)).collect();
        let lines: Vec<Vec<Vertex>> = report.arms.iter().map(line).collect();
        let chosen = picked.and_then(|vertex| lines.iter().position(|line| line.first() == Some(&vertex)));
        Thought { report, lines, chosen, time: Duration::ZERO }
    }

    /// Bars all root moves that are illegal or not wanted; returns how many are left.
    fn restrict(&mut self, wanted: &dyn Fn(Vertex) -> bool) -> usize {
        let (position, color) = (&self.position, self.color);
        let mut n_choices = 0;
        self.search.restrict_root(&mut |vertex| {
            let is_allowed = wanted(vertex) && position.is_legal(color, vertex);
            n_choices += usize::from(is_allowed);
            is_allowed
        });
        n_choices
    }

    /// Runs the search: in one piece for a number of simulations, else in slices as the watch wants them.
    fn search(&mut self, effort: &SearchEffort<'_>, mut onlooker: Option<&mut Onlooker<'_>>) -> Report {
        let limits = |simulations, time: Option<Duration>| Limits {
            simulations,
            deadline: time.and_then(|time| effort.start.checked_add(time)),
            stop: Some(Arc::clone(effort.stop)),
        };
        let Some(plan) = effort.plan.filter(|_| effort.playouts.is_none()) else {
            let n = effort.playouts.unwrap_or(super::DEFAULT_PLAYOUTS);
            let limits = limits(n, effort.plan.map(|plan| plan.target));
            return self.run_watched(&limits, None, onlooker);
        };
        let watch = Watch::new(plan, effort.start.elapsed());
        let mut total: Option<Report> = None;
        let mut standing = None;
        while let Some(until) = watch.next(effort.start.elapsed(), standing.as_ref()) {
            let report =
                self.run_watched(&limits(u64::MAX, Some(until)), total.take(), onlooker.as_deref_mut());
            standing = Some(SearchStanding::new(&report, report.simulations));
            let is_over = report.is_settled || effort.stop.load(Ordering::Relaxed);
            total = Some(report);
            if is_over {
                break;
            }
        }
        total.unwrap_or_default()
    }

    /// Runs the search to its limits, in pieces where somebody looks on. What the runs before found is taken in.
    fn run_watched(
        &mut self,
        limits: &Limits,
        before: Option<Report>,
        onlooker: Option<&mut Onlooker<'_>>,
    ) -> Report {
        let Some(onlooker) = onlooker else {
            let report = self.search.run(limits);
            return match before {
                Some(before) => report.after(&before),
                None => report,
            };
        };
        let n_before = before.as_ref().map_or(0, |before| before.simulations);
        let mut total = before;
        loop {
            let n_run = total.as_ref().map_or(0, |total| total.simulations) - n_before;
            let look = onlooker.next();
            let piece = Limits {
                simulations: limits.simulations.saturating_sub(n_run),
                deadline: Some(limits.deadline.map_or(look, |deadline| deadline.min(look))),
                stop: limits.stop.clone(),
            };
            let report = self.search.run(&piece);
            let n_piece = report.simulations;
            let report = match total.take() {
                Some(before) => report.after(&before),
                None => report,
            };
            let is_stopped = limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
            let now = Instant::now();
            if n_piece < 1
                || n_piece >= piece.simulations
                || report.is_settled
                || is_stopped
                || limits.deadline.is_some_and(|deadline| now >= deadline)
            {
                return report;
            }
            if now >= look {
                onlooker.tell(&self.survey(&report, None, onlooker.question.wants));
            }
            total = Some(report);
        }
    }

    /// What a report says, for those who look on.
    pub fn survey(&self, report: &Report, choice: Option<Vertex>, wants: Wants) -> Survey {
        Survey::new(self.search.as_ref(), report, self.position.size(), choice, wants)
    }

    /// Looks at what a question allows from now on, and takes the notes that it wants; false if no move is left to look at.
    /// Unless the question names the moves, a pass is among them only where it is worth looking at; see [`may_pass`].
    pub fn ask(&mut self, question: &StudyQuestion) -> bool {
        self.search.set_notes(question.wants.notes());
        let passes = question.allow.is_some() || may_pass(&self.position, self.color);
        let n_choices = self.restrict(&|vertex| question.allows(vertex) && (passes || !vertex.is_pass()));
        // Where nothing but a pass is left, it is looked at whatever it is worth.
        n_choices > 0 || self.restrict(&|vertex| question.allows(vertex)) > 0
    }

    /// Searches on.
    pub fn run(&mut self, limits: &Limits) -> Report {
        self.search.run(limits)
    }

    /// What the search thinks now.
    pub fn report(&mut self) -> Report {
        self.search.report()
    }

    /// The move that would be played.
    pub fn pick(&mut self, report: &Report) -> Option<Vertex> {
        self.search.pick(report).filter(|&vertex| self.position.is_legal(self.color, vertex))
    }

    /// The search itself, for whoever reads its tree.
    pub fn tree(&self) -> &dyn GoSearch {
        self.search.as_ref()
    }

    /// Who is to move after these moves, and the arms there; see [`GoSearch::arms_below`].
    pub fn arms_below(&mut self, line: &[Vertex]) -> Option<(Color, Vec<Arm>)> {
        self.search.arms_below(line)
    }

    /// Thinks about the position until somebody sets `stop`; what is found stays in the tree.
    pub(super) fn ponder(&mut self, stop: &Arc<AtomicBool>) {
        if self.restrict(&|_| true) > 0 {
            self.search.run(&Limits::simulations(MAX_PONDERED).or_when(Arc::clone(stop)));
        }
    }
}

/// How far the game is, on which an extra komi may depend.
fn progress(position: &Position) -> GameProgress {
    GameProgress { n_moves: position.plays().len() as u32, handicap: position.handicap() as u32 }
}

/// The position as the search sees it: komi with the compensation for handicap stones, and a pass just made
/// counts, so that a second one ends the game. After two passes the game is played on.
pub fn situation(position: &Position, color: Color) -> Situation<'_> {
    let bonus = position.rules().handicap_bonus.points(position.handicap());
    let plays = position.plays();
    Situation {
        board: position.board(),
        to_play: color,
        komi: position.komi() + bonus as f32,
        n_passes: if position.n_passes() == 1 { 1 } else { 0 },
        recent: [1, 2, 3, 4, 5].map(|back| Some(plays.get(plays.len().checked_sub(back)?)?.vertex)),
        before: Some((position.rules(), [None; 2])),
    }
}

/// The boards before the last move and before the last two, which networks are told.
fn boards_before(position: &Position) -> [Option<AnyBoard>; 2] {
    let n_plays = position.plays().len();
    [1, 2].map(|back| Some(position.board_after(n_plays.checked_sub(back)?)))
}

/// A situation with the boards before it.
fn with_boards<'a>(situation: Situation<'a>, boards: &'a [Option<AnyBoard>; 2]) -> Situation<'a> {
    let before = situation.before.map(|(rules, _)| (rules, boards.each_ref().map(Option::as_ref)));
    Situation { before, ..situation }
}
