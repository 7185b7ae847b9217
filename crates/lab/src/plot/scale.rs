//! From values to pixels, and the values worth a tick.

use super::number::{self, Unit};
use super::style::text_width;

/// An axis: the quantity, its unit and its scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotAxis {
    /// What is measured, for example `simulations`. The unit is added to it.
    pub label: String,
    /// How values are written.
    pub unit: Unit,
    /// Whether equal factors are equally far apart. Values of zero or less have a place of their own at the left end.
    pub log: bool,
    /// The ends of the axis, if they are not to follow from the data. What lies outside is cut off.
    pub range: Option<[f64; 2]>,
}

impl PlotAxis {
    /// An axis with equal steps.
    pub fn linear(label: impl Into<String>, unit: Unit) -> Self {
        Self { label: label.into(), unit, log: false, range: None }
    }

    /// An axis with equal factors.
    pub fn log(label: impl Into<String>, unit: Unit) -> Self {
        Self { log: true, ..Self::linear(label, unit) }
    }

    /// The label with the unit.
    pub(super) fn title(&self) -> String {
        match (self.label.is_empty(), self.unit.suffix()) {
            (_, "") => self.label.clone(),
            (true, unit) => unit.to_owned(),
            (false, unit) => format!("{}, {unit}", self.label),
        }
    }
}

/// How the ends of an axis follow from the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// A little room beyond the data.
    Loose,
    /// The next ticks beyond the data; from zero, if the data come near it.
    Ticks,
    /// Exactly the data.
    Tight,
}

/// A mark at an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// In pixels.
    pub(super) place: f64,
    /// Minor ticks have none.
    pub(super) label: Option<String>,
}

/// Where values lie between two pixels.
#[derive(Clone, Debug)]
pub(super) struct PlotScale {
    log: bool,
    unit: Unit,
    /// Values at the ends; logarithms of them on a logarithmic axis.
    ends: [f64; 2],
    pixels: [f64; 2],
    /// Which mantissas of a logarithmic axis have labels.
    mantissas: &'static [i32],
    /// Where values of zero or less stand on a logarithmic axis that has some.
    zero: Option<f64>,
    n_ticks: usize,
}

/// Pixels that the place for zero takes from a logarithmic axis.
const ZERO_ROOM: f64 = 48.0;
/// Pixels between labels of ticks.
const LABEL_GAP: f64 = 8.0;
/// The size of the letters of ticks and labels.
pub(super) const LETTERS: f64 = 12.0;

impl PlotScale {
    /// The scale of an axis from the first pixel to the second, with about `n_ticks` ticks. Values that are not finite
    /// have no say.
    pub(super) fn new(
        axis: &PlotAxis,
        values: impl Iterator<Item = f64>,
        ends: Ends,
        pixels: [f64; 2],
        n_ticks: usize,
    ) -> Self {
        let n_ticks = n_ticks.max(2);
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let bounds = |values: &mut dyn Iterator<Item = f64>| {
            values.fold(None, |seen: Option<[f64; 2]>, value| {
                Some(seen.map_or([value; 2], |[low, high]| [low.min(value), high.max(value)]))
            })
        };
        let given = axis.range.filter(|[low, high]| low.is_finite() && high.is_finite() && low < high);
        if !axis.log {
            let found = bounds(&mut values.iter().copied());
            let ends = given.unwrap_or_else(|| linear_ends(found, axis.unit, ends, n_ticks));
            return Self { log: false, unit: axis.unit, ends, pixels, mantissas: &[], zero: None, n_ticks }
                .spaced();
        }
        let found = bounds(&mut values.iter().copied().filter(|&value| value > 0.0));
        let ends = match given.filter(|[low, _]| *low > 0.0) {
            Some(given) => given.map(f64::log10),
            None => log_ends(found, ends),
        };
        let mantissas: &[i32] = if ends[1] - ends[0] <= 3.6 { &[1, 2, 5] } else { &[1] };
        let mut scale = Self { log: true, unit: axis.unit, ends, pixels, mantissas, zero: None, n_ticks };
        if values.iter().any(|&value| value <= 0.0) {
            let direction = (pixels[1] - pixels[0]).signum();
            scale.zero = Some(pixels[0] + direction * ZERO_ROOM * 0.25);
            scale.pixels[0] = pixels[0] + direction * ZERO_ROOM;
        }
        scale.spaced()
    }

    /// With so few ticks that their labels have room side by side.
    fn spaced(mut self) -> Self {
        while self.n_ticks > 2 && self.overlaps() {
            self.n_ticks -= 1;
            self.mantissas = &[1];
        }
        self
    }

    /// Whether labels of a level axis touch each other. On an upright one, whose pixels fall, they have room.
    fn overlaps(&self) -> bool {
        let halves: Vec<(f64, f64)> = self
            .ticks()
            .into_iter()
            .filter_map(|tick| Some((tick.place, (text_width(&tick.label?, LETTERS) + LABEL_GAP) / 2.0)))
            .collect();
        self.pixels[0] < self.pixels[1]
            && halves.windows(2).any(|pair| pair[1].0 - pair[1].1 < pair[0].0 + pair[0].1)
    }

