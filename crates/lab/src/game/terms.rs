//! What the two entrants of a pairing agree on.

use std::time::Duration;

use goban::{Rules, Size};
use player::{Allowance, GameError, GameSetup, JudgeName, Manners, Patience};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Pairing, Side};
use crate::clock;
use crate::entrant::Entrant;
use crate::opening::Openings;

/// What two entrants agree on. Serialised it is a JSON object with all that must be the same for games to be added up;
/// what only matters to who waits (patience) or reads (the event) is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The board.
    pub size: Size,
    /// Points for White.
    pub komi: f32,
    /// The rules; moves are legal or not by these.
    pub rules: Rules,
    /// Black's handicap stones on the fixed points; below 2 an even game.
    pub handicap: usize,
    /// What each entrant may spend who brings no budget of its own.
    pub allowance: Allowance,
    /// Who counts.
    pub judge: JudgeName,
    /// How long silent engines are waited for.
    pub patience: Patience,
    /// When recipes pass and give up.
    pub manners: Manners,
    /// Whether anybody may give up.
    pub may_resign: bool,
    /// Moves after which a game is counted as it stands.
    pub max_moves: usize,
    /// How the games begin.
    pub openings: Openings,
    /// What the records are called.
    pub event: String,
}

impl Terms {
    /// An even game from the empty board without clocks, counted as it stands.
    pub fn new(size: Size, komi: f32, rules: Rules) -> Self {
        let usual = GameSetup::new(size, komi, rules);
        Self {
            size,
            komi,
            rules,
            handicap: usual.handicap,
            allowance: Allowance::default(),
            judge: JudgeName::Board,
            patience: Patience::default(),
            manners: Manners::default(),
            may_resign: usual.may_resign,
            max_moves: usual.max_moves,
            openings: Openings::none(),
            event: "tengen match".to_string(),
        }
    }

    /// Checks that such a game can be begun.
    ///
    /// # Errors
    /// When handicap or komi do not fit the board.
    pub fn check(&self) -> Result<(), GameError> {
        self.bare().position().map(|_| ())
    }

    /// The game but for opening and allowances.
    fn bare(&self) -> GameSetup {
        let mut setup = GameSetup::new(self.size, self.komi, self.rules);
        setup.handicap = self.handicap;
        setup.may_resign = self.may_resign;
        setup.max_moves = self.max_moves;
        setup
    }

    /// All that must be the same for games to be added up, by the names of the options. What is usual and came later is not
    /// named, so that matches from before can go on.
    pub fn settings(&self) -> Map<String, Value> {
        let settings = json!({
            "size": self.size.to_string(),
            "komi": self.komi,
            "rules": self.rules.to_string(),
            "handicap": self.handicap,
            "playouts": self.allowance.playouts,
            "time": self.allowance.time.map(|time| time.as_secs_f64()),
            "clock": clock::show(self.allowance.clock),
            "referee": self.judge.to_string(),
            "no-resign": !self.may_resign,
            "max-moves": self.max_moves,
        });
        let mut map = match settings {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        if self.manners != Manners::default() {
            map.insert("resign".to_string(), json!(self.manners.resign_below));
            map.insert("pass-below".to_string(), json!(self.manners.pass_below));
        }
        map
    }
}

impl Serialize for Terms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.settings().serialize(serializer)
    }
}

impl Pairing {
    /// The game of this number, ready to be played.
    pub fn setup(&self, number: u64) -> GameSetup {
        let mut setup = self.terms.bare();
        setup.opening = self.terms.openings.of_game(number).to_vec();
        for side in Side::BOTH {
            let allowance = self.entrants[side.idx()].allowance(self.terms.allowance);
            setup.allowance[side.color(number).idx()] = allowance;
        }
        setup
    }
}

/// Who counts if nothing is said: the board as it stands if all entrants are ours, who play games to their end; else without
/// the stones that playouts judge dead.
pub fn usual_judge(entrants: &[Entrant]) -> JudgeName {
    if entrants.iter().all(Entrant::is_ours) { JudgeName::Board } else { JudgeName::Dead }
}

/// Patience with an engine that may think for `think` when there is no clock.
pub fn patience(think: Duration) -> Patience {
    // A second is little enough for what needs no thought.
    let (usual, short) = (Patience::default(), think.max(Duration::from_secs(1)));
    Patience { think, answer: usual.answer.min(short), start: usual.start.min(short), ..usual }
}
