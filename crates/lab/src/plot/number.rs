//! How numbers are written: as many digits as they deserve, a real minus sign, thin gaps between thousands.

/// The unit of a number, which decides how it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Just a number.
    #[default]
    Plain,
    /// A share from 0 to 1, written from 0 to 100 with `%` at the axis.
    Percent,
    /// Elo, with a sign.
    Elo,
    /// A difference of points, with a sign.
    Points,
    /// Seconds.
    Seconds,
}

impl Unit {
    /// What a value is multiplied with before it is written.
    pub fn factor(self) -> f64 {
        if self == Self::Percent { 100.0 } else { 1.0 }
    }

    /// What stands behind the label of an axis.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Percent => "%",
            Self::Seconds => "s",
            Self::Plain | Self::Elo | Self::Points => "",
        }
    }

    /// A natural span of such values: what an axis without data shows.
    pub(super) fn whole(self) -> f64 {
        if self == Self::Elo { 100.0 } else { 1.0 }
    }

    fn signed(self) -> bool {
        matches!(self, Self::Elo | Self::Points)
    }

    /// A value with its unit, for tables, labels and hints: `22.7 %`, `+123`, `1.5 s`. What is not a number is a dash.
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Percent => format!("{} %", self.bare(value)),
            Self::Seconds => format!("{} s", self.bare(value)),
            _ => self.bare(value),
        }
    }

    /// A value without its unit: `22.7`, `+123`, `1.5`.
    pub fn bare(self, value: f64) -> String {
        match self {
            Self::Percent => fixed(value * 100.0, 1, false),
            Self::Elo => fixed(value, 0, true),
            Self::Points => fixed(value, 1, true),
            Self::Seconds => significant(value, 3),
            Self::Plain => significant(value, 4),
        }
    }

    /// An interval with its unit: `18.2–28.1 %`, `−12 to +30`.
    pub fn interval(self, [low, high]: [f64; 2]) -> String {
        let join = if self.signed() || low < 0.0 { " to " } else { "–" };
        let unit = match self.suffix() {
            "" => String::new(),
            unit => format!(" {unit}"),
        };
        format!("{}{join}{}{unit}", self.bare(low), self.bare(high))
    }
}

/// A number with these decimals, with a plus sign if wanted.
pub fn fixed(value: f64, decimals: usize, plus: bool) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    let digits = format!("{:.decimals$}", value.abs());
    let is_zero = digits.bytes().all(|digit| matches!(digit, b'0' | b'.'));
    let sign = match (is_zero, value < 0.0) {
        (false, true) => "−",
        (false, false) if plus => "+",
        _ => "",
    };
    format!("{sign}{}", thousands(&digits))
}

/// A number with a limited number of significant digits and no trailing zeros: 1500, 0.002, 1.25. Very large and very
/// small ones are written with a power of ten.
pub fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() || value == 0.0 {
        return fixed(value, 0, false);
    }
    // Rounding may carry: 9.9996 has four digits as 10.
    let scientific = format!("{:.*e}", digits.max(1) - 1, value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if !(-4..=15).contains(&exponent) {
        let mantissa = trim(mantissa).replace('-', "−");
        return if mantissa == "1" {
            power(1, exponent)
        } else {
            format!("{mantissa}·{}", power(1, exponent))
        };
    }
    let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{}", thousands(&trim(&format!("{:.decimals$}", value.abs()))))
}

/// Gaps between thousands of numbers with five and more digits before the point.
fn thousands(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    if whole.len() < 5 {
        return digits.to_owned();
    }
    let mut out = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out + rest
}

/// The label of a tick whose neighbours are `step` away.
pub(super) fn tick(value: f64, unit: Unit, step: f64) -> String {
    let (value, step) = (value * unit.factor(), step.abs() * unit.factor());
    if value != 0.0 && !(1e-6..1e12).contains(&value.abs()) {
        return significant(value, 3);
    }
    let decimals = if step >= 1.0 || step <= 0.0 { 0 } else { (-step.log10() - 1e-9).ceil() as usize };
    fixed(value, decimals.min(9), unit.signed())
}

/// `2·10⁻⁵`; `10⁻⁵` if the mantissa is 1.
pub(super) fn power(mantissa: i32, exponent: i32) -> String {
    let digits: String = exponent.to_string().chars().map(raised).collect();
    if mantissa == 1 { format!("10{digits}") } else { format!("{mantissa}·10{digits}") }
}

fn raised(digit: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_decide_the_digits() {
        assert_eq!(Unit::Percent.show(0.227_1), "22.7 %");
        assert_eq!(Unit::Percent.show(1.0), "100.0 %");
        assert_eq!(Unit::Elo.show(123.4), "+123");
        assert_eq!(Unit::Elo.show(-0.3), "0");
        assert_eq!(Unit::Elo.show(f64::NEG_INFINITY), "−∞");
        assert_eq!(Unit::Plain.show(f64::NAN), "–");
        assert_eq!(Unit::Seconds.show(1.5), "1.5 s");
        assert_eq!(Unit::Percent.interval([0.182, 0.281]), "18.2–28.1 %");
        assert_eq!(Unit::Elo.interval([-12.2, 30.0]), "−12 to +30");
    }

    #[test]
    fn significant_digits() {
        let cases = [
            (1500.0, "1500"),
            (0.002, "0.002"),
            (1.25, "1.25"),
            (-3.0, "−3"),
            (9.9996, "10"),
            (12_345.6, "12\u{2009}346"),
            (1e-6, "10⁻⁶"),
            (2.5e-7, "2.5·10⁻⁷"),
            (1e20, "10²⁰"),
            (0.0, "0"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value, 4), text, "{value}");
        }
    }

    #[test]
    fn ticks_agree_with_their_step() {
        assert_eq!(tick(0.3, Unit::Plain, 0.1), "0.3");
        assert_eq!(tick(0.0, Unit::Plain, 0.02), "0.00");
        assert_eq!(tick(20_000.0, Unit::Plain, 5000.0), "20\u{2009}000");
        assert_eq!(tick(0.005, Unit::Percent, 0.005), "0.5");
        assert_eq!(power(2, -5), "2·10⁻⁵");
    }
}
