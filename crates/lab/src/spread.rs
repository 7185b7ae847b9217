//! Work on many independent things by several threads, with results that do not depend on how many there are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use goban::Rng;

use crate::error::Result;

/// The seed of the thing with this number. Every thing has one of its own, so that it does not matter who works on it
/// and after which others.
pub(crate) fn seed_of(seed: u64, number: u64) -> u64 {
    Rng::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64()
}

/// Works on the things 0, 1, … n − 1 with `parallel` workers, each made by `hire`, and hands the results to `done` in the order
/// of their numbers. After the first error nothing new is begun.
pub(crate) fn spread<T: Send, W: FnMut(usize) -> Result<T>>(
    n: usize,
    parallel: usize,
    hire: impl Fn() -> W + Sync,
    mut done: impl FnMut(usize, T) -> Result<()>,
) -> Result<()> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..parallel.clamp(1, n.max(1)) {
            let (sender, next, is_over, hire) = (sender.clone(), &next, &is_over, &hire);
            scope.spawn(move || {
                let mut work = hire();
                while !is_over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= n || sender.send((number, work(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut n_done = 0;
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&n_done) {
                let ended = result.and_then(|result| done(n_done, result));
                if ended.is_err() {
                    is_over.store(true, Ordering::Relaxed);
                    return ended;
                }
                n_done += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn results_come_in_order_and_errors_end_the_work() {
        for parallel in [0, 1, 3, 100] {
            let mut seen = Vec::new();
            let done = |number, result: u64| {
                seen.push((number, result));
                Ok(())
            };
            spread(20, parallel, || |number| Ok(seed_of(7, number as u64)), done).unwrap();
            let expected: Vec<_> = (0..20).map(|number| (number, seed_of(7, number as u64))).collect();
            assert_eq!(seen, expected);
        }
        let refuse = || |number| if number == 5 { Err(Error::input("five")) } else { Ok(number) };
        let mut n_done = 0;
        let error = spread(1_000_000_000, 2, refuse, |_, _| {
            n_done += 1;
            Ok(())
        });
        assert_eq!((error.unwrap_err().to_string().as_str(), n_done), ("five", 5));
        spread(0, 2, || |_| Ok(()), |_, ()| Ok(())).unwrap();
    }
}
