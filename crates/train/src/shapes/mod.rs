//! Learns the weights of local shapes from games that the learner plays against itself. [Silver, Sutton & Müller 2007, RLGO; Gelly &
//! Silver 2007, §4]
//!
//! Each game begins on the empty board. Both sides play the move of the best value, and with probability ε any move; own eyes are left
//! alone, and a side that has nothing else passes. A player learns from the positions after its own moves: the value of one should be
//! that of the next, and the value of the last the result. With V = σ(φᵀθ), α the step size and |φ| the number of features,
//!
//! δ = V(s′) − V(s) (at the end: result − V(s)), and Δθ = α/|φ| · δ · Σ_k λᵏ φ(s₋ₖ),
//!
//! s₋ₖ being the position k own moves before s; terms with λᵏ < 1 % are left out, and λ = 0 is TD(0). The features of a position are its
//! shapes, once for their place and once for their kind, and the turn.
//!
//! The games of one run depend on nothing but its settings and on each other, so a run that was killed and goes on from a checkpoint
//! ends with the same weights as one that was not.
//!
//! In reading order: [`learner`] weights and steps · [`game`] one game of self-play · [`curve`] matches that show progress ·
//! [`checkpoint`] a run on the disk · this file, the run.

pub mod checkpoint;
pub mod curve;
pub mod game;
pub mod learner;

pub use checkpoint::ShapeCheckpointError;
pub use curve::CurveRow;

use goban::{Size, SizeClass, Upto9, Upto13, Upto19, Upto25};
use playout::shapes::{ShapeModel, file::ShapeOrigin};

use game::SelfPlay;
use learner::ShapeLearner;

/// The settings that a run's weights depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TdSettings {
    /// The board; square.
    pub size: Size,
    /// λ, 0..1: how far a step reaches back; 0 is TD(0).
    pub lambda: f32,
    /// ε, 0..=1: probability of a move at random.
    pub epsilon: f32,
    /// α: step size; 1 would close the whole gap in ln(odds) at once.
    pub alpha: f32,
    /// Points that White gets.
    pub komi: f32,
    /// The seed of all games.
    pub seed: u64,
}

impl TdSettings {
    /// The trainer's name and its settings, as a model file gives them.
    pub fn describe(&self) -> String {
        let Self { lambda, epsilon, alpha, komi, .. } = self;
        format!("td lambda={lambda} epsilon={epsilon} alpha={alpha} komi={komi}")
    }
}

/// Games counted since the last row of the curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelfPlayTally {
    /// All.
    pub n_games: u64,
    /// Won by Black.
    pub n_black: u64,
    /// Moves in all of them, passes included.
    pub n_moves: u64,
}

/// A run of the trainer.
#[derive(Clone, Debug)]
pub struct ShapeTrainer {
    settings: TdSettings,
    learner: ShapeLearner,
    n_games: u64,
    tally: SelfPlayTally,
    rows: Vec<CurveRow>,
}

/// Calls a generic function with the size class of a board.
macro_rules! with_class {
    ($size:expr, $call:ident, ($($arg:expr),*)) => {
        match $size.width() {
            ..=9 => $call::<Upto9>($($arg),*),
            ..=13 => $call::<Upto13>($($arg),*),
            ..=19 => $call::<Upto19>($($arg),*),
            _ => $call::<Upto25>($($arg),*),
        }
    };
}

impl ShapeTrainer {
    /// A run before its first game; all weights are 0.
    pub fn new(settings: TdSettings) -> ShapeTrainer {
        let learner = ShapeLearner::new(settings.size);
        ShapeTrainer { settings, learner, n_games: 0, tally: SelfPlayTally::default(), rows: Vec::new() }
    }

    /// The settings.
    pub fn settings(&self) -> &TdSettings {
        &self.settings
    }

    /// Games played so far.
    pub fn n_games(&self) -> u64 {
        self.n_games
    }

    /// The curve so far.
    pub fn rows(&self) -> &[CurveRow] {
        &self.rows
    }

    /// Plays and learns from further games.
    pub fn play(&mut self, n_games: u64) {
        with_class!(self.settings.size, play_games, (self, n_games));
    }

    /// The weights as policies and priors use them.
    pub fn model(&self) -> ShapeModel {
        let TdSettings { size, seed, .. } = self.settings;
        let origin = ShapeOrigin { trainer: self.settings.describe(), n_games: self.n_games, seed };
        ShapeModel::new(size, origin, &self.learner.weights(), self.learner.turns)
    }

    /// Plays the greedy policy of the weights against `uniform` and `mogo`, that many games each, and adds a row to the curve.
    pub fn measure(&mut self, n_games: u32) {
        let (model, TdSettings { size, komi, seed, .. }) = (self.model(), self.settings);
        let seed = seed ^ self.n_games.rotate_left(32);
        let measured = with_class!(size, measure_greedy, (&model, komi, n_games, seed));
        let tally = std::mem::take(&mut self.tally);
        self.rows.push(CurveRow::new(self.n_games, measured, tally));
    }
}

fn play_games<C: SizeClass>(run: &mut ShapeTrainer, n_games: u64) {
    let mut play = SelfPlay::<C>::new(&run.settings, &run.learner);
    for _ in 0..n_games {
        let played = play.game(&mut run.learner, run.n_games);
        run.n_games += 1;
        run.tally.n_games += 1;
        run.tally.n_black += u64::from(played.black_win > 0.5);
        run.tally.n_moves += played.n_moves as u64;
    }
}

fn measure_greedy<C: SizeClass>(model: &ShapeModel, komi: f32, n_games: u32, seed: u64) -> [f32; 2] {
    curve::measure::<C>(model, komi, n_games, seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(side: usize) -> TdSettings {
        let size = Size::square(side).unwrap();
        TdSettings { size, lambda: 0.0, epsilon: 0.1, alpha: 0.5, komi: 0.5, seed: 3 }
    }

    #[test]
    fn a_small_board_is_learned() {
        let mut run = ShapeTrainer::new(settings(5));
        run.measure(100);
        run.play(2000);
        run.measure(100);
        let [before, after] = [run.rows()[0], run.rows()[1]];
        assert!(after.uniform > 0.9 && after.uniform > before.uniform, "{before:?} {after:?}");
        assert!(after.moves > 10.0 && after.black > 0.5, "{after:?}");
    }

    #[test]
    fn longer_traces_learn_too_and_runs_can_be_repeated() {
        let lambda = TdSettings { lambda: 0.5, ..settings(3) };
        let run = |settings: &TdSettings| {
            let mut run = ShapeTrainer::new(*settings);
            run.play(40);
            run.to_bytes()
        };
        assert_eq!(run(&lambda), run(&lambda));
        assert_ne!(run(&lambda), run(&settings(3)));
        assert_ne!(run(&lambda), run(&TdSettings { seed: 4, ..lambda }));
    }

    #[test]
    fn a_run_that_was_cut_off_at_any_game_ends_as_one_that_was_not() {
        let settings = TdSettings { lambda: 0.3, ..settings(4) };
        let mut whole = ShapeTrainer::new(settings);
        whole.play(12);
        for n_before in 0..=12 {
            let mut first = ShapeTrainer::new(settings);
            first.play(n_before);
            let mut second = ShapeTrainer::parse(&first.to_bytes(), &settings).unwrap();
            second.play(12 - n_before);
            assert_eq!(second.to_bytes(), whole.to_bytes(), "cut off after {n_before}");
            assert_eq!(second.model().to_bytes(), whole.model().to_bytes());
        }
    }
}
