//! The sequential probability ratio test on colour pairs: is A better than B by `elo1` rather than by `elo0`?
//!
//! Wald's test (1945, "Sequential tests of statistical hypotheses") stops when the logarithm of the likelihood ratio leaves
//! the bounds. How often a pair ends with each sum of points is not known, so both likelihoods are maximised over the
//! distributions whose mean is the one the hypothesis says: the generalised test (Li, Liu and Ying 2014, "Generalized
//! sequential probability ratio test for separate families of hypotheses"), as fishtest has it for five outcomes. The
//! maximum has a closed form up to one number (Owen 1988, "Empirical likelihood ratio confidence intervals for a single
//! functional"): with observed shares `f_i` of the outcomes `x_i` and the mean `s` asked for,
//! `p_i = f_i / (1 + θ(x_i − s))`, where θ makes the mean `s`.

use serde::{Deserialize, Serialize};

use super::StatsError;
use super::count::{Pentanomial, Trinomial};
use super::elo::{MOST_ELO, rate_of_elo};

/// The count of an outcome that was never seen, so that its absence rules out no hypothesis.
const UNSEEN: f64 = 1e-3;

/// The two hypotheses, in logistic Elo of A over B, and the error rates allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo under H0, the smaller one: "no progress".
    pub elo0: f64,
    /// Elo under H1, the larger one: "progress worth having".
    pub elo1: f64,
    /// The probability of accepting H1 when A is `elo0` better.
    pub alpha: f64,
    /// The probability of accepting H0 when A is `elo1` better.
    pub beta: f64,
}

/// How a sequential test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hypothesis {
    /// A is not better than `elo0`.
    H0,
    /// A is at least `elo1` better.
    H1,
}

impl Sprt {
    /// A test whose numbers make sense, or an error that says which do not.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, StatsError> {
        let test = Self { elo0, elo1, alpha, beta };
        test.check()?;
        Ok(test)
    }

    /// Whether the numbers make sense: `elo0 < elo1` within ±[`MOST_ELO`], error rates above 0 and below ½.
    pub fn check(&self) -> Result<(), StatsError> {
        let Self { elo0, elo1, alpha, beta } = *self;
        // Written so that what is no number at all fails as well.
        if !(-MOST_ELO < elo0 && elo0 < elo1 && elo1 < MOST_ELO) {
            return Err(StatsError::Hypotheses { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(StatsError::ErrorRate { name, value });
            }
        }
        Ok(())
    }

    /// The bounds of the log-likelihood ratio: at or below `ln(β / (1 − α))` H0 is accepted, at or above
    /// `ln((1 − β) / α)` H1.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The generalised log-likelihood ratio of H1 over H0.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        self.ratio(&pairs.0)
    }

    /// The same ratio of single games, for results without colour pairs.
    pub fn llr_of_games(&self, games: &Trinomial) -> f64 {
        self.ratio(&[games.losses, games.draws, games.wins])
    }

    /// Which hypothesis is accepted; none while the ratio is within the bounds. A test ends at the *first* pair that gives
    /// a verdict: [`super::SequentialTest`] sees to that.
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<Hypothesis> {
        let (llr, [low, high]) = (self.llr(pairs), self.bounds());
        if llr <= low {
            Some(Hypothesis::H0)
        } else if llr >= high {
            Some(Hypothesis::H1)
        } else {
            None
        }
    }

    /// The ratio for counts of outcomes that are evenly spaced from 0 to 1.
    fn ratio<const N: usize>(&self, counts: &[u64; N]) -> f64 {
        if counts.iter().all(|&n| n == 0) {
            return 0.0;
        }
        let shares = counts.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let [s0, s1] = [rate_of_elo(self.elo0), rate_of_elo(self.elo1)];
        let (theta0, theta1) = (tilt(&shares, s0), tilt(&shares, s1));
        let mut llr = 0.0;
        for (i, share) in shares.iter().enumerate() {
            let x = outcome::<N>(i);
            llr += share * ((1.0 + theta0 * (x - s0)) / (1.0 + theta1 * (x - s1))).ln();
        }
        llr
    }
}

/// The points of outcome `i` of `N`, from 0 to 1.
fn outcome<const N: usize>(i: usize) -> f64 {
    i as f64 / (N - 1) as f64
}

/// The θ that gives the tilted distribution the mean `s`: the zero of `Σ f_i a_i / (1 + θ a_i)` with `a_i = x_i − s`. The
/// sum falls steadily between the poles `−1/(1 − s)` and `1/s`, so Newton's steps are kept within a shrinking bracket.
fn tilt<const N: usize>(shares: &[f64; N], s: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    let mut theta = 0.0;
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (i, f) in shares.iter().enumerate() {
            let a = outcome::<N>(i) - s;
            let t = a / (1.0 + theta * a);
            value += f * t;
            slope -= f * t * t;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let done = (next - theta).abs() <= 1e-12 * (1.0 + theta.abs());
        theta = next;
        if done {
            break;
        }
    }
    theta
}
