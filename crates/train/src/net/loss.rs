//! The losses of outputs, and their gradients.

use super::batch::TurnedRow;
use super::pass::Outputs;
use super::row::FULL_OWNER;
use super::settings::LossWeights;
use model::math;
use model::net::graph::Multipliers;

/// Where the loss of a score begins to grow linearly, in units of the score's factor.
const SCORE_KNEE: f32 = 0.5;

/// Losses of the rows of a step, each the mean over the rows that have the target, weighted as the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepLosses {
    /// The number of rows.
    pub n_rows: usize,
    /// The weight of the rows that have a policy, a value, a score, owners.
    pub n_policy: f64,
    /// The weight of the rows with a value.
    pub n_value: f64,
    /// The weight of the rows with a score.
    pub n_score: f64,
    /// The weight of the rows with owners.
    pub n_ownership: f64,
    /// The policy's cross-entropy in nats, whatever the moves' advantages.
    pub policy: f64,
    /// The mean of advantage · (−ln p), whose slope is minus the policy gradient: above 0 where the moves that did well are the unlikely ones, below 0
    /// where those that did badly are.
    pub policy_weighted: f64,
    /// The entropy of the wanted policies in nats: what `policy` cannot fall below.
    pub policy_entropy: f64,
    /// The share of rows in which the network's likeliest legal move is one of those wanted most.
    pub policy_top1: f64,
    /// The result's cross-entropy in nats.
    pub value: f64,
    /// The mean squared error of the winning probability.
    pub value_sq: f64,
    /// The score's loss as it is weighted.
    pub score: f64,
    /// The mean absolute error of the score in points.
    pub score_abs: f64,
    /// The owners' cross-entropy in nats, the mean over points.
    pub ownership: f64,
    /// The sum of all losses, weighted as the settings say.
    pub total: f64,
    /// The length of the gradient before it is clipped; 0 where nothing is learned.
    pub gradient_norm: f64,
    /// The learning rate of the step; 0 where nothing is learned.
    pub learning_rate: f32,
}

/// Sums over rows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LossSums {
    n_rows: usize,
    weights: [f64; 4],
    sums: [f64; 9],
}

/// The places of [`LossSums::sums`].
#[derive(Clone, Copy)]
enum Sum {
    Policy,
    /// The policy's loss times the advantage.
    Weighted,
    Entropy,
    Top1,
    Value,
    ValueSq,
    Score,
    ScoreAbs,
    Ownership,
}

impl LossSums {
    fn add(&mut self, sum: Sum, weight: f32, loss: f32) {
        self.sums[sum as usize] += f64::from(weight) * f64::from(loss);
    }

