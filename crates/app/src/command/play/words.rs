//! What the table says to the person, for every game.

use std::fmt::Display;

use anyhow::Result;

pub(super) const ASK_WHEN_OVER: &str =
    "Type save FILE to keep the game, undo to play on, or Enter to leave: ";
pub(super) const OVER: &str = "The game is over.";
pub(super) const NOTHING_TO_TAKE_BACK: &str = "There is no move of yours to take back.";
pub(super) const THINKS: &str = "Tengen thinks ...";
/// Follows [`THINKS`] on its line.
pub(super) const RESIGNS: &str = " and resigns.";
pub(super) const SAVE_WHERE: &str = "Where to? For example: save game.sgf";

/// The commands that every game has.
const COMMANDS: [(&str, &str); 5] = [
    ("undo", "take back your last move and the answer to it, also when the game is over"),
    ("hint", "ask Tengen what it would play for you"),
    ("save FILE", "write the game as SGF"),
    ("resign", "resign the game"),
    ("quit", "leave"),
];

/// All commands with their meanings, those of the game first.
pub(super) fn help(of_game: &[(&str, &str)]) -> String {
    let lines = of_game.iter().chain(&COMMANDS).map(|(command, meaning)| format!("  {command:<12}{meaning}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A line that is neither a command nor, for this reason, a move.
pub(super) fn misread(why: &impl Display) -> String {
    format!("{why}. It is not a command either; type help for all commands.")
}

/// The move that Tengen would play for the person, and how often it expects the person to win, 0..=1; without a move it
/// would resign.
pub(super) fn hint(mv: Option<&str>, value: Option<f32>) -> String {
    let Some(mv) = mv else { return "Tengen would resign.".to_string() };
    let rate = value.map_or(String::new(), |value| {
        format!(" and expects you to win {:.0} % of such games", 100.0 * value)
    });
    format!("Tengen would play {mv}{rate}.")
}

/// The result, and whether the person has won; a game without a winner is drawn.
pub(super) fn result(result: &str, has_won: Option<bool>) -> String {
    let verdict = match has_won {
        Some(true) => "You win.",
        Some(false) => "Tengen wins.",
        None => "A draw.",
    };
    format!("Result: {result}. {verdict}")
}

/// The result of saving.
pub(super) fn saved(path: &str, done: &Result<()>) -> String {
    match done {
        Ok(()) => format!("Saved to {path}."),
        Err(error) => format!("Not saved: {error:#}."),
    }
}
