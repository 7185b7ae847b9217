//! When to pass and when to give up.
//!
//! Under area scoring a board may be counted as it stands, with every stone alive, as Tromp and Taylor count it; so a pass
//! is considered only when that count is not lost, and made at once when it wins and the opponent has passed. Under
//! territory scoring the players agree on what is dead. A game that is cleaned up is played until no enemy stone that
//! is judged dead is on the board.

use goban::{Color, Position, Scoring, Vertex};

use crate::dead;

/// When a player resigns, passes, or plays on. Values are how often its best move is expected to win, 0..=1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manners {
    /// Gives up below this value, where that is allowed; `None` never.
    pub resign_below: Option<f32>,
    /// Passes below this value, as GoYui did at 0.1 (You 2012); `None` never. The game is then counted as it stands, if the
    /// opponent passes, too.
    pub pass_below: Option<f32>,
    /// Whether it makes no pass, and answers none, while [`is_early`] holds and it has another move.
    pub plays_on_early: bool,
}

impl Default for Manners {
    fn default() -> Self {
        Self { resign_below: Some(0.05), pass_below: None, plays_on_early: false }
    }
}

/// The rule for passing, known before the search begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassRule {
    /// A pass settles the game in our favour, or nothing is left to do.
    AtOnce,
    /// A pass is a move like others.
    Allowed,
    /// Only when nothing else is left.
    Never,
    /// Only when nothing else is left, and only these moves are of use: they take liberties of dead stones.
    Capture(Vec<Vertex>),
}

impl PassRule {
    /// Whether the rule leaves a move to the search.
    pub fn allows(&self, vertex: Vertex) -> bool {
        match self {
            Self::AtOnce | Self::Allowed => true,
            Self::Never => !vertex.is_pass(),
            Self::Capture(moves) => moves.contains(&vertex),
        }
    }
}

/// The rule for the move of `color`.
pub fn pass_rule(position: &Position, color: Color, cleanup: bool) -> PassRule {
    if cleanup {
        return cleanup_rule(position, color);
    }
    let ours = |margin: f32| if color == Color::Black { margin } else { -margin };
    let answers_pass = position.n_passes() > 0;
    match position.rules().scoring {
        Scoring::Area => match ours(position.score().margin()) {
            margin if margin > 0.0 && answers_pass => PassRule::AtOnce,
            margin if margin >= 0.0 => PassRule::Allowed,
            _ => PassRule::Never,
        },
        // Every stone costs a point, and the players agree on what is dead.
        Scoring::Territory => match ours(dead::judged_score(position).margin()) {
            margin if margin > 0.0 && answers_pass => PassRule::AtOnce,
            _ => PassRule::Allowed,
        },
    }
}

/// The part of the board, as 1/n of its points, that is filled before a pass is more than a slip.
const PASS_AFTER: usize = 3;

/// Whether so little of the board is filled that nobody passes in earnest. To a search of a few playouts an open board on
/// which komi wins is as good as finished.
pub fn is_early(position: &Position) -> bool {
    let area = position.size().area();
    (area - position.board().n_empty()) * PASS_AFTER < area
}

/// Whether a pass is worth looking at: neither early in the game, nor where the board as it stands would be counted and lost.
pub fn may_pass(position: &Position, color: Color) -> bool {
    if is_early(position) {
        return false;
    }
    let black = || position.score().margin();
    match (position.rules().scoring, color) {
        (Scoring::Territory, _) => true,
        (Scoring::Area, Color::Black) => black() >= 0.0,
        (Scoring::Area, Color::White) => black() <= 0.0,
    }
}

/// Dead enemy stones lose their liberties one by one, by moves that are not taken themselves.
fn cleanup_rule(position: &Position, color: Color) -> PassRule {
    let board = position.board();
    let dead = dead::dead_stones(position);
    let dead_enemies: Vec<Vertex> = dead.into_iter().filter(|&v| board.stone(v) == Some(!color)).collect();
    if dead_enemies.is_empty() {
        return PassRule::AtOnce;
    }
    let mut moves: Vec<Vertex> = dead_enemies.iter().flat_map(|&vertex| board.liberties(vertex)).collect();
    moves.sort_unstable_by_key(|vertex| (vertex.row(), vertex.col()));
    moves.dedup();
    moves.retain(|&vertex| is_sound(position, color, vertex));
    if moves.is_empty() { PassRule::Never } else { PassRule::Capture(moves) }
}

/// Whether a move is legal and cannot be taken at once.
fn is_sound(position: &Position, color: Color, vertex: Vertex) -> bool {
    let mut after = position.clone();
    after.play(color, vertex).is_ok() && after.board().n_liberties(vertex) > 1
}
