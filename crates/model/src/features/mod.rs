//! Reasons for and against a move that the board gives away without searching: what the rules of the playouts and the
//! tactics of the board say of each move of a position.
//!
//! In reading order: this file (what every prior asks) · [`details`] (what ranking models ask in addition) · [`level`]
//! (counts and distances in steps) · [`list`] (the declared list of all features, with levels and costs) · [`set`] (some
//! of them as the numbers of a model).

pub mod details;
mod geometry;
pub mod level;
pub mod list;
pub mod set;

use goban::tactics::cfg::Distances;
use goban::tactics::{Candidates, Strength, atari, is_bad_self_atari, ladder, semeai};
use goban::{Board, Full, Move, Point, PointMap, PointSet, SizeClass};
use playout::Pattern3;
use playout::rule::{View, fight, life};

use crate::view::PositionView;
use geometry::Geometry;

/// Distances along chains beyond this do not count.
const MAX_STEPS: u8 = 3;
/// Points with no stone within this many steps are lonely.
const LONELY: usize = 3;
/// Positions read per ladder.
const MAX_LADDER: usize = 100;

/// Reasons for and against a move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveFeatures {
    /// The move is a pass; then nothing else is said.
    pub is_pass: bool,
    /// Enemy stones that it captures.
    pub n_captured: u16,
    /// Own stones, in the largest such chain, that it saves from capture.
    pub n_saved: u16,
    /// Enemy stones, in the largest such chain, that it captures in a ladder; only where ladders are wanted.
    pub n_laddered: u16,
    /// It runs with own stones that a ladder captures all the same; only where ladders are wanted.
    pub is_caught: bool,
    /// It is a self-atari without a good reason.
    pub is_self_atari: bool,
    /// It is a 3×3 pattern of the playouts.
    pub is_pattern: bool,
    /// The rules of the playouts propose it around the last move: chains of few liberties, eyes.
    pub is_fight: bool,
    /// It takes an outside liberty in a semeai; only where these are wanted.
    pub is_semeai: bool,
    /// Steps to the last move and to the one before it along the common fate graph, in which a chain is one place; 0 if
    /// it is far or not wanted. [Graepel et al. 2001]
    pub cfg_distance: [u8; 2],
    /// No stone is near.
    pub is_lonely: bool,
    /// Enemy stones, in the largest such chain, that it puts into atari.
    pub n_atari: u16,
    /// The 3×3 neighbourhood, a [`Code`](goban::Code) with the mover's stones as black ones.
    pub shape: u16,
    /// The lines of its two coordinates, from 1 at the edge, the lower first.
    pub lines: [u8; 2],
    /// Coulom's distance, |Δx| + |Δy| + max(|Δx|, |Δy|), to the last move and to the one before it; 0 if there is no such
    /// move on the board.
    pub distance: [u8; 2],
}

/// Which features are wanted, of those that cost time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Ladders are read.
    pub ladder: bool,
    /// Semeais are looked for everywhere.
    pub semeai: bool,
    /// The number of last moves with common-fate distances, at most two.
    pub n_cfg_distances: usize,
}

/// Calls `each` with the number of every move and its features, in the order of the moves.
pub fn each_move<C: SizeClass>(
    position: &PositionView<'_, C>,
    wanted: Wanted,
    moves: &[Move],
    mut each: impl FnMut(usize, &MoveFeatures),
) {
    let mut table = C::PointMap::<MoveFeatures>::filled(MoveFeatures::default());
    note(position, wanted, moves, &mut table);
    let pass = MoveFeatures { is_pass: true, ..MoveFeatures::default() };
    for (idx, mv) in moves.iter().enumerate() {
        each(idx, mv.point().map_or(&pass, |point| &table[point.idx()]));
    }
}

/// Notes the features of all moves but the pass. It does not know who asks, or it would be compiled for each who does.
fn note<C: SizeClass>(
    position: &PositionView<'_, C>,
    wanted: Wanted,
    moves: &[Move],
    table: &mut C::PointMap<MoveFeatures>,
) {
    let PositionView { board, to_play, .. } = *position;
    let recent = position.recent.map(|mv| mv.unwrap_or(Move::PASS));
    let view = View::new(board, to_play, recent);
    note_atari(&view, wanted, table);
    note_attacks(&view, table);
    note_fights(&view, table);
    if wanted.semeai {
        note_semeais(&view, table);
    }
    if wanted.ladder {
        note_ladders(&view, table);
    }
    let mut distances = [None; 2];
    for (distances, mv) in distances.iter_mut().zip(recent).take(wanted.n_cfg_distances) {
        *distances = cfg_distances(board, mv);
    }
    let lonely = lonely::<C>(board);
    let geometry = Geometry::new::<C>(board.size(), position.recent_points());
    let patterns = Pattern3::standard();
    for point in moves.iter().filter_map(|mv| mv.point()) {
        let features = &mut table[point.idx()];
        let code = board.code(point);
        features.is_self_atari = is_bad_self_atari(board, to_play, point, Strength::Strict);
        features.is_pattern = patterns.matches(code, to_play);
        let steps = |from: &Option<Distances<C>>| from.as_ref().map(|from| from.at(point));
        features.cfg_distance =
            distances.each_ref().map(|from| steps(from).filter(|steps| *steps <= MAX_STEPS).unwrap_or(0));
        features.is_lonely = lonely.contains(point);
        features.shape = playout::pattern3::seen_by(code, to_play).0;
        features.lines = geometry.lines(point);
        features.distance = geometry.distance(point);
    }
}

