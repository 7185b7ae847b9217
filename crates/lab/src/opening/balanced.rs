//! Openings that are made: a few stones at random, kept if a search gives both sides about the same chances.
//!
//! Which openings come out depends on board, komi, rules, number and seed, and on nothing else; not on how many searches run
//! at the same time. They are kept with the match all the same, since another version may search otherwise.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use goban::{Position, Rng, Rules, Size, Vertex};
use mcts::Settings;
use player::{Budget, PlayError, Player, SearchPlayer, recipes};

use super::{Opening, OpeningWork, Openings, records};
use crate::game::Terms;
use crate::{Error, Result};

/// The named recipe whose search judges.
const JUDGE: &str = "default";

/// The size of openings, and the search that judges them.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// How many openings.
    pub n: usize,
    /// Stones of both colours.
    pub n_stones: usize,
    /// No stone stands nearer to the edge than on this line, counted from 0.
    pub margin: usize,
    /// Playouts of the search that judges.
    pub playouts: u64,
    /// How far from a half the chances may be.
    pub tolerance: f32,
    /// Seed of everything random.
    pub seed: u64,
    /// The first line of every opening's comment, by which the list is found again.
    mark: String,
}

/// Who searches at the same time, and until when.
#[derive(Clone, Copy)]
struct Hands<'a> {
    parallel: usize,
    stop: &'a Arc<AtomicBool>,
}

/// Playouts of a first look, which is enough for openings that are far from balanced.
const FIRST_LOOK: u64 = 300;

/// How much further from a half the first look may find the chances. An estimate from 300 playouts is off by 0.03 or so.
const FIRST_TOLERANCE: f32 = 0.12;

impl Balance {
    /// What is usual for a board: four stones, six on large boards, none near the edge.
    pub fn new(n: usize, terms: &Terms, seed: u64) -> Self {
        let size = terms.size;
        let margin = match size.width().min(size.height()) {
            0..5 => 0,
            5..9 => 1,
            _ => 2,
        };
        let mark =
            format!("balanced:{n}, board {size}, komi {}, rules {}, seed {seed}", terms.komi, terms.rules);
        let n_stones = if size.area() <= 121 { 4 } else { 6 };
        Self { n, n_stones, margin, playouts: 2000, tolerance: 0.05, seed, mark }
    }

    /// The list in a text that an earlier run wrote, if it is the same.
    pub(super) fn find_in(&self, text: &str) -> Option<Openings> {
        let list = records::parse(text.as_bytes(), "openings", Rules::CHINESE).ok()?;
        let is_ours = |opening: &Opening| {
            opening.comment.as_ref().is_some_and(|comment| comment.lines().next() == Some(&self.mark))
        };
        (list.len() == self.n && list.iter().all(is_ours)).then(|| Openings::new(self.text(), list))
    }

    fn text(&self) -> String {
        format!("balanced:{}", self.n)
    }

    /// Tries one random opening after the other and keeps the balanced ones, no two of them symmetric.
    ///
    /// # Errors
    /// When hardly any opening is balanced, as on a small board with a large komi; [`PlayError::Stopped`].
    pub fn make(&self, terms: &Terms, work: &mut OpeningWork<'_>) -> Result<Openings> {
        let most = 200 + 40 * self.n;
        let hands = Hands { parallel: work.parallel.max(1), stop: work.stop };
        let batch = 8 * hands.parallel;
        let (mut list, mut seen, mut n_tried) = (Vec::new(), HashSet::new(), 0);
        while list.len() < self.n {
            if n_tried >= most {
                return Err(Error::input(format!(
                    "of {n_tried} random openings on {} with komi {} only {} are balanced, {} are wanted; expected another komi \
                     or fewer openings",
                    terms.size,
                    terms.komi,
                    list.len(),
                    self.n
                )));
            }
            let tried = self.try_batch(terms, n_tried..n_tried + batch, hands)?;
            n_tried += batch;
            for (position, win) in tried.into_iter().flatten() {
                if list.len() < self.n && seen.insert(position.board().canonical_hash().0) {
                    list.push(self.opening(list.len() + 1, position, win));
                }
            }
            (work.progress)(list.len(), self.n);
        }
        Ok(Openings::new(self.text(), list))
    }

    fn opening(&self, number: usize, position: Position, win: f32) -> Opening {
        let Self { mark, playouts, .. } = self;
        let mover = position.to_play();
        let comment =
            format!("{mark}\n{JUDGE} with {playouts} playouts: {mover} to play wins {:.1} %", 100.0 * win);
        Opening { name: format!("balanced {number}"), position, comment: Some(comment) }
    }

