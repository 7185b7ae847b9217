//! Records and exercises.

use serde::{Deserialize, Serialize};

use super::Num;
use crate::protocol::spot::{Spot, SpotStep};

/// A record.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
    /// The number of the message that asked for it, if it had one.
    pub number: Option<u64>,
    /// The file's bytes in base64, if the page does not have them.
    pub sgf: Option<String>,
    /// What the game is called.
    pub name: String,
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
    /// Where the main line cannot be played any further.
    pub stop: Option<TreeStop>,
    /// Whether some nodes were left out because there are too many or they cannot be shown.
    pub is_cut: bool,
}

/// A node of a record.
#[derive(Clone, Debug, Serialize)]
pub struct TreeNode {
    /// The index of its parent; none for the root.
    pub parent: Option<usize>,
    /// What happens.
    pub steps: Vec<SpotStep>,
    /// What somebody wrote.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What it is called.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Marks on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Markup>,
    /// Whether a file of problems calls it right or wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_right: Option<bool>,
}

/// Where a record cannot be played any further.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeStop {
    /// Moves before it.
    pub moves: usize,
    /// What is wrong with what follows.
    pub why: String,
}

/// Marks on a board, by their shapes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markup {
    /// Triangles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triangle: Vec<i32>,
    /// Squares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub square: Vec<i32>,
    /// Circles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub circle: Vec<i32>,
    /// Crosses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cross: Vec<i32>,
    /// Selected points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<i32>,
    /// Black's territory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub black_territory: Vec<i32>,
    /// White's territory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub white_territory: Vec<i32>,
    /// Words on points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<(i32, String)>,
}

/// The exercises that are built in.
#[derive(Clone, Debug, Serialize)]
pub struct Problems {
    /// By theme, the easier first.
    pub sets: Vec<ProblemSet>,
}

/// Exercises of one theme.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemSet {
    /// A word for the theme, such as `nakade`.
    pub theme: &'static str,
    /// The exercises.
    pub problems: Vec<Problem>,
}

/// A position with a right move.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// What it is about.
    pub title: String,
    /// The position; whoever is to move is to find the answer.
    pub spot: Spot,
    /// The right moves; if there are none, every move is right that is not wrong.
    pub right: Vec<i32>,
    /// Wrong moves.
    pub wrong: Vec<i32>,
}

/// The games of a file of problems.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemFile {
    /// The number of the message that asked for it, if it had one.
    pub number: Option<u64>,
    /// The games, in the order of the file, as far as there is room for them.
    pub problems: Vec<Tree>,
    /// Whether something of the file was left out: games without room or that are none of Go, or parts of games.
    pub is_cut: bool,
}
