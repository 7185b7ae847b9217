//! Plane 6: the points that ko and superko forbid to the player to move.

use goban::{Board, Full, IllegalReason, Ko, PointSet, Position, SizeClass};

use super::{NetPosition, PlaneWriter, plane};

pub(super) fn fill<C: SizeClass>(position: &NetPosition<'_, C>, planes: &mut PlaneWriter<'_>) {
    planes.set_all::<C>(plane::KO, &position.banned);
    if let Some(ko) = position.board.ko() {
        planes.set::<C>(plane::KO, ko);
    }
}

/// The points that superko forbids to the player to move; `board` is the game's board in its size class. A single stone
/// that would die at once is no move at all and not among them.
pub fn banned<C: SizeClass>(board: &Board<C, Full>, game: &Position) -> C::Set {
    let mut banned = C::Set::EMPTY;
    if game.rules().ko == Ko::Simple {
        return banned;
    }
    let color = game.to_play();
    for point in board.empty().iter() {
        let is_repetition = game.legality(color, C::vertex(point)).is_err_and(|illegal| {
            matches!(illegal.reason, IllegalReason::Ko | IllegalReason::Superko { .. })
        });
        let is_lone_suicide =
            || board.code(point).neighbours_of(color) == 0 && board.is_suicide_for(color, point);
        if is_repetition && !is_lone_suicide() {
            banned.insert(point);
        }
    }
    banned
}
