//! The errors of Monte-Carlo estimates against labels.
//!
//! An estimate of n playouts is the share of them that Black won. With N playouts of a position there are N/n estimates of
//! n, and the squared error of a position at n is the mean over these; the mean over positions is the MSE. One position is
//! one observation, so the standard error of the MSE is that of a mean over positions, and its interval a bootstrap over
//! positions (percentiles of resampled means).
//!
//! The MSE at N has two parts: noise, which is the variance of an estimate and goes to 0 with the number of playouts, and
//! what no number of playouts cures. The first is known from the playouts, s²/N with s² their unbiased variance in each
//! position; the second is the rest.

use goban::Rng;
use serde::Serialize;

use crate::phase::GamePhase;

/// How many times positions are drawn again for an interval.
const N_RESAMPLES: usize = 2000;

/// Bins of the calibration: estimates from 0 to 0.1, to 0.2, …
const N_BINS: usize = 10;

/// A position with its playouts and a label.
#[derive(Clone, Debug)]
pub struct AccuracyCase<'a> {
    /// Results of the playouts in half points, as Black sees them.
    pub results: &'a [u8],
    /// What the position is worth, 0..=1, as Black sees it.
    pub label: f64,
    /// Whether Black is to move.
    pub is_black: bool,
    /// The part of the game.
    pub phase: GamePhase,
}

/// How good the estimates of a policy are.
#[derive(Clone, Debug, Serialize)]
pub struct Accuracy {
    /// Number of positions.
    pub positions: u64,
    /// The error by number of playouts, up to all of them.
    pub curve: Vec<AccuracyPoint>,
    /// The part of the MSE at all playouts that is chance.
    pub noise: f64,
    /// The part that is not: what remains with ever more playouts.
    pub systematic: f64,
    /// The MSE of saying ½ of every position: what any estimate must beat.
    pub mse_of_half: f64,
    /// Mean of estimate − label, as the player to move sees it, with its standard error.
    pub bias_of_mover: [f64; 2],
    /// The same as Black sees it.
    pub bias_of_black: [f64; 2],
    /// The correlation of estimates and labels, −1..=1; as Black sees them.
    pub correlation: f64,
    /// How often the estimate and the label are on the same side of ½; labels of exactly ½ are left out, estimates of
    /// ½ count half.
    pub same_side: f64,
    /// Estimates in bins, and what their positions are worth.
    pub calibration: Vec<CalibrationBin>,
    /// The MSE at all playouts by part of the game, with its standard error.
    pub phases: Vec<PhaseError>,
}

/// The error at a number of playouts.
#[derive(Clone, Debug, Serialize)]
pub struct AccuracyPoint {
    /// Playouts of each estimate.
    pub playouts: u64,
    /// The mean squared error.
    pub mse: f64,
    /// Its standard error over positions.
    pub mse_se: f64,
    /// Its 95 % interval, by bootstrap over positions.
    pub mse95: [f64; 2],
    /// Its root.
    pub rmse: f64,
    /// The root's interval.
    pub rmse95: [f64; 2],
}

/// Positions whose estimates lie close together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Estimates from here …
    pub from: f64,
    /// … up to here, the upper end excluded but for 1.
    pub to: f64,
    /// Number of positions.
    pub positions: u64,
    /// Their mean estimate; `null` without positions.
    pub estimate: f64,
    /// Their mean label.
    pub label: f64,
}

/// The error in one part of the game.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseError {
    /// Which.
    pub phase: GamePhase,
    /// Number of positions.
    pub positions: u64,
    /// The mean squared error at all playouts; `null` without positions.
    pub mse: f64,
    /// Its standard error; `null` with fewer than two.
    pub mse_se: f64,
}

