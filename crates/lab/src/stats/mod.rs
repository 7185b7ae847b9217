//! Strength from games. Pure functions and small structs: no files, no printing, no randomness.
//!
//! Points are those of the first player, A: a win 1, a draw (jigo) ½, a loss 0. Elo is *logistic* Elo: a player ahead by
//! `e` expects the share `1 / (1 + 10^(−e/400))` of the points, draws included as halves. Every number that comes out is
//! finite, so that it can be written as JSON; where games set no bound, [`MOST_ELO`] stands for infinity, which
//! [`Elo::open_ends`] turns it into for whoever shows it.
//!
//! In reading order: [`gamma`] (a function of analysis), [`share`] (Wilson's interval of a share), [`elo`] (Elo of a share and its interval), [`count`] (games
//! and colour pairs counted by their points), [`score`] (what they say together, with its words), [`sprt`] (when to stop), [`sequence`] (the same for games that end out of
//! order), [`rating`] (many players at once) and [`components`] (who can be compared with whom).

pub mod components;
pub mod count;
pub mod elo;
pub mod gamma;
pub mod rating;
pub mod score;
pub mod sequence;
pub mod share;
pub mod sprt;

pub use count::{Pentanomial, Trinomial, WinDrawLoss};
pub use elo::{Elo, MOST_ELO, elo_of_rate, rate_of_elo};
pub use rating::{Encounter, Rating, Ratings, ratings};
pub use score::{MatchScore, Rate, ScoreCount, ScoreText};
pub use sequence::SequentialTest;
pub use share::{Z95, normal_cdf, wilson95};
pub use sprt::{Hypothesis, Sprt};

/// Numbers that make no statistics.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// The two hypotheses of a sequential test are not in order.
    #[error(
        "sprt: elo0 is {elo0} and elo1 is {elo1}; expected two numbers within ±{MOST_ELO}, elo0 below elo1"
    )]
    Hypotheses {
        /// Elo under H0.
        elo0: f64,
        /// Elo under H1.
        elo1: f64,
    },
    /// An error rate of a sequential test is out of range.
    #[error("sprt: {name} is {value}; expected a probability above 0 and below 0.5")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The anchor is not one of the players, or its rating is no number.
    #[error(
        "ratings: the anchor is player {anchor} at {elo} Elo; expected a player below {n_players} and a finite rating"
    )]
    Anchor {
        /// The player whose rating is given.
        anchor: usize,
        /// The rating it is given.
        elo: f64,
        /// How many players there are.
        n_players: usize,
    },
    /// An encounter names a player that does not exist, a player against itself, or a number of games that is none.
    #[error(
        "ratings: {a} against {b} with {wins} wins, {draws} draws, {losses} losses; expected two different players below \
         {n_players} and numbers from 0"
    )]
    Encounter {
        /// The first player.
        a: usize,
        /// The second player.
        b: usize,
        /// Games that `a` won.
        wins: f64,
        /// Drawn games.
        draws: f64,
        /// Games that `b` won.
        losses: f64,
        /// How many players there are.
        n_players: usize,
    },
    /// No chain of games leads from the anchor to this player, so nothing can be said of it.
    #[error("ratings: no chain of games joins player {player} with the anchor, player {anchor}")]
    Unconnected {
        /// The player nobody the anchor knows has met.
        player: usize,
        /// The player whose rating is given.
        anchor: usize,
    },
    /// The likelihood has no maximum that the arithmetic finds: the numbers of games are of too different size.
    #[error(
        "ratings: the likelihood of {n_games} games between {n_players} players has no maximum within reach"
    )]
    NoMaximum {
        /// How many games there are.
        n_games: f64,
        /// How many players there are.
        n_players: usize,
    },
}
