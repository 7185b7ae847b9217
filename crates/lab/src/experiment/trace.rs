//! Searches that are watched: how the numbers of a position's moves grow and mix, for figures rather than tables.

use std::path::PathBuf;

use goban::{Color, Position, Rules, Setup};
use player::record;
use toml::Spanned;

use super::file::TraceFile;
use super::group::find_all;
use super::page::TomlFile;
use super::sweep::Participant;
use crate::{Error, ErrorPlace, Result};

/// White's points where neither the file nor the record says.
const KOMI: f32 = 7.5;

/// Looks at a search when nobody says how often.
const USUAL_LOOKS: u64 = 100;

/// A position that some players think about, with a look at their numbers every `every` playouts.
#[derive(Clone, Debug)]
pub struct WatchedPosition {
    /// What the file calls it.
    pub name: String,
    /// What it shows.
    pub text: String,
    /// Indices of the players; all have recipes.
    pub players: Vec<usize>,
    /// Where the position comes from.
    pub spot: TracedSpot,
    /// Playouts in all.
    pub playouts: u64,
    /// Playouts between two looks.
    pub every: u64,
    /// The moves that a figure shows, as people write them; the most visited ones if none are named.
    pub moves: Vec<String>,
    /// Seed of the searches.
    pub seed: u64,
}

/// Where a position comes from, and what is said about the game it belongs to.
#[derive(Clone, Debug)]
pub struct TracedSpot {
    what: SpotSource,
    komi: Option<f32>,
    rules: Option<Rules>,
}

#[derive(Clone, Debug)]
enum SpotSource {
    /// A record; the position before a move, or at its end.
    Record { file: PathBuf, before_move: Option<usize> },
    /// A drawn board.
    Drawing { setup: Setup, to_play: Color },
}

impl TracedSpot {
    /// The position.
    ///
    /// # Errors
    /// A record that cannot be read or has no such move.
    pub fn position(&self) -> Result<Position> {
        let mut position = match &self.what {
            SpotSource::Drawing { setup, to_play } => {
                let rules = self.rules.unwrap_or(Rules::CHINESE);
                let mut position = Position::from_setup(setup, *to_play, rules).map_err(Error::input)?;
                position.set_komi(KOMI).map_err(Error::input)?;
                position
            }
            SpotSource::Record { file, before_move } => self.of_record(file, *before_move)?,
        };
        if let Some(komi) = self.komi {
            position.set_komi(komi).map_err(Error::input)?;
        }
        Ok(position)
    }

    fn of_record(&self, file: &std::path::Path, before_move: Option<usize>) -> Result<Position> {
        let name = file.display();
        // Its errors name the file themselves.
        let tree = record::load(file).map_err(Error::input)?;
        let game = sgf::Game::new(&tree).map_err(Error::input).at(&name)?;
        let n_moves = game.main_line().filter(|step| matches!(step, Ok((_, sgf::Step::Move(_))))).count();
        if let Some(number) = before_move.filter(|&number| number == 0 || number > n_moves + 1) {
            let expected = n_moves + 1;
            return Err(Error::input(format!(
                "{name}: before-move = {number}: the game has {n_moves} moves; expected 1 to {expected}"
            )));
        }
        let rules = match self.rules {
            Some(rules) => Some(rules),
            None => record::rules_of(&game).map_err(Error::input).at(&name)?,
        };
        let rules = rules.unwrap_or(Rules::CHINESE);
        let mut position = record::position_of(&game, rules, before_move).map_err(Error::input).at(&name)?;
        if game.header.komi.is_none() {
            position.set_komi(KOMI).map_err(Error::input)?;
        }
        Ok(position)
    }
}

/// The traces of a file.
pub(super) fn traces(
    page: &TomlFile,
    given: &[Spanned<TraceFile>],
    players: &[Participant],
) -> Result<Vec<WatchedPosition>> {
    let mut traces: Vec<WatchedPosition> = Vec::new();
    for spanned in given {
        let trace = one(page, spanned, players)?;
        if traces.iter().any(|other| other.name == trace.name) {
            return Err(page.wrong(spanned.span(), format!("there is a trace \"{}\" already", trace.name)));
        }
        traces.push(trace);
    }
    Ok(traces)
}

fn one(page: &TomlFile, spanned: &Spanned<TraceFile>, players: &[Participant]) -> Result<WatchedPosition> {
    let given = spanned.get_ref();
    let who = find_all(page, &given.players, players)?;
    if let Some(&idx) = who.iter().find(|&&idx| players[idx].entrant.recipe().is_none()) {
        let why = format!("trace \"{}\": \"{}\" has no recipe to watch", given.name, players[idx].name);
        return Err(page.wrong(spanned.span(), why));
    }
    let playouts = *given.playouts.get_ref();
    let every = given.every.as_ref().map_or(playouts.div_ceil(USUAL_LOOKS), |every| *every.get_ref());
    if playouts == 0 {
        return Err(page.wrong(given.playouts.span(), "playouts = 0: expected at least 1"));
    }
    if let Some(entry) = given.every.as_ref().filter(|_| every == 0) {
        return Err(page.wrong(entry.span(), "every = 0: expected at least 1"));
    }
    let rules = match &given.rules {
        None => None,
        Some(text) => Some(text.get_ref().parse().map_err(|why| page.wrong(text.span(), why))?),
    };
    let spot = TracedSpot { what: what(page, spanned)?, komi: given.komi, rules };
    if page.follow {
        spot.position().map_err(|why| page.wrong(spanned.span(), why))?;
    }
    Ok(WatchedPosition {
        name: given.name.clone(),
        text: given.text.clone(),
        players: who,
        spot,
        playouts,
        every,
        moves: given.moves.iter().map(|mv| mv.get_ref().clone()).collect(),
        seed: given.seed,
    })
}

fn what(page: &TomlFile, spanned: &Spanned<TraceFile>) -> Result<SpotSource> {
    let given = spanned.get_ref();
    let wrong = |why: String| page.wrong(spanned.span(), format!("trace \"{}\": {why}", given.name));
    match (&given.sgf, &given.board) {
        (Some(file), None) => {
            Ok(SpotSource::Record { file: page.beside(file.get_ref()), before_move: given.before_move })
        }
        (None, Some(drawing)) => {
            let setup = Setup::parse(drawing.get_ref()).map_err(|why| page.wrong(drawing.span(), why))?;
            let to_play = match given.to_play.as_ref().map(|word| word.get_ref().as_str()) {
                None | Some("black") => Color::Black,
                Some("white") => Color::White,
                Some(other) => return Err(wrong(format!("to-play = \"{other}\": expected black or white"))),
            };
            Ok(SpotSource::Drawing { setup, to_play })
        }
        _ => Err(wrong("expected a record (sgf = \"…\") or a drawing (board = \"…\")".to_string())),
    }
}
