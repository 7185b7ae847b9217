//! The table `[trial]`: games of a new network against the one before it.

use lab::stats::Sprt;

recipe::params! {
    /// Games of a new network against the one that plays.
    pub struct TrialSettings as "trial" {
        games: u32 = 40, 0..=100_000, "games of each new network against the one that plays, for the curve of strength; with a gate the most of them";
        visits: u32 = 50, 1..=1_000_000, "simulations a move";
        start_moves: u32 = 4, 0..=1000, "the most moves drawn blindly at the beginning of a pair of games, each number as likely";
        gate: bool = false, "whether a new network plays on only if a sequential test says that it is stronger";
        elo0: f32 = 0.0, -1000.0..=1000.0, "Elo of a network that is no better (the null hypothesis)";
        elo1: f32 = 50.0, -1000.0..=1000.0, "Elo that is progress";
        alpha: f32 = 0.05, 0.001..=0.499, "how often a network without progress may pass";
        beta: f32 = 0.05, 0.001..=0.499, "how often one with progress may be stopped";
    }
}

impl TrialSettings {
    /// The test of the gate, if there is one.
    ///
    /// # Errors
    /// Numbers of which no test can be made.
    pub fn test(&self) -> lab::Result<Option<Sprt>> {
        let [elo0, elo1, alpha, beta] = [self.elo0, self.elo1, self.alpha, self.beta].map(f64::from);
        let test = || Sprt::new(elo0, elo1, alpha, beta).map_err(lab::Error::input);
        self.gate.then(test).transpose()
    }
}
