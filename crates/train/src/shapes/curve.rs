//! Matches that show progress: the greedy policy of the weights against fixed ones.

use goban::{Board, Color, Move, Rng, Size, SizeClass};
use playout::UniformPolicy;
use playout::policy::by_shapes::{ShapeRule, ShapesPolicy};
use playout::policy::mogo::{MoGo, MoGoPolicy};
use playout::policy::{Eye, MovePolicy};
use playout::shapes::{ShapeModel, ShapeTable};
use std::sync::Arc;

use super::SelfPlayTally;

/// A point of the learning curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveRow {
    /// Games learned from.
    pub n_games: u64,
    /// Share of games won against `uniform`, 0..=1.
    pub uniform: f32,
    /// Share of games won against `mogo`.
    pub mogo: f32,
    /// Share of the games of self-play since the last row that Black won; 0 without any.
    pub black: f32,
    /// Mean number of moves in them.
    pub moves: f32,
}

impl CurveRow {
    /// The names of the columns.
    pub const COLUMNS: &'static str = "games,uniform,mogo,black,moves";

    /// The row of a measurement against `uniform` and `mogo`.
    pub(super) fn new(n_games: u64, [uniform, mogo]: [f32; 2], tally: SelfPlayTally) -> CurveRow {
        let mean = |n: u64| n as f32 / tally.n_games.max(1) as f32;
        CurveRow { n_games, uniform, mogo, black: mean(tally.n_black), moves: mean(tally.n_moves) }
    }

    /// The row as it stands in a file.
    pub fn to_text(&self) -> String {
        let Self { n_games, uniform, mogo, black, moves } = self;
        format!("{n_games},{uniform},{mogo},{black},{moves}")
    }

    /// Reads a row.
    pub fn parse(text: &str) -> Option<CurveRow> {
        let (n_games, rest) = text.split_once(',')?;
        let mut numbers = rest.split(',').map(|number| number.parse::<f32>().ok());
        let mut next = || numbers.next().flatten();
        let row = CurveRow {
            n_games: n_games.parse().ok()?,
            uniform: next()?,
            mogo: next()?,
            black: next()?,
            moves: next()?,
        };
        numbers.next().is_none().then_some(row)
    }
}

/// The shares of games won against `uniform` and `mogo`.
pub(super) fn measure<C: SizeClass>(model: &ShapeModel, komi: f32, n_games: u32, seed: u64) -> [f32; 2] {
    let table = Arc::new(ShapeTable::new(model, model.size));
    let mut greedy = ShapesPolicy::new::<C>(table, ShapeRule::Epsilon(0.0));
    let mut uniform = UniformPolicy { eye: Eye::Standard };
    let mut mogo = MoGoPolicy::new(&MoGo::default());
    let size = model.size;
    [
        share::<C, _, _>(&mut greedy, &mut uniform, size, komi, n_games, seed),
        share::<C, _, _>(&mut greedy, &mut mogo, size, komi, n_games, seed),
    ]
}

/// The share of games that `first` wins, colours alternating; a draw is half a win.
fn share<C: SizeClass, A: MovePolicy, B: MovePolicy>(
    first: &mut A,
    second: &mut B,
    size: Size,
    komi: f32,
    n_games: u32,
    seed: u64,
) -> f32 {
    let mut rng = Rng::new(seed);
    let mut wins = 0.0;
    for number in 0..n_games {
        let black_wins = |margin: i32| match margin as f32 - komi {
            0.0 => 0.5,
            margin => f32::from(u8::from(margin > 0.0)),
        };
        wins += if number % 2 == 0 {
            black_wins(game::<C, _, _>(first, second, size, &mut rng))
        } else {
            1.0 - black_wins(game::<C, _, _>(second, first, size, &mut rng))
        };
    }
    wins / n_games.max(1) as f32
}

/// Black's margin in a game between two policies. Each has a board of its own, since they keep different things.
fn game<C: SizeClass, A: MovePolicy, B: MovePolicy>(
    black: &mut A,
    white: &mut B,
    size: Size,
    rng: &mut Rng,
) -> i32 {
    let (mut black_board, mut white_board) = (Board::<C, A::Keep>::new(size), Board::<C, B::Keep>::new(size));
    black.start(&black_board, [Move::PASS; 2]);
    white.start(&white_board, [Move::PASS; 2]);
    let (mut color, mut n_passes) = (Color::Black, 0);
    for _ in 0..3 * size.area() {
        let chosen = match color {
            Color::Black => black.choose::<C, true>(&mut black_board, rng),
            Color::White => white.choose::<C, false>(&mut white_board, rng),
        };
        let mv = chosen.map_or(Move::PASS, Move::at);
        black_board.play(color, mv);
        white_board.play(color, mv);
        black.played(&black_board, color, mv);
        white.played(&white_board, color, mv);
        n_passes = if mv.is_pass() { n_passes + 1 } else { 0 };
        if n_passes == 2 {
            break;
        }
        color = !color;
    }
    let (black, white) = black_board.area();
    black as i32 - white as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Upto9;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let row = CurveRow { n_games: 1 << 40, uniform: 0.935, mogo: 0.1, black: 1.0 / 3.0, moves: 101.25 };
        assert_eq!(CurveRow::parse(&row.to_text()), Some(row));
        for text in ["", "1,2,3", "1,2,3,4,5,6", "x,1,2,3,4", "1,2,3,4,x"] {
            assert_eq!(CurveRow::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_policy_holds_its_own_and_mogo_beats_uniform() {
        let size = Size::square(7).unwrap();
        let mut uniform = UniformPolicy { eye: Eye::Standard };
        let mut other = uniform.clone();
        let even = share::<Upto9, _, _>(&mut uniform, &mut other, size, 0.5, 400, 2);
        // The standard deviation is 0.025.
        assert!((even - 0.5).abs() < 0.1, "{even}");
        let mut mogo = MoGoPolicy::new(&MoGo::default());
        let strong = share::<Upto9, _, _>(&mut mogo, &mut uniform, size, 0.5, 200, 2);
        assert!(strong > 0.8, "{strong}");
    }
}