    /// The pixel of a value. Infinite values lie far outside.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = match (self.log, self.zero) {
            (true, Some(zero)) if value <= 0.0 => return zero,
            (true, _) => value.max(f64::MIN_POSITIVE).log10(),
            (false, _) => value,
        };
        let [low, high] = self.ends;
        let share = ((value - low) / (high - low)).clamp(-100.0, 100.0);
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    /// The middle between zero and the rest of a logarithmic axis, where it is broken.
    pub(super) fn gap(&self) -> Option<f64> {
        self.zero.map(|zero| (zero + self.pixels[0]) / 2.0)
    }

    /// Its ticks from the low end to the high one.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let mut ticks: Vec<Tick> =
            self.zero.iter().map(|&place| Tick { place, label: Some("0".to_owned()) }).collect();
        let labels =
            if self.log { self.log_labels() } else { linear_labels(self.ends, self.unit, self.n_ticks) };
        ticks.extend(labels.into_iter().map(|(value, label)| Tick { place: self.place(value), label }));
        ticks
    }

    fn log_labels(&self) -> Vec<(f64, Option<String>)> {
        let [low, high] = self.ends;
        let decades = high - low;
        if decades < 0.7 {
            let ends = self.ends.map(|end| 10_f64.powf(end));
            let mut labels = linear_labels(ends, self.unit, self.n_ticks);
            labels.retain(|(value, _)| *value > 0.0);
            return labels;
        }
        let every = ((decades / (self.n_ticks as f64 + 2.0)).ceil() as i32).max(1);
        let exponents = (low.floor() as i32)..=(high.ceil() as i32);
        let powers = low < -4.5 || high > 6.5;
        let mut labels = Vec::new();
        for exponent in exponents {
            for mantissa in 1..10 {
                let value = f64::from(mantissa) * 10_f64.powi(exponent);
                let log = value.log10();
                if log < low - 1e-9 || log > high + 1e-9 {
                    continue;
                }
                let labelled = self.mantissas.contains(&mantissa) && exponent.rem_euclid(every) == 0;
                let label = labelled.then(|| {
                    if powers {
                        number::power(mantissa, exponent)
                    } else {
                        number::tick(value, self.unit, value)
                    }
                });
                labels.push((value, label));
            }
        }
        labels
    }
}

/// The ends of an axis with equal steps.
fn linear_ends(found: Option<[f64; 2]>, unit: Unit, ends: Ends, n_ticks: usize) -> [f64; 2] {
    let whole = unit.whole();
    let Some([mut low, mut high]) = found else { return [0.0, whole] };
    if high - low < whole * 1e-9 {
        let room = (low.abs() * 0.2).max(whole * 0.05);
        (low, high) = (low - room, high + room);
    } else if ends == Ends::Loose {
        let room = (high - low) * 0.04;
        (low, high) = (low - room, high + room);
    }
    if ends == Ends::Ticks {
        if low > 0.0 && low < 0.4 * high {
            low = 0.0;
        }
        let step = step((high - low) * unit.factor(), n_ticks) / unit.factor();
        low = (low / step + 1e-9).floor() * step;
        high = (high / step - 1e-9).ceil() * step;
    }
    if unit == Unit::Percent && found.is_some_and(|[low, high]| low >= 0.0 && high <= 1.0) {
        (low, high) = (low.max(0.0), high.min(1.0));
    }
    [low, high]
}

/// The logarithms of the ends of an axis with equal factors.
fn log_ends(found: Option<[f64; 2]>, ends: Ends) -> [f64; 2] {
    let Some([low, high]) = found.map(|found| found.map(f64::log10)) else { return [0.0, 1.0] };
    let room = match ends {
        _ if high - low < 1e-9 => 0.5,
        Ends::Tight => 0.0,
        _ => (high - low) * 0.04,
    };
    [low - room, high + room]
}

/// The smallest of 1, 2, 5 times a power of ten that cuts the span into at most `n_pieces` pieces.
fn step(span: f64, n_pieces: usize) -> f64 {
    let raw = span / n_pieces as f64;
    let power = 10_f64.powf(raw.log10().floor());
    let mantissa = [1.0, 2.0, 5.0].into_iter().find(|mantissa| mantissa * power >= raw * (1.0 - 1e-9));
    mantissa.unwrap_or(10.0) * power
}

