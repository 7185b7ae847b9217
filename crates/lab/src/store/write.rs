//! Writing: the players and pairings of the experiment, and games as they are finished.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use goban::Color;
use player::log::differences;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Map, Value, json};

use super::row::{Id, RunInfo};
use super::{Store, sql};
use crate::experiment::{Experiment, Meeting, Participant, Stop};
use crate::game::Finished;
use crate::{Error, Result};

/// The run that adds games now.
pub(super) struct CurrentRun {
    id: Id,
    start: Instant,
    parallel: u64,
    games: u64,
    player_seconds: f64,
}

/// Seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// Games that differ in this cannot be added up: what, there and here.
type TermDifferences = Vec<String>;

impl Store {
    /// Writes the experiment's players and pairings; refuses what contradicts games that were played.
    pub(super) fn agree(&mut self, experiment: &Experiment) -> Result<()> {
        let path = self.path.clone();
        let tx = self.db.transaction().map_err(sql("write", &path))?;
        let (pairings, differences) = write_plan(&tx, experiment).map_err(sql("write", &path))?;
        if !differences.is_empty() {
            return Err(Error::input(format!(
                "{} holds games that were played with other settings: {}. Use the same settings to continue, give what is \
                 new another name, or use another --out",
                path.display(),
                differences.join("; ")
            )));
        }
        tx.commit().map_err(sql("write", &path))?;
        self.pairings = pairings;
        Ok(())
    }

    /// Begins a run; the games saved from now on are its games.
    ///
    /// # Errors
    /// A store that cannot be written.
    pub fn begin_run(&mut self, info: &RunInfo) -> Result<()> {
        let now = now();
        let done = self.db.execute(
            "INSERT INTO runs (started, ended, program, revision, bench, cpu, cores, os, parallel, games, table_seconds,
             player_seconds) VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, 0)",
            params![
                now,
                info.program,
                info.revision,
                info.bench,
                info.cpu,
                info.cores,
                info.os,
                info.parallel
            ],
        );
        done.map_err(sql("write", &self.path))?;
        self.run = Some(CurrentRun {
            id: self.db.last_insert_rowid(),
            start: Instant::now(),
            parallel: info.parallel,
            games: 0,
            player_seconds: 0.0,
        });
        Ok(())
    }

    /// Keeps openings that were made, under a word by which they are found again.
    ///
    /// # Errors
    /// A store that cannot be written.
    pub fn keep_openings(&self, key: &str, sgf: &str) -> Result<()> {
        let query = "INSERT OR REPLACE INTO info (key, value) VALUES (?1, ?2)";
        let done = self.db.execute(query, params![format!("openings {key}"), sgf]);
        done.map(|_| ()).map_err(sql("write", &self.path))
    }

    /// The time of the run begins now: what came before was no game.
    pub fn begin_games(&mut self) {
        if let Some(run) = &mut self.run {
            run.start = Instant::now();
        }
    }

    /// Keeps a finished game of a meeting; it began at `started`, in seconds since 1970. When this returns, nothing that
    /// happens to the program can lose it.
    ///
    /// # Errors
    /// A store that cannot be written; a game that is there already.
    pub fn save(&mut self, game: &Finished, started: f64) -> Result<()> {
        let (Some(run), Some(&pairing)) = (&mut self.run, self.pairings.get(game.job.pairing)) else {
            return Err(Error::input("a game was finished that belongs to no run of this store"));
        };
        run.games += 1;
        run.player_seconds += game.log.moves.iter().map(|mv| mv.time.as_secs_f64()).sum::<f64>();
        let saved = save(&mut self.db, run, pairing, game, started);
        saved.map_err(sql("write", &self.path))
    }

    /// Keeps what came of watching a search.
    ///
    /// # Errors
    /// A store that cannot be written, or no run.
    pub fn save_trace(&mut self, name: &str, player: &str, settings: &Value, csv: &str) -> Result<()> {
        let Some(run) = &self.run else {
            return Err(Error::input("a trace was made that belongs to no run of this store"));
        };
        let done = self.db.execute(
            "INSERT INTO traces (name, player, run, settings, csv)
             VALUES (?1, (SELECT id FROM players WHERE name = ?2), ?3, ?4, ?5)
             ON CONFLICT (name, player) DO UPDATE SET run = ?3, settings = ?4, csv = ?5",
            params![name, player, run.id, settings.to_string(), csv],
        );
        done.map(|_| ()).map_err(sql("write", &self.path))
    }
}

