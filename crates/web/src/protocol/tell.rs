//! What the server tells.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::Kind;
use super::ask::{ClockTerms, Side};
use super::spot::Step;

/// A number that the page shows: four digits after the point, null for what is none or without bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Num(pub f32);

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let x = f64::from(self.0);
        if !x.is_finite() {
            return serializer.serialize_none();
        }
        serializer.serialize_f64((x * 1e4).round() / 1e4)
    }
}

/// A message of the server.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "tell", rename_all = "kebab-case")]
pub enum Tell {
    /// Something was wrong.
    Error(Error),
    /// The answer to `hello`.
    Welcome(Welcome),
    /// How the game against Tengen stands.
    Game(Box<Game>),
    /// What a stronger player would do.
    Hint(Hint),
    /// The game as a file.
    Record(Record),
    /// A record that was read.
    Tree(Box<Tree>),
    /// What a study has found so far.
    Report(Box<Report>),
    /// What the tree holds after some moves.
    Branch(Branch),
    /// What a survey has found in one position.
    Survey(Survey),
    /// The experiments there are.
    Experiments(Experiments),
    /// How an experiment stands.
    Standings(Standings),
    /// Games of a pairing.
    Games(Games),
}

impl Tell {
    /// The message as text.
    pub fn text(&self) -> String {
        // Nothing in these types can fail to be written: keys are strings and numbers are checked.
        serde_json::to_string(self).unwrap_or_else(|_| r#"{"tell":"error","kind":"internal"}"#.to_string())
    }
}

/// Something was wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Error {
    /// What was asked, if that could be read.
    pub ask: Option<String>,
    /// In one word.
    pub kind: Kind,
    /// In a sentence.
    pub message: String,
}

/// What a page needs to know first.
#[derive(Clone, Debug, Serialize)]
pub struct Welcome {
    /// The session, to be remembered by the browser.
    pub session: String,
    /// The program's version.
    pub version: &'static str,
    /// The levels, the weakest first.
    pub levels: Vec<LevelView>,
    /// The recipes by name.
    pub recipes: Vec<RecipeView>,
    /// The rules by name.
    pub rules: Vec<&'static str>,
    /// Simulations of a study at most.
    pub max_playouts: u64,
}

/// A level.
#[derive(Clone, Debug, Serialize)]
pub struct LevelView {
    /// What it is called.
    pub name: &'static str,
    /// Simulations for each move.
    pub playouts: Option<u64>,
    /// Seconds for each move, at most.
    pub seconds: f64,
}

/// A recipe of the shelf.
#[derive(Clone, Debug, Serialize)]
pub struct RecipeView {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: String,
    /// The keys that differ from the defaults.
    pub brief: String,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Moves are made.
    Playing,
    /// Both have passed; dead stones are marked.
    Counting,
    /// There is a result.
    Over,
}

/// The game against Tengen.
#[derive(Clone, Debug, Serialize)]
pub struct Game {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The visitor's colour.
    pub color: Side,
    /// The level, from 1.
    pub level: usize,
    /// Points for White.
    pub komi: Num,
    /// Rules by name.
    pub rules: String,
    /// Handicap stones.
    pub handicap: usize,
    /// Stones before the first move.
    pub start: String,
    /// The moves.
    pub moves: Vec<(Side, i32)>,
    /// Stones now.
    pub stones: String,
    /// Who is to move.
    pub to_play: Side,
    /// Stones that Black and White have lost.
    pub captured: [u32; 2],
    /// Where the game stands.
    pub phase: Phase,
    /// Whether Tengen thinks.
    pub thinking: bool,
    /// Stones that count as dead, while counting and after.
    pub dead: Vec<i32>,
    /// The count.
    pub score: Option<ScoreView>,
    /// `B+3.5`, `W+R`, `B+T`.
    pub result: Option<String>,
    /// The clock, if there is one.
    pub clock: Option<ClockView>,
}

/// The clocks.
#[derive(Clone, Debug, Serialize)]
pub struct ClockView {
    /// What was agreed.
    pub terms: ClockTerms,
    /// Seconds left of the main time or the period: Black, White.
    pub left: [Num; 2],
    /// Periods left in overtime; 0 in main time.
    pub overtime: [u32; 2],
    /// Whose clock runs.
    pub running: Option<Side>,
}

/// A count and where it comes from.
#[derive(Clone, Debug, Serialize)]
pub struct ScoreView {
    /// `B+3.5`.
    pub result: String,
    /// Whether stones on the board count, or captured ones.
    pub area: bool,
    /// Black's.
    pub black: TallyView,
    /// White's.
    pub white: TallyView,
    /// Who each point counts for: `X`, `O`, `.`.
    pub owners: String,
}

/// One player's points.
#[derive(Clone, Debug, Serialize)]
pub struct TallyView {
    /// Living stones.
    pub stones: usize,
    /// Surrounded points.
    pub territory: usize,
    /// Surrounded points that do not count.
    pub tax: usize,
    /// Enemy stones captured during the game.
    pub prisoners: usize,
    /// Dead enemy stones on the board.
    pub dead: usize,
    /// Komi.
    pub komi: Num,
    /// Compensation for handicap stones.
    pub handicap: usize,
    /// For the first pass, under rules with a button.
    pub button: Num,
    /// All that counts.
    pub points: Num,
}

/// What a stronger player would do.
#[derive(Clone, Debug, Serialize)]
pub struct Hint {
    /// How many moves had been made.
    pub ply: usize,
    /// The move.
    pub point: i32,
    /// How often it is expected to win, 0..=1, for the visitor.
    pub win: Option<Num>,
    /// The expected moves.
    pub line: Vec<i32>,
}

