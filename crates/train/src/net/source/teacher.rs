//! A network's answers as targets: what it says of a position becomes what another network is to say.

use model::net::EncodedPosition;
use model::net::katago::KataGoNet;
use model::net::output::NetEvaluation;

use crate::net::Row;
use crate::net::row::FULL_OWNER;

/// The share of the probability that is kept: the moves behind it are left out.
const KEPT_SHARE: f32 = 0.995;

/// A position with the teacher's policy, value, score and owners. A position that the teacher cannot read, which there is none of, has no targets
/// and no weight.
pub(super) fn row(teacher: &KataGoNet, encoded: &EncodedPosition) -> Row {
    let mut row = Row::default();
    row.set_position(encoded);
    if let Ok(evaluation) = teacher.evaluation(&encoded.board_input()) {
        set_targets(&mut row, &evaluation);
        row.weight = 1.0;
    }
    row
}

/// Takes over the targets from an evaluation by the player to move.
pub fn set_targets(row: &mut Row, evaluation: &NetEvaluation) {
    row.policy = top_moves(&evaluation.policy);
    row.value = Some((evaluation.p_win + 0.5 * evaluation.p_no_result).clamp(0.0, 1.0));
    row.score = Some(evaluation.score_mean);
    let owner = |owner: &f32| (owner.clamp(-1.0, 1.0) * f32::from(FULL_OWNER)).round() as i8;
    row.ownership = evaluation.ownership.iter().map(owner).collect();
}

/// The likeliest moves that together have [`KEPT_SHARE`] of the probability, scaled up to 1, the likeliest first.
fn top_moves(policy: &[f32]) -> Vec<(u16, f32)> {
    let mut moves: Vec<(u16, f32)> = (0..).zip(policy.iter().copied()).filter(|(_, p)| *p > 0.0).collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut share = 0.0;
    let n_before = moves
        .iter()
        .take_while(|(_, p)| {
            let is_wanted = share < KEPT_SHARE;
            share += p;
            is_wanted
        })
        .count();
    moves.truncate(n_before);
    let kept: f32 = moves.iter().map(|(_, p)| p).sum();
    moves.iter_mut().for_each(|(_, p)| *p /= kept);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_moves_are_kept_and_sum_to_one() {
        let kept = top_moves(&[0.001, 0.5, 0.0, 0.3, 0.197, 0.002]);
        assert_eq!(kept.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [1, 3, 4]);
        assert!((kept.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((kept[0].1 - 0.5 / 0.997).abs() < 1e-6);
        assert!(top_moves(&[0.0, 0.0]).is_empty());
    }

    #[test]
    fn an_evaluation_becomes_targets_worked_by_hand() {
        let evaluation = NetEvaluation {
            policy: vec![0.25, 0.75],
            p_win: 0.5,
            p_no_result: 0.2,
            score_mean: -2.5,
            lead: 9.0,
            ownership: vec![0.5, -1.0],
            ..NetEvaluation::default()
        };
        let mut row = Row::default();
        set_targets(&mut row, &evaluation);
        assert_eq!((row.policy, row.score), (vec![(1, 0.75), (0, 0.25)], Some(-2.5)));
        assert!((row.value.unwrap() - 0.6).abs() < 1e-6);
        assert_eq!(row.ownership, [64, -127]);
    }
}
