//! Overtime, as `OT` tells it in the words of the big servers.

use std::fmt;

/// What happens when the main time is used up. Times are in seconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Overtime {
    /// Japanese byo-yomi: `5x30 byo-yomi`.
    ByoYomi {
        /// How many periods.
        periods: u32,
        /// Seconds of each.
        seconds: f64,
    },
    /// Canadian overtime: `25/600 Canadian`.
    Canadian {
        /// Stones to play in each period.
        stones: u32,
        /// Seconds for them.
        seconds: f64,
    },
    /// Seconds added after each move: `10 fischer`.
    Fischer {
        /// The seconds added.
        increment: f64,
    },
    /// Anything else, as it stands.
    Other(String),
}

impl Overtime {
    /// Reads the text of `OT`.
    pub fn from_text(text: &str) -> Self {
        parse(&text.to_lowercase()).unwrap_or_else(|| Self::Other(text.trim().to_owned()))
    }
}

fn parse(text: &str) -> Option<Overtime> {
    let (numbers, name) = text.trim().split_once(char::is_whitespace)?;
    let name = name.trim();
    match name {
        "fischer" => Some(Overtime::Fischer { increment: seconds(numbers)? }),
        "canadian" => {
            let (stones, time) = numbers.split_once('/')?;
            Some(Overtime::Canadian { stones: stones.parse().ok()?, seconds: seconds(time)? })
        }
        "byo-yomi" | "byoyomi" | "byo yomi" | "japanese" => {
            let (periods, time) = numbers.split_once(['x', '×'])?;
            Some(Overtime::ByoYomi { periods: periods.parse().ok()?, seconds: seconds(time)? })
        }
        _ => None,
    }
}

/// A number of seconds that a clock can show.
pub(crate) fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if !is_plain {
        return None;
    }
    text.parse().ok().filter(|seconds: &f64| seconds.is_finite())
}

impl fmt::Display for Overtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByoYomi { periods, seconds } => write!(f, "{periods}x{seconds} byo-yomi"),
            Self::Canadian { stones, seconds } => write!(f, "{stones}/{seconds} Canadian"),
            Self::Fischer { increment } => write!(f, "{increment} fischer"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_words_are_known() {
        let byo_yomi = Overtime::ByoYomi { periods: 5, seconds: 30.0 };
        assert_eq!(Overtime::from_text("5x30 byo-yomi"), byo_yomi);
        assert_eq!(Overtime::from_text("25/600 Canadian"), Overtime::Canadian { stones: 25, seconds: 600.0 });
        assert_eq!(Overtime::from_text("10 fischer"), Overtime::Fischer { increment: 10.0 });
        for other in ["8 xyz 16", "", "x byo-yomi", "-5 fischer", "inf fischer"] {
            assert_eq!(Overtime::from_text(other), Overtime::Other(other.into()));
        }
        assert_eq!(byo_yomi.to_string(), "5x30 byo-yomi");
    }
}
