//! The cost of a move, and its grade.

use goban::{PlayedMove, Vertex};

use super::estimate::{self, Estimate};
use super::finding::{Compared, Variation};
use super::plan::Ledger;
use super::thresholds::{BLUNDER, GLANCE_TRUST, HARMLESS, LEAST_ROUNDS, MISTAKE, MOST_ROUNDS, SUSPECT};

/// The grade of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The search would have played it, too.
    Choice,
    /// Nothing speaks against it.
    Fine,
    /// It seems to cost as much as a mistake, but that may be chance.
    Unsure,
    /// It costs something beyond doubt, and probably much.
    Mistake,
    /// Likewise, and probably very much.
    Blunder,
    /// The search could not look at it: it was not searched yet, or the rules forbid it.
    Unknown,
}

impl Grade {
    /// As a word for files and programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Fine => "fine",
            Self::Unsure => "unsure",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it is a mistake, or a blunder even.
    pub fn is_mistake(self) -> bool {
        matches!(self, Self::Mistake | Self::Blunder)
    }
}

/// A move of the game and what the search makes of it. Values are the mover's.
#[derive(Clone, Debug)]
pub struct MoveReview {
    /// Counted from 1.
    pub number: usize,
    /// The move.
    pub play: PlayedMove,
    /// What it is called.
    pub grade: Grade,
    /// What it cost of the win rate, 0..=1.
    pub loss: Estimate,
    /// What it cost in points.
    pub points: Estimate,
    /// How often the mover wins after the better move, and after the played one, 0..=1.
    pub best: f32,
    /// The latter.
    pub left: f32,
    /// What would have been better, and how the game may have gone on; none for the search's own choice.
    pub better: Option<Variation>,
    /// How the opponent may answer, and how the game may go on; empty if the two moves were not compared by duels.
    pub answer: Vec<Vertex>,
    /// How often the two were compared by searches of their own.
    pub n_duels: usize,
}

impl MoveReview {
    /// Judges the move after the first `ply`.
    pub(super) fn new(ply: usize, play: PlayedMove, ledger: &Ledger) -> Self {
        let glance = ledger.glance(ply);
        let value = glance.map_or(0.5, |glance| glance.win);
        let nothing = Self {
            number: ply + 1,
            play,
            grade: Grade::Unknown,
            loss: Estimate::default(),
            points: Estimate::default(),
            best: value,
            left: value,
            better: None,
            answer: Vec::new(),
            n_duels: 0,
        };
        let Some(glance) = glance else { return nothing };
        let best = glance.candidates.first();
        if best.and_then(Variation::vertex) == Some(play.vertex) {
            return Self { grade: Grade::Choice, ..nothing };
        }
        let Some(first) = glance.compared else { return nothing };
        let found: Vec<Compared> = ledger.duels(ply).map(|duel| duel.found).collect();
        let n_duels = found.len();
        let mut better = best.cloned();
        let answer = ledger.duels(ply).last().map(|duel| duel.answer.clone()).unwrap_or_default();
        let (loss, points, compared) = if n_duels == 0 {
            let (loss, trusted) = glance_loss(&first);
            (loss, estimate::points_loss(&[trusted]), trusted)
        } else {
            if let (Some(better), Some(duel)) = (&mut better, ledger.duels(ply).last()) {
                better.line.clone_from(&duel.line);
            }
            let n = ledger.budget().duel();
            (estimate::win_loss(&found, n), estimate::points_loss(&found), mean(&found))
        };
        Self {
            grade: grade(&loss, n_duels),
            loss: loss.as_share(),
            points,
            best: compared.best_win,
            left: compared.played_win,
            better,
            answer,
            n_duels,
            ..nothing
        }
    }

    /// The move that would have been better.
    pub fn better_move(&self) -> Option<Vertex> {
        self.better.as_ref()?.vertex()
    }
}

/// The loss by a glance, reduced to the share of it that is trusted.
fn glance_loss(compared: &Compared) -> (Estimate, Compared) {
    let trusted = Compared {
        best_win: compared.played_win + GLANCE_TRUST * compared.loss(),
        best_margin: compared.played_margin + GLANCE_TRUST * compared.points(),
        ..*compared
    };
    (estimate::win_loss(&[trusted], compared.visits.into()), trusted)
}

/// The grade of a move with such a loss after `n_duels` duels.
fn grade(loss: &Estimate, n_duels: usize) -> Grade {
    if loss.mean < MISTAKE {
        return Grade::Fine;
    }
    match loss.low > 0.0 && n_duels >= LEAST_ROUNDS {
        true if loss.mean >= BLUNDER => Grade::Blunder,
        true => Grade::Mistake,
        false => Grade::Unsure,
    }
}

/// How urgently a move needs another duel after its first `n_rounds`; none if it needs no more.
pub(super) fn suspicion(ledger: &Ledger, ply: usize, n_rounds: usize) -> Option<f32> {
    let first = ledger.glance(ply)?.compared?;
    if n_rounds == 0 {
        // Beside moves that were searched again a glance counts for what it usually is worth.
        return Some(first.loss()).filter(|&loss| loss >= SUSPECT).map(|loss| GLANCE_TRUST * loss);
    }
    let found: Vec<Compared> = ledger.duels(ply).take(n_rounds).map(|duel| duel.found).collect();
    let loss = estimate::win_loss(&found, ledger.budget().duel());
    let is_decided = loss.high < MISTAKE || loss.mean < HARMLESS || (loss.low > 0.0 && loss.mean >= MISTAKE);
    let wants_more = if n_rounds < LEAST_ROUNDS { loss.mean >= HARMLESS } else { !is_decided };
    (wants_more && n_rounds < MOST_ROUNDS).then_some(loss.mean)
}

/// The mean of some comparisons.
fn mean(found: &[Compared]) -> Compared {
    let of = |value: fn(&Compared) -> f32| found.iter().map(value).sum::<f32>() / found.len().max(1) as f32;
    Compared {
        best_win: of(|one| one.best_win),
        played_win: of(|one| one.played_win),
        best_margin: of(|one| one.best_margin),
        played_margin: of(|one| one.played_margin),
        visits: found.iter().map(|one| one.visits).min().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_mistake_whose_interval_touches_zero() {
        let sure = Estimate { mean: 0.1, low: 0.02, high: 0.18 };
        assert_eq!(grade(&sure, 3), Grade::Mistake);
        assert_eq!(grade(&sure, LEAST_ROUNDS - 1), Grade::Unsure, "too few duels");
        assert_eq!(grade(&Estimate { low: 0.0, ..sure }, 9), Grade::Unsure);
        assert_eq!(grade(&Estimate { mean: 0.04, ..sure }, 9), Grade::Fine);
        assert_eq!(grade(&Estimate { mean: 0.15, ..sure }, 9), Grade::Blunder);
        assert_eq!(grade(&Estimate { mean: 0.3, low: -0.1, high: 0.7 }, 9), Grade::Unsure);
    }
}
