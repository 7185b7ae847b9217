//! What the rules of the playouts and the tactics of the board say of each move of a position.

use super::GoGame;
use crate::game::{Action, Remark, Wants};
use goban::tactics::cfg::Distances;
use goban::tactics::{Candidates, Strength, atari, is_bad_self_atari, ladder, semeai};
use goban::{Board, Color, Full, Move, Point, PointMap, PointSet, Size, SizeClass, Vertex};
use playout::Pattern3;
use playout::rule::{View, fight, life};

/// Distances beyond this do not count.
const MAX_FATE: u8 = 3;
/// Points with no stone within this many steps are lonely.
const LONELY: usize = 3;
/// Positions read per ladder.
const MAX_LADDER: usize = 100;

/// Calls `each` with the remark about every action, in their order.
pub(super) fn remark<C: SizeClass>(
    game: &GoGame<C>,
    wants: Wants,
    actions: &[Action],
    each: &mut dyn FnMut(usize, &Remark),
) {
    let mut table = C::PointMap::<Remark>::filled(Remark::default());
    let recent = game.recent.map(|action| action.map_or(Move::PASS, GoGame::<C>::to_move));
    let view = View::new(&game.board, game.to_play, recent);
    note_atari(&view, wants, &mut table);
    note_fights(&view, &mut table);
    if wants.race {
        note_races(&view, &mut table);
    }
    if wants.ladder {
        note_hunts(&view, &mut table);
    }
    let mut fates = [None; 2];
    for (fate, mv) in fates.iter_mut().zip(recent).take(wants.n_fates) {
        *fate = distances(&game.board, mv);
    }
    let lonely = lonely::<C>(&game.board);
    let patterns = Pattern3::standard();
    for (arm_idx, &action) in actions.iter().enumerate() {
        let Some(point) = GoGame::<C>::to_move(action).point() else {
            each(arm_idx, &Remark { is_pass: true, ..Remark::default() });
            continue;
        };
        let remark = &mut table[point.idx()];
        remark.is_self_atari = is_bad_self_atari(&game.board, game.to_play, point, Strength::Strict);
        remark.is_pattern = patterns.matches(game.board.code(point), game.to_play);
        let steps = |fate: &Option<Distances<C>>| fate.as_ref().map(|fate| fate.at(point));
        remark.fate =
            fates.each_ref().map(|fate| steps(fate).filter(|steps| *steps <= MAX_FATE).unwrap_or(0));
        remark.is_lonely = lonely.contains(point);
        let code = game.board.code(point);
        remark.shape = playout::pattern3::seen_by(code, game.to_play).0;
        remark.n_attacked = n_attacked(&game.board, !game.to_play, point);
        remark.lines = lines(game.board.size(), C::vertex(point));
        remark.away = recent.map(|mv| mv.point().map_or(0, |other| away(C::vertex(other), C::vertex(point))));
        each(arm_idx, remark);
    }
}

/// Captures, and own chains saved from atari or lost in spite of it.
fn note_atari<C: SizeClass>(view: &View<'_, C, Full>, wants: Wants, table: &mut C::PointMap<Remark>) {
    let board = view.board;
    for head in board.chains_in_atari(!view.mover) {
        if let Some(point) = atari::taking_point(board, head) {
            let remark = &mut table[point.idx()];
            remark.n_captured = remark.n_captured.saturating_add(board.chain_len(head) as u16);
        }
    }
    for head in board.chains_in_atari(view.mover) {
        let n_stones = board.chain_len(head) as u16;
        let mut out = Candidates::new();
        atari::saves(board, head, &mut out);
        let is_lost = wants.ladder && ladder::escaping_move(board, head, MAX_LADDER).is_none();
        for point in out.iter() {
            let remark = &mut table[point.idx()];
            if is_lost {
                remark.is_caught = true;
            } else {
                remark.n_saved = remark.n_saved.max(n_stones);
            }
        }
    }
}

/// What the playouts would do around the last move.
fn note_fights<C: SizeClass>(view: &View<'_, C, Full>, table: &mut C::PointMap<Remark>) {
    let mut out = Candidates::new();
    fight::two_liberties(view, &mut out);
    fight::race(view, &mut out);
    life::repair(view, &mut out);
    life::vital(view, &mut out);
    for point in out.iter() {
        table[point.idx()].is_fight = true;
    }
}

/// Liberties to take in races, wherever they are.
fn note_races<C: SizeClass>(view: &View<'_, C, Full>, table: &mut C::PointMap<Remark>) {
    let board = view.board;
    let (mut seen, mut out) = (C::Set::EMPTY, Candidates::new());
    for point in board.empties() {
        for head in board.chains_beside(point, !view.mover) {
            if !seen.contains(head) {
                seen.insert(head);
                semeai::outside(board, head, &mut out);
            }
        }
    }
    for point in out.iter() {
        table[point.idx()].is_race = true;
    }
}

/// First moves of ladders that take something, and moves into ladders.
fn note_hunts<C: SizeClass>(view: &View<'_, C, Full>, table: &mut C::PointMap<Remark>) {
    let board = view.board;
    let mut seen = C::Set::EMPTY;
    // A chain of two liberties is found from either of them; few points have such a neighbour.
    for point in board.empties() {
        for head in board.chains_beside(point, !view.mover) {
            if seen.contains(head) || board.liberties(head).len() != 2 {
                continue;
            }
            seen.insert(head);
            if let Some(first) = ladder::capturing_move(board, head, MAX_LADDER) {
                let remark = &mut table[first.idx()];
                remark.n_hunted = remark.n_hunted.max(board.chain_len(head) as u16);
            }
        }
    }
}

