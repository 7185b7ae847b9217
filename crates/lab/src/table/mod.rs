//! Where two entrants play, one kind of table for each kind of game: the hall asks a table for games and never for rules.
//!
//! In reading order: this file (what a table is), `go` (Go, with a referee), `board` (the other games).

mod board;
mod go;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use player::GameLog;

use crate::Result;
use crate::game::{FinishedGame, Pairing, Terms};

/// A table and who sits there. It keeps its seats as long as the same entrants come.
pub(crate) trait GameTable {
    /// Whether games under such terms can be played here.
    fn suits(&self, terms: &Terms) -> bool;

    /// Seats the entrants of a pairing. Who sits here already stays; the others leave.
    fn seat(&mut self, pairing: &Pairing) -> Result<()>;

    /// Plays a game of the pairing for which everybody is seated.
    fn play(&mut self, pairing: &Pairing, number: u64) -> Result<PlayedGame>;
}

/// A game that was played.
pub(crate) struct PlayedGame {
    /// Its result, for files and sums.
    pub(crate) line: FinishedGame,
    /// Its record.
    pub(crate) record: String,
    /// Everything about it, move by move.
    pub(crate) log: GameLog,
}

/// An empty table for games under such terms.
pub(crate) fn open(terms: &Terms, stop: &Arc<AtomicBool>) -> Box<dyn GameTable> {
    match &terms.board {
        None => Box::new(go::GoTable::new(stop)),
        Some(_) => Box::new(board::BoardTable::new(stop)),
    }
}

/// Takes those seats over whose keys are wanted, in that order; `sit` gives the others theirs when the old ones have left.
fn reseat<S, const N: usize>(
    seats: &mut Vec<(String, S)>,
    keys: [String; N],
    mut sit: impl FnMut(usize) -> Result<S>,
) -> Result<()> {
    let mut before = std::mem::take(seats);
    let kept = keys
        .each_ref()
        .map(|key| before.iter().position(|(old, _)| old == key).map(|idx| before.swap_remove(idx).1));
    // They leave before others come, who may need their memory.
    drop(before);
    for (idx, (key, seat)) in keys.into_iter().zip(kept).enumerate() {
        let seat = match seat {
            Some(seat) => seat,
            None => sit(idx)?,
        };
        seats.push((key, seat));
    }
    Ok(())
}

/// The seeds of both colours, as records name them.
fn seeds_text(line: &FinishedGame) -> String {
    use crate::game::PairSide;
    use goban::Color;
    let [black, white] = Color::BOTH.map(|color| line.seeds[PairSide::of(color, line.game).idx()]);
    format!("seeds: Black {black}, White {white}")
}
