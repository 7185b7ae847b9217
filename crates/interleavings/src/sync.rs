//! Loom's cells and locks under the names that the tree uses, and chunks so small that each holds one node.

pub(crate) use loom::sync::Mutex;
pub(crate) use loom::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicUsize};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::{Acquire, Release};

/// The bytes of a chunk of nodes: fewer than any node has.
pub(crate) const CHUNK_BYTES: usize = 1;

/// A cell that is written once, with the promises of the standard one and no others: one initialiser runs, and whoever
/// finds the value sees all that was done to make it.
#[derive(Debug)]
pub(crate) struct OnceLock<T> {
    is_set: AtomicU16,
    setting: Mutex<()>,
    value: std::sync::OnceLock<T>,
}

impl<T> OnceLock<T> {
    pub(crate) fn new() -> OnceLock<T> {
        OnceLock { is_set: AtomicU16::new(0), setting: Mutex::new(()), value: std::sync::OnceLock::new() }
    }

    /// The value, if it is set.
    pub(crate) fn get(&self) -> Option<&T> {
        if self.is_set.load(Acquire) == 0 { None } else { self.value.get() }
    }

    /// The value, made if it is not set. Loom may run another thread in the midst of `make`, so that its own lock is held
    /// then and not that of the standard cell.
    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        if let Some(value) = self.get() {
            return value;
        }
        let _guard = self.setting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.value.get() {
            return value;
        }
        let value = make();
        let value = self.value.get_or_init(|| value);
        self.is_set.store(1, Release);
        value
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}
