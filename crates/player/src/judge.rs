//! Who counts a finished game.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goban::Position;
use thiserror::Error;

use crate::clock::TimeSystem;
use crate::dead;
use crate::outside::{GtpPlayer, Patience};
use crate::player::{Player, PlayerError};

/// Somebody who counts.
pub enum Judge {
    /// The board as it stands, every stone alive.
    Board,
    /// The board without the stones that our playouts judge dead.
    Dead,
    /// An outside program, by its `final_score`.
    Referee(Box<GtpPlayer>),
}

/// A judge's result of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Black's points minus White's.
    pub margin: f32,
    /// What there is to say about it.
    pub note: Option<String>,
}

/// How the note of a game begins that the referee could not count.
pub const UNCOUNTED: &str = "the referee failed";

/// The words in the note of a game before our own count, where it differs from the referee's.
pub const DISPUTED: &str = "; we make it ";

impl Judge {
    /// Shows a referee the beginning of a game, so that one who cannot count such games is known before they are played.
    ///
    /// # Errors
    /// [`PlayerError::Unable`] if the referee refuses the board, komi or stones. Other failures show at the end of the game.
    pub fn prepare(&mut self, position: &Position) -> Result<(), PlayerError> {
        match self {
            Self::Referee(referee) => match referee.prepare(position, TimeSystem::Unlimited) {
                Err(PlayerError::Unable { name, why }) => {
                    Err(PlayerError::Unable { name: format!("the referee {name}"), why })
                }
                _ => Ok(()),
            },
            Self::Board | Self::Dead => Ok(()),
        }
    }

    /// Counts a finished game. Where a referee's count is not ours the note tells ours too; when a referee fails the dead
    /// stones are judged by ourselves, with a note.
    pub fn count(&mut self, position: &Position) -> Verdict {
        match self {
            Self::Board => Verdict { margin: position.score().margin(), note: None },
            Self::Dead => Verdict { margin: dead::judged_score(position).margin(), note: None },
            Self::Referee(referee) => {
                let theirs = referee.final_score(position).map_err(|error| error.to_string());
                let theirs = theirs.and_then(|margin| match margin.abs() <= most(position) {
                    true => Ok(margin),
                    false => Err(format!(
                        "{} answered {} to final_score, more than there is on a {} board",
                        referee.name(),
                        show(margin),
                        position.size()
                    )),
                });
                let ours = dead::judged_score(position).margin();
                match theirs {
                    Ok(margin) => {
                        let mut note = format!("counted by {}", referee.name());
                        if ours != margin {
                            note += &format!("{DISPUTED}{}", show(ours));
                        }
                        Verdict { margin, note: Some(note) }
                    }
                    Err(why) => {
                        let note = format!("{UNCOUNTED} ({why}), so the dead stones were judged by playouts");
                        Verdict { margin: ours, note: Some(note) }
                    }
                }
            }
        }
    }
}

/// More than this nobody can win by: every point, every stone that was ever played as a prisoner, komi.
fn most(position: &Position) -> f32 {
    (position.size().area() + position.plays().len() + position.handicap()) as f32 + position.komi().abs()
}

/// A margin as results are written.
fn show(margin: f32) -> String {
    if margin == 0.0 { "a draw".to_string() } else { goban::score::show_margin(margin) }
}

/// Which judge is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeName {
    /// [`Judge::Board`].
    Board,
    /// [`Judge::Dead`].
    Dead,
    /// [`Judge::Referee`] with this command line.
    Gtp(String),
}

/// Text that names no judge.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no referee \"{text}\"; expected board, dead, or gtp:COMMAND such as gtp:\"gnugo --mode gtp\"")]
pub struct JudgeNameError {
    /// What was given.
    pub text: String,
}

impl JudgeName {
    /// Calls the judge.
    ///
    /// # Errors
    /// When a referee's program cannot be started or cannot score.
    pub fn call(&self, patience: Patience) -> Result<Judge, PlayerError> {
        self.call_until(patience, &Arc::default())
    }

    /// Calls a judge that nobody waits for once `stop` is set.
    ///
    /// # Errors
    /// As [`JudgeName::call`].
    pub fn call_until(&self, patience: Patience, stop: &Arc<AtomicBool>) -> Result<Judge, PlayerError> {
        match self {
            Self::Board => Ok(Judge::Board),
            Self::Dead => Ok(Judge::Dead),
            Self::Gtp(command_line) => {
                let referee = GtpPlayer::start_until(command_line, patience, stop)?;
                if !referee.knows("final_score") {
                    let why = "as a referee it would need the command final_score".to_string();
                    return Err(PlayerError::Unable { name: referee.name(), why });
                }
                Ok(Judge::Referee(Box::new(referee)))
            }
        }
    }
}

impl FromStr for JudgeName {
    type Err = JudgeNameError;

    fn from_str(text: &str) -> Result<Self, JudgeNameError> {
        match (text, text.strip_prefix("gtp:")) {
            ("board", _) => Ok(Self::Board),
            ("dead", _) => Ok(Self::Dead),
            (_, Some(command_line)) if !command_line.trim().is_empty() => {
                Ok(Self::Gtp(command_line.trim().to_string()))
            }
            _ => Err(JudgeNameError { text: text.to_string() }),
        }
    }
}

impl fmt::Display for JudgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => f.write_str("board"),
            Self::Dead => f.write_str("dead"),
            Self::Gtp(command_line) => write!(f, "gtp:{command_line}"),
        }
    }
}
