//! The report of an experiment: its results, how they compare with what was published, and how to get them again.
//!
//! In reading order: [`study`] (the results as plain data, read from a store), `quantity` (what is measured and how it is
//! written), `compare` (published numbers beside ours), `results` and `figures` (a group's table and pictures), `strength`
//! (ratings), `watch` (traces of searches), `games`, `provenance`; this file puts them together.

mod compare;
mod figures;
mod games;
mod provenance;
mod quantity;
mod results;
mod strength;
pub mod study;
mod watch;

use super::page::Page;
use super::text::Text;
pub use study::ExperimentResults;

/// The page. `records` is the address of the folder with the exported records of the games, relative to the page, if there
/// is one. The same results give the same page, whenever it is written.
pub fn page(study: &ExperimentResults, records: Option<&str>) -> Page {
    let mut page = Page::new(study.title.as_str());
    page.lead = lead(study);
    page.prose(&study.text);
    results::warnings(&mut page, study);
    for index in 0..study.groups.len() {
        results::section(&mut page, study, index, study.groups.len() > 1);
    }
    strength::section(&mut page, study);
    watch::sections(&mut page, study);
    games::section(&mut page, study, records);
    provenance::section(&mut page, study);
    page.footer = Text::new()
        .plain("Experiment ")
        .code(study.name.as_str())
        .plain(", reported by ")
        .code("tengen lab report")
        .plain(".");
    page
}

/// How much was played, and where the question comes from.
fn lead(study: &ExperimentResults) -> Text {
    let n_games: usize = study.meetings().map(|meeting| meeting.lines.len()).sum();
    let mut parts = Vec::new();
    if study.meetings().next().is_some() {
        let n_players = {
            let mut players: Vec<usize> = study.meetings().flat_map(|meeting| meeting.players).collect();
            players.sort_unstable();
            players.dedup();
            players.len()
        };
        let games = crate::plot::Unit::Plain.bare(n_games as f64);
        parts.push(format!(
            "{games} {} between {n_players} players.",
            if n_games == 1 { "game" } else { "games" }
        ));
    }
    parts.extend(study.source.as_ref().map(|source| format!("After {}.", source.trim_end_matches('.'))));
    parts.join(" ").into()
}
