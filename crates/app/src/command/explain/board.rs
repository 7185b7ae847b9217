//! The search of a position of a game other than Go.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use goban::Color;
use mcts::report::{Arm, Report};
use mcts::{Action, Limits, Settings};
use player::boardgame::{GameChoice, Tabletop, Thinker, record};
use player::recipes;
use serde_json::{Value, json};

use super::json::whole;
use super::load::past_the_end;
use super::study::{Asked, SearchResult, SearchedPosition};
use super::text::{choice, effort, moves, percent, recipe_line, shown};
use crate::options::Sides;

/// A position and the search over it.
pub(super) struct BoardStudy {
    board: Box<dyn Tabletop>,
    asked: Asked,
    search: Box<dyn Thinker>,
}

impl BoardStudy {
    /// The search of a recipe over a position.
    pub(super) fn new(board: Box<dyn Tabletop>, name: &str, settings: Settings) -> Result<Self> {
        let recipe = recipes::parse(name)?;
        let mut search = board.thinker(&recipe, &settings)?;
        search.catch_up(board.plays());
        Ok(Self { board, asked: Asked { name: name.to_string(), recipe, settings }, search })
    }
}

impl SearchedPosition for BoardStudy {
    fn asked(&self) -> &Asked {
        &self.asked
    }

    fn to_play(&self) -> Color {
        self.board.to_play()
    }

    fn n_plays(&self) -> usize {
        self.board.plays().len()
    }

    fn show_action(&self, action: Action) -> String {
        self.board.show(action)
    }

    /// The board that is drawn has no letters.
    fn has_place(&self, _: &Arm) -> bool {
        false
    }

    fn run(&mut self, limits: &Limits) -> Report {
        self.search.run(limits)
    }

    fn report(&mut self) -> Report {
        self.search.report()
    }

    fn pick(&mut self, report: &Report) -> Option<Action> {
        self.search.pick(report)
    }
}

/// The position of a record's main line before a move, or at its end. The board is that of the record, unless `size` is given.
pub(super) fn load(
    file: &Path,
    game: &str,
    size: Option<Sides>,
    before_move: Option<usize>,
) -> Result<Box<dyn Tabletop>> {
    let name = file.display();
    // Its errors name the file themselves.
    let tree = player::record::load(file)?;
    let size = size.or_else(|| record::size(&tree));
    let game = GameChoice::parse(game, size).map_err(|why| anyhow!("{name}: {why}"))?;
    let mut board = game.with_context(|| format!("{name}: expected a game beside Go"))?.board();
    let n_moves = record::moves(&tree).len();
    if let Some(number) = before_move.filter(|&number| number > n_moves + 1) {
        return Err(past_the_end(&name, number, n_moves));
    }
    board.follow(&tree, before_move).map_err(|why| anyhow!("{name}: {why}"))?;
    Ok(board)
}

/// The whole page.
pub(super) fn text(study: &BoardStudy, found: &SearchResult, top: usize) -> String {
    let board = &study.board;
    let (arms, n_tried) = shown(study, found, top);
    let last = board.last().map(|last| format!(", last move {last}")).unwrap_or_default();
    let mut text = format!(
        "{} on {}, before move {}: {} to play{last}\n{}\n\n{}\n\n",
        board.text(),
        board.size_text(),
        board.plays().len() + 1,
        board.to_play(),
        recipe_line(&study.asked),
        board.draw(),
    );
    text += &moves(study, found, &arms, n_tried);
    text += &format!("{}'s chances: {}\n", board.to_play(), percent(found.report.win));
    text += &effort(study, &found.report);
    text + &choice(study, found)
}

/// One object with the whole report.
pub(super) fn json(study: &BoardStudy, found: &SearchResult) -> Value {
    let game = json!({ "game": study.board.text(), "size": study.board.size_text() });
    whole(study, found, game, &json!({}))
}
