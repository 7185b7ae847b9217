//! Planes 14..=17: chains with one or two liberties that a ladder takes, on the board and on the two boards before it, and
//! the moves that begin one.
//!
//! A chain with one liberty is caught if its owner, to move, cannot save it; one with two liberties if an enemy stone on
//! one of them makes it so. The rules of the reading are KataGo's, as far as they decide an answer; see `reader`.

mod reader;
mod sketch;
#[cfg(test)]
mod tests;

use goban::{Board, Color, Full, Point, PointSet, SizeClass};

use super::stones::Survey;
use super::{NetPosition, Past, PlaneWriter, plane};
use reader::LadderReader;
use sketch::Sketch;

/// Writes the planes and returns the caught stones of the board. `n_shown` is the number of past moves that are shown: the
/// boards before others are not looked at.
pub(super) fn fill<C: SizeClass>(
    position: &NetPosition<'_, C>,
    survey: &Survey<C>,
    n_shown: usize,
    planes: &mut PlaneWriter<'_>,
) -> C::Set {
    let ladders = Ladders::on(position.board, survey);
    planes.set_all::<C>(plane::CAUGHT, &ladders.caught);
    planes.set_all::<C>(plane::LADDER_MOVES, &ladders.moves[(!position.to_play).idx()]);
    let mut caught = ladders.caught;
    for (n, past) in position.before.iter().enumerate() {
        caught = match past {
            _ if n_shown <= n => caught,
            Past::Unknown => caught,
            Past::Board(board) => Ladders::on(board, &Survey::new(board)).caught,
            Past::Caught(stones) => *stones,
        };
        planes.set_all::<C>(plane::CAUGHT_BEFORE + n, &caught);
    }
    ladders.caught
}

/// The ladders of a board.
struct Ladders<S> {
    /// Stones that are caught, of both colours.
    caught: S,
    /// By the colour of the chain: enemy moves that catch a chain with two liberties.
    moves: [S; 2],
}

impl<S: PointSet> Ladders<S> {
    fn on<C: SizeClass<Set = S>>(board: &Board<C, Full>, survey: &Survey<C>) -> Self {
        let mut ladders = Self { caught: S::EMPTY, moves: [S::EMPTY; 2] };
        for head in survey.short.iter() {
            let color = if survey.stones[0].contains(head) { Color::Black } else { Color::White };
            let liberties = board.liberties(head);
            let mut points = liberties.iter();
            let is_caught = match (points.next(), points.next()) {
                (Some(only), None) => is_caught(board, survey, head, color, only),
                (Some(a), Some(b)) => {
                    let mut is_any = false;
                    for (attack, other) in [(a, b), (b, a)] {
                        if is_caught_by(board, survey, head, color, attack, other) {
                            ladders.moves[color.idx()].insert(attack);
                            is_any = true;
                        }
                    }
                    is_any
                }
                _ => false,
            };
            if is_caught {
                board.chain(head).for_each(|stone| ladders.caught.insert(stone));
            }
        }
        ladders
    }
}

/// True if the chain at `head`, whose owner is to move, cannot be saved; `last` is its only liberty.
fn is_caught<C: SizeClass>(
    board: &Board<C, Full>,
    survey: &Survey<C>,
    head: Point,
    color: Color,
    last: Point,
) -> bool {
    if free_after(board, color, last).len_up_to(3) == 3 {
        return false;
    }
    let sketch = Sketch::new(board, survey, head, color);
    LadderReader::new(board.size().area()).is_caught(sketch)
}

/// True if an enemy stone at `attack` catches the chain at `head`; `other` is the second of its two liberties.
fn is_caught_by<C: SizeClass>(
    board: &Board<C, Full>,
    survey: &Survey<C>,
    head: Point,
    color: Color,
    attack: Point,
    other: Point,
) -> bool {
    let mut free = free_after(board, color, other);
    free.remove(attack);
    if free.len_up_to(3) == 3 || !board.is_legal(!color, attack) {
        return false;
    }
    let mut sketch = Sketch::new(board, survey, head, color);
    sketch.attack(attack) && LadderReader::new(board.size().area()).is_caught(sketch)
}

/// Liberties of the chain that a stone of `color` at the empty `point` makes, those by captures left out.
fn free_after<C: SizeClass>(board: &Board<C, Full>, color: Color, point: Point) -> C::Set {
    let chains = board.chains_beside(point, color);
    let mut free =
        chains.into_iter().fold(board.empty_beside(point), |free, head| free.union(&board.liberties(head)));
    free.remove(point);
    free
}
