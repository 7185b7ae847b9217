//! What a move of the visitor's cost. The best move is looked for first; then the positions after it and after the visitor's
//! move are searched alike, twice each with other seeds. The difference is told only where it is large and clear: a loss
//! within the noise of two short searches is no mistake.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use goban::{Color, Position, Vertex};
use mcts::Settings;
use player::nets::NetFile;
use recipe::Recipe;

use super::{Desk, Session};
use crate::pool::{Job, Progress, lock};
use crate::protocol::spot::point;
use crate::protocol::tell::{Lesson, Num};
use crate::protocol::{Answer, Refusal};
use crate::study::{self, Watched};
use player::levels::NET_RECIPE;

/// Loss of win rate from which on a move is spoken of.
const LEAST_LOSS: f32 = 0.08;
/// How many times its standard error a loss must be.
const CLEAR: f32 = 2.0;
/// A move that was searched a good deal and found so little worse than the best is not looked at again.
const CLOSE: f32 = 0.03;
/// Searches of each of the two positions.
const N_SEEDS: usize = 2;
/// Moves of a line that is shown.
const LINE: usize = 8;
/// The longest that the visitor waits, on however slow a machine, not counting waiting for others.
const PATIENCE: Duration = Duration::from_secs(8);

/// Simulations to find the best move, and for each search of the positions afterwards.
#[derive(Clone, Copy, Debug)]
struct Effort {
    best: u64,
    after: u64,
    /// The standard deviation of one simulation's result around its mean, for a mean of one half.
    sd: f32,
}

/// A playout ends in a win or a loss.
const BY_PLAYOUTS: Effort = Effort { best: 800, after: 400, sd: 0.5 };
/// A network's win rates scatter much less, so fewer do.
const BY_NET: Effort = Effort { best: 120, after: 40, sd: 0.15 };

/// The comparison of a move with the best, in slices.
struct Comparison {
    /// Before the move.
    position: Position,
    played: Vertex,
    recipe: Recipe,
    settings: Settings,
    effort: Effort,
    best: Option<Vertex>,
    /// What the searches afterwards found, the position after the best move and that after the move that was played in turn.
    found: Vec<Found>,
    search: Option<Watched>,
}

/// What a search of a position found, as the player sees it who moved before.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    win: f32,
    points: f32,
    line: Vec<Vertex>,
}

impl Comparison {
    /// Of the last move of a game with the best in its place.
    fn new(game: &Position, recipe: Recipe, settings: Settings, effort: Effort) -> Option<Self> {
        let played = game.plays().last()?.vertex;
        let mut position = game.clone();
        position.undo_many(1);
        let (best, found, search) = (None, Vec::new(), None);
        Some(Self { position, played, recipe, settings, effort, best, found, search })
    }

    /// Searches until the moment; gives what came of it at the end, which is nothing if there is nothing to say.
    fn slice(&mut self, until: Instant, stop: &Arc<AtomicBool>) -> Option<Option<Lesson>> {
        loop {
            let Some(mut search) = self.search.take().or_else(|| self.next_search()) else {
                return Some(None);
            };
            let playouts = if self.best.is_none() { self.effort.best } else { self.effort.after };
            search.run(playouts, until, stop);
            if !search.is_done {
                self.search = Some(search);
                return None;
            }
            match self.best {
                None => {
                    let best = search.search.pick(&search.total);
                    self.best = best.filter(|best| !best.is_pass() && !is_close(&search, *best, self.played));
                    if self.best.is_none_or(|best| best == self.played) {
                        return Some(None);
                    }
                }
                Some(_) => self.found.push(found(&mut search)),
            }
            if self.found.len() == 2 * N_SEEDS {
                return Some(self.verdict());
            }
            if Instant::now() >= until {
                return None;
            }
        }
    }

