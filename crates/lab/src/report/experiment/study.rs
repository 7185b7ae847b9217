//! The data of a report: an experiment's results.

use std::path::PathBuf;

use player::ReasonKind;
use serde_json::{Map, Value};

use crate::Result;
use crate::experiment::{Experiment, Measure, Standing};
use crate::game::{FinishedGame, PairSide};
use crate::stats::MatchScore;
use crate::store::export::sgf_folder;
use crate::store::{Id, LeftOut, PlayerRow, RunRow, Store, TraceRow};

/// An experiment and what came of it.
#[derive(Clone, Debug, Default)]
pub struct ExperimentResults {
    /// The name of the experiment.
    pub name: String,
    /// What it is about, in one line.
    pub title: String,
    /// What it is about, in Markdown.
    pub text: String,
    /// The paper it comes from, with the table.
    pub source: Option<String>,
    /// The file it was read from, and its text.
    pub path: PathBuf,
    /// The text of that file.
    pub file: String,
    /// Who plays.
    pub players: Vec<PlayerResults>,
    /// Who meets whom, as the file has it.
    pub groups: Vec<GroupResults>,
    /// What others measured.
    pub published: Vec<Claims>,
    /// The player whose rating is given.
    pub anchor: Option<(usize, f64)>,
    /// Searches that were watched.
    pub traces: Vec<WatchedSearch>,
    /// When, where and with which program it was played.
    pub runs: Vec<RunRow>,
    /// Games that are kept and not shown.
    pub left_out: LeftOut,
    /// Why the experiment's file could not be understood; then title, text and published numbers are missing.
    pub trouble: Option<String>,
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerResults {
    /// Its name: `rave`, `bma mixer.prior=10`.
    pub name: String,
    /// The name of its sweep; its own if it is alone.
    pub family: String,
    /// What the sweep varies, and this player's values.
    pub varied: Vec<(String, String)>,
    /// As it was given.
    pub text: String,
    /// The recipe with all its values, or the command line.
    pub canonical: String,
}

/// Meetings that belong together.
#[derive(Clone, Debug, Default)]
pub struct GroupResults {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub text: String,
    /// The meetings, in the order of the file.
    pub meetings: Vec<MeetingResults>,
}

/// Two players and their games.
#[derive(Clone, Debug)]
pub struct MeetingResults {
    /// Indices of A and B among the players.
    pub players: [usize; 2],
    /// The games that count.
    pub lines: Vec<FinishedGame>,
    /// How it stands.
    pub standing: Standing,
    /// What they agree on.
    pub terms: Map<String, Value>,
    /// Seed of their games.
    pub seed: u64,
    /// The folder of their records within that of the export.
    pub folder: PathBuf,
}

impl MeetingResults {
    /// The score of the games that count, A's view.
    pub fn score(&self) -> MatchScore {
        MatchScore::of(self.lines.iter().map(|line| (line.game, line.outcome())))
    }

    /// A's share of the points with its interval (Wilson, 95 %); none without games.
    pub fn rate(&self) -> Option<(f64, [f64; 2])> {
        self.score().rate().map(|rate| (rate.rate, [rate.low, rate.high]))
    }

