//! Weighted quadratic logistic regression: the logarithm of A's odds is a quadratic function of A's point, less that of B's
//! point, or less what B, an opponent of fixed strength, is worth.
//!
//! With the same weights it is one of the oldest models of paired comparison (Bradley and Terry 1952) with strengths that
//! depend on the values. Coefficients have a normal prior, so that few games give a fit as well (Coulom 2011, section 2).

use super::quadratic::{Surface, monomials, n_monomials};
use super::sample::{Rival, TuneSample};
use crate::algebra::{DenseMatrix, add_scaled, dot};

/// The variance of the prior of each coefficient, in squared natural logarithms of the odds: Coulom's 100.
const PRIOR_VARIANCE: f64 = 100.0;

/// Which powers of the coordinates a design has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// All monomials of degree one and two.
    Two,
    /// Those, and each coordinate's third power: what makes one side steeper than the other.
    Three,
    /// Those, and each coordinate's fourth power: what makes the sides flatter than the middle, or steeper.
    Four,
}

impl Degree {
    fn power(self) -> i32 {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
        }
    }
}

/// Samples as rows of numbers.
pub struct Design {
    degree: Degree,
    n_axes: usize,
    n_opponents: usize,
    /// Row after row, one number for each coefficient.
    rows: Vec<f64>,
    points: Vec<f64>,
    games: Vec<f64>,
}

/// A fitted quadratic with its covariance.
#[derive(Clone, Debug)]
pub struct Fit {
    n_axes: usize,
    n_opponents: usize,
    /// What each opponent is worth (negated), then the monomials.
    coefficients: Vec<f64>,
    covariance: DenseMatrix,
    /// The variance of a pair's points over that of two independent decided games.
    pub dispersion: f64,
    /// The logarithm of the weighted likelihood, with the prior.
    pub log_likelihood: f64,
    /// The weighted number of games times the mean of `p(1 − p)`, over the dispersion: one over the variance of the mean
    /// logarithm of the odds.
    pub information: f64,
}

impl Design {
    /// The rows of all samples.
    pub fn new(degree: Degree, n_axes: usize, n_opponents: usize, samples: &[TuneSample]) -> Self {
        let mut design =
            Self { degree, n_axes, n_opponents, rows: Vec::new(), points: Vec::new(), games: Vec::new() };
        for sample in samples {
            let mut row = vec![0.0; n_opponents];
            design.powers(&sample.bout.point, &mut row);
            match &sample.bout.rival {
                Rival::Opponent(idx) => row[*idx] = 1.0,
                Rival::Point(point) => {
                    let mut other = Vec::with_capacity(row.len());
                    design.powers(point, &mut other);
                    for (value, other) in row[n_opponents..].iter_mut().zip(other) {
                        *value -= other;
                    }
                }
            }
            design.rows.extend(row);
            design.points.push(sample.points);
            design.games.push(sample.games);
        }
        design
    }

    fn powers(&self, point: &[f64], out: &mut Vec<f64>) {
        monomials(point, out);
        for power in 3..=self.degree.power() {
            out.extend(point.iter().map(|u| (2.0 * u - 1.0).powi(power)));
        }
    }

    /// The fit with a weight for each sample, 0 to 1. Newton's method starts from another fit if there is one.
    pub fn fit(&self, weights: &[f64], from: Option<&Fit>) -> Fit {
        let n = self.n_coefficients();
        let mut coefficients = from.map_or_else(|| vec![0.0; n], |fit| fit.coefficients.clone());
        let mut value = self.log_posterior(weights, &coefficients);
        let mut latest = None;
        for _ in 0..50 {
            let (gradient, information) = self.derivatives(weights, &coefficients, 1);
            // The prior makes the information positive; rounding cannot undo that for weights of 0 to 1.
            let Some(factors) = information.cholesky() else { break };
            let step = factors.solve(&gradient);
            latest = Some(factors);
            // The square of the step's length in standard deviations.
            if dot(&gradient, &step) < 1e-6 {
                add_scaled(&mut coefficients, 1.0, &step);
                break;
            }
            let mut scale = 1.0;
            loop {
                let mut next = coefficients.clone();
                add_scaled(&mut next, scale, &step);
                let next_value = self.log_posterior(weights, &next);
                if next_value >= value - 1e-12 * (1.0 + value.abs()) || scale < 1e-6 {
                    (coefficients, value) = (next, next_value);
                    break;
                }
                scale *= 0.5;
            }
        }
        let inverse =
            latest.map_or_else(|| DenseMatrix::diagonal(n, PRIOR_VARIANCE), |factors| factors.inverse());
        self.summary(weights, coefficients, &inverse)
    }

    fn n_coefficients(&self) -> usize {
        let more = (self.degree.power() - 2) as usize;
        self.n_opponents + n_monomials(self.n_axes) + more * self.n_axes
    }

