//! Labelled positions as a file: a [`Log`] whose first line says how the labels were found, then a line for each position.

use std::path::Path;

use goban::{Color, Position, Rules};
use player::log::{self, Log, LogKind};
use player::record;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use sgf::Collection;

use crate::error::{Error, ErrorPlace, Result};

/// The form of the file; another number means that older programs cannot read it.
pub const FORMAT: u32 = 1;

/// The recipe's text may differ where all its values are the same, and so may the program where it searches alike.
const KIND: LogKind = LogKind {
    name: "labelling run",
    entry: "labelled position",
    free: &["recipe", "program.version", "program.commit"],
    elsewhere: "another --out",
};

/// The program that made the labels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelProgram {
    /// Its version.
    pub version: String,
    /// The commit it was built from, if that is known.
    pub commit: Option<String>,
    /// Its bench number: two programs with the same one search alike.
    pub bench: Option<u64>,
}

/// How the labels of a file were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelHeader {
    /// [`FORMAT`].
    #[serde(deserialize_with = "form")]
    pub tengen_labels: u32,
    /// The recipe as it was asked for.
    pub recipe: String,
    /// With every value.
    pub canonical: String,
    /// Simulations of each search.
    pub playouts: u64,
    /// Draws games and moves, and seeds every search.
    pub seed: u64,
    /// Positions that the file is to have.
    pub positions: u64,
    /// The rules that the positions are played by.
    pub rules: String,
    /// The files that the games were drawn from.
    pub files: Vec<String>,
    /// Number of games in them that a position could be drawn from.
    pub games: u64,
    /// Who searched.
    pub program: LabelProgram,
}

/// A position and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// From 1.
    pub number: u64,
    /// The file and line of its game.
    pub game: String,
    /// Where that file has it from.
    pub source: String,
    /// The position is that before the move of this number, from 1.
    pub before_move: u64,
    /// Who is to move.
    pub to_play: LabelTurn,
    /// The win rate of the move that the search would play, 0..=1, as Black sees it. This is the label.
    #[serde(deserialize_with = "rate")]
    pub value: f64,
    /// The mean win rate of all simulations, 0..=1, as Black sees it.
    pub mean: f64,
    /// The mean score of all simulations in points, komi included, as Black sees it.
    pub score: f64,
    /// The move that the search would play.
    pub best: String,
    /// Its simulations.
    pub best_visits: u64,
    /// How the game ended: 1 if Black won, ½ for a draw, 0 if White won; nothing if the record does not say.
    pub result: Option<f64>,
    /// The seed of the search.
    pub seed: u64,
    /// How long it took.
    pub seconds: f64,
    /// The game up to the position.
    pub sgf: String,
}

/// Who is to move, as one letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LabelTurn {
    /// Black.
    #[serde(rename = "B")]
    Black,
    /// White.
    #[serde(rename = "W")]
    White,
}

impl From<Color> for LabelTurn {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<LabelTurn> for Color {
    fn from(turn: LabelTurn) -> Self {
        match turn {
            LabelTurn::Black => Self::Black,
            LabelTurn::White => Self::White,
        }
    }
}

impl Label {
    /// The position, read from the record.
    ///
    /// # Errors
    /// When the record is none.
    pub fn position(&self, rules: Rules) -> Result<Position> {
        let place = || format!("position {}", self.number);
        let collection = Collection::parse(&self.sgf).map_err(Error::other).at(place())?;
        let tree = collection.games.first().ok_or_else(|| Error::input("no game in it")).at(place())?;
        let game = sgf::Game::new(tree).map_err(Error::other).at(place())?;
        let mut position = record::position_of(&game, rules, None).map_err(Error::other).at(place())?;
        let to_play = self.to_play.into();
        if position.to_play() != to_play {
            position.set_to_play(to_play);
        }
        Ok(position)
    }
}

/// The labels of a file and its header.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    /// How its labels were found.
    pub header: LabelHeader,
    /// In the order of the file.
    pub labels: Vec<Label>,
}

/// Reads a file of labels; a last line without its end is left out.
///
/// # Errors
/// When it cannot be read or a line is no label; the text names file and line.
pub fn read(path: &Path) -> Result<Labels> {
    match log::read::<LabelHeader, Label>(path, &KIND)? {
        Some((header, labels)) => Ok(Labels { header, labels }),
        None => {
            Err(Error::input(format!("{}: the file is empty; expected labelled positions", path.display())))
        }
    }
}

/// A file that labels are added to. Nobody else can add to it meanwhile.
pub struct LabelLog(Log);

impl LabelLog {
    /// Opens a file to continue it, or begins one; gives what it already holds. Labels that were found in different ways
    /// are not mixed. Only the commit may be another, if the search is the same.
    ///
    /// # Errors
    /// When it cannot be written, when somebody else is writing it, or when its labels were found in another way.
    pub fn open(path: &Path, header: &LabelHeader) -> Result<(Self, Vec<Label>)> {
        let (log, labels) = Log::open(path, &KIND, header)?;
        Ok((Self(log), labels))
    }

    /// Adds a label; when this returns it is on the disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, label: &Label) -> Result<()> {
        Ok(self.0.append(label)?)
    }
}

/// A form of the file that this program reads.
fn form<'de, D: Deserializer<'de>>(source: D) -> Result<u32, D::Error> {
    match u32::deserialize(source)? {
        FORMAT => Ok(FORMAT),
        other => Err(D::Error::custom(format!("labels of form {other}; expected form {FORMAT}"))),
    }
}

/// A win rate.
fn rate<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let value = f64::deserialize(source)?;
    match (0.0..=1.0).contains(&value) {
        true => Ok(value),
        false => Err(D::Error::custom(format!("value {value}: expected 0 to 1"))),
    }
}