    /// The search that is due next; none for a recipe that does not fit, or a position in which nothing can be searched.
    fn next_search(&self) -> Option<Watched> {
        let n = self.found.len();
        let mut position = self.position.clone();
        if let Some(best) = self.best {
            let to = if n.is_multiple_of(2) { best } else { self.played };
            position.play(position.to_play(), to).ok()?;
        }
        // Both positions have the same seeds, so that luck is shared.
        let seed = self.settings.seed.wrapping_add(1 + n as u64 / 2);
        let settings = Settings { seed, ..self.settings.clone() };
        Watched::new(&position, &self.recipe, &settings, Vec::new()).ok()
    }

    fn verdict(&self) -> Option<Lesson> {
        let mean = |offset: usize, of: fn(&Found) -> f32| {
            self.found.iter().skip(offset).step_by(2).map(of).sum::<f32>() / N_SEEDS as f32
        };
        let [best, played] = [0, 1].map(|offset| mean(offset, |found| found.win));
        let losses: Vec<f32> = self.found.chunks(2).map(|pair| pair[0].win - pair[1].win).collect();
        let loss = best - played;
        // What chance alone makes of so many simulations, and what it was seen to make of them.
        let n = (self.effort.after * N_SEEDS as u64) as f32;
        let variance = |p: f32| 4.0 * self.effort.sd.powi(2) * (p * (1.0 - p)).max(0.01) / n;
        let spread = losses.iter().map(|one| (one - loss).powi(2)).sum::<f32>();
        let seen = spread / (N_SEEDS * (N_SEEDS - 1)) as f32;
        let noise = (variance(best) + variance(played)).max(seen).sqrt();
        if loss < LEAST_LOSS || loss < CLEAR * noise {
            return None;
        }
        let size = self.position.size();
        let line = |first: Vertex, found: &Found| {
            [first].iter().chain(&found.line).take(LINE).map(|&to| point(size, to)).collect()
        };
        Some(Lesson {
            ply: self.position.plays().len(),
            played: Num(played),
            best: Num(best),
            noise: Num(noise),
            points: Num((mean(0, |found| found.points) - mean(1, |found| found.points)).max(0.0)),
            played_line: line(self.played, &self.found[1]),
            best_line: line(self.best?, &self.found[0]),
        })
    }
}

/// Whether the first search saw enough of the move to know that it is about as good.
fn is_close(search: &Watched, best: Vertex, played: Vertex) -> bool {
    let arm = |to: Vertex| search.total.arms.iter().find(|arm| search.search.tree().vertex(arm.action) == to);
    match (arm(best), arm(played)) {
        (Some(best), Some(played)) => played.visits * 8 >= best.visits && best.win - played.win < CLOSE,
        _ => false,
    }
}

fn found(search: &mut Watched) -> Found {
    let total = &search.total;
    let mover = if search.search.position().to_play() == Color::Black { 1.0 } else { -1.0 };
    let reply = search.search.pick(total);
    let arm = total.arms.iter().find(|arm| Some(search.search.tree().vertex(arm.action)) == reply);
    let line = arm.map(|arm| arm.line.iter().map(|&action| search.search.tree().vertex(action)).collect());
    Found { win: 1.0 - total.win, points: -mover * total.score, line: line.unwrap_or_default() }
}

/// The comparison of the visitor's last move in a session's game.
struct LessonJob {
    session: Arc<Session>,
    serial: u64,
    comparison: Comparison,
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
        // A comparison that fails teaches nothing, and the game goes on.
        let slice = catch_unwind(AssertUnwindSafe(|| self.comparison.slice(until, &self.stop)));
        let lesson = match slice.unwrap_or(Some(None)) {
            Some(lesson) => lesson,
            None if Instant::now() < end => return Progress::More,
            None => None,
        };
        self.session.compared(self.serial, lesson);
        Progress::Done
    }

    fn is_forgotten(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_short(&self) -> bool {
        true
    }
}

/// Nothing is held against the visitor's last move.
pub(super) fn forget_lesson(desk: &mut Desk) {
    desk.is_unchecked = false;
    desk.lesson = None;
}

