//! Values of the terms as people write them, on the command line and in files.

use goban::Size;

use crate::error::{Error, Result};

/// A handicap of one stone, in words.
pub const ONE_STONE: &str = "one stone is no handicap; leave it out and play with a komi of 0.5";

/// `9`, `13x9`.
///
/// # Errors
/// A text that is no size, or a board that is too small or too large.
pub fn parse_size(text: &str) -> Result<Size> {
    let [width, height] = sides(text)?;
    Size::new(width, height).map_err(Error::input)
}

/// Columns and rows, of a board of any game; which of them a game is played on is its own business.
///
/// # Errors
/// A text that is no size.
pub fn sides(text: &str) -> Result<[usize; 2]> {
    let side = |word: &str| word.trim().parse::<usize>().ok();
    let (width, height) = match text.split_once(['x', 'X', '*']) {
        Some((width, height)) => (side(width), side(height)),
        None => (side(text), side(text)),
    };
    let (Some(width), Some(height)) = (width, height) else {
        return Err(Error::input(format!(
            "\"{text}\" is not a board size; expected 9, 13, 19 or WIDTHxHEIGHT"
        )));
    };
    Ok([width, height])
}

/// A win rate below which something is done, or `never`.
///
/// # Errors
/// Anything else.
pub fn parse_rate(text: &str) -> Result<Option<f32>> {
    match text.parse::<f32>() {
        _ if text == "never" => Ok(None),
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(Some(rate)),
        _ => Err(Error::input(format!(
            "\"{text}\" is not a win rate; expected a number from 0 to 1 such as 0.05, or never"
        ))),
    }
}
