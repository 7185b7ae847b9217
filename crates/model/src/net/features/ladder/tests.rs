use super::*;
use crate::net::features::tests::{Told, drawn, play, wander};
use goban::{Move, Rules, Size, with_board};

/// Stones caught, and moves of the player to move that catch something.
fn ladders(drawing: &str, to_play: Color) -> (String, String) {
    let told = Told::of(&drawn(drawing, to_play, Rules::CHINESE));
    let points = |plane| told.points(plane);
    assert_eq!(points(plane::CAUGHT_BEFORE), points(plane::CAUGHT));
    assert_eq!(points(plane::CAUGHT_EARLIER), points(plane::CAUGHT));
    (points(plane::CAUGHT), points(plane::LADDER_MOVES))
}

fn answer(caught: &str, moves: &str) -> (String, String) {
    (caught.to_string(), moves.to_string())
}

/// Black drives C6 down to the right from D6; from C5 it would go up and have three liberties.
const LADDER: &str = "\
    . . . . . . . . .\n\
    . . . . . . . . .\n\
    . . X . . . . . .\n\
    . X O . . . . . .\n\
    . X . . . . . . .\n\
    . . . . . . . . .\n\
    . . . . . . . . .\n\
    . . . . . . . . .\n\
    . . . . . . . . .";

