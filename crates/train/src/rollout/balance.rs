//! Simulation balancing: weights under which the mean result of playouts is the value of the position. [Silver & Tesauro 2009;
//! Huang, Coulom & Lin 2010]
//!
//! For each position in turn, with V* its value by a deep search, θ ← θ + α·(V* − V̄)·g. V̄ is the mean result of M playouts and g
//! = 1/N Σ (z − V̄)·1/T Σ_t ψ_t over N playouts with results z of T moves each: an estimate of how the mean result depends on θ. Since Σ ψ is
//! nothing on average, V̄ taken from z changes no mean and makes the estimate steadier. Values are Black's. α falls with the rounds.
//!
//! Three forms: `full` takes M and N playouts apart, so that the product of both estimates has the right mean; `shared` takes V̄ and g from
//! the same N playouts, which costs less and is biased by a share of about 1/N of the results' own variance, so that it needs a large N; `two-step` looks two moves ahead only, and asks that the mean value of the
//! positions after them be that of the position, values being those of local shapes ([`playout::shapes`]).

use std::sync::Arc;

use goban::{AnyBoard, Color, Move, Rng, Size, SizeClass, Tactical, Vertex, with_board};
use playout::bt::{BtModel, BtNotes};
use playout::shapes::{self, ShapeState};
use playout::{Start, policy};

use super::recorder::{Gradient, Recorder, gradient};
use crate::ranking::{BadCheckpoint, Checkpoint, Round, RoundScore};

/// A position with its value.
#[derive(Clone, Debug)]
pub struct LabelledPosition {
    /// The stones, with the ko.
    pub board: AnyBoard,
    /// Who is to move.
    pub to_play: Color,
    /// The last two moves, the latest first; `None` where nobody knows.
    pub recent: [Option<Vertex>; 2],
    /// Points for White.
    pub komi: f32,
    /// How likely Black wins by a deep search, 0..=1.
    pub value: f32,
}

/// From which playouts a step follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceForm {
    /// V̄ and g from playouts of their own.
    Full,
    /// Both from the same.
    Shared,
    /// Two moves ahead only.
    TwoStep,
}

/// The settings of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceSettings {
    /// From which playouts a step follows.
    pub form: BalanceForm,
    /// α: the first step.
    pub alpha: f32,
    /// M: playouts for V̄.
    pub n_value: u32,
    /// N: playouts for g.
    pub n_gradient: u32,
    /// Times that all positions are gone through.
    pub n_rounds: usize,
    /// Playouts from each position by which a round is judged.
    pub n_judge: u32,
    /// Everything random follows from it.
    pub seed: u64,
}

/// Mean squared errors of playout means after a round, without what is chance in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceScore {
    /// On the positions learned from.
    pub learned: f64,
    /// On the positions kept apart.
    pub kept: f64,
    /// The mean of estimate − value on the latter, as the player to move sees it.
    pub bias: f64,
}

impl RoundScore for BalanceScore {
    fn numbers(&self) -> [f64; 3] {
        [self.learned, self.kept, self.bias]
    }

    fn of_numbers([learned, kept, bias]: [f64; 3]) -> BalanceScore {
        BalanceScore { learned, kept, bias }
    }
}

/// A run: what it begins with, learns from, and is judged by. All positions are of one size.
pub struct Balancing<'a> {
    /// How.
    pub settings: BalanceSettings,
    /// The weights at the beginning.
    pub first: &'a BtModel,
    /// The positions to learn from.
    pub learned: &'a [LabelledPosition],
    /// The positions to judge by.
    pub kept: &'a [LabelledPosition],
}

/// Seeds of playouts that judge differ from those that teach.
const JUDGE_SEED: u64 = 0x6a75_6467;

