//! A store for other programs: CSV tables and a folder of SGF records.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{PairingRow, Store};
use crate::experiment::Standing;
use crate::game::FinishedGame;
use crate::plot::number::Unit;
use crate::stats::Trinomial;
use crate::{Error, Result};

impl Store {
    /// Writes `players.csv`, `table.csv`, `games.csv`, `moves.csv` and, if any search was watched, `traces.csv` into a
    /// folder; returns the files.
    ///
    /// # Errors
    /// A store that cannot be read, a folder that cannot be written.
    pub fn export_csv(&self, dir: &Path) -> Result<Vec<PathBuf>> {
        fs::create_dir_all(dir).map_err(Error::file("make the folder", dir))?;
        let mut files = vec![
            self.write_csv(dir, "players.csv", Self::csv_players)?,
            self.write_csv(dir, "table.csv", Self::csv_table)?,
            self.write_csv(dir, "games.csv", Self::csv_games)?,
            self.write_csv(dir, "moves.csv", Self::csv_moves)?,
        ];
        if !self.traces()?.is_empty() {
            files.push(self.write_csv(dir, "traces.csv", Self::csv_traces)?);
        }
        Ok(files)
    }

    fn write_csv(
        &self,
        dir: &Path,
        name: &str,
        rows: impl Fn(&Self, &mut Csv<BufWriter<File>>) -> Result<()>,
    ) -> Result<PathBuf> {
        let path = dir.join(name);
        let file = File::create(&path).map_err(Error::file("write", &path))?;
        let mut csv = Csv { out: BufWriter::new(file), path: path.clone() };
        rows(self, &mut csv)?;
        csv.out.flush().map_err(Error::file("write", &path))?;
        Ok(path)
    }

    fn csv_players<W: Write>(&self, csv: &mut Csv<W>) -> Result<()> {
        csv.row(["player", "sweep", "varied", "text", "canonical"])?;
        for player in self.players()? {
            let varied: Vec<String> =
                player.varied.iter().map(|(key, value)| format!("{key}={value}")).collect();
            csv.row([player.name, player.family, varied.join(" "), player.text, player.canonical])?;
        }
        Ok(())
    }

    fn csv_table<W: Write>(&self, csv: &mut Csv<W>) -> Result<()> {
        csv.row([
            "group",
            "a",
            "b",
            "games",
            "wins",
            "draws",
            "losses",
            "rate",
            "rate_low",
            "rate_high",
            "elo",
            "elo_low",
            "elo_high",
            "los",
            "margin",
            "margin_games",
            "verdict",
            "pairs_0",
            "pairs_0.5",
            "pairs_1",
            "pairs_1.5",
            "pairs_2",
            "state",
        ])?;
        for pairing in self.pairings()? {
            let (lines, standing) = self.counted(&pairing)?;
            csv.row(table_row(&pairing, &lines, &standing))?;
        }
        Ok(())
    }

    fn csv_games<W: Write>(&self, csv: &mut Csv<W>) -> Result<()> {
        csv.row([
            "group",
            "a",
            "b",
            "game",
            "counts",
            "black",
            "winner",
            "result",
            "margin_a",
            "reason",
            "details",
            "note",
            "opening",
            "moves",
            "moves_a",
            "moves_b",
            "seconds_a",
            "seconds_b",
            "simulations_a",
            "simulations_b",
            "seed_a",
            "seed_b",
            "run",
            "started",
            "ended",
        ])?;
        for pairing in self.pairings()? {
            let standing = Standing::of(pairing.stop, &self.lines(pairing.id)?);
            self.each_game(pairing.id, |game| {
                let line = &game.line;
                let side = |side| pairing.names[crate::PairSide::idx(side)].clone();
                let mut row = pairing_cells(&pairing);
                row.extend([
                    line.game.to_string(),
                    standing.counts(line.game).to_string(),
                    side(line.black),
                    line.winner.map(side).unwrap_or_default(),
                    line.result.clone(),
                    line.margin.map(|points| points.to_string()).unwrap_or_default(),
                    line.reason.to_string(),
                    line.details.clone().unwrap_or_default(),
                    line.note.clone().unwrap_or_default(),
                    game.opening.clone(),
                    line.moves.to_string(),
                ]);
                row.extend(line.n_moves.map(|n| n.to_string()));
                row.extend(line.seconds.map(|seconds| seconds.to_string()));
                row.extend(line.simulations.map(|n| n.to_string()));
                row.extend(line.seeds.map(|seed| seed.to_string()));
                row.extend([game.run.to_string(), game.started.to_string(), game.ended.to_string()]);
                csv.row(row)
            })?;
        }
        Ok(())
    }

