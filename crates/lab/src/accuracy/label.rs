//! Draws positions from recorded games and labels them by deep search.
//!
//! One position of each drawn game: that before a move drawn from those before the game's first pass, each equally likely.
//! Games without a komi, or with a move that the rules refuse, are not drawn. Which positions these are follows from
//! the seed, so a run that was interrupted goes on with the same ones.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use goban::{Color, Position, Rng, Rules};
use mcts::{Limits, Settings};
use player::record;
use player::searcher::PositionSearch;
use recipe::Recipe;
use records::{GameSample, ReadItem, RecordedGame, read};
use sgf::GameResult;

use super::file::{Label, LabelLog};
use crate::error::{Error, ErrorPlace, Result};
use crate::spread::{seed_of, spread};

/// Seeds of the moves that are drawn differ from those of the searches.
const MOVE_SEEDS: u64 = 0x6d6f_7665;

/// Games, each with the move before which its position is taken, from 1.
pub struct DrawnGames {
    /// In the order of the files.
    pub games: Vec<(RecordedGame, usize)>,
    /// Games that could have been drawn.
    pub n_fit: u64,
}

/// Draws the positions. What cannot be read is handed to `complain`.
pub fn draw(
    paths: &[PathBuf],
    n_positions: usize,
    seed: u64,
    rules: Rules,
    mut complain: impl FnMut(&str),
) -> DrawnGames {
    let mut sample = GameSample::drawn(n_positions, seed);
    read(paths, |found| {
        match found {
            ReadItem::Unreadable(why) => complain(&why),
            ReadItem::Game(game) if game.komi.is_some() && n_before_pass(&game) > 0 => {
                sample.offer(*game, |game| is_legal(game, rules));
            }
            ReadItem::Game(_) => {}
        }
        ControlFlow::Continue(())
    });
    let n_fit = sample.n_offered() as u64;
    let with_move = |(game, number): (RecordedGame, u64)| {
        let mut rng = Rng::new(seed_of(seed ^ MOVE_SEEDS, number));
        let before_move = rng.below(n_before_pass(&game) as u32) as usize + 1;
        (game, before_move)
    };
    DrawnGames { games: sample.into_games().into_iter().zip(1..).map(with_move).collect(), n_fit }
}

/// Moves before the first pass.
fn n_before_pass(game: &RecordedGame) -> usize {
    game.plays().take_while(|play| !play.vertex.is_pass()).count()
}

fn is_legal(game: &RecordedGame, rules: Rules) -> bool {
    matches!(game.replay(rules, 0.0, |_, _| Ok::<_, Infallible>(true)), Ok(Ok(())))
}

/// A deep search.
#[derive(Clone, Debug)]
pub struct LabelSearch {
    /// Who searches.
    pub recipe: Recipe,
    /// Simulations for each position.
    pub playouts: u64,
    /// The seed of all.
    pub seed: u64,
    /// Bytes that a tree may take.
    pub memory: usize,
    /// By which the positions are played.
    pub rules: Rules,
}

impl LabelSearch {
    /// Labels the positions that the log does not have yet, `parallel` at a time. Each is stored as soon as it is found;
    /// `labelled` is told of each, and of those that were there at the beginning first.
    ///
    /// # Errors
    /// When a search cannot be built or the file cannot be written.
    pub fn label_all(
        &self,
        drawn: &[(RecordedGame, usize)],
        (log, there): (LabelLog, &[Label]),
        parallel: usize,
        mut labelled: impl FnMut(&Label),
    ) -> Result<()> {
        let done: BTreeSet<u64> = there.iter().map(|label| label.number).collect();
        there.iter().for_each(&mut labelled);
        let open: Vec<u64> = (1..=drawn.len() as u64).filter(|number| !done.contains(number)).collect();
        let log = Mutex::new(log);
        let hire = || {
            |idx: usize| {
                let number = open[idx];
                let (game, before_move) = &drawn[number as usize - 1];
                let label = self.label(number, game, *before_move).at(&game.place)?;
                log.lock().unwrap_or_else(PoisonError::into_inner).add(&label)?;
                Ok(label)
            }
        };
        spread(open.len(), parallel, hire, |_, label| {
            labelled(&label);
            Ok(())
        })
    }

    /// Labels one position.
    ///
    /// # Errors
    /// When the recipe's search cannot be built.
    pub fn label(&self, number: u64, game: &RecordedGame, before_move: usize) -> Result<Label> {
        let position = game.before_move(before_move, self.rules, 0.0)?;
        let seed = seed_of(self.seed, number);
        let found = self.search(&position, seed)?;
        let sgf = record::to_sgf(&position, ["Black", "White"], None).map_err(Error::other)?;
        Ok(Label {
            number,
            game: game.place.to_string(),
            source: game.source.clone(),
            before_move: before_move as u64,
            to_play: position.to_play().into(),
            value: found.value,
            mean: found.mean,
            score: found.score,
            best: found.best,
            best_visits: found.best_visits,
            result: result_of(game.result),
            seed,
            seconds: found.seconds,
            sgf: sgf.to_string(),
        })
    }

    /// Searches as a player of ours would.
    fn search(&self, position: &Position, seed: u64) -> Result<SearchLabel> {
        let color = position.to_play();
        let settings = Settings { seed, memory: self.memory, ..Settings::default() };
        let mut search = PositionSearch::new(&self.recipe, &settings, position, color)?;
        let report = search.run(&Limits::simulations(self.playouts));
        let chosen = search.pick(&report);
        let best = report.arms.iter().find(|arm| Some(search.tree().vertex(arm.action)) == chosen);
        let best = best.ok_or_else(|| Error::input("the game is over; expected a position with a move"))?;
        let of_black = |win: f32| f64::from(if color == Color::Black { win } else { 1.0 - win });
        Ok(SearchLabel {
            value: of_black(best.win),
            mean: of_black(report.win),
            score: f64::from(report.score),
            best: position.size().show(search.tree().vertex(best.action)),
            best_visits: best.visits.into(),
            seconds: report.seconds,
        })
    }
}

/// The result of a search; see [`Label`].
struct SearchLabel {
    value: f64,
    mean: f64,
    score: f64,
    best: String,
    best_visits: u64,
    seconds: f64,
}

/// A result as Black sees it.
fn result_of(result: GameResult) -> Option<f64> {
    match result {
        GameResult::Draw => Some(0.5),
        GameResult::Win { color: sgf::Color::Black, .. } => Some(1.0),
        GameResult::Win { color: sgf::Color::White, .. } => Some(0.0),
        _ => None,
    }
}
