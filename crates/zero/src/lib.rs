//! Learning to play a game from its rules alone: a network plays against itself with search, learns from these games, and plays the
//! next ones. [Silver et al. 2017, 2018: AlphaGo Zero, AlphaZero] The loop is the same for all games: it knows a [`Tabletop`], the
//! planes that the game shows to networks, and their symmetries.
//!
//! In reading order: [`settings`] a run as a file · [`target`] what a search teaches of its position · [`resign`] when games are
//! given up, and how often wrongly · [`stored`] a game as it is stored, and the rows that come of it · [`selfplay`] one game ·
//! [`window`] the latest rows, from which training draws · [`tally`] counts of games · [`trial`] games between two networks ·
//! [`curves`] the numbers of a run, network by network · [`folder`] what is on the disk · [`learner`] the trainer ·
//! [`run`](mod@run) the loop · [`status`] a run seen from outside · [`replay`] its games to look at · [`report`] its page.
//!
//! [`alphago`] learns in games without search, as AlphaGo's policies did: reinforcement of a policy, and positions for a value network.
//!
//! [`Tabletop`]: player::boardgame::Tabletop

pub mod alphago;
pub mod curves;
pub mod folder;
pub mod learner;
pub mod replay;
pub mod report;
pub mod resign;
pub mod run;
pub mod selfplay;
pub mod settings;
pub mod status;
pub mod stored;
pub mod tally;
pub mod target;
pub mod trial;
pub mod window;

pub use lab::{Error, ErrorPlace, Result};
pub use run::{Run, RunEvent};
pub use settings::RunSettings;
pub use status::RunStatus;