fn linear_labels([low, high]: [f64; 2], unit: Unit, n_ticks: usize) -> Vec<(f64, Option<String>)> {
    let factor = unit.factor();
    let step = step((high - low) * factor, n_ticks);
    let first = (low * factor / step - 1e-6).ceil() as i64;
    let last = (high * factor / step + 1e-6).floor() as i64;
    (first..=last)
        .map(|index| {
            let shown = index as f64 * step;
            (shown / factor, Some(number::tick(shown / factor, unit, step / factor)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &PlotScale) -> Vec<String> {
        scale.ticks().into_iter().filter_map(|tick| tick.label).collect()
    }

    fn scale(axis: &PlotAxis, values: &[f64], ends: Ends) -> PlotScale {
        PlotScale::new(axis, values.iter().copied(), ends, [0.0, 1000.0], 5)
    }

    #[test]
    fn shares_are_shown_in_per_cent_from_zero() {
        let scale = scale(&PlotAxis::linear("wins", Unit::Percent), &[0.05, 0.27], Ends::Ticks);
        assert_eq!(labels(&scale), ["0", "10", "20", "30"]);
        assert_eq!(scale.place(0.0), 0.0);
        assert!((scale.place(0.15) - 500.0).abs() < 1e-9);
    }

    #[test]
    fn elo_has_signs_and_round_steps() {
        let scale = scale(&PlotAxis::linear("Elo", Unit::Elo), &[-230.0, 160.0], Ends::Ticks);
        assert_eq!(labels(&scale), ["−300", "−200", "−100", "0", "+100", "+200"]);
    }

    #[test]
    fn small_steps_have_as_many_digits_as_they_need() {
        let scale = scale(&PlotAxis::linear("", Unit::Plain), &[0.501, 0.509], Ends::Ticks);
        assert_eq!(labels(&scale), ["0.500", "0.502", "0.504", "0.506", "0.508", "0.510"]);
    }

    #[test]
    fn logarithmic_axes_have_decades_or_one_two_five() {
        let axis = PlotAxis::log("", Unit::Plain);
        assert_eq!(
            labels(&scale(&axis, &[10.0, 1000.0], Ends::Tight)),
            ["10", "20", "50", "100", "200", "500", "1000"]
        );
        assert_eq!(
            labels(&scale(&axis, &[10.0, 1e6], Ends::Tight)),
            ["10", "100", "1000", "10\u{2009}000", "100\u{2009}000", "1\u{2009}000\u{2009}000"]
        );
        assert_eq!(labels(&scale(&axis, &[1e-6, 0.2], Ends::Tight))[..2], ["10⁻⁶", "10⁻⁵"]);
        // Less than a decade: equal steps, at their places on the logarithmic axis.
        assert_eq!(labels(&scale(&axis, &[100.0, 300.0], Ends::Tight)), ["100", "150", "200", "250", "300"]);
    }

    #[test]
    fn zero_has_a_place_on_a_logarithmic_axis() {
        let scale = scale(&PlotAxis::log("", Unit::Plain), &[0.0, 10.0, 100.0], Ends::Tight);
        assert_eq!(scale.place(0.0), 12.0);
        assert_eq!(scale.place(10.0), 48.0);
        assert_eq!(scale.gap(), Some(30.0));
        assert_eq!(labels(&scale)[..2], ["0", "10"]);
    }

    #[test]
    fn no_data_and_one_value_give_an_axis() {
        for values in [&[][..], &[0.0], &[1.0], &[f64::NAN, f64::INFINITY], &[1e-300], &[1e300]] {
            for axis in [
                PlotAxis::linear("", Unit::Percent),
                PlotAxis::log("", Unit::Plain),
                PlotAxis::linear("", Unit::Elo),
            ] {
                for ends in [Ends::Loose, Ends::Ticks, Ends::Tight] {
                    let scale = scale(&axis, values, ends);
                    assert!(scale.place(0.5).is_finite(), "{values:?} {axis:?}");
                    assert!(scale.ticks().len() < 60, "{values:?} {axis:?}");
                    assert!(
                        labels(&scale).iter().all(|label| !label.contains("NaN") && !label.contains("inf"))
                    );
                }
            }
        }
    }

    #[test]
    fn a_short_axis_has_few_labels() {
        let n_labels = |axis: &PlotAxis, values: [f64; 2], width: f64| {
            labels(&PlotScale::new(axis, values.into_iter(), Ends::Tight, [0.0, width], 8)).len()
        };
        let elo = PlotAxis::linear("", Unit::Elo);
        assert_eq!(n_labels(&elo, [-1000.0, 400.0], 600.0), 8);
        // −1000, −500, 0: three labels of some 40 pixels.
        assert_eq!(n_labels(&elo, [-1000.0, 400.0], 200.0), 3);
        let log = PlotAxis::log("", Unit::Plain);
        assert_eq!(n_labels(&log, [10.0, 10_000.0], 600.0), 10);
        assert_eq!(n_labels(&log, [10.0, 10_000.0], 250.0), 4);
    }

    #[test]
    fn a_given_range_wins() {
        let axis = PlotAxis { range: Some([0.0, 1.0]), ..PlotAxis::linear("", Unit::Percent) };
        assert_eq!(labels(&scale(&axis, &[0.4, 0.6], Ends::Ticks)), ["0", "20", "40", "60", "80", "100"]);
    }
}
