//! A game between two players, with clocks: the rules are in our hand, whatever the players are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use goban::Color;

use super::opponent::{BoardDecision, Opponent};
use super::record::RecordFacts;
use super::tabletop::{BoardEnding, Tabletop};
use crate::clock::{Clock, TimeSystem};
use crate::game::log::{GameLog, LoggedMove};
use crate::game::{Allowance, GameOutcome, PlayError, Reason};
use crate::player::{Budget, PlayerError};

/// The terms of a game between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contest {
    /// The budgets of Black and White.
    pub allowance: [Allowance; 2],
    /// Whether the players may give up.
    pub may_resign: bool,
}

/// Plays a game from where `board` stands to its end. A player who fails has lost, and the reason is kept; only what makes
/// the game impossible is an error.
///
/// # Errors
/// See [`PlayError`].
pub fn play_contest(
    board: &mut dyn Tabletop,
    black: &mut dyn Opponent,
    white: &mut dyn Opponent,
    contest: &Contest,
    stop: &Arc<AtomicBool>,
) -> Result<GameLog, PlayError> {
    let mut clocks = contest.allowance.map(|allowance| Clock::new(allowance.clock));
    let mut moves = Vec::new();
    let outcome = loop {
        if let Some(ending) = board.ended() {
            break decided(ending);
        }
        let color = board.to_play();
        let player: &mut dyn Opponent = match color {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let budget = budget(contest, color, &clocks, stop);
        let start = Instant::now();
        let answer = player.choose(board, &budget);
        let time = start.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Err(PlayError::Stopped);
        }
        let is_in_time = clocks[color.idx()].spend(time);
        let action = match answer {
            Ok(BoardDecision::Play(action)) => action,
            Ok(BoardDecision::Resign) => break GameOutcome::lost(color, Reason::Resign, player.explain()),
            Err(error @ PlayerError::Unable { .. }) => return Err(PlayError::Unable(error)),
            Err(error) => break GameOutcome::lost(color, Reason::of_error(&error), player.explain()),
        };
        let shown = board.show(action);
        if !is_in_time {
            let why = format!("{shown} took {:.2} s", time.as_secs_f64());
            break GameOutcome::lost(color, Reason::Time, Some(why));
        }
        if let Err(why) = board.play(action) {
            break GameOutcome::lost(color, Reason::Illegal { why }, player.explain());
        }
        moves.push(LoggedMove {
            color,
            shown,
            time,
            simulations: player.simulations(),
            value: player.value(),
            comment: player.explain(),
        });
    };
    Ok(GameLog { names: [black.name(), white.name()], moves, clocks, outcome })
}

fn decided(ending: BoardEnding) -> GameOutcome {
    let winner = match ending {
        BoardEnding::Won(color) => Some(color),
        BoardEnding::Drawn => None,
    };
    GameOutcome { winner, reason: Reason::Decided, note: None }
}

fn budget(contest: &Contest, color: Color, clocks: &[Clock; 2], stop: &Arc<AtomicBool>) -> Budget {
    let Allowance { playouts, time, .. } = contest.allowance[color.idx()];
    let has_clock = clocks.iter().any(|clock| clock.system() != TimeSystem::Unlimited);
    Budget {
        playouts,
        time,
        clocks: has_clock.then_some(*clocks),
        stop: Arc::clone(stop),
        may_resign: contest.may_resign,
        ..Budget::default()
    }
}