impl Session {
    /// Whether the visitor is taught from now on. Without it a move that is being looked at stands.
    pub(super) fn teach(self: &Arc<Self>, on: bool) -> Answer<()> {
        let mut desk = lock(&self.desk);
        desk.table.set_teach(on)?;
        let is_turn = !on && (desk.is_unchecked || desk.lesson.is_some());
        if is_turn {
            forget_lesson(&mut desk);
        }
        self.changed(&mut desk, is_turn)
    }

    /// A move that was shown to be costly stands.
    pub(super) fn play_on(self: &Arc<Self>) -> Answer<()> {
        let mut desk = lock(&self.desk);
        if desk.lesson.is_none() {
            return Err(Refusal::state("no move waits for a decision"));
        }
        forget_lesson(&mut desk);
        self.changed(&mut desk, true)
    }

    /// The job that compares the last move of the position with the best.
    pub(super) fn lesson_job(
        self: &Arc<Self>,
        position: &Position,
        net: Option<&str>,
        serial: u64,
        stop: Arc<AtomicBool>,
    ) -> Answer<Box<dyn Job>> {
        let net = self.adviser(net)?;
        let recipe = study::recipe(if net.is_some() { NET_RECIPE } else { "default" })?;
        let effort = if net.is_some() { BY_NET } else { BY_PLAYOUTS };
        let settings = Settings {
            seed: self.seed(),
            memory: self.means.tree_memory(self.means.bounds.memory / 8),
            threads: 1,
            net: net.as_ref().map(NetFile::loaded),
        };
        let comparison = Comparison::new(position, recipe, settings, effort)
            .ok_or_else(|| Refusal::state("no move was made"))?;
        Ok(Box::new(LessonJob { session: Arc::clone(self), serial, comparison, end: None, stop }))
    }

    /// The visitor's last move was compared: Tengen moves, or waits if there is something to say.
    fn compared(self: &Arc<Self>, serial: u64, lesson: Option<Lesson>) {
        let mut desk = lock(&self.desk);
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
    use goban::{Rules, Size};

    fn compare(moves: &[&str]) -> Option<Lesson> {
        let size = Size::square(7).unwrap();
        let mut game = Position::new(size, Rules::CHINESE);
        game.set_komi(8.5).unwrap();
        for text in moves {
            let color = game.to_play();
            game.play(color, size.parse_vertex(text).unwrap()).unwrap();
        }
        let settings = Settings { seed: 1, memory: 16 << 20, ..Settings::default() };
        let recipe = study::recipe("default").unwrap();
        let mut comparison = Comparison::new(&game, recipe, settings, BY_PLAYOUTS).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        loop {
            if let Some(lesson) = comparison.slice(Instant::now() + Duration::from_millis(20), &stop) {
                return lesson;
            }
        }
    }

    /// Black has three stones in atari, and to save them or not is the game.
    const ATARI: [&str; 9] = ["D4", "D5", "C4", "C5", "E4", "E5", "D3", "B4", "F5"];

    #[test]
    fn a_blunder_is_told_with_what_was_better() {
        // White's wall on the fourth line is about to be cut off at F4; A1 leaves it to its fate.
        let lesson = compare(&[&ATARI[..], &["A1"]].concat()).expect("A1 costs much");
        assert!(lesson.best.0 - lesson.played.0 >= LEAST_LOSS && lesson.noise.0 > 0.0, "{lesson:?}");
        assert_eq!(lesson.ply, ATARI.len());
        let size = Size::square(7).unwrap();
        assert_eq!(lesson.played_line[0], point(size, size.parse_vertex("A1").unwrap()));
        assert!(lesson.best_line.len() > 1 && lesson.best_line[0] != lesson.played_line[0], "{lesson:?}");
    }

    #[test]
    fn good_moves_are_let_pass() {
        for moves in [&["D4"][..], &ATARI[..1], &["D4", "D5"]] {
            assert_eq!(compare(moves), None, "{moves:?}");
        }
    }
}
