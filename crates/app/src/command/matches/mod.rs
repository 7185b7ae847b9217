//! `tengen match`: many games between two players, and what they say about their strength.
//!
//! A match is an experiment of one group: `lab::run` plays it, and the store keeps it.
//!
//! Reading order: this file (options), `folder` (where it is kept), `bar` (what is shown meanwhile).

mod bar;
mod folder;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use lab::experiment::{Experiment, MatchPlan, match_names};
use lab::game::terms::{patience, usual_judge};
use lab::opening::{OpeningSource, OpeningWork};
use lab::run::RunNews;
use lab::store::Store;
use lab::tally::MatchTally;
use lab::{Entrant, Pairing, Terms, clock};
use player::boardgame::GameChoice;
use player::game::NEEDS_EMPTY_BOARD;
use player::{Allowance, JudgeName, PlayError, TimeSystem};

use super::lab::run_info;
use crate::options::{
    GameOptions, MannerOptions, check_handicap, only_go, parse_count, parse_parallel, parse_seconds,
    parse_seed, parse_up_to, parse_whole,
};
use crate::{folders, interrupt};
use bar::MatchBar;
use folder::MatchFolder;

/// Play a match between two players
///
/// A player is a recipe (`default`, `uct select.c=0.5`), a level of the page (`level:5`), `random`, a playout policy by itself (`policy:mogo`), the
/// policy of a network by itself (`policy:net@net=NAME`, `policy:net:temperature=0.5@net=NAME`), or an outside engine (`gtp:COMMAND`). After an `@` may follow a budget of its own: `default@playouts=300`, `gtp:COMMAND@time=0.5`,
/// `uct@playouts=3000,time=2` (whichever ends first); a clock of its own: `gtp:COMMAND@clock=5m`; memory and threads of a
/// recipe: `default@memory=64M,threads=2`; and a network for a recipe that uses one: `katago@net=NAME,playouts=400` (see
/// `tengen net list`), or two, policy and value (`alphago@net=NAME,value-net=NAME`). `default@early-pass=no` does not pass while the board is still open, as no level does. A level has a
/// budget of its own; a clock may be added, and with little time on it the level thinks less. Where a command has `{seed}` in
/// it, the engine is started again for each game, with the game's seed in this place (`{seed31}`: as a number below 2147483648).
///
/// Colours alternate; A has Black in the first game. Games 1 and 2, 3 and 4, ... are colour pairs: with --openings both
/// have the same opening. Elo, its interval and the likelihood of superiority are judged by pairs.
///
/// With --out every game is kept, in lab.sqlite and as SGF. The same command continues a match that was interrupted, or makes
/// it longer with a larger --games; no finished game is lost or played twice. A match is an experiment of one group:
/// `tengen lab status`, `report` and `export` show its folder, and so does the page's laboratory.
///
/// With --game the players play another board game; a gtp: program then speaks the same protocol with the moves of that
/// game, as Hex programs do (HTP).
///
/// In rates a draw is half a win. Players in this process with a fixed number of playouts play the same games for the
/// same seed, however many games are played at a time.
#[derive(Args)]
pub(crate) struct Options {
    /// The first player
    #[arg(long, value_name = "PLAYER")]
    a: Entrant,
    /// The second player
    #[arg(long, value_name = "PLAYER")]
    b: Entrant,
    /// Number of games
    #[arg(long, default_value_t = 100, value_parser = parse_games, allow_negative_numbers = true)]
    games: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = parse_parallel, allow_negative_numbers = true)]
    parallel: u64,
    #[command(flatten)]
    game: GameOptions,
    /// How games begin: none (the empty board), a folder or file of SGF records, which are followed to their ends, or
    /// balanced:N: N random openings of a few stones that a search of `default` gives about even chances, kept as openings.sgf
    #[arg(long, default_value = "none", value_name = "DIR|none|balanced[:N]")]
    openings: OpeningSource,
    /// Black's handicap stones, on the fixed points
    #[arg(long, default_value_t = 0, value_name = "STONES", value_parser = parse_whole, allow_negative_numbers = true)]
    handicap: usize,
    /// New simulations for each move; outside engines have settings of their own
    #[arg(long, value_parser = parse_count, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Seconds for each move, which no clock enforces
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// The clock of each player, who loses when it has run out: 30 (seconds in all), 10m+3x30 (byo-yomi), 300+60/10
    /// (Canadian), 120+10f (Fischer)
    #[arg(long, value_parser = clock::parse, allow_negative_numbers = true)]
    clock: Option<TimeSystem>,
    /// Seed of everything random; each game has seeds of its own that follow from it
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Who counts: board (as it stands), dead (without the stones that playouts judge dead), or gtp:COMMAND (a program's
    /// final_score). Without this: board, or dead if an outside engine plays
    #[arg(long)]
    referee: Option<JudgeName>,
    #[command(flatten)]
    manners: MannerOptions,
    /// Nobody resigns; every game is counted
    #[arg(long, conflicts_with = "resign")]
    no_resign: bool,
    /// Moves after which a game is counted as it stands [default: three times the points of the board]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    max_moves: Option<u64>,
    /// Seconds after which a silent outside engine without a clock has lost; one that is silent at its start, for this
    /// long or two minutes, ends the match
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    patience: f64,
    /// The folder for games and results
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result as JSON, in one last line
    #[arg(long)]
    json: bool,
}

/// More than anybody plays; the list of open games stays small.
const MAX_GAMES: u64 = 10_000_000;

