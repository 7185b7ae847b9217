//! The two sides of a match as text, and as players at a table.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use goban::Position;
use player::{
    Allowance, GtpPlayer, Manners, Patience, Player, PlayerError, RandomPlayer, SearchPlayer, recipes,
};
use recipe::Recipe;

use crate::options::{Means, parse_memory};

/// One side of the match.
#[derive(Clone, Debug)]
pub(super) struct Contestant {
    /// As it was given.
    pub(super) text: String,
    kind: Kind,
    playouts: Option<u64>,
    time: Option<Duration>,
    means: Means,
    /// When a recipe passes and gives up.
    manners: Manners,
}

#[derive(Clone, Debug)]
enum Kind {
    Recipe { name: String, recipe: Box<Recipe> },
    Random,
    Gtp { command_line: String },
}

impl FromStr for Contestant {
    type Err = Error;

    /// `default`, `uct select.c=0.5`, `random`, `gtp:COMMAND`; an own budget may follow as `@playouts=300`,
    /// `@time=2`, `@memory=4M` or `@threads=2`, or several with commas.
    fn from_str(text: &str) -> Result<Self> {
        // Only the outermost error of an option is shown, so it has to tell all.
        Self::read(text).map_err(|error| anyhow!("{error:#}"))
    }
}

fn is_budget(text: &str) -> bool {
    let keys = ["playouts=", "time=", "memory=", "threads="];
    text.split(',').all(|pair| keys.iter().any(|key| pair.starts_with(key)))
}

impl Contestant {
    fn read(text: &str) -> Result<Self> {
        let is_gtp = text.starts_with("gtp:");
        let (who, budget) = match text.rsplit_once('@') {
            Some((who, budget)) if !is_gtp || is_budget(budget) => (who.trim(), Some(budget)),
            _ => (text.trim(), None),
        };
        let kind = match (who, who.strip_prefix("gtp:").map(str::trim)) {
            (_, Some("")) => bail!("gtp: without a command; expected something like gtp:gnugo --mode gtp"),
            (_, Some(command_line)) => Kind::Gtp { command_line: command_line.to_string() },
            ("random", _) => Kind::Random,
            (name, _) => {
                let recipe = Box::new(recipes::parse(name)?);
                Kind::Recipe { name: name.to_string(), recipe }
            }
        };
        let text = text.trim().to_string();
        let (means, manners) = (Means::default(), Manners::default());
        let mut contestant = Self { text, kind, playouts: None, time: None, means, manners };
        for pair in budget.into_iter().flat_map(|budget| budget.split(',')) {
            contestant.set(pair)?;
        }
        if contestant.playouts.is_some() && !matches!(contestant.kind, Kind::Recipe { .. }) {
            bail!("@playouts: only a recipe can be told a number of playouts");
        }
        if contestant.means != Means::default() && !matches!(contestant.kind, Kind::Recipe { .. }) {
            bail!("@memory, @threads: only a recipe can be told what it may take of the machine");
        }
        if contestant.time.is_some() && matches!(contestant.kind, Kind::Random) {
            bail!("@time: random takes no time");
        }
        Ok(contestant)
    }

    fn set(&mut self, pair: &str) -> Result<()> {
        match pair.trim().split_once('=') {
            Some(("playouts", n)) => {
                let n = n
                    .parse()
                    .ok()
                    .filter(|&n| n > 0)
                    .with_context(|| format!("{pair}: expected a number of playouts, at least 1"))?;
                self.playouts = Some(n);
            }
            Some(("time", seconds)) => {
                let seconds = seconds.parse().with_context(|| format!("{pair}: expected seconds"))?;
                self.time = Some(seconds_per_move(seconds).with_context(|| pair.to_string())?);
            }
            Some(("memory", size)) => {
                self.means.memory = parse_memory(size).with_context(|| pair.to_string())?;
            }
            Some(("threads", n)) => {
                self.means.threads =
                    n.parse().ok().with_context(|| format!("{pair}: expected a number of threads"))?;
                self.means.settings(0)?;
            }
            _ => {
                bail!("after the @: expected playouts=N, time=SECONDS, memory=SIZE or threads=N, not {pair}")
            }
        }
        Ok(())
    }

    /// The same side with other manners.
    pub(super) fn with_manners(&self, manners: Manners) -> Self {
        Self { manners, ..self.clone() }
    }

    /// True for players in our own process.
    pub(super) fn is_ours(&self) -> bool {
        !matches!(self.kind, Kind::Gtp { .. })
    }

    /// Everything that makes the player what it is: a recipe with all its values.
    pub(super) fn canonical(&self) -> String {
        let mut text = match &self.kind {
            Kind::Recipe { recipe, .. } => recipe.to_string(),
            Kind::Random => "random".to_string(),
            Kind::Gtp { command_line } => format!("gtp:{command_line}"),
        };
        let playouts = self.playouts.map(|n| format!("playouts={n}"));
        let time = self.time.map(|time| format!("time={}", time.as_secs_f64()));
        // What is usual is not named, so that matches from before can go on.
        let usual = Means::default();
        let memory = (self.means.memory != usual.memory).then(|| format!("memory={}", self.means.memory));
        let threads =
            (self.means.threads != usual.threads).then(|| format!("threads={}", self.means.threads));
        let budget: Vec<String> = [playouts, time, memory, threads].into_iter().flatten().collect();
        if !budget.is_empty() {
            text += &format!("@{}", budget.join(","));
        }
        text
    }

