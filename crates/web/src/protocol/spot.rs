//! Points, positions and games as messages write them.

use goban::{Color, Ko, Position, Rules, Size, Vertex};
use serde::{Deserialize, Serialize};

use super::ask::Side;
use super::{Answer, Kind, Refusal};

/// How a pass is written.
pub const PASS: i32 = -1;

/// A vertex as messages write it.
pub fn point(size: Size, vertex: Vertex) -> i32 {
    if vertex.is_pass() { PASS } else { (vertex.row() * size.width() + vertex.col()) as i32 }
}

/// The vertex that a message means.
///
/// # Errors
/// A number that is not a point of the board.
pub fn vertex(size: Size, point: i32) -> Answer<Vertex> {
    if point == PASS {
        return Ok(Vertex::PASS);
    }
    match usize::try_from(point) {
        Ok(idx) if idx < size.area() => Ok(Vertex::new(idx % size.width(), idx / size.width())),
        _ => Err(Refusal::invalid(format!(
            "{point} is not a point of the {size} board; expected 0 to {}, or -1 for a pass",
            size.area() - 1
        ))),
    }
}

/// The stones of a position, row by row from the top left: `X` Black, `O` White, `.` none.
pub fn stones(position: &Position) -> String {
    let board = position.board();
    let letter = |vertex| match board.stone(vertex) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    position.size().vertices().map(letter).collect()
}

/// A game up to the position that is meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Points for White.
    pub komi: f32,
    /// Rules by name, with switches of their own if there are any.
    pub rules: String,
    /// Handicap stones that White is paid for.
    #[serde(default)]
    pub handicap: usize,
    /// What happened.
    pub steps: Vec<SpotStep>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SpotStep {
    /// A move: who and where.
    Play(Side, i32),
    /// Stones put on or taken off.
    Setup(SetupStep),
}

/// Stones put on or taken off outside of play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetupStep {
    /// Points that become black.
    #[serde(default)]
    pub black: Vec<i32>,
    /// Points that become white.
    #[serde(default)]
    pub white: Vec<i32>,
    /// Points that become empty.
    #[serde(default)]
    pub empty: Vec<i32>,
    /// Who is to move.
    #[serde(default)]
    pub to_play: Option<Side>,
}

impl Spot {
    /// The position. What happened before the last move is history, which
    /// superko and suicide are not held against; the last move must be legal.
    ///
    /// # Errors
    /// Names the step, what is wrong with it and what was expected.
    pub fn position(&self, max_steps: usize) -> Answer<Position> {
        let size = Size::new(self.width, self.height).map_err(|error| Refusal::invalid(error.to_string()))?;
        if self.steps.len() > max_steps {
            let n = self.steps.len();
            return Err(Refusal::invalid(format!("{n} moves are too many; expected at most {max_steps}")));
        }
        let rules: Rules =
            self.rules.parse().map_err(|error: goban::RulesError| Refusal::invalid(error.to_string()))?;
        let mut position = Position::new(size, Rules { ko: Ko::Simple, suicide: true, ..rules });
        position.set_komi(self.komi).map_err(|error| Refusal::invalid(error.to_string()))?;
        if self.handicap > size.area() {
            return Err(Refusal::invalid(format!("{} handicap stones do not fit the board", self.handicap)));
        }
        for (idx, step) in self.steps.iter().enumerate() {
            let refuse = |kind, why: String| Refusal::new(kind, format!("step {}: {why}", idx + 1));
            match step {
                SpotStep::Play(side, to) => {
                    if idx + 1 == self.steps.len() {
                        position.set_rules(rules);
                    }
                    let color = Color::from(*side);
                    position
                        .play(color, vertex(size, *to)?)
                        .map_err(|error| refuse(Kind::Illegal, error.to_string()))?;
                }
                SpotStep::Setup(setup) => apply(&mut position, setup)?,
            }
        }
        position.set_rules(rules);
        position.set_handicap(self.handicap);
        Ok(position)
    }
}

fn apply(position: &mut Position, setup: &SetupStep) -> Answer<()> {
    let size = position.size();
    let groups =
        [(&setup.empty, None), (&setup.black, Some(Color::Black)), (&setup.white, Some(Color::White))];
    let mut stones = Vec::new();
    for (points, stone) in groups {
        for &to in points {
            match vertex(size, to)? {
                Vertex::PASS => return Err(Refusal::invalid("a stone cannot be set up on a pass")),
                vertex => stones.push((vertex, stone)),
            }
        }
    }
    if stones.len() > 4 * size.area() {
        return Err(Refusal::invalid("a setup names every point too often"));
    }
    let to_play = setup.to_play.map_or(position.to_play(), Color::from);
    position.setup(&stones, to_play).map_err(|error| Refusal::new(Kind::Illegal, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(steps: &str) -> Answer<Position> {
        let text = format!(r#"{{"width":5,"height":5,"komi":0.5,"rules":"chinese","steps":{steps}}}"#);
        let spot: Spot =
            serde_json::from_str(&text).map_err(|error| Refusal::new(Kind::Malformed, error.to_string()))?;
        spot.position(10)
    }

    #[test]
    fn points_go_both_ways() {
        let size = Size::new(5, 7).unwrap();
        for idx in -1..35 {
            assert_eq!(point(size, vertex(size, idx).unwrap()), idx);
        }
        for idx in [-2, 35, i32::MAX, i32::MIN] {
            assert!(vertex(size, idx).unwrap_err().message.contains("expected 0 to 34"), "{idx}");
        }
        assert_eq!(vertex(size, 5).unwrap(), Vertex::new(0, 1));
    }

    #[test]
    fn moves_and_setups_become_a_position() {
        let position = spot(r#"[["black",12],{"white":[0],"to_play":"white"},["white",-1]]"#).unwrap();
        assert_eq!(stones(&position), "O...........X............");
        assert_eq!((position.plays().len(), position.n_passes()), (2, 1));
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (steps, kind, part) in [
            (r#"[["black",12],["white",12]]"#, Kind::Illegal, "step 2: illegal move: White C3"),
            (r#"[["black",25]]"#, Kind::Invalid, "25 is not a point of the 5x5 board"),
            (r#"[["green",1]]"#, Kind::Malformed, "did not match"),
            (r#"[{"black":[0],"white":[1,5]}]"#, Kind::Illegal, "A5"),
            (r#"[{"black":[-1]}]"#, Kind::Invalid, "pass"),
            (&format!("[{}]", [r#"["black",-1]"#; 11].join(",")), Kind::Invalid, "at most 10"),
        ] {
            let refusal = spot(steps).unwrap_err();
            assert!(refusal.kind == kind && refusal.message.contains(part), "{steps}: {refusal:?}");
        }
    }
}
