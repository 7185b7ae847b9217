//! A loss as an estimate with an interval.

use super::finding::Compared;
use super::thresholds::{DUEL_VARIANCE, DUEL_VARIANCE_BY_N, LONG_SEARCH_SD, VARIANCE_WEIGHT, WIDTH};

/// A number that is not known exactly, and the interval in which it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The best guess.
    pub mean: f32,
    /// The lower end.
    pub low: f32,
    /// The upper end.
    pub high: f32,
}

impl Estimate {
    /// The part of the estimate that a share can have: 0 to 1. No move loses more than the whole game.
    #[must_use]
    pub fn as_share(self) -> Self {
        let Self { mean, low, high } = self;
        Self { mean: mean.clamp(0.0, 1.0), low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) }
    }

    fn around(mean: f32, sd: f32) -> Self {
        Self { mean, low: mean - WIDTH * sd, high: mean + WIDTH * sd }
    }
}

/// The loss of win rate, as a share from 0 to 1, that independent comparisons of the same two moves show; `simulations` is
/// the length of each search.
///
/// Playouts of one tree depend on each other, so their number says little; what says how sure a comparison is, is how much
/// another one differs. A few comparisons do not tell their own spread well, so what was seen in other games counts as some
/// more. And a search that is fifty times as long may see what no short one does, however often it is made; so the
/// interval never becomes narrower than that.
pub fn win_loss(found: &[Compared], simulations: u64) -> Estimate {
    let usual = DUEL_VARIANCE + DUEL_VARIANCE_BY_N / simulations.max(1) as f32;
    let (mean, variance) = pooled(found.iter().map(Compared::loss), usual);
    Estimate::around(mean, (variance + LONG_SEARCH_SD * LONG_SEARCH_SD).sqrt())
}

/// The loss in points likewise, without what is known of other games: of points there is no such knowledge.
pub fn points_loss(found: &[Compared]) -> Estimate {
    let n = found.len() as f32;
    let mean = found.iter().map(Compared::points).sum::<f32>() / n.max(1.0);
    let sum_sq: f32 = found.iter().map(|one| (one.points() - mean).powi(2)).sum();
    // One comparison shows no spread; its own size is all that there is to go by.
    let variance = if found.len() > 1 { sum_sq / (n - 1.0) / n } else { mean * mean };
    Estimate::around(mean, variance.sqrt())
}

/// The mean of some numbers and the variance of that mean; `usual` is the variance that such numbers had elsewhere.
fn pooled(values: impl Iterator<Item = f32> + Clone, usual: f32) -> (f32, f32) {
    let n = values.clone().count() as f32;
    if n == 0.0 {
        return (0.0, f32::INFINITY);
    }
    let mean = values.clone().sum::<f32>() / n;
    let sum_sq: f32 = values.map(|x| (x - mean).powi(2)).sum();
    let variance = (VARIANCE_WEIGHT * usual + sum_sq) / (VARIANCE_WEIGHT + n - 1.0);
    (mean, variance / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(loss: f32) -> Compared {
        Compared {
            best_win: 0.5 + loss,
            played_win: 0.5,
            best_margin: 10.0 * loss,
            played_margin: 0.0,
            visits: 100,
        }
    }

    #[test]
    fn intervals_narrow_with_duels_but_never_vanish() {
        let n = 1000;
        let of = |n_duels: usize| win_loss(&vec![compared(0.1); n_duels], n);
        let widths: Vec<f32> = [1, 2, 4, 8, 1000].map(|n| of(n).high - of(n).low).to_vec();
        assert!(widths.is_sorted_by(|a, b| a > b), "{widths:?}");
        assert!((widths[4] - 2.0 * WIDTH * LONG_SEARCH_SD).abs() < 1e-3, "{widths:?}");
        assert!((of(4).mean - 0.1).abs() < 1e-6);
        assert!(win_loss(&[], n).low == f32::NEG_INFINITY);
    }

    #[test]
    fn no_share_is_beyond_the_whole() {
        let wide = win_loss(&[compared(0.95)], 10);
        assert!(wide.low < 0.95 && wide.high > 1.0, "{wide:?}");
        assert_eq!(wide.as_share(), Estimate { high: 1.0, ..wide });
        let unknown = win_loss(&[], 10).as_share();
        assert_eq!((unknown.low, unknown.high), (0.0, 1.0));
    }

    #[test]
    fn what_differs_much_is_less_sure() {
        let alike = win_loss(&[0.1, 0.1, 0.1].map(compared), 1000);
        let apart = win_loss(&[0.0, 0.1, 0.2].map(compared), 1000);
        assert!((alike.mean - apart.mean).abs() < 1e-6 && apart.low < alike.low);
        // By hand: variance of three duels (4·usual + 0.02)/6, of their mean a third of it.
        let usual = DUEL_VARIANCE + DUEL_VARIANCE_BY_N / 1000.0;
        let sd = ((4.0 * usual + 0.02) / 6.0 / 3.0 + LONG_SEARCH_SD * LONG_SEARCH_SD).sqrt();
        assert!((apart.high - (0.1 + 1.96 * sd)).abs() < 1e-4, "{apart:?}");
        let points = points_loss(&[0.0, 0.1, 0.2].map(compared));
        // Points 0, 1, 2: standard error 1/√3.
        assert!((points.mean - 1.0).abs() < 1e-5 && (points.high - 1.0 - 1.96 / 3f32.sqrt()).abs() < 1e-4);
    }
}
