//! Processor time, by which speed is measured: unlike the time on the wall it does not count what other programs take.

/// The system that does not tell the processor time, in words.
pub const UNKNOWN: &str = "processor time is not known on this system";

/// Processor time of this process so far, all its threads together, in seconds; `None` where the system does not tell.
#[cfg(unix)]
pub fn seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

/// Processor time of this process so far, all its threads together, in seconds; `None` where the system does not tell.
#[cfg(not(unix))]
pub fn seconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_forward() {
        let Some(before) = seconds() else { return };
        let mut x = 1u64;
        (0..100_000).for_each(|n| x = std::hint::black_box(x.wrapping_mul(n | 1)));
        assert!(seconds().is_some_and(|after| after >= before && before >= 0.0));
    }
}
