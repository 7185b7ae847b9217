//! The messages of the server.
//!
//! In reading order: this file (messages, the game), `games` (the visitor's games, and lessons), `record` (records and
//! exercises), `found` (what searches find), `experiment` (the laboratory), `run` (self-play).

mod experiment;
mod found;
mod games;
mod record;
mod run;

pub use experiment::{ExperimentView, Experiments, Games, LabGame, StandingRow, Standings};
pub use found::{ArmSample, ArmView, Branch, Raw, Report, ReviewMessage, ReviewedMove, Sample, SurveyPoint};
pub use games::{GameCard, Lesson, MyGames};
pub use record::{Markup, Problem, ProblemFile, ProblemSet, Problems, Tree, TreeNode, TreeStop};
pub use run::{RunFrame, RunGame, RunLine, RunMessage, RunView, Runs};

use serde::{Serialize, Serializer};

use super::Kind;
use super::ask::{ClockTerms, Side};

/// A number that the page shows: four digits after the point, null for what is none or without bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    Error(ErrorMessage),
    /// The answer to `hello`.
    Welcome(Box<Welcome>),
    /// How the game against Tengen stands.
    Game(Box<Game>),
    /// The visitor's games.
    MyGames(MyGames),
    /// A stronger player's move.
    Hint(Hint),
    /// The game as a file.
    Record(Record),
    /// A record that was read.
    Tree(Box<Tree>),
    /// A record with changes as a file.
    Edited(Record),
    /// The exercises that are built in.
    Problems(Problems),
    /// A file of problems that was read.
    ProblemFile(ProblemFile),
    /// The networks there are.
    Nets(Nets),
    /// A network's evaluation of the position of a study.
    Raw(Raw),
    /// The results of a study so far.
    Report(Box<Report>),
    /// A node of the tree after some moves.
    Branch(Branch),
    /// A review's result for one position.
    Survey(SurveyPoint),
    /// The results of a review so far.
    Review(ReviewMessage),
    /// The experiments there are.
    Experiments(Experiments),
    /// How an experiment stands.
    Standings(Standings),
    /// Games of a pairing.
    Games(Games),
    /// The runs of self-play there are.
    Runs(Runs),
    /// A run and its latest games.
    Run(Box<RunMessage>),
    /// One of them, position by position.
    RunGame(RunGame),
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
pub struct ErrorMessage {
    /// What was asked, if that could be read.
    pub ask: Option<String>,
    /// In one word.
    pub kind: Kind,
    /// In a sentence.
    pub message: String,
}

/// The facts that a page needs first.
#[derive(Clone, Debug, Serialize)]
pub struct Welcome {
    /// The session, to be remembered by the browser.
    pub session: String,
    /// The program's version.
    pub version: &'static str,
    /// The levels, the weakest first.
    pub levels: Vec<LevelView>,
    /// The levels with a network, the weakest first.
    pub net_levels: Vec<LevelView>,
    /// The network that the server was started with.
    pub net: Option<String>,
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
    /// Whether it wavers between the moves that come to its mind.
    pub wavers: bool,
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
    /// Whether it asks a network from a file.
    pub asks_net: bool,
}

/// The networks there are.
#[derive(Clone, Debug, Serialize)]
pub struct Nets {
    /// By name, the one that the server was started with first.
    pub nets: Vec<NetView>,
}

/// A network that may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetView {
    /// Its name.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// Why it cannot be chosen, if it cannot.
    pub error: Option<String>,
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
    /// Its number among the visitor's games.
    pub id: u32,
    /// What the visitor calls it.
    pub name: Option<String>,
    /// Who played it, Black first, if it is the record of others.
    pub players: Option<[String; 2]>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The visitor's colour.
    pub color: Side,
    /// The level, from 1; one of those with a network if there is one.
    pub level: usize,
    /// The network that Tengen asks.
    pub net: Option<String>,
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
    /// Whether costly moves of the visitor's are shown at once.
    pub teach: bool,
    /// Whether the visitor's last move is being compared with the best.
    pub checking: bool,
    /// What is wrong with the visitor's last move; Tengen waits until it is taken back or stands.
    pub lesson: Option<Lesson>,
    /// Why Tengen cannot move although it is its turn.
    pub trouble: Option<String>,
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

/// A stronger player's move.
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
