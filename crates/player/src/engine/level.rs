//! The strength of the engine as a level. Only engines that can make players of levels have the command.

use gtp::{Args, Context, Entry, Registry, RegistryError, Response};
use mcts::Settings;

use super::Engine;
use crate::levels::{self, Level};
use crate::ponder::PonderSeat;
use crate::searcher::Manners;

/// Settings and manners from which the players of levels are made.
#[derive(Clone, Debug)]
pub struct LevelMeans {
    /// Seed, memory, threads and network.
    pub settings: Settings,
    /// When they resign and pass, apart from what all levels have in common.
    pub manners: Manners,
}

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let doc = "Plays on as this level of docs/levels.md, whatever recipe and budget it played with before.";
    registry.group("level", &[Entry::new("level", "NUMBER", doc, level)]).map(|_| ())
}

fn level(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let Some(means) = engine.options.levels.clone() else { return Err("there are no levels".into()) };
    let level = levels::parse(args.word("number of a level")?, means.settings.net.is_some())?;
    let player = level.player(&means.settings).map_err(|error| error.to_string())?;
    engine.seat = PonderSeat::new(Box::new(player.with_manners(Level::manners(means.manners))));
    (engine.options.playouts, engine.options.time) = (level.playouts, Some(level.time));
    engine.studied = None;
    Ok(String::new())
}
