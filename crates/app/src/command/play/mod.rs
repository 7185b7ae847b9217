//! `tengen play`: a game in the terminal that needs no manual.
//!
//! Reading order: this file (options), `words` (what both tables say), `table` (Go), `draw` (its board), `board` (the other games).

mod board;
mod draw;
mod table;
mod words;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use goban::{Color, Position};
use player::boardgame::{GameChoice, Opponent};
use player::{Budget, Manners, clock};

use crate::options::{
    GameOptions, LevelOptions, MannerOptions, ThinkOptions, check_handicap, only_go, parse_whole,
};
use board::BoardSession;
use draw::DrawStyle;
use table::PlaySession;

/// Play a game in the terminal
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    think: ThinkOptions,
    #[command(flatten)]
    level: LevelOptions,
    /// Your colour: black or white
    #[arg(long, default_value = "black", value_parser = parse_color)]
    color: Color,
    #[command(flatten)]
    manners: MannerOptions,
    /// Think on your time, too
    #[arg(long)]
    ponder: bool,
    /// Handicap stones for Black
    #[arg(long, default_value_t = 0, value_parser = parse_whole, allow_negative_numbers = true)]
    handicap: usize,
}

fn parse_color(text: &str) -> Result<Color, String> {
    Color::parse(text).ok_or_else(|| "expected black or white".to_string())
}

/// Seconds for a move when nobody says how long.
const DEFAULT_TIME: f64 = 1.0;

impl Options {
    pub(crate) fn run(mut self) -> Result<ExitCode> {
        self.think.check()?;
        // A person who passes by mistake, or to see what happens, is not to have the game ended by it.
        let manners = Manners { plays_on_early: true, ..self.manners.manners() };
        let manners = self.level.apply(&mut self.think, manners)?;
        // A person at the table waits a moment rather than play against the shallow default.
        if self.think.playouts.is_none() {
            self.think.time.get_or_insert(DEFAULT_TIME);
        }
        if let Some(game) = self.game.board()? {
            return self.play_board(&game);
        }
        let game = self.game.go(9)?;
        let mut position = Position::new(game.size, game.rules);
        let area = game.size.area();
        if game.komi.abs() > area as f32 {
            bail!("--komi {}: expected at most the points of the board, {area}, either way", game.komi);
        }
        position.set_komi(game.komi)?;
        check_handicap(self.handicap)?;
        if self.handicap > 0 {
            position.fixed_handicap(self.handicap)?;
        }
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let has_color = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() && !is_dumb;
        let style = if has_color { DrawStyle::Color } else { DrawStyle::Plain };
        let mut engine = self.think.player()?.with_manners(manners);
        engine.prepare(&position)?;
        let mut table = PlaySession::new(position, self.color, engine, self.budget(), style);
        table.set_pondering(self.ponder);
        table.play(&mut io::stdin().lock(), &mut io::stdout())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Plays a board game beside Go.
    fn play_board(&self, game: &GameChoice) -> Result<ExitCode> {
        let given = [
            ("--pass-below", self.manners.passes()),
            ("--ponder", self.ponder),
            ("--handicap", self.handicap > 0),
            ("--level", self.level.is_given()),
        ];
        only_go(game, &given)?;
        let mut engine = self.think.opponent(game, self.manners.manners())?;
        let board = game.board();
        engine.begin(board.as_ref(), self.think.seed)?;
        let mut table = BoardSession::new(board, self.color, Box::new(engine), self.budget());
        table.play(&mut io::stdin().lock(), &mut io::stdout())?;
        Ok(ExitCode::SUCCESS)
    }

    /// What Tengen may spend on a move.
    fn budget(&self) -> Budget {
        Budget {
            playouts: self.think.playouts,
            time: self.think.time.map(clock::seconds),
            may_resign: true,
            ..Budget::default()
        }
    }
}
