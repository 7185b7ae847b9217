//! Positions of real games with the evaluations that KataGo printed for them.

use std::fs::File;
use std::io::{BufRead, BufReader};

use super::common::find;
use flate2::read::GzDecoder;
use goban::{Color, Position, Rules, Size};
use serde_json::Value;

/// The positions of a list in the data folder, if it is there.
pub(crate) fn vectors(name: &str) -> Option<impl Iterator<Item = Value>> {
    let lines = BufReader::new(GzDecoder::new(File::open(find(name)?).unwrap())).lines();
    Some(lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()))
}

/// A number of a position.
pub(crate) fn number(vector: &Value, key: &str) -> f64 {
    vector[key].as_f64().unwrap_or_else(|| panic!("{key} in {vector}"))
}

/// The game of a position.
pub(crate) fn game(vector: &Value) -> Position {
    let size = Size::square(number(vector, "size") as usize).unwrap();
    let mut game = Position::new(size, Rules::by_name(vector["rules"].as_str().unwrap()).unwrap());
    game.set_komi(number(vector, "komi") as f32).unwrap();
    let mut color = Color::Black;
    for text in vector["moves"].as_array().unwrap() {
        game.play(color, size.parse_vertex(text.as_str().unwrap()).unwrap()).unwrap();
        color = !color;
    }
    game
}