    /// By how many points A won on average, with the 95 % interval of that mean, over the games that were counted. Of
    /// fewer than two games there is no interval, hence nothing.
    pub fn margin(&self) -> Option<(f64, [f64; 2])> {
        let margins: Vec<f64> = self.lines.iter().filter_map(|line| line.margin).collect();
        let n = margins.len() as f64;
        if n < 2.0 {
            return None;
        }
        let mean = margins.iter().sum::<f64>() / n;
        let variance = margins.iter().map(|each| (each - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = crate::stats::Z95 * (variance / n).sqrt();
        Some((mean, [mean - half, mean + half]))
    }

    /// How often a side lost by something that no player should do, by the reason's word.
    pub fn failures(&self, side: PairSide) -> Vec<(ReasonKind, u64)> {
        let mut counts: Vec<(ReasonKind, u64)> = Vec::new();
        for line in self.lines.iter().filter(|line| line.failed() == Some(side)) {
            match counts.iter_mut().find(|(reason, _)| *reason == line.reason) {
                Some((_, n)) => *n += 1,
                None => counts.push((line.reason, 1)),
            }
        }
        counts.sort_by_key(|(reason, _)| reason.word());
        counts
    }
}

/// Published numbers of one table.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Index of the group they stand beside; none if beside all.
    pub group: Option<usize>,
    /// What is measured.
    pub measure: Option<Measure>,
    /// Against whom.
    pub against: String,
    /// Where they stand.
    pub source: Option<String>,
    /// Remarks, in Markdown.
    pub text: String,
    /// The numbers.
    pub rows: Vec<PublishedNumber>,
}

/// A published number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishedNumber {
    /// Index of the player; none for a point of a curve that we do not play.
    pub player: Option<usize>,
    /// The name of the player or its sweep.
    pub name: String,
    /// Where it stands on a curve.
    pub x: Option<f64>,
    /// The number: a share from 0 to 1, points, or Elo.
    pub value: f64,
    /// Its standard error, in the same unit.
    pub error: Option<f64>,
    /// A remark.
    pub note: String,
}

/// A search that was watched.
#[derive(Clone, Debug, Default)]
pub struct WatchedSearch {
    /// What the file calls it.
    pub name: String,
    /// What it shows, in Markdown.
    pub text: String,
    /// Who thought; the name.
    pub player: String,
    /// The moves that matter; the most visited ones if none are named.
    pub moves: Vec<String>,
    /// What was watched: playouts, seed, position.
    pub settings: Map<String, Value>,
    /// The table as `tengen explain --trace` writes it.
    pub csv: String,
}

impl ExperimentResults {
    /// Reads a store.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn of(store: &Store) -> Result<Self> {
        let rows = store.players()?;
        let mut study = Self {
            name: store.name()?,
            path: store.file_path()?,
            file: store.file()?,
            players: rows.iter().map(player).collect(),
            runs: store.runs()?,
            left_out: store.left_out()?,
            ..Self::default()
        };
        study.title.clone_from(&study.name);
        let index = |id: Id| rows.iter().position(|row| row.id == id).unwrap_or_default();
        for pairing in store.pairings()? {
            let (lines, standing) = store.counted(&pairing)?;
            let meeting = MeetingResults {
                players: pairing.players.map(index),
                lines,
                standing,
                folder: sgf_folder(&pairing),
                terms: pairing.terms,
                seed: pairing.seed,
            };
            match study.groups.iter_mut().find(|group| group.name == pairing.group) {
                Some(group) => group.meetings.push(meeting),
                None => {
                    study.groups.push(GroupResults {
                        name: pairing.group,
                        text: String::new(),
                        meetings: vec![meeting],
                    });
                }
            }
        }
        for trace in store.traces()? {
            let name = rows.iter().find(|row| row.id == trace.player).map(|row| row.name.clone());
            study.traces.push(watched(trace, name.unwrap_or_default()));
        }
        match store.experiment() {
            Ok(experiment) => study.describe(&experiment),
            Err(error) => study.trouble = Some(error.to_string()),
        }
        Ok(study)
    }

    /// Adds what only the experiment's file says. Players and groups are found by name: the store may know more of them,
    /// and in another order.
    fn describe(&mut self, experiment: &Experiment) {
        self.title.clone_from(&experiment.title);
        self.text.clone_from(&experiment.text);
        self.source = experiment.source.as_ref().map(|source| match &source.table {
            Some(table) => format!("{}, {table}", source.paper),
            None => source.paper.clone(),
        });
        let here: Vec<Option<usize>> = experiment
            .players
            .iter()
            .map(|given| self.players.iter().position(|player| player.name == given.name))
            .collect();
        let find = |index: usize| here.get(index).copied().flatten();
        self.anchor = experiment.anchor.and_then(|anchor| Some((find(anchor.player)?, anchor.elo)));
        for given in &experiment.groups {
            if let Some(group) = self.groups.iter_mut().find(|group| group.name == given.name) {
                group.text.clone_from(&given.text);
            }
        }
        for trace in &mut self.traces {
            if let Some(given) = experiment.traces.iter().find(|given| given.name == trace.name) {
                trace.text.clone_from(&given.text);
                trace.moves.clone_from(&given.moves);
            }
        }
        for table in &experiment.published {
            let group_name =
                table.group.and_then(|index| experiment.groups.get(index)).map(|group| &group.name);
            let unit = if table.measure == Measure::Rate { 0.01 } else { 1.0 };
            self.published.push(Claims {
                group: group_name.and_then(|name| self.groups.iter().position(|group| group.name == *name)),
                measure: Some(table.measure),
                against: table.against.clone(),
                source: table.source.clone(),
                text: table.text.clone(),
                rows: table
                    .rows
                    .iter()
                    .map(|row| PublishedNumber {
                        player: row.player.and_then(find),
                        name: row.name.clone(),
                        x: row.x,
                        value: row.value * unit,
                        error: row.plus_minus.map(|error| error * unit),
                        note: row.note.clone().unwrap_or_default(),
                    })
                    .collect(),
            });
        }
    }

    /// All meetings, group by group.
    pub fn meetings(&self) -> impl Iterator<Item = &MeetingResults> {
        self.groups.iter().flat_map(|group| &group.meetings)
    }
}

fn player(row: &PlayerRow) -> PlayerResults {
    PlayerResults {
        name: row.name.clone(),
        family: row.family.clone(),
        varied: row.varied.clone(),
        text: row.text.clone(),
        canonical: row.canonical.clone(),
    }
}

fn watched(row: TraceRow, player: String) -> WatchedSearch {
    WatchedSearch { name: row.name, player, settings: row.settings, csv: row.csv, ..WatchedSearch::default() }
}
