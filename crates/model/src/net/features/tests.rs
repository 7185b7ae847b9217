//! Helpers of the tests of this folder, and the tests that concern all planes.

use super::*;
use goban::{Position, Rng, Setup, Size, Symmetry, Vertex, with_board};

/// The planes and globals of a position, readable.
pub(super) struct Told {
    size: Size,
    pub(super) planes: Vec<f32>,
    pub(super) globals: [f32; N_GLOBALS],
}

impl Told {
    pub(super) fn of(game: &Position) -> Self {
        let size = game.size();
        // Whatever the buffers held before must not show.
        let mut told = Self { size, planes: vec![7.0; size.area() * N_PLANES], globals: [7.0; N_GLOBALS] };
        GameInput::new(game).fill(&mut told.planes, &mut told.globals);
        told
    }

    /// The points of a plane that are set, row by row from the top.
    pub(super) fn points(&self, plane: usize) -> String {
        let is_set = |n: usize| match self.planes[n * N_PLANES + plane] {
            0.0 => false,
            1.0 => true,
            other => panic!("{other} in plane {plane}"),
        };
        let set = self.size.vertices().enumerate().filter(|(n, _)| is_set(*n));
        set.map(|(_, vertex)| self.size.show(vertex)).collect::<Vec<_>>().join(" ")
    }

    /// Two planes as a drawing: `X` where the first is set, `O` where the second is.
    pub(super) fn draw(&self, first: usize, second: usize) -> String {
        let sign = |n: usize| match (self.planes[n * N_PLANES + first], self.planes[n * N_PLANES + second]) {
            (1.0, 0.0) => 'X',
            (0.0, 1.0) => 'O',
            (0.0, 0.0) => '.',
            _ => '?',
        };
        let row = |row| (0..self.size.width()).map(|col| sign(row * self.size.width() + col)).collect();
        (0..self.size.height()).map(row).collect::<Vec<String>>().join("\n")
    }
}

/// A game that starts from a drawing.
pub(super) fn drawn(drawing: &str, to_play: Color, rules: Rules) -> Position {
    Position::from_setup(&Setup::parse(drawing).unwrap(), to_play, rules).unwrap()
}

/// Plays moves in turn.
pub(super) fn play(game: &mut Position, moves: &str) {
    for name in moves.split_whitespace() {
        let vertex = game.size().parse_vertex(name).unwrap();
        game.play(game.to_play(), vertex).unwrap();
    }
}

/// Plays random moves, own eyes left alone, and calls `visit` with the game now and then.
pub(super) fn wander(size: Size, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut rng = Rng::new(seed);
    let rules = [Rules::TROMP_TAYLOR, Rules::CHINESE, Rules::AGA, Rules::JAPANESE, Rules::STONE_SCORING];
    let mut game = Position::new(size, rules[seed as usize % rules.len()]);
    for n in 0..size.area() * 2 {
        let color = game.to_play();
        let is_eye = |vertex: Vertex| {
            with_board!(game.board(), |board| board.is_eye(
                board.point(vertex),
                color,
                goban::EyeRule::Standard
            ))
        };
        let moves: Vec<Vertex> =
            game.legal_moves(color).into_iter().filter(|vertex| !is_eye(*vertex)).collect();
        let chosen =
            if moves.is_empty() { Vertex::PASS } else { moves[rng.below(moves.len() as u32) as usize] };
        game.play(color, chosen).unwrap();
        if n % 7 == 3 {
            visit(&game);
        }
        if game.is_over() {
            return;
        }
    }
}

#[test]
fn planes_turn_with_the_board() {
    for (size, seed) in
        [(Size::square(7).unwrap(), 1), (Size::new(8, 5).unwrap(), 2), (Size::square(9).unwrap(), 3)]
    {
        wander(size, seed, |game| {
            let straight = Told::of(game);
            for symmetry in Symmetry::ALL {
                let turned = Told::of(&game.transformed(symmetry));
                assert_eq!(turned.globals, straight.globals);
                for (n, vertex) in size.vertices().enumerate() {
                    let to = symmetry.apply(size, vertex);
                    let m = to.row() * turned.size.width() + to.col();
                    let of = |told: &Told, n: usize| told.planes[n * N_PLANES..][..N_PLANES].to_vec();
                    assert_eq!(of(&turned, m), of(&straight, n), "{symmetry:?} {vertex:?}\n{}", game.board());
                }
            }
        });
    }
}

#[test]
fn colours_are_told_from_the_side_of_the_player_to_move() {
    let board = "X X . . .\n. O O . .\n. . . . .\n. . X . .\n. . . . .";
    let turned = "O O . . .\n. X X . .\n. . . . .\n. . O . .\n. . . . .";
    let [mut black, mut white] =
        [(board, Color::Black), (turned, Color::White)].map(|(board, color)| drawn(board, color, Rules::AGA));
    black.set_komi(3.5).unwrap();
    white.set_komi(-3.5).unwrap();
    let [black, white] = [black, white].map(|game| Told::of(&game));
    assert_eq!(black.planes, white.planes);
    assert_eq!(black.globals, white.globals);
}

#[test]
fn stones_known_to_be_caught_stand_for_their_board() {
    let mut before = None;
    wander(Size::square(9).unwrap(), 5, |game| before = before.take().or_else(|| Some(game.clone())));
    let before = before.unwrap();
    let mut game = before.clone();
    let moves = game.legal_moves(game.to_play());
    game.play(game.to_play(), moves[moves.len() / 2]).unwrap();
    let input = GameInput::new(&game);
    with_board!(game.board(), |board| {
        let area = board.size().area();
        let mut position = input.position(board);
        let mut read = (vec![0.0; area * N_PLANES], [0.0; N_GLOBALS]);
        fill(&position, &mut read.0, &mut read.1);
        for past in &mut position.before {
            let Past::Board(earlier) = *past else { panic!("{past:?}") };
            let alone = NetPosition { board: earlier, before: [Past::Unknown; 2], ..position };
            *past = Past::Caught(fill(&alone, &mut vec![0.0; area * N_PLANES], &mut [0.0; N_GLOBALS]));
        }
        let mut known = (vec![0.0; area * N_PLANES], [0.0; N_GLOBALS]);
        fill(&position, &mut known.0, &mut known.1);
        assert_eq!(known, read);
    });
}
