//! The text of clocks.

use std::time::Duration;

use player::TimeSystem;

use crate::{Error, Result};

/// `30` or `5m`: everything in this time; `10m+3x30s`: byo-yomi, three periods; `300+60/10`: Canadian, ten stones a
/// minute; `120+10f`: Fischer.
///
/// # Errors
/// Says what is wrong and gives examples.
pub fn parse(text: &str) -> Result<TimeSystem> {
    read(text).map_err(|why| {
        Error::input(format!(
            "\"{text}\" is not a clock: expected 30 (seconds in all), 10m+3x30 (byo-yomi), 300+60/10 (Canadian) or 120+10f \
             (Fischer): {why}"
        ))
    })
}

fn read(text: &str) -> Result<TimeSystem, String> {
    let Some((main, overtime)) = text.split_once('+') else {
        return Ok(TimeSystem::Absolute { main: duration(text)? });
    };
    // Only an overtime can do without main time.
    let main = if main.trim() == "0" { Duration::ZERO } else { duration(main)? };
    if let Some((periods, period)) = overtime.split_once('x') {
        return Ok(TimeSystem::ByoYomi { main, period: duration(period)?, periods: count(periods)? });
    }
    if let Some((period, stones)) = overtime.split_once('/') {
        return Ok(TimeSystem::Canadian { main, period: duration(period)?, stones: count(stones)? });
    }
    match overtime.strip_suffix('f') {
        Some(_) if main.is_zero() => Err("a Fischer clock needs time to start with".to_string()),
        Some(increment) => Ok(TimeSystem::Fischer { main, increment: duration(increment)?, cap: None }),
        None => Err("after the + comes 3x30, 60/10 or 10f".to_string()),
    }
}

fn count(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(0) => Err("0 is too few".to_string()),
        Ok(n) => Ok(n),
        Err(_) => Err(format!("\"{text}\" is not a number")),
    }
}

/// `30`, `0.5`, `30s`, `10m`, `1h`.
fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let units = [('s', 1.0), ('m', 60.0), ('h', 3600.0)];
    let unit = units.iter().find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = unit.unwrap_or((text, 1.0));
    let time = number.parse::<f64>().ok().and_then(|n| Duration::try_from_secs_f64(n * seconds).ok());
    match time {
        None => Err(format!("\"{text}\" is not a time")),
        Some(time) if time.is_zero() || time > Duration::from_secs(1_000_000) => {
            Err(format!("\"{text}\" is not a time to play with"))
        }
        Some(time) => Ok(time),
    }
}

/// The seconds that can be meant, in words.
pub const EXPECTED_SECONDS: &str = "expected a positive number of seconds such as 2 or 0.5";

/// A time per move that can be meant.
///
/// # Errors
/// When it is no positive number.
pub fn seconds_per_move(seconds: f64) -> Result<Duration> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(Error::input(format!("{seconds}: {EXPECTED_SECONDS}"))),
    }
}

/// The text of a clock, the same for the same clock; none without a clock.
pub fn show(system: TimeSystem) -> Option<String> {
    let s = |time: Duration| time.as_secs_f64();
    match system {
        TimeSystem::Unlimited => None,
        TimeSystem::Absolute { main } => Some(s(main).to_string()),
        TimeSystem::Canadian { main, period, stones } => Some(format!("{}+{}/{stones}", s(main), s(period))),
        TimeSystem::ByoYomi { main, period, periods } => Some(format!("{}+{periods}x{}", s(main), s(period))),
        TimeSystem::Fischer { main, increment, .. } => Some(format!("{}+{}f", s(main), s(increment))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_shown() {
        let cases = [
            ("30", "30"),
            ("0.5s", "0.5"),
            ("10m+3x30s", "600+3x30"),
            ("300+60/10", "300+60/10"),
            ("120+10f", "120+10f"),
            ("2m+10sf", "120+10f"),
            ("0+5x10", "0+5x10"),
            ("1h", "3600"),
        ];
        for (text, shown) in cases {
            let system = parse(text).unwrap();
            assert_eq!(show(system).as_deref(), Some(shown), "{text}");
            assert_eq!(parse(shown).unwrap(), system);
        }
    }

    #[test]
    fn nonsense_is_refused_with_examples() {
        for text in
            ["", "0", "-3", "ten", "30+", "30+5", "30+0x5", "30+5/0", "0+5f", "inf", "nan", "30+1x", "1e99"]
        {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("not a clock") && error.contains("10m+3x30"), "{text}: {error}");
        }
    }
}
