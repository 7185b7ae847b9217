//! What each move cost.

use std::fmt::Write;

use goban::{Color, PlayedMove};

use super::game::Reviewed;
use super::store::{Candidate, Found};
use crate::words::counted;

/// A move that costs this share of the win rate is a mistake, or a blunder.
pub(super) const MISTAKE: f32 = 0.05;
pub(super) const BLUNDER: f32 = 0.15;

/// From this on a better variation is written into the record.
pub(super) const WORTH_A_LINE: f32 = 0.03;

/// A move of the game and what the search makes of it. Win rates are the mover's, 0..=1.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) play: PlayedMove,
    /// How often the mover wins after the move that the search would play, and after the one he played.
    pub(super) best: f32,
    pub(super) left: f32,
    /// What the move cost: never below nought, and nought for the search's own choice.
    pub(super) loss: f32,
    /// Whether it is the move that the search would have played.
    pub(super) is_choice: bool,
    /// What the search would have played; nothing if it found no move.
    pub(super) better: Option<Candidate>,
}

/// All moves, and the course of the game.
pub(super) struct Verdicts {
    pub(super) moves: Vec<Verdict>,
    /// Black's win rate before each move and at the end, 0..=1, smoothed.
    pub(super) black: Vec<f32>,
    /// Black's expected score likewise.
    pub(super) score: Vec<f32>,
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

/// A mover's win rate as Black's.
fn for_black(win: f32, mover: Color) -> f32 {
    if mover == Color::Black { win } else { 1.0 - win }
}

impl Verdicts {
    /// Judges a game all of whose positions are searched.
    pub(super) fn new(game: &Reviewed, found: &[Found]) -> Self {
        let raw =
            found.iter().map(|one| for_black(one.win, game.position(one.ply).to_play())).collect::<Vec<_>>();
        let score: Vec<f32> = found.iter().map(|one| one.score).collect();
        let moves = game.moves().iter().zip(found).enumerate().map(|(ply, (&(_, play), before))| {
            let left = for_black(raw[ply + 1], play.color);
            let better = before.candidates.first().cloned();
            let is_choice = better.as_ref().is_some_and(|one| one.line.first() == Some(&game.show(play)));
            let best = before.after_best.filter(|_| !is_choice).unwrap_or(left);
            Verdict { number: ply + 1, play, best, left, loss: (best - left).max(0.0), is_choice, better }
        });
        Self { moves: moves.collect(), black: smooth(&raw), score: smooth(&score) }
    }

    /// The moves that cost most, the worst first; only mistakes.
    pub(super) fn worst(&self, n: usize) -> Vec<&Verdict> {
        let mut moves: Vec<&Verdict> =
            self.moves.iter().filter(|one| one.loss >= MISTAKE && !one.is_choice).collect();
        moves.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        moves.truncate(n);
        moves
    }

    /// The moves of one player.
    pub(super) fn of(&self, color: Color) -> impl Iterator<Item = &Verdict> {
        self.moves.iter().filter(move |one| one.play.color == color)
    }

    /// The mean loss of a player's moves, and how many of them were the search's choice.
    pub(super) fn mean(&self, color: Color) -> (f32, usize, usize) {
        let (sum, n, n_choices) = self
            .of(color)
            .fold((0.0, 0, 0), |(sum, n, k), one| (sum + one.loss, n + 1, k + usize::from(one.is_choice)));
        (sum / n.max(1) as f32, n, n_choices)
    }

    /// A few lines for the terminal.
    pub(super) fn summary(&self, game: &Reviewed) -> String {
        let counted = |n: usize, noun| counted(n as u64, noun);
        let mut out = format!("{}: {}\n", game.title(), counted(self.moves.len(), "move"));
        for color in Color::BOTH {
            let (mean, n, n_choices) = self.mean(color);
            let [mistakes, blunders] =
                [MISTAKE, BLUNDER].map(|from| self.of(color).filter(|one| one.loss >= from).count());
            let _ = writeln!(
                out,
                "{color}: {}, {n_choices} as the search would play, {} of 5 % or more, {blunders} of 15 %; a move costs {:.1} % \
                 in the mean",
                counted(n, "move"),
                counted(mistakes, "mistake"),
                100.0 * mean
            );
        }
        for one in self.worst(3) {
            let _ = writeln!(out, "{}", one.line(game));
        }
        out.trim_end().to_owned()
    }
}

impl Verdict {
    /// `move 23, White Q4: 61.0 % -> 38.2 %; better D10`.
    pub(super) fn line(&self, game: &Reviewed) -> String {
        let better = self.better.as_ref().filter(|_| !self.is_choice).and_then(|one| one.line.first());
        let better = better.map_or(String::new(), |better| format!("; better {better}"));
        format!(
            "move {}, {} {}: {:.1} % to {:.1} %{better}",
            self.number,
            self.play.color,
            game.show(self.play),
            100.0 * self.best,
            100.0 * self.left
        )
    }

    /// A word for what the move cost.
    pub(super) fn word(&self) -> Option<&'static str> {
        match self.loss {
            loss if loss >= BLUNDER => Some("blunder"),
            loss if loss >= MISTAKE => Some("mistake"),
            _ => None,
        }
    }
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
