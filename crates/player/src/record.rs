//! Positions as game records.

use goban::{Color, Position, Vertex};
use sgf::{Builder, Coord, EditError, GameResult, GameTree, Header, Setup};

/// The colour as records know it.
pub fn to_sgf_color(color: Color) -> sgf::Color {
    match color {
        Color::Black => sgf::Color::Black,
        Color::White => sgf::Color::White,
    }
}

/// The colour as boards know it.
pub fn from_sgf_color(color: sgf::Color) -> Color {
    match color {
        sgf::Color::Black => Color::Black,
        sgf::Color::White => Color::White,
    }
}

/// The point as records know it; `None` is a pass.
pub fn to_coord(vertex: Vertex) -> Option<Coord> {
    (!vertex.is_pass()).then(|| Coord::new(vertex.col() as u8, vertex.row() as u8))
}

/// The facts of a game: size, komi, rules, handicap, names of Black and White, result such as `B+3.5`.
pub fn header(position: &Position, names: [&str; 2], result: Option<&str>) -> Header {
    let [black, white] = names.map(|name| sgf::Player { name: Some(name.to_string()), ..Default::default() });
    Header {
        width: position.size().width() as u8,
        height: position.size().height() as u8,
        komi: Some(f64::from(position.komi())),
        handicap: position.handicap() as u32,
        rules: Some(position.rules().to_string()),
        black,
        white,
        result: result.map_or(GameResult::Unknown, GameResult::from_text),
        application: Some(format!("Tengen:{}", env!("CARGO_PKG_VERSION"))),
        ..Header::default()
    }
}

/// The game so far as a record: what stood on the board before the first move as setup, then the moves.
///
/// # Errors
/// When the record cannot hold it, which no board of ours brings about.
pub fn to_sgf(position: &Position, names: [&str; 2], result: Option<&str>) -> Result<GameTree, EditError> {
    let mut builder = Builder::new(&header(position, names, result))?;
    set_up(&mut builder, position)?;
    for play in position.plays() {
        builder.play(to_sgf_color(play.color), to_coord(play.vertex))?;
    }
    Ok(builder.finish())
}

/// Writes the stones that stood before the first move.
///
/// # Errors
/// As [`to_sgf`].
pub fn set_up(builder: &mut Builder, position: &Position) -> Result<(), EditError> {
    let start = position.board_after(0);
    let stones = |color: Color| start.stones(color).into_iter().filter_map(to_coord).collect::<Vec<_>>();
    let setup = Setup { black: stones(Color::Black), white: stones(Color::White), ..Setup::default() };
    if !setup.black.is_empty() || !setup.white.is_empty() {
        builder.setup(&setup)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Rules, Size};

    #[test]
    fn a_game_becomes_a_record() {
        let mut position = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        position.set_komi(0.5).unwrap();
        position.fixed_handicap(2).unwrap();
        position.play(Color::White, Vertex::new(4, 4)).unwrap();
        position.play(Color::Black, Vertex::PASS).unwrap();
        let text = to_sgf(&position, ["B", "W"], Some("W+R")).unwrap().to_string();
        for part in ["SZ[9]", "KM[0.5]", "HA[2]", "RE[W+R]", "PB[B]", "AB[", ";W[ee];B[]"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
