//! Rules and komi of a record that somebody wants to look at.

use goban::Rules;
use gtp::stderr;
use player::record;
use sgf::Game;

/// White's points where neither the record nor the command line says.
const KOMI: f32 = 7.5;

/// The rules, and the komi if it is not the record's own. What the command line says goes before what the record says; what
/// of the record is of no use is told, with its name.
pub(crate) fn of_record(
    game: &Game<'_>,
    name: &str,
    rules: Option<Rules>,
    komi: Option<f32>,
) -> (Rules, Option<f32>) {
    let rules = rules.or_else(|| {
        record::rules_of(game).unwrap_or_else(|error| {
            stderr::log(&format!("{name}: {error}; Chinese rules are taken"));
            None
        })
    });
    if let (None, Some(warning)) = (komi, record::ignored_komi(game)) {
        stderr::log(&format!("{name}: {warning}; komi {KOMI} is taken"));
    }
    (rules.unwrap_or(Rules::CHINESE), komi.or(game.header.komi.is_none().then_some(KOMI)))
}
