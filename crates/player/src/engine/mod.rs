//! The engine that clients talk to over GTP: a position, a player, a clock for each colour, and the commands over
//! them in groups, each of which registers itself.
//!
//! Modules in reading order: `input` (colours and vertices), `think` (asking the player), [`draw`] (the board as
//! text), `info` (what a search thinks as text), `graphics` (the same as GoGui draws it), then the groups: `basic`,
//! `handicap`, `timing`, `score`, `rules`, `files`, `query`, `session`, `analyze` (searches that are watched), `study`
//! (questions to a search), `raw_net` (questions to a network), `level` (how strong it plays), and what single clients want beyond that, `kgs`, `gogui`, `gomill`, `cgos`.
//!
//! Two habits hold for all commands. Arguments that nobody asked for are passed over, as in other engines, because many
//! clients end a game at the first error. And `play` accepts what the rules of the game allow, while our own moves
//! keep to the strictest rules any server has, so that neither is ever refused.

mod analyze;
mod basic;
mod cgos;
pub mod draw;
mod files;
mod gogui;
mod gomill;
mod graphics;
mod handicap;
mod info;
mod input;
mod kgs;
mod level;
mod query;
mod raw_net;
pub(crate) mod rules;
mod score;
mod session;
pub(crate) mod shared;
mod study;
mod think;
mod timing;

use std::io::{BufRead, Write};
use std::time::Duration;

use goban::{Position, Rules, Size};
use gtp::{End, Registry, RegistryError};

use crate::clock::{Clock, TimeSystem};
use crate::nets::NetFile;
use crate::player::Player;
use crate::ponder::PonderSeat;
pub use level::LevelMeans;
pub(crate) use think::watched;

/// How an engine presents itself, and its budget.
#[derive(Clone, Debug)]
pub struct Options {
    /// What `name` answers.
    pub name: String,
    /// What `version` answers.
    pub version: String,
    /// What the player is made of, for `gomill-describe_engine`; may have several lines.
    pub description: String,
    /// Simulations for each move.
    pub playouts: Option<u64>,
    /// Time for each move; a clock may leave less.
    pub time: Option<Duration>,
    /// Whether `genmove` may answer `resign`.
    pub may_resign: bool,
    /// Whether the player thinks on the opponent's time, from its answer to `genmove` to the next command that needs it. What
    /// it finds comes on top of the simulations of its next move.
    pub ponder: bool,
    /// Whether there is a command `kgs-chat`; some versions of kgsGtp do not survive it.
    pub has_chat: bool,
    /// The network that the player asks; with one there is a command `kata-raw-nn`.
    pub net: Option<NetFile>,
    /// What players of levels are made with; with it there is a command `level`.
    pub levels: Option<LevelMeans>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: "Tengen".to_string(),
            version: version(),
            description: String::new(),
            playouts: None,
            time: None,
            may_resign: true,
            ponder: false,
            has_chat: false,
            net: None,
            levels: None,
        }
    }
}

/// Our version as `version` tells it: one number behind one dot, 0.203 for the release 0.2.3. Lizzie reads what stands
/// behind the first dot as a whole number and warns of less than 15, LizzieYzy wants two numbers.
pub fn version() -> String {
    let [major, minor, patch] =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    format!("{major}.{minor}{patch:0>2}")
}

/// The state of the engine, which the commands change.
pub struct Engine {
    options: Options,
    seat: PonderSeat<dyn Player>,
    position: Position,
    /// Black's and White's.
    clocks: [Clock; 2],
    /// The longest that the time system lets one move take.
    turn_limit: Option<Duration>,
    /// Why the last move of ours was played.
    comment: Option<String>,
    opponent: Option<String>,
    /// What the client had set before a record brought its own; the next record starts from it.
    komi_before_file: Option<f32>,
    rules_before_file: Option<Rules>,
    /// Whether GoGui is shown what is thought while it is thought.
    is_live: bool,
    /// What was found for GoGui's menu.
    studied: Option<study::Studied>,
}

impl Engine {
    /// An engine whose first game is an empty board.
    pub fn new(player: Box<dyn Player>, options: Options, size: Size, rules: Rules) -> Self {
        Self {
            options,
            seat: PonderSeat::new(player),
            position: Position::new(size, rules),
            clocks: [Clock::new(TimeSystem::Unlimited); 2],
            turn_limit: None,
            comment: None,
            opponent: None,
            komi_before_file: None,
            rules_before_file: None,
            is_live: false,
            studied: None,
        }
    }

    /// The game as it stands; a caller may set komi.
    pub fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    /// The game as it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the player thinks on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.seat.is_pondering()
    }

    /// The clocks of Black and White.
    pub fn clocks(&self) -> &[Clock; 2] {
        &self.clocks
    }

    /// A new game: full clocks, and nothing that was thought about the old one.
    fn start_game(&mut self) {
        self.clocks = self.clocks.map(|clock| Clock::new(clock.system()));
        self.comment = None;
        self.studied = None;
        self.seat.player().forget();
    }

    /// Answers commands until `quit` or the end of the input.
    ///
    /// # Errors
    /// Never for the groups of this crate: when two of them claim one command.
    pub fn serve(
        &mut self,
        input: impl BufRead + Send + 'static,
        output: impl Write,
    ) -> Result<End, RegistryError> {
        let registry = registry(&self.options)?;
        let end = gtp::serve(&registry, self, input, output);
        self.seat.stop();
        Ok(end)
    }
}

/// The table of all commands.
///
/// # Errors
/// Never for the groups of this crate: when two of them claim one command.
pub fn registry(options: &Options) -> Result<Registry<Engine>, RegistryError> {
    let mut registry = Registry::new();
    let groups = [
        basic::register,
        handicap::register,
        timing::register,
        score::register,
        rules::register,
        files::register,
        query::register,
        session::register,
        analyze::register,
        study::register,
        kgs::register,
        gogui::register,
        gomill::register,
        cgos::register,
    ];
    groups.iter().try_for_each(|register| register(&mut registry))?;
    if options.has_chat {
        kgs::register_chat(&mut registry)?;
    }
    if options.net.is_some() {
        raw_net::register(&mut registry)?;
    }
    if options.levels.is_some() {
        level::register(&mut registry)?;
    }
    Ok(registry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lizzie_takes_our_version() {
        let version = version();
        let (major, minor) = version.split_once('.').unwrap();
        assert_eq!(major, env!("CARGO_PKG_VERSION_MAJOR"));
        assert!(minor.parse::<u32>().unwrap() >= 15, "{version}: Lizzie warns of it");
        let [minor, patch] = [env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
        assert!(version.ends_with(patch) && version[major.len() + 1..].starts_with(minor), "{version}");
    }
}
