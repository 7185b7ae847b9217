//! What is said of an outside program that fails, the same for engines of Go and of other games.

use gtp::client::ClientError;

use crate::player::PlayerError;

/// Expected of a program that is told a move of the game.
pub(crate) const LEGAL_MOVE_ACCEPTED: &str = "that a legal move is accepted";

/// A command that the program refused, with its reason, as an answer.
pub(crate) fn refusal(text: &str, command: &str) -> String {
    format!("? {text} (to {command})")
}

/// A program that refused a command that no program may refuse.
pub(crate) fn unable(name: String, text: &str, command: &str) -> PlayerError {
    PlayerError::Unable { name, why: format!("it answered \"? {text}\" to {command}") }
}

/// Why a program cannot be used that did not answer the first questions.
pub(crate) fn failed_at_start(why: &str) -> String {
    format!("it failed at the start: {why}")
}

/// A program that is asked after its end.
pub(crate) fn ended(name: String) -> PlayerError {
    PlayerError::Crash { name, why: "it does not run".to_string() }
}

/// A program that gave no answer.
pub(crate) fn no_answer(name: String, error: ClientError) -> PlayerError {
    match error {
        ClientError::Timeout(after) => PlayerError::Hang { name, after },
        ClientError::Garbage(line) => PlayerError::Nonsense {
            name,
            answer: line.trim().to_string(),
            expected: "a GTP reply, starting with = or ?",
        },
        // Tells the last words itself.
        other => PlayerError::Crash { name, why: other.to_string() },
    }
}
