//! What goes into an engine and what comes out: a position as numbers, raw outputs, and the evaluation read from them.
//!
//! Everything is from the side of the player to move. Engines give a [`NetOutput`]; [`Readout`] turns it into a
//! [`NetEvaluation`], so that all engines share one meaning of the outputs.

use super::graph::{Graph, Multipliers};
use crate::math::{softmax, softplus, tanh};

/// A position as an engine reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetInput<'a> {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// Point by point in rows from the top, the planes of a point side by side: `height` × `width` × `N_PLANES` numbers.
    pub point_planes: &'a [f32],
    /// Numbers of the position as a whole, `N_GLOBALS` of them.
    pub globals: &'a [f32],
}

impl NetInput<'_> {
    /// The number of points of the board.
    #[inline]
    pub fn n_points(&self) -> usize {
        self.width * self.height
    }
}

/// The raw outputs of a network; the buffers are used again from position to position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetOutput {
    /// Logits of the moves, policy channel by policy channel: the points in rows from the top, then the pass.
    pub policy: Vec<f32>,
    /// Logits of win, loss and no result.
    pub winner: [f32; 3],
    /// Mean, spread, lead and variance time of the score, then the two short-term errors; all before scaling, and 0 where
    /// the network's version has none.
    pub score: [f32; 6],
    /// For each point a number whose tanh is 1 for a point of the player to move and −1 for one of the opponent.
    pub ownership: Vec<f32>,
}

impl NetOutput {
    /// The logits of one policy channel; the last is the pass.
    pub fn channel(&self, channel: usize) -> &[f32] {
        let n_moves = self.ownership.len() + 1;
        &self.policy[channel * n_moves..][..n_moves]
    }

    /// The number of policy channels.
    pub fn n_channels(&self) -> usize {
        self.policy.len() / (self.ownership.len() + 1)
    }
}

/// How the raw outputs of one network are to be read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Readout {
    /// The network's version.
    pub version: u32,
    /// The network's factors.
    pub multipliers: Multipliers,
}

/// What is asked of one evaluation beside the network's outputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReadoutQuery<'a> {
    /// For each point in rows from the top, and for the pass, whether the move is legal.
    pub legal: &'a [bool],
    /// Whether the rules know games without a result: with simple ko or territory scoring.
    pub may_end_without_result: bool,
    /// The weight of the optimistic policy, 0..=1, for networks that have one.
    pub optimism: f32,
}

/// An evaluation of a position, from the side of the player to move; the buffers are used again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetEvaluation {
    /// The probability of each point in rows from the top and of the pass; 0 for an illegal move; sums to 1.
    pub policy: Vec<f32>,
    /// The probability of a win, 0..=1.
    pub p_win: f32,
    /// The probability of a loss, 0..=1.
    pub p_loss: f32,
    /// The probability of a game without a result, 0..=1.
    pub p_no_result: f32,
    /// Points by which the player leads: the komi change that would make the game even.
    pub lead: f32,
    /// The expected final score in points.
    pub score_mean: f32,
    /// The expected square of the final score.
    pub score_mean_sq: f32,
    /// The standard deviation of the final score in points.
    pub score_stdev: f32,
    /// Turns over which the value is expected to vary.
    pub variance_time: f32,
    /// The expected short-term error of the winning probabilities' difference, −1..=1; `None` before version 9.
    pub value_error: Option<f32>,
    /// The expected short-term error of the score in points; `None` before version 9.
    pub score_error: Option<f32>,
    /// For each point in rows from the top: 1 the player's, −1 the opponent's.
    pub ownership: Vec<f32>,
}

impl Graph {
    /// How the outputs of this network are to be read.
    pub fn readout(&self) -> Readout {
        Readout { version: self.version, multipliers: self.multipliers }
    }
}

impl Readout {
    /// Reads raw outputs into an evaluation.
    pub fn read(&self, output: &NetOutput, query: &ReadoutQuery<'_>, out: &mut NetEvaluation) {
        read_policy(output, query, &mut out.policy);
        let mut winner = output.winner;
        if query.may_end_without_result {
            softmax(&mut winner);
        } else {
            softmax(&mut winner[..2]);
            winner[2] = 0.0;
        }
        [out.p_win, out.p_loss, out.p_no_result] = winner;
        self.read_score(&output.score, 1.0 - winner[2], out);
        out.ownership.clear();
        out.ownership.extend(output.ownership.iter().map(|&logit| tanh(logit)));
    }

    /// A game without a result counts as a score of 0.
    fn read_score(&self, score: &[f32; 6], p_result: f32, out: &mut NetEvaluation) {
        let factor = &self.multipliers;
        let mean = score[0] * factor.score_mean;
        let stdev = softplus(score[1]) * factor.score_stdev;
        out.score_mean = mean * p_result;
        out.score_mean_sq = (mean * mean + stdev * stdev) * p_result;
        let variance = out.score_mean_sq - out.score_mean * out.score_mean;
        out.score_stdev = variance.max(0.0).sqrt();
        out.lead = score[2] * factor.lead * p_result;
        out.variance_time = softplus(score[3]) * factor.variance_time;
        out.value_error = self.error(score[4], factor.value_error, 1.0);
        out.score_error = self.error(score[5], factor.score_error, 10.0);
    }

