//! A gate through which only a few may go at once: what is large is read, answered and sent by few at a time, so that all
//! of it together stays small.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::pool::lock;

/// The gate.
pub(crate) struct Gate {
    n_inside: Mutex<usize>,
    left: Condvar,
    max: usize,
}

/// Somebody inside; leaves when dropped.
pub(crate) struct Permit(Arc<Gate>);

impl Gate {
    /// A gate for `max` at once.
    pub(crate) fn new(max: usize) -> Self {
        Self { n_inside: Mutex::new(0), left: Condvar::new(), max: max.max(1) }
    }

    /// Goes in; waits until somebody has left if need be. Reading and writing have deadlines, so places become free again.
    pub(crate) fn enter(self: &Arc<Self>) -> Permit {
        let is_full = |n_inside: &mut usize| *n_inside >= self.max;
        let waited = self.left.wait_while(lock(&self.n_inside), is_full);
        *waited.unwrap_or_else(PoisonError::into_inner) += 1;
        Permit(Arc::clone(self))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *lock(&self.0.n_inside) -= 1;
        self.0.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn only_a_few_are_inside_and_all_come_through() {
        let gate = Arc::new(Gate::new(3));
        let (n_inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _permit = gate.enter();
                    let n = n_inside.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(n, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(1));
                    n_inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!((1..=3).contains(&most.into_inner()));
        assert_eq!(*lock(&gate.n_inside), 0);
    }
}
