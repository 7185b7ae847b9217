//! All numbers that decide what a review looks at and what it calls a mistake. Losses are shares of the win rate, 0..=1.

/// A move that costs this much is a mistake.
pub const MISTAKE: f32 = 0.05;
/// A move that costs this much is a blunder.
pub const BLUNDER: f32 = 0.15;

/// A glance spends this fraction, as 1/n, of the simulations for each position on a search of all moves.
pub const GLANCE_SHARE: u64 = 5;
/// Both the played and the preferred move get this fraction at least, as 1/n.
pub const ARM_SHARE: u64 = 8;
/// Positions that are looked at in one go with one tree: enough to profit from it, few enough to work on several at once and
/// to begin again after an interruption.
pub const STRETCH: usize = 8;

/// A move that costs this much at a glance is a suspect.
pub const SUSPECT: f32 = 0.05;
/// A suspect whose duels show less than this is left alone.
pub const HARMLESS: f32 = 0.03;
/// The part of a glance's loss that longer searches usually confirm: the better move is chosen by the same simulations that
/// it is then judged by, which flatters it.
pub const GLANCE_TRUST: f32 = 0.2;
/// Each of the two searches of a duel gets this fraction, as 1/n, of the simulations for each position.
pub const DUEL_SHARE: u64 = 2;
/// Simulations of each of the two searches of a duel, at least.
pub const LEAST_DUEL: u64 = 100;
/// This fraction, as 1/n, of what is left after the glances goes to the first duels: the worst suspects need more.
pub const FIRST_SHARE: u64 = 2;
/// Duels before a move is called a mistake.
pub const LEAST_ROUNDS: usize = 2;
/// Duels after which nobody asks again.
pub const MOST_ROUNDS: usize = 10;

/// Duels of a move that is reviewed alone, at most: somebody waits.
pub const SINGLE_ROUNDS: usize = 4;
/// Simulations that a position is worth in the review of a single move, by playouts.
pub const SINGLE_PLAYOUTS: u64 = 1200;
/// Likewise by a network, which is slower and sees more.
pub const SINGLE_NET_PLAYOUTS: u64 = 240;

/// How far apart the losses of two duels of the same move lie, as a variance: this much, and one part for each simulation.
/// Calibrated; see `docs/review.md`.
pub const DUEL_VARIANCE: f32 = 0.0004;
/// The part of the variance of a duel that more simulations make smaller: times 1/n.
pub const DUEL_VARIANCE_BY_N: f32 = 1.0;
/// Observations that the calibrated variance counts for beside those of the duels themselves.
pub const VARIANCE_WEIGHT: f32 = 4.0;
/// How far a much longer search disagrees with the mean of many duels, as a standard deviation.
pub const LONG_SEARCH_SD: f32 = 0.02;
/// The width of intervals in standard errors: 95 % of a normal distribution lie within.
pub const WIDTH: f32 = 1.96;
