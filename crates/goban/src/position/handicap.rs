//! Handicap stones: the fixed points of the protocol, a sensible choice of our own, or the players' own.

use thiserror::Error;

use super::Position;
use crate::color::Color;
use crate::vertex::{Size, Vertex};

/// Handicap stones that cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HandicapError {
    /// The board has stones or moves already.
    #[error("handicap stones need an empty board")]
    NotEmpty,
    /// Too few or too many stones.
    #[error("{n} handicap {} on a {size} board: expected {}", if *.n == 1 { "stone" } else { "stones" }, expected(*.max))]
    Number {
        /// Number of stones asked for.
        n: usize,
        /// The board.
        size: Size,
        /// The most that it can have.
        max: usize,
    },
    /// A point named twice, a pass, or one off the board.
    #[error("handicap stone {}: expected different points of a {size} board", size.describe(*vertex))]
    Point {
        /// The point given.
        vertex: Vertex,
        /// The board.
        size: Size,
    },
}

fn expected(max: usize) -> String {
    if max < 2 { "none, the board is too small".to_string() } else { format!("2 to {max}") }
}

impl Size {
    /// The most stones that have fixed handicap points: 9 on boards with odd sides from 9, 4 on other boards
    /// from 7×7, none on smaller ones.
    pub fn max_fixed_handicap(self) -> usize {
        let (short, long) = (self.width().min(self.height()), self.width().max(self.height()));
        match short {
            0..=6 => 0,
            7 | 8 => 4,
            _ if short % 2 == 1 && long % 2 == 1 => 9,
            _ => 4,
        }
    }

    /// The fixed points for `n` stones in the order of the protocol; empty if there are none for that number.
    pub fn fixed_handicap_points(self, n: usize) -> Vec<Vertex> {
        if n < 2 || n > self.max_fixed_handicap() {
            return Vec::new();
        }
        // Low, middle and high line of a side; rows count from the top, so the low row is the last.
        let lines = |side: usize| {
            let edge = if side < 13 { 2 } else { 3 };
            [edge, side / 2, side - 1 - edge]
        };
        let cols = lines(self.width());
        let [top, middle, bottom] = lines(self.height());
        let at = |col: usize, row: usize| Vertex::new(cols[col], row);
        let corners = [at(0, bottom), at(2, top), at(0, top), at(2, bottom)];
        let sides = [at(0, middle), at(2, middle), at(1, bottom), at(1, top)];
        let mut points = corners[..n.min(4)].to_vec();
        if n >= 6 {
            points.extend(&sides[..if n >= 8 { 4 } else { 2 }]);
        }
        if n >= 5 && n % 2 == 1 {
            points.push(at(1, middle));
        }
        points
    }

    /// `n` points for handicap stones on any board that has room: the fixed ones if there are any for `n`,
    /// else the most fixed ones and then always the point farthest from the stones, not too near the edge.
    pub fn free_handicap_points(self, n: usize) -> Vec<Vertex> {
        let n = n.min(self.area().saturating_sub(1));
        let mut points = self.fixed_handicap_points(n.min(self.max_fixed_handicap()));
        while points.len() < n {
            let free = self.vertices().filter(|vertex| !points.contains(vertex));
            let Some(next) =
                free.max_by_key(|&vertex| (self.room(vertex, &points), std::cmp::Reverse(vertex)))
            else {
                break;
            };
            points.push(next);
        }
        points
    }

    /// How good a point is for one more handicap stone.
    fn room(self, vertex: Vertex, stones: &[Vertex]) -> usize {
        let distance = |stone: &Vertex| {
            stone.col().abs_diff(vertex.col()).pow(2) + stone.row().abs_diff(vertex.row()).pow(2)
        };
        let from_edge = |line: usize, side: usize| line.min(side - 1 - line);
        let line = from_edge(vertex.col(), self.width()).min(from_edge(vertex.row(), self.height()));
        let nearest = stones.iter().map(distance).min().unwrap_or(0).min(99);
        // The third line and above are equally good, the first is the last resort.
        line.min(2) * 100 + nearest
    }
}

impl Position {
    /// Places `n` stones on the fixed points of the protocol; White is to play. Returns the points.
    pub fn fixed_handicap(&mut self, n: usize) -> Result<Vec<Vertex>, HandicapError> {
        let size = self.size();
        let points = size.fixed_handicap_points(n);
        if points.is_empty() {
            return Err(HandicapError::Number { n, size, max: size.max_fixed_handicap() });
        }
        self.set_free_handicap(&points)?;
        Ok(points)
    }

    /// Places `n` stones on points of our choice; White is to play. Returns the points.
    pub fn place_free_handicap(&mut self, n: usize) -> Result<Vec<Vertex>, HandicapError> {
        let size = self.size();
        let points = size.free_handicap_points(n);
        if points.len() != n {
            return Err(HandicapError::Number { n, size, max: size.area() - 1 });
        }
        self.set_free_handicap(&points)?;
        Ok(points)
    }

    /// Places black stones on the given points of an empty board, at least two; White is to play.
    pub fn set_free_handicap(&mut self, points: &[Vertex]) -> Result<(), HandicapError> {
        let size = self.size();
        if !self.plays.is_empty() || self.board.n_empty() != size.area() {
            return Err(HandicapError::NotEmpty);
        }
        if points.len() < 2 || points.len() >= size.area() {
            return Err(HandicapError::Number { n: points.len(), size, max: size.area() - 1 });
        }
        for (i, &vertex) in points.iter().enumerate() {
            if !size.contains(vertex) || points[..i].contains(&vertex) {
                return Err(HandicapError::Point { vertex, size });
            }
        }
        let stones: Vec<_> = points.iter().map(|&vertex| (vertex, Some(Color::Black))).collect();
        // Black stones alone always have a liberty while one point is empty.
        self.setup(&stones, Color::White).map_err(|_| HandicapError::NotEmpty)?;
        self.handicap = points.len();
        Ok(())
    }
}