/// A file.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// A name for it.
    pub name: String,
    /// Its text.
    pub sgf: String,
}

/// A record.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Points for White.
    pub komi: Num,
    /// Rules by name.
    pub rules: String,
    /// Handicap stones that White is paid for.
    pub handicap: usize,
    /// The players, Black first.
    pub players: [String; 2],
    /// The result as the record writes it.
    pub result: String,
    /// The nodes, parents before children.
    pub nodes: Vec<TreeNode>,
    /// Whether some were left out because there are too many.
    pub is_cut: bool,
}

/// A node of a record.
#[derive(Clone, Debug, Serialize)]
pub struct TreeNode {
    /// The index of its parent; none for the root.
    pub parent: Option<usize>,
    /// What happens.
    pub steps: Vec<Step>,
    /// What somebody wrote.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// One root move: point, visits, value, win rate, P(a), the selector's score, then mean, weight and β of each model.
#[derive(Clone, Debug, Serialize)]
pub struct ArmView(pub i32, pub u32, pub Num, pub Num, pub Option<Num>, pub Num, pub Vec<(Num, Num, Num)>);

/// What a search has found so far. Values are those of the player to move.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The study's number.
    pub number: u64,
    /// Which of its searches, from 0.
    pub search: usize,
    /// Whether it is over.
    pub done: bool,
    /// Who is to move.
    pub to_play: Side,
    /// The models' names.
    pub models: Vec<String>,
    /// `win` or `score`: what values are.
    pub reward: &'static str,
    /// Simulations so far.
    pub simulations: u64,
    /// Seconds of searching.
    pub seconds: Num,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
    /// Whether memory ran out.
    pub is_full: bool,
    /// How often the player to move is expected to win.
    pub win: Num,
    /// The expected score, as Black sees it.
    pub score: Num,
    /// The move that would be played.
    pub choice: Option<i32>,
    /// The moves, the most visited first.
    pub arms: Vec<ArmView>,
    /// The expected lines of the first of them.
    pub lines: BTreeMap<i32, Vec<i32>>,
    /// Who will own each point, −100 White to 100 Black; empty if it is not known.
    pub ownership: Vec<i8>,
    /// How it came about, since the last report.
    pub trail: Vec<Sample>,
}

/// The arms after so many simulations.
#[derive(Clone, Debug, Serialize)]
pub struct Sample(pub u64, pub Vec<ArmSample>);

/// An arm at one moment: point, visits, value, then mean and β of each model.
#[derive(Clone, Debug, Serialize)]
pub struct ArmSample(pub i32, pub u32, pub Num, pub Vec<(Num, Num)>);

/// What the tree holds after some moves.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// The study's number.
    pub number: u64,
    /// Which of its searches.
    pub search: usize,
    /// The moves from the root.
    pub line: Vec<i32>,
    /// Who is to move there; none if the tree does not go so far.
    pub to_play: Option<Side>,
    /// The moves there, the most visited first, as that player sees them.
    pub arms: Vec<ArmView>,
}

/// What a survey has found in one position, as Black sees it.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    /// The survey's number.
    pub number: u64,
    /// Moves before the position.
    pub ply: usize,
    /// How many positions there are.
    pub of: usize,
    /// How often Black is expected to win.
    pub win: Num,
    /// The expected score.
    pub score: Num,
    /// The best move.
    pub best: Option<i32>,
    /// Whether this is the last message.
    pub done: bool,
}

/// The experiments there are.
#[derive(Clone, Debug, Serialize)]
pub struct Experiments {
    /// Where they were looked for.
    pub folder: String,
    /// The experiments, by name.
    pub experiments: Vec<ExperimentView>,
}

/// An experiment.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentView {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Games played.
    pub games: u64,
    /// Games left at most.
    pub left: u64,
    /// Whether it is being played now.
    pub playing: bool,
    /// What is wrong with it, if it cannot be read.
    pub error: Option<String>,
}

/// How an experiment stands.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// The experiment.
    pub experiment: ExperimentView,
    /// The pairings, in the order of the file.
    pub rows: Vec<StandingRow>,
}

/// How a pairing stands.
#[derive(Clone, Debug, Serialize)]
pub struct StandingRow {
    /// Its number.
    pub pairing: i64,
    /// Its group.
    pub group: String,
    /// A and B.
    pub names: [String; 2],
    /// Games that count.
    pub games: u64,
    /// A's wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// A's losses.
    pub losses: u64,
    /// A's share of the points with its 95 % interval; none before any game.
    pub rate: Option<[f64; 3]>,
    /// A's Elo above B with its 95 % interval.
    pub elo: Option<[Option<f64>; 3]>,
    /// What is left to play, or the verdict.
    pub state: String,
}

/// Games of a pairing.
#[derive(Clone, Debug, Serialize)]
pub struct Games {
    /// The experiment.
    pub experiment: String,
    /// The pairing.
    pub pairing: i64,
    /// How many were passed over.
    pub skip: usize,
    /// How many there are.
    pub of: usize,
    /// The games.
    pub games: Vec<GameLine>,
}

/// A game in a line.
#[derive(Clone, Debug, Serialize)]
pub struct GameLine {
    /// Its number.
    pub game: u64,
    /// Who had Black.
    pub black: String,
    /// Who had White.
    pub white: String,
    /// `B+3.5`.
    pub result: String,
    /// Moves.
    pub moves: u64,
}