/// Stones of the largest chain of `enemy` with two liberties beside a point.
fn n_attacked<C: SizeClass>(board: &Board<C, Full>, enemy: Color, point: Point) -> u16 {
    let in_danger =
        board.chains_beside(point, enemy).into_iter().filter(|&head| board.n_liberties(head) == 2);
    in_danger.map(|head| board.chain_len(head) as u16).max().unwrap_or(0)
}

/// The lines of a point, from 1 at the edge, the lower first.
fn lines(size: Size, vertex: Vertex) -> [u8; 2] {
    let line = |at: usize, side: usize| at.min(side - 1 - at) as u8 + 1;
    let (x, y) = (line(vertex.col(), size.width()), line(vertex.row(), size.height()));
    [x.min(y), x.max(y)]
}

/// Coulom's distance, |Δx| + |Δy| + max(|Δx|, |Δy|).
fn away(a: Vertex, b: Vertex) -> u8 {
    let (dx, dy) = (a.col().abs_diff(b.col()), a.row().abs_diff(b.row()));
    (dx + dy + dx.max(dy)) as u8
}

/// Distances from a move, along chains; none from a pass.
fn distances<C: SizeClass>(board: &Board<C, Full>, mv: Move) -> Option<Distances<C>> {
    let start: Point = mv.point()?;
    let mut distances = Distances::new();
    distances.measure(board, start, MAX_FATE);
    Some(distances)
}

/// The empty points far from all stones.
fn lonely<C: SizeClass>(board: &Board<C, Full>) -> C::Set {
    let on_board = C::on_board(board.size());
    let mut near = on_board.difference(board.empty());
    for _ in 0..LONELY {
        near = C::dilate(&near).intersection(&on_board);
    }
    board.empty().difference(&near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use goban::{Setup, Upto9};

    /// The remark about a move of Black's on a drawn board after White's move `last`.
    fn about(drawing: &str, last: &str, mv: &str) -> Remark {
        let setup = Setup::parse(drawing).unwrap();
        let size = setup.size();
        let mut game = GoGame::<Upto9>::new(size, 0.5);
        for (vertex, color) in setup.stones() {
            game.board.play(color, game.board.to_move(vertex));
        }
        let action =
            |name: &str| GoGame::<Upto9>::action(game.board.to_move(size.parse_vertex(name).unwrap()));
        let (last, mv) = (action(last), action(mv));
        game.recent = [Some(last), None];
        let mut found = Remark::default();
        let wants = Wants { ladder: true, race: true, n_fates: 2 };
        assert!(game.remark(wants, &[mv], &mut |_, remark| found = *remark));
        found
    }

    const FIGHT: &str = ". . . . . . .
                         . . . . . . .
                         . . O . . . .
                         . O X . . . .
                         . . O . . . .
                         . . . . . . .
                         O X . . . . .";

    #[test]
    fn captures_saves_and_ladders() {
        assert_eq!(about(FIGHT, "C3", "A2").n_captured, 1);
        // C4 can run to D4, three liberties: no ladder.
        let run = about(FIGHT, "C3", "D4");
        assert_eq!((run.n_saved, run.is_caught, run.fate), (1, false, [2, 0]));
        // With one more White stone the ladder works: the same move is lost.
        let ladder = ". . . . . . .
                      . . . . . . .
                      . . O O . . .
                      . O X . . . .
                      . . O . . . .
                      . . . . . . .
                      . . . . . . .";
        let lost = about(ladder, "C3", "D4");
        assert_eq!((lost.n_saved, lost.is_caught), (0, true));
        // From the other side: a stone with two liberties is taken in a ladder.
        let hunt = ". . . . . . .
                    . . . . . . .
                    . . X X . . .
                    . X O . . . .
                    . . . . . . .
                    . . . . . . .
                    . . . . . . .";
        assert_eq!(about(hunt, "C4", "C3").n_hunted, 1);
    }

    #[test]
    fn outside_liberties_in_races_far_from_the_last_move() {
        // Both middle chains are stuck: White's has A3 to itself, Black's only the two between.
        let drawing = ". . . O . . .
                       O O O O O O O
                       X X X X X X X
                       O O . . O O O
                       . O O O O O O
                       X X X X X X X
                       . X . . . X .";
        let remark = about(drawing, "D7", "A3");
        assert!(remark.is_race && !remark.is_fight);
        assert!(!about(drawing, "D7", "C4").is_race, "shared");
        assert!(!about(drawing, "D7", "C1").is_race, "walls that live");
    }

    #[test]
    fn shapes_distance_and_loneliness() {
        let drawing = ". . . . . . . . .
                       . . . . . . . . .
                       . . X O . . . . .
                       . . . . . . . . .
                       . . . . . . . . .
                       . . . . . . . . .
                       . . . . . . . . .
                       . O . . . . . . .
                       . . . . . . . . .";
        let hane = about(drawing, "D7", "D6");
        assert_eq!((hane.is_pattern, hane.fate, hane.is_lonely), (true, [1, 0], false));
        let far = about(drawing, "D7", "G3");
        assert_eq!((far.is_pattern, far.fate, far.is_lonely), (false, [0, 0], true));
        assert!(about(drawing, "D7", "A1").fate == [0, 0] && !about(drawing, "D7", "A1").is_self_atari);
        assert!(about(drawing, "D7", "pass").is_pass);
        let corner = ". O . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .";
        assert!(about(corner, "B5", "A5").is_self_atari);
    }
}
