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
                let n = board.liberties(point).len_up_to(4);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::features::tests::{Told, drawn};
    use goban::Rules;

    #[test]
    fn stones_and_liberties() {
        let game = drawn(
            ". X O . .\n\
             X . . . .\n\
             . . . X X\n\
             O X . . .\n\
             . . . . .",
            Color::White,
            Rules::CHINESE,
        );
        let told = Told::of(&game);
        assert_eq!(told.points(plane::ON_BOARD).split(' ').count(), 25);
        assert_eq!(told.points(plane::OWN), "C5 A2");
        assert_eq!(told.points(plane::OTHER), "B5 A4 D3 E3 B2");
        assert_eq!(told.points(plane::LIBERTIES), "");
        // A5 and B4; C4 and D5; A3 and A1.
        assert_eq!(told.points(plane::LIBERTIES + 1), "B5 C5 A2");
        // A5, B4, A3; B3, C2, B1. The two stones at D3 have C3, D4, E4, D2 and E2.
        assert_eq!(told.points(plane::LIBERTIES + 2), "A4 B2");
        for unused in [plane::KO, plane::ENCORE_KO, plane::UNUSED, plane::OWN_ENCORE, plane::OTHER_ENCORE] {
            assert_eq!(told.points(unused), "");
        }
    }

    #[test]
    fn captures_free_liberties() {
        let mut game =
            drawn(". O X . .\n. X . . .\n. . . . .\n. . . . .\n. . . . .", Color::Black, Rules::CHINESE);
        assert_eq!(Told::of(&game).points(plane::LIBERTIES), "B5");
        crate::net::features::tests::play(&mut game, "A5");
        let told = Told::of(&game);
        assert_eq!(
            (told.points(plane::OWN), told.points(plane::OTHER)),
            (String::new(), "A5 C5 B4".to_string())
        );
        // A5 has B5 and A4; C5 has B5, D5 and C4; B4 has four.
        assert_eq!(told.points(plane::LIBERTIES + 1), "A5");
        assert_eq!(told.points(plane::LIBERTIES + 2), "C5");
    }
}
