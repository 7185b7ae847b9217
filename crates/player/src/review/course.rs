//! How the game went: the values of its positions, smoothed.

use goban::Color;

use super::line::GameLine;
use super::plan::Ledger;

/// Black's win rate, 0..=1, and margin in points, of each position. A position that was not looked at has that of the one
/// before, and before the first an even game.
pub(super) fn course(line: &GameLine, ledger: &Ledger) -> (Vec<f32>, Vec<f32>) {
    let mut raw = Vec::with_capacity(line.n_positions());
    let mut last = (0.5, 0.0);
    for ply in 0..line.n_positions() {
        if let Some(glance) = ledger.glance(ply) {
            last = match glance.to_play {
                Color::Black => (glance.win, glance.margin),
                Color::White => (1.0 - glance.win, -glance.margin),
            };
        }
        raw.push(last);
    }
    let (win, score): (Vec<f32>, Vec<f32>) = raw.into_iter().unzip();
    (smooth(&win), smooth(&score))
}

/// Each value with its neighbours: half itself, a quarter of each; at the ends two thirds and one. A search of few simulations
/// is too hopeful for whoever is to move, which would make a saw of every graph.
fn smooth(values: &[f32]) -> Vec<f32> {
    let at = |n: usize| {
        let near = [n.checked_sub(1), Some(n + 1)].map(|n| n.and_then(|n| values.get(n)));
        let (sum, weight) =
            near.iter().flatten().fold((2.0 * values[n], 2.0), |(sum, w), &&x| (sum + x, w + 1.0));
        sum / weight
    };
    (0..values.len()).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saw_becomes_a_line() {
        // (2·0 + 1)/3, (0 + 2·1 + 0)/4, (1 + 2·0 + 1)/4, (0 + 2·1)/3.
        assert_eq!(smooth(&[0.0, 1.0, 0.0, 1.0]), [1.0 / 3.0, 0.5, 0.5, 2.0 / 3.0]);
        assert_eq!(smooth(&[0.7]), [0.7]);
    }
}