    /// What this side may spend: its own budget before that of the match.
    pub(super) fn allowance(&self, common: Allowance) -> Allowance {
        if self.playouts.is_none() && self.time.is_none() {
            return common;
        }
        Allowance { playouts: self.playouts, time: self.time, ..common }
    }

    /// Takes a seat; an outside engine is started, and not waited for any more once `stop` is set.
    pub(super) fn sit(&self, patience: Patience, stop: &Arc<AtomicBool>) -> Result<Seat, PlayerError> {
        Ok(match &self.kind {
            Kind::Recipe { name, recipe } => {
                let why = |error: Error| PlayerError::Unable { name: name.clone(), why: error.to_string() };
                let settings = self.means.settings(0).map_err(why)?;
                let player = SearchPlayer::new(name.clone(), recipe.as_ref().clone(), settings);
                Seat::Search(Box::new(player.with_manners(self.manners)))
            }
            Kind::Random => Seat::Random(RandomPlayer::new(0)),
            Kind::Gtp { command_line } => {
                Seat::Outside(Box::new(GtpPlayer::start_until(command_line, patience, stop)?))
            }
        })
    }
}

/// A time per move that can be meant.
pub(super) fn seconds_per_move(seconds: f64) -> Result<Duration> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => bail!("{seconds}: expected a positive number of seconds"),
    }
}

/// A contestant at one of the tables where games are played at the same time.
pub(super) enum Seat {
    Search(Box<SearchPlayer>),
    Random(RandomPlayer),
    Outside(Box<GtpPlayer>),
}

impl Seat {
    /// Gets ready for a new game. Ours are made anew, so that nothing of other games can matter; outside engines go
    /// on, are told of the new game before its clock starts, and are started again if they died.
    pub(super) fn ready(
        &mut self,
        seed: u64,
        position: &Position,
        allowance: Allowance,
    ) -> Result<(), PlayerError> {
        match self {
            Self::Search(player) => {
                let settings = mcts::Settings { seed, ..player.settings().clone() };
                let fresh = SearchPlayer::new(player.name(), player.recipe().clone(), settings);
                **player = fresh.with_manners(player.manners());
            }
            Self::Random(player) => *player = RandomPlayer::new(seed),
            Self::Outside(player) => {
                player.forget();
                player.prepare(position, allowance.clock)?;
            }
        }
        Ok(())
    }

    /// Who sits here.
    pub(super) fn player(&mut self) -> &mut dyn Player {
        match self {
            Self::Search(player) => player.as_mut(),
            Self::Random(player) => player,
            Self::Outside(player) => player.as_mut(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_follow_the_at_sign() {
        let contestant: Contestant = "default select.c=0.5@playouts=300,time=0.5".parse().unwrap();
        assert!(contestant.is_ours());
        let allowance = contestant.allowance(Allowance { playouts: Some(9), ..Allowance::default() });
        assert_eq!((allowance.playouts, allowance.time), (Some(300), Some(Duration::from_millis(500))));
        assert!(contestant.canonical().ends_with("@playouts=300,time=0.5"), "{}", contestant.canonical());
        let small: Contestant = "default@playouts=300,memory=4M".parse().unwrap();
        assert_eq!(small.means.settings(7).unwrap().memory, 4_000_000);
        assert!(small.canonical().ends_with("@playouts=300,memory=4000000"), "{}", small.canonical());
        let own_memory: Contestant = "default@memory=4M".parse().unwrap();
        let common = Allowance { playouts: Some(9), ..Allowance::default() };
        assert_eq!(own_memory.allowance(common).playouts, Some(9), "memory is no budget");
        let plain: Contestant = "random".parse().unwrap();
        assert_eq!(
            plain.allowance(Allowance { playouts: Some(9), ..Allowance::default() }).playouts,
            Some(9)
        );
        let outside: Contestant = "gtp:engine --host me@home".parse().unwrap();
        assert_eq!(outside.canonical(), "gtp:engine --host me@home");
        let outside: Contestant = "gtp:engine @time=3".parse().unwrap();
        assert_eq!(outside.canonical(), "gtp:engine@time=3");
    }

    #[test]
    fn nonsense_is_refused() {
        for (text, expected) in [
            ("defualt", "default"),
            ("default@playouts=0", "playouts=0: expected a number of playouts, at least 1"),
            ("random@playouts=3", "only a recipe"),
            ("gtp:engine@playouts=3", "only a recipe"),
            ("gtp:engine@memory=64M", "only a recipe"),
            ("default@memory=64", "memory=64: \"64\" is too little"),
            ("default@threads=x", "threads=x: expected a number of threads"),
            ("random@time=3", "no time"),
            ("default@sims=3", "expected playouts=N"),
            ("default@time=-1", "positive"),
            ("gtp: ", "without a command"),
        ] {
            let error = text.parse::<Contestant>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
