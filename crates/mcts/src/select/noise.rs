//! Random numbers that selectors draw once for a root: a Dirichlet distribution, and Gumbel's. All by additions, multiplications, divisions,
//! roots and logarithms of our own, so that they are the same on every machine.

use crate::math::{at_least, ln};
use goban::Rng;
use model::math::softmax;

/// Draws a distribution over the places of `out` from the symmetric Dirichlet distribution with the parameter `alpha` in each, above 0.
///
/// It is a Gamma variate for each place, divided by their sum. For a small α most of them are too small for an `f32`, so it is their
/// logarithms that are drawn.
pub(super) fn dirichlet(alpha: f32, rng: &mut Rng, out: &mut [f32]) {
    out.iter_mut().for_each(|x| *x = ln_gamma_variate(alpha, rng));
    softmax(out);
}

/// The logarithm of a variate of the Gamma distribution of shape α and scale 1: for α + 1 by Marsaglia & Tsang 2000, times U^(1/α).
fn ln_gamma_variate(alpha: f32, rng: &mut Rng) -> f32 {
    let d = alpha + 2.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let root = 1.0 + c * x;
        if root <= 1e-6 {
            continue;
        }
        let v = root * root * root;
        if ln(positive_unit(rng)) < 0.5 * x * x + d * (1.0 - v + ln(v)) {
            return ln(d * v) + ln(positive_unit(rng)) / alpha;
        }
    }
}

/// A variate of the standard normal distribution, by Marsaglia's polar method.
fn normal(rng: &mut Rng) -> f32 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 1e-12 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

/// A variate of the standard Gumbel distribution, −ln(−ln U).
pub(super) fn gumbel(rng: &mut Rng) -> f32 {
    const LEAST: f32 = 1.0 / (1 << 25) as f32;
    -ln(at_least(-ln(positive_unit(rng)), LEAST))
}

/// A number above 0 and at most 1.
fn positive_unit(rng: &mut Rng) -> f32 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of 20 000 draws.
    fn moments(mut draw: impl FnMut() -> f32) -> (f64, f64) {
        let draws: Vec<f64> = (0..20_000).map(|_| f64::from(draw())).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        (mean, draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / draws.len() as f64)
    }

    #[test]
    fn a_dirichlet_distribution_has_its_mean_and_variance() {
        let mut rng = Rng::new(5);
        for (alpha, n_places) in [(0.5f32, 4), (3.0, 3), (0.03, 10)] {
            // Mean 1/k; variance m·(1 − m)/(A + 1) with A = k·α: (¼·¾)/3 for the first.
            let (m, total) = (1.0 / n_places as f64, f64::from(alpha) * n_places as f64);
            let right = m * (1.0 - m) / (total + 1.0);
            let mut out = vec![0.0; n_places];
            let (mean, variance) = moments(|| {
                dirichlet(alpha, &mut rng, &mut out);
                let sum: f32 = out.iter().sum();
                assert!((sum - 1.0).abs() < 1e-5 && out.iter().all(|p| (0.0..=1.0).contains(p)), "{out:?}");
                out[0]
            });
            let error = (right / 20_000.0).sqrt();
            assert!((mean - m).abs() < 4.0 * error, "{alpha}: mean {mean} instead of {m}");
            assert!((variance / right - 1.0).abs() < 0.06, "{alpha}: variance {variance} instead of {right}");
        }
        // The least α there is: all of it falls on one place, and nothing is no number.
        let mut out = [0.0; 1000];
        dirichlet(1e-5, &mut rng, &mut out);
        assert!(out.iter().any(|p| *p > 0.99) && out.iter().all(|p| p.is_finite()));
    }

    #[test]
    fn gumbel_and_normal_variates_have_their_moments() {
        let mut rng = Rng::new(6);
        // Gumbel: Euler's constant and π²/6 = 1.6449; normal: 0 and 1.
        let (mean, variance) = moments(|| gumbel(&mut rng));
        assert!((mean - 0.5772).abs() < 0.04 && (variance - 1.6449).abs() < 0.1, "{mean} {variance}");
        let (mean, variance) = moments(|| normal(&mut rng));
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }
}
