//! The protocol of page and server over the WebSocket: JSON objects, one to a message.
//!
//! The page asks ([`ask::Ask`], told apart by `"ask"`), the server tells ([`tell::Tell`], told apart by `"tell"`). The first
//! message of a page is `hello`. Fields that are not known are refused; so are points off the board and numbers out of
//! range. Whatever is wrong is told in an `error` with the name of what was asked, a word for the kind, and a sentence.
//!
//! | ask | answered by |
//! |---|---|
//! | `hello` | `welcome`, then `game` |
//! | `new-game`, `move`, `undo`, `resign`, `toggle-dead`, `accept`, `resume`, `flag`, `load-game`, `open-game`, `play-from`, `teach`, `play-on` | `game`, now and whenever it changes |
//! | `my-games`, `name-game`, `delete-game` | `my-games`; where the game on the board is meant, `game` as well |
//! | `hint` | `hint`, when it is found |
//! | `save-game` | `record` |
//! | `read-record` | `tree` |
//! | `edit-record` | `edited` |
//! | `problems`, `read-problems` | `problems`, `problem-file` |
//! | `nets` | `nets`, when all files were looked into |
//! | `study` | `raw` if a network was chosen, then `report` again and again, until its `done` is true |
//! | `survey` | `survey` for each position, `review` as more is known |
//! | `stop` | the last `report` |
//! | `open` | `branch` |
//! | `experiments`, `standings`, `games`, `replay` | `experiments`, `standings`, `games`, `tree` |
//! | `runs`, `run`, `run-game` | `runs`, `run`, `run-game` |
//!
//! A point is a number: row by row from the top left, 0 first; −1 is a pass. Colours are `black` and `white`.

pub mod ask;
pub mod spot;
pub mod tell;

pub use ask::Ask;
pub use spot::{PASS, point, vertex};
pub use tell::Tell;

use serde::Serialize;
use thiserror::Error;

/// The kind of an error, in one word for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The message is not a JSON object that the protocol knows.
    Malformed,
    /// A value is out of range.
    Invalid,
    /// The rules of the game forbid it.
    Illegal,
    /// It cannot be done now.
    State,
    /// There is no such thing.
    Unknown,
    /// Too much is asked.
    Busy,
    /// Too many messages.
    Rate,
    /// Our mistake.
    Internal,
}

/// Why something that was asked for is not done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// In one word.
    pub kind: Kind,
    /// In a sentence that names the input and what was expected.
    pub message: String,
}

impl Refusal {
    /// A refusal of this kind.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// A value out of range.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Kind::Invalid, message)
    }

    /// Not now.
    pub fn state(message: impl Into<String>) -> Self {
        Self::new(Kind::State, message)
    }
}

/// The answer to a message, or its refusal.
pub type Answer<T> = Result<T, Refusal>;

/// Reads a message.
///
/// # Errors
/// What is wrong with it, with the place.
pub fn read(text: &str) -> Answer<Ask> {
    serde_json::from_str(text).map_err(|error| Refusal::new(Kind::Malformed, error.to_string()))
}

/// The name of a message, even if the rest of it is wrong; for the answer.
pub fn name_of(text: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Name {
        ask: String,
    }
    let name: Name = serde_json::from_str(text).ok()?;
    let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
    (name.ask.len() <= 40 && name.ask.chars().all(is_word)).then_some(name.ask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let text = r#"{"ask":"new-game","size":9,"color":"white","komi":6.5,"rules":"chinese","handicap":0,"level":3}"#;
        let Ask::NewGame(game) = read(text).unwrap() else { panic!("another message") };
        assert_eq!((game.size, game.level, game.clock.is_none()), (9, 3, true));
        assert!(matches!(read(r#"{"ask":"undo"}"#), Ok(Ask::Undo(_))));
        let Ask::Move(play) = read(r#"{"ask":"move","point":-1,"ply":4}"#).unwrap() else { panic!() };
        assert_eq!((play.point, play.ply), (PASS, 4));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, part) in [
            ("", "EOF"),
            ("[]", "ask"),
            ("{}", "missing field `ask`"),
            (r#"{"ask":"undo","file":"/etc/passwd"}"#, "unknown field `file`"),
            (r#"{"ask":"format-disk"}"#, "unknown variant `format-disk`"),
            (r#"{"ask":"move","point":"E5","ply":1}"#, "invalid type: string"),
            (r#"{"ask":"move","point":1e99,"ply":1}"#, "invalid type"),
            (r#"{"ask":"move","point":3}"#, "missing field `ply`"),
        ] {
            let refusal = read(text).unwrap_err();
            assert_eq!(refusal.kind, Kind::Malformed);
            assert!(refusal.message.contains(part), "{text}: {refusal}");
        }
        let deep = format!(r#"{{"ask":"undo","x":{}"#, "[".repeat(200_000));
        assert!(read(&deep).unwrap_err().message.contains("recursion limit"));
    }

    #[test]
    fn errors_name_what_was_asked() {
        assert_eq!(name_of(r#"{"ask":"move","point":"x"}"#).as_deref(), Some("move"));
        assert_eq!(name_of(r#"{"ask":"<script>"}"#), None);
        assert_eq!(name_of("{"), None);
    }
}
