//! From a record to the position that is asked about.

use std::fmt::Display;
use std::path::Path;

use anyhow::{Context, Error, Result, anyhow};
use goban::{Position, Rules};
use player::{boardgame, record};
use sgf::{Game, GameError, GameErrorKind, Step};

use crate::terms;
use crate::words::counted;

/// The position of the record's main line before a move, or at its end. What the command line says of rules and komi
/// goes before what the record says.
pub(super) fn position(
    file: &Path,
    before_move: Option<usize>,
    rules: Option<Rules>,
    komi: Option<f32>,
) -> Result<Position> {
    let name = file.display();
    // Its errors name the file themselves.
    let tree = record::load(file)?;
    let game = Game::new(&tree).map_err(of_other_game).with_context(|| name.to_string())?;
    let n_moves = game.main_line().filter(|step| matches!(step, Ok((_, Step::Move(_))))).count();
    if let Some(number) = before_move.filter(|&number| number == 0 || number > n_moves + 1) {
        return Err(past_the_end(&name, number, n_moves));
    }
    let (rules, komi) = terms::of_record(&game, &name.to_string(), rules, komi);
    let mut position = record::position_of(&game, rules, before_move).with_context(|| name.to_string())?;
    if let Some(komi) = komi {
        position.set_komi(komi).with_context(|| format!("--komi {komi}"))?;
    }
    Ok(position)
}

/// A --move that a record does not have.
pub(super) fn past_the_end(name: &impl Display, number: usize, n_moves: usize) -> Error {
    let has = counted(n_moves as u64, "move");
    anyhow!("{name}: --move {number}: the game has {has}; expected 1 to {}", n_moves + 1)
}

/// The error of a record; where it is one of another game that can be explained, with the option that does so.
fn of_other_game(error: GameError) -> Error {
    let other = match &error.kind {
        GameErrorKind::NotGo(number) => boardgame::of_record(number),
        _ => None,
    };
    match other {
        Some(entry) => anyhow!("{error}; for a record of {0}: --game {0}", entry.name),
        None => error.into(),
    }
}