    /// The covariance by the sandwich of Huber (1967): a sample of weight `w` tells `w` times as much and varies `w²` times
    /// as much.
    fn summary(&self, weights: &[f64], coefficients: Vec<f64>, inverse: &DenseMatrix) -> Fit {
        let (mut squares, mut sum, mut information) = (1.0, 1.0, 0.0);
        for (i, &weight) in weights.iter().enumerate() {
            let p = self.expected(i, &coefficients);
            let variance = self.games[i] * p * (1.0 - p);
            squares += weight * (self.points[i] - self.games[i] * p).powi(2) / variance.max(1e-6);
            sum += weight;
            information += weight * variance;
        }
        // A sample of the usual variance has been added, and extremes are cut off: few samples say little about it.
        let dispersion = (squares / sum).clamp(0.2, 2.0);
        let (_, mut meat) = self.derivatives(weights, &coefficients, 2);
        meat.add_to_diagonal(-1.0 / PRIOR_VARIANCE);
        meat.scale(dispersion);
        meat.add_to_diagonal(1.0 / PRIOR_VARIANCE);
        let covariance = inverse.times_matrix(&meat).times_matrix(inverse);
        let log_likelihood = self.log_posterior(weights, &coefficients);
        Fit {
            n_axes: self.n_axes,
            n_opponents: self.n_opponents,
            coefficients,
            covariance,
            dispersion,
            log_likelihood,
            information: information / dispersion,
        }
    }

    fn row(&self, sample: usize) -> &[f64] {
        let n = self.n_coefficients();
        &self.rows[sample * n..(sample + 1) * n]
    }

    fn logit(&self, sample: usize, coefficients: &[f64]) -> f64 {
        dot(self.row(sample), coefficients)
    }

    fn expected(&self, sample: usize, coefficients: &[f64]) -> f64 {
        1.0 / (1.0 + (-self.logit(sample, coefficients)).exp())
    }

    fn log_posterior(&self, weights: &[f64], coefficients: &[f64]) -> f64 {
        let mut sum = -0.5 * dot(coefficients, coefficients) / PRIOR_VARIANCE;
        for (i, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
            let logit = self.logit(i, coefficients);
            // ln p = −ln(1 + e^(−x)), written so that neither tail overflows.
            let ln_p = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
            sum += weight * (self.points[i] * ln_p(logit) + (self.games[i] - self.points[i]) * ln_p(-logit));
        }
        sum
    }

    /// The gradient of the log-posterior and the negative second derivatives, the latter with weights to a `power`.
    fn derivatives(&self, weights: &[f64], coefficients: &[f64], power: i32) -> (Vec<f64>, DenseMatrix) {
        let n = coefficients.len();
        let mut gradient = vec![0.0; n];
        let mut information = vec![0.0; n * n];
        for (i, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
            let (row, p) = (self.row(i), self.expected(i, coefficients));
            let surprise = weight * (self.points[i] - self.games[i] * p);
            let scale = weight.powi(power) * self.games[i] * p * (1.0 - p);
            for (a, &x) in row.iter().enumerate() {
                gradient[a] += surprise * x;
                let scaled = scale * x;
                add_scaled(&mut information[a * n..=a * n + a], scaled, row);
            }
        }
        add_scaled(&mut gradient, -1.0 / PRIOR_VARIANCE, coefficients);
        let mut information = DenseMatrix::from_rows(n, information);
        information.add_to_diagonal(1.0 / PRIOR_VARIANCE);
        information.mirror_lower();
        (gradient, information)
    }
}

impl Fit {
    /// The strength at a point, natural logarithm of the odds, up to a constant.
    pub fn surface(&self) -> Surface {
        self.surface_of(&self.coefficients)
    }

    /// A surface drawn from the distribution of what the samples allow.
    pub fn draw(&self, root: &DenseMatrix, deviates: &[f64]) -> Surface {
        let mut drawn = root.times(deviates);
        add_scaled(&mut drawn, 1.0, &self.coefficients);
        self.surface_of(&drawn)
    }

    /// A root of the covariance, for [`Fit::draw`].
    pub fn root(&self) -> DenseMatrix {
        self.covariance.covariance_root()
    }

    /// How many coefficients there are, those of opponents included.
    pub fn n_coefficients(&self) -> usize {
        self.coefficients.len()
    }

    /// The standard deviation of the difference between the strength at a point and a mean strength, where `mean` are the
    /// means of the monomials.
    pub fn deviation(&self, point: &[f64], mean: &[f64]) -> f64 {
        let mut row = vec![0.0; self.n_opponents];
        monomials(point, &mut row);
        for (value, mean) in row[self.n_opponents..].iter_mut().zip(mean) {
            *value -= mean;
        }
        row.resize(self.coefficients.len(), 0.0);
        dot(&row, &self.covariance.times(&row)).max(0.0).sqrt()
    }

    fn surface_of(&self, coefficients: &[f64]) -> Surface {
        Surface::new(self.n_axes, &coefficients[self.n_opponents..])
    }
}
