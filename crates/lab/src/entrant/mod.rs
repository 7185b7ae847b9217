//! Who plays, as text and at a table.
//!
//! In reading order: this file (who plays), `parse` (the text), [`means`] (memory and threads of a search), [`net`] (the network that a
//! recipe asks), [`seat`] (a player at a table).

pub mod means;
pub mod net;
mod parse;
pub mod seat;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mcts::Settings;
use player::boardgame::{GameChoice, Opponent, OutsideOpponent, RandomOpponent, SearchOpponent};
use player::nets::NetFolder;
use player::{
    Allowance, Manners, NetPolicy, PlayerError, PolicyPlayer, RandomPlayer, SearchPlayer, TimeSystem, recipes,
};
use recipe::{Choice, Recipe};

use crate::clock;
use crate::game::Terms;
use crate::{Error, Result};
pub use means::{SearchMeans, parse_memory};
use net::AskedNet;
pub(crate) use parse::KEYS;
use parse::NET_POLICY_WITH;
pub use seat::{Outside, Seat};

/// Somebody who plays: a recipe, random moves, a playout policy or a network's policy by itself, or an outside engine, with a budget
/// of its own or without.
#[derive(Clone, Debug)]
pub struct Entrant {
    text: String,
    kind: EntrantKind,
    playouts: Option<u64>,
    time: Option<Duration>,
    clock: Option<TimeSystem>,
    means: SearchMeans,
    net: Option<AskedNet>,
    /// A second network, of which value, score and owners are taken.
    value_net: Option<AskedNet>,
    /// Whether it does not pass early, as no level does.
    plays_on_early: bool,
}

#[derive(Clone, Debug)]
enum EntrantKind {
    Recipe { name: String, recipe: Box<Recipe> },
    Random,
    Policy { name: String, policy: Box<Choice> },
    NetPolicy { name: String, temperature: f32 },
    Gtp { command_line: String },
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn refuse<T>(why: impl fmt::Display) -> Result<T> {
    Err(Error::input(why))
}

impl Entrant {
    /// The manners of this player in a match with these.
    fn manners(&self, terms: &Terms) -> Manners {
        Manners { plays_on_early: self.plays_on_early, ..terms.manners }
    }

