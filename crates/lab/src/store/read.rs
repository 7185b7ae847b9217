//! Questions to a store.

use std::path::PathBuf;

use player::ReasonKind;
use rusqlite::{OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::row::{GameRow, Id, MoveRow, PairingRow, PlayerRow, RunInfo, RunRow, TraceRow};
use super::{Store, sql};
use crate::experiment::{Experiment, Meeting, Standing, TomlFile};
use crate::game::FinishedGame;
use crate::stats::score::count_of;
use crate::{Error, Result};

/// The columns of a [`FinishedGame`], for `line`.
const LINE: &str = "number, black, winner, result, reason, details, note, moves, n_moves_a, n_moves_b, seconds_a, \
                    seconds_b, simulations_a, simulations_b, main_used_a, main_used_b, seed_a, seed_b, opening, \
                    margin";

/// How many columns these are.
const N_LINE: usize = 20;

impl Store {
    /// The name of the experiment.
    ///
    /// # Errors
    /// A store that cannot be read; so with all questions.
    pub fn name(&self) -> Result<String> {
        self.info("name")
    }

    /// The experiment file as it was when it was played last.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn file(&self) -> Result<String> {
        self.info("file")
    }

    /// Where the experiment file was.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn file_path(&self) -> Result<PathBuf> {
        self.info("path").map(PathBuf::from)
    }

    /// The experiment as it was when it was played last. Files that it names are not read: its openings are missing.
    ///
    /// # Errors
    /// A store that cannot be read, or a file whose recipes this program no longer knows.
    pub fn experiment(&self) -> Result<Experiment> {
        let page = TomlFile { path: self.file_path()?, text: self.file()?, follow: false };
        Experiment::of_page(self.name()?, page)
    }

    /// Openings that were made earlier, as records; empty if there are none of that name.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn openings(&self, key: &str) -> Result<String> {
        self.info(&format!("openings {key}"))
    }

    fn info(&self, key: &str) -> Result<String> {
        let value = self.db.query_row("SELECT value FROM info WHERE key = ?1", [key], |row| row.get(0));
        value.optional().map(Option::unwrap_or_default).map_err(sql("read", &self.path))
    }

    /// All players there ever were, in the order of their coming.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn players(&self) -> Result<Vec<PlayerRow>> {
        self.all("SELECT id, name, family, varied, text, canonical FROM players ORDER BY id", [], |row| {
            Ok(PlayerRow {
                id: row.get(0)?,
                name: row.get(1)?,
                family: row.get(2)?,
                varied: json(row, 3)?,
                text: row.get(4)?,
                canonical: row.get(5)?,
            })
        })
    }

    /// The pairings of the file, in its order. What the file no longer has is not among them.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn pairings(&self) -> Result<Vec<PairingRow>> {
        let query = "SELECT pairings.id, team, a, b, one.name, other.name, terms, seed, stop FROM pairings
                     JOIN players AS one ON one.id = a JOIN players AS other ON other.id = b
                     WHERE planned IS NOT NULL ORDER BY planned";
        self.all(query, [], |row| {
            Ok(PairingRow {
                id: row.get(0)?,
                group: row.get(1)?,
                players: [row.get(2)?, row.get(3)?],
                names: [row.get(4)?, row.get(5)?],
                terms: json(row, 6)?,
                seed: row.get::<_, i64>(7)? as u64,
                stop: json(row, 8)?,
            })
        })
    }

    /// Finished games that are kept and stand in no table.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn left_out(&self) -> Result<LeftOut> {
        let query =
            "SELECT COUNT(*) FROM games JOIN pairings ON pairings.id = games.pairing WHERE planned IS NULL";
        let unplanned = self.db.query_row(query, [], |row| row.get(0)).map_err(sql("read", &self.path))?;
        let query = "SELECT COUNT(*) FROM games WHERE pairing = ?1 AND number > ?2";
        let mut beyond = 0;
        for PairingRow { id, stop, .. } in self.pairings()? {
            let n = self.db.query_row(query, params![id, stop.max_games()], |row| row.get::<_, u64>(0));
            beyond += n.map_err(sql("read", &self.path))?;
        }
        Ok(LeftOut { unplanned, beyond })
    }

    /// All finished games of a pairing, in order of number, with gaps where a game is not finished.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn lines(&self, pairing: Id) -> Result<Vec<FinishedGame>> {
        self.all(&format!("SELECT {LINE} FROM games WHERE pairing = ?1 ORDER BY number"), [pairing], line)
    }

    /// The games of a pairing that count under its stop rule, in order of number, and how it stands. Games that were in
    /// progress when a sequential test had its verdict do not count.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn counted(&self, pairing: &PairingRow) -> Result<(Vec<FinishedGame>, Standing)> {
        let mut lines = self.lines(pairing.id)?;
        let standing = Standing::of(pairing.stop, &lines);
        lines.retain(|line| standing.counts(line.game));
        Ok((lines, standing))
    }

    /// How each meeting of the experiment stands, for the experiment that this store was opened with.
    ///
    /// # Errors
    /// A store that cannot be read, or was opened only to look at it.
    pub fn standings(&self, experiment: &Experiment) -> Result<Vec<Standing>> {
        if self.pairings.len() != experiment.meetings.len() {
            return Err(Error::input(format!(
                "{} was not opened to play the experiment {}",
                self.path.display(),
                experiment.name
            )));
        }
        let one = |(&id, meeting): (&Id, &Meeting)| Ok(Standing::of(meeting.stop, &self.lines(id)?));
        self.pairings.iter().zip(&experiment.meetings).map(one).collect()
    }

    /// One game.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn game(&self, pairing: Id, number: u64) -> Result<Option<GameRow>> {
        let query = format!(
            "SELECT {LINE}, id, run, opening, started, ended, sgf FROM games WHERE pairing = ?1 AND number = ?2"
        );
        Ok(self.all(&query, params![pairing, number], game)?.pop())
    }

    /// Hands over the games of a pairing one after the other, in order of number.
    ///
    /// # Errors
    /// A store that cannot be read, or what `each` says.
    pub fn each_game(&self, pairing: Id, mut each: impl FnMut(&GameRow) -> Result<()>) -> Result<()> {
        let numbers: Vec<u64> =
            self.all("SELECT number FROM games WHERE pairing = ?1 ORDER BY number", [pairing], |row| {
                row.get(0)
            })?;
        for number in numbers {
            if let Some(game) = self.game(pairing, number)? {
                each(&game)?;
            }
        }
        Ok(())
    }

    /// The moves of a game, by its number in the store.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn moves(&self, game: Id) -> Result<Vec<MoveRow>> {
        let query =
            "SELECT ply, color, vertex, playouts, seconds, value FROM moves WHERE game = ?1 ORDER BY ply";
        self.all(query, [game], |row| {
            Ok(MoveRow {
                ply: row.get(0)?,
                color: row.get(1)?,
                vertex: row.get(2)?,
                playouts: row.get(3)?,
                seconds: row.get(4)?,
                value: row.get(5)?,
            })
        })
    }

    /// All runs, the first one first.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn runs(&self) -> Result<Vec<RunRow>> {
        let query = "SELECT id, started, ended, program, revision, bench, cpu, cores, os, parallel, games, table_seconds,
                     player_seconds FROM runs ORDER BY id";
        self.all(query, [], |row| {
            Ok(RunRow {
                id: row.get(0)?,
                started: row.get(1)?,
                ended: row.get(2)?,
                info: RunInfo {
                    program: row.get(3)?,
                    revision: row.get(4)?,
                    bench: row.get(5)?,
                    cpu: row.get(6)?,
                    cores: row.get(7)?,
                    os: row.get(8)?,
                    parallel: row.get(9)?,
                },
                games: row.get(10)?,
                table_seconds: row.get(11)?,
                player_seconds: row.get(12)?,
            })
        })
    }

    /// The searches that were watched.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn traces(&self) -> Result<Vec<TraceRow>> {
        self.all("SELECT name, player, settings, csv FROM traces ORDER BY id", [], |row| {
            Ok(TraceRow { name: row.get(0)?, player: row.get(1)?, settings: json(row, 2)?, csv: row.get(3)? })
        })
    }

    /// All rows that a query finds.
    pub(super) fn all<T>(
        &self,
        query: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let rows = || -> rusqlite::Result<Vec<T>> {
            let mut statement = self.db.prepare_cached(query)?;
            statement.query_map(params, read)?.collect()
        };
        rows().map_err(sql("read", &self.path))
    }
}

