//! Positions of Go as networks read them: the game's own four planes, or the planes and globals of KataGo's networks.

use super::GoGame;
use crate::cx::PathStep;
use crate::game::{Action, Game};
use goban::{Board, Full, Ko, Move, PointSet, Rules, Scoring, Size, SizeClass, Symmetry, Vertex};
use model::net::features::{self, N_GLOBALS, N_PLANES, NetPosition, Past};
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};

/// The place of a vertex in rows from the top; the pass comes behind all points, and so does what is not on the board.
pub(super) fn point_idx(size: Size, vertex: Vertex) -> usize {
    let is_point = size.contains(vertex);
    if is_point { vertex.row() * size.width() + vertex.col() } else { size.area() }
}

/// A symmetry of boards of `size` as a permutation of actions; those off the board stay where they are.
pub(super) fn action_turning<C: SizeClass>(size: Size, symmetry: Symmetry) -> Turning {
    let turn = |idx: u16| {
        let vertex = GoGame::<C>::vertex(Action(idx));
        let to = if size.contains(vertex) { symmetry.apply(size, vertex) } else { vertex };
        if to == vertex { idx } else { GoGame::<C>::action(Move::at(C::point(to))).0 }
    };
    Turning::of_actions((0..=C::POINTS as u16).map(turn))
}

/// Writes a position down, which is reached from `origin` by `path`; returns a hash of what was written.
pub(super) fn encode<C: SizeClass>(
    game: &GoGame<C>,
    form: InputForm,
    origin: &GoGame<C>,
    path: &[PathStep],
    out: &mut EncodedPosition,
) -> u64 {
    match form {
        InputForm::Planes => {
            out.planes.clear();
            out.planes.resize(game.n_planes() * game.n_actions(), 0.0);
            game.planes(&mut out.planes);
            game.key()
        }
        InputForm::Board => {
            encode_board(game, origin, path, out);
            board_key(game)
        }
    }
}

/// The boards before the last move of a path and before the last two: those of the path, then those before its origin.
fn boards_before<C: SizeClass>(origin: &GoGame<C>, path: &[PathStep]) -> [Option<Board<C, Full>>; 2] {
    let mut boards = origin.before.as_ref().map_or([None; 2], |before| before.boards);
    let (mut board, mut mover) = (origin.board, origin.to_play);
    for (n_left, step) in (0..path.len()).rev().zip(path) {
        // A board is large: only those that are asked for are copied.
        if n_left < 2 {
            boards = [Some(board), boards[0]];
        }
        if n_left > 0 {
            board.play(mover, GoGame::<C>::to_move(step.action));
        }
        mover = !mover;
    }
    boards
}

fn encode_board<C: SizeClass>(
    game: &GoGame<C>,
    origin: &GoGame<C>,
    path: &[PathStep],
    out: &mut EncodedPosition,
) {
    let size = game.board.size();
    let boards = boards_before(origin, path);
    let rules = origin.before.as_ref().map_or(Rules::CHINESE, |before| before.rules);
    let position = NetPosition {
        board: &game.board,
        before: boards.each_ref().map(|board| board.as_ref().map_or(Past::Unknown, Past::Board)),
        recent: game.recent.map(|action| action.map(GoGame::<C>::to_move)),
        to_play: game.to_play,
        komi: game.komi,
        rules,
        banned: C::Set::default(),
        pass_ends: game.n_passes >= 1,
        hides_lost_pass: false,
        has_button: false,
    };
    out.planes.resize(size.area() * N_PLANES, 0.0);
    let mut globals = [0.0; N_GLOBALS];
    features::fill(&position, &mut out.planes, &mut globals);
    out.globals.clear();
    out.globals.extend_from_slice(&globals);
    out.board = [size.width(), size.height()];
    out.legal.clear();
    out.legal.extend(size.vertices().map(|vertex| {
        game.board.to_move(vertex).point().is_some_and(|point| {
            game.board.empty().contains(point) && game.board.is_legal(game.to_play, point)
        })
    }));
    out.legal.push(true);
    out.may_end_without_result = rules.ko == Ko::Simple || rules.scoring == Scoring::Territory;
}

/// The hash of a position with the ko, the moves and the komi that the network is told.
fn board_key<C: SizeClass>(game: &GoGame<C>) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let moves = game.recent.iter().map(|action| action.map_or(u64::MAX, |action| action.idx() as u64));
    let ko = game.board.ko().map_or(0, |point| 1 + point.idx() as u64);
    let told = u64::from(game.komi.to_bits()) | ko << 32;
    let mixed = moves.fold(told, |hash, mv| (hash ^ mv).wrapping_mul(ODD).rotate_left(23));
    game.key() ^ mixed
}
