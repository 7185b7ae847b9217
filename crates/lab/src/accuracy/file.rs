//! Labelled positions as a file: a line of JSON that says how the labels were found, then a line for each position.
//!
//! Lines are only ever appended, each in one piece, so that a run that is killed has lost no more than the label it was
//! working on. A last line without its end is what a killed run left behind; it is cut off and made anew.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use goban::{Color, Position, Rules};
use player::record;
use serde::{Deserialize, Serialize};
use sgf::Collection;

use crate::error::{Error, Place, Result};

/// The form of the file; another number means that older programs cannot read it.
pub const FORMAT: u32 = 1;

/// The program that made the labels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The commit it was built from, if that is known.
    pub commit: Option<String>,
    /// Its bench number: two programs with the same one search alike.
    pub bench: Option<u64>,
}

/// How the labels of a file were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
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
    pub program: Program,
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
    pub to_play: Turn,
    /// The win rate of the move that the search would play, 0..=1, as Black sees it. This is the label.
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
pub enum Turn {
    /// Black.
    #[serde(rename = "B")]
    Black,
    /// White.
    #[serde(rename = "W")]
    White,
}

impl From<Color> for Turn {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Turn> for Color {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Black => Self::Black,
            Turn::White => Self::White,
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

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    /// How its labels were found.
    pub header: Header,
    /// In the order of the file.
    pub labels: Vec<Label>,
    /// Bytes up to the end of the last whole line.
    n_bytes: u64,
}

/// Reads a file of labels; a last line without its end is left out.
///
/// # Errors
/// When it cannot be read or a line is no label; the text names file and line.
pub fn read(path: &Path) -> Result<Labels> {
    let mut text = String::new();
    File::open(path)
        .and_then(|mut file| file.read_to_string(&mut text))
        .map_err(Error::file("read", path))?;
    match parse(&text).at(path.display())? {
        Some(labels) => Ok(labels),
        None => {
            Err(Error::input(format!("{}: the file is empty; expected labelled positions", path.display())))
        }
    }
}

/// `None` if there is not even a header.
fn parse(text: &str) -> Result<Option<Labels>> {
    // What has no end yet was never finished.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut lines = whole.lines().zip(1..);
    let Some((first, _)) = lines.next() else { return Ok(None) };
    let header: Header = serde_json::from_str(first).map_err(|error| {
        Error::input(format!("line 1: {error}; expected what `tengen accuracy label` writes"))
    })?;
    if header.tengen_labels != FORMAT {
        let found = header.tengen_labels;
        return Err(Error::input(format!("line 1: labels of form {found}; expected form {FORMAT}")));
    }
    let mut labels = Vec::new();
    for (line, number) in lines {
        let label: Label = serde_json::from_str(line)
            .map_err(|error| Error::input(format!("line {number}: {error}; expected a labelled position")))?;
        if !(0.0..=1.0).contains(&label.value) {
            let value = label.value;
            return Err(Error::input(format!("line {number}: value {value}: expected 0 to 1")));
        }
        labels.push(label);
    }
    Ok(Some(Labels { header, labels, n_bytes: whole.len() as u64 }))
}

/// A file that labels are added to. Nobody else can add to it meanwhile.
pub struct Store {
    file: File,
}

impl Store {
    /// Opens a file to go on with it, or begins one; gives what it already holds.
    ///
    /// # Errors
    /// When it cannot be written, when somebody else is writing it, or when its labels were found in another way.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Vec<Label>)> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(Error::file("open", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.display();
                return Err(Error::input(format!(
                    "{path}: another run is writing it; expected it to be free"
                )));
            }
            Err(TryLockError::Error(error)) => return Err(Error::file("lock", path)(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(Error::file("read", path))?;
        let (labels, n_bytes) = match parse(&text).at(path.display())? {
            Some(found) => {
                found.header.check_same(header).at(path.display())?;
                (found.labels, found.n_bytes)
            }
            None => (Vec::new(), 0),
        };
        file.set_len(n_bytes)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(Error::file("write", path))?;
        let mut store = Self { file };
        if n_bytes == 0 {
            store.add(header).map_err(Error::file("write", path))?;
        }
        Ok((store, labels))
    }

    /// Adds a line, in one piece.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()
    }
}

impl Header {
    /// Refuses to mix labels that were found in different ways. Only the commit may be another, if the search is the same.
    fn check_same(&self, asked: &Self) -> Result<()> {
        let differs = |what: &str, old: &dyn std::fmt::Display, new: &dyn std::fmt::Display| {
            let advice = "expected the same, or another file";
            Err(Error::input(format!("its labels were made with {what} {old}, not {new}; {advice}")))
        };
        let bench = |header: &Self| header.program.bench.map_or("unknown".to_string(), |n| n.to_string());
        if self.canonical != asked.canonical {
            return differs("the recipe", &self.canonical, &asked.canonical);
        }
        if self.playouts != asked.playouts {
            return differs("--playouts", &self.playouts, &asked.playouts);
        }
        if self.seed != asked.seed {
            return differs("--seed", &self.seed, &asked.seed);
        }
        if self.positions != asked.positions {
            return differs("--positions", &self.positions, &asked.positions);
        }
        if self.rules != asked.rules {
            return differs("the rules", &self.rules, &asked.rules);
        }
        if (&self.files, self.games) != (&asked.files, asked.games) {
            return differs("the games of", &self.files.join(" "), &asked.files.join(" "));
        }
        if self.program.bench != asked.program.bench {
            return differs("the bench number", &bench(self), &bench(asked));
        }
        Ok(())
    }
}
