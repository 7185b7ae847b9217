//! How a game ended.

use std::fmt;

use goban::Color;
use goban::score::show_margin;
use serde::{Deserialize, Serialize};
use sgf::{GameResult, Margin};

use crate::judge::Verdict;
use crate::player::PlayerError;
use crate::record::{decimal, from_color};

/// The end of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameOutcome {
    /// `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
    /// What else there is to say: the referee's remark, the last words of an engine that failed.
    pub note: Option<String>,
}

/// Why a game ended as it did. All but the counts and what the board decides are what the loser did.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Two passes and a count.
    Score {
        /// Black's points minus White's.
        margin: f32,
    },
    /// A count as it stood, since the game would not end.
    TooLong {
        /// Black's points minus White's.
        margin: f32,
    },
    /// Won, or drawn, on the board by the rules of a game without points.
    Decided,
    /// Gave up.
    Resign,
    /// Overstepped the clock.
    Time,
    /// Played a move that is illegal.
    Illegal {
        /// The move and the rule.
        why: String,
    },
    /// Died.
    Crash {
        /// What is known about it.
        why: String,
    },
    /// Gave no answer.
    Hang {
        /// How long it was waited for.
        why: String,
    },
    /// Gave an answer that is none.
    Nonsense {
        /// The answer.
        why: String,
    },
}

/// The kinds of [`Reason`], each with the word that tables and files use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// Two passes and a count.
    Score,
    /// A count as it stood.
    TooLong,
    /// Decided on the board, in a game without points.
    Play,
    /// The loser gave up.
    Resign,
    /// The loser overstepped the clock.
    Time,
    /// The loser played an illegal move.
    Illegal,
    /// The loser died.
    Crash,
    /// The loser gave no answer.
    Hang,
    /// The loser gave an answer that is none.
    Nonsense,
}

impl ReasonKind {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 9] = [
        Self::Score,
        Self::TooLong,
        Self::Play,
        Self::Resign,
        Self::Time,
        Self::Illegal,
        Self::Crash,
        Self::Hang,
        Self::Nonsense,
    ];

    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::TooLong => "too-long",
            Self::Play => "play",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Illegal => "illegal",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Nonsense => "nonsense",
        }
    }

    /// What a game was lost by, as a sentence has it; [`Self::word`] is what files keep.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::TooLong => "the count of a game that would not end",
            Self::Illegal => "an illegal move",
            Self::Hang => "silence",
            kind => kind.word(),
        }
    }

    /// The reason of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether every player's games end like that; time is not among them.
    pub fn is_usual(self) -> bool {
        matches!(self, Self::Score | Self::TooLong | Self::Play | Self::Resign)
    }
}

impl fmt::Display for ReasonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Reason {
    /// Which reason it is, without what is known about it.
    pub fn kind(&self) -> ReasonKind {
        match self {
            Self::Score { .. } => ReasonKind::Score,
            Self::TooLong { .. } => ReasonKind::TooLong,
            Self::Decided => ReasonKind::Play,
            Self::Resign => ReasonKind::Resign,
            Self::Time => ReasonKind::Time,
            Self::Illegal { .. } => ReasonKind::Illegal,
            Self::Crash { .. } => ReasonKind::Crash,
            Self::Hang { .. } => ReasonKind::Hang,
            Self::Nonsense { .. } => ReasonKind::Nonsense,
        }
    }

    /// One word for the reason.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }

    /// Black's points minus White's, if the game was counted.
    pub fn margin(&self) -> Option<f32> {
        match *self {
            Self::Score { margin } | Self::TooLong { margin } => Some(margin),
            _ => None,
        }
    }

    /// What is known beyond the word.
    pub fn details(&self) -> Option<&str> {
        match self {
            Self::Illegal { why } | Self::Crash { why } | Self::Hang { why } | Self::Nonsense { why } => {
                Some(why)
            }
            Self::Score { .. } | Self::TooLong { .. } | Self::Decided | Self::Resign | Self::Time => None,
        }
    }

