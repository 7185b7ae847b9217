//! The findings of a review, as they are kept in files.

use goban::{Color, Vertex};
use serde::{Deserialize, Serialize};

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Finding {
    /// A first look at a position.
    Glance(Glance),
    /// A comparison of two moves.
    Duel(Duel),
}

/// A first look at a position. Win rates and margins are those of the player to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glance {
    /// Moves before the position.
    pub ply: usize,
    /// Who is to move.
    #[serde(with = "color")]
    pub to_play: Color,
    /// How often the player to move wins, 0..=1.
    pub win: f32,
    /// By how many points.
    pub margin: f32,
    /// Simulations that were spent.
    pub simulations: u64,
    /// The moves that the search likes best, the one that it would play first.
    pub candidates: Vec<Variation>,
    /// The first candidate and the move that was played in the same tree; none where they are the same, at the end of the
    /// game, and where the search cannot play the move.
    pub compared: Option<Compared>,
}

/// Two moves in one tree: how often they win, and by how many points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// How often the better move wins, 0..=1.
    pub best_win: f32,
    /// How often the played one wins.
    pub played_win: f32,
    /// By how many points the better move wins.
    pub best_margin: f32,
    /// By how many points the played one wins.
    pub played_margin: f32,
    /// The visits of each, at least.
    pub visits: u32,
}

impl Compared {
    /// What the played move costs of the win rate.
    pub fn loss(&self) -> f32 {
        self.best_win - self.played_win
    }

    /// What it costs in points.
    pub fn points(&self) -> f32 {
        self.best_margin - self.played_margin
    }
}

/// A move and how the game may go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// How often its player wins, 0..=1.
    pub win: f32,
    /// Simulations that began with it.
    pub visits: u32,
    /// The expected moves, this one first.
    #[serde(with = "points")]
    pub line: Vec<Vertex>,
}

impl Variation {
    /// The move.
    pub fn vertex(&self) -> Option<Vertex> {
        self.line.first().copied()
    }
}

/// The positions after the better move and after the played one, searched alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duel {
    /// Moves before the two.
    pub ply: usize,
    /// The number of the duel, from 0.
    pub round: usize,
    /// What was found of them.
    pub found: Compared,
    /// Simulations of both together.
    pub simulations: u64,
    /// How the game may go on after the better move, which stands first.
    #[serde(with = "points")]
    pub line: Vec<Vertex>,
    /// How it may go on after the played move, which is left out. Files of earlier versions do not have it.
    #[serde(with = "points", default)]
    pub answer: Vec<Vertex>,
}

/// Points as records write them: two letters, nothing for a pass. They need no size of the board.
mod points {
    use goban::Vertex;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::record;

    pub(super) fn serialize<S: Serializer>(line: &[Vertex], serializer: S) -> Result<S::Ok, S::Error> {
        let word = |&vertex: &Vertex| record::to_coord(vertex).map_or(String::new(), |at| at.to_string());
        line.iter().map(word).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vertex>, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        let point = |word: &String| match word.as_bytes() {
            [] => Ok(Vertex::PASS),
            [col @ b'a'..=b'y', row @ b'a'..=b'y'] => {
                Ok(Vertex::new(usize::from(col - b'a'), usize::from(row - b'a')))
            }
            _ => Err(D::Error::custom(format!("{word:?} is not a point; expected two letters such as dd"))),
        };
        words.iter().map(point).collect()
    }
}

/// `black` or `white`.
mod color {
    use goban::Color;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&color.to_string().to_lowercase())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        let word = String::deserialize(deserializer)?;
        Color::parse(&word).ok_or_else(|| D::Error::custom(format!("{word:?}: expected black or white")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read_as_they_were_written() {
        let line = vec![Vertex::new(3, 15), Vertex::PASS, Vertex::new(0, 24)];
        let found =
            Compared { best_win: 0.625, played_win: 0.5, best_margin: 3.5, played_margin: -1.0, visits: 40 };
        let glance = Finding::Glance(Glance {
            ply: 7,
            to_play: Color::White,
            win: 0.5,
            margin: 0.25,
            simulations: 80,
            candidates: vec![Variation { win: 0.625, visits: 30, line: line.clone() }],
            compared: Some(found),
        });
        let answer = line[..1].to_vec();
        let duel = Finding::Duel(Duel { ply: 7, round: 2, found, simulations: 200, line, answer });
        for finding in [glance, duel] {
            let text = serde_json::to_string(&finding).unwrap();
            assert_eq!(serde_json::from_str::<Finding>(&text).unwrap(), finding, "{text}");
        }
        assert_eq!((found.loss(), found.points()), (0.125, 4.5));
        assert!(serde_json::from_str::<Finding>("{\"ply\":7}").is_err());
    }
}