impl GameLog {
    /// The facts for a record of this game, of whose moves the first `n_before` were not the players'.
    pub fn facts(&self, n_before: usize) -> RecordFacts {
        let reasons = self.moves.iter().map(|mv| mv.comment.clone());
        let reason = &self.outcome.reason;
        let remarks: Vec<&str> =
            [reason.details(), self.outcome.note.as_deref()].into_iter().flatten().collect();
        RecordFacts {
            names: self.names.clone().map(Some),
            result: Some(self.outcome.to_sgf()),
            comment: (!remarks.is_empty()).then(|| remarks.join("\n")),
            reasons: std::iter::repeat_n(None, n_before).chain(reasons).collect(),
            ..RecordFacts::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boardgame::{GameChoice, RandomOpponent, SearchOpponent};
    use crate::searcher::Manners;
    use mcts::{Action, Settings};

    fn search(text: &str, seed: u64) -> SearchOpponent {
        let settings = Settings { seed, memory: 1 << 24, ..Settings::default() };
        SearchOpponent::new(text, crate::recipes::parse(text).unwrap(), settings, Manners::default())
    }

    fn contest(playouts: u64) -> Contest {
        let allowance = Allowance { playouts: Some(playouts), ..Allowance::default() };
        Contest { allowance: [allowance; 2], may_resign: true }
    }

    #[test]
    fn a_search_beats_random_moves_at_every_game() {
        for (game, recipe) in [("hex", "hex"), ("connect-four", "connect-four")] {
            let size = (game == "hex").then_some([5, 5]);
            let choice = GameChoice::parse(game, size).unwrap().unwrap();
            let mut board = choice.board();
            let log = play_contest(
                board.as_mut(),
                &mut RandomOpponent::new(1),
                &mut search(recipe, 1),
                &contest(500),
                &Arc::default(),
            );
            let log = log.unwrap();
            assert_eq!((log.outcome.winner, log.outcome.to_string().as_str()), (Some(Color::White), "W+"));
            assert_eq!(log.moves.len(), board.plays().len());
            assert_eq!(log.moves[1].simulations, Some(500));
            let record = board.record(&log.facts(0)).unwrap();
            assert!(record.contains("RE[W+]") && record.contains("PB[random]"), "{record}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_game() {
        let choice = GameChoice::parse("hex", Some([6, 6])).unwrap().unwrap();
        let play = |seed| {
            let mut board = choice.board();
            let (mut a, mut b) = (search("hex", seed), search("uct", seed + 1));
            play_contest(board.as_mut(), &mut a, &mut b, &contest(100), &Arc::default()).unwrap();
            board.plays().to_vec()
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(5));
    }

    /// Always plays the first column, full or not, or takes its time.
    struct Stubborn;

    impl Opponent for Stubborn {
        fn name(&self) -> String {
            "stubborn".to_string()
        }

        fn choose(&mut self, _: &dyn Tabletop, _: &Budget) -> Result<BoardDecision, PlayerError> {
            Ok(BoardDecision::Play(Action(0)))
        }

        fn begin(&mut self, _: &dyn Tabletop, _: u64) -> Result<(), PlayerError> {
            Ok(())
        }
    }

    #[test]
    fn who_plays_into_a_full_column_has_lost() {
        let mut board = GameChoice::parse("connect-four", None).unwrap().unwrap().board();
        let log =
            play_contest(board.as_mut(), &mut Stubborn, &mut Stubborn, &contest(1), &Arc::default()).unwrap();
        assert_eq!((log.moves.len(), log.outcome.to_string().as_str()), (6, "W+Illegal"));
        assert_eq!(log.outcome.reason.details(), Some("a cannot be played now"));
    }

    #[test]
    fn a_clock_is_kept() {
        let mut board = GameChoice::parse("hex", Some([4, 4])).unwrap().unwrap().board();
        let system = TimeSystem::Absolute { main: std::time::Duration::from_secs(2) };
        let allowance = [Allowance { clock: system, ..Allowance::default() }; 2];
        let (mut a, mut b) = (search("hex", 1), search("uct", 1));
        let contest = Contest { allowance, may_resign: true };
        let log = play_contest(board.as_mut(), &mut a, &mut b, &contest, &Arc::default()).unwrap();
        assert!(log.outcome.reason != Reason::Time, "{:?}", log.outcome);
        assert!(log.main_used(Color::Black).is_some_and(|used| used > 0.05 && used < 1.0));
    }
}
