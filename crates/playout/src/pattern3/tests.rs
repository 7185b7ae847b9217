//! The table against drawn neighbourhoods and against the board's own codes.

use super::*;
use goban::{Board, Full, Move, PointSet, Rng, Size, SizeClass, Symmetry, Upto9};

/// The code of a drawn neighbourhood, X black.
fn code(drawing: &str) -> Code {
    let signs: Vec<u16> = drawing
        .chars()
        .filter(|sign| !sign.is_whitespace() && *sign != '*')
        .map(|sign| match sign {
            'X' => BLACK,
            'O' => WHITE,
            '#' => OFF,
            _ => EMPTY,
        })
        .collect();
    encode(&signs.try_into().unwrap()).unwrap()
}

#[track_caller]
fn check(drawing: &str, black: &str, white: &str) {
    let table = Pattern3::standard();
    let name = |mover| table.find(code(drawing), mover).map_or("", |pattern| table.name(pattern));
    assert_eq!((name(Color::Black), name(Color::White)), (black, white), "{drawing}");
}

#[test]
fn drawn_examples() {
    check("X O X . * . . . .", "enclosing hane", "enclosing hane");
    check("X O X . * . # # #", "enclosing hane", "enclosing hane");
    check("X O X O * . . . .", "unprotected cut", "unprotected cut");
    check(". . . O * . X . .", "hane", "hane");
    check("X O O . * . . . .", "thin hane", "");
    check("X X O . * . . . .", "", "thin hane");
    check("X O . X * . . . .", "magari", "magari");
    check(". O . X * . . . .", "diagonal attachment", "diagonal attachment");
    check("X O . O * . . . .", "unprotected cut", "unprotected cut");
    check("X O . O * X . . .", "peeped cut", "peeped cut");
    check(". X . O * O . . .", "push through", "push through");
    check("O X . . * O . . .", "keima cut", "keima cut");
    check("# # # O * . X . .", "chase on the edge", "chase on the edge");
    check("# # # O * X . X O", "block a cut on the edge", "cut on the edge");
    check("# # # O * . X X .", "block a connection on the edge", "block a connection on the edge");
    check("# # # . * . O X .", "descent", "descent");
    check("# # # O * X X O .", "cut on the edge", "block a cut on the edge");
    check("# # # X * O . X .", "eye on the edge", "eye on the edge");
    check(". . . . * . . . .", "", "");
    check(". X . . * . . . .", "", "");
    check("X X X X * X X X X", "", "");
    check("# # # # * . # . .", "", "");
}

/// How many codes each pattern has, for Black to move: a change of this list is a change of the playouts.
#[test]
fn the_number_of_codes_is_known() {
    let table = Pattern3::standard();
    let mut counts = vec![0; table.len()];
    for bits in 0..=u16::MAX {
        if let Some(pattern) = table.find(Code(bits), Color::Black) {
            counts[pattern.idx()] += 1;
        }
    }
    assert_eq!(table.len(), 15);
    assert_eq!(counts, COUNTS);
}

// By hand: a diagonal attachment has four corners and two ways to hold the colours, 8; a cut on the edge four sides, two
// reflections and three contents of the free point, 24.
const COUNTS: [u32; 15] = [216, 24, 24, 48, 144, 152, 96, 144, 288, 72, 8, 972, 192, 446, 436];

#[test]
fn movers_and_symmetries_make_no_difference() {
    let table = Pattern3::standard();
    let contents = [EMPTY, BLACK, WHITE, OFF];
    for number in 0..1usize << 16 {
        let around: [u16; 8] = std::array::from_fn(|place| contents[number >> (2 * place) & 3]);
        let Some(code) = encode(&around) else { continue };
        let found = table.find(code, Color::Black);
        assert_eq!(table.matches(code, Color::Black), found.is_some());
        assert_eq!(table.find(swapped(code), Color::White), found);
        for turn in 0..8 {
            let code = encode(&turned(&around, turn)).unwrap();
            assert_eq!(table.find(code, Color::Black), found, "{around:?} turned by {turn}");
        }
    }
}

/// The codes that boards keep are those that the table was made for: a random board and its eight views have the
/// patterns in the same places.
#[test]
fn boards_speak_the_same_codes() {
    let table = Pattern3::standard();
    let size = Size::square(7).unwrap();
    let mut rng = Rng::new(5);
    for _ in 0..40 {
        let mut board = Board::<Upto9, Full>::new(size);
        let mut color = Color::Black;
        for _ in 0..rng.below(60) {
            let moves: Vec<_> = board.empties().filter(|point| board.is_legal(color, *point)).collect();
            if moves.is_empty() {
                break;
            }
            board.play(color, Move::at(moves[rng.below(moves.len() as u32) as usize]));
            color = !color;
        }
        for symmetry in Symmetry::ALL {
            let mut other = Board::<Upto9, Full>::new(size);
            for color in Color::BOTH {
                for stone in board.stones(color).iter() {
                    let there = symmetry.apply(size, Upto9::vertex(stone));
                    other.play(color, Move::at(Upto9::point(there)));
                }
            }
            for point in board.empties() {
                let there = Upto9::point(symmetry.apply(size, Upto9::vertex(point)));
                for mover in Color::BOTH {
                    assert_eq!(table.find(board.code(point), mover), table.find(other.code(there), mover));
                }
            }
        }
    }
}
