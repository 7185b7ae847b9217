//! How many messages somebody may send: a bucket that fills with time.

use std::time::Instant;

/// A bucket of permissions.
#[derive(Debug)]
pub(crate) struct Bucket {
    left: f64,
    most: f64,
    per_second: f64,
    at: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn new(most: f64, per_second: f64, now: Instant) -> Self {
        Self { left: most, most, per_second, at: now }
    }

    /// Takes one permission, if there is one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + passed * self.per_second).min(self.most);
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills() {
        let start = Instant::now();
        let mut bucket = Bucket::new(2.0, 10.0, start);
        assert!(bucket.take(start) && bucket.take(start) && !bucket.take(start));
        // A tenth of a second is one message; an hour no more than the bucket holds.
        let later = start + Duration::from_millis(100);
        assert!(bucket.take(later) && !bucket.take(later));
        let much_later = later + Duration::from_secs(3600);
        assert!(bucket.take(much_later) && bucket.take(much_later) && !bucket.take(much_later));
    }
}