impl Balancing<'_> {
    /// Balances from the beginning, or from where `begun` ended. `each` gets a checkpoint before the first round and after every one,
    /// and ends the run with its error. Returns the weights and the scores of the weights at first and after each round.
    ///
    /// # Errors
    /// That of `each`, or of a checkpoint of another run.
    pub fn run<E: From<BadCheckpoint>>(
        &self,
        begun: Option<&Checkpoint<BalanceScore>>,
        mut each: impl FnMut(&Checkpoint<BalanceScore>) -> Result<(), E>,
    ) -> Result<(Vec<f32>, Vec<BalanceScore>), E> {
        let mut weights = self.first.weights().to_vec();
        let mut curve = Vec::new();
        if let Some(begun) = begun {
            begun.restore(vec![&mut weights])?;
            curve.clone_from(&begun.curve);
        }
        if curve.is_empty() {
            curve.push(self.judge(&weights));
            each(&Checkpoint::of(&curve, &vec![&mut weights]))?;
        }
        for number in curve.len() - 1..self.settings.n_rounds {
            self.round(&mut weights, number);
            curve.push(self.judge(&weights));
            each(&Checkpoint::of(&curve, &vec![&mut weights]))?;
        }
        Ok((weights, curve))
    }

    /// Goes through all positions once.
    fn round(&self, weights: &mut [f32], number: usize) {
        let BalanceSettings { alpha, n_rounds, seed, .. } = self.settings;
        let round = Round { number, of: n_rounds, seed };
        for (done, idx) in round.order(self.learned.len()) {
            let mut rng = Rng::new(seed ^ ((number as u64 + 1) << 40 | idx as u64));
            let (error, slope) = self.step(weights, &self.learned[idx], &mut rng);
            let step = alpha * round.share_left(done) * error;
            weights.iter_mut().zip(slope).for_each(|(weight, slope)| *weight += step * slope);
        }
    }

    /// V* − V̄ of a position, and g.
    fn step(&self, weights: &[f32], position: &LabelledPosition, rng: &mut Rng) -> (f32, Vec<f32>) {
        let BalanceSettings { form, n_value, n_gradient, .. } = self.settings;
        let factors: Arc<[f32]> = weights.iter().map(|weight| weight.exp()).collect();
        let size = position.board.size();
        with_board!(&position.board, |board| {
            let start = position.start(board);
            let record = |horizon, n, baseline, rng: &mut Rng| {
                let recorder = recorder_on(board, size, &factors, horizon);
                let mut values = ValueOfEnd::new(position, horizon.is_some());
                gradient(recorder, &start, n, baseline, rng, &mut |end| values.of(end))
            };
            match form {
                BalanceForm::Full => {
                    let value = mean_result(&self.model(weights), position, n_value, rng)[0];
                    let Gradient { slope, .. } = record(None, n_gradient, value, rng);
                    (position.value - value, slope)
                }
                BalanceForm::Shared => {
                    let Gradient { value, slope } = record(None, n_gradient, position.value, rng);
                    (position.value - value, slope)
                }
                BalanceForm::TwoStep => {
                    let now = ValueOfEnd::new(position, true).of(&board.keeping());
                    let Gradient { value, .. } = record(Some(2), n_value, 0.0, rng);
                    let Gradient { slope, .. } = record(Some(2), n_gradient, value, rng);
                    (now - value, slope)
                }
            }
        })
    }

    fn model(&self, weights: &[f32]) -> BtModel {
        BtModel::new(self.first.size, BtNotes::default(), weights)
    }

    /// The errors of weights.
    fn judge(&self, weights: &[f32]) -> BalanceScore {
        let model = self.model(weights);
        let errors = |positions: &[LabelledPosition]| {
            let (mut square, mut bias) = (0.0, 0.0);
            for (idx, position) in positions.iter().enumerate() {
                let mut rng = Rng::new(self.settings.seed ^ JUDGE_SEED ^ (idx as u64) << 32);
                let [mean, noise] = mean_result(&model, position, self.settings.n_judge, &mut rng);
                let error = f64::from(mean - position.value);
                square += error * error - f64::from(noise);
                bias += if position.to_play == Color::Black { error } else { -error };
            }
            [square, bias].map(|sum| sum / positions.len().max(1) as f64)
        };
        let ([learned, _], [kept, bias]) = (errors(self.learned), errors(self.kept));
        BalanceScore { learned, kept, bias }
    }
}

/// A recorder for a board's size class.
fn recorder_on<C: SizeClass>(
    _: &goban::Board<C>,
    size: Size,
    factors: &Arc<[f32]>,
    horizon: Option<usize>,
) -> Recorder {
    Recorder::new::<C>(size, Arc::clone(factors), horizon)
}

/// The mean of `n` playouts as Black sees it, and the variance of that mean, by the policy `bt` itself.
pub(super) fn mean_result(model: &BtModel, position: &LabelledPosition, n: u32, rng: &mut Rng) -> [f32; 2] {
    let (mut sum, mut squares, mut moves) = (0.0, 0.0, Vec::new());
    with_board!(&position.board, |board| {
        let mut playout = policy::build_bt(model, board.size(), 1.0);
        let start = position.start(board);
        for _ in 0..n {
            moves.clear();
            let value = position.result(playout.run(&start, rng, &mut moves).margin());
            sum += value;
            squares += value * value;
        }
    });
    let n = n as f32;
    let mean = sum / n;
    [mean, (squares / n - mean * mean).max(0.0) / (n - 1.0).max(1.0)]
}

impl LabelledPosition {
    /// Where playouts start.
    fn start<'a, C: SizeClass>(&self, board: &'a goban::Board<C>) -> Start<'a, C> {
        let recent = self.recent.map(|vertex| vertex.map_or(Move::PASS, |vertex| board.to_move(vertex)));
        Start { board, to_play: self.to_play, recent }
    }

    /// A margin of Black's as a result.
    fn result(&self, margin: i32) -> f32 {
        match margin as f32 - self.komi {
            points if points > 0.0 => 1.0,
            points if points < 0.0 => 0.0,
            _ => 0.5,
        }
    }
}

/// Tells results: that of the game, or the value of a position by local shapes.
struct ValueOfEnd<'a> {
    position: &'a LabelledPosition,
    shapes: Option<ShapeState>,
}

impl<'a> ValueOfEnd<'a> {
    fn new(position: &'a LabelledPosition, by_shapes: bool) -> Self {
        let size = position.board.size();
        let shapes = by_shapes.then(|| with_board!(&position.board, |board| state_on(board, size)));
        Self { position, shapes }
    }

    fn of<C: SizeClass>(&mut self, board: &goban::Board<C, Tactical>) -> f32 {
        match &mut self.shapes {
            None => {
                let (black, white) = board.area();
                self.position.result(black as i32 - white as i32)
            }
            Some(state) => {
                state.start(board);
                // The same player is to move after two moves.
                state.table().black_wins(state.sum(), !self.position.to_play)
            }
        }
    }
}

/// Local shapes for a board's size class.
fn state_on<C: SizeClass>(_: &goban::Board<C>, size: Size) -> ShapeState {
    ShapeState::new::<C>(shapes::table(size))
}
