//! What is told with a move: win rate, score, candidate moves with their lines, ownership, as one line of JSON.
//!
//! All of it is the mover's point of view. The form is the server's (its document on the extension of GTP for analysis).

use goban::{Color, Position};
use mcts::Settings;
use mcts::go::any;
use player::SearchPlayer;
use player::searcher::{Thought, situation};
use serde_json::{Map, Value, json};

/// Candidate moves that are told, and the moves of their lines.
const MAX_MOVES: usize = 10;
const MAX_LINE: usize = 20;

/// Characters for ownership from −1 to 1 in 63 steps.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The object for the move that the player has just thought about, if it has thought.
pub(super) fn object(player: &SearchPlayer, position: &Position, color: Color) -> Option<Value> {
    let thought = player.last().filter(|thought| thought.chosen.is_some())?;
    let (report, size) = (&thought.report, position.size());
    // The search's score and ownership are Black's.
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let mut order: Vec<usize> = (0..report.arms.len()).filter(|&arm| report.arms[arm].visits > 0).collect();
    order.sort_by_key(|&arm| (Some(arm) != thought.chosen, std::cmp::Reverse(report.arms[arm].visits)));
    let moves: Vec<Value> = order
        .iter()
        .take(MAX_MOVES)
        .filter_map(|&idx| {
            let (arm, line) = (&report.arms[idx], thought.lines.get(idx)?);
            let (first, rest) = line.split_first()?;
            let rest: Vec<String> = rest.iter().take(MAX_LINE).map(|&vertex| size.show(vertex)).collect();
            // Where the prior gives no probability, the share of the visits stands for it.
            let prior = arm.p.unwrap_or(arm.visits as f32 / report.visits.max(1) as f32);
            Some(json!({
                "move": size.show(*first),
                "winrate": rounded(arm.win),
                "visits": arm.visits,
                "prior": rounded(prior),
                "pv": rest.join(" "),
            }))
        })
        .collect();
    let mut object = Map::new();
    object.insert("winrate".to_owned(), rounded(chosen_win(thought)));
    object.insert("score".to_owned(), rounded(sign * report.score));
    object.insert("visits".to_owned(), json!(report.visits));
    object.insert("moves".to_owned(), Value::Array(moves));
    let owners: String =
        owners(player, position, color).into_iter().map(|owner| letter(sign * owner)).collect();
    if !owners.is_empty() {
        object.insert("ownership".to_owned(), Value::String(owners));
    }
    Some(Value::Object(object))
}

/// Who will own each point, row by row from the top, +1 Black; empty if the search did not say. Reports keep it in the order
/// of their boards' layout, which a search knows, be it one that never runs.
fn owners(player: &SearchPlayer, position: &Position, color: Color) -> Vec<f32> {
    let Some(thought) = player.last() else { return Vec::new() };
    let idle = Settings { memory: 1 << 16, ..Settings::default() };
    let search = any::search(player.recipe(), &situation(position, color), &idle);
    search.map(|search| search.ownership(&thought.report)).unwrap_or_default()
}

fn chosen_win(thought: &Thought) -> f32 {
    thought.chosen.and_then(|arm| thought.report.arms.get(arm)).map_or(thought.report.win, |arm| arm.win)
}

/// A number to four digits; what is none is 0.
fn rounded(number: f32) -> Value {
    let number = f64::from(number);
    json!(if number.is_finite() { (number * 10_000.0).round() / 10_000.0 } else { 0.0 })
}

fn letter(owner: f32) -> char {
    let share = f64::midpoint(f64::from(owner), 1.0).clamp(0.0, 1.0);
    LETTERS[(share * 62.0).round() as usize] as char
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ownership_has_a_letter_for_each_step() {
        // (−1 + 1)/2 · 62 = 0, (0 + 1)/2 · 62 = 31, (1 + 1)/2 · 62 = 62, and what is beyond stays at the end.
        assert_eq!([-1.0, 0.0, 1.0, -3.0, 7.0].map(letter), ['A', 'f', '+', 'A', '+']);
    }
}
