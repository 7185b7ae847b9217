//! Questions: positions to search and other actions, and the errors in them.

use std::time::Duration;

use goban::{Color, Ko, Position, Rules, Vertex};
use serde_json::{Map, Value, json};

use crate::study::StudyQuestion;
use crate::survey::Wants;

/// A search with this many visits or more is meant to go on until somebody ends it.
pub const OPEN_ENDED: u64 = 1_000_000;

/// Visits per second that a search can be expected to make at least, where only its time is limited.
const VISITS_PER_SECOND: f64 = 1_000.0;

/// Whose values are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Those of the player to move.
    ToMove,
}

impl Viewer {
    /// The viewer that KataGo's word names.
    pub fn parse(word: &str) -> Option<Self> {
        let words = [("black", Self::Black), ("white", Self::White), ("sidetomove", Self::ToMove)];
        words.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, viewer)| viewer)
    }

    /// Who that is where `to_play` is to move.
    pub fn color(self, to_play: Color) -> Color {
        match self {
            Self::Black => Color::Black,
            Self::White => Color::White,
            Self::ToMove => to_play,
        }
    }
}

/// An error in a line: the question, the field, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of which question, if it has a name.
    pub id: Option<String>,
    /// Which field; empty where it is none in particular.
    pub field: String,
    /// What is wrong, and what was expected.
    pub why: String,
}

impl Fault {
    /// A fault.
    pub fn new(id: Option<String>, field: &str, why: impl Into<String>) -> Self {
        Self { id, field: field.to_string(), why: why.into() }
    }

    /// As it is told.
    pub fn to_json(&self) -> Value {
        let mut told = json!({ "error": self.why });
        if !self.field.is_empty() {
            told["field"] = self.field.as_str().into();
        }
        self.id.iter().for_each(|id| told["id"] = id.as_str().into());
        told
    }
}

/// A question of the client.
#[derive(Clone, Debug)]
pub enum AnalysisRequest {
    /// Positions to search.
    Query(Box<Query>),
    /// Something else to do, and the object that is said back.
    Action {
        /// What.
        action: QueryAction,
        /// As it came.
        echo: Map<String, Value>,
    },
}

/// Something else to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryAction {
    /// End questions: that of this name, or all; all turns, or these.
    Terminate {
        /// The name.
        id: Option<String>,
        /// The turns.
        turns: Option<Vec<usize>>,
    },
    /// Forget what is kept.
    ClearCache,
    /// Say which version this is.
    QueryVersion,
    /// Say what is searched with.
    QueryModels,
}

/// A game, the turns of it to be searched, and how.
#[derive(Clone, Debug)]
pub struct Query {
    /// The question's name.
    pub id: String,
    pub(super) start: Position,
    pub(super) moves: Vec<(Color, Vertex)>,
    /// Which positions are wanted.
    pub turns: Vec<QueriedTurn>,
    /// Visits of each.
    pub max_visits: u64,
    /// Seconds for each, if they matter.
    pub max_time: Option<f64>,
    /// How often it is told what has been found so far.
    pub report_every: Option<Duration>,
    /// When that is told for the first time.
    pub first_report: Option<Duration>,
    /// Whose values are told.
    pub viewer: Viewer,
    /// What is told.
    pub includes: Includes,
    /// Moves of a line.
    pub pv_len: usize,
    /// Moves not to be looked at, or the only ones, by whom.
    pub(super) avoid: Vec<(Color, Vec<Vertex>)>,
    pub(super) allow: Vec<(Color, Vec<Vertex>)>,
}

/// A position that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueriedTurn {
    /// Moves before it.
    pub number: usize,
    /// The larger the sooner.
    pub priority: i64,
}

/// Optional parts of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Includes {
    /// The prior of every point.
    pub policy: bool,
    /// Owners.
    pub ownership: bool,
    /// Owners after each move.
    pub moves_ownership: bool,
    /// Visits along the lines.
    pub pv_visits: bool,
}

impl Query {
    /// Whether only somebody's word will end it.
    pub fn is_open_ended(&self) -> bool {
        self.max_visits >= OPEN_ENDED && self.max_time.is_none_or(|time| time > 600.0)
    }

    /// How long a search of it takes at most, as a power of ten.
    pub(super) fn size(&self) -> u32 {
        let in_time = self.max_time.map_or(u64::MAX, |time| (time * VISITS_PER_SECOND) as u64);
        self.max_visits.min(in_time).max(1).ilog10()
    }

    /// The position after `turn` moves, all of which were found to be legal.
    pub fn position(&self, turn: usize) -> Position {
        let mut position = self.start.clone();
        let rules = position.rules();
        position.set_rules(tolerant(rules));
        for &(color, vertex) in &self.moves[..turn.min(self.moves.len())] {
            let legal = position.play(color, vertex);
            debug_assert!(legal.is_ok(), "the moves were played before");
        }
        position.set_rules(rules);
        position
    }

    /// What is asked of a position in which `color` is to move.
    pub fn question(&self, color: Color) -> StudyQuestion {
        let of = |moves: &[(Color, Vec<Vertex>)]| -> Vec<Vertex> {
            moves.iter().filter(|(whose, _)| *whose == color).flat_map(|(_, moves)| moves.clone()).collect()
        };
        let Includes { ownership, moves_ownership, pv_visits, .. } = self.includes;
        StudyQuestion {
            avoid: of(&self.avoid),
            allow: self.allow.iter().any(|(whose, _)| *whose == color).then(|| of(&self.allow)),
            wants: Wants {
                ownership: ownership || moves_ownership,
                arm_ownership: moves_ownership,
                line_visits: pv_visits,
            },
        }
    }
}

/// Rules that hold nothing against the moves of a record but what no rules allow.
pub(super) fn tolerant(rules: Rules) -> Rules {
    Rules { ko: Ko::Simple, suicide: true, ..rules }
}
