//! The two heads.

use super::super::super::graph::{PolicyHead, ValueHead};
use super::super::super::output::NetOutput;
use super::kernel::{add, add_to_points, convolve, product};
use super::pointwise::{activate, norm_act};
use super::{Board, pool};

/// Logits of the moves from the tip of the trunk.
pub(super) fn policy(head: &PolicyHead, board: Board, tip: &[f32], out: &mut NetOutput) {
    let pooled = pool::pooled_conv(&head.pool, &head.pool_act, board, tip);
    let mut y = convolve(&head.regular, board, tip);
    add_to_points(&mut y, &pool::bias(&head.to_bias, &pooled));
    norm_act(&head.act, &mut y);
    let points = convolve(&head.out, board, &y);
    let mut pass = product(&head.pass, &pooled);
    if let Some(hidden) = &head.pass_hidden {
        add(&mut pass, &hidden.bias.weights);
        activate(hidden.activation, &mut pass);
        pass = product(&hidden.out, &pass);
    }
    let n_channels = head.n_channels();
    out.policy.clear();
    for (channel, pass) in pass.iter().enumerate() {
        out.policy.extend(points.iter().skip(channel).step_by(n_channels));
        out.policy.push(*pass);
    }
}

/// Winner, score and owners from the tip of the trunk.
pub(super) fn value(head: &ValueHead, board: Board, tip: &[f32], out: &mut NetOutput) {
    let mut v = convolve(&head.regular, board, tip);
    norm_act(&head.act, &mut v);
    let mut hidden = product(&head.hidden, &pool::pool_for_value(&v, head.regular.n_out));
    add(&mut hidden, &head.hidden_bias.weights);
    activate(head.hidden_activation, &mut hidden);
    out.winner.copy_from_slice(&product(&head.winner, &hidden));
    add(&mut out.winner, &head.winner_bias.weights);
    let score = product(&head.score, &hidden);
    out.score = [0.0; 6];
    out.score[..score.len()].copy_from_slice(&score);
    add(&mut out.score, &head.score_bias.weights);
    out.ownership = convolve(&head.ownership, board, &v);
}