    /// True if a player failed, as no player should.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Score { .. } | Self::TooLong { .. } | Self::Decided | Self::Resign | Self::Time)
    }

    /// How a player failed to move.
    pub(crate) fn of_error(error: &PlayerError) -> Self {
        let why = error.to_string();
        match error {
            PlayerError::Hang { .. } => Self::Hang { why },
            PlayerError::Nonsense { .. } => Self::Nonsense { why },
            PlayerError::Crash { .. } | PlayerError::Unable { .. } => Self::Crash { why },
        }
    }
}

impl GameOutcome {
    /// The outcome of a count.
    pub(super) fn counted(verdict: Verdict, is_too_long: bool) -> Self {
        let margin = tidy(verdict.margin);
        let winner = match margin {
            m if m > 0.0 => Some(Color::Black),
            m if m < 0.0 => Some(Color::White),
            _ => None,
        };
        let reason = if is_too_long { Reason::TooLong { margin } } else { Reason::Score { margin } };
        Self { winner, reason, note: verdict.note }
    }

    /// The outcome of what `loser` did.
    pub(crate) fn lost(loser: Color, reason: Reason, note: Option<String>) -> Self {
        Self { winner: Some(!loser), reason, note }
    }

    /// Black's points minus White's, if the game was counted.
    pub fn margin(&self) -> Option<f32> {
        match self.reason {
            Reason::Score { margin } | Reason::TooLong { margin } => Some(margin),
            _ => None,
        }
    }

    /// The result as records write it; they know failures only as forfeits.
    pub fn to_sgf(&self) -> GameResult {
        let Some(winner) = self.winner else { return GameResult::Draw };
        let margin = match &self.reason {
            Reason::Score { margin } | Reason::TooLong { margin } => Margin::Score(decimal(margin.abs())),
            Reason::Decided => Margin::Unknown,
            Reason::Resign => Margin::Resign,
            Reason::Time => Margin::Time,
            _ => Margin::Forfeit,
        };
        GameResult::Win { color: from_color(winner), margin }
    }
}

/// A margin without the noise of binary numbers: 3 points and a komi of 7.3 are 10.3, not 10.299999. Nobody gives komi in
/// less than thousandths; a margin that is smaller stays, since it decides the game.
fn tidy(margin: f32) -> f32 {
    let tidied = ((f64::from(margin) * 1e3).round() / 1e3) as f32;
    if tidied == 0.0 { margin } else { tidied }
}

impl fmt::Display for GameOutcome {
    /// `B+3.5`, `W+Resign`, `B+Time`, `W+Illegal`, `0`; `B+` in games without points.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(winner) = self.winner else { return f.write_str("0") };
        let how = match &self.reason {
            Reason::Score { margin } | Reason::TooLong { margin } => {
                return f.write_str(&show_margin(*margin));
            }
            Reason::Decided => "",
            Reason::Resign => "Resign",
            Reason::Time => "Time",
            Reason::Illegal { .. } => "Illegal",
            Reason::Crash { .. } => "Crash",
            Reason::Hang { .. } => "Hang",
            Reason::Nonsense { .. } => "Nonsense",
        };
        write!(f, "{}+{how}", winner.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_places_of_komi() {
        // As the count does it: points and komi are added as numbers of 32 bits.
        for (area, komi, expected, sgf) in [
            (-3.0_f32, 7.3_f32, "W+10.3", "W+10.3"),
            (25.0, 7.3, "B+17.7", "B+17.7"),
            (10.0, 6.5, "B+3.5", "B+3.5"),
            (7.0, 7.0, "0", "0"),
        ] {
            let outcome = GameOutcome::counted(Verdict { margin: area - komi, note: None }, false);
            assert_eq!(
                (outcome.to_string().as_str(), outcome.to_sgf().to_string().as_str()),
                (expected, sgf)
            );
        }
        let outcome = GameOutcome::counted(Verdict { margin: -1e-4, note: None }, false);
        assert_eq!((outcome.winner, outcome.to_string().as_str()), (Some(Color::White), "W+0.0001"));
    }
}
