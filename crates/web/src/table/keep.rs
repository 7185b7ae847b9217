//! The game as a file and back: an SGF record that any program reads, with what only we need in a property of its own.

use goban::{Rules, Vertex};
use player::record;
use serde::{Deserialize, Serialize};
use sgf::{Collection, Game, GameResult, GameTree, Header, NodeId};

use super::{Table, check_level};
use crate::protocol::ask::{NewGame, Side};
use crate::protocol::spot::{point, vertex};
use crate::protocol::tell::Phase;
use crate::protocol::{Answer, Kind, Refusal};
use crate::record::invalid;
use player::record::NO_GAME;

/// Our property in the root. SGF lets programs have such.
const OURS: &str = "TENGEN";
/// Who plays against Tengen, in records.
const VISITOR: &str = "Visitor";

/// The facts of a game that its record does not hold.
#[derive(Debug, Serialize, Deserialize)]
struct Ours {
    terms: NewGame,
    phase: Phase,
    dead: Vec<i32>,
    #[serde(default)]
    is_judged: bool,
    result: Option<String>,
    /// Seconds and periods left of Black and White.
    clock: Option<[(f64, u32); 2]>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    players: Option<[String; 2]>,
    #[serde(default)]
    created: u64,
}

impl Table {
    /// The game as a record for everybody.
    pub(crate) fn to_sgf(&self) -> Answer<String> {
        Ok(self.record()?.to_string())
    }

    /// The game as it is kept.
    pub(crate) fn to_kept(&self) -> Answer<String> {
        let size = self.position.size();
        let ours = Ours {
            terms: self.terms.clone(),
            phase: self.phase,
            dead: self.dead.iter().map(|&vertex| point(size, vertex)).collect(),
            is_judged: self.is_judged,
            result: self.result.clone(),
            clock: self
                .clocks
                .as_ref()
                .map(|clocks| clocks.clocks.map(|clock| (clock.left().as_secs_f64(), clock.overtime()))),
            name: self.name.clone(),
            players: self.players.clone(),
            created: self.created,
        };
        let text = serde_json::to_string(&ours).map_err(|error| internal(&error))?;
        let mut tree = self.record()?;
        tree.add_text(NodeId::ROOT, OURS, &text).map_err(|error| internal(&error))?;
        Ok(tree.to_string())
    }

    fn record(&self) -> Answer<GameTree> {
        let net = self.net().map(|net| format!("{net}, ")).unwrap_or_default();
        let ours = format!("Tengen, {net}{}", self.level().name);
        let mut names = [VISITOR, VISITOR];
        names[(!self.visitor()).idx()] = &ours;
        if let Some(players) = &self.players {
            names = [&players[0], &players[1]];
        }
        let mut tree = record::to_sgf(&self.position, names, self.result.as_deref())
            .map_err(|error| internal(&error))?;
        if let Some(name) = &self.name {
            tree.add_text(NodeId::ROOT, "GN", name).map_err(|error| internal(&error))?;
        }
        Ok(tree)
    }

    /// A game that was kept.
    pub(crate) fn from_kept(bytes: &[u8]) -> Answer<Self> {
        let tree = first_game(bytes)?;
        let text = tree.value(NodeId::ROOT, OURS).map(|value| value.text().into_owned());
        let text = text.ok_or_else(|| Refusal::invalid(format!("the record has no property {OURS}")))?;
        let ours: Ours = serde_json::from_str(&text).map_err(|error| internal(&error))?;
        let mut table = Self::of_tree(&tree, ours.terms)?;
        let size = table.position.size();
        table.phase = ours.phase;
        table.result = ours.result;
        table.name = ours.name;
        table.players = ours.players;
        table.created = ours.created;
        let dead: Answer<Vec<Vertex>> = ours.dead.iter().map(|&dead| vertex(size, dead)).collect();
        table.dead = dead?;
        table.is_judged = ours.is_judged || !table.dead.is_empty();
        if let (Some(clocks), Some(left)) = (&mut table.clocks, ours.clock) {
            clocks.restore(left);
            if table.phase != Phase::Playing {
                clocks.stop();
            }
        }
        Ok(table)
    }

    /// A game from somebody's record: one that has a result is over, others are gone on with.
    pub(crate) fn from_sgf(bytes: &[u8], color: Side, level: usize, net: Option<String>) -> Answer<Self> {
        check_level(level, net.is_some())?;
        let tree = first_game(bytes)?;
        crate::record::check_work(&Game::new(&tree).map_err(|error| Refusal::invalid(error.to_string()))?)?;
        let terms = NewGame {
            size: 0,
            color,
            komi: 0.0,
            rules: "chinese".to_string(),
            handicap: 0,
            level,
            net,
            clock: None,
            teach: false,
        };
        let mut table = Self::of_tree(&tree, terms)?;
        let header = Game::new(&tree).map_err(|error| Refusal::invalid(error.to_string()))?.header;
        if let result @ (GameResult::Win { .. } | GameResult::Draw) = header.result {
            table.phase = Phase::Over;
            table.result = Some(result.to_string());
        } else if table.position.is_over() {
            table.phase = Phase::Counting;
        }
        let names = [header.black.name, header.white.name].map(Option::unwrap_or_default);
        match names.iter().position(|name| name == VISITOR) {
            // A record of ours.
            Some(idx) => table.terms.color = if idx == 0 { Side::Black } else { Side::White },
            None if names.iter().any(|name| !name.is_empty()) => {
                table.players = Some(names.map(|name| short(&name)));
            }
            None => {}
        }
        Ok(table)
    }

    /// The position at the end of the record's main line; its terms take the place of those in `terms`.
    fn of_tree(tree: &GameTree, mut terms: NewGame) -> Answer<Self> {
        let invalid = |error: &dyn std::fmt::Display| Refusal::invalid(error.to_string());
        let game = Game::new(tree).map_err(|error| invalid(&error))?;
        let rules = rules_of(&game);
        let mut position = record::position_of(&game, rules, None).map_err(|error| invalid(&error))?;
        let size = position.size();
        if !size.is_square() || size.width() < super::MIN_SIDE {
            return Err(Refusal::invalid(format!("a {size} board: expected a square of 5x5 to 25x25")));
        }
        if game.header.komi.is_none() {
            position.set_komi(default_komi(&game.header)).map_err(|error| invalid(&error))?;
        }
        terms.size = size.width();
        terms.komi = position.komi();
        terms.rules = rules.to_string();
        terms.handicap = position.handicap();
        Self::of(terms, position)
    }
}

/// A player's name, cut where it is longer than any name.
fn short(name: &str) -> String {
    name.trim().chars().take(super::MAX_NAME).collect()
}

/// The record's rules; Chinese ones where it names none that we know.
pub(crate) fn rules_of(game: &Game<'_>) -> Rules {
    record::rules_of(game).ok().flatten().unwrap_or(Rules::CHINESE)
}

/// Points for White where the record does not say.
pub(crate) fn default_komi(header: &Header) -> f32 {
    if header.handicap >= 2 { 0.5 } else { 7.5 }
}

/// The first game of a file.
pub(crate) fn first_game(bytes: &[u8]) -> Answer<GameTree> {
    let collection = Collection::read(bytes).map_err(|error| invalid(&error))?;
    collection.games.into_iter().next().ok_or_else(|| invalid(&NO_GAME))
}

fn internal(error: &dyn std::fmt::Display) -> Refusal {
    Refusal::new(Kind::Internal, error.to_string())
}
