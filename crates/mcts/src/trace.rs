//! The moves of one simulation, tree and playout together, with a first-play map for everything that learns from all
//! moves as if they had been first (AMAF, RAVE).

use crate::game::{Action, MAX_ACTIONS, Side};

/// One move of a simulation: who played what, in 16 bits, since a playout writes a hundred of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Play(u16);

impl Play {
    /// `side` plays `action`, whose index is below 1024.
    #[inline]
    pub const fn new(side: Side, action: Action) -> Play {
        Play((side as u16) << ACTION_BITS | action.0)
    }

    /// Who played.
    #[inline]
    pub const fn side(self) -> Side {
        if self.0 >> ACTION_BITS == 0 { Side::First } else { Side::Second }
    }

    /// The action played.
    #[inline]
    pub const fn action(self) -> Action {
        Action(self.0 & (MAX_ACTIONS as u16 - 1))
    }

    #[inline]
    const fn idx(self) -> usize {
        self.0 as usize % (2 * MAX_ACTIONS)
    }
}

/// The moves from the root on. On the way up the map describes the moves from the current depth on, if any model reads it
/// ([`crate::estimate::Estimator::reads_trace`]); the pass, if the game has one, is never in it.
#[derive(Debug, Clone)]
pub struct Trace {
    plays: Vec<Play>,
    /// By side and action: the first ply, counted from the root, at or after the current depth.
    first: Box<[u16; 2 * MAX_ACTIONS]>,
    n_actions: usize,
    pass: Option<Action>,
}

const ACTION_BITS: u32 = 10;

const _: () = assert!(MAX_ACTIONS == 1 << ACTION_BITS);

/// One side's part of the map, of fixed size, so that an index of ten bits needs no check.
pub(crate) type FirstPlies = [u16; MAX_ACTIONS];

/// The map's entry of an action that was not played.
const NEVER: u16 = u16::MAX;

impl Default for Trace {
    fn default() -> Trace {
        Trace { plays: Vec::new(), first: Box::new([NEVER; 2 * MAX_ACTIONS]), n_actions: 0, pass: None }
    }
}

impl Trace {
    /// Forgets everything; `n_actions` fixes the size of the map, and `pass` stays out of it.
    pub(crate) fn clear(&mut self, n_actions: usize, pass: Option<Action>) {
        debug_assert!(n_actions <= MAX_ACTIONS, "a game of {n_actions} actions");
        self.plays.clear();
        self.n_actions = n_actions.min(MAX_ACTIONS);
        self.pass = pass;
    }

    pub(crate) fn push(&mut self, play: Play) {
        self.plays.push(play);
    }

    /// Replaces everything after the first `n_tree` moves by a playout's moves and starts the map with them.
    pub(crate) fn follow(&mut self, n_tree: usize, tail: &[Play]) {
        self.plays.truncate(n_tree);
        self.plays.extend_from_slice(tail);
        for plies in self.first.as_chunks_mut::<MAX_ACTIONS>().0 {
            plies[..self.n_actions].fill(NEVER);
        }
        // Later plays first, so that the earliest stays; plies beyond 16 bits are of no use to anyone.
        let n_mapped = tail.len().min(usize::from(NEVER).saturating_sub(n_tree));
        let first = &mut *self.first;
        let mut end = (n_tree + n_mapped) as u16;
        let (rest, quads) = tail[..n_mapped].as_rchunks::<4>();
        for quad in quads.iter().rev() {
            end -= 4;
            for i in (0..4).rev() {
                first[quad[i].idx()] = end + i as u16;
            }
        }
        for (i, play) in rest.iter().enumerate().rev() {
            first[play.idx()] = n_tree as u16 + i as u16;
        }
        if let Some(pass) = self.pass {
            for side in [Side::First, Side::Second] {
                self.first[Play::new(side, pass).idx()] = NEVER;
            }
        }
    }

    /// Adds an earlier move to the map; it is called for falling plies.
    #[inline]
    pub(crate) fn include(&mut self, ply: usize) {
        let play = self.plays[ply];
        if ply < usize::from(NEVER) && Some(play.action()) != self.pass {
            self.first[play.idx()] = ply as u16;
        }
    }

    /// The number of actions that the map has room for.
    #[inline]
    pub(crate) fn n_actions(&self) -> usize {
        self.n_actions
    }

    /// All moves from the root on.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }

    /// The ply, counted from the root, at which `side` first played `action` at or after the current depth.
    #[inline]
    pub fn first_play(&self, side: Side, action: Action) -> Option<usize> {
        let ply = first_ply(self.first_plies(side), action);
        (ply != NEVER).then_some(usize::from(ply))
    }

    /// One side's part of the map.
    #[inline]
    pub(crate) fn first_plies(&self, side: Side) -> &FirstPlies {
        &self.first.as_chunks::<MAX_ACTIONS>().0[side.idx()]
    }
}

/// The ply of an action in one side's part of the map, `u16::MAX` for never: comparisons without branches.
#[inline]
pub(crate) fn first_ply(plies: &FirstPlies, action: Action) -> u16 {
    plies[action.idx() % MAX_ACTIONS]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_follows_the_depth() {
        let (b, w) = (Side::First, Side::Second);
        let play = |side, action| Play::new(side, Action(action));
        let mut trace = Trace::default();
        trace.clear(6, Some(Action(5)));
        // Tree: B3 W1 B2; playout: W3 B3 W1 B-pass.
        [play(b, 3), play(w, 1), play(b, 2)].into_iter().for_each(|play| trace.push(play));
        let tail = [play(w, 3), play(b, 3), play(w, 1), play(b, 5)];
        trace.follow(3, &tail);
        assert_eq!(trace.first_play(b, Action(3)), Some(4));
        assert_eq!(trace.first_play(b, Action(2)), None);
        trace.include(2);
        assert_eq!(trace.first_play(b, Action(2)), Some(2));
        assert_eq!(trace.first_play(w, Action(1)), Some(5));
        assert_eq!(trace.first_play(b, Action(5)), None, "a pass is not mapped");
        trace.include(1);
        assert_eq!(trace.first_play(w, Action(1)), Some(1));
        trace.include(0);
        assert_eq!(trace.first_play(b, Action(3)), Some(0));
        assert_eq!(trace.first_play(w, Action(3)), Some(3));
        assert_eq!((tail[0].side(), tail[0].action()), (w, Action(3)));
        // A second playout from the same leaf replaces the first.
        trace.follow(3, &tail[..1]);
        assert_eq!(trace.plays().len(), 4);
        assert_eq!(trace.first_play(b, Action(3)), None);
    }
}
