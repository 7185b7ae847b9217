//! The terms of a pairing's games.

use std::time::Duration;

use goban::{Rules, Size};
use player::boardgame::GameChoice;
use player::record::decimal;
use player::{Allowance, GameSetup, JudgeName, Manners, Patience, PlayError};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{PairSide, Pairing};
use crate::clock;
use crate::entrant::Entrant;
use crate::opening::Openings;

/// The terms of a game between two entrants. Serialised it is a JSON object with all that must be the same for games to be added up;
/// what only matters to who waits (patience) or reads (the event) is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The game, if it is not Go. What only Go has (board, komi, rules, handicap, referee, openings, a number of moves after
    /// which a game is counted) is not looked at then.
    pub board: Option<GameChoice>,
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
    /// The game, a word of `--game`.
    pub fn game(&self) -> &'static str {
        self.board.as_ref().map_or("go", |board| board.entry().name)
    }

    /// An even game from the empty board without clocks, counted as it stands.
    pub fn new(size: Size, komi: f32, rules: Rules) -> Self {
        let usual = GameSetup::new(size, komi, rules);
        Self {
            board: None,
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

    /// Games of another board game, without clocks.
    ///
    /// # Errors
    /// None: every board of Go that is not looked at has a size.
    pub fn of_board(board: GameChoice) -> crate::Result<Self> {
        let unseen = Size::square(Size::MIN).map_err(crate::Error::other)?;
        Ok(Self { board: Some(board), ..Self::new(unseen, 0.0, Rules::CHINESE) })
    }

    /// Checks that such games can be begun.
    ///
    /// # Errors
    /// When handicap, komi or an opening do not fit.
    pub fn check(&self) -> Result<(), PlayError> {
        if self.board.is_some() {
            return Ok(());
        }
        self.bare().position()?;
        for opening in self.openings.list() {
            let named = |error: PlayError| PlayError::Opening(format!("{}: {error}", opening.name));
            GameSetup { opening: Some(opening.position.clone()), ..self.bare() }.position().map_err(named)?;
        }
        Ok(())
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
        let mut map = match &self.board {
            None => self.go_settings(),
            Some(game) => self.board_settings(game),
        };
        if self.manners != Manners::default() {
            map.insert("resign".to_string(), json!(self.manners.resign_below.map(decimal)));
        }
        if self.manners != Manners::default() && self.board.is_none() {
            map.insert("pass-below".to_string(), json!(self.manners.pass_below.map(decimal)));
        }
        if !self.openings.is_none() {
            map.insert("openings".to_string(), json!(self.openings.text()));
        }
        map
    }

    fn board_settings(&self, game: &GameChoice) -> Map<String, Value> {
        object(json!({
            "game": game.to_string(),
            "size": game.size(),
            "playouts": self.allowance.playouts,
            "time": self.allowance.time.map(|time| time.as_secs_f64()),
            "clock": clock::show(self.allowance.clock),
            "no-resign": !self.may_resign,
        }))
    }

    fn go_settings(&self) -> Map<String, Value> {
        object(json!({
            "size": self.size.to_string(),
            "komi": decimal(self.komi),
            "rules": self.rules.to_string(),
            "handicap": self.handicap,
            "playouts": self.allowance.playouts,
            "time": self.allowance.time.map(|time| time.as_secs_f64()),
            "clock": clock::show(self.allowance.clock),
            "referee": self.judge.to_string(),
            "no-resign": !self.may_resign,
            "max-moves": self.max_moves,
        }))
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
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
        setup.opening = self.terms.openings.of_game(number).map(|opening| opening.position.clone());
        for side in PairSide::BOTH {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::records;
    use player::TimeSystem;

    #[test]
    fn terms_are_an_object_with_what_must_agree() {
        let mut terms = Terms::new(Size::square(9).unwrap(), 6.5, Rules::TROMP_TAYLOR);
        terms.allowance.clock = TimeSystem::Absolute { main: Duration::from_secs(30) };
        let json = serde_json::to_value(&terms).unwrap();
        assert_eq!(
            (&json["size"], &json["komi"], &json["clock"]),
            (&json!("9x9"), &json!(6.5), &json!("30"))
        );
        assert!(
            json.get("openings").is_none() && json.get("resign").is_none(),
            "what is usual is not named: {json}"
        );
        let before = json;
        terms.patience.think = Duration::from_secs(1);
        terms.event = "another".to_string();
        assert_eq!(serde_json::to_value(&terms).unwrap(), before, "who waits how long is no matter");
        terms.manners.pass_below = Some(0.1);
        terms.komi = 7.3;
        let decimals = serde_json::to_value(&terms).unwrap();
        assert_eq!((&decimals["komi"], &decimals["pass-below"]), (&json!(7.3), &json!(0.1)));
        assert_ne!(serde_json::to_value(&terms).unwrap(), before);
    }

    #[test]
    fn a_game_has_its_opening_and_each_side_its_clock() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("1.sgf"), "(;SZ[5]AB[cc]AW[dd]PL[W])").unwrap();
        let mut terms = Terms::new(Size::square(5).unwrap(), 6.5, Rules::TROMP_TAYLOR);
        terms.openings = records::read(dir.path(), &terms).unwrap();
        let entrants = ["default@clock=10,playouts=5", "random"].map(|text| text.parse().unwrap());
        let mut pairing = Pairing { entrants, terms, seed: 1 };
        pairing.terms.check().unwrap();
        let clocks = |number| pairing.setup(number).allowance.map(|allowance| clock::show(allowance.clock));
        assert_eq!(clocks(1), [Some("10".to_string()), None]);
        assert_eq!(clocks(2), [None, Some("10".to_string())], "colours are swapped");
        let position = pairing.setup(2).position().unwrap();
        assert_eq!((position.komi(), position.rules()), (6.5, Rules::TROMP_TAYLOR));
        assert_eq!(position.to_play(), goban::Color::White);
        pairing.terms.handicap = 2;
        let error = pairing.terms.check().unwrap_err().to_string();
        assert!(error.contains("too small") || error.contains("empty board"), "{error}");
    }
}
