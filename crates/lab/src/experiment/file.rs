//! The experiment file as it is written: what serde reads, before names are looked up and recipes built.

use serde::Deserialize;
use toml::Spanned;

use super::page::{Named, Word, WordEntry};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ExperimentFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) text: String,
    pub(super) source: Option<SourceFile>,
    pub(super) parallel: Option<Spanned<usize>>,
    pub(super) anchor: Option<AnchorFile>,
    #[serde(default)]
    pub(super) terms: TermsFile,
    #[serde(default)]
    pub(super) players: Named,
    #[serde(default, rename = "group")]
    pub(super) groups: Vec<Spanned<GroupFile>>,
    #[serde(default)]
    pub(super) published: Vec<PublishedFile>,
    #[serde(default, rename = "trace")]
    pub(super) traces: Vec<Spanned<TraceFile>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceFile {
    pub(super) paper: String,
    pub(super) table: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnchorFile {
    pub(super) player: Spanned<String>,
    pub(super) elo: f64,
}

/// The terms of games; a group may replace some of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TermsFile {
    pub(super) game: WordEntry,
    pub(super) size: WordEntry,
    pub(super) komi: WordEntry,
    pub(super) rules: WordEntry,
    pub(super) handicap: WordEntry,
    pub(super) playouts: WordEntry,
    pub(super) time: WordEntry,
    pub(super) clock: WordEntry,
    pub(super) openings: WordEntry,
    pub(super) referee: WordEntry,
    pub(super) resign: WordEntry,
    pub(super) pass_below: WordEntry,
    pub(super) no_resign: WordEntry,
    pub(super) max_moves: WordEntry,
    pub(super) patience: WordEntry,
    pub(super) seed: WordEntry,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GroupFile {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) text: String,
    pub(super) kind: GroupKind,
    pub(super) players: Option<Vec<Spanned<String>>>,
    pub(super) opponents: Option<Vec<Spanned<String>>>,
    pub(super) games: Option<Spanned<u64>>,
    pub(super) sprt: Option<Spanned<SprtFile>>,
    #[serde(default)]
    pub(super) terms: TermsFile,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupKind {
    /// Everybody meets everybody.
    RoundRobin,
    /// Each player meets each opponent.
    Gauntlet,
    /// Two players meet. Their games have the seeds of `tengen match`: the seed of the pairing is that of the terms.
    Match,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SprtFile {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    #[serde(default = "usual_error_rate")]
    pub(super) alpha: f64,
    #[serde(default = "usual_error_rate")]
    pub(super) beta: f64,
    pub(super) max_games: u64,
}

fn usual_error_rate() -> f64 {
    0.05
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PublishedFile {
    pub(super) group: Option<Spanned<String>>,
    pub(super) measure: Measure,
    pub(super) against: String,
    pub(super) source: Option<String>,
    #[serde(default)]
    pub(super) text: String,
    pub(super) rows: Vec<Spanned<RowFile>>,
}

/// The unit of a published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Wins in per cent, 0 to 100; draws are halves.
    Rate,
    /// Mean points by which games were won.
    Score,
    /// Elo.
    Elo,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RowFile {
    pub(super) player: String,
    pub(super) x: Option<Spanned<Word>>,
    pub(super) value: f64,
    pub(super) plus_minus: Option<f64>,
    pub(super) games: Option<u64>,
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TraceFile {
    pub(super) name: String,
    #[serde(default)]
    pub(super) text: String,
    pub(super) players: Vec<Spanned<String>>,
    pub(super) sgf: Option<Spanned<String>>,
    pub(super) before_move: Option<usize>,
    pub(super) board: Option<Spanned<String>>,
    pub(super) to_play: Option<Spanned<String>>,
    pub(super) komi: Option<f32>,
    pub(super) rules: Option<Spanned<String>>,
    pub(super) playouts: Spanned<u64>,
    pub(super) every: Option<Spanned<u64>>,
    #[serde(default)]
    pub(super) moves: Vec<Spanned<String>>,
    #[serde(default = "usual_seed")]
    pub(super) seed: u64,
}

fn usual_seed() -> u64 {
    1
}
