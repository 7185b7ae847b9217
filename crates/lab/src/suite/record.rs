//! A position of a recorded game, as GNU Go's `loadsgf` finds it.
//!
//! The suites were written with GNU Go at hand, so their files are read as it reads them: moves are played even where
//! a ko or suicide forbids them; a move onto a stone ends the record there; a record that promises handicap stones,
//! has none and lets White begin gets them on the fixed points. Unlike GNU Go we let a record take stones off the
//! board or change their colour, as the format says and Fuego's tests need.

use std::path::Path;

use goban::{Color, IllegalReason, Ko, Position, Rules, Size, Vertex};
use player::record::{self, RecordError};
use sgf::{Game, Step};

use super::Defaults;

/// Where in a game to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until<'a> {
    /// After its last move.
    End,
    /// Before the move of this number, from 1, or at the end if there are fewer.
    Move(usize),
    /// Before the first move at this point, written as `D4`, or at the end if there is none.
    Point(&'a str),
}

/// The position of a record's main line.
///
/// # Errors
/// When the file cannot be read, is no game, or holds stones that no board can hold.
pub fn position(path: &Path, until: Until<'_>, defaults: &Defaults) -> Result<Position, RecordError> {
    let tree = record::load(path)?;
    let game = Game::new(&tree)?;
    position_of(&game, until, defaults)
}

/// [`position`] of a record that is read already.
pub(super) fn position_of(
    game: &Game<'_>,
    until: Until<'_>,
    defaults: &Defaults,
) -> Result<Position, RecordError> {
    let size = Size::new(game.header.width.into(), game.header.height.into())?;
    let rules = record::rules_of(game).ok().flatten().unwrap_or(defaults.rules);
    let mut position = Position::new(size, Rules { ko: Ko::Simple, suicide: true, ..rules });
    let komi = game.header.komi.map_or(defaults.komi(game.header.handicap), |komi| komi as f32);
    position.set_komi(komi)?;
    let until_vertex = match until {
        Until::Point(text) => size.parse_vertex(text).ok(),
        Until::End | Until::Move(_) => None,
    };
    for step in game.main_line() {
        let next = match step?.1 {
            Step::Setup(setup) => {
                record::apply_setup(&mut position, &setup)?;
                continue;
            }
            Step::Move(next) => next,
        };
        let (color, vertex) = (record::to_color(next.color), record::to_vertex(next.point));
        if color == Color::White {
            place_promised_handicap(&mut position, game.header.handicap as usize);
        }
        let is_there = match until {
            Until::End => false,
            Until::Move(number) => position.plays().len() + 1 >= number,
            Until::Point(_) => until_vertex == Some(vertex),
        };
        if is_there || !play(&mut position, color, vertex) {
            position.set_to_play(color);
            break;
        }
    }
    position.set_rules(rules);
    position.set_handicap(record::handicap_of(&game.header, &position));
    Ok(position)
}

/// Gives Black the stones that the record's header speaks of, if nobody put any stone on the board so far.
fn place_promised_handicap(position: &mut Position, n: usize) {
    let has_stones = Color::BOTH.iter().any(|&color| position.board().n_on_board(color) > 0);
    let points = position.size().fixed_handicap_points(n);
    if !has_stones && !points.is_empty() {
        let stones: Vec<_> = points.into_iter().map(|point| (point, Some(Color::Black))).collect();
        // So few stones on an empty board always have liberties.
        let _ = position.setup(&stones, Color::White);
    }
}

/// Plays a move whatever the ko says; false if there is a stone in the way.
fn play(position: &mut Position, color: Color, vertex: Vertex) -> bool {
    match position.play(color, vertex) {
        Ok(()) => true,
        Err(error) if error.reason == IllegalReason::Ko => {
            // A setup of nothing forgets the ko.
            position.setup(&[], color).is_ok() && position.play(color, vertex).is_ok()
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use sgf::Collection;

    use super::*;

    fn read(text: &str, until: Until<'_>) -> Position {
        let collection = Collection::parse(text).unwrap();
        position_of(&Game::new(&collection.games[0]).unwrap(), until, &Defaults::default()).unwrap()
    }

    fn stones(position: &Position, color: Color) -> String {
        let size = position.size();
        let names: Vec<String> = position.board().stones(color).into_iter().map(|v| size.show(v)).collect();
        names.join(" ")
    }

    #[test]
    fn a_number_stops_before_that_move() {
        let text = "(;SZ[5];B[aa];W[bb];B[cc];W[])";
        for (until, n_plays, to_play) in [
            (Until::Move(1), 0, Color::Black),
            (Until::Move(2), 1, Color::White),
            (Until::Move(4), 3, Color::White),
            (Until::Move(99), 4, Color::Black),
            (Until::End, 4, Color::Black),
            (Until::Point("C3"), 2, Color::Black),
            (Until::Point("D4"), 4, Color::Black),
            (Until::Point("pass"), 3, Color::White),
            (Until::Point("nonsense"), 4, Color::Black),
        ] {
            let position = read(text, until);
            assert_eq!((position.plays().len(), position.to_play()), (n_plays, to_play), "{until:?}");
        }
    }

    #[test]
    fn a_stone_in_the_way_ends_the_record() {
        let position = read("(;SZ[5];B[aa];W[aa];B[bb])", Until::End);
        assert_eq!((position.plays().len(), position.to_play()), (1, Color::White));
    }

    #[test]
    fn a_ko_that_was_retaken_is_history() {
        // White takes the ko at B3 (ab is A4, so the points are counted from the top), Black retakes at once.
        let text = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[cb])";
        let position = read(text, Until::End);
        assert_eq!(position.plays().len(), 3);
        assert_eq!(stones(&position, Color::Black), "B5 A4 C4 B3");
    }

    #[test]
    fn promised_handicap_is_placed() {
        let position = read("(;SZ[9]HA[2];W[ee])", Until::Move(1));
        assert_eq!(stones(&position, Color::Black), "G7 C3");
        assert_eq!((position.to_play(), position.komi(), position.handicap()), (Color::White, 0.5, 2));
        let black_first = read("(;SZ[9]HA[2];B[ee];W[gg])", Until::End);
        assert_eq!(stones(&black_first, Color::Black), "E5");
    }

    #[test]
    fn komi_and_rules_are_the_records_or_the_usual_ones() {
        let position = read("(;SZ[5]KM[3.5]RU[Japanese];B[aa])", Until::End);
        assert_eq!((position.komi(), position.rules()), (3.5, Rules::JAPANESE));
        let position = read("(;SZ[5]RU[whatever];B[aa])", Until::End);
        assert_eq!((position.komi(), position.rules()), (5.5, Rules::CHINESE));
    }
}
