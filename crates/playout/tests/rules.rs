//! The moves that each rule proposes on drawn boards. Black is to move; the last move is White's.

use goban::tactics::{Candidates, Strength};
use goban::{Board, Color, Full, Move, Point, Setup, Upto9};
use playout::Pattern3;
use playout::rule::{View, WeightedMoves, atari, fight, filter, ko, life, pattern};

/// The board of a drawing and the move with this name.
fn drawn(drawing: &str, last: &str) -> (Board<Upto9, Full>, Move) {
    let setup = Setup::parse(drawing).unwrap();
    setup.check().unwrap();
    let mut board = Board::new(setup.size());
    for (vertex, color) in setup.stones() {
        board.play(color, board.to_move(vertex));
    }
    let last = board.to_move(setup.size().parse_vertex(last).unwrap());
    (board, last)
}

fn names(board: &Board<Upto9, Full>, points: &[Point]) -> String {
    let mut names: Vec<String> =
        points.iter().map(|&point| board.size().show(board.vertex(Move::at(point))).to_string()).collect();
    names.sort();
    names.join(" ")
}

#[track_caller]
fn check(rule: impl Fn(&View<'_, Upto9, Full>, &mut Candidates), drawing: &str, last: &str, expected: &str) {
    let (board, last) = drawn(drawing, last);
    let mut out = Candidates::new();
    rule(&View::new(&board, Color::Black, [last, Move::PASS]), &mut out);
    assert_eq!(names(&board, out.as_slice()), expected, "{drawing}");
}

fn local(view: &View<'_, Upto9, Full>, out: &mut Candidates) {
    atari::local(view, out);
}

#[test]
fn chains_in_atari_are_saved_or_taken() {
    // C4 runs to C3.
    let drawing = ". . . . . .
                   . . O . . .
                   . O X O . .
                   . . . . . .
                   . . . . . .
                   . . . . . .";
    check(local, drawing, "D4", "C3");
    // Taking D4 saves it too.
    let drawing = ". . . . . .
                   . . O . . .
                   . O X O X .
                   . . . X . .
                   . . . . . .
                   . . . . . .";
    check(local, drawing, "D4", "C3 D5");
    // The last move stands in atari itself.
    check(local, ". . . . .\n. X . . .\n. O X . .\n. X . . .\n. . . . .", "B3", "A3");
    // Nothing is in atari.
    check(local, ". . . . .\n. . . . .\n. O X . .\n. . . . .\n. . . . .", "B3", "");
}

#[test]
fn hopeless_stones_are_left() {
    // A1 would have one liberty after B1.
    check(local, ". . . . .\n. . . . .\n. . . . .\nO O . . .\nX . O . .", "A2", "");
    // A single stone in a ko: C1 need not be filled: C2 is no eye.
    let ko = ". . . . . .
              . . . . . .
              . . X . . .
              O O X X . .
              O X . X . .
              O O X . . .";
    check(local, ko, "B3", "");
    // Crawling along the edge ends in the corner: a ladder.
    let edge = ". . . . . . .
                . . . . . . .
                . . . . . . .
                . . . . . . .
                . . . . . . .
                . . . . O O .
                . . . . X O .";
    check(local, edge, "F1", "");
}

#[test]
fn snapbacks_are_seen() {
    // Taking C1 leaves Black no other liberty: White would retake five stones.
    let snapback = ". . . . . .
                    . . . . . .
                    O O O O O .
                    O X X X O .
                    O X O . O .";
    check(local, snapback, "C1", "");
}

#[test]
fn two_liberties_ask_for_an_answer() {
    // D5 has one liberty: the business of another rule.
    let drawing = ". . . . . . .
                   . . . X . . .
                   . . X O X . .
                   . . . . . . .
                   . . . . . . .
                   . . . . . . .
                   . . . . . . .";
    check(fight::two_liberties, drawing, "D5", "");
    // B1 cannot get away; A1 needs preparation.
    check(fight::two_liberties, ". . . . .\n. . . . .\n. . . . .\n. X X . .\n. O . . .", "B1", "A2 C1");
}

#[test]
fn races_look_for_ataris() {
    // The last move touches B2-B3, which has three liberties; A3 has only one left.
    let drawing = ". . . . . .
                   X . O . . .
                   O X O . . .
                   . X O . . .
                   . . . . . .";
    check(fight::race, drawing, "C3", "A2");
}

#[test]
fn eyes_are_kept_and_vital_points_played() {
    // One more White stone on a diagonal of B3 makes the eye false; at A2 and A4 it would stand in atari.
    let eye = ". . . . .
               . X . . .
               X . X . .
               . X O . .
               . . . . .";
    check(life::repair, eye, "C2", "C4");
    // Three in a row at the edge: the middle.
    let three = ". . . . . .
                 . . . . . .
                 O O O O O .
                 X X X X O .
                 . . . X O .";
    check(life::vital, three, "E1", "");
    let three = ". . . . . .
                 . . . . . .
                 X X X X X .
                 O O O O X .
                 . . . O X .";
    check(life::vital, three, "D1", "B1");
}

#[test]
fn a_ko_is_fought_while_it_is_fresh() {
    let drawing = ". . . . .
                   . X O . .
                   X . X O .
                   . X O . .
                   . . . . .";
    let (mut board, _) = drawn(drawing, "pass");
    let at = |name: &str| board.to_move(board.size().parse_vertex(name).unwrap());
    let moves = ["B3", "E1", "E5"].map(at);
    let mut recall = ko::Recall::new(&board);
    let proposed = |recall: &ko::Recall, board: &Board<Upto9, Full>, mover| {
        let mut out = Candidates::new();
        recall.fight(&View::new(board, mover, [Move::PASS; 2]), &mut out);
        names(board, out.as_slice())
    };
    // White takes at B3: Black may not take back at once.
    board.play(Color::White, moves[0]);
    recall.played(&board);
    assert_eq!(proposed(&recall, &board, Color::Black), "");
    board.play(Color::Black, moves[1]);
    recall.played(&board);
    assert_eq!(proposed(&recall, &board, Color::White), "C3", "White may fill");
    board.play(Color::White, moves[2]);
    recall.played(&board);
    assert_eq!(proposed(&recall, &board, Color::Black), "C3", "Black may take back");
    recall.played(&board);
    assert_eq!(proposed(&recall, &board, Color::Black), "", "it is forgotten");
}

#[test]
fn patterns_come_with_their_gammas() {
    let (board, last) = drawn(". . . . .\n. . . . .\n. . X O .\n. . . . .\n. . . . .", "D3");
    let view = View::new(&board, Color::Black, [last, Move::PASS]);
    let mut out = WeightedMoves::new();
    let found = pattern::around(&view, Pattern3::standard(), last.point().unwrap());
    pattern::weigh(&view, Pattern3::standard(), found, None, &mut out);
    assert_eq!(names(&board, out.as_slice()), "C2 C4 D2 D4");
}

#[test]
fn what_is_refused() {
    let drawing = ". O . . X X
                   O . O . X .
                   . O . . X X
                   . . . . . .
                   O O . . . .
                   . O . . X .";
    let (board, _) = drawn(drawing, "pass");
    let refused = |color, strength| -> String {
        let legal = board.empties().filter(|&point| board.is_legal(color, point));
        let points: Vec<Point> =
            legal.filter(|&point| filter::refuses(&board, color, point, strength)).collect();
        names(&board, &points)
    };
    // Own eyes, and single stones in atari.
    assert_eq!(refused(Color::Black, Strength::Strict), "A4 C6 F5");
    assert_eq!(refused(Color::White, Strength::Strict), "A1 A6 B5 F1");
    assert_eq!(refused(Color::Black, Strength::Big), "F5");
}