/// The drawing with stones added at places given by column and row from the top.
fn with(drawing: &str, stones: &[(usize, usize, char)]) -> String {
    let mut rows: Vec<Vec<char>> =
        drawing.lines().map(|line| line.chars().filter(|c| !c.is_whitespace()).collect()).collect();
    stones.iter().for_each(|&(col, row, sign)| rows[row][col] = sign);
    rows.into_iter().map(|row| row.into_iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_ladder_works() {
    assert_eq!(ladders(LADDER, Color::Black), answer("C6", "D6"));
    // White to move sees the danger, but has no ladder of his own.
    assert_eq!(ladders(LADDER, Color::White), answer("C6", ""));
    // In atari, the owner to move: still caught.
    assert_eq!(ladders(&with(LADDER, &[(3, 3, 'X')]), Color::White), answer("C6", ""));
    // A second step of it.
    assert_eq!(
        ladders(&with(LADDER, &[(3, 3, 'X'), (2, 4, 'O'), (2, 5, 'X')]), Color::White),
        answer("C6 C5", "")
    );
}

#[test]
fn a_stone_on_the_way_breaks_it() {
    assert_eq!(ladders(&with(LADDER, &[(5, 6, 'O')]), Color::Black), answer("", ""));
    assert_eq!(ladders(&with(LADDER, &[(5, 5, 'O')]), Color::Black), answer("", ""));
    // One beside the way does not.
    assert_eq!(ladders(&with(LADDER, &[(8, 2, 'O')]), Color::Black), answer("C6", "D6"));
    // A black one ends it sooner.
    assert_eq!(ladders(&with(LADDER, &[(5, 6, 'X')]), Color::Black), answer("C6", "D6"));
}

#[test]
fn both_first_moves_may_work() {
    // At the edge White runs along the first line either way.
    let edge = "\
        . . . . . . .\n\
        . . . . . . .\n\
        . . . . . . .\n\
        . . . . . . .\n\
        . . . X . . .\n\
        . . . X . . .\n\
        . . . O . . .";
    assert_eq!(ladders(edge, Color::Black), answer("D1", "C1 E1"));
    assert_eq!(ladders(&with(edge, &[(5, 5, 'O')]), Color::Black), answer("D1", "E1"));
    assert_eq!(ladders(&with(edge, &[(1, 5, 'O'), (5, 5, 'O')]), Color::Black), answer("", ""));
    // Beside the corner there is no room on either side.
    let corner = ". O . .\n. X X .\n. . . .\n. . . .";
    assert_eq!(ladders(corner, Color::Black), answer("B4", "A4 C4"));
}

#[test]
fn taking_a_hunter_breaks_it() {
    // The black stone at B5 is in atari: White takes it when he runs out of breath.
    let in_atari = with(LADDER, &[(0, 4, 'O'), (1, 5, 'O')]);
    let (caught, moves) = ladders(&in_atari, Color::Black);
    assert!(!caught.contains("C6") && moves.is_empty(), "{caught} {moves}");
}

#[test]
fn the_second_last_and_last_board_are_told_too() {
    let mut game = drawn(LADDER, Color::Black, Rules::CHINESE);
    play(&mut game, "D6 F3");
    let told = Told::of(&game);
    let planes = [plane::CAUGHT, plane::CAUGHT_BEFORE, plane::CAUGHT_EARLIER].map(|plane| told.points(plane));
    // F3 breaks the ladder: after C5 Black cannot go on.
    assert_eq!(planes, ["", "C6", "C6"]);
    let mut game = drawn(LADDER, Color::White, Rules::CHINESE);
    play(&mut game, "F3 E9 pass");
    let told = Told::of(&game);
    let planes = [plane::CAUGHT, plane::CAUGHT_BEFORE, plane::CAUGHT_EARLIER].map(|plane| told.points(plane));
    assert_eq!(planes, ["", "", ""]);
    play(&mut game, "A9");
    game.undo_many(3);
    assert_eq!(Told::of(&game).points(plane::CAUGHT_BEFORE), "C6");
}

#[test]
fn a_ladder_that_needs_a_ko_does_not_count() {
    // Black plays B4, White takes the corner stone from B5, and Black can go on only by retaking it.
    let ko = "\
        X . X . .\n\
        O . . . .\n\
        . . . . .\n\
        . . . . .\n\
        . . O . .";
    assert_eq!(ladders(ko, Color::Black), answer("", ""));
    // With B5 filled there is nothing to take.
    assert_eq!(ladders(&with(ko, &[(1, 0, 'X')]), Color::Black), answer("A4", "B4"));
}

#[test]
fn two_kos_do_not_save_a_chain() {
    // When Black plays B4 the stone at B3 goes to C3 and back, but C2 and A2 hang in two kos.
    let kos = "\
        X . . O .\n\
        . . . . O\n\
        X O . X .\n\
        O X O X .\n\
        . . X . .";
    let (caught, _) = ladders(kos, Color::White);
    assert!(caught.contains("B3"), "{caught}");
    // A third liberty behind one of them does.
    let (caught, _) = ladders(&with(kos, &[(0, 2, '.')]), Color::White);
    assert!(!caught.contains("B3"), "{caught}");
}

/// The same on whole boards, move by move, without shortcuts or limits.
mod slow {
    use super::*;

    pub(super) fn flee<C: SizeClass>(board: &Board<C, Full>, stone: Point, depth: usize) -> bool {
        let liberties = board.liberties(stone);
        if liberties.len() >= 2 || board.ko().is_some() {
            return false;
        }
        assert!(depth < 200, "too deep for these boards");
        let owner = board.stone(stone).unwrap();
        let mut moves = liberties;
        for at in board.chain(stone) {
            for head in board.chains_beside(at, !owner) {
                if board.liberties(head).len() == 1 {
                    moves = moves.union(&board.liberties(head));
                }
            }
        }
        moves.iter().filter(|&point| board.is_legal(owner, point)).all(|point| {
            let mut next = *board;
            next.play(owner, Move::at(point));
            hunt(&next, stone, depth + 1)
        })
    }

    fn hunt<C: SizeClass>(board: &Board<C, Full>, stone: Point, depth: usize) -> bool {
        let liberties = board.liberties(stone);
        if liberties.len() != 2 {
            return liberties.len() < 2;
        }
        let hunters = !board.stone(stone).unwrap();
        if is_double_ko(board, stone) {
            return true;
        }
        liberties.iter().filter(|&point| board.is_legal(hunters, point)).any(|point| {
            let mut next = *board;
            next.play(hunters, Move::at(point));
            flee(&next, stone, depth + 1)
        })
    }

    fn is_double_ko<C: SizeClass>(board: &Board<C, Full>, stone: Point) -> bool {
        let owner = board.stone(stone).unwrap();
        let no_atari = board.chain(stone).all(|at| {
            board.chains_beside(at, !owner).into_iter().all(|head| board.liberties(head).len() > 1)
        });
        no_atari
            && board.liberties(stone).iter().all(|mouth| {
                let mut near = board.neighbours(mouth);
                let is_closed = near.all(|near| board.is_stone(near, owner));
                let mut takes = *board;
                takes.play(!owner, Move::at(mouth));
                let mut connects = *board;
                connects.clear_ko();
                let is_legal = connects.is_legal(owner, mouth);
                is_closed && takes.n_captured(owner) == board.n_captured(owner) + 1 && is_legal && {
                    connects.play(owner, Move::at(mouth));
                    connects.liberties(mouth).len() <= 2
                }
            })
    }
}

fn slow_answer(game: &goban::Position) -> (String, String) {
    let size = game.size();
    with_board!(game.board(), |board| {
        let (mut caught, mut moves) = (Vec::new(), Vec::new());
        for vertex in size.vertices() {
            let point = board.point(vertex);
            let Some(color) = board.stone(point) else { continue };
            let liberties = board.liberties(point);
            let mut is_caught = false;
            if liberties.len() == 1 {
                let mut copy = *board;
                copy.clear_ko();
                is_caught = slow::flee(&copy, point, 0);
            } else if liberties.len() == 2 {
                for attack in liberties.iter().filter(|&attack| board.is_legal(!color, attack)) {
                    let mut copy = *board;
                    copy.play(!color, Move::at(attack));
                    copy.clear_ko();
                    if slow::flee(&copy, point, 1) {
                        is_caught = true;
                        if color != game.to_play() {
                            moves.push(board.vertex(Move::at(attack)));
                        }
                    }
                }
            }
            if is_caught {
                caught.push(vertex);
            }
        }
        moves.sort_by_key(|vertex| (vertex.row(), vertex.col()));
        moves.dedup();
        let names = |list: Vec<goban::Vertex>| {
            list.into_iter().map(|vertex| size.show(vertex)).collect::<Vec<_>>().join(" ")
        };
        (names(caught), names(moves))
    })
}

#[test]
fn the_slow_way_finds_the_same() {
    let (mut n_caught, mut n_moves) = (0, 0);
    for seed in 0..40 {
        let size = [Size::square(9), Size::square(7), Size::new(13, 6)][seed as usize % 3].unwrap();
        wander(size, 100 + seed, |game| {
            let told = Told::of(game);
            let fast = (told.points(plane::CAUGHT), told.points(plane::LADDER_MOVES));
            let slow = slow_answer(game);
            assert_eq!(fast, slow, "{:?}\n{}", game.to_play(), game.board());
            n_caught += slow.0.split_whitespace().count();
            n_moves += slow.1.split_whitespace().count();
        });
    }
    assert!(n_caught > 1000 && n_moves > 100, "{n_caught} stones and {n_moves} moves prove little");
}
