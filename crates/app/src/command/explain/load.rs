//! From a record to the position that is asked about.

use std::path::Path;

use anyhow::{Context, Result, bail};
use goban::{Position, Rules};
use gtp::stderr;
use player::record;
use sgf::{Game, Step};

use crate::words::counted;

/// White's points where neither the record nor the command line says.
const KOMI: f32 = 7.5;

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
    let game = Game::new(&tree).with_context(|| name.to_string())?;
    let n_moves = game.main_line().filter(|step| matches!(step, Ok((_, Step::Move(_))))).count();
    if let Some(number) = before_move.filter(|&number| number == 0 || number > n_moves + 1) {
        let has = counted(n_moves as u64, "move");
        bail!("{name}: --move {number}: the game has {has}; expected 1 to {}", n_moves + 1);
    }
    let rules = rules.or_else(|| {
        record::rules_of(&game).unwrap_or_else(|error| {
            stderr::log(&format!("{name}: {error}; Chinese rules are taken"));
            None
        })
    });
    let rules = rules.unwrap_or(Rules::CHINESE);
    let mut position = record::position_of(&game, rules, before_move).with_context(|| name.to_string())?;
    if let (None, Some(warning)) = (komi, record::ignored_komi(&game)) {
        stderr::log(&format!("{name}: {warning}; komi {KOMI} is taken"));
    }
    if let Some(komi) = komi.or(game.header.komi.is_none().then_some(KOMI)) {
        position.set_komi(komi).with_context(|| format!("--komi {komi}"))?;
    }
    Ok(position)
}