impl Accuracy {
    /// Works out everything. All cases have the same number of playouts; `rng` draws the bootstrap.
    pub fn new(cases: &[AccuracyCase<'_>], rng: &mut Rng) -> Self {
        let n_playouts = cases.first().map_or(0, |case| case.results.len());
        let estimates: Vec<f64> = cases.iter().map(|case| mean_of(case.results)).collect();
        let labels: Vec<f64> = cases.iter().map(|case| case.label).collect();
        let errors: Vec<f64> = estimates.iter().zip(&labels).map(|(q, label)| q - label).collect();
        let squares: Vec<f64> = errors.iter().map(|error| error * error).collect();
        let as_mover: Vec<f64> = errors
            .iter()
            .zip(cases)
            .map(|(error, case)| if case.is_black { *error } else { -error })
            .collect();
        let noise = mean(&cases.iter().map(|case| noise_of(case.results)).collect::<Vec<_>>());
        Self {
            positions: cases.len() as u64,
            curve: steps(n_playouts).into_iter().map(|n| curve_point(cases, n, rng)).collect(),
            noise,
            systematic: mean(&squares) - noise,
            mse_of_half: mean(&labels.iter().map(|label| (label - 0.5).powi(2)).collect::<Vec<_>>()),
            bias_of_mover: [mean(&as_mover), standard_error(&as_mover)],
            bias_of_black: [mean(&errors), standard_error(&errors)],
            correlation: correlation(&estimates, &labels),
            same_side: same_side(&estimates, &labels),
            calibration: calibration(&estimates, &labels),
            phases: GamePhase::ALL.iter().map(|&phase| phase_error(phase, cases, &squares)).collect(),
        }
    }

    /// The error with all playouts.
    pub fn last(&self) -> Option<&AccuracyPoint> {
        self.curve.last()
    }
}

/// 1, 10, 100, … and all.
fn steps(n_playouts: usize) -> Vec<usize> {
    let mut steps: Vec<usize> =
        std::iter::successors(Some(1_usize), |n| n.checked_mul(10)).take_while(|&n| n < n_playouts).collect();
    if n_playouts > 0 {
        steps.push(n_playouts);
    }
    steps
}

fn curve_point(cases: &[AccuracyCase<'_>], n: usize, rng: &mut Rng) -> AccuracyPoint {
    let squares: Vec<f64> = cases.iter().map(|case| squared_error(case, n)).collect();
    let (mse, mse95) = (mean(&squares), bootstrap95(&squares, rng));
    AccuracyPoint {
        playouts: n as u64,
        mse,
        mse_se: standard_error(&squares),
        mse95,
        rmse: mse.sqrt(),
        rmse95: mse95.map(f64::sqrt),
    }
}

/// The mean squared error of the estimates of `n` playouts that a case has.
fn squared_error(case: &AccuracyCase<'_>, n: usize) -> f64 {
    let squares = case.results.chunks_exact(n).map(|block| (mean_of(block) - case.label).powi(2));
    squares.sum::<f64>() / (case.results.len() / n) as f64
}

/// The share that Black won.
fn mean_of(results: &[u8]) -> f64 {
    results.iter().map(|&halves| u64::from(halves)).sum::<u64>() as f64 / (2.0 * results.len() as f64)
}

/// The variance of the share, s²/N; 0 if one playout cannot tell.
fn noise_of(results: &[u8]) -> f64 {
    let n = results.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let mean = mean_of(results);
    let squares: f64 = results.iter().map(|&halves| (f64::from(halves) / 2.0 - mean).powi(2)).sum();
    squares / (n - 1.0) / n
}

fn phase_error(phase: GamePhase, cases: &[AccuracyCase<'_>], squares: &[f64]) -> PhaseError {
    let of_phase: Vec<f64> = cases
        .iter()
        .zip(squares)
        .filter(|(case, _)| case.phase == phase)
        .map(|(_, square)| *square)
        .collect();
    PhaseError {
        phase,
        positions: of_phase.len() as u64,
        mse: mean(&of_phase),
        mse_se: standard_error(&of_phase),
    }
}

/// No number without values.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Of the mean; no number with fewer than two values.
pub(super) fn standard_error(values: &[f64]) -> f64 {
    let (n, mean) = (values.len() as f64, mean(values));
    if n < 2.0 {
        return f64::NAN;
    }
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt()
}

/// The 2.5th and 97.5th percentile of means of values drawn again with replacement.
pub(super) fn bootstrap95(values: &[f64], rng: &mut Rng) -> [f64; 2] {
    if values.is_empty() {
        return [f64::NAN; 2];
    }
    let n = values.len();
    let mut means: Vec<f64> = (0..N_RESAMPLES)
        .map(|_| (0..n).map(|_| values[rng.below(n as u32) as usize]).sum::<f64>() / n as f64)
        .collect();
    means.sort_by(f64::total_cmp);
    [0.025, 0.975].map(|share| means[(share * (N_RESAMPLES - 1) as f64).round() as usize])
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        ab += (a - mean_a) * (b - mean_b);
        aa += (a - mean_a).powi(2);
        bb += (b - mean_b).powi(2);
    }
    ab / (aa * bb).sqrt()
}

fn same_side(estimates: &[f64], labels: &[f64]) -> f64 {
    let decided = estimates.iter().zip(labels).filter(|(_, label)| **label != 0.5);
    let points: Vec<f64> = decided
        .map(|(estimate, label)| match (estimate - 0.5) * (label - 0.5) {
            same if same > 0.0 => 1.0,
            other if other < 0.0 => 0.0,
            _ => 0.5,
        })
        .collect();
    mean(&points)
}

fn calibration(estimates: &[f64], labels: &[f64]) -> Vec<CalibrationBin> {
    let width = 1.0 / N_BINS as f64;
    let bin_of = |estimate: f64| ((estimate / width) as usize).min(N_BINS - 1);
    let bin = |idx: usize| {
        let inside = estimates.iter().zip(labels).filter(|(estimate, _)| bin_of(**estimate) == idx);
        let (estimates, labels): (Vec<f64>, Vec<f64>) = inside.unzip();
        CalibrationBin {
            from: idx as f64 / N_BINS as f64,
            to: (idx + 1) as f64 / N_BINS as f64,
            positions: estimates.len() as u64,
            estimate: mean(&estimates),
            label: mean(&labels),
        }
    };
    (0..N_BINS).map(bin).collect()
}
