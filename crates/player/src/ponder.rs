//! Thinking on the opponent's time: a seat where a player goes on in a thread of its own until somebody wants something
//! of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use goban::{Color, Position};

use crate::player::Player;

/// A player that may ponder. Whoever asks for it waits until the pondering has ended, which takes one simulation, so
/// nobody ever sees a player at work. Nothing is left running when the seat is dropped.
pub struct PonderSeat<P: Player + ?Sized + 'static> {
    player: Arc<Mutex<Box<P>>>,
    pondering: Option<Pondering>,
}

struct Pondering {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl<P: Player + ?Sized + 'static> PonderSeat<P> {
    /// Seats a player.
    pub fn new(player: Box<P>) -> Self {
        Self { player: Arc::new(Mutex::new(player)), pondering: None }
    }

    /// The player, who does not ponder any more.
    pub fn player(&mut self) -> MutexGuard<'_, Box<P>> {
        self.stop();
        // A player that panicked is still the one we have.
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the player think about `position`, in which `color`, the opponent, is to move.
    pub fn ponder(&mut self, position: Position, color: Color) {
        self.stop();
        let stop = Arc::new(AtomicBool::new(false));
        let (player, flag) = (Arc::clone(&self.player), Arc::clone(&stop));
        let work = move || {
            let mut player = player.lock().unwrap_or_else(PoisonError::into_inner);
            let attempt = catch_unwind(AssertUnwindSafe(|| player.ponder(&position, color, &flag)));
            if attempt.is_err() {
                player.forget();
            }
        };
        // Without a thread there is merely no pondering.
        if let Ok(thread) = thread::Builder::new().name("ponder".to_string()).spawn(work) {
            self.pondering = Some(Pondering { stop, thread });
        }
    }

    /// Whether the player thinks on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.pondering.is_some()
    }

    /// Ends the pondering and waits for it.
    pub fn stop(&mut self) {
        if let Some(Pondering { stop, thread }) = self.pondering.take() {
            stop.store(true, Ordering::Relaxed);
            // A panic was caught inside.
            let _ = thread.join();
        }
    }
}

impl<P: Player + ?Sized + 'static> Drop for PonderSeat<P> {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Budget, Decision, PlayerError};
    use goban::{Rules, Size, Vertex};
    use std::time::Duration;

    /// Ponders until it is told to stop, or panics.
    #[derive(Default)]
    struct EndlessPonderer {
        panics: bool,
        n_pondered: usize,
        n_forgotten: usize,
    }

    impl Player for EndlessPonderer {
        fn name(&self) -> String {
            "thinker".to_string()
        }

        fn choose(&mut self, _: &Position, _: Color, _: &Budget) -> Result<Decision, PlayerError> {
            Ok(Decision::Play(Vertex::PASS))
        }

        fn ponder(&mut self, _: &Position, _: Color, stop: &Arc<AtomicBool>) {
            assert!(!self.panics, "a thinker's end");
            self.n_pondered += 1;
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
        }

        fn forget(&mut self) {
            self.n_forgotten += 1;
        }
    }

    fn empty() -> Position {
        Position::new(Size::square(5).unwrap(), Rules::CHINESE)
    }

    #[test]
    fn whoever_asks_ends_the_pondering() {
        let mut seat = PonderSeat::new(Box::new(EndlessPonderer::default()));
        seat.ponder(empty(), Color::White);
        seat.ponder(empty(), Color::White);
        assert!(seat.is_pondering());
        assert!(seat.player().n_pondered <= 2);
        assert!(!seat.is_pondering());
        let player = Arc::clone(&seat.player);
        seat.ponder(empty(), Color::White);
        drop(seat);
        assert_eq!(Arc::strong_count(&player), 1, "the thread has ended");
    }

    #[test]
    fn a_panic_costs_the_tree_and_nothing_else() {
        let mut seat =
            PonderSeat::new(Box::new(EndlessPonderer { panics: true, ..EndlessPonderer::default() }));
        seat.ponder(empty(), Color::White);
        while !seat.pondering.as_ref().unwrap().thread.is_finished() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(seat.player().n_forgotten, 1);
    }
}
