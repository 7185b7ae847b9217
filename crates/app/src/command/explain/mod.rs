//! `tengen explain`: what the search thinks of a position of a record, and how it came to think so.
//!
//! Reading order: this file (options), `load` (the record), `study` (the search, in one run or in slices), `trace` (the
//! CSV file), `order` (which move comes first), `text` and `draw` (for people), `json` (for programs), `board` (other games
//! than Go).

mod board;
mod draw;
mod json;
mod load;
mod order;
mod study;
mod text;
mod trace;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::Rules;
use mcts::Report;
use player::boardgame::GameChoice;

use crate::files::check_free;
use crate::options::{
    Sides, ThinkOptions, board_game, game_help, only_go, parse_count, parse_points, parse_rules, parse_sides,
    recipe_option,
};
use board::BoardStudy;
use study::{GoStudy, SearchResult, SearchedPosition, think};
use trace::TraceTable;

/// Simulations when neither a number nor a time is given.
const DEFAULT_PLAYOUTS: u64 = 10_000;

/// Show what the search thinks of a position of a record
///
/// Prints the board with the best moves lettered, the table of the moves (visits, value, what each model says and how
/// much it counts, the expected line), the expected score, who will own what, and the move that would be played, which
/// is the first of the table. All values are those of the player to move: win rates, or points with reward=score.
///
/// --json prints one object for programs. value, win and the means of models are those of the player to move,
/// score_black and ownership_black Black's; shares and rates go from 0 to 1, ownership from -1 (White) to 1 (Black) by
/// rows from the top.
///
/// --trace writes a table as the search goes on, to draw curves from: a line for each move and each --every
/// simulations, with the columns simulation, move, visits, then for every model of the recipe its observations
/// MODEL.n, its estimate MODEL.q and its weight MODEL.beta, then value. With models=mc+rave these are n, Q, 1-β, ñ, Q̃,
/// β and the mixed value.
///
/// Every field and column is explained in docs/methods/README.md under "Looking on".
#[derive(Args)]
pub(crate) struct Options {
    /// The record, SGF; of several games the first, of variations the main line. Without it: the empty board, for games
    /// other than Go
    file: Option<PathBuf>,
    #[arg(long, default_value = "go", value_name = "GAME", help = game_help())]
    game: String,
    /// Board size of a game other than Go, if there is no record
    #[arg(long, value_parser = parse_sides, allow_negative_numbers = true)]
    size: Option<Sides>,
    /// The position before this move, as `loadsgf` counts; without it the last one
    #[arg(long = "move", value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    before_move: Option<u64>,
    #[command(flatten)]
    think: ThinkOptions,
    /// Moves to show in the table and on the board; the one that would be played is always among them
    #[arg(long, default_value_t = 10, value_name = "K", value_parser = parse_count, allow_negative_numbers = true)]
    top: u64,
    /// Points for White instead of the record's; 7.5 if neither says
    #[arg(long, value_parser = parse_points, allow_negative_numbers = true)]
    komi: Option<f32>,
    /// Rules instead of the record's; chinese if neither says
    #[arg(long, value_parser = parse_rules)]
    rules: Option<Rules>,
    /// Print one line of JSON with all moves
    #[arg(long)]
    json: bool,
    /// Write each move's numbers as the search goes on into this file
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Simulations between two looks of --trace [default: a hundredth of --playouts]
    #[arg(long, value_name = "K", requires = "trace", value_parser = parse_count, allow_negative_numbers = true)]
    every: Option<u64>,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.think.check()?;
        let before_move = self.before_move.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let top = usize::try_from(self.top).unwrap_or(usize::MAX);
        let text = match board_game(&self.game, self.size)? {
            Some(game) => {
                only_go(&game, &[("--komi", self.komi.is_some()), ("--rules", self.rules.is_some())])?;
                let mut study = self.board_study(&game, before_move)?;
                let found = self.search(&mut study)?;
                if self.json {
                    board::json(&study, &found).to_string()
                } else {
                    board::text(&study, &found, top)
                }
            }
            None => {
                let mut study = self.go_study(before_move)?;
                let found = self.search(&mut study)?;
                if self.json {
                    json::found(&study, &found).to_string()
                } else {
                    text::found(&study, &found, top)
                }
            }
        };
        writeln!(io::stdout().lock(), "{}", text.trim_end())?;
        Ok(ExitCode::SUCCESS)
    }

    fn go_study(&self, before_move: Option<usize>) -> Result<GoStudy> {
        let Some(file) = &self.file else {
            bail!("expected the record of a game: tengen explain FILE.sgf");
        };
        if let Some([width, height]) = self.size {
            bail!("--size {width}x{height}: the record says how large the board is");
        }
        let position = load::position(file, before_move, self.rules, self.komi)?;
        let recipe = self.think.recipe_text();
        GoStudy::new(&position, recipe, self.think.settings()?).with_context(|| recipe_option(recipe))
    }

    fn board_study(&self, game: &GameChoice, before_move: Option<usize>) -> Result<BoardStudy> {
        let board = match &self.file {
            Some(file) => board::load(file, &self.game, self.size, before_move)?,
            None if before_move.is_some_and(|number| number > 1) => {
                bail!("--move: there is no record; expected its file")
            }
            None => game.board(),
        };
        let recipe = self.think.recipe_for(game);
        let settings = self.think.board_settings(game)?;
        BoardStudy::new(board, recipe, settings).with_context(|| recipe_option(recipe))
    }

    /// Runs the search, and writes the table of --trace meanwhile.
    fn search(&self, study: &mut dyn SearchedPosition) -> Result<SearchResult> {
        let playouts = match (self.think.playouts, self.think.time) {
            (None, None) => DEFAULT_PLAYOUTS,
            (playouts, _) => playouts.unwrap_or(u64::MAX),
        };
        let Some(path) = &self.trace else {
            return think(study, playouts, self.think.time, u64::MAX, |_, _, _| Ok(()));
        };
        let in_file = || format!("--trace {}", path.display());
        let record = self.file.as_ref().and_then(|file| file.canonicalize().ok());
        if let (Ok(table), Some(record)) = (path.canonicalize(), record)
            && table == record
        {
            bail!("--trace {}: that is the game record; expected another file", path.display());
        }
        check_free("--trace", path, "such a table", |bytes| bytes.starts_with(trace::COLUMNS.as_bytes()))?;
        let file = File::create(path).with_context(in_file)?;
        let mut trace = TraceTable::new(BufWriter::new(file));
        let every = self.every.unwrap_or(self.think.playouts.unwrap_or(DEFAULT_PLAYOUTS).div_ceil(100));
        let look = |study: &dyn SearchedPosition, n: u64, report: &Report| trace.add(study, n, report);
        let found = think(study, playouts, self.think.time, every, look).with_context(in_file)?;
        trace.finish().with_context(in_file)?;
        Ok(found)
    }
}
