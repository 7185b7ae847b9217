//! Planes 9..=13 and globals 0..=4 and 14: the last five moves, and whether a pass ends the game.

use goban::SizeClass;

use super::globals::own_komi;
use super::{N_GLOBALS, NetPosition, PlaneWriter, global, plane};

/// Writes the last moves and returns how many are shown. `area` is the player's area on the board minus the other's,
/// tax paid; `None` where the rules do not count the board as it stands.
pub(super) fn fill<C: SizeClass>(
    position: &NetPosition<'_, C>,
    area: Option<i32>,
    planes: &mut PlaneWriter<'_>,
    globals: &mut [f32; N_GLOBALS],
) -> usize {
    let is_lost = |area| area as f32 + own_komi(position) <= 0.0;
    if position.pass_ends && position.hides_lost_pass && area.is_some_and(is_lost) {
        return 0;
    }
    globals[global::PASS_ENDS] = f32::from(u8::from(position.pass_ends));
    let mut n_shown = 0;
    for mv in position.recent.iter().map_while(|mv| *mv) {
        match mv.point() {
            Some(point) => planes.set::<C>(plane::MOVES + n_shown, point),
            None => globals[global::PASSES + n_shown] = 1.0,
        }
        n_shown += 1;
    }
    n_shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::features::tests::{Told, drawn, play};
    use goban::{Color, Position, Rules, Size};

    fn game(rules: Rules, moves: &str) -> Position {
        let mut game = Position::new(Size::square(9).unwrap(), rules);
        play(&mut game, moves);
        game
    }

    /// The five last moves, `pass` where the global says so.
    fn shown(game: &Position) -> String {
        let told = Told::of(game);
        let name = |n: usize| match told.globals[global::PASSES + n] {
            0.0 => told.points(plane::MOVES + n),
            _ => format!("pass{}", told.points(plane::MOVES + n)),
        };
        (0..5).map(name).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn the_last_five_moves() {
        assert_eq!(shown(&game(Rules::AGA, "")), ",,,,");
        assert_eq!(shown(&game(Rules::AGA, "E5")), "E5,,,,");
        assert_eq!(shown(&game(Rules::AGA, "E5 C3 pass G7 D4 C4 E3")), "E3,C4,D4,G7,pass");
    }

    #[test]
    fn only_while_the_colours_alternate() {
        let mut twice = game(Rules::AGA, "E5 C3");
        twice.play(Color::White, twice.size().parse_vertex("D3").unwrap()).unwrap();
        assert_eq!(shown(&twice), "D3,,,,");
        twice.set_to_play(Color::White);
        assert_eq!(shown(&twice), ",,,,");
        let mut after_setup = drawn(". . .\nX O .\n. . .", Color::White, Rules::AGA);
        assert_eq!(shown(&after_setup), ",,,,");
        play(&mut after_setup, "A1 C3");
        assert_eq!(shown(&after_setup), "C3,A1,,,");
    }

    #[test]
    fn a_lost_pass_may_be_hidden() {
        use crate::net::features::{GameInput, N_PLANES, fill};
        let mut game = game(Rules::TROMP_TAYLOR, "E5 pass");
        let told = |game: &Position, hides: bool| {
            let (mut planes, mut globals) = (vec![0.0; 81 * N_PLANES], [0.0; N_GLOBALS]);
            let input = GameInput::new(game);
            let board = game.board().of_class::<goban::Upto9>().unwrap();
            let position = NetPosition { hides_lost_pass: hides, ..input.position(board) };
            fill(&position, &mut planes, &mut globals);
            [globals[global::PASS_ENDS], globals[global::PASSES]]
        };
        // Black owns all 81 points.
        game.set_komi(80.5).unwrap();
        assert_eq!([told(&game, false), told(&game, true)], [[1.0; 2]; 2]);
        game.set_komi(81.0).unwrap();
        assert_eq!([told(&game, false), told(&game, true)], [[1.0; 2], [0.0; 2]]);
    }
}