fn parse_games(text: &str) -> Result<u64> {
    parse_up_to(text, MAX_GAMES)
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let stop = Arc::new(AtomicBool::new(false));
        let experiment = self.experiment(&stop)?;
        let mut folder = match &self.out {
            Some(dir) => MatchFolder::open(dir, &experiment)?,
            None => MatchFolder::in_memory(&experiment)?,
        };
        interrupt::stop_games(Arc::clone(&stop))?;
        let played = self.play(&experiment, folder.store()?, &stop);
        folder.write_beside(&experiment)?;
        let tally = tally(folder.store()?)?;
        played.with_context(|| format!("stopped {}", self.so_far(tally.games)))?;
        let mut out = io::stdout().lock();
        writeln!(out, "{}", tally.table([self.a.text(), self.b.text()]))?;
        for line in folder.store()?.left_out()?.words() {
            writeln!(out, "{line}")?;
        }
        if self.json {
            writeln!(out, "{}", tally.json())?;
        }
        if tally.games < self.games {
            return Ok(interrupt::stopped(&self.so_far(tally.games), self.out.is_some()));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The match as an experiment. One that is continued has the players' names of its first run.
    fn experiment(&self, stop: &Arc<AtomicBool>) -> Result<Experiment> {
        let mut pairing = self.pairing()?;
        if let OpeningSource::Records(_) = self.openings {
            let mut work = OpeningWork { parallel: 1, kept: None, stop, progress: &mut |_, _| {} };
            let openings = self.openings.open(&pairing.terms, self.seed, &mut work);
            pairing.terms.openings = openings.with_context(|| format!("--openings {}", self.openings))?;
            pairing.terms.check()?;
        }
        let dir = self.out.as_deref();
        let names = dir.map(folder::names).transpose()?.flatten();
        Ok(Experiment::of_match(MatchPlan {
            name: dir.map_or_else(|| "match".to_string(), folder::name),
            path: dir.map_or_else(PathBuf::new, folder::file),
            names: names.unwrap_or_else(|| match_names(&pairing.entrants)),
            pairing,
            openings: self.openings.clone(),
            n_games: self.games,
        }))
    }

    /// Plays what is missing. A record that cannot be written ends the match: the store has its game.
    fn play(&self, experiment: &Experiment, store: &mut Store, stop: &Arc<AtomicBool>) -> Result<()> {
        let mut bar = MatchBar::new(&store.standings(experiment)?[0]);
        let mut failure = None;
        let mut watch = |news: &RunNews<'_>| {
            bar.show(news);
            if let (RunNews::Game(now), Some(dir)) = (news, &self.out)
                && let Err(error) = folder::write_record(dir, now.game.line.game, &now.game.sgf)
            {
                failure.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        };
        let played = lab::run::run(experiment, store, &run_info(self.parallel, None), &mut watch, stop);
        bar.end();
        failure.map_or(Ok(()), Err)?;
        played?;
        Ok(())
    }

    fn so_far(&self, n_played: u64) -> String {
        format!("after {n_played} of {} games", self.games)
    }

    fn pairing(&self) -> Result<Pairing> {
        // A handicap or a komi that does not fit is found before the first game.
        check_handicap(self.handicap)?;
        let time = self.time.map(clock::seconds_per_move).transpose().context("--time")?;
        let think = clock::seconds_per_move(self.patience).context("--patience")?;
        let mut entrants = [self.a.clone(), self.b.clone()];
        let nets = folders::nets();
        let board = self.game.board()?;
        let game = board.as_ref().map_or("go", |board| board.entry().name);
        for (option, entrant) in ["--a", "--b"].iter().zip(&mut entrants) {
            entrant.load_net(&nets, game).with_context(|| option.to_string())?;
        }
        let mut terms = match board {
            Some(game) => self.board_terms(game, &entrants)?,
            None => {
                let game = self.game.go(9)?;
                Terms::new(game.size, game.komi, game.rules)
            }
        };
        terms.handicap = self.handicap;
        terms.allowance = Allowance { playouts: self.playouts, time, clock: self.clock.unwrap_or_default() };
        terms.judge = self.referee.clone().unwrap_or_else(|| usual_judge(&entrants));
        terms.patience = patience(think);
        terms.manners = self.manners.manners();
        terms.may_resign = !self.no_resign;
        terms.max_moves =
            self.max_moves.map_or(terms.max_moves, |n| usize::try_from(n).unwrap_or(usize::MAX));
        if self.handicap > 0 && self.openings != OpeningSource::None {
            bail!("--handicap {}: {NEEDS_EMPTY_BOARD}; leave out --openings", self.handicap);
        }
        terms.check().map_err(|error| match error {
            PlayError::Handicap(error) => Error::new(error).context(format!("--handicap {}", self.handicap)),
            other => Error::new(other),
        })?;
        Ok(Pairing { entrants, terms, seed: self.seed })
    }

    /// The terms of a board game beside Go, but for what all games have.
    fn board_terms(&self, game: GameChoice, entrants: &[Entrant; 2]) -> Result<Terms> {
        let given = [
            ("--handicap", self.handicap > 0),
            ("--openings", self.openings != OpeningSource::None),
            ("--referee", self.referee.is_some()),
            ("--pass-below", self.manners.passes()),
            ("--max-moves", self.max_moves.is_some()),
        ];
        only_go(&game, &given)?;
        for (option, entrant) in ["--a", "--b"].iter().zip(entrants) {
            entrant.check_game(&game).with_context(|| option.to_string())?;
        }
        Ok(Terms::of_board(game)?)
    }
}

/// The sums of the games that count.
fn tally(store: &Store) -> Result<MatchTally> {
    let mut tally = MatchTally::default();
    for pairing in store.pairings()? {
        store.counted(&pairing)?.0.iter().for_each(|line| tally.add(line));
    }
    Ok(tally)
}