/// Writes info, players and pairings; returns the pairings' numbers, and what contradicts earlier games.
fn write_plan(tx: &Transaction<'_>, experiment: &Experiment) -> rusqlite::Result<(Vec<Id>, TermDifferences)> {
    let path = experiment.page.path.display().to_string();
    for (key, value) in [("name", &experiment.name), ("file", &experiment.page.text), ("path", &path)] {
        tx.execute("INSERT OR REPLACE INTO info (key, value) VALUES (?1, ?2)", params![key, value])?;
    }
    let mut differences = TermDifferences::new();
    let mut players = Vec::new();
    for player in &experiment.players {
        players.push(write_player(tx, player, &mut differences)?);
    }
    tx.execute("UPDATE pairings SET planned = NULL", [])?;
    let mut pairings = Vec::new();
    for (idx, meeting) in experiment.meetings.iter().enumerate() {
        let place = PairingPlace {
            group: &experiment.groups[meeting.group].name,
            players: meeting.players.map(|idx| players[idx]),
            names: experiment.names(meeting),
            idx,
        };
        pairings.push(write_pairing(tx, &place, meeting, &mut differences)?);
    }
    Ok((pairings, differences))
}

fn write_player(
    tx: &Transaction<'_>,
    player: &Participant,
    out: &mut TermDifferences,
) -> rusqlite::Result<Id> {
    let canonical = player.entrant.canonical();
    let before: Option<(Id, String, bool)> = tx
        .query_row(
            "SELECT id, canonical, EXISTS (SELECT 1 FROM games JOIN pairings ON pairings.id = games.pairing
                                           WHERE players.id IN (pairings.a, pairings.b))
             FROM players WHERE name = ?1",
            [&player.name],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    if let Some((_, theirs, true)) = &before
        && *theirs != canonical
    {
        let map = |text: &str| Map::from_iter([(format!("player \"{}\"", player.name), json!(text))]);
        out.extend(differences::between(&map(theirs), &map(&canonical), &[]));
    }
    tx.execute(
        "INSERT INTO players (name, family, varied, text, canonical) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (name) DO UPDATE SET family = ?2, varied = ?3, text = ?4, canonical = ?5",
        params![
            player.name,
            player.family,
            json!(player.varied).to_string(),
            player.entrant.text(),
            canonical
        ],
    )?;
    Ok(before.map_or_else(|| tx.last_insert_rowid(), |(id, ..)| id))
}

/// Which pairing is meant.
struct PairingPlace<'a> {
    group: &'a str,
    players: [Id; 2],
    names: [&'a str; 2],
    /// Its place in the file.
    idx: usize,
}

