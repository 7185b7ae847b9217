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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::features::tests::{Told, drawn, play};
    use goban::{Color, Rules};

    const KO: &str = "\
        . X O . .\n\
        X O . O .\n\
        . X O . .\n\
        . . . . .\n\
        . . . . .";

    fn banned_after(drawing: &str, rules: Rules, moves: &str) -> String {
        let mut game = drawn(drawing, Color::Black, rules);
        play(&mut game, moves);
        Told::of(&game).points(plane::KO)
    }

    #[test]
    fn a_ko_may_not_be_retaken_at_once() {
        for (_, rules) in Rules::NAMED {
            assert_eq!(banned_after(KO, rules, ""), "");
            assert_eq!(banned_after(KO, rules, "C4"), "B4");
            assert_eq!(banned_after(KO, rules, "C4 E1"), "");
            assert_eq!(banned_after(KO, rules, "C4 E1 A1"), "");
            // White has retaken; Black may not.
            assert_eq!(banned_after(KO, rules, "C4 E1 A1 B4"), "C4");
        }
    }

    #[test]
    fn superko_forbids_what_a_pass_does_not_lift() {
        // The simple ko is over after two passes, the repetition is not: White would restore the drawn board, with Black to
        // move, as it was.
        assert_eq!(banned_after(KO, Rules::CHINESE, "C4 pass pass"), "");
        assert_eq!(banned_after(KO, Rules::TROMP_TAYLOR, "C4 pass pass"), "B4");
        assert_eq!(banned_after(KO, Rules::AGA, "C4 pass pass"), "B4");
    }

    #[test]
    fn situational_superko_looks_at_the_player_to_move() {
        let mut game = drawn(KO, Color::White, Rules::AGA);
        // White passes, so the drawn stones are there with Black to move as well, as White would restore them.
        play(&mut game, "pass C4 pass pass");
        assert_eq!(game.to_play(), Color::White);
        assert_eq!(Told::of(&game).points(plane::KO), "B4");
        // Black takes the ko at once; the drawn stones were only there with White to move.
        let mut game = drawn(KO, Color::White, Rules::AGA);
        game.play(Color::Black, game.size().parse_vertex("C4").unwrap()).unwrap();
        play(&mut game, "pass pass");
        assert_eq!(Told::of(&game).points(plane::KO), "");
        let mut game = drawn(KO, Color::White, Rules::TROMP_TAYLOR);
        game.play(Color::Black, game.size().parse_vertex("C4").unwrap()).unwrap();
        play(&mut game, "pass pass");
        assert_eq!(Told::of(&game).points(plane::KO), "B4");
    }

    #[test]
    fn a_stone_that_dies_alone_is_illegal_but_not_banned() {
        let game =
            drawn(". O . . .\nO . . . .\n. . . . .\n. . . . .\n. . . . .", Color::Black, Rules::TROMP_TAYLOR);
        assert!(!game.is_legal(Color::Black, game.size().parse_vertex("A5").unwrap()));
        assert_eq!(Told::of(&game).points(plane::KO), "");
    }
}
