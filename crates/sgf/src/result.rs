//! Who won, as `RE` says it: the format's own words, and the prose that old programs wrote.

use crate::coord::Color;
use std::fmt;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum GameResult {
    /// One player won.
    Win {
        /// The winner.
        color: Color,
        /// By how much.
        margin: Margin,
    },
    /// A draw, or jigo.
    Draw,
    /// No result, or a suspended game.
    Void,
    /// Not known or not recorded.
    #[default]
    Unknown,
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// By counting, by this many points as the file writes it (some Chinese files count stones, half as many).
    Score(f64),
    /// The loser resigned.
    Resign,
    /// The loser's time ran out.
    Time,
    /// The loser forfeited.
    Forfeit,
    /// The file does not say.
    Unknown,
}

impl GameResult {
    /// Reads the text of `RE`; what cannot be understood is [`GameResult::Unknown`].
    pub fn from_text(text: &str) -> Self {
        let text = text.trim().to_lowercase();
        match text.as_str() {
            "0" | "draw" | "jigo" | "d" | "tie" | "和棋" | "持碁" => return Self::Draw,
            "void" | "no result" => return Self::Void,
            _ => {}
        }
        if let Some((winner, margin)) = text.split_once('+')
            && let Some(color) = Color::from_text(winner)
        {
            return Self::Win { color, margin: margin_from(margin) };
        }
        Self::from_prose(&text).unwrap_or(Self::Unknown)
    }

    /// `Black wins by 3 1/2`, `White won by resignation`, `黑中盘胜`: the winner comes first. In `Black resigns.` the loser does.
    fn from_prose(text: &str) -> Option<Self> {
        let names = [
            ("black", Color::Black),
            ("黑", Color::Black),
            ("黒", Color::Black),
            ("흑", Color::Black),
            ("white", Color::White),
            ("白", Color::White),
            ("백", Color::White),
        ];
        let (color, rest) =
            names.iter().find_map(|(name, color)| text.strip_prefix(name).map(|rest| (*color, rest)))?;
        if rest.trim_start().starts_with("resign") {
            return Some(Self::Win { color: color.opponent(), margin: Margin::Resign });
        }
        let won = ["win", "won", "胜", "勝", "승"].iter().any(|word| rest.contains(word));
        won.then(|| Self::Win { color, margin: margin_from(rest) })
    }
}

/// Reads what stands behind `B+`, or behind the winner's name in prose; `text` is in small letters.
fn margin_from(text: &str) -> Margin {
    let text = text.trim();
    match text {
        "" | "?" => return Margin::Unknown,
        "r" => return Margin::Resign,
        "t" => return Margin::Time,
        "f" => return Margin::Forfeit,
        _ => {}
    }
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&["resign", "中盘", "中盤", "中押", "불계"]) {
        Margin::Resign
    } else if says(&["time", "超时", "超時", "时间", "시간"]) {
        Margin::Time
    } else if says(&["forfeit"]) {
        Margin::Forfeit
    } else {
        points_from(text).map_or(Margin::Unknown, Margin::Score)
    }
}

/// The first number in a text, with the half that may follow it in one of several scripts.
fn points_from(text: &str) -> Option<f64> {
    let start = text.find(|c: char| c.is_ascii_digit() || c == '½')?;
    let rest = &text[start..];
    let len = rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(rest.len());
    let number = rest[..len].trim_end_matches(['.', ',']).replace(',', ".");
    let after = rest[len..].trim_start();
    if number == "1" && after.starts_with("/2") {
        return Some(0.5);
    }
    let whole: f64 = if number.is_empty() { 0.0 } else { number.parse().ok()? };
    let has_half = ["1/2", "½"].iter().any(|half| after.starts_with(half)) || after.contains('半');
    let points = whole + if has_half { 0.5 } else { 0.0 };
    points.is_finite().then_some(points)
}

/// Writes the result as `RE` wants it.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { color, margin } => match margin {
                Margin::Score(points) => write!(f, "{color}+{points}"),
                Margin::Resign => write!(f, "{color}+R"),
                Margin::Time => write!(f, "{color}+T"),
                Margin::Forfeit => write!(f, "{color}+F"),
                Margin::Unknown => write!(f, "{color}+"),
            },
            Self::Draw => f.write_str("0"),
            Self::Void => f.write_str("Void"),
            Self::Unknown => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_many_words() {
        let cases = [
            ("B+R", "B+R"),
            ("W+Resign", "W+R"),
            ("b+3.5", "B+3.5"),
            ("W+Time", "W+T"),
            ("W+F", "W+F"),
            ("B+", "B+"),
            ("B+?", "B+"),
            ("White+12", "W+12"),
            ("W+0,5", "W+0.5"),
            ("0", "0"),
            ("Jigo", "0"),
            ("Draw", "0"),
            ("Void", "Void"),
            ("?", "?"),
            ("", "?"),
            ("Black wins by 3 1/2", "B+3.5"),
            ("White won by 1/2 point", "W+0.5"),
            ("White won by resignation", "W+R"),
            ("White resigns. W 6.5 B 157.0", "B+R"),
            ("黑中盘胜", "B+R"),
            ("白胜1目半", "W+1.5"),
            ("Blackberry", "?"),
            ("X+3", "?"),
            ("B+1e999", "B+1"),
            ("B+...", "B+"),
            ("B+1.2.3", "B+"),
        ];
        for (text, expected) in cases {
            assert_eq!(GameResult::from_text(text).to_string(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["B+R", "W+T", "B+F", "W+", "B+0.5", "W+64", "0", "Void", "?"] {
            assert_eq!(GameResult::from_text(text).to_string(), text);
        }
    }
}