    /// Whether playouts or seconds for each move are given with the player itself.
    pub fn has_own_budget(&self) -> bool {
        self.playouts.is_some() || self.time.is_some()
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The recipe of a player that has one.
    pub fn recipe(&self) -> Option<&Recipe> {
        match &self.kind {
            EntrantKind::Recipe { recipe, .. } => Some(recipe),
            EntrantKind::Random
            | EntrantKind::Policy { .. }
            | EntrantKind::NetPolicy { .. }
            | EntrantKind::Gtp { .. } => None,
        }
    }

    /// True for players in our own process.
    pub fn is_ours(&self) -> bool {
        !matches!(self.kind, EntrantKind::Gtp { .. })
    }

    /// Everything that makes the player what it is: a recipe with all its values.
    pub fn canonical(&self) -> String {
        let mut text = match &self.kind {
            EntrantKind::Recipe { recipe, .. } => recipe.to_string(),
            EntrantKind::Random => "random".to_string(),
            EntrantKind::Policy { policy, .. } => {
                let pairs = policy.pairs().map(|(param, value)| format!("{}={value}", param.key));
                format!("policy:{}:{}", policy.name(), pairs.collect::<Vec<_>>().join(","))
            }
            EntrantKind::NetPolicy { temperature, .. } => {
                format!("{NET_POLICY_WITH}temperature={temperature}")
            }
            EntrantKind::Gtp { command_line } => format!("gtp:{command_line}"),
        };
        let playouts = self.playouts.map(|n| format!("playouts={n}"));
        let time = self.time.map(|time| format!("time={}", time.as_secs_f64()));
        let clock = self.clock.and_then(clock::show).map(|clock| format!("clock={clock}"));
        // What is usual is not named, so that matches from before can go on.
        let usual = SearchMeans::default();
        let memory = (self.means.memory != usual.memory).then(|| format!("memory={}", self.means.memory));
        let threads =
            (self.means.threads != usual.threads).then(|| format!("threads={}", self.means.threads));
        let net = self.net.as_ref().map(|net| format!("net={}", net.identity()));
        let value_net = self.value_net.as_ref().map(|net| format!("value-net={}", net.identity()));
        let early_pass = self.plays_on_early.then(|| "early-pass=no".to_string());
        let budget: Vec<String> = [playouts, time, clock, memory, threads, net, value_net, early_pass]
            .into_iter()
            .flatten()
            .collect();
        if !budget.is_empty() {
            text += &format!("@{}", budget.join(","));
        }
        text
    }

    /// What this side may spend: its own budget before that of the match, its own clock before that of the match.
    pub fn allowance(&self, common: Allowance) -> Allowance {
        let clock = self.clock.unwrap_or(common.clock);
        if self.playouts.is_none() && self.time.is_none() {
            return Allowance { clock, ..common };
        }
        Allowance { playouts: self.playouts, time: self.time, clock }
    }

    /// Loads the network that this entrant is given, before it plays `game`, a word of `--game`.
    ///
    /// # Errors
    /// A network that cannot be loaded, plays another game, or is another one than it was; a recipe that asks one and is given none.
    pub fn load_net(&mut self, folder: &NetFolder, game: &str) -> Result<()> {
        match (&mut self.net, &self.kind) {
            (Some(net), _) => {
                net.load(folder, game)?;
                if let Some(value_net) = &mut self.value_net {
                    value_net.load(folder, game)?;
                    net.take_value(value_net);
                }
                Ok(())
            }
            (None, EntrantKind::NetPolicy { name, .. }) => {
                refuse(format!("\"{name}\" asks a network; expected its name: {}@net=NAME", self.text))
            }
            (None, EntrantKind::Recipe { name, recipe }) if recipes::asks_net(recipe) => {
                refuse(format!("\"{name}\" asks a network; expected its name: {}@net=NAME", self.text))
            }
            (None, _) => Ok(()),
        }
    }

    /// Takes over the network that another entrant has loaded, if both name the same.
    pub(crate) fn share_net(&mut self, other: &Entrant) {
        let same_value = match (&self.value_net, &other.value_net) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => ours.is_as(theirs),
            _ => false,
        };
        // The first network holds the second.
        if let (Some(ours), Some(theirs), true) = (&mut self.net, &other.net, same_value) {
            ours.share(theirs);
        }
        if let (Some(ours), Some(theirs)) = (&mut self.value_net, &other.value_net) {
            ours.share(theirs);
        }
    }

    /// The settings of a search of this entrant's: its means and its network.
    ///
    /// # Errors
    /// What no search can do with; a network that was not loaded.
    pub fn settings(&self, seed: u64) -> Result<Settings> {
        let net = self.net.as_ref().map(AskedNet::loaded).transpose()?;
        Ok(Settings { net, ..self.means.settings(seed)? })
    }

    /// Takes a seat for games under these terms; an outside engine is started, and not waited for any more once `stop` is
    /// set.
    ///
    /// # Errors
    /// [`PlayerError::Unable`] when an engine cannot be started.
    pub fn sit(&self, terms: &Terms, stop: &Arc<AtomicBool>) -> Result<Seat, PlayerError> {
        Ok(match &self.kind {
            EntrantKind::Recipe { name, recipe } => {
                let why = |error: Error| PlayerError::Unable { name: name.clone(), why: error.to_string() };
                let settings = self.settings(0).map_err(why)?;
                let player = SearchPlayer::new(name.clone(), recipe.as_ref().clone(), settings);
                Seat::Search(Box::new(player.with_manners(self.manners(terms))))
            }
            EntrantKind::Random => Seat::Random(RandomPlayer::new(0)),
            EntrantKind::Policy { name, policy } => {
                Seat::Policy(PolicyPlayer::new(name.clone(), policy.as_ref().clone(), 0))
            }
            EntrantKind::NetPolicy { name, temperature } => {
                Seat::NetPolicy(Box::new(self.net_policy(name, *temperature)?))
            }
            EntrantKind::Gtp { command_line } => {
                Seat::Outside(Outside::start(command_line, terms.patience, stop)?)
            }
        })
    }

    /// The player that draws moves from the policy of its network.
    fn net_policy(&self, name: &str, temperature: f32) -> Result<NetPolicy, PlayerError> {
        let unable = |why: String| PlayerError::Unable { name: name.to_string(), why };
        let net = self.net.as_ref().ok_or_else(|| unable("it has no network".to_string()))?;
        let net = net.loaded().map_err(|error| unable(error.to_string()))?;
        Ok(NetPolicy::new(name.to_string(), net, temperature, 0))
    }

