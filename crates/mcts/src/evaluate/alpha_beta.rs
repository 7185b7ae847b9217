//! A depth-first search for the result of a position: alpha-beta with windows of one step, a bounded number of nodes, and a table of
//! results that all threads of a search share. It says nothing that it has not proven.

use super::kit::{Bounds, Kit};
use crate::game::{Action, Outcome};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Plies below a position to which it is searched; a position whose first line of play is longer is left unsolved.
const MAX_DEPTH: usize = 64;

/// What was proven of positions, found by their keys. A cell holds the lower 60 bits of a key and one of nine pairs of bounds. It
/// is read and written as a whole, so that threads never see half of an entry; the last one written stays.
#[derive(Debug)]
pub(super) struct ProofTable {
    cells: Box<[AtomicU64]>,
}

impl ProofTable {
    /// A table of at most this many bytes, and of one cell at least.
    pub(super) fn new(bytes: usize) -> ProofTable {
        let n_cells = (bytes / size_of::<AtomicU64>()).max(1);
        let n_cells = 1 << n_cells.ilog2();
        ProofTable { cells: (0..n_cells).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Bytes of its cells.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.cells)
    }

    pub(super) fn clear(&self) {
        self.cells.iter().for_each(|cell| cell.store(0, Relaxed));
    }

    fn cell(&self, key: u64) -> &AtomicU64 {
        &self.cells[(key >> 4) as usize & (self.cells.len() - 1)]
    }

    fn get(&self, key: u64) -> Bounds {
        let entry = self.cell(key).load(Relaxed);
        // 0 is an empty cell.
        let code = (entry & 15) as i8;
        if code == 0 || entry >> 4 != key << 4 >> 4 {
            return Bounds::OPEN;
        }
        Bounds { least: (code - 1) / 3 - 1, most: (code - 1) % 3 - 1 }
    }

    fn put(&self, key: u64, bounds: Bounds) {
        let code = (bounds.least + 1) * 3 + bounds.most + 2;
        self.cell(key).store(key << 4 | code as u64, Relaxed);
    }
}

/// One thread's search, with buffers for every depth.
#[derive(Debug)]
pub(super) struct AlphaBeta<G> {
    /// The positions of the line under consideration.
    line: Vec<G>,
    /// The moves that are still to be tried, those of the first position first.
    actions: Vec<Action>,
    outcome: Outcome,
    n_nodes: u32,
    max_nodes: u32,
}

impl<G: Kit> AlphaBeta<G> {
    /// A search for positions of the kind of `game`, each with at most `max_nodes` nodes.
    pub(super) fn new(game: &G, max_nodes: u32) -> AlphaBeta<G> {
        let line = vec![game.clone(); MAX_DEPTH + 1];
        AlphaBeta { line, actions: Vec::new(), outcome: Outcome::default(), n_nodes: 0, max_nodes }
    }

    /// The result of a position as its mover sees it, −1, 0 or 1; `None` if the nodes do not suffice.
    pub(super) fn solve(&mut self, position: &G, table: &ProofTable) -> Option<i8> {
        self.line[0].clone_from(position);
        self.actions.clear();
        self.n_nodes = 0;
        // Whether it is won, and if it is not, whether it is lost: each question has a window of its own.
        match self.bound(table, 0, 0)? {
            0 => self.bound(table, 0, -1),
            proven => Some(proven),
        }
    }