/// A column that holds JSON.
fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| broken(column, error))
}

fn broken(column: usize, error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}

/// Finished games that a store keeps, in case they are wanted again, and that stand in no table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Games of pairings that the file no longer has.
    pub unplanned: u64,
    /// Games whose number is larger than the number of games that is wanted now.
    pub beyond: u64,
}

impl LeftOut {
    /// `26 games of pairings that the file no longer has are kept, and not shown`: a line for each kind that there is.
    pub fn words(self) -> Vec<String> {
        let kinds = [
            (self.unplanned, "of pairings that the file no longer has"),
            (self.beyond, "beyond the number that is wanted now"),
        ];
        let line = |(n, kind): (u64, &str)| {
            let is = if n == 1 { "is" } else { "are" };
            format!("{} {kind} {is} kept, and not shown", count_of(n, "game"))
        };
        kinds.into_iter().filter(|(n, _)| *n > 0).map(line).collect()
    }
}

/// The columns [`LINE`], which come first.
fn line(row: &Row<'_>) -> rusqlite::Result<FinishedGame> {
    let seed = |column: usize| -> rusqlite::Result<u64> {
        row.get::<_, String>(column)?.parse().map_err(|error| broken(column, error))
    };
    let side = |column: usize| -> rusqlite::Result<Value> {
        Ok(row.get::<_, Option<String>>(column)?.map_or(Value::Null, Value::String))
    };
    let main_used: [Option<f64>; 2] = [row.get(14)?, row.get(15)?];
    Ok(FinishedGame {
        game: row.get(0)?,
        black: serde_json::from_value(side(1)?).map_err(|error| broken(1, error))?,
        winner: serde_json::from_value(side(2)?).map_err(|error| broken(2, error))?,
        margin: row.get(19)?,
        result: row.get(3)?,
        reason: reason(row, 4)?,
        details: row.get(5)?,
        note: row.get(6)?,
        moves: row.get(7)?,
        n_moves: [row.get(8)?, row.get(9)?],
        seconds: [row.get(10)?, row.get(11)?],
        simulations: [row.get(12)?, row.get(13)?],
        main_used: match main_used {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        },
        seeds: [seed(16)?, seed(17)?],
        opening: Some(row.get(18)?).filter(|name: &String| !name.is_empty()),
    })
}

fn reason(row: &Row<'_>, column: usize) -> rusqlite::Result<ReasonKind> {
    let word: String = row.get(column)?;
    let unknown = || Error::input(format!("{word:?} is not a reason for the end of a game"));
    ReasonKind::of_word(&word).ok_or_else(|| broken(column, unknown()))
}

fn game(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok(GameRow {
        line: line(row)?,
        id: row.get(N_LINE)?,
        run: row.get(N_LINE + 1)?,
        opening: row.get(N_LINE + 2)?,
        started: row.get(N_LINE + 3)?,
        ended: row.get(N_LINE + 4)?,
        sgf: row.get(N_LINE + 5)?,
    })
}
