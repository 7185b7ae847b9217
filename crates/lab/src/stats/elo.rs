//! Elo of a share of points, with its interval.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::share::{Z95, wilson};

/// The Elo that stands for "beyond all bounds": games that were all won or all lost set no limit on one side. A finite
/// number, so that it survives JSON and plots; nobody expects a point in ten thousand million games at this distance.
pub const MOST_ELO: f64 = 4000.0;

/// The Elo difference at which a player expects the share `p` (0 to 1) of the points, within ±[`MOST_ELO`].
pub fn elo_of_rate(p: f64) -> f64 {
    if p <= 0.0 {
        -MOST_ELO
    } else if p >= 1.0 {
        MOST_ELO
    } else {
        (400.0 * (p / (1.0 - p)).log10()).clamp(-MOST_ELO, MOST_ELO)
    }
}

/// The share of the points, 0 to 1, that a player expects who is `elo` ahead.
pub fn rate_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An Elo difference, A's view, with its 95 % interval. Always finite; an open end is ±[`MOST_ELO`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elo {
    /// The estimate.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
}

impl Elo {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { elo: 0.0, low: -MOST_ELO, high: MOST_ELO };

    /// From the share `p` of the points of `n_games` games whose mean varies `design` times as much as that of independent
    /// games without draws: draws make it less than 1, the ups and downs that two games of a colour pair share make it
    /// more or less. The interval is Wilson's for `n_games / design` games (the design effect of surveys: Kish 1965; with
    /// Wilson's interval: Kott and Carr 1997), carried over to Elo end by end, so that it is not symmetric far from 50 %.
    ///
    /// At 0 % and 100 % the likeliest Elo is infinite; the estimate is then that of half a point less, the interval stays
    /// open on that side.
    pub fn from_share(p: f64, n_games: f64, design: f64) -> Self {
        if n_games <= 0.0 {
            return Self::UNKNOWN;
        }
        let half_point = 0.5 / n_games;
        let estimate = if p <= 0.0 {
            half_point
        } else if p >= 1.0 {
            1.0 - half_point
        } else {
            p
        };
        let [low, high] = wilson(p, n_games / design, Z95);
        Self { elo: elo_of_rate(estimate), low: elo_of_rate(low), high: elo_of_rate(high) }
    }

    /// The same difference seen by B.
    pub fn reversed(self) -> Self {
        Self { elo: -self.elo, low: -self.high, high: -self.low }
    }

    /// The ends of the interval; one that games do not bound is infinite.
    pub fn open_ends(&self) -> [f64; 2] {
        [self.low, self.high]
            .map(|end| if end.abs() >= MOST_ELO { end.signum() * f64::INFINITY } else { end })
    }

    /// The interval as text: `[+10, +∞]`.
    pub fn interval(&self) -> String {
        let [low, high] = self.open_ends().map(|end| match end {
            end if end == f64::INFINITY => "+∞".to_owned(),
            end if end == f64::NEG_INFINITY => "−∞".to_owned(),
            end => signed(end),
        });
        format!("[{low}, {high}]")
    }

    /// Half the width of the interval: the number behind "±".
    pub fn margin(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}

/// `+35 [+10, +61]`; an open end is `−∞` or `+∞`.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", signed(self.elo), self.interval())
    }
}

/// A whole number with its sign; what rounds to 0 has none.
pub(super) fn signed(elo: f64) -> String {
    let rounded = elo.round();
    match rounded {
        0.0 => "0".to_owned(),
        _ if rounded < 0.0 => format!("−{:.0}", -rounded),
        _ => format!("+{rounded:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_rate() {
        // 10 : 1 is 400 Elo by definition; 64 % is 400 · log10(0.64 / 0.36) = 99.95.
        assert!((rate_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((elo_of_rate(0.64) - 99.951).abs() < 1e-3);
        assert_eq!(elo_of_rate(0.5), 0.0);
        for elo in [-700.0, -3.0, 0.0, 12.5, 1200.0] {
            assert!((elo_of_rate(rate_of_elo(elo)) - elo).abs() < 1e-6);
        }
        assert_eq!(elo_of_rate(0.0), -MOST_ELO);
        assert_eq!(elo_of_rate(1.0), MOST_ELO);
    }

    #[test]
    fn text() {
        let text = |elo, low, high| Elo { elo, low, high }.to_string();
        assert_eq!(text(35.4, 10.0, 60.6), "+35 [+10, +61]");
        assert_eq!(text(-0.3, -70.2, MOST_ELO), "0 [−70, +∞]");
        assert_eq!(Elo::UNKNOWN.to_string(), "0 [−∞, +∞]");
    }
}