fn write_pairing(
    tx: &Transaction<'_>,
    place: &PairingPlace<'_>,
    meeting: &Meeting,
    out: &mut TermDifferences,
) -> rusqlite::Result<Id> {
    let [a, b] = place.players;
    let ours = meeting.settings();
    let before: Option<(Id, String, i64, String, bool)> = tx
        .query_row(
            "SELECT id, terms, seed, stop, EXISTS (SELECT 1 FROM games WHERE games.pairing = pairings.id)
             FROM pairings WHERE team = ?1 AND a = ?2 AND b = ?3",
            params![place.group, a, b],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
        )
        .optional()?;
    if let Some((_, terms, seed, stop, true)) = &before {
        let theirs: Map<String, Value> = serde_json::from_str(terms).unwrap_or_default();
        let mut found = differences::between(&theirs, &ours, &[]);
        if *seed != kept_seed(meeting) {
            found.push(format!(
                "the seed of the pairing is {} there, {} here",
                *seed as u64, meeting.pairing.seed
            ));
        }
        found.extend(serde_json::from_str::<Stop>(stop).ok().and_then(|stop| meeting.stop.difference(&stop)));
        let [a, b] = place.names;
        // Most changes concern all pairings; each is told once.
        let told = |what: &String| out.iter().any(|before| before.ends_with(what.as_str()));
        let fresh: Vec<String> = found.into_iter().filter(|what| !told(what)).collect();
        out.extend(fresh.iter().map(|what| format!("group \"{}\", {a} against {b}: {what}", place.group)));
    }
    let stop = serde_json::to_string(&meeting.stop).unwrap_or_default();
    tx.execute(
        "INSERT INTO pairings (team, a, b, terms, seed, stop, planned) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (team, a, b) DO UPDATE SET terms = ?4, seed = ?5, stop = ?6, planned = ?7",
        params![place.group, a, b, Value::Object(ours).to_string(), kept_seed(meeting), stop, place.idx],
    )?;
    Ok(before.map_or_else(|| tx.last_insert_rowid(), |(id, ..)| id))
}

/// The seed of a meeting as SQLite keeps it: its numbers have a sign, and the bits stay the same.
fn kept_seed(meeting: &Meeting) -> i64 {
    meeting.pairing.seed as i64
}

/// One transaction: the game, its moves, and the run's sums.
fn save(
    db: &mut Connection,
    run: &CurrentRun,
    pairing: Id,
    game: &Finished,
    started: f64,
) -> rusqlite::Result<()> {
    let Finished { line, log, sgf, .. } = game;
    let word = |value: Value| value.as_str().map(str::to_string);
    let now = now();
    let tx = db.transaction()?;
    tx.prepare_cached(
        "INSERT INTO games (pairing, number, run, black, winner, result, reason, details, note, margin, opening, moves,
         n_moves_a, n_moves_b, seconds_a, seconds_b, simulations_a, simulations_b, main_used_a, main_used_b, seed_a,
         seed_b, started, ended, sgf) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
         ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)",
    )?
    .execute(params![
        pairing,
        line.game,
        run.id,
        word(json!(line.black)),
        word(json!(line.winner)),
        line.result,
        line.reason.word(),
        line.details,
        line.note,
        line.margin,
        line.opening.as_deref().unwrap_or_default(),
        line.moves,
        line.n_moves[0],
        line.n_moves[1],
        line.seconds[0],
        line.seconds[1],
        line.simulations[0],
        line.simulations[1],
        line.main_used.map(|used| used[0]),
        line.main_used.map(|used| used[1]),
        line.seeds[0].to_string(),
        line.seeds[1].to_string(),
        started,
        now,
        sgf,
    ])?;
    let id = tx.last_insert_rowid();
    let mut insert = tx.prepare_cached(
        "INSERT INTO moves (game, ply, color, vertex, playouts, seconds, value) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (idx, mv) in log.moves.iter().enumerate() {
        insert.execute(params![
            id,
            idx as u64 + 1,
            if mv.color == Color::Black { "black" } else { "white" },
            mv.shown,
            mv.simulations,
            mv.time.as_secs_f64(),
            mv.value,
        ])?;
    }
    drop(insert);
    let table_seconds = run.start.elapsed().as_secs_f64() * run.parallel as f64;
    tx.prepare_cached(
        "UPDATE runs SET ended = ?2, games = ?3, table_seconds = ?4, player_seconds = ?5 WHERE id = ?1",
    )?
    .execute(params![run.id, now, run.games, table_seconds, run.player_seconds])?;
    tx.commit()
}
