//! Players as text: what stands before the @, and the budget behind it.

use std::str::FromStr;

use player::net_policy::MAX_TEMPERATURE;
use player::{levels, recipes};

use super::net::AskedNet;
use super::{Entrant, EntrantKind, SearchMeans, parse_memory, refuse};
use crate::clock::{self, seconds_per_move};
use crate::{Error, ErrorPlace, Result};

/// The policy of a network by itself, and the same with a parameter.
const NET_POLICY: &str = "policy:net";
pub(super) const NET_POLICY_WITH: &str = "policy:net:";

/// The temperature of `policy:net:temperature=0.5`; 1 where none is named.
fn temperature(name: &str) -> Result<f32> {
    let Some(pair) = name.strip_prefix(NET_POLICY_WITH) else { return Ok(1.0) };
    let number = pair.strip_prefix("temperature=").and_then(|number| number.parse().ok());
    match number.filter(|number| (0.0..=MAX_TEMPERATURE).contains(number)) {
        Some(number) => Ok(number),
        None => refuse(format!("{name}: expected {NET_POLICY_WITH}temperature=T, 0 to {MAX_TEMPERATURE}")),
    }
}

/// The keys behind the @, which are also those of a player's table in an experiment.
pub(crate) const KEYS: [&str; 8] =
    ["playouts", "time", "clock", "memory", "threads", "net", "value-net", "early-pass"];

fn is_budget(text: &str) -> bool {
    text.split(',').all(|pair| pair.split_once('=').is_some_and(|(key, _)| KEYS.contains(&key)))
}

impl FromStr for Entrant {
    type Err = Error;

    /// `default`, `uct select.c=0.5`, `level:5`, `random`, `policy:mogo`, `policy:net`, `gtp:COMMAND`; an own budget may follow as
    /// `@playouts=300`, `@time=2`, `@clock=5m`, `@memory=4M`, `@threads=2` or, for who asks a network, `@net=NAME` and
    /// `@value-net=NAME`, or several with commas. In a command `{seed}` and `{seed31}` stand for the game's seed.
    fn from_str(text: &str) -> Result<Self> {
        let is_gtp = text.starts_with("gtp:");
        let (who, budget) = match text.rsplit_once('@') {
            Some((who, budget)) if !is_gtp || is_budget(budget) => (who.trim(), Some(budget)),
            _ => (text.trim(), None),
        };
        let kind = match (who, who.strip_prefix("gtp:").map(str::trim)) {
            (_, Some("")) => {
                return refuse("gtp: without a command; expected something like gtp:gnugo --mode gtp");
            }
            (_, Some(command_line)) => EntrantKind::Gtp { command_line: command_line.to_string() },
            ("random", _) => EntrantKind::Random,
            (name, _) if name.starts_with("level:") => return Self::of_level(name, text, budget),
            (name, _) if name == NET_POLICY || name.starts_with(NET_POLICY_WITH) => {
                EntrantKind::NetPolicy { name: name.to_string(), temperature: temperature(name)? }
            }
            (name, _) if name.starts_with("policy:") => {
                let policy = Box::new(recipes::policy(name["policy:".len()..].trim())?);
                EntrantKind::Policy { name: name.to_string(), policy }
            }
            (name, _) => {
                let recipe = Box::new(recipes::parse(name)?);
                EntrantKind::Recipe { name: name.to_string(), recipe }
            }
        };
        let text = text.trim().to_string();
        let mut entrant = Self {
            text,
            kind,
            playouts: None,
            time: None,
            clock: None,
            means: SearchMeans::default(),
            net: None,
            value_net: None,
            plays_on_early: false,
        };
        let mut seen = Vec::new();
        for pair in budget.into_iter().flat_map(|budget| budget.split(',')) {
            entrant.set(pair)?;
            let key = pair.split('=').next().map(str::trim).unwrap_or_default();
            if seen.contains(&key) {
                return refuse(format!("after the @: {key} is given twice"));
            }
            seen.push(key);
        }
        entrant.check()?;
        Ok(entrant)
    }
}

