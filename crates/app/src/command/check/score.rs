//! The board against the recorded result.

use goban::score::show_margin;
use sgf::{Color, GameResult, Margin};

/// The result of a comparison.
#[derive(Debug, PartialEq)]
pub(super) enum ResultCheck {
    /// The record names no result that could be counted: resigned, on time, not known.
    NoScore,
    /// Board and record agree.
    Same,
    /// They do not; the text says what each claims.
    Differs(String),
}

/// Compares Black's margin on the board with the recorded result; with a winner only, just the winner.
pub(super) fn compare(margin: f32, recorded: GameResult) -> ResultCheck {
    let sign = |color| if color == Color::Black { 1.0 } else { -1.0 };
    let is_same = match recorded {
        GameResult::Draw => margin == 0.0,
        GameResult::Win { color, margin: Margin::Score(points) } => {
            (f64::from(margin) - f64::from(sign(color)) * points).abs() < 1e-3
        }
        GameResult::Win { color, margin: Margin::Unknown } => margin * sign(color) > 0.0,
        _ => return ResultCheck::NoScore,
    };
    if is_same {
        return ResultCheck::Same;
    }
    ResultCheck::Differs(format!(
        "score mismatch: the board says {}, the record {recorded}",
        show_margin(margin)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_counted_results_are_compared() {
        let verdict = |margin: f32, text: &str| compare(margin, GameResult::from_text(text));
        assert_eq!(verdict(3.5, "B+3.5"), ResultCheck::Same);
        assert_eq!(verdict(-3.5, "W+3.5"), ResultCheck::Same);
        assert_eq!(verdict(-1.0, "W+"), ResultCheck::Same);
        assert_eq!(verdict(0.0, "0"), ResultCheck::Same);
        for no_score in ["W+R", "B+T", "B+F", "?", "Void"] {
            assert_eq!(verdict(1.0, no_score), ResultCheck::NoScore, "{no_score}");
        }
        for (margin, text) in [(3.5, "W+3.5"), (0.0, "B+"), (1.0, "0"), (2.0, "B+3")] {
            assert!(matches!(verdict(margin, text), ResultCheck::Differs(_)), "{margin} {text}");
        }
        let ResultCheck::Differs(why) = verdict(-2.5, "B+R+1") else { return };
        assert_eq!(why, "score mismatch: the board says W+2.5, the record B+1");
    }
}
