//! Which circles are common enough to be learned: those that stood around played moves often.

use std::collections::HashMap;
use std::convert::Infallible;

use goban::{Circles, Rules, with_board};
use model::PositionView;
use model::tactics::PatternTable;
use records::RecordedGame;

/// Counters of the first look; keys share them.
const N_COUNTERS: usize = 1 << 28;

/// The circles that stood around at least `at_least` played moves.
///
/// A larger circle is never more common than the smaller one in it, so the rows of circles that are found have no gaps.
pub fn harvest(games: &[RecordedGame], at_least: u32) -> PatternTable {
    // Most circles stand once; counters that are shared tell those that may be common, and only these are counted one by one.
    let mut counters = vec![0u8; N_COUNTERS];
    let counter = |key: u32| key as usize % N_COUNTERS;
    let enough = at_least.min(u32::from(u8::MAX)) as u8;
    each_circle(games, &mut |key| {
        let count = &mut counters[counter(key)];
        *count = count.saturating_add(1);
    });
    let mut counts: HashMap<u32, u32> = HashMap::new();
    each_circle(games, &mut |key| {
        if counters[counter(key)] >= enough {
            *counts.entry(key).or_default() += 1;
        }
    });
    let mut keys: Vec<u32> =
        counts.into_iter().filter(|&(_, count)| count >= at_least).map(|(key, _)| key).collect();
    // The order decides who stands in which slot.
    keys.sort_unstable();
    PatternTable::new(&keys)
}

/// Calls `each` with every circle around every played move.
fn each_circle(games: &[RecordedGame], each: &mut dyn FnMut(u32)) {
    for game in games {
        // A game that cannot be followed to its end still has its beginning.
        let _ = game.replay(Rules::CHINESE, 0.0, |position, play| {
            with_board!(position.board(), |board| {
                let last = PositionView::of_position(board, position).recent_points()[0];
                if !play.vertex.is_pass() {
                    Circles::new(board, position.to_play(), last).draw(play.vertex, |circle| {
                        each(circle.key);
                        true
                    });
                }
            });
            Ok::<_, Infallible>(true)
        });
    }
}
