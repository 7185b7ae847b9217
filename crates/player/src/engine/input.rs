//! Colours and vertices as clients send and expect them.

use goban::{Color, Position, Size, Vertex};
use gtp::{Args, GtpError};

/// The next word as a colour.
pub(super) fn color(args: &mut Args<'_>) -> Result<Color, GtpError> {
    let spellings =
        [("b", Color::Black), ("w", Color::White), ("black", Color::Black), ("white", Color::White)];
    args.choice("colour", &spellings)
}

/// The next word as a point of the board or a pass.
pub(super) fn vertex(args: &mut Args<'_>, position: &Position) -> Result<Vertex, GtpError> {
    let word = args.word("vertex")?;
    position.size().parse_vertex(word).map_err(|error| GtpError(format!("syntax error: {error}")))
}

/// The next word as a point of the board.
pub(super) fn point(args: &mut Args<'_>, position: &Position) -> Result<Vertex, GtpError> {
    let vertex = vertex(args, position)?;
    if vertex.is_pass() {
        return Err(GtpError("syntax error: expected a point of the board, got \"pass\"".to_string()));
    }
    Ok(vertex)
}

/// Vertices in one line.
pub(super) fn show_all(size: Size, vertices: impl IntoIterator<Item = Vertex>) -> String {
    let words: Vec<String> = vertices.into_iter().map(|vertex| size.show(vertex)).collect();
    words.join(" ")
}

/// A colour as replies name it.
pub(super) fn show_color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
