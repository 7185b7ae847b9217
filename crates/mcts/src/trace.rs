//! The moves of one simulation, tree and playout together, with a first-play map for everything that learns from all
//! moves as if they had been first (AMAF, RAVE).

use crate::game::{Action, Side};

/// One move of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Play {
    /// Who played.
    pub side: Side,
    /// What was played.
    pub action: Action,
}

/// The moves from the root on. On the way up the map always describes the moves from the current depth on.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    plays: Vec<Play>,
    /// By side and action: the first ply, counted from the root, at or after the current depth.
    first: Vec<u16>,
    n_actions: usize,
}

/// The map's entry of an action that was not played.
const NEVER: u16 = u16::MAX;

impl Trace {
    /// Forgets everything; `n_actions` fixes the size of the map.
    pub(crate) fn clear(&mut self, n_actions: usize) {
        self.plays.clear();
        self.n_actions = n_actions;
    }

    pub(crate) fn push(&mut self, play: Play) {
        self.plays.push(play);
    }

    /// Replaces everything after the first `n_tree` moves by a playout's moves and starts the map with them.
    pub(crate) fn follow(&mut self, n_tree: usize, tail: &[Play]) {
        self.plays.truncate(n_tree);
        self.plays.extend_from_slice(tail);
        self.first.clear();
        self.first.resize(2 * self.n_actions, NEVER);
        // Later plays first, so that the earliest stays; plies beyond 16 bits are of no use to anyone.
        let n_mapped = self.plays.len().min(usize::from(NEVER));
        for (ply, play) in self.plays[..n_mapped].iter().enumerate().skip(n_tree).rev() {
            self.first[play.side.idx() * self.n_actions + play.action.idx()] = ply as u16;
        }
    }

    /// Adds an earlier move to the map; it is called for falling plies.
    #[inline]
    pub(crate) fn include(&mut self, ply: usize) {
        let Play { side, action } = self.plays[ply];
        debug_assert!(action.idx() < self.n_actions);
        if ply < usize::from(NEVER) {
            self.first[side.idx() * self.n_actions + action.idx()] = ply as u16;
        }
    }

    /// All moves from the root on.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }

    /// The ply, counted from the root, at which `side` first played `action` at or after the current depth.
    #[inline]
    pub fn first_play(&self, side: Side, action: Action) -> Option<usize> {
        let ply = *self.first.get(side.idx() * self.n_actions + action.idx())?;
        (ply != NEVER).then_some(usize::from(ply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_follows_the_depth() {
        let (b, w) = (Side::First, Side::Second);
        let play = |side, action| Play { side, action: Action(action) };
        let mut trace = Trace::default();
        trace.clear(5);
        // Tree: B3 W1 B2; playout: W3 B3 W1.
        [play(b, 3), play(w, 1), play(b, 2)].into_iter().for_each(|play| trace.push(play));
        let tail = [play(w, 3), play(b, 3), play(w, 1)];
        trace.follow(3, &tail);
        assert_eq!(trace.first_play(b, Action(3)), Some(4));
        assert_eq!(trace.first_play(b, Action(2)), None);
        trace.include(2);
        assert_eq!(trace.first_play(b, Action(2)), Some(2));
        assert_eq!(trace.first_play(w, Action(1)), Some(5));
        trace.include(1);
        assert_eq!(trace.first_play(w, Action(1)), Some(1));
        trace.include(0);
        assert_eq!(trace.first_play(b, Action(3)), Some(0));
        assert_eq!(trace.first_play(w, Action(3)), Some(3));
        // A second playout from the same leaf replaces the first.
        trace.follow(3, &tail[..1]);
        assert_eq!(trace.plays().len(), 4);
        assert_eq!(trace.first_play(b, Action(3)), None);
    }
}
