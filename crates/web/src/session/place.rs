//! The state that sessions share, and the place of one among them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use super::keeper::Keeper;
use super::{Session, end};
use crate::config::Bounds;
use crate::laboratory::Laboratory;
use crate::nets::NetShelf;
use crate::network::Network;
use crate::pool::{SearchPool, lock};
use crate::runs::RunShelf;

/// The state that sessions share.
pub(crate) struct SessionMeans {
    pub(crate) pool: SearchPool,
    pub(crate) bounds: Bounds,
    pub(crate) laboratory: Laboratory,
    pub(crate) runs: RunShelf,
    pub(super) keeper: Keeper,
    pub(super) seed: Option<u64>,
    pub(crate) nets: NetShelf,
    /// Sessions with a window.
    pub(super) n_visitors: AtomicUsize,
}

/// The least memory of a tree, in bytes.
const MIN_TREE: usize = 1 << 20;

impl SessionMeans {
    /// Bytes for a tree that may have `wanted` bytes if one visitor is there: the more visitors there are the fewer.
    pub(super) fn tree_memory(&self, wanted: usize) -> usize {
        let n_visitors = self.n_visitors.load(Ordering::Relaxed).max(1);
        wanted.min((self.bounds.memory / 2 / n_visitors).max(MIN_TREE))
    }
}

/// Where a session comes from.
pub(super) struct Origin {
    pub(super) network: Network,
    /// When the first of the visitor's kept games began; none for a new session.
    pub(super) born: Option<SystemTime>,
}

impl Session {
    /// As much of its name as a log may tell: whoever knows the whole name has the game.
    pub(crate) fn short_id(&self) -> &str {
        self.id.get(..8).unwrap_or_default()
    }

    /// Whether the visitor has come back to a game that was kept.
    pub(crate) fn is_back(&self) -> bool {
        self.origin.born.is_some()
    }

    /// When the first of its games began, or when it was made.
    pub(super) fn born(&self) -> SystemTime {
        self.origin.born.unwrap_or(self.made)
    }

    /// Ends it for good: its searches stop, its windows close, and nothing of it is changed or kept from now on. When this
    /// returns another session may go on with its games.
    pub(super) fn put_away(&self) {
        let mut desk = lock(&self.desk);
        self.is_put_away.store(true, Ordering::Release);
        end(&mut desk.thinking);
        desk.end_looking();
        drop(desk);
        self.news.close();
    }

    /// Whether it has ended.
    pub(crate) fn is_put_away(&self) -> bool {
        self.is_put_away.load(Ordering::Acquire)
    }
}
