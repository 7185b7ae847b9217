//! The table `[learn]`: how much is learned of which games.

recipe::params! {
    /// How much is learned of which games.
    pub struct LearnSettings as "learn" {
        steps_per_net: u32 = 500, 1..=10_000_000, "training steps between two networks";
        passes: f32 = 4.0, 0.01..=1000.0, "times that a position is learned from, on average";
        first_positions: u32 = 5_000, 1..=1_000_000_000, "positions before the first step";
        window_first: u32 = 20_000, 1..=1_000_000_000, "positions of the latest games that are learned from, at first";
        window_share: f32 = 0.25, 0.0..=1.0, "the window grows by this share of all further positions";
        window_most: u32 = 500_000, 1..=1_000_000_000, "the most positions of the window";
    }
}

impl LearnSettings {
    /// The positions of the window when there are this many altogether.
    pub fn window(&self, n_positions: u64) -> usize {
        let further = n_positions.saturating_sub(u64::from(self.window_first));
        let wanted = f64::from(self.window_first) + f64::from(self.window_share) * further as f64;
        (wanted as usize).min(self.window_most.max(self.window_first) as usize)
    }

    /// The training steps that are due for a number of positions, `batch` of them in a step.
    pub fn steps_due(&self, n_positions: u64, batch: usize) -> u64 {
        if n_positions < u64::from(self.first_positions) {
            return 0;
        }
        (n_positions as f64 * f64::from(self.passes) / batch.max(1) as f64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_and_steps_follow_the_positions() {
        let learn = LearnSettings {
            first_positions: 100,
            window_first: 1000,
            window_share: 0.5,
            window_most: 2000,
            passes: 2.0,
            ..LearnSettings::default()
        };
        let windows = [0, 1000, 1800, 100_000].map(|n| learn.window(n));
        assert_eq!(windows, [1000, 1000, 1400, 2000]);
        assert_eq!([99, 100, 1000].map(|n| learn.steps_due(n, 64)), [0, 3, 31]);
    }
}
