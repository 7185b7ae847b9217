//! The terms of an experiment file: texts and numbers become what two entrants agree on.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use goban::{Rules, Size};
use player::boardgame::GameChoice;
use player::{Allowance, JudgeName, Manners};
use toml::Spanned;

use super::file::TermsFile;
use super::page::{TomlFile, Word, WordEntry};
use crate::clock::{self, seconds_per_move};
use crate::entrant::Entrant;
use crate::game::Terms;
use crate::game::terms::{patience, usual_judge};
use crate::game::values::{ONE_STONE, parse_rate, parse_size, sides};
use crate::opening::OpeningSource;
use crate::{Error, Result};
use player::game::NEEDS_EMPTY_BOARD;

/// Komi when nobody says.
const USUAL_KOMI: f32 = 7.5;

impl TermsFile {
    /// These terms, and where they say nothing those of the whole file.
    pub(super) fn over(&self, common: &Self) -> Self {
        let pick = |ours: &WordEntry, theirs: &WordEntry| ours.as_ref().or(theirs.as_ref()).cloned();
        Self {
            game: pick(&self.game, &common.game),
            size: pick(&self.size, &common.size),
            komi: pick(&self.komi, &common.komi),
            rules: pick(&self.rules, &common.rules),
            handicap: pick(&self.handicap, &common.handicap),
            playouts: pick(&self.playouts, &common.playouts),
            time: pick(&self.time, &common.time),
            clock: pick(&self.clock, &common.clock),
            openings: pick(&self.openings, &common.openings),
            referee: pick(&self.referee, &common.referee),
            resign: pick(&self.resign, &common.resign),
            pass_below: pick(&self.pass_below, &common.pass_below),
            no_resign: pick(&self.no_resign, &common.no_resign),
            max_moves: pick(&self.max_moves, &common.max_moves),
            patience: pick(&self.patience, &common.patience),
            seed: pick(&self.seed, &common.seed),
        }
    }

    /// The seed of a group's pairings, from which each has its own.
    pub(crate) fn seed(&self, page: &TomlFile) -> Result<u64> {
        Ok(number(page, "seed", &self.seed, "a whole number from 0")?.unwrap_or(1))
    }

    /// What two entrants agree on under these terms, but for openings.
    pub(crate) fn build(&self, page: &TomlFile, entrants: &[Entrant; 2]) -> Result<Terms> {
        match self.board(page)? {
            None => self.build_go(page, entrants),
            Some(game) => self.build_board(page, game, entrants),
        }
    }

    /// The game, if it is not Go.
    fn board(&self, page: &TomlFile) -> Result<Option<GameChoice>> {
        let Some(game) = &self.game else { return Ok(None) };
        let size = match game.get_ref().text == "go" {
            true => None,
            false => with(page, &self.size, sides)?,
        };
        let entry = if size.is_some() { &self.size } else { &self.game };
        GameChoice::parse(&game.get_ref().text, size).map_err(|why| place(page, entry, why))
    }

    /// The terms of a board game beside Go, with the keys refused that only Go has.
    fn build_board(&self, page: &TomlFile, game: GameChoice, entrants: &[Entrant; 2]) -> Result<Terms> {
        let name = game.entry().name;
        let of_go = [
            ("komi", &self.komi),
            ("rules", &self.rules),
            ("handicap", &self.handicap),
            ("openings", &self.openings),
            ("referee", &self.referee),
            ("pass-below", &self.pass_below),
            ("max-moves", &self.max_moves),
        ];
        for (key, entry) in of_go {
            let is_none =
                entry.as_ref().is_none_or(|word| key == "openings" && word.get_ref().text == "none");
            if !is_none {
                return Err(place(page, entry, format!("{key}: {name} has none; it is for game = \"go\"")));
            }
        }
        for entrant in entrants {
            entrant.check_game(&game).map_err(|why| place(page, &self.game, why))?;
        }
        let mut terms = Terms::of_board(game)?;
        self.agree(page, &mut terms)?;
        Ok(terms)
    }

    /// What all games have: budget, manners, patience.
    fn agree(&self, page: &TomlFile, terms: &mut Terms) -> Result<()> {
        terms.allowance = self.allowance(page)?;
        terms.manners = self.manners(page)?;
        terms.may_resign =
            !number::<bool>(page, "no-resign", &self.no_resign, "true or false")?.unwrap_or(false);
        let wait = number(page, "patience", &self.patience, "seconds")?.map(seconds_per_move).transpose();
        let wait = wait.map_err(|_| no_seconds(page, "patience", &self.patience))?;
        terms.patience = patience(wait.unwrap_or(USUAL_PATIENCE));
        Ok(())
    }

