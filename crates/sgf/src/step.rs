//! What a node does to the board: setup and moves.

use crate::coord::{Color, Coord};
use crate::error::{GameError, GameErrorKind};
use crate::header::excerpt;
use crate::tree::{GameTree, NodeId, Property};
use crate::value::Value;

/// Stones put on or taken off the board without play (`AB`, `AW`, `AE`), and whose turn is next (`PL`).
/// Each list names a point once.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// Points that become black.
    pub black: Vec<Coord>,
    /// Points that become white.
    pub white: Vec<Coord>,
    /// Points that become empty.
    pub empty: Vec<Coord>,
    /// Who moves next, if the node says so.
    pub to_play: Option<Color>,
}

impl Setup {
    /// Whether the setup changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A move; the format puts no check on its legality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who moves.
    pub color: Color,
    /// The point; `None` is a pass.
    pub point: Option<Coord>,
}

/// One thing that a node does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Setup.
    Setup(Setup),
    /// A move.
    Move(Move),
}

/// The steps of a node on a board of this size: its setup first, then its moves in the order of the file. The format
/// allows one move in a node, but old files hold a black and a white one.
pub(crate) fn steps(tree: &GameTree, node: NodeId, size: (u8, u8)) -> Result<Vec<Step>, GameError> {
    let mut setup = Setup::default();
    let mut moves: Vec<Move> = Vec::new();
    for property in tree.properties(node) {
        match property.ident() {
            "B" => take_move(&mut moves, Color::Black, property, size)?,
            "W" => take_move(&mut moves, Color::White, property, size)?,
            "AB" => read_points(&mut setup.black, property, size)?,
            "AW" => read_points(&mut setup.white, property, size)?,
            "AE" => read_points(&mut setup.empty, property, size)?,
            "PL" if setup.to_play.is_none() => {
                setup.to_play = property.value().and_then(|value| Color::from_text(&value.simple_text()));
            }
            _ => {}
        }
    }
    let mut steps = Vec::with_capacity(1);
    if !setup.is_empty() {
        steps.push(Step::Setup(setup));
    }
    steps.extend(moves.into_iter().map(Step::Move));
    Ok(steps)
}

/// Adds a move unless this colour has moved in the node: of two the first counts.
fn take_move(
    moves: &mut Vec<Move>,
    color: Color,
    property: Property<'_>,
    size: (u8, u8),
) -> Result<(), GameError> {
    if let Some(value) = property.value()
        && moves.iter().all(|earlier| earlier.color != color)
    {
        moves.push(Move { color, point: read_move(property.ident(), value, size)? });
    }
    Ok(())
}

/// Reads a move's value: nothing is a pass, and so is `tt` on boards that have no such point up to 19x19.
fn read_move(ident: &str, value: Value<'_>, (width, height): (u8, u8)) -> Result<Option<Coord>, GameError> {
    let text = value.simple_text();
    let is_old_pass = text == "tt" && width <= 19 && height <= 19;
    if text.is_empty() || is_old_pass || text.eq_ignore_ascii_case("pass") {
        return Ok(None);
    }
    let point = Coord::from_sgf(&text).or_else(|| Coord::from_human(&text, height));
    on_board(point, ident, value, (width, height)).map(Some)
}

/// Adds the points of a list that are not in it yet; `aa:cc` is the rectangle between two corners.
fn read_points(points: &mut Vec<Coord>, property: Property<'_>, size: (u8, u8)) -> Result<(), GameError> {
    let ident = property.ident();
    let index = |point: Coord| usize::from(point.row) * usize::from(size.0) + usize::from(point.col);
    let mut seen = vec![false; usize::from(size.0) * usize::from(size.1)];
    for &point in points.iter() {
        seen[index(point)] = true;
    }
    for value in property.values() {
        let Some((a, b)) = read_corners(ident, value, size)? else { continue };
        for point in rectangle(a, b) {
            if !std::mem::replace(&mut seen[index(point)], true) {
                points.push(point);
            }
        }
    }
    Ok(())
}

/// Reads a value of a list of points: a point is both corners of its rectangle. An empty value is allowed for some
/// properties, and harmless: it names none.
pub(crate) fn read_corners(
    ident: &str,
    value: Value<'_>,
    size: (u8, u8),
) -> Result<Option<(Coord, Coord)>, GameError> {
    let read = |part: Value<'_>| {
        let text = part.simple_text();
        let point = Coord::from_sgf(&text).or_else(|| Coord::from_human(&text, size.1));
        on_board(point, ident, value, size)
    };
    match value.composed() {
        Some((a, b)) => Ok(Some((read(a)?, read(b)?))),
        None if value.simple_text().is_empty() => Ok(None),
        None => read(value).map(|point| Some((point, point))),
    }
}

/// All points of the rectangle with these corners, row by row.
pub(crate) fn rectangle(a: Coord, b: Coord) -> impl Iterator<Item = Coord> {
    let columns = a.col.min(b.col)..=a.col.max(b.col);
    (a.row.min(b.row)..=a.row.max(b.row))
        .flat_map(move |row| columns.clone().map(move |col| Coord::new(col, row)))
}

fn on_board(point: Option<Coord>, ident: &str, value: Value<'_>, size: (u8, u8)) -> Result<Coord, GameError> {
    let (width, height) = size;
    if let Some(point) = point
        && point.is_on(width, height)
    {
        return Ok(point);
    }
    let (ident, text) = (ident.to_owned(), excerpt(value.raw()));
    let kind = match point {
        Some(_) => GameErrorKind::OffBoard { ident, value: text, width, height },
        None => GameErrorKind::BadPoint { ident, value: text },
    };
    Err(GameError { position: value.position(), kind })
}