    /// Compares the result at this depth with `below`: a value above it is a lower bound of the result, another one an upper
    /// bound. Seen by the mover there.
    fn bound(&mut self, table: &ProofTable, depth: usize, below: i8) -> Option<i8> {
        let position = &self.line[depth];
        if position.ended(&mut self.outcome) {
            return Some((2.0 * self.outcome.win_for(position.mover()) - 1.0) as i8);
        }
        let seen = position.bounds();
        if let Some(value) = decides(seen, below) {
            return Some(value);
        }
        self.n_nodes += 1;
        if self.n_nodes > self.max_nodes || depth == MAX_DEPTH {
            return None;
        }
        let key = position.key();
        let known = table.get(key);
        if let Some(value) = decides(known, below) {
            return Some(value);
        }
        let first = self.actions.len();
        position.candidates(&mut self.actions);
        let mut best = -1;
        for idx in first..self.actions.len() {
            let action = self.actions[idx];
            let (above, rest) = self.line.split_at_mut(depth + 1);
            rest[0].clone_from(&above[depth]);
            rest[0].play(action);
            best = best.max(-self.bound(table, depth + 1, -below - 1)?);
            if best > below {
                break;
            }
        }
        self.actions.truncate(first);
        let bounds =
            if best > below { Bounds { least: best, ..known } } else { Bounds { most: best, ..known } };
        table.put(key, bounds);
        Some(best)
    }
}

/// The bound that answers the question whether the result is above `below`, if one does.
fn decides(bounds: Bounds, below: i8) -> Option<i8> {
    if bounds.least > below {
        Some(bounds.least)
    } else if bounds.most <= below {
        Some(bounds.most)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::connect_four::ConnectFour;

    fn after(columns: &str) -> ConnectFour {
        let mut game = ConnectFour::new();
        columns.bytes().for_each(|digit| game.play(Action(u16::from(digit - b'1'))));
        game
    }

    #[test]
    fn a_table_keeps_bounds_by_key() {
        let table = ProofTable::new(100);
        assert_eq!(table.bytes(), 64, "a power of two of cells");
        let bounds = [-1, 0, 1].map(|least| [-1, 0, 1].map(|most| Bounds { least, most }));
        for bounds in bounds.into_iter().flatten().filter(|bounds| bounds.least <= bounds.most) {
            table.put(0x1230, bounds);
            assert_eq!(table.get(0x1230), bounds);
        }
        // Other keys of the same cell, and one of another.
        assert_eq!(table.get(0x1231), Bounds::OPEN);
        assert_eq!(table.get(0x1230 + (8 << 4)), Bounds::OPEN);
        assert_eq!(table.get(0x1240), Bounds::OPEN);
        table.clear();
        assert_eq!(table.get(0x1230), Bounds::OPEN);
    }

    #[test]
    fn published_results_come_out() {
        // Values for the mover, published with Pascal Pons's solver.
        let solved = [
            ("2252576253462244111563365343671351441", -1),
            ("7422341735647741166133573473242566", 1),
            ("23163416124767223154467471272416755633", 0),
            ("12514726155174536522772517671", -1),
            ("5554224333234511764415115", 1),
            ("271713432331713132", -1),
            ("763452543756455357732314", -1),
            ("21253774536432517717274325", 1),
        ];
        for bytes in [1 << 20, 64] {
            // A table of eight cells forgets nearly everything, and the results are the same.
            let table = ProofTable::new(bytes);
            let mut search = AlphaBeta::new(&ConnectFour::new(), u32::MAX);
            for (columns, value) in solved {
                assert_eq!(search.solve(&after(columns), &table), Some(value), "{columns} {bytes}");
            }
        }
    }

    #[test]
    fn what_was_proven_is_kept_from_one_attempt_to_the_next() {
        let table = ProofTable::new(1 << 20);
        let mut search = AlphaBeta::new(&ConnectFour::new(), 40);
        let game = after("4435612735531457155143");
        let mut attempts = (0..1000).map(|_| search.solve(&game, &table));
        assert_eq!(attempts.next(), Some(None));
        assert_eq!(attempts.flatten().next(), Some(-1));
        // Now one attempt suffices, and without the table it does not.
        assert_eq!(search.solve(&game, &table), Some(-1));
        table.clear();
        assert_eq!(search.solve(&game, &table), None);
    }

    #[test]
    fn too_few_nodes_prove_nothing() {
        let table = ProofTable::new(1 << 16);
        let mut search = AlphaBeta::new(&ConnectFour::new(), 50);
        assert_eq!(search.solve(&ConnectFour::new(), &table), None);
        // Three in a row on the floor: it needs no node at all.
        assert_eq!(search.solve(&after("112233"), &table), Some(1));
    }
}