    fn build_go(&self, page: &TomlFile, entrants: &[Entrant; 2]) -> Result<Terms> {
        let size = self.size(page)?;
        let komi = number(page, "komi", &self.komi, "a number of points")?.unwrap_or(USUAL_KOMI);
        let rules = with(page, &self.rules, |text| Rules::from_str(text).map_err(Error::input))?;
        let mut terms = Terms::new(size, komi, rules.unwrap_or(Rules::CHINESE));
        terms.handicap = number(page, "handicap", &self.handicap, "a number of stones")?.unwrap_or(0);
        if terms.handicap == 1 {
            return Err(place(page, &self.handicap, format!("handicap = 1: {ONE_STONE}")));
        }
        self.agree(page, &mut terms)?;
        if let Some(n) = positive(page, "max-moves", &self.max_moves)? {
            terms.max_moves = n as usize;
        }
        let judge = with(page, &self.referee, |text| text.parse::<JudgeName>().map_err(Error::other))?;
        terms.judge = judge.unwrap_or_else(|| usual_judge(entrants));
        let entry = if self.handicap.is_some() { &self.handicap } else { &self.komi };
        terms.check().map_err(|why| place(page, entry, why))?;
        Ok(terms)
    }

    /// Where the openings of these games come from; records are looked for beside the file.
    pub(crate) fn openings(&self, page: &TomlFile) -> Result<OpeningSource> {
        let source = with(page, &self.openings, str::parse)?.unwrap_or(OpeningSource::None);
        let has_handicap = self.handicap.as_ref().is_some_and(|word| word.get_ref().text != "0");
        if source != OpeningSource::None && has_handicap {
            return Err(place(
                page,
                &self.handicap,
                format!("handicap: {NEEDS_EMPTY_BOARD}; leave out openings"),
            ));
        }
        Ok(match source {
            OpeningSource::Records(path) => OpeningSource::Records(page.beside(path)),
            other => other,
        })
    }

    /// An error about the openings of these terms.
    pub(crate) fn wrong_openings(&self, page: &TomlFile, why: impl Display) -> Error {
        place(page, &self.openings, why)
    }

    fn size(&self, page: &TomlFile) -> Result<Size> {
        with(page, &self.size, parse_size)?.map_or_else(|| Size::square(9), Ok).map_err(Error::other)
    }

    fn allowance(&self, page: &TomlFile) -> Result<Allowance> {
        let seconds = number(page, "time", &self.time, "seconds for each move")?;
        let time = seconds.map(seconds_per_move).transpose();
        let time = time.map_err(|_| no_seconds(page, "time", &self.time))?;
        Ok(Allowance {
            playouts: positive(page, "playouts", &self.playouts)?,
            time,
            clock: with(page, &self.clock, clock::parse)?.unwrap_or_default(),
        })
    }

    fn manners(&self, page: &TomlFile) -> Result<Manners> {
        let usual = Manners::default();
        Ok(Manners {
            resign_below: with(page, &self.resign, parse_rate)?.unwrap_or(usual.resign_below),
            pass_below: with(page, &self.pass_below, parse_rate)?.unwrap_or(usual.pass_below),
            ..usual
        })
    }
}

/// After which a silent engine has lost, when nobody says; the same as in `tengen match`.
pub(super) const USUAL_PATIENCE: Duration = Duration::from_secs(600);

/// An error at an entry.
fn place(page: &TomlFile, entry: &WordEntry, why: impl Display) -> Error {
    match entry {
        Some(word) => page.wrong(word.span(), why),
        None => page.wrong_somewhere(why),
    }
}

/// An entry that is no time to wait for, as it was written.
fn no_seconds(page: &TomlFile, key: &str, entry: &WordEntry) -> Error {
    let written = entry.as_ref().map(|word| page.written(word)).unwrap_or_default();
    place(page, entry, format!("{key} = {written}: {}", clock::EXPECTED_SECONDS))
}

/// An entry read by `read`, whose error is given the entry's place.
fn with<T>(page: &TomlFile, entry: &WordEntry, read: impl FnOnce(&str) -> Result<T>) -> Result<Option<T>> {
    let text = entry.as_ref().map(|word: &Spanned<Word>| word.get_ref().text.as_str());
    text.map(read).transpose().map_err(|why| place(page, entry, why))
}

fn number<T: FromStr>(page: &TomlFile, key: &str, entry: &WordEntry, expected: &str) -> Result<Option<T>> {
    with(page, entry, |text| {
        text.parse().map_err(|_| Error::input(format!("{key} = {text}: expected {expected}")))
    })
}

/// A whole number from 1.
fn positive(page: &TomlFile, key: &str, entry: &WordEntry) -> Result<Option<u64>> {
    match number::<u64>(page, key, entry, "a whole number, at least 1")? {
        Some(0) => Err(place(page, entry, format!("{key} = 0: expected a whole number, at least 1"))),
        n => Ok(n),
    }
}
