//! How the pairings of an experiment stand, as a table in the terminal.

use anyhow::Result;
use comfy_table::{Cell, CellAlignment, Table, presets};
use lab::Line;
use lab::experiment::{Standing, Stop};
use lab::stats::{Hypothesis, Trinomial, wilson95};
use lab::store::export::{mean_margin, strength, sums};
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
    for group in &groups {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        table.set_header(["A", "B", "games", "A : B", "A %", "95 %", "Elo", "95 %", "points", "state"]);
        for pairing in pairings.iter().filter(|pairing| pairing.group == **group) {
            let (lines, standing) = store.counted(pairing)?;
            table.add_row(row(pairing, &lines, &standing));
        }
        let title = if groups.len() > 1 { format!("{group}\n") } else { String::new() };
        tables.push(format!("{title}{table}"));
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

/// `12 : 8`, or with draws `12 : 8, 1 draw`.
pub(super) fn score(games: &Trinomial) -> String {
    let draws = match games.draws {
        0 => String::new(),
        1 => ", 1 draw".to_string(),
        n => format!(", {n} draws"),
    };
    format!("{} : {}{draws}", games.wins, games.losses)
}

fn row(pairing: &PairingRow, lines: &[Line], standing: &Standing) -> Vec<Cell> {
    let (games, pairs) = sums(lines);
    let [a, b] = &pairing.names;
    let mut cells = vec![Cell::new(a), Cell::new(b)];
    let mut right = |text: String| cells.push(Cell::new(text).set_alignment(CellAlignment::Right));
    right(games.games().to_string());
    if games.games() == 0 {
        (0..6).for_each(|_| right("–".to_string()));
    } else {
        let [low, high] = wilson95(games.points(), games.games());
        right(score(&games));
        right(format!("{:.1}", 100.0 * games.rate()));
        right(format!("{:.1} – {:.1}", 100.0 * low, 100.0 * high));
        match strength(&games, &pairs) {
            Some((elo, _)) => {
                right(format!("{:+.0}", elo.elo));
                right(elo.interval());
            }
            None => (0..2).for_each(|_| right("–".to_string())),
        }
        right(points(lines));
    }
    cells.push(Cell::new(state(standing)));
    cells
}

/// By how many points A won on average; if not all games were counted, over how many: who resigned is left out, which may
/// turn the sign.
fn points(lines: &[Line]) -> String {
    match mean_margin(lines) {
        None => "–".to_string(),
        Some((mean, n)) if n == lines.len() as u64 => format!("{mean:+.1}"),
        Some((mean, n)) => format!("{mean:+.1} ({n} of {})", lines.len()),
    }
}

/// `complete`, `37 left`, `H1 accepted (0 Elo rejected)`.
pub(super) fn state(standing: &Standing) -> String {
    match (standing.stop(), standing.verdict()) {
        (Stop::Sprt { test, .. }, Some(Hypothesis::H0)) => {
            format!("H0 accepted ({} Elo rejected)", test.elo1)
        }
        (Stop::Sprt { test, .. }, Some(Hypothesis::H1)) => {
            format!("H1 accepted ({} Elo rejected)", test.elo0)
        }
        (Stop::Sprt { .. }, None) if standing.is_done() => "undecided".to_string(),
        (Stop::Sprt { .. }, None) => {
            let llr = standing.test().map_or(0.0, lab::stats::SequentialTest::llr);
            format!("LLR {llr:.2}, at most {} left", standing.n_left())
        }
        (Stop::Games(_), _) if standing.is_done() => "complete".to_string(),
        (Stop::Games(_), _) => format!("{} left", standing.n_left()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::Side;
    use lab::stats::Sprt;

    fn line(game: u64, winner: Side, result: &str) -> Line {
        serde_json::from_value(serde_json::json!({
            "game": game, "black": "a", "winner": winner, "result": result, "reason": "score", "moves": 10,
            "n_moves": [5, 5], "seconds": [0.0, 0.0], "simulations": [0, 0], "seeds": [1, 2],
        }))
        .unwrap()
    }

    #[test]
    fn points_say_of_how_many_games_they_are() {
        let counted = [line(1, Side::A, "B+3.5"), line(2, Side::B, "B+0.5")];
        assert_eq!(points(&counted), "+1.5");
        let resigned =
            [line(1, Side::A, "B+3.5"), line(2, Side::B, "B+Resign"), line(3, Side::B, "W+Resign")];
        assert_eq!(points(&resigned), "+3.5 (1 of 3)");
        assert_eq!(points(&resigned[1..]), "–");
    }

    #[test]
    fn states_of_tests_claim_no_more_than_the_test() {
        let test = Sprt { elo0: 0.0, elo1: 300.0, alpha: 0.4, beta: 0.4 };
        let lines: Vec<Line> = (1..=8).map(|game| line(game, Side::A, "B+1.5")).collect();
        let standing = Standing::of(Stop::Sprt { test, max_games: 8 }, &lines);
        assert_eq!(state(&standing), "H1 accepted (0 Elo rejected)");
    }
}
