//! The errors of the laboratory.
//!
//! A text tells all: which input, and what was expected. So nothing below it needs to be shown, and an error says the same
//! wherever it ends: on a terminal, in a table, in the message about an option.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use player::log::LogError;
use player::{PlayError, PlayerError};

/// The result of the laboratory's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something in the laboratory could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An input that cannot be meant: the whole sentence, with the input and what was expected.
    #[error("{0}")]
    Input(String),
    /// A file or a folder.
    #[error("cannot {what} {}: {why}", path.display())]
    File {
        /// `read`, `write`, `open`.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A player who cannot start or cannot play at all.
    #[error("{0}")]
    Player(PlayerError),
    /// A game that could not be played, through nobody's loss.
    #[error("{0}")]
    Game(PlayError),
    /// Another error with a word about where it happened.
    #[error("{place}: {why}")]
    At {
        /// `game 7`, `the referee`, `players.toml, line 3`.
        place: String,
        /// What happened.
        why: Box<Error>,
    },
    /// What a caller's own part of the work met with.
    #[error("{0:#}")]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// An input that cannot be meant. The text names it and says what was expected.
    pub fn input(text: impl fmt::Display) -> Self {
        Self::Input(text.to_string())
    }

    /// For `map_err`: what was to be done with which file.
    pub fn file(what: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_path_buf();
        move |why| Self::File { what, path, why }
    }

    /// For `map_err`: a file that somebody named and that cannot be read, and what it should have been.
    pub fn unread(path: impl AsRef<Path>, expected: &str) -> impl FnOnce(io::Error) -> Self {
        move |why| Self::Input(format!("cannot read {}: {why}; expected {expected}", path.as_ref().display()))
    }

    /// An error of another kind that is passed on.
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }
}

impl From<PlayerError> for Error {
    fn from(error: PlayerError) -> Self {
        Self::Player(error)
    }
}

impl From<PlayError> for Error {
    fn from(error: PlayError) -> Self {
        Self::Game(error)
    }
}

impl From<LogError> for Error {
    fn from(error: LogError) -> Self {
        match error {
            LogError::File { what, path, why } => Self::File { what, path, why },
            error => Self::input(error),
        }
    }
}

impl From<records::NoSuchMove> for Error {
    fn from(error: records::NoSuchMove) -> Self {
        Self::input(error)
    }
}

impl From<recipe::Error> for Error {
    fn from(error: recipe::Error) -> Self {
        Self::input(error)
    }
}

/// Says where an error happened.
pub trait ErrorPlace<T> {
    /// Puts `place` before the error's text.
    ///
    /// # Errors
    /// The error that was there already.
    fn at(self, place: impl fmt::Display) -> Result<T>;
}

impl<T, E: Into<Error>> ErrorPlace<T> for std::result::Result<T, E> {
    fn at(self, place: impl fmt::Display) -> Result<T> {
        self.map_err(|why| Error::At { place: place.to_string(), why: Box::new(why.into()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_tell_all() {
        let inner: Result<()> = Err(Error::input("\"x\" is not a number; expected 1 to 9"));
        assert_eq!(
            inner.at("line 3").at("a.toml").unwrap_err().to_string(),
            "a.toml: line 3: \"x\" is not a number; expected 1 to 9"
        );
        let missing = std::fs::read("no/such/file").map_err(Error::file("read", "no/such/file")).unwrap_err();
        assert!(missing.to_string().starts_with("cannot read no/such/file: "), "{missing}");
        let unread =
            std::fs::read("no/such/file").map_err(Error::unread("no/such/file", "a list")).unwrap_err();
        assert_eq!(unread.to_string(), format!("{missing}; expected a list"));
    }
}