    /// Checks that this entrant can play a board game beside Go.
    ///
    /// # Errors
    /// A playout policy by itself, which is one of Go; a recipe that needs what the game does not give.
    pub fn check_game(&self, game: &GameChoice) -> Result<()> {
        let name = game.entry().name;
        match &self.kind {
            EntrantKind::Policy { name: policy, .. } => refuse(format!(
                "\"{policy}\" is a playout policy of Go; for {name} expected a recipe, random or gtp:COMMAND"
            )),
            EntrantKind::Recipe { name: recipe_name, recipe } => {
                let net = self.net.as_ref().and_then(|net| net.loaded().ok());
                // A search that is never run needs next to no memory, and any network will do that reads boards.
                let net = Some(net.unwrap_or_else(recipes::stand_in));
                let settings = mcts::Settings { memory: 1 << 16, net, ..mcts::Settings::default() };
                let built = game.board().thinker(recipe, &settings);
                built
                    .map(|_| ())
                    .map_err(|why| Error::input(format!("\"{recipe_name}\" does not suit {name}: {why}")))
            }
            EntrantKind::Random | EntrantKind::NetPolicy { .. } | EntrantKind::Gtp { .. } => Ok(()),
        }
    }

    /// Takes a seat for games of a board game beside Go.
    ///
    /// # Errors
    /// An entrant that cannot play it; an engine that cannot be started.
    pub fn sit_at_board(&self, terms: &Terms, stop: &Arc<AtomicBool>) -> Result<Box<dyn Opponent>> {
        if let Some(game) = &terms.board {
            self.check_game(game)?;
        }
        Ok(match &self.kind {
            EntrantKind::Recipe { name, recipe } => {
                let (recipe, settings) = (recipe.as_ref().clone(), self.settings(0)?);
                Box::new(SearchOpponent::new(name.clone(), recipe, settings, terms.manners))
            }
            EntrantKind::Random | EntrantKind::Policy { .. } => Box::new(RandomOpponent::new(0)),
            EntrantKind::NetPolicy { name, temperature } => Box::new(self.net_policy(name, *temperature)?),
            EntrantKind::Gtp { command_line } => {
                Box::new(OutsideOpponent::start(command_line, terms.patience, stop)?)
            }
        })
    }

