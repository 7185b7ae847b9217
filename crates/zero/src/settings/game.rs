//! The game of a run: the keys `game`, `size`, `komi` and `rules`.

use goban::{Rules, Size};
use player::boardgame::{self, GameChoice, Tabletop};
use toml::{Table, Value};

use crate::{Error, ErrorPlace, Result};

/// The game of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSettings {
    /// The game with its switches, as `--game` reads it.
    pub name: String,
    /// Columns and rows; none: as the game usually has them.
    pub size: Option<[usize; 2]>,
    /// Points for White, in Go alone.
    pub komi: Option<f32>,
    /// The rules that networks are told, in Go alone.
    pub rules: Option<Rules>,
}

impl GameSettings {
    /// Reads the keys of a file.
    pub(super) fn parse(table: &Table) -> Result<Self> {
        let refuse = |key: &str, value: &Value, expected: &str| {
            Err(Error::input(format!("{key} = {value}: expected {expected}")))
        };
        let name = match table.get("game") {
            Some(Value::String(name)) => name.trim().to_string(),
            Some(other) => return refuse("game", other, "a name in quotes, such as \"connect-four\""),
            None => {
                return Err(Error::input(
                    "the key `game` is missing; expected, for example, game = \"connect-four\"",
                ));
            }
        };
        let size = match table.get("size") {
            None => None,
            Some(Value::Integer(side)) if *side > 0 => Some([*side as usize; 2]),
            Some(Value::String(text)) => match parse_size(text) {
                Some(size) => Some(size),
                None => return refuse("size", &Value::String(text.clone()), "a side, or such as \"7x6\""),
            },
            Some(other) => return refuse("size", other, "a side, or such as \"7x6\""),
        };
        let komi = match table.get("komi") {
            None => None,
            Some(Value::Float(komi)) if komi.abs() <= 1000.0 => Some(*komi as f32),
            Some(Value::Integer(komi)) if komi.abs() <= 1000 => Some(*komi as f32),
            Some(other) => return refuse("komi", other, "points such as 7.5"),
        };
        let rules = match table.get("rules") {
            None => None,
            Some(Value::String(text)) => Some(text.parse::<Rules>().map_err(Error::input).at("rules")?),
            Some(other) => return refuse("rules", other, "a name in quotes, such as \"chinese\""),
        };
        Ok(Self { name, size, komi, rules })
    }

    /// The board before the first move.
    pub(super) fn board(&self) -> Result<Box<dyn Tabletop>> {
        let choice = GameChoice::parse(&self.name, self.size).map_err(Error::input).at("game")?;
        let Some(choice) = choice else {
            let Some([width, height]) = self.size else {
                return Err(Error::input("the key `size` is missing; Go is played on many boards"));
            };
            let size = Size::new(width, height).map_err(Error::input).at("size")?;
            let Some(komi) = self.komi else {
                return Err(Error::input("the key `komi` is missing; expected the points for White"));
            };
            return Ok(boardgame::go::board(size, komi, self.rules.unwrap_or(Rules::CHINESE)));
        };
        let only_go = [("komi", self.komi.is_some()), ("rules", self.rules.is_some())];
        match only_go.into_iter().find(|(_, is_given)| *is_given) {
            Some((key, _)) => Err(Error::input(format!("the key `{key}` means something in Go alone"))),
            None => Ok(choice.board()),
        }
    }

    /// The keys as TOML.
    pub(super) fn heads(&self) -> Vec<(&'static str, String)> {
        let quoted = |text: String| Value::String(text).to_string();
        let mut heads = vec![("game", quoted(self.name.clone()))];
        if let Some([width, height]) = self.size {
            heads.push(("size", quoted(format!("{width}x{height}"))));
        }
        if let Some(komi) = self.komi {
            heads.push(("komi", format!("{komi:?}")));
        }
        if let Some(rules) = self.rules {
            heads.push(("rules", quoted(rules.to_string())));
        }
        heads
    }
}

/// `7x6`, or one number for both.
fn parse_size(text: &str) -> Option<[usize; 2]> {
    let side = |text: &str| text.trim().parse::<usize>().ok();
    match text.split_once('x') {
        Some((width, height)) => Some([side(width)?, side(height)?]),
        None => side(text).map(|side| [side; 2]),
    }
}
