//! Playouts from a position, their results one by one.

use goban::{Move, Position, Rng, with_board};
use player::searcher::situation;
use playout::{Start, policy};
use recipe::Choice;

use crate::error::Result;

/// Plays `playouts` playouts from a position and gives each one's result in half points, as Black sees it: 2 for a win, 1 for
/// a draw, 0 for a loss. A policy that learns from simulations learns from these, and knows nothing at the first.
///
/// # Errors
/// When the policy cannot be built for this board.
pub fn play(position: &Position, policy: &Choice, playouts: u64, rng: &mut Rng) -> Result<Vec<u8>> {
    let first = position.to_play();
    let situation = situation(position, first);
    let (mut results, mut moves) = (Vec::with_capacity(playouts as usize), Vec::new());
    with_board!(position.board(), |board| {
        let mut rollout = policy::build(policy, board.size())?;
        let [last, before, ..] = situation.recent;
        let recent = [last, before].map(|vertex| vertex.map_or(Move::PASS, |vertex| board.to_move(vertex)));
        let start = Start { board, to_play: first, recent };
        for _ in 0..playouts {
            moves.clear();
            let margin = rollout.run(&start, rng, &mut moves).margin() as f32 - situation.komi;
            let halves = match margin {
                _ if margin > 0.0 => 2,
                _ if margin < 0.0 => 0,
                _ => 1,
            };
            if rollout.learns() {
                rollout.learn(first, &moves, f32::from(halves) / 2.0);
            }
            results.push(halves);
        }
    });
    Ok(results)
}