    /// What a seat depends on: entrants with the same key can take over each other's under other terms.
    pub(crate) fn seat_key(&self, terms: &Terms) -> String {
        format!("{} {:?} {:?}", self.canonical(), terms.manners, terms.patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use player::levels;

    #[test]
    fn budgets_follow_the_at_sign() {
        let entrant: Entrant = "default select.c=0.5@playouts=300,time=0.5".parse().unwrap();
        assert!(entrant.is_ours());
        let allowance = entrant.allowance(Allowance { playouts: Some(9), ..Allowance::default() });
        assert_eq!((allowance.playouts, allowance.time), (Some(300), Some(Duration::from_millis(500))));
        assert!(entrant.canonical().ends_with("@playouts=300,time=0.5"), "{}", entrant.canonical());
        let small: Entrant = "default@playouts=300,memory=4M".parse().unwrap();
        assert_eq!(small.means.settings(7).unwrap().memory, 4_000_000);
        assert!(small.canonical().ends_with("@playouts=300,memory=4000000"), "{}", small.canonical());
        let own_memory: Entrant = "default@memory=4M".parse().unwrap();
        let common = Allowance { playouts: Some(9), ..Allowance::default() };
        assert_eq!(own_memory.allowance(common).playouts, Some(9), "memory is no budget");
        let plain: Entrant = "random".parse().unwrap();
        assert_eq!(
            plain.allowance(Allowance { playouts: Some(9), ..Allowance::default() }).playouts,
            Some(9)
        );
        let blitz: Entrant = "default@clock=1m+3x10,playouts=7".parse().unwrap();
        let allowance = blitz.allowance(Allowance { playouts: Some(9), ..Allowance::default() });
        assert_eq!((allowance.playouts, allowance.clock), (Some(7), clock::parse("60+3x10").unwrap()));
        assert!(blitz.canonical().ends_with("@playouts=7,clock=60+3x10"), "{}", blitz.canonical());
        let clock_only: Entrant = "gtp:engine@clock=30".parse().unwrap();
        let allowance = clock_only.allowance(Allowance { playouts: Some(9), ..Allowance::default() });
        assert_eq!((allowance.playouts, allowance.clock), (Some(9), clock::parse("30").unwrap()));
        let policy: Entrant = "policy:tengen:patterns=0".parse().unwrap();
        assert!(policy.is_ours() && policy.canonical().contains(",patterns=0,"), "{}", policy.canonical());
        assert_eq!(policy.canonical().parse::<Entrant>().unwrap().canonical(), policy.canonical());
        assert!("policy:mogp".parse::<Entrant>().unwrap_err().to_string().contains("mogo"));
        let outside: Entrant = "gtp:engine --host me@home".parse().unwrap();
        assert_eq!(outside.canonical(), "gtp:engine --host me@home");
        let outside: Entrant = "gtp:engine @time=3".parse().unwrap();
        assert_eq!(outside.canonical(), "gtp:engine@time=3");
    }

    #[test]
    fn a_level_is_a_recipe_with_a_budget_that_does_not_pass_early() {
        let novice: Entrant = "level:3@threads=2".parse().unwrap();
        assert_eq!((novice.text(), novice.playouts, novice.time), ("level:3@threads=2", Some(60), None));
        assert!(
            novice
                .manners(&Terms::new(goban::Size::square(9).unwrap(), 7.5, goban::Rules::CHINESE))
                .plays_on_early
                && novice.means.threads == 2
        );
        let recipe = recipes::parse(levels::LEVELS[2].recipe).unwrap();
        assert_eq!(novice.canonical(), format!("{recipe}@playouts=60,threads=2,early-pass=no"));
        assert_eq!(novice.canonical().parse::<Entrant>().unwrap().canonical(), novice.canonical());
        let blitz: Entrant = "level:3@clock=30".parse().unwrap();
        let allowance = blitz.allowance(Allowance::default());
        assert_eq!((allowance.playouts, allowance.clock), (Some(60), clock::parse("30").unwrap()));
        let full: Entrant = "level:13".parse().unwrap();
        assert_eq!((full.playouts, full.time), (None, Some(Duration::from_secs(5))));
        let plain: Entrant = "default@playouts=60".parse().unwrap();
        assert!(
            !plain
                .manners(&Terms::new(goban::Size::square(9).unwrap(), 7.5, goban::Rules::CHINESE))
                .plays_on_early
        );
    }

    #[test]
    fn nonsense_is_refused() {
        for (text, expected) in [
            ("level:14", "level:14: \"14\" is not a level"),
            ("level:7@net=small", "is not a level with a network"),
            ("level:2@playouts=9", "level:2@playouts=9: a level has a budget of its own"),
            ("random@early-pass=no", "only a recipe"),
            ("default@early-pass=never", "early-pass=never: expected yes or no"),
            ("level:5@early-pass=yes", "level:5@early-pass=yes: no level passes early"),
            ("defualt", "default"),
            ("default@playouts=0", "playouts=0: expected a number of playouts, at least 1"),
            ("default@playouts=1,time=2,playouts=3", "after the @: playouts is given twice"),
            ("random@playouts=3", "only a recipe"),
            ("gtp:engine@playouts=3", "only a recipe"),
            ("gtp:engine@memory=64M", "only a recipe"),
            ("default@memory=64", "memory=64: \"64\" is too little"),
            ("default@threads=x", "threads=x: expected a number of threads"),
            ("random@time=3", "no time"),
            ("gtp:engine@clock=soon", "is not a clock"),
            ("default@clock=30+", "is not a clock"),
            ("default@sims=3", "expected playouts=N"),
            ("default@time=-1", "positive"),
            ("gtp: ", "without a command"),
            ("default@net=small", "@net: \"default\" asks no network"),
            ("random@net=small", "only a recipe"),
            ("policy:net:warmth=1@net=a", "policy:net:warmth=1: expected policy:net:temperature=T, 0 to 100"),
            ("policy:net:temperature=-1@net=a", "expected policy:net:temperature=T"),
            ("policy:net@net=a,playouts=5", "only a recipe"),
            ("policy:net@net=a,time=5", "no time"),
            ("policy:net@net=a,value-net=b", "@value-net: only a recipe"),
            ("alphago@value-net=b", "@value-net: only a recipe that is given a net as well"),
            ("alphago@net=a,value-net=", "value-net=: expected the name or the file of a network"),
            ("katago@net=", "net=: expected the name or the file of a network"),
        ] {
            let error = text.parse::<Entrant>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