/// Captures, and own chains saved from atari or lost in spite of it.
fn note_atari<C: SizeClass>(view: &View<'_, C, Full>, wanted: Wanted, table: &mut C::PointMap<MoveFeatures>) {
    let board = view.board;
    for head in board.chains_in_atari(!view.mover) {
        if let Some(point) = atari::taking_point(board, head) {
            let features = &mut table[point.idx()];
            features.n_captured = features.n_captured.saturating_add(board.chain_len(head) as u16);
        }
    }
    for head in board.chains_in_atari(view.mover) {
        let n_stones = board.chain_len(head) as u16;
        let mut out = Candidates::new();
        atari::saves(board, head, &mut out);
        let is_lost = wanted.ladder && ladder::escaping_move(board, head, MAX_LADDER).is_none();
        for point in out.iter() {
            let features = &mut table[point.idx()];
            if is_lost {
                features.is_caught = true;
            } else {
                features.n_saved = features.n_saved.max(n_stones);
            }
        }
    }
}

/// Moves that leave enemy chains of two liberties with one.
fn note_attacks<C: SizeClass>(view: &View<'_, C, Full>, table: &mut C::PointMap<MoveFeatures>) {
    let board = view.board;
    for point in C::on_board(board.size()).difference(board.empty()).iter() {
        if !board.is_stone(point, !view.mover) || board.head(point) != point {
            continue;
        }
        let liberties = board.liberties(point);
        if liberties.len() == 2 {
            let n_stones = board.chain_len(point) as u16;
            for liberty in liberties.iter() {
                let features = &mut table[liberty.idx()];
                features.n_atari = features.n_atari.max(n_stones);
            }
        }
    }
}

/// Notes the playouts' candidates around the last move.
fn note_fights<C: SizeClass>(view: &View<'_, C, Full>, table: &mut C::PointMap<MoveFeatures>) {
    let mut out = Candidates::new();
    fight::two_liberties(view, &mut out);
    fight::race(view, &mut out);
    life::repair(view, &mut out);
    life::vital(view, &mut out);
    for point in out.iter() {
        table[point.idx()].is_fight = true;
    }
}

/// Outside liberties to take in semeais, wherever they are.
fn note_semeais<C: SizeClass>(view: &View<'_, C, Full>, table: &mut C::PointMap<MoveFeatures>) {
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
        table[point.idx()].is_semeai = true;
    }
}

/// First moves of ladders that take something, and moves into ladders.
fn note_ladders<C: SizeClass>(view: &View<'_, C, Full>, table: &mut C::PointMap<MoveFeatures>) {
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
                let features = &mut table[first.idx()];
                features.n_laddered = features.n_laddered.max(board.chain_len(head) as u16);
            }
        }
    }
}

/// Distances from a move, along chains; none from a pass.
fn cfg_distances<C: SizeClass>(board: &Board<C, Full>, mv: Move) -> Option<Distances<C>> {
    let start: Point = mv.point()?;
    let mut distances = Distances::new();
    distances.measure(board, start, MAX_STEPS);
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
    use goban::{Color, Setup, Upto9};

    /// The features of a move of Black's on a drawn board after White's move `last`.
    fn about(drawing: &str, last: &str, mv: &str) -> MoveFeatures {
        let setup = Setup::parse(drawing).unwrap();
        let size = setup.size();
        let mut board = Board::<Upto9, Full>::new(size);
        for (vertex, color) in setup.stones() {
            board.play(color, board.to_move(vertex));
        }
        let to_move = |name: &str| board.to_move(size.parse_vertex(name).unwrap());
        let recent = [Some(to_move(last)), None];
        let position = PositionView { board: &board, to_play: Color::Black, recent };
        let mut found = Vec::new();
        let wanted = Wanted { ladder: true, semeai: true, n_cfg_distances: 2 };
        each_move(&position, wanted, &[to_move(mv)], |idx, features| found.push((idx, *features)));
        assert!(found.len() == 1 && found[0].0 == 0);
        found[0].1
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
        assert_eq!((run.n_saved, run.is_caught, run.cfg_distance), (1, false, [2, 0]));
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
        assert_eq!(about(hunt, "C4", "C3").n_laddered, 1);
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
        let found = about(drawing, "D7", "A3");
        assert!(found.is_semeai && !found.is_fight);
        assert!(!about(drawing, "D7", "C4").is_semeai, "shared");
        assert!(!about(drawing, "D7", "C1").is_semeai, "walls that live");
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
        assert_eq!((hane.is_pattern, hane.cfg_distance, hane.is_lonely), (true, [1, 0], false));
        let far = about(drawing, "D7", "G3");
        assert_eq!((far.is_pattern, far.cfg_distance, far.is_lonely), (false, [0, 0], true));
        assert!(
            about(drawing, "D7", "A1").cfg_distance == [0, 0] && !about(drawing, "D7", "A1").is_self_atari
        );
        assert!(about(drawing, "D7", "pass").is_pass);
        let corner = ". O . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .";
        assert!(about(corner, "B5", "A5").is_self_atari);
    }
}
