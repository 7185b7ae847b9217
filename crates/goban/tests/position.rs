//! Games as clients play them: handicap, undo, setup, komi, messages.

use goban::{
    Color, HandicapError, IllegalReason, Ko, PlayedMove, Position, Rules, Setup, Size, Symmetry, Vertex,
};

fn size(side: usize) -> Size {
    Size::square(side).unwrap()
}

/// Plays vertices in turn, Black first.
fn game(size: Size, rules: Rules, moves: &str) -> Position {
    let mut position = Position::new(size, rules);
    for word in moves.split_whitespace() {
        position.play(position.to_play(), size.parse_vertex(word).unwrap()).unwrap();
    }
    position
}

fn show(size: Size, points: &[Vertex]) -> String {
    points.iter().map(|&vertex| size.show(vertex)).collect::<Vec<_>>().join(" ")
}

#[test]
fn fixed_handicap_points_are_those_of_the_protocol() {
    let points = |side, n| show(size(side), &size(side).fixed_handicap_points(n));
    assert_eq!(points(19, 2), "D4 Q16");
    assert_eq!(points(19, 3), "D4 Q16 D16");
    assert_eq!(points(19, 4), "D4 Q16 D16 Q4");
    assert_eq!(points(19, 5), "D4 Q16 D16 Q4 K10");
    assert_eq!(points(19, 6), "D4 Q16 D16 Q4 D10 Q10");
    assert_eq!(points(19, 7), "D4 Q16 D16 Q4 D10 Q10 K10");
    assert_eq!(points(19, 8), "D4 Q16 D16 Q4 D10 Q10 K4 K16");
    assert_eq!(points(19, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
    assert_eq!(points(13, 2), "D4 K10");
    assert_eq!(points(9, 9), "C3 G7 C7 G3 C5 G5 E3 E7 E5");
    assert_eq!(points(7, 4), "C3 E5 C5 E3");
    let limits: Vec<usize> = (2..=25).map(|side| size(side).max_fixed_handicap()).collect();
    assert_eq!(limits, [0, 0, 0, 0, 0, 4, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9]);
}

#[test]
fn handicap_is_placed_on_an_empty_board_only() {
    let mut position = Position::new(size(9), Rules::CHINESE);
    assert_eq!(
        position.fixed_handicap(10).unwrap_err().to_string(),
        "10 handicap stones on a 9x9 board: expected 2 to 9"
    );
    assert_eq!(
        position.fixed_handicap(1).unwrap_err().to_string(),
        "1 handicap stone on a 9x9 board: expected 2 to 9"
    );
    let off = [Vertex::new(1, 1), Vertex::new(9, 0)];
    for (points, name) in [([off[0]; 2], "B8"), (off, "column 10, row 1 from the top")] {
        let error = position.set_free_handicap(&points).unwrap_err().to_string();
        assert_eq!(error, format!("handicap stone {name}: expected different points of a 9x9 board"));
    }
    position.fixed_handicap(4).unwrap();
    assert_eq!((position.to_play(), position.handicap()), (Color::White, 4));
    assert_eq!(position.fixed_handicap(4), Err(HandicapError::NotEmpty));
    assert_eq!(position.score().white.handicap, 4);
    position.clear();
    assert_eq!((position.to_play(), position.handicap()), (Color::Black, 0));
    assert!(position.set_free_handicap(&[Vertex::new(0, 0), Vertex::new(8, 8)]).is_ok());
}

#[test]
fn free_handicap_finds_room_for_any_number() {
    for size in [size(2), size(5), size(9), size(19), Size::new(2, 7).unwrap(), Size::new(25, 6).unwrap()] {
        for n in [2, 3, 5, 9, 10, 40, size.area() - 1].into_iter().filter(|&n| n < size.area()) {
            let mut position = Position::new(size, Rules::default());
            let points = position.place_free_handicap(n).unwrap();
            assert_eq!((points.len(), position.board().n_on_board(Color::Black)), (n, n));
        }
        let mut position = Position::new(size, Rules::default());
        assert!(position.place_free_handicap(size.area()).is_err());
        assert!(position.place_free_handicap(1).is_err() && position.place_free_handicap(0).is_err());
    }
    assert_eq!(show(size(9), &size(9).free_handicap_points(2)), "C3 G7");
}

#[test]
fn undo_goes_back_to_the_start() {
    let moves = "D4 C3 D3 C4 D5 C5 pass E4 E5 F4";
    let mut position = game(size(7), Rules::NEW_ZEALAND, moves);
    let mut undone = Vec::new();
    while let Some(play) = position.undo() {
        undone.push(play.vertex);
        let n = position.plays().len();
        assert_eq!(position.hashes().len(), n + 1);
        assert_eq!(position.hashes().last(), Some(&position.board().hash()));
    }
    assert_eq!(undone.len(), 10);
    assert_eq!(position.to_play(), Color::Black);
    assert!(position.undo().is_none() && !position.undo_many(1) && position.undo_many(0));
}

#[test]
fn undo_keeps_handicap_and_setup() {
    let mut position = Position::new(size(9), Rules::AGA);
    position.fixed_handicap(2).unwrap();
    position.play(Color::White, Vertex::new(4, 4)).unwrap();
    position.setup(&[(Vertex::new(0, 0), Some(Color::White))], Color::White).unwrap();
    position.play(Color::White, Vertex::new(1, 1)).unwrap();
    position.undo().unwrap();
    assert_eq!((position.board().n_on_board(Color::White), position.to_play()), (2, Color::White));
    // The setup came after this play and goes with it.
    assert_eq!(position.undo(), Some(PlayedMove { color: Color::White, vertex: Vertex::new(4, 4) }));
    assert_eq!((position.board().n_on_board(Color::White), position.to_play()), (0, Color::White));
    assert!(position.undo().is_none());
    assert_eq!(position.board().n_on_board(Color::Black), 2);
}

#[test]
fn setup_starts_a_new_history() {
    let drawing = ". X O .\nX O . O\n. X O .\n. . . .";
    let setup = Setup::parse(drawing).unwrap();
    let mut position = Position::from_setup(&setup, Color::Black, Rules::TROMP_TAYLOR).unwrap();
    let (ko, taken) = (Vertex::new(2, 1), Vertex::new(1, 1));
    position.play(Color::Black, ko).unwrap();
    assert_eq!(position.legality(Color::White, taken).unwrap_err().reason, IllegalReason::Ko);
    assert_eq!(position.n_captured(Color::White), 1);
    position.setup(&[], Color::White).unwrap();
    position.play(Color::White, taken).unwrap();
    assert_eq!((position.n_captured(Color::White), position.n_captured(Color::Black)), (1, 1));
    assert!(position.last().is_some() && position.to_setup() == setup);
    // A chain without liberties is refused and nothing happens.
    let before = position.board().clone();
    assert!(
        position
            .setup(
                &[(Vertex::new(2, 1), Some(Color::White)), (Vertex::new(0, 0), Some(Color::White))],
                Color::Black
            )
            .is_err()
    );
    assert_eq!(position.board(), &before);
}

#[test]
fn rules_may_change_during_the_game() {
    // Black takes a ko; the pass ends the simple ko but not the superko.
    let mut position = game(size(5), Rules::CHINESE, "B5 C5 A4 B4 B3 D4 E1 C3 C4 pass pass");
    let retake = Vertex::new(1, 1);
    assert_eq!(position.board().stone(retake), None);
    assert!(position.is_over() && position.is_legal(Color::White, retake));
    position.set_rules(Rules { ko: Ko::Positional, ..Rules::CHINESE });
    let illegal = position.legality(Color::White, retake).unwrap_err();
    assert_eq!(illegal.reason, IllegalReason::Superko { repeats: 8 });
    assert_eq!(illegal.to_string(), "illegal move: White B4: the position would be as after move 8");
    position.set_rules(Rules::CHINESE);
    assert!(position.play(Color::White, retake).is_ok() && !position.is_over());
}

#[test]
fn refused_moves_say_why() {
    let mut position = game(size(5), Rules::CHINESE, "B5 E1 A4 E2");
    let text = |position: &Position, col, row| {
        position.legality(Color::White, Vertex::new(col, row)).unwrap_err().to_string()
    };
    assert_eq!(text(&position, 0, 0), "illegal move: White A5: the stone would have no liberty");
    assert_eq!(text(&position, 4, 4), "illegal move: White E1: there is a stone already");
    assert!(text(&position, 7, 2).ends_with("on a 5x5 board: the point is not on the board"));
    let before = position.clone();
    assert!(position.play(Color::White, Vertex::new(0, 0)).is_err());
    assert_eq!((position.plays(), position.hashes()), (before.plays(), before.hashes()));
}

#[test]
fn komi_is_any_sensible_number() {
    let mut position = Position::new(size(9), Rules::default());
    for komi in [0.0, -7.25, 1e6, -1e7, 6.5] {
        position.set_komi(komi).unwrap();
        position.clear();
        assert_eq!(position.komi(), komi);
    }
    for komi in [f32::NAN, f32::INFINITY, f32::MAX, -1.1e7] {
        let error = position.set_komi(komi).unwrap_err().to_string();
        assert_eq!(error, format!("komi {komi}: expected a number from -10000000 to 10000000"));
    }
    assert_eq!((position.komi(), position.score().to_string().as_str()), (6.5, "W+6.5"));
    position.set_komi(-0.0).unwrap();
    assert_eq!(position.komi().to_string(), "0");
}

#[test]
fn boards_of_moves_to_come_are_the_board_now() {
    let mut position = Position::new(size(3), Rules::default());
    position.play(Color::Black, Vertex::new(1, 1)).unwrap();
    position.play(Color::White, Vertex::new(2, 0)).unwrap();
    assert_eq!(position.board_after(99), *position.board());
    assert_eq!(position.board_after(1).to_string(), ". . .\n. X .\n. . .\n");
    assert_eq!(position.board().to_string(), position.to_setup().to_string());
}

#[test]
fn turned_games_are_the_same_games() {
    let rules = Rules::TROMP_TAYLOR;
    let mut position = game(Size::new(9, 6).unwrap(), rules, "A1 B1 B2 A2 C1 A1 J6 H6");
    position.setup(&[(Vertex::new(8, 0), None)], Color::White).unwrap();
    position.play(Color::White, Vertex::new(4, 4)).unwrap();
    for symmetry in Symmetry::ALL {
        let other = position.transformed(symmetry);
        assert_eq!(other.n_captured(Color::Black), position.n_captured(Color::Black));
        assert_eq!(other.to_play(), position.to_play());
        assert_eq!(other.score().margin(), position.score().margin());
        assert_eq!(other.transformed(symmetry.inverse()).hashes(), position.hashes());
        let (ours, theirs) = (position.legal_moves(Color::Black), other.legal_moves(Color::Black));
        assert_eq!(ours.len(), theirs.len());
        assert!(ours.iter().all(|&vertex| theirs.contains(&symmetry.apply(position.size(), vertex))));
    }
}

#[test]
fn memory_is_reused_for_another_size() {
    let mut position = game(size(9), Rules::TROMP_TAYLOR, "E5 C3 G7");
    position.reset(size(13), Rules::JAPANESE);
    assert_eq!((position.size(), position.rules(), position.plays().len()), (size(13), Rules::JAPANESE, 0));
    assert_eq!(position.board().n_empty(), 169);
    assert_eq!(position.hashes(), [0]);
}
