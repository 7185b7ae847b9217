//! The messages of the page.

use serde::{Deserialize, Serialize};

use super::spot::{Spot, SpotStep};
use super::tell::Markup;

/// A message of the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Ask {
    /// The first message: who is there.
    Hello(Hello),
    /// Begins a game against Tengen.
    NewGame(NewGame),
    /// The visitor's move.
    Move(Move),
    /// Takes back the visitor's last move and what came after it.
    Undo(Nothing),
    /// Asks for a stronger player's move.
    Hint(Nothing),
    /// The visitor gives up.
    Resign(Nothing),
    /// While counting: a chain that was alive is dead, or the other way round.
    ToggleDead(ToggleDead),
    /// The visitor agrees with the count.
    Accept(Nothing),
    /// The visitor does not agree and plays on.
    Resume(Nothing),
    /// Somebody's time is over, as the page sees it.
    Flag(Nothing),
    /// The game as SGF, please.
    SaveGame(Nothing),
    /// Goes on with a game from SGF.
    LoadGame(LoadGame),
    /// The visitor's games, please.
    MyGames(Nothing),
    /// Puts another of the visitor's games on the board.
    OpenGame(GameId),
    /// Gives one of them a name.
    NameGame(NameGame),
    /// Deletes one of them.
    DeleteGame(GameId),
    /// Begins a new game with the first moves of this one.
    PlayFrom(PlayFrom),
    /// Whether costly moves of the visitor's are to be shown at once.
    Teach(Teach),
    /// A move that was shown to be costly stands.
    PlayOn(Nothing),
    /// An SGF file as a tree, please.
    ReadRecord(ReadRecord),
    /// A record with changes as a file, please.
    EditRecord(EditRecord),
    /// The exercises that are built in.
    Problems(Nothing),
    /// A file of problems, please.
    ReadProblems(ReadRecord),
    /// The networks there are.
    Nets(Nothing),
    /// Searches a position, by one recipe or by two side by side.
    Study(AskStudy),
    /// Looks at every position of a game.
    Survey(AskSurvey),
    /// Ends studies and surveys.
    Stop(Nothing),
    /// A node of a study's tree after some moves.
    Open(Open),
    /// The experiments there are.
    Experiments(Nothing),
    /// How an experiment stands.
    Standings(AskStandings),
    /// Games of a pairing of an experiment.
    Games(AskGames),
    /// One of them as a tree.
    Replay(Replay),
    /// The runs of self-play there are.
    Runs(Nothing),
    /// A run and its latest games.
    Run(AskRun),
    /// One of them, position by position.
    RunGame(AskRunGame),
}

impl Ask {
    /// The name in the message.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "hello",
            Self::NewGame(_) => "new-game",
            Self::Move(_) => "move",
            Self::Undo(_) => "undo",
            Self::Hint(_) => "hint",
            Self::Resign(_) => "resign",
            Self::ToggleDead(_) => "toggle-dead",
            Self::Accept(_) => "accept",
            Self::Resume(_) => "resume",
            Self::Flag(_) => "flag",
            Self::SaveGame(_) => "save-game",
            Self::LoadGame(_) => "load-game",
            Self::MyGames(_) => "my-games",
            Self::OpenGame(_) => "open-game",
            Self::NameGame(_) => "name-game",
            Self::DeleteGame(_) => "delete-game",
            Self::PlayFrom(_) => "play-from",
            Self::Teach(_) => "teach",
            Self::PlayOn(_) => "play-on",
            Self::ReadRecord(_) => "read-record",
            Self::EditRecord(_) => "edit-record",
            Self::Problems(_) => "problems",
            Self::ReadProblems(_) => "read-problems",
            Self::Nets(_) => "nets",
            Self::Study(_) => "study",
            Self::Survey(_) => "survey",
            Self::Stop(_) => "stop",
            Self::Open(_) => "open",
            Self::Experiments(_) => "experiments",
            Self::Standings(_) => "standings",
            Self::Games(_) => "games",
            Self::Replay(_) => "replay",
            Self::Runs(_) => "runs",
            Self::Run(_) => "run",
            Self::RunGame(_) => "run-game",
        }
    }
}

/// A message without fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Who is there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The session that the browser remembers.
    #[serde(default)]
    pub session: Option<String>,
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Black.
    Black,
    /// White.
    White,
}

impl From<Side> for goban::Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

impl From<goban::Color> for Side {
    fn from(color: goban::Color) -> Self {
        match color {
            goban::Color::Black => Self::Black,
            goban::Color::White => Self::White,
        }
    }
}

/// A clock: main time, then periods of overtime of which each may be used again and again as long as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockTerms {
    /// Seconds of main time.
    pub main: f64,
    /// Seconds of a period.
    pub period: f64,
    /// Periods; 0 for sudden death.
    pub periods: u32,
}

/// The terms of a game against Tengen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The board's side, 5 to 25.
    pub size: usize,
    /// The visitor's colour.
    pub color: Side,
    /// Points for White.
    pub komi: f32,
    /// Rules by name.
    pub rules: String,
    /// Handicap stones; 0 or 2 and more.
    pub handicap: usize,
    /// How strong Tengen plays, from 1: of the levels with a network if there is one.
    pub level: usize,
    /// The network that Tengen asks, by the name that `nets` told; none: it plays by playouts.
    #[serde(default)]
    pub net: Option<String>,
    /// The clock, if there is one.
    #[serde(default)]
    pub clock: Option<ClockTerms>,
    /// Whether costly moves of the visitor's are shown at once; for games without a clock.
    #[serde(default)]
    pub teach: bool,
}