    /// A short-term error: `factor` is that of its square, `plain` the one that version 9 means.
    fn error(&self, x: f32, factor: f32, plain: f32) -> Option<f32> {
        match self.version {
            ..9 => None,
            9 => Some(softplus(x) * plain),
            10..14 => Some((softplus(x) * factor).sqrt()),
            _ => {
                let root = softplus(0.5 * x);
                Some((root * root * factor).sqrt())
            }
        }
    }
}

/// The softmax over legal moves of the ordinary policy, mixed with the optimistic one before.
fn read_policy(output: &NetOutput, query: &ReadoutQuery<'_>, policy: &mut Vec<f32>) {
    policy.clear();
    policy.extend_from_slice(output.channel(0));
    if output.n_channels() >= 2 && query.optimism != 0.0 {
        for (logit, optimistic) in policy.iter_mut().zip(output.channel(1)) {
            *logit += (optimistic - *logit) * query.optimism;
        }
    }
    for (logit, &is_legal) in policy.iter_mut().zip(query.legal) {
        if !is_legal {
            *logit = f32::NEG_INFINITY;
        }
    }
    softmax(policy);
    for (p, &is_legal) in policy.iter_mut().zip(query.legal) {
        if !is_legal {
            *p = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f32, b: f32) -> bool {
        (a - b).abs() < 1e-4 * b.abs().max(1.0)
    }

    fn output() -> NetOutput {
        NetOutput {
            // Two points and the pass, two channels.
            policy: vec![0.0, 3f32.ln(), 50.0, 2f32.ln(), 3f32.ln(), 50.0],
            winner: [2f32.ln(), 0.0, 0.0],
            score: [0.5, 0.0, -0.25, 1.0, 2.0, 3.0],
            ownership: vec![0.0, 0.5],
        }
    }

    fn query(legal: &[bool], may_end_without_result: bool, optimism: f32) -> ReadoutQuery<'_> {
        ReadoutQuery { legal, may_end_without_result, optimism }
    }

    fn read(version: u32, query: &ReadoutQuery<'_>) -> NetEvaluation {
        let mut out = NetEvaluation::default();
        Readout { version, multipliers: Multipliers::default() }.read(&output(), query, &mut out);
        out
    }

    #[test]
    fn illegal_moves_have_no_share_and_optimism_mixes_logits() {
        let plain = read(14, &query(&[true, true, false], false, 0.0));
        assert!(near(plain.policy[0], 0.25) && near(plain.policy[1], 0.75), "{:?}", plain.policy);
        assert_eq!(plain.policy[2], 0.0);
        // The first logit becomes 0 + (ln 2 − 0)·1.
        let bold = read(14, &query(&[true, true, false], false, 1.0));
        assert!(near(bold.policy[0], 0.4) && near(bold.policy[1], 0.6), "{:?}", bold.policy);
        // Halfway: √2 to 3.
        let half = read(14, &query(&[true, true, false], false, 0.5));
        assert!(near(half.policy[0], 2f32.sqrt() / (2f32.sqrt() + 3.0)));
    }

    #[test]
    fn values_and_scores_worked_by_hand() {
        let ln2 = 2f32.ln();
        let sure = read(8, &query(&[true; 3], false, 0.0));
        // 2 : 1, and no game without a result.
        assert!(near(sure.p_win, 2.0 / 3.0) && near(sure.p_loss, 1.0 / 3.0) && sure.p_no_result == 0.0);
        assert!(near(sure.score_mean, 10.0) && near(sure.lead, -5.0));
        assert!(near(sure.score_stdev, 20.0 * ln2));
        assert!(near(sure.score_mean_sq, 100.0 + 400.0 * ln2 * ln2));
        assert!(near(sure.variance_time, 40.0 * (1.0 + 1f32.exp()).ln()));
        assert_eq!((sure.value_error, sure.score_error), (None, None));
        assert!(near(sure.ownership[1], 0.5f32.tanh()) && sure.ownership[0] == 0.0);

        // 2 : 1 : 1; a quarter of the games has the score 0.
        let open = read(8, &query(&[true; 3], true, 0.0));
        assert!(near(open.p_win, 0.5) && near(open.p_no_result, 0.25));
        assert!(near(open.score_mean, 7.5) && near(open.lead, -3.75));
        let sq = 0.75 * (100.0 + 400.0 * ln2 * ln2);
        assert!(near(open.score_mean_sq, sq) && near(open.score_stdev, (sq - 56.25).sqrt()));
    }

    #[test]
    fn short_term_errors_by_version() {
        let errors = |version| {
            let out = read(version, &query(&[true; 3], false, 0.0));
            (out.value_error.unwrap(), out.score_error.unwrap())
        };
        let soft = |x: f32| (1.0 + x.exp()).ln();
        assert!(near(errors(9).0, soft(2.0)) && near(errors(9).1, 10.0 * soft(3.0)));
        assert!(
            near(errors(10).0, (0.25 * soft(2.0)).sqrt()) && near(errors(13).1, (30.0 * soft(3.0)).sqrt())
        );
        assert!(near(errors(14).0, 0.5 * soft(1.0)) && near(errors(17).1, 30f32.sqrt() * soft(1.5)));
    }
}
