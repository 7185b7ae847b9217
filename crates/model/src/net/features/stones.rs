//! Planes 0..=5: the board, the stones of both players and the chains with few liberties.

use goban::{Board, Color, Full, PointSet, SizeClass};

use super::{N_PLANES, NetPosition, PlaneWriter, plane};

/// The stones of a board as sets, found once and read by several groups of planes.
pub(super) struct Survey<C: SizeClass> {
    /// The stones by colour.
    pub(super) stones: [C::Set; 2],
    /// The stones of chains with one, two and three liberties.
    pub(super) with_liberties: [C::Set; 3],
    /// One stone of each chain with one or two liberties.
    pub(super) short: C::Set,
}

impl<C: SizeClass> Survey<C> {
    pub(super) fn new(board: &Board<C, Full>) -> Self {
        let mut survey =
            Self { stones: [C::Set::EMPTY; 2], with_liberties: [C::Set::EMPTY; 3], short: C::Set::EMPTY };
        let occupied = C::on_board(board.size()).difference(board.empty());
        for point in occupied.iter() {
            if board.is_stone(point, Color::Black) {
                survey.stones[0].insert(point);
            }
            if board.head(point) == point {
                let n = board.liberties(point).len();
                if n <= 3 {
                    board.chain(point).for_each(|stone| survey.with_liberties[n - 1].insert(stone));
                }
                if n <= 2 {
                    survey.short.insert(point);
                }
            }
        }
        survey.stones[1] = occupied.difference(&survey.stones[0]);
        survey
    }

    /// The stones of one colour.
    pub(super) fn of(&self, color: Color) -> &C::Set {
        &self.stones[color.idx()]
    }
}

pub(super) fn fill<C: SizeClass>(
    position: &NetPosition<'_, C>,
    survey: &Survey<C>,
    planes: &mut PlaneWriter<'_>,
) {
    planes.values.chunks_exact_mut(N_PLANES).for_each(|point| point[plane::ON_BOARD] = 1.0);
    planes.set_all::<C>(plane::OWN, survey.of(position.to_play));
    planes.set_all::<C>(plane::OTHER, survey.of(!position.to_play));
    for (i, stones) in survey.with_liberties.iter().enumerate() {
        planes.set_all::<C>(plane::LIBERTIES + i, stones);
    }
}
