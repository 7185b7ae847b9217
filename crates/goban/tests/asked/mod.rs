//! The questions about tactics that drawn positions ask; `boards/README.md` explains them.

use goban::tactics::{self, Candidates};
use goban::{AnyBoard, Board, Color, Move, Point, PointSet, Size, SizeClass, Vertex, with_board};

/// Questions whose answer is a list of points in any order.
pub(crate) const LISTS: [&str; 3] = ["captures", "counter-captures", "saves"];

/// The answer to a question about `board`, if it is one of ours: points, or a word.
pub(crate) enum Found {
    Points(Vec<Vertex>),
    Word(String),
}

/// The words of a question as what they name.
struct Words<'a> {
    size: Size,
    words: &'a [&'a str],
}

impl Words<'_> {
    fn color(&self, i: usize) -> Option<Color> {
        self.words.get(i).and_then(|word| Color::parse(word))
    }

    fn vertex(&self, i: usize) -> Option<Vertex> {
        self.size.parse_vertex(self.words.get(i)?).ok()
    }
}

/// Answers a question; `None` if it is unknown or its words make no sense.
pub(crate) fn ask(board: &AnyBoard, question: &[&str]) -> Option<Found> {
    let words = Words { size: board.size(), words: question };
    with_board!(board, |board| about(board, &words))
}

fn about<C: SizeClass>(board: &Board<C>, words: &Words<'_>) -> Option<Found> {
    let point = |i| words.vertex(i).map(|vertex| board.point(vertex));
    let stone = |i| point(i).filter(|&point| board.stone(point).is_some());
    let mut out = Candidates::new();
    match *words.words.first()? {
        "captures" => tactics::atari::captures(board, words.color(1)?, &mut out),
        "counter-captures" => tactics::atari::counter_captures(board, stone(1)?, &mut out),
        "saves" => tactics::atari::saves(board, stone(1)?, &mut out),
        _ => return word(board, words, point, stone).map(Found::Word),
    }
    Some(Found::Points(out.iter().map(|point| board.vertex(Move::at(point))).collect()))
}

/// Questions with a single word as their answer.
fn word<C: SizeClass>(
    board: &Board<C>,
    words: &Words<'_>,
    point: impl Fn(usize) -> Option<Point>,
    stone: impl Fn(usize) -> Option<Point>,
) -> Option<String> {
    let yes = |is_so: bool| if is_so { "yes" } else { "no" }.to_string();
    Some(match *words.words.first()? {
        "liberties-after" => tactics::liberties_after(board, words.color(1)?, point(2)?).len().to_string(),
        "takes" => tactics::after::n_captured_by(board, words.color(1)?, point(2)?).to_string(),
        "extension" => match tactics::atari::extension(board, stone(1)?) {
            Some(extension) => extension.n_liberties.to_string(),
            None => "none".to_string(),
        },
        "snapped-back" => yes(tactics::atari::is_snapped_back(board, words.color(1)?, point(2)?)),
        _ => return None,
    })
}
