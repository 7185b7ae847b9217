//! The games that a method proposes, and their results.

use serde::{Deserialize, Serialize};

/// Whom a set of values meets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rival {
    /// One of the opponents, by index.
    Opponent(usize),
    /// The same recipe with other values: their point.
    Point(Vec<f64>),
}

/// A colour pair to be played: two games, colours swapped. Points are unit coordinates of values that can be played with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bout {
    /// The point of A's values.
    pub point: Vec<f64>,
    /// B.
    pub rival: Rival,
}

/// A bout that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSample {
    /// What was played.
    pub bout: Bout,
    /// A's points, 0 to `games`.
    pub points: f64,
    /// How many games: two, or what was played of them.
    pub games: f64,
}
