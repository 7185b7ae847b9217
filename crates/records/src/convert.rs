//! Colours and points of records as the board knows them.

use goban::{Color, Vertex};

/// A record's colour.
pub fn to_color(color: sgf::Color) -> Color {
    match color {
        sgf::Color::Black => Color::Black,
        sgf::Color::White => Color::White,
    }
}

/// A record's move, which is a pass without a point, as a vertex. The point must be on one of our boards.
pub fn to_vertex(point: Option<sgf::Coord>) -> Vertex {
    point.map_or(Vertex::PASS, |point| Vertex::new(point.col.into(), point.row.into()))
}