    /// Takes the sums of other rows in.
    pub(super) fn merge(&mut self, other: &LossSums) {
        self.n_rows += other.n_rows;
        self.weights.iter_mut().zip(other.weights).for_each(|(sum, more)| *sum += more);
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// The means.
    pub(super) fn losses(&self, weights: &LossWeights) -> StepLosses {
        let [n_policy, n_value, n_score, n_ownership] = self.weights;
        let mean = |sum: Sum, n: f64| if n > 0.0 { self.sums[sum as usize] / n } else { 0.0 };
        let total =
            |sum: Sum, weight: f32| f64::from(weight) * self.sums[sum as usize] / self.n_rows.max(1) as f64;
        StepLosses {
            n_rows: self.n_rows,
            n_policy,
            n_value,
            n_score,
            n_ownership,
            policy: mean(Sum::Policy, n_policy),
            policy_weighted: mean(Sum::Weighted, n_policy),
            policy_entropy: mean(Sum::Entropy, n_policy),
            policy_top1: mean(Sum::Top1, n_policy),
            value: mean(Sum::Value, n_value),
            value_sq: mean(Sum::ValueSq, n_value),
            score: mean(Sum::Score, n_score),
            score_abs: mean(Sum::ScoreAbs, n_score),
            ownership: mean(Sum::Ownership, n_ownership),
            total: total(Sum::Weighted, weights.policy)
                + total(Sum::Value, weights.value)
                + total(Sum::Score, weights.score)
                + total(Sum::Ownership, weights.ownership),
            gradient_norm: 0.0,
            learning_rate: 0.0,
        }
    }
}

/// How losses are counted.
#[derive(Clone, Copy)]
pub(super) struct LossRule {
    pub(super) weights: LossWeights,
    pub(super) multipliers: Multipliers,
    /// One over the number of rows of the step.
    pub(super) share: f32,
}

/// Adds the losses of rows to `sums` and writes the gradients of the step's loss.
pub(super) fn losses(
    rule: &LossRule,
    rows: &[TurnedRow<'_>],
    outputs: &Outputs,
    gradients: &mut Outputs,
    sums: &mut LossSums,
) {
    gradients.clear();
    let (mut places, mut policy) = (Vec::new(), PolicyLoss::default());
    for (board, turned) in rows.iter().enumerate() {
        let row = turned.row;
        sums.n_rows += 1;
        turned.places(&mut places);
        let share = rule.share * row.weight;
        if !row.policy.is_empty() {
            sums.weights[0] += f64::from(row.weight);
            policy.read(turned, &places, board, outputs);
            let advantage = row.advantage.unwrap_or(1.0);
            policy.count(row.weight, advantage, sums);
            policy.write(advantage * share * rule.weights.policy, board, gradients);
        }
        if let Some(value) = row.value {
            sums.weights[1] += f64::from(row.weight);
            value_loss(value, [row.weight, share * rule.weights.value], board, (outputs, gradients), sums);
        }
        if let Some(score) = row.score {
            sums.weights[2] += f64::from(row.weight);
            let counts = [row.weight, share * rule.weights.score];
            score_loss(score, &rule.multipliers, counts, board, (outputs, gradients), sums);
        }
        if !row.ownership.is_empty() {
            sums.weights[3] += f64::from(row.weight);
            let counts = [row.weight, share * rule.weights.ownership];
            ownership_loss(turned, &places, counts, board, (outputs, gradients), sums);
        }
    }
}

/// Numbers between those of neighbouring points or boards: every output is one block.
const STRIDE: usize = model::net::cpu::simd::BLOCK;

/// Wanted and found probabilities of the moves of a board as it is turned.
#[derive(Default)]
struct PolicyLoss {
    wanted: Vec<f32>,
    /// Logits first, then probabilities; those of illegal moves are 0.
    found: Vec<f32>,
    loss: f32,
    entropy: f32,
    is_best: bool,
}

impl PolicyLoss {
    fn read(&mut self, turned: &TurnedRow<'_>, places: &[usize], board: usize, outputs: &Outputs) {
        let n_points = turned.row.n_points();
        let logits = outputs.policy[board * n_points * STRIDE..].iter().step_by(STRIDE).take(n_points);
        let pass = outputs.pass[board * STRIDE];
        self.wanted.clear();
        self.wanted.resize(n_points + 1, 0.0);
        for &(place, p) in &turned.row.policy {
            self.wanted[places[usize::from(place)]] += p;
        }
        self.found.clear();
        self.found.extend(logits);
        self.found.push(pass);
        // A move that is wanted is legal, whatever the row says.
        for (place, &to) in places.iter().enumerate() {
            if !turned.row.is_legal(place) && self.wanted[to] == 0.0 {
                self.found[to] = f32::NEG_INFINITY;
            }
        }
        let largest = |numbers: &[f32]| numbers.iter().copied().fold(f32::NEG_INFINITY, math::at_least);
        let (highest, most_wanted) = (largest(&self.found), largest(&self.wanted));
        let mut pairs = self.found.iter().zip(&self.wanted);
        self.is_best = pairs.any(|(&logit, &wanted)| logit == highest && wanted == most_wanted);
        let sum: f32 = self.found.iter().map(|&logit| exp(logit - highest)).sum();
        let log_sum = highest + math::ln(sum);
        (self.loss, self.entropy) = (0.0, 0.0);
        for (found, &wanted) in self.found.iter_mut().zip(&self.wanted) {
            if wanted > 0.0 {
                self.loss += wanted * (log_sum - *found);
                self.entropy -= wanted * math::ln(wanted.max(f32::MIN_POSITIVE));
            }
            *found = exp(*found - log_sum);
        }
    }

    fn count(&self, weight: f32, advantage: f32, sums: &mut LossSums) {
        sums.add(Sum::Policy, weight, self.loss);
        sums.add(Sum::Weighted, weight * advantage, self.loss);
        sums.add(Sum::Entropy, weight, self.entropy);
        sums.add(Sum::Top1, weight, f32::from(self.is_best));
    }

    /// The slope of Σ −t·ln p at a logit is p·Σt − t.
    fn write(&self, factor: f32, board: usize, gradients: &mut Outputs) {
        let n_points = self.wanted.len() - 1;
        let total: f32 = self.wanted.iter().sum();
        let slopes = self.found.iter().zip(&self.wanted).map(|(p, t)| factor * (p * total - t));
        let points = gradients.policy[board * n_points * STRIDE..].iter_mut().step_by(STRIDE);
        let places = points.take(n_points).chain([&mut gradients.pass[board * STRIDE]]);
        places.zip(slopes).for_each(|(to, slope)| *to = slope);
    }
}

/// The exponential function, 0 for −∞ and what is near it.
fn exp(x: f32) -> f32 {
    if x < -87.0 { 0.0 } else { math::exp(x) }
}

/// Cross-entropy of win, loss and no result, which is never wanted.
fn value_loss(
    value: f32,
    [weight, share]: [f32; 2],
    board: usize,
    (outputs, gradients): (&Outputs, &mut Outputs),
    sums: &mut LossSums,
) {
    let logits: [f32; 3] = std::array::from_fn(|n| outputs.winner[board * STRIDE + n]);
    let wanted = [value, 1.0 - value, 0.0];
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, math::at_least);
    let log_sum = highest + math::ln(logits.iter().map(|&x| exp(x - highest)).sum());
    let loss: f32 = wanted.iter().zip(logits).map(|(t, x)| t * (log_sum - x)).sum();
    let error = math::logistic(logits[0] - logits[1]) - value;
    sums.add(Sum::Value, weight, loss);
    sums.add(Sum::ValueSq, weight, error * error);
    for (n, (t, x)) in wanted.into_iter().zip(logits).enumerate() {
        gradients.winner[board * STRIDE + n] = share * (exp(x - log_sum) - t);
    }
}

/// Mean and lead, the outputs 0 and 2, are both to be the score.
fn score_loss(
    score: f32,
    multipliers: &Multipliers,
    [weight, share]: [f32; 2],
    board: usize,
    (outputs, gradients): (&Outputs, &mut Outputs),
    sums: &mut LossSums,
) {
    for (n, factor) in [(0, multipliers.score_mean), (2, multipliers.lead)] {
        let at = board * STRIDE + n;
        let error = outputs.score[at] - score / factor;
        let near = error.clamp(-SCORE_KNEE, SCORE_KNEE);
        sums.add(Sum::Score, 0.5 * weight, near * (error - 0.5 * near));
        sums.add(Sum::ScoreAbs, 0.5 * weight, (error * factor).abs());
        gradients.score[at] = 0.5 * share * near;
    }
}

/// The cross-entropy of each point's owner with (1 + tanh x) / 2.
fn ownership_loss(
    turned: &TurnedRow<'_>,
    places: &[usize],
    [weight, share]: [f32; 2],
    board: usize,
    (outputs, gradients): (&Outputs, &mut Outputs),
    sums: &mut LossSums,
) {
    let n_points = turned.row.n_points();
    let mut sum = 0.0;
    for (&owner, &to) in turned.row.ownership.iter().zip(places) {
        // A point that is turned onto the pass has no owner there.
        if to >= n_points {
            continue;
        }
        let wanted = 0.5 + 0.5 * (f32::from(owner) / f32::from(FULL_OWNER)).clamp(-1.0, 1.0);
        let at = (board * n_points + to) * STRIDE;
        let x = outputs.ownership[at];
        // With p = logistic(2x): −ln p = softplus(−2x), −ln(1 − p) = softplus(2x).
        sum += wanted * math::softplus(-2.0 * x) + (1.0 - wanted) * math::softplus(2.0 * x);
        gradients.ownership[at] = share * 2.0 * (math::logistic(2.0 * x) - wanted) / n_points as f32;
    }
    sums.add(Sum::Ownership, weight, sum / n_points as f32);
}
