//! The questions about tactics that drawn positions ask; `boards/README.md` explains them.

use goban::tactics::{self, Candidates, Distances, Strength};
use goban::{AnyBoard, Board, Color, Move, Point, PointSet, Size, SizeClass, Vertex, with_board};

/// Questions whose answer is a list of points in any order.
pub(crate) const LISTS: [&str; 12] = [
    "captures",
    "counter-captures",
    "saves",
    "cousins",
    "attacks",
    "defends",
    "counter",
    "reduces",
    "vital-beside",
    "repairs",
    "restores",
    "connections",
];

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
        "cousins" => tactics::self_atari::cousins(board, words.color(1)?, point(2)?, &mut out),
        "attacks" => tactics::two_liberty::attack(board, stone(1)?, &mut out),
        "defends" => tactics::two_liberty::defend(board, stone(1)?, &mut out),
        "counter" => tactics::semeai::counter(board, stone(1)?, &mut out),
        "outside" => tactics::semeai::outside(board, stone(1)?, &mut out),
        "reduces" => tactics::semeai::reduce(board, stone(1)?, &mut out),
        "vital-beside" => {
            tactics::nakade::vital_points_beside(board, words.color(1)?, point(2)?, &mut out);
        }
        "repairs" => tactics::eye::repairs(board, words.color(1)?, stone(2)?, &mut out),
        "restores" => tactics::eye::restores(board, words.color(1)?, point(2)?, &mut out),
        "connections" => tactics::connect::connections(board, stone(1)?, &mut out),
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
        "self-atari" => {
            let is_bad =
                |strength| Some(tactics::is_bad_self_atari(board, words.color(1)?, point(2)?, strength));
            match (is_bad(Strength::Strict)?, is_bad(Strength::Big)?) {
                (false, false) => "fine",
                (true, false) => "bad",
                (true, true) => "big",
                (false, true) => "nonsense",
            }
            .to_string()
        }
        "ladder" => {
            let status = tactics::ladder::status(board, stone(1)?, tactics::ladder::MAX_NODES);
            format!("{status:?}").to_lowercase()
        }
        "edge-ladder" => yes(tactics::ladder::is_edge_ladder(board, stone(1)?)),
        "miai" => yes(tactics::two_liberty::has_miai(board, stone(1)?)),
        "vital" => match tactics::nakade::vital_point(board, point(1)?) {
            Some(vital) => board.size().show(board.vertex(Move::at(vital))),
            None => "none".to_string(),
        },
        "false-eye" => yes(tactics::eye::is_false(board, words.color(1)?, point(2)?)),
        "breaks-seki" => yes(tactics::seki::breaks(board, words.color(1)?, point(2)?)),
        "joins" => tactics::connect::n_joined(board, words.color(1)?, point(2)?).to_string(),
        "only-link" => yes(tactics::connect::is_only_link(board, words.color(1)?, point(2)?)),
        "cuts" => yes(tactics::connect::cuts(board, words.color(1)?, point(2)?)),
        "distance" => {
            let mut distances = Distances::new();
            distances.measure(board, point(1)?, u8::MAX - 1);
            distances.at(point(2)?).to_string()
        }
        _ => return None,
    })
}
