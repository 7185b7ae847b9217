//! How the pairings of an experiment stand, as a table in the terminal.

use anyhow::Result;
use comfy_table::{Cell, CellAlignment, Table, presets};
use lab::FinishedGame;
use lab::experiment::Standing;
use lab::store::export::{margin_text, mean_margin};
use lab::store::{PairingRow, Store};

/// The tables of all groups, and what was watched.
pub(super) fn of(store: &Store) -> Result<String> {
    let pairings = store.pairings()?;
    let mut groups: Vec<&str> = Vec::new();
    for pairing in &pairings {
        if !groups.contains(&pairing.group.as_str()) {
            groups.push(&pairing.group);
        }
    }
    let mut tables = Vec::new();
    let mut has_unmeasured = false;
    for group in &groups {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        table.set_header(["A", "B", "games", "A : B", "rate [95 %]", "Elo [95 %]", "LOS", "points", "state"]);
        for pairing in pairings.iter().filter(|pairing| pairing.group == **group) {
            let (lines, standing) = store.counted(pairing)?;
            has_unmeasured |= !lines.is_empty() && mean_margin(&lines).is_none();
            table.add_row(row(pairing, &lines, &standing));
        }
        let title = if groups.len() > 1 { format!("{group}\n") } else { String::new() };
        tables.push(format!("{title}{table}"));
    }
    if has_unmeasured {
        tables.push(
            "points –: no game of the pair was counted, all ended by resignation or on the board".to_string(),
        );
    }
    let watched = watched(store)?;
    if !watched.is_empty() {
        tables.push(watched.join("\n"));
    }
    Ok(tables.join("\n\n"))
}

/// A line for every search that was watched.
fn watched(store: &Store) -> Result<Vec<String>> {
    let (traces, players) = (store.traces()?, store.players()?);
    let name =
        |id| players.iter().find(|player| player.id == id).map_or("–", |player| player.name.as_str());
    Ok(traces.iter().map(|trace| format!("{}: {} was watched", trace.name, name(trace.player))).collect())
}

fn row(pairing: &PairingRow, lines: &[FinishedGame], standing: &Standing) -> Vec<Cell> {
    let score = standing.score();
    let text = score.text();
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let [a, b] = &pairing.names;
    vec![
        Cell::new(a),
        Cell::new(b),
        right(score.games.games().to_string()),
        right(text.score.clone()),
        right(text.rate_with_interval()),
        right(text.elo_with_interval()),
        right(text.los),
        right(margin_text(lines)),
        Cell::new(standing.state()),
    ]
}
