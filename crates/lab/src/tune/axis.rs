//! Parameters as axes of a box. Optimisers work in *unit coordinates*, 0 to 1 along each axis; games are played with values.

use serde::{Deserialize, Serialize};

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisScale {
    /// Equal differences are equally far.
    #[default]
    Linear,
    /// Equal ratios are equally far; all values are above 0.
    Log,
}

/// One parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedAxis {
    /// The parameter's full dotted key in the recipe.
    pub key: String,
    /// The smallest value tried.
    pub low: f64,
    /// The largest value tried.
    pub high: f64,
    /// How values lie between them.
    pub scale: AxisScale,
    /// Whether only whole numbers make sense.
    pub whole: bool,
    /// Where a walk starts: the base recipe's value unless said otherwise.
    pub start: f64,
}

/// Values of real parameters have this many parts between the ends of a linear axis, or this many to a factor of e on a
/// logarithmic one: finer than any number of games can tell, and short to read.
const PARTS: f64 = 2000.0;

impl TunedAxis {
    /// The value at a unit coordinate, rounded to one that is played with: a whole number, or one with few digits.
    pub fn value(&self, u: f64) -> f64 {
        let exact = self.exact(u);
        let grain = match self.scale {
            AxisScale::Linear => (self.high - self.low) / PARTS,
            AxisScale::Log => exact / PARTS,
        };
        let rounded = if self.whole { exact.round() } else { rounded(exact, grain) };
        rounded.clamp(self.low, self.high)
    }

    fn exact(&self, u: f64) -> f64 {
        let u = u.clamp(0.0, 1.0);
        match self.scale {
            AxisScale::Linear => self.low + u * (self.high - self.low),
            AxisScale::Log => self.low * (self.high / self.low).powf(u),
        }
    }

    /// The ends of an interval of unit coordinates, as values that hold it: whole numbers are rounded outwards.
    pub fn interval(&self, low: f64, high: f64) -> [f64; 2] {
        if !self.whole {
            return [self.value(low), self.value(high)];
        }
        // A hair is allowed for rounding, so that the unit coordinate of a whole number gives that number.
        let [low, high] = [self.exact(low) + 1e-9, self.exact(high) - 1e-9];
        [low.floor().max(self.low), high.ceil().min(self.high)]
    }

    /// The unit coordinate of a value.
    pub fn unit(&self, value: f64) -> f64 {
        let u = match self.scale {
            AxisScale::Linear => (value - self.low) / (self.high - self.low),
            AxisScale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        u.clamp(0.0, 1.0)
    }

    /// The unit coordinate of the value that is played with at `u`.
    pub fn snap(&self, u: f64) -> f64 {
        self.unit(self.value(u))
    }

    /// A length along the axis, at the value `at`, in unit coordinates.
    pub fn unit_length(&self, at: f64, length: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => length / (self.high - self.low),
            AxisScale::Log => ((at + length) / at).ln() / (self.high / self.low).ln(),
        }
    }
}

/// `exact` to the largest power of ten that is not coarser than `grain`.
fn rounded(exact: f64, grain: f64) -> f64 {
    let digits = -grain.log10().floor();
    // A power of ten with a positive exponent is exact, so that 0.1 prints as 0.1.
    if digits >= 0.0 {
        let unit = 10f64.powf(digits);
        (exact * unit).round() / unit
    } else {
        let unit = 10f64.powf(-digits);
        (exact / unit).round() * unit
    }
}

/// The values at a point, axis by axis.
pub fn values(axes: &[TunedAxis], point: &[f64]) -> Vec<f64> {
    axes.iter().zip(point).map(|(axis, &u)| axis.value(u)).collect()
}

/// The point that is played at `point`: that of its rounded values.
pub fn snap(axes: &[TunedAxis], point: &[f64]) -> Vec<f64> {
    axes.iter().zip(point).map(|(axis, &u)| axis.snap(u)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(low: f64, high: f64, scale: AxisScale, whole: bool) -> TunedAxis {
        TunedAxis { key: "x".to_owned(), low, high, scale, whole, start: low }
    }

    #[test]
    fn values_by_hand() {
        let linear = axis(-1.0, 3.0, AxisScale::Linear, false);
        assert_eq!(linear.value(0.25), 0.0);
        // 4 / 2000 = 0.002, so three digits.
        assert_eq!(linear.value(0.123_456_7), -0.506);
        assert_eq!(linear.unit(1.0), 0.5);
        let log = axis(1.0, 10_000.0, AxisScale::Log, false);
        assert!((log.value(0.5) - 100.0).abs() < 1e-9);
        // 10^1.3 = 19.9526, grain 0.00998, so three digits.
        assert_eq!(log.value(0.325), 19.953);
        assert!((log.unit(10.0) - 0.25).abs() < 1e-12);
        // From 100 to 200 is log 2 of log 10⁴.
        assert!((log.unit_length(100.0, 100.0) - 0.075_257).abs() < 1e-6);
        let whole = axis(2.0, 6.0, AxisScale::Linear, true);
        assert_eq!([0.0, 0.1, 0.13, 0.5, 1.0].map(|u| whole.value(u)), [2.0, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(whole.snap(0.1), 0.0);
        assert_eq!(whole.interval(0.3, 0.6), [3.0, 5.0]);
        assert_eq!(whole.interval(0.25, 0.75), [3.0, 5.0]);
        assert_eq!(linear.interval(0.25, 0.5), [0.0, 1.0]);
        let large = axis(1e3, 1e9, AxisScale::Linear, false);
        assert_eq!(large.value(0.5), 500_000_000.0);
    }

    #[test]
    fn values_stay_within_and_survive_snapping() {
        for axis in [
            axis(0.013, 0.27, AxisScale::Linear, false),
            axis(0.013, 270.0, AxisScale::Log, false),
            axis(1.0, 777.0, AxisScale::Log, true),
            axis(-5.0, 5.0, AxisScale::Linear, true),
        ] {
            for i in -10..=1010 {
                let u = f64::from(i) / 1000.0;
                let value = axis.value(u);
                assert!(value >= axis.low && value <= axis.high, "{axis:?} at {u}: {value}");
                assert_eq!(axis.value(axis.snap(u)), value, "{axis:?} at {u}");
                assert!(!axis.whole || value == value.round());
            }
        }
    }
}
