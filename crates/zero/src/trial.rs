//! Games of a new network against the one that plays: a point on the curve of strength, and with a gate the decision whether the new one
//! plays on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goban::{Color, Rng};
use lab::stats::score::{MatchScore, ScoreCount};
use lab::stats::{Hypothesis, SequentialTest, WinDrawLoss};
use player::boardgame::Tabletop;

use crate::Result;
use crate::selfplay::{SelfPlayer, blind_start};
use crate::settings::TrialSettings;

/// How a trial ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialResult {
    /// The games, as the new network sees them.
    pub score: MatchScore,
    /// Whether the new network plays on.
    pub is_accepted: bool,
}

/// Plays a trial; none if it was stopped. Two games begin alike, with the colours exchanged.
///
/// # Errors
/// Numbers of which no test can be made.
pub fn play(
    candidate: &mut SelfPlayer,
    best: &mut SelfPlayer,
    start: &dyn Tabletop,
    settings: &TrialSettings,
    seed: u64,
    stop: &Arc<AtomicBool>,
) -> Result<Option<TrialResult>> {
    let mut rng = Rng::new(seed);
    let mut judge = Judge::new(settings)?;
    for pair in 0..u64::from(settings.games / 2) {
        let n_blind = rng.below(settings.start_moves + 1) as usize;
        let opening = blind_start(start, n_blind, &mut rng);
        for (idx, color) in Color::BOTH.into_iter().enumerate() {
            let mut board = start.fresh();
            let is_begun = opening.plays().iter().all(|&action| board.play(action).is_ok());
            debug_assert!(is_begun, "an opening is legal");
            let (black, white) = match color {
                Color::Black => (&mut *candidate, &mut *best),
                Color::White => (&mut *best, &mut *candidate),
            };
            let Some(win) = play_game(board.as_mut(), black, white, settings.visits, stop) else {
                return Ok(None);
            };
            let points = if color == Color::Black { win } else { 1.0 - win };
            judge.add(2 * pair + idx as u64 + 1, outcome(points));
        }
        if judge.is_settled() {
            break;
        }
    }
    Ok(Some(judge.result()))
}

/// Plays a game between Black and White and tells Black's points; none if it was stopped.
fn play_game(
    board: &mut dyn Tabletop,
    black: &mut SelfPlayer,
    white: &mut SelfPlayer,
    visits: u32,
    stop: &Arc<AtomicBool>,
) -> Option<f32> {
    while !black.is_over(board) {
        let player = if board.to_play() == Color::Black { &mut *black } else { &mut *white };
        let action = player.strongest(board, visits, stop)?;
        board.play(action).ok()?;
    }
    Some(board.outcome().win)
}

fn outcome(points: f32) -> WinDrawLoss {
    match points {
        points if points > 0.5 => WinDrawLoss::Win,
        points if points < 0.5 => WinDrawLoss::Loss,
        _ => WinDrawLoss::Draw,
    }
}

/// Counts the games and judges them.
struct Judge {
    count: ScoreCount,
    test: Option<SequentialTest>,
}

impl Judge {
    fn new(settings: &TrialSettings) -> Result<Self> {
        Ok(Self { count: ScoreCount::default(), test: settings.test()?.map(SequentialTest::new) })
    }

    /// Game `number` has ended, as the new network sees it.
    fn add(&mut self, number: u64, outcome: WinDrawLoss) {
        self.count.add(number, outcome);
        self.test.iter_mut().for_each(|test| {
            test.finished(number, outcome);
        });
    }

    fn is_settled(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.verdict().is_some())
    }

    /// Without a gate every network passes; with one only who is found stronger.
    fn result(&self) -> TrialResult {
        let is_accepted = self.test.as_ref().is_none_or(|test| test.verdict() == Some(Hypothesis::H1));
        TrialResult { score: self.count.score(), is_accepted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunSettings;
    use player::recipes::stand_in;

    fn judged(gate: bool, outcomes: &[WinDrawLoss]) -> (bool, bool, u64) {
        let mut judge = Judge::new(&TrialSettings { gate, ..TrialSettings::default() }).unwrap();
        let mut numbered = (1..).zip(outcomes);
        for (number, &outcome) in numbered.by_ref() {
            judge.add(number, outcome);
            if judge.is_settled() {
                break;
            }
        }
        let result = judge.result();
        (judge.is_settled(), result.is_accepted, result.score.games.games())
    }

    #[test]
    fn the_gate_lets_the_stronger_through_and_nobody_else() {
        use WinDrawLoss::{Draw, Loss, Win};
        let (wins, losses, draws) = ([Win; 400], [Loss; 400], [Draw; 10]);
        let (is_settled, passes, n) = judged(true, &wins);
        assert!(is_settled && passes && n < 100, "{n}");
        let (is_settled, passes, n) = judged(true, &losses);
        assert!(is_settled && !passes && n < 100, "{n}");
        // Too few games to tell: it stays outside. Without a gate everybody passes.
        assert_eq!(judged(true, &draws), (false, false, 10));
        assert_eq!(judged(false, &losses), (false, true, 400));
    }

    #[test]
    fn a_trial_is_played_in_pairs() {
        let run = RunSettings::parse("game = \"connect-four\"\nrecipe = \"zero\"").unwrap();
        let player = |seed| SelfPlayer::new(&run, stand_in(), seed).unwrap();
        let settings = TrialSettings { games: 6, visits: 8, ..TrialSettings::default() };
        let start = run.board().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let result =
            play(&mut player(1), &mut player(2), start.as_ref(), &settings, 3, &stop).unwrap().unwrap();
        assert_eq!(
            (result.score.games.games(), result.score.pairs.pairs(), result.is_accepted),
            (6, 3, true)
        );
    }
}