    /// Tries the openings of a range of numbers; what is balanced comes with its value, in the order of numbers.
    fn try_batch(
        &self,
        terms: &Terms,
        numbers: Range<usize>,
        hands: Hands<'_>,
    ) -> Result<Vec<Option<(Position, f32)>>> {
        let Hands { parallel, stop } = hands;
        let next = AtomicUsize::new(0);
        let found = Mutex::new(vec![None; numbers.len()]);
        let first_error = Mutex::new(None);
        let serve = || {
            loop {
                let idx = next.fetch_add(1, Ordering::Relaxed);
                if idx >= numbers.len() || stop.load(Ordering::Relaxed) {
                    break;
                }
                match self.candidate(terms, (numbers.start + idx) as u64, stop) {
                    Ok(kept) => found.lock().unwrap_or_else(PoisonError::into_inner)[idx] = kept,
                    Err(error) => {
                        first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        break;
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..parallel {
                scope.spawn(serve);
            }
        });
        if stop.load(Ordering::Relaxed) {
            return Err(PlayError::Stopped.into());
        }
        match first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// The random opening of this number and what the player to move may hope for, if it is balanced.
    fn candidate(
        &self,
        terms: &Terms,
        number: u64,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<(Position, f32)>> {
        let mut rng = Rng::new(Rng::new(!self.seed).next_u64().wrapping_add(number));
        let mut position = Position::new(terms.size, terms.rules);
        position.set_komi(terms.komi).map_err(Error::other)?;
        if !self.place_stones(&mut position, &mut rng) {
            return Ok(None);
        }
        let settings = Settings { seed: rng.next_u64(), ..Settings::default() };
        let mut player = SearchPlayer::new(JUDGE, recipes::parse(JUDGE)?, settings);
        let mut win = 0.0;
        for (playouts, tolerance) in [(FIRST_LOOK, FIRST_TOLERANCE), (self.playouts, self.tolerance)] {
            // The second look builds on the tree of the first.
            let mut budget = Budget::playouts(playouts);
            budget.stop = Arc::clone(stop);
            player.choose(&position, position.to_play(), &budget)?;
            win = player.value().unwrap_or(0.0);
            if (win - 0.5).abs() > tolerance {
                return Ok(None);
            }
        }
        Ok(Some((position, win)))
    }

    /// Places stones in turn; false if there is no room.
    fn place_stones(&self, position: &mut Position, rng: &mut Rng) -> bool {
        let size = position.size();
        for _ in 0..self.n_stones {
            let color = position.to_play();
            let free =
                |vertex: &Vertex| line(size, *vertex) >= self.margin && position.is_legal(color, *vertex);
            let room: Vec<Vertex> = size.vertices().filter(free).collect();
            if room.is_empty() {
                return false;
            }
            let vertex = room[rng.below(room.len() as u32) as usize];
            if position.play(color, vertex).is_err() {
                return false;
            }
        }
        true
    }
}

/// The line of a point, 0 at the edge.
fn line(size: Size, vertex: Vertex) -> usize {
    let (col, row) = (vertex.col(), vertex.row());
    col.min(row).min(size.width() - 1 - col).min(size.height() - 1 - row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::OpeningSource;
    use goban::Color;

    fn work<'a>(
        stop: &'a Arc<AtomicBool>,
        parallel: usize,
        progress: &'a mut dyn FnMut(usize, usize),
    ) -> OpeningWork<'a> {
        OpeningWork { parallel, kept: None, stop, progress }
    }

    #[test]
    fn openings_are_the_same_for_the_same_seed_and_near_a_half() {
        let terms = Terms::new(Size::square(7).unwrap(), 7.5, Rules::CHINESE);
        let balance = Balance { playouts: 500, tolerance: 0.1, ..Balance::new(5, &terms, 3) };
        let stop = Arc::default();
        let mut told = Vec::new();
        let one = balance
            .make(&terms, &mut work(&stop, 1, &mut |found, wanted| told.push((found, wanted))))
            .unwrap();
        let three = balance.make(&terms, &mut work(&stop, 3, &mut |_, _| {})).unwrap();
        assert_eq!(one, three);
        assert_eq!(told.last(), Some(&(5, 5)));
        let other = Balance { seed: 4, ..balance.clone() };
        assert_ne!(other.make(&terms, &mut work(&stop, 2, &mut |_, _| {})).unwrap(), one);
        let mut seen = HashSet::new();
        for opening in one.list() {
            let Opening { position, comment, .. } = opening;
            assert_eq!((position.plays().len(), position.to_play()), (4, Color::Black));
            assert!(seen.insert(position.board().canonical_hash().0), "no opening twice");
            assert!(position.plays().iter().all(|play| line(position.size(), play.vertex) >= 1));
            // A search that knows nothing of the first agrees, but for its own error.
            let settings = Settings { seed: 99, ..Settings::default() };
            let mut player = SearchPlayer::new(JUDGE, recipes::parse(JUDGE).unwrap(), settings);
            player.choose(position, Color::Black, &Budget::playouts(1000)).unwrap();
            let win = player.value().unwrap();
            assert!((win - 0.5).abs() < 0.2, "{win} after {comment:?}");
        }
        // What was kept is not made again.
        let text = one.to_sgf().unwrap();
        assert_eq!(balance.find_in(&text).unwrap(), one);
        assert_eq!(Balance::new(5, &terms, 4).find_in(&text), None);
        assert_eq!(balance.find_in("(;SZ[7];B[aa])"), None);
        let mut fail = |_, _| panic!("nothing is to be made");
        let mut kept = OpeningWork { kept: Some(&text), ..work(&stop, 1, &mut fail) };
        assert_eq!(OpeningSource::Balanced(5).open(&terms, 3, &mut kept).unwrap(), one);
    }

    #[test]
    fn hopeless_games_are_refused_and_stopping_stops() {
        // With so large a komi nothing is balanced.
        let terms = Terms::new(Size::square(5).unwrap(), 60.5, Rules::CHINESE);
        let balance = Balance::new(1, &terms, 1);
        let stop = Arc::new(AtomicBool::new(false));
        let error = balance.make(&terms, &mut work(&stop, 2, &mut |_, _| {})).unwrap_err().to_string();
        assert!(error.contains("komi 60.5") && error.contains("expected another komi"), "{error}");
        stop.store(true, Ordering::Relaxed);
        let error = balance.make(&terms, &mut work(&stop, 2, &mut |_, _| {})).unwrap_err();
        assert!(matches!(error, Error::Game(PlayError::Stopped)), "{error}");
    }
}