    fn csv_moves<W: Write>(&self, csv: &mut Csv<W>) -> Result<()> {
        csv.row(["group", "a", "b", "game", "ply", "color", "move", "playouts", "seconds", "value"])?;
        for pairing in self.pairings()? {
            self.each_game(pairing.id, |game| {
                for mv in self.moves(game.id)? {
                    let mut row = pairing_cells(&pairing);
                    row.extend([
                        game.line.game.to_string(),
                        mv.ply.to_string(),
                        mv.color,
                        mv.vertex,
                        mv.playouts.map(|n| n.to_string()).unwrap_or_default(),
                        format!("{:.6}", mv.seconds),
                        mv.value.map(|value| format!("{value:.4}")).unwrap_or_default(),
                    ]);
                    csv.row(row)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The tables of all traces below each other; columns that a recipe does not have stay empty.
    fn csv_traces<W: Write>(&self, csv: &mut Csv<W>) -> Result<()> {
        let (players, traces) = (self.players()?, self.traces()?);
        let mut columns: Vec<&str> = Vec::new();
        for trace in &traces {
            for column in trace.csv.lines().next().into_iter().flat_map(|header| header.split(',')) {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
        }
        csv.row(["trace", "player"].iter().chain(&columns))?;
        for trace in &traces {
            let player = players.iter().find(|player| player.id == trace.player);
            let name = player.map(|player| player.name.as_str()).unwrap_or_default();
            let mut lines = trace.csv.lines();
            let header: Vec<&str> = lines.next().into_iter().flat_map(|header| header.split(',')).collect();
            for line in lines {
                let cells: Vec<&str> = line.split(',').collect();
                let cell = |column: &&str| {
                    let at = header.iter().position(|name| name == column);
                    at.and_then(|at| cells.get(at).copied()).unwrap_or_default()
                };
                csv.row([trace.name.as_str(), name].into_iter().chain(columns.iter().map(cell)))?;
            }
        }
        Ok(())
    }

    /// Writes the record of every game into a folder for each pairing; returns how many.
    ///
    /// # Errors
    /// A store that cannot be read, a folder that cannot be written.
    pub fn export_sgf(&self, dir: &Path) -> Result<u64> {
        let mut n_games = 0;
        for pairing in self.pairings()? {
            let folder = dir.join(sgf_folder(&pairing));
            fs::create_dir_all(&folder).map_err(Error::file("make the folder", &folder))?;
            self.each_game(pairing.id, |game| {
                let path = folder.join(format!("game-{:04}.sgf", game.line.game));
                fs::write(&path, &game.sgf).map_err(Error::file("write", &path))?;
                n_games += 1;
                Ok(())
            })?;
        }
        Ok(n_games)
    }
}

/// The folder of a pairing's records within that of the export: `GROUP/A against B`, without what file systems mind.
pub fn sgf_folder(pairing: &PairingRow) -> PathBuf {
    let clean = |text: &str| -> String {
        let allowed = |c: char| c.is_alphanumeric() || "-_.=+, ".contains(c);
        let name: String = text.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        // No name that means the folder itself or the one above.
        if name.chars().all(|c| c == '.') { "_".repeat(name.len().max(1)) } else { name }
    };
    let [a, b] = &pairing.names;
    // Names that become the same are told apart by the pairing's number.
    PathBuf::from(clean(&pairing.group)).join(format!("{:03} {} against {}", pairing.id, clean(a), clean(b)))
}

fn pairing_cells(pairing: &PairingRow) -> Vec<String> {
    let [a, b] = pairing.names.clone();
    vec![pairing.group.clone(), a, b]
}

/// The mean of A's points more than B's over the games that were counted, and how many these are.
pub fn mean_margin(lines: &[FinishedGame]) -> Option<(f64, u64)> {
    let margins: Vec<f64> = lines.iter().filter_map(|line| line.margin).collect();
    (!margins.is_empty()).then(|| (margins.iter().sum::<f64>() / margins.len() as f64, margins.len() as u64))
}

/// The mean margin in words: `+1.5`; if not all games were counted, over how many: who resigned is left out, which may turn
/// the sign. A dash if none was.
pub fn margin_text(lines: &[FinishedGame]) -> String {
    let mean = |mean: f64| Unit::Points.bare(mean);
    match mean_margin(lines) {
        None => "–".to_string(),
        Some((points, n)) if n == lines.len() as u64 => mean(points),
        Some((points, n)) => format!("{} ({n} of {})", mean(points), lines.len()),
    }
}

fn table_row(pairing: &PairingRow, lines: &[FinishedGame], standing: &Standing) -> Vec<String> {
    let score = standing.score();
    let Trinomial { wins, draws, losses } = score.games;
    let mut row = pairing_cells(pairing);
    row.extend([score.games.games(), wins, draws, losses].map(|n| n.to_string()));
    let number = |x: f64| if x.is_finite() { format!("{x:.4}") } else { x.to_string() };
    let or_empty = |x: Option<f64>| x.map_or_else(String::new, number);
    let rate = score.rate();
    row.extend(
        [rate.map(|rate| rate.rate), rate.map(|rate| rate.low), rate.map(|rate| rate.high)].map(or_empty),
    );
    let elo = score.elo();
    let ends = elo.map_or([None; 2], |elo| elo.open_ends().map(Some));
    row.extend([elo.map(|elo| elo.elo), ends[0], ends[1], score.los()].map(or_empty));
    let margin = mean_margin(lines);
    row.push(or_empty(margin.map(|(mean, _)| mean)));
    row.push(margin.map_or_else(String::new, |(_, n)| n.to_string()));
    row.push(standing.verdict().map(|verdict| format!("{verdict:?}")).unwrap_or_default());
    row.extend(score.pairs.0.map(|n| n.to_string()));
    row.push(standing.state());
    row
}

/// A CSV file that is being written.
struct Csv<W> {
    out: W,
    path: PathBuf,
}

impl<W: Write> Csv<W> {
    fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) -> Result<()> {
        let write = || -> io::Result<()> {
            for (idx, cell) in cells.into_iter().enumerate() {
                let (comma, cell) = (if idx == 0 { "" } else { "," }, cell.as_ref());
                if cell.contains([',', '"', '\n', '\r']) {
                    write!(self.out, "{comma}\"{}\"", cell.replace('"', "\"\""))?;
                } else {
                    write!(self.out, "{comma}{cell}")?;
                }
            }
            writeln!(self.out)
        };
        write().map_err(Error::file("write", &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Stop;

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        let mut csv = Csv { out: Vec::new(), path: PathBuf::new() };
        csv.row(["a", "b,c", "say \"no\"", "two\nlines", ""]).unwrap();
        assert_eq!(String::from_utf8(csv.out).unwrap(), "a,\"b,c\",\"say \"\"no\"\"\",\"two\nlines\",\n");
    }

    #[test]
    fn points_say_of_how_many_games_they_are() {
        let line = |game: u64, margin: Option<f64>| -> FinishedGame {
            serde_json::from_value(serde_json::json!({
                "game": game, "black": "a", "winner": "a", "margin": margin, "result": "", "reason": "score", "moves": 10,
                "n_moves": [5, 5], "seconds": [0.0, 0.0], "simulations": [0, 0], "seeds": [1, 2],
            }))
            .unwrap()
        };
        assert_eq!(margin_text(&[line(1, Some(3.5)), line(2, Some(-0.5))]), "+1.5");
        let resigned = [line(1, Some(3.5)), line(2, None), line(3, None)];
        assert_eq!(margin_text(&resigned), "+3.5 (1 of 3)");
        assert_eq!(margin_text(&resigned[1..]), "–");
    }

    #[test]
    fn folders_have_names_that_stay_within_the_export() {
        let pairing = |group: &str, a: &str| PairingRow {
            id: 7,
            group: group.to_string(),
            players: [1, 2],
            names: [a.to_string(), "b".to_string()],
            terms: serde_json::Map::new(),
            seed: 1,
            stop: Stop::Games(2),
        };
        assert_eq!(
            sgf_folder(&pairing("main", "bma mixer.prior=10")),
            Path::new("main/007 bma mixer.prior=10 against b")
        );
        assert_eq!(sgf_folder(&pairing("..", "../x")), Path::new("__/007 .._x against b"));
    }
}
