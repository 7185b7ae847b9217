//! `tengen bench playouts`: what one playout from the empty board costs.

use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use goban::{AnyBoard, Board, Color, Full, Rng, SizeClass, with_board};
use player::boardgame::GameChoice;
use player::recipes;
use playout::{Start, policy};
use recipe::Choice;
use serde_json::json;

use super::{per_second, print};
use crate::options::{GameOptions, GoTerms, parse_count, parse_seed};
use crate::words::counted;

/// Measure playouts from the empty board, in one thread
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    game: GameOptions,
    /// Who chooses the moves: a policy of `tengen list policy`, with parameters if wanted: uniform:eye=goyui
    #[arg(long, default_value = "uniform")]
    policy: String,
    /// Number of playouts
    #[arg(long, default_value_t = 10_000, value_parser = parse_count, allow_negative_numbers = true)]
    playouts: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// Sums over all playouts.
#[derive(Default)]
struct SpeedSums {
    n_moves: u64,
    /// Black's wins; a draw is half a win.
    wins: f64,
    seconds: f64,
}

impl Options {
    pub(super) fn run(&self) -> Result<()> {
        let policy = recipes::policy(&self.policy).with_context(|| format!("--policy {}", self.policy))?;
        if let Some(game) = self.game.board()? {
            return self.run_board(&game, &policy);
        }
        let GoTerms { size, komi, .. } = self.game.go(9)?;
        let sums = with_board!(&AnyBoard::new(size), |board| self.measure(board, komi, &policy))?;
        let n = self.playouts as f64;
        let (rate, length, black) =
            (per_second(self.playouts, sums.seconds), sums.n_moves as f64 / n, sums.wins / n);
        let json = json!({
            "playouts": self.playouts,
            "seconds": sums.seconds,
            "playouts_per_second": rate,
            "moves_per_playout": length,
            "size": size.to_string(),
            "policy": self.policy,
            "black_win_rate": black,
            "komi": komi,
            "seed": self.seed,
        });
        let text = format!(
            "{} of {} on {size} in {:.3} s: {rate:.0} per second, {:.2} µs each\n\
             {length:.2} moves a playout; Black wins {:.2} % at komi {}",
            counted(self.playouts, "playout"),
            self.policy,
            sums.seconds,
            1e6 * sums.seconds / n,
            100.0 * black,
            komi,
        );
        Ok(print(self.json, &json, &text)?)
    }

    /// The same for a board game beside Go.
    fn run_board(&self, game: &GameChoice, policy: &Choice) -> Result<()> {
        let board = game.board();
        let start = Instant::now();
        let sums = board
            .playouts(policy, self.playouts, self.seed)
            .with_context(|| format!("--policy {}", self.policy))?;
        let seconds = start.elapsed().as_secs_f64();
        let n = self.playouts as f64;
        let (rate, length, black) =
            (per_second(self.playouts, seconds), sums.n_moves as f64 / n, sums.wins / n);
        let json = json!({
            "game": game.to_string(),
            "playouts": self.playouts,
            "seconds": seconds,
            "playouts_per_second": rate,
            "moves_per_playout": length,
            "size": game.size(),
            "policy": self.policy,
            "black_win_rate": black,
            "seed": self.seed,
        });
        let text = format!(
            "{} of {} at {game} on {} in {seconds:.3} s: {rate:.0} per second, {:.2} µs each\n\
             {length:.2} moves a playout; Black wins {:.2} %",
            counted(self.playouts, "playout"),
            self.policy,
            game.size(),
            1e6 * seconds / n,
            100.0 * black,
        );
        Ok(print(self.json, &json, &text)?)
    }

    fn measure<C: SizeClass>(&self, board: &Board<C, Full>, komi: f32, policy: &Choice) -> Result<SpeedSums> {
        let mut rollout = policy::build::<C>(policy, board.size())?;
        let mut rng = Rng::new(self.seed);
        let mut moves = Vec::new();
        let mut sums = SpeedSums::default();
        let start = Instant::now();
        for _ in 0..self.playouts {
            moves.clear();
            let ending = rollout.run(&Start::new(board, Color::Black), &mut rng, &mut moves);
            sums.n_moves += u64::from(ending.n_moves);
            let margin = ending.margin() as f32 - komi;
            sums.wins += if margin == 0.0 { 0.5 } else { f64::from(u8::from(margin > 0.0)) };
        }
        sums.seconds = start.elapsed().as_secs_f64();
        Ok(sums)
    }
}