/// A move.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Where.
    pub point: i32,
    /// How many moves the page has seen; a move in an older position is refused.
    pub ply: usize,
}

/// A chain while counting.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToggleDead {
    /// One of its stones.
    pub point: i32,
}

/// A game to go on with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadGame {
    /// The file's bytes in base64.
    pub sgf: String,
    /// The visitor's colour.
    pub color: Side,
    /// How strong Tengen plays, from 1.
    pub level: usize,
    /// The network that Tengen asks.
    #[serde(default)]
    pub net: Option<String>,
}

/// One of the visitor's games.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameId {
    /// Its number, as `my-games` told it.
    pub id: u32,
}

/// A name for a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameGame {
    /// The game's number.
    pub id: u32,
    /// The name; empty: none.
    pub name: String,
}

/// Where a game is gone on with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayFrom {
    /// How many of its moves are kept.
    pub ply: usize,
}

/// Whether the visitor is taught.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teach {
    /// Whether it is so from now on.
    pub on: bool,
}

/// A record to look at.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRecord {
    /// The file's bytes in base64.
    pub sgf: String,
    /// A number by which the page knows the answer.
    #[serde(default)]
    pub number: Option<u64>,
}

/// A record and what was changed in it: either a file or the facts of a new one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditRecord {
    /// The bytes of the file that was read, in base64. Its first game is changed.
    #[serde(default)]
    pub sgf: Option<String>,
    /// The facts of a new record.
    #[serde(default)]
    pub game: Option<NewRecord>,
    /// The changes, in order.
    pub edits: Vec<Edit>,
}

/// The facts of a new record.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewRecord {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Points for White.
    pub komi: f32,
    /// Rules by name.
    pub rules: String,
    /// Handicap stones that White is paid for.
    pub handicap: usize,
    /// The players, Black first.
    pub players: [String; 2],
    /// The result.
    pub result: String,
    /// What happens in the root.
    pub steps: Vec<SpotStep>,
}

/// A change of a record. Nodes have the numbers of their places in `tree`, root 0; new ones follow in the order they are added.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// A node behind another, as its last variation.
    Add {
        /// The node before it.
        parent: usize,
        /// What happens.
        steps: Vec<SpotStep>,
    },
    /// A node goes, with all that follows it.
    Remove {
        /// The node.
        node: usize,
    },
    /// A comment in place of the one that was there.
    Comment {
        /// The node.
        node: usize,
        /// The text; empty: none.
        text: String,
    },
    /// A name in place of the one that was there.
    Name {
        /// The node.
        node: usize,
        /// The text; empty: none.
        text: String,
    },
    /// Marks in place of those that were there.
    Marks {
        /// The node.
        node: usize,
        /// All of its marks.
        marks: Markup,
    },
}

/// A position to search.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskStudy {
    /// A number by which the page knows the reports; larger ones are newer.
    pub number: u64,
    /// The position.
    pub spot: Spot,
    /// One recipe or two: names, or key=value pairs, or pairs after a name.
    pub recipes: Vec<String>,
    /// The network for those of them that ask one; without details it is then asked by `katago` in place of `default`.
    #[serde(default)]
    pub net: Option<String>,
    /// Simulations of each; none: until it is stopped.
    #[serde(default)]
    pub playouts: Option<u64>,
    /// Whether reports hold every arm with what every model says, and the way there.
    #[serde(default)]
    pub detail: bool,
    /// Moves whose way is told even if they are hardly visited.
    #[serde(default)]
    pub watch: Vec<i32>,
}

/// A game to review.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskSurvey {
    /// A number by which the page knows the answers; larger ones are newer.
    pub number: u64,
    /// The last position of the game.
    pub spot: Spot,
    /// Simulations for each position, if no time is given.
    #[serde(default)]
    pub playouts: Option<u64>,
    /// Seconds for the whole game, about.
    #[serde(default)]
    pub time: Option<f64>,
    /// The network that is asked.
    #[serde(default)]
    pub net: Option<String>,
}

/// A place in a tree.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The study's number.
    pub number: u64,
    /// Which of its searches.
    pub search: usize,
    /// The moves from the root.
    pub line: Vec<i32>,
}

/// An experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskStandings {
    /// Its name, as `experiments` told it.
    pub experiment: String,
}

/// Some games of an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskGames {
    /// The experiment's name.
    pub experiment: String,
    /// The pairing's number, as `standings` told it.
    pub pairing: i64,
    /// How many to pass over.
    #[serde(default)]
    pub skip: usize,
}

/// A game of an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The experiment's name.
    pub experiment: String,
    /// The pairing's number.
    pub pairing: i64,
    /// The game's number.
    pub game: u64,
}

/// A run of self-play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskRun {
    /// Its name, as `runs` told it.
    pub run: String,
}

/// A game of a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskRunGame {
    /// The run's name.
    pub run: String,
    /// The game's number, as `run` told it.
    pub game: u64,
}
