//! Players: our search, outside GTP engines and small samples behind one trait, with clocks, the judgement of
//! dead stones, and the GTP engine that clients talk to.
//!
//! Modules in reading order: [`log`] (results kept line by line), [`whole_file`] (files replaced as a whole), [`clock`] (time systems), [`cpu_time`] (processor time), [`time`] (how much of it to spend), [`player`] (the trait), [`sample`]
//! (the smallest players), [`policy`] (a playout policy as a player), [`net_policy`] (a network's policy as one), [`survey`] (what a search thinks), [`study`] (looking
//! into a position), [`searcher`] (our search), [`dead`] (which stones are dead), [`ponder`] (thinking on the opponent's
//! time), [`nets`] (networks from files), [`recipes`] (players by name), [`levels`] (players by strength), [`review`] (what each move of a game cost), [`record`] (games as SGF), [`outside`] (GTP engines as players), [`judge`] (who
//! counts), [`game`] (two players at a board), [`solve`] (positions with a right move), [`cgos`] (what is told of a move on
//! CGOS), [`engine`] (a player behind GTP), [`analysis`] (searches behind KataGo's JSON protocol), [`boardgame`] (all of that
//! for board games beside Go).

pub mod analysis;
pub mod boardgame;
pub mod cgos;
pub mod clock;
pub mod cpu_time;
pub mod dead;
pub mod engine;
pub mod game;
pub mod judge;
pub mod levels;
pub mod log;
pub mod net_policy;
pub mod nets;
pub mod outside;
pub mod player;
pub mod policy;
pub mod ponder;
pub mod recipes;
pub mod record;
pub mod review;
pub mod sample;
pub mod searcher;
pub mod solve;
pub mod study;
pub mod survey;
pub mod time;
pub mod whole_file;

pub use clock::{Clock, TimeSystem};
pub use engine::Engine;
pub use game::{
    Allowance, GameLog, GameOutcome, GameRecord, GameSetup, PlayError, Reason, ReasonKind, play_game,
};
pub use judge::{Judge, JudgeName};
pub use net_policy::NetPolicy;
pub use outside::{GtpPlayer, Patience};
pub use player::{Budget, Decision, Player, PlayerError};
pub use policy::PolicyPlayer;
pub use sample::RandomPlayer;
pub use searcher::{Manners, SearchPlayer};
pub use survey::{Candidate, Survey};