impl Entrant {
    /// A level by its number, which is a recipe with a budget. Its network and a clock may stand behind the @, and what does not
    /// change its strength. With little time left on its clock it thinks less, as levels do on the page and in GTP.
    fn of_level(name: &str, text: &str, budget: Option<&str>) -> Result<Self> {
        let pairs = || budget.into_iter().flat_map(|budget| budget.split(','));
        let has_net = pairs().any(|pair| pair.trim().starts_with("net="));
        let level = levels::parse(&name["level:".len()..], has_net).map_err(Error::input).at(name)?;
        if let Some(pair) =
            pairs().find(|pair| ["playouts=", "time="].iter().any(|key| pair.trim().starts_with(key)))
        {
            return refuse(format!(
                "{name}@{pair}: a level has a budget of its own; expected a recipe instead"
            ));
        }
        if let Some(pair) = pairs().find(|pair| pair.trim().starts_with("early-pass=")) {
            return refuse(format!("{name}@{pair}: no level passes early; expected a recipe instead"));
        }
        let own = match level.playouts {
            Some(n) => format!("playouts={n}"),
            None => format!("time={}", level.time.as_secs_f64()),
        };
        let rest: String = pairs().map(|pair| format!(",{pair}")).collect();
        let made: Self = format!("{}@{own}{rest},early-pass=no", level.recipe).parse()?;
        Ok(Self { text: text.trim().to_string(), ..made })
    }

    /// Refuses a budget that this kind of player cannot be given.
    fn check(&self) -> Result<()> {
        let is_recipe = matches!(self.kind, EntrantKind::Recipe { .. });
        if self.playouts.is_some() && !is_recipe {
            return refuse("@playouts: only a recipe can be told a number of playouts");
        }
        if self.plays_on_early && !is_recipe {
            return refuse("@early-pass: only a recipe can be told not to pass early");
        }
        if self.means != SearchMeans::default() && !is_recipe {
            return refuse("@memory, @threads: only a recipe can be given memory and threads");
        }
        match (&self.kind, &self.net) {
            (EntrantKind::Recipe { name, recipe }, Some(_)) if !recipes::asks_net(recipe) => {
                return refuse(format!("@net: {}", recipes::asks_no_net(name, "katago")));
            }
            (EntrantKind::Recipe { .. } | EntrantKind::NetPolicy { .. }, _) | (_, None) => {}
            _ => return refuse("@net: only a recipe and policy:net can be given a network"),
        }
        if self.value_net.is_some() && !(is_recipe && self.net.is_some()) {
            return refuse("@value-net: only a recipe that is given a net as well can be given a second one");
        }
        let is_searching = matches!(self.kind, EntrantKind::Recipe { .. } | EntrantKind::Gtp { .. });
        if self.time.is_some() && !is_searching {
            return refuse("@time: who does not search takes no time");
        }
        Ok(())
    }

    fn set(&mut self, pair: &str) -> Result<()> {
        let expected = |what: &str| Error::input(format!("{pair}: expected {what}"));
        match pair.trim().split_once('=') {
            Some(("playouts", n)) => {
                let n = n.parse().ok().filter(|&n| n > 0);
                self.playouts = Some(n.ok_or_else(|| expected("a number of playouts, at least 1"))?);
            }
            Some(("time", seconds)) => {
                let seconds = seconds.parse().map_err(|_| expected("seconds"))?;
                self.time = Some(seconds_per_move(seconds).at(pair)?);
            }
            Some(("clock", text)) => self.clock = Some(clock::parse(text)?),
            Some(("memory", size)) => self.means.memory = parse_memory(size).at(pair)?,
            Some(("threads", n)) => {
                self.means.threads = n.parse().map_err(|_| expected("a number of threads"))?;
                self.means.settings(0)?;
            }
            Some(("net", text)) => self.net = Some(AskedNet::parse("net", text)?),
            Some(("value-net", text)) => self.value_net = Some(AskedNet::parse("value-net", text)?),
            Some(("early-pass", "no")) => self.plays_on_early = true,
            Some(("early-pass", "yes")) => self.plays_on_early = false,
            Some(("early-pass", _)) => return Err(expected("yes or no")),
            _ => {
                return refuse(format!(
                    "after the @: expected playouts=N, time=SECONDS, clock=CLOCK, memory=SIZE, threads=N, net=NAME, value-net=NAME or early-pass=no, not {pair:?}"
                ));
            }
        }
        Ok(())
    }
}
