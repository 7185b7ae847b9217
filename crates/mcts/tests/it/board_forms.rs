//! Connect Four, Hex and Gomoku as boards, against drawings.

use goban::Rng;
use mcts::games::connect_four::ConnectFour;
use mcts::games::gomoku::Gomoku;
use mcts::games::hex::HexGame;
use mcts::{Action, Game, Kit, Outcome};
use model::net::features::{N_GLOBALS, N_PLANES, global, plane};
use model::net::{EncodedPosition, InputForm};

fn encoded<G: Kit>(game: &G) -> EncodedPosition {
    let mut out = EncodedPosition::default();
    let key = game.encode(InputForm::Board, game, &[], &mut out);
    assert_eq!(key, game.key());
    out
}

/// A sign for each point: `X` the mover's stone, `O` the opponent's, `+` a legal move, `.` none; behind the board `+` where the move
/// without a point is legal.
fn drawn(position: &EncodedPosition) -> String {
    let [width, height] = position.board;
    assert_eq!((position.legal.len(), position.globals.len()), (width * height + 1, N_GLOBALS));
    let points = position.planes.chunks_exact(N_PLANES).zip(&position.legal);
    let signs = points.map(|(planes, &is_legal)| {
        assert_eq!(planes[plane::ON_BOARD], 1.0);
        let n_told = planes.iter().filter(|number| **number != 0.0).count();
        let sign = match (planes[plane::OWN], planes[plane::OTHER], is_legal) {
            (1.0, 0.0, false) => 'X',
            (0.0, 1.0, false) => 'O',
            (0.0, 0.0, true) => '+',
            (0.0, 0.0, false) => '.',
            _ => '?',
        };
        assert_eq!(n_told, if "XO".contains(sign) { 2 } else { 1 });
        sign
    });
    let signs: Vec<char> = signs.collect();
    let rows: Vec<String> = signs.chunks(width).map(|row| row.iter().collect()).collect();
    let may_pass = position.legal[width * height];
    let n_globals = position.globals.iter().filter(|number| **number != 0.0).count();
    assert_eq!((position.globals[global::PASS_ENDS] == 1.0, n_globals), (may_pass, usize::from(may_pass)));
    rows.join(" ") + if may_pass { " +" } else { "" }
}

#[test]
fn connect_four_is_a_board_on_which_stones_fall() {
    let mut game = ConnectFour::new();
    assert_eq!(drawn(&encoded(&game)), "....... ....... ....... ....... ....... +++++++");
    for column in [3, 3, 0, 3, 3, 3, 3] {
        game.play(Action(column));
    }
    // The seventh stone fills the middle; the second player is to move, whose stones are the second, fourth and sixth.
    assert_eq!(drawn(&encoded(&game)), "...O... ...X... ...O... ...X... +..X... O++O+++");
    let place = |column| game.policy_idx(InputForm::Board, Action(column));
    assert_eq!([place(0), place(1), place(3)], [28, 36, 42], "above the stone, on the floor, nowhere");
    assert_eq!(game.policy_idx(InputForm::Planes, Action(5)), 5);
}

#[test]
fn who_moves_in_hex_goes_from_top_to_bottom() {
    let mut game = HexGame::new(3, true).unwrap();
    assert_eq!(drawn(&encoded(&game)), "+++ +++ +++");
    game.play(Action(2));
    // Black's stone in c1 stands for White where row and column are exchanged; he may swap.
    assert_eq!(drawn(&encoded(&game)), "+++ +++ O++ +");
    assert_eq!([5, 7, 9].map(|idx| game.policy_idx(InputForm::Board, Action(idx))), [7, 5, 9]);
    game.play(Action(3));
    assert_eq!(drawn(&encoded(&game)), "++X O++ +++");
    assert_eq!([5, 7].map(|idx| game.policy_idx(InputForm::Board, Action(idx))), [5, 7]);
    // The same stones with the sides exchanged look the same to the other player.
    let mirror = |cells: &[u16]| {
        let mut game = HexGame::new(3, false).unwrap();
        cells.iter().for_each(|&idx| game.play(Action(idx)));
        drawn(&encoded(&game))
    };
    assert_eq!(mirror(&[1, 4]), "+X+ +O+ +++");
    assert_eq!(mirror(&[4, 3, 8]), "+X+ +O+ ++O");
}

#[test]
fn gomoku_is_a_board_of_any_shape() {
    let mut game = Gomoku::new(4, 3, 3).unwrap();
    game.play(Action(5));
    game.play(Action(11));
    assert_eq!(drawn(&encoded(&game)), "++++ +X++ +++O");
    game.play(Action(0));
    assert_eq!(drawn(&encoded(&game)), "O+++ +O++ +++X");
}

/// Plays random games and compares at every move: the position turned is that of the game turned, and each action's place goes along.
fn check_turnings<G: Kit>(start: &G, n_turnings: usize) {
    let turnings = start.turnings(InputForm::Board);
    assert_eq!(turnings.len(), n_turnings, "{}", G::NAME);
    let mut rng = Rng::new(3);
    for turning in &turnings {
        let places: Vec<usize> = turning.places().collect();
        let (mut game, mut turned, mut outcome) = (start.clone(), start.clone(), Outcome::default());
        while !game.ended(&mut outcome) {
            let (straight, mut expected) = (encoded(&game), EncodedPosition::default());
            turning.turn(InputForm::Board, &straight, &mut expected);
            assert_eq!(encoded(&turned), expected, "{}", G::NAME);
            let mut actions = Vec::new();
            game.actions(&mut actions);
            assert_eq!(actions.len(), straight.legal.iter().filter(|legal| **legal).count());
            let action = actions[rng.below(actions.len() as u32) as usize];
            let place = game.policy_idx(InputForm::Board, action);
            assert!(straight.legal[place]);
            let to = places.get(place).copied().unwrap_or(place);
            let mut others = Vec::new();
            turned.actions(&mut others);
            let same = others.iter().find(|&&other| turned.policy_idx(InputForm::Board, other) == to);
            turned.play(*same.unwrap());
            game.play(action);
        }
        let mut other = Outcome::default();
        assert!(turned.ended(&mut other) && other.win == outcome.win, "{}", G::NAME);
    }
}

#[test]
fn turned_games_are_turned_boards() {
    check_turnings(&ConnectFour::new(), 2);
    check_turnings(&HexGame::new(5, false).unwrap(), 2);
    check_turnings(&HexGame::new(4, true).unwrap(), 2);
    check_turnings(&Gomoku::new(5, 5, 4).unwrap(), 8);
    check_turnings(&Gomoku::new(6, 4, 4).unwrap(), 4);
}
