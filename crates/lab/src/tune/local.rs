//! The region that still matters: weights that leave out what is worse than the average, as far as games can tell.
//!
//! Real strength is not a quadratic function of a parameter, but near its top it nearly is. So samples count less the
//! further the fit puts them below the mean strength of the samples, in units of what that mean's uncertainty is: with more
//! games the region shrinks around the top (R. Coulom 2011, "CLOP: Confident Local Optimization for Noisy Black-Box
//! Parameter Tuning", section 3). The weight of a point is the least one given by any round,
//! `min over rounds of exp((q(x) − m) / (H σ))`, at most 1, where `m` is the weighted mean of the strength, σ its standard
//! deviation and H the *height*, 3 in the paper. Rounds end when they hardly take weight away.
//!
//! So small a region is right for trying values: within it they are about equally good. It is too small for saying where the
//! top is, since within it the strength hardly bends. For that [`Local::regions`] takes the largest height at which a
//! quadratic still fits as well as chance allows, and the next ones, so that a strength that is a parabola is fitted with
//! nearly all games, and any other with those near the top.

use super::quadratic::{Surface, monomials, n_monomials};
use super::regression::{Degree, Design, Fit};
use super::sample::{Rival, TuneSample};
use crate::stats::gamma::lower_share;

/// Coulom's H: larger means more games in the fit, less noise and more bias.
pub const HEIGHT: f64 = 3.0;

/// Rounds go on while they take away more than this share of the weight.
const ENOUGH: f64 = 0.01;

/// Regions beside the widest one that the result rests on as well.
const N_NARROWER: usize = 2;

/// Less than this is nothing.
const LEAST: f64 = 1e-3;

/// A fit to the samples that matter, and where that is.
#[derive(Clone, Debug)]
pub struct Local {
    /// The last fit.
    pub fit: Fit,
    /// The same with third powers, and with third and fourth powers, if it was asked for by
    /// [`Local::regions`].
    pub bent: Vec<Fit>,
    /// A weight for each sample.
    pub weights: Vec<f64>,
    rounds: Vec<Round>,
}

/// One round: the strength, its mean, and the scale on which less than the mean counts less.
#[derive(Clone, Debug)]
struct Round {
    surface: Surface,
    mean: f64,
    scale: f64,
}

impl Round {
    fn weight(&self, point: &[f64]) -> f64 {
        ((self.surface.at(point) - self.mean) / self.scale).min(0.0).exp()
    }
}

impl Local {
    /// Fits samples, round after round.
    pub fn new(n_axes: usize, n_opponents: usize, samples: &[TuneSample], height: f64) -> Self {
        let design = Design::new(Degree::Two, n_axes, n_opponents, samples);
        let mut weights = vec![1.0; samples.len()];
        let mut rounds = Vec::new();
        let mut before = None;
        loop {
            let fit = design.fit(&weights, before.as_ref());
            let total: f64 = weights.iter().sum();
            // As many samples as coefficients would be fitted exactly, whatever they say.
            if height.is_infinite() || rounds.len() >= 50 || total < 2.0 * fit.n_coefficients() as f64 {
                return Self { fit, bent: Vec::new(), weights, rounds };
            }
            let round = round(&fit, samples, &weights, height);
            let next: Vec<f64> = samples
                .iter()
                .zip(&weights)
                .map(|(sample, weight)| weight.min(ends(sample).map(|p| round.weight(p)).fold(1.0, f64::min)))
                .map(|weight| if weight < LEAST { 0.0 } else { weight })
                .collect();
            if next.iter().sum::<f64>() > (1.0 - ENOUGH) * total {
                return Self { fit, bent: Vec::new(), weights, rounds };
            }
            weights = next;
            rounds.push(round);
            before = Some(fit);
        }
    }

    /// The widest region in which a quadratic fits, where neither third powers nor third and fourth powers explain more than
    /// chance does, and after it the next narrower ones: that the games do not speak against a region does not make it right.
    /// Heights are tried from infinity down to [`HEIGHT`].
    pub fn regions(n_axes: usize, n_opponents: usize, samples: &[TuneSample]) -> Vec<Self> {
        let designs =
            [Degree::Three, Degree::Four].map(|degree| Design::new(degree, n_axes, n_opponents, samples));
        let region = |height: f64| {
            let mut local = Self::new(n_axes, n_opponents, samples, height);
            local.bent = designs.iter().map(|design| design.fit(&local.weights, None)).collect();
            local
        };
        let mut height = f64::INFINITY;
        let mut widest = region(height);
        while height > HEIGHT && widest.is_doubtful(n_axes) {
            height = narrower(height);
            widest = region(height);
        }
        let mut regions = vec![widest];
        for _ in 0..N_NARROWER {
            height = narrower(height);
            regions.push(region(height));
        }
        regions
    }

    /// Whether fits with further powers, one or two for each axis, explain more than chance usually does: the likelihood ratio
    /// test, which doubts a true model about once in ten times.
    fn is_doubtful(&self, n_axes: usize) -> bool {
        self.bent.iter().zip(1..).any(|(more, powers)| {
            let gain = 2.0 * (more.log_likelihood - self.fit.log_likelihood) / self.fit.dispersion;
            // The χ² distribution with as many degrees of freedom as there are further numbers.
            let n_more = (powers * n_axes) as f64;
            n_more > 0.0 && lower_share(0.5 * n_more, 0.5 * gain.max(0.0)) > 0.9
        })
    }

    /// The weight of a point, 0 to 1: the density in which new points are worth trying.
    pub fn weight(&self, point: &[f64]) -> f64 {
        self.rounds.iter().map(|round| round.weight(point)).fold(1.0, f64::min)
    }
}

/// The height after this one.
fn narrower(height: f64) -> f64 {
    if height.is_finite() { 0.7 * height } else { 16.0 * HEIGHT }
}

/// The points of a sample: one, or two if the values played against each other.
fn ends(sample: &TuneSample) -> impl Iterator<Item = &[f64]> {
    let other = match &sample.bout.rival {
        Rival::Opponent(_) => None,
        Rival::Point(point) => Some(point.as_slice()),
    };
    std::iter::once(sample.bout.point.as_slice()).chain(other)
}

fn round(fit: &Fit, samples: &[TuneSample], weights: &[f64], height: f64) -> Round {
    let surface = fit.surface();
    let (mut mean, mut sum, mut against_self) = (0.0, 0.0, false);
    let n_axes = samples.first().map_or(0, |sample| sample.bout.point.len());
    let mut centre = vec![0.0; n_monomials(n_axes)];
    let mut row = Vec::with_capacity(centre.len());
    for (sample, weight) in samples.iter().zip(weights) {
        against_self |= matches!(sample.bout.rival, Rival::Point(_));
        for point in ends(sample) {
            mean += weight * surface.at(point);
            sum += weight;
            row.clear();
            monomials(point, &mut row);
            for (total, value) in centre.iter_mut().zip(&row) {
                *total += weight * value;
            }
        }
    }
    for total in &mut centre {
        *total /= sum;
    }
    // Against an opponent the mean strength is known as well as the number of games says. Against itself nothing but
    // differences is known, so it is asked how well the one between the top and the mean is.
    let deviation = if against_self {
        fit.deviation(&surface.top(), &centre)
    } else {
        1.0 / fit.information.max(1e-9).sqrt()
    };
    Round { surface, mean: mean / sum, scale: (height * deviation).max(1e-6) }
}
