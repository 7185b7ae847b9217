//! Balancing on small boards.

use goban::{AnyBoard, Color, Rng, Size, Vertex};
use playout::bt::list::{LAST, N_FEATURES, SELF_ATARI, TAKE};
use playout::bt::{BtModel, BtNotes};

use super::balance::{BalanceForm, BalanceScore, BalanceSettings, Balancing, LabelledPosition};
use crate::ranking::{BadCheckpoint, Checkpoint};

fn model(size: Size, weights: &[(usize, f32)]) -> BtModel {
    let mut all = vec![0.0; N_FEATURES];
    weights.iter().for_each(|&(feature, weight)| all[feature] = weight);
    BtModel::new(size, BtNotes::default(), &all)
}

/// Positions of 5×5 after some random moves, all labelled the same.
fn positions(n: usize, n_moves: usize, value: f32) -> Vec<LabelledPosition> {
    let size = Size::square(5).unwrap();
    let mut rng = Rng::new(9);
    let position = |_| {
        let (mut board, mut to_play, mut recent) = (AnyBoard::new(size), Color::Black, [None; 2]);
        let mut n_played = 0;
        while n_played < n_moves {
            let vertex = Vertex::new(rng.below(5) as usize, rng.below(5) as usize);
            if board.is_legal(to_play, vertex) {
                board.play(to_play, vertex);
                (recent, to_play) = ([Some(vertex), recent[0]], !to_play);
                n_played += 1;
            }
        }
        LabelledPosition { board, to_play, recent, komi: 0.5, value }
    };
    (0..n).map(position).collect()
}

const SETTINGS: BalanceSettings = BalanceSettings {
    form: BalanceForm::Full,
    alpha: 20.0,
    n_value: 40,
    n_gradient: 40,
    n_rounds: 3,
    n_judge: 50,
    seed: 3,
};

#[test]
fn errors_fall_where_results_follow_from_moves() {
    // Labels by playouts that take stones and avoid self-atari; learned from playouts that know nothing.
    let size = Size::square(5).unwrap();
    let levels = |start: usize, weight: f32| (start..start + 4).map(move |feature| (feature, weight));
    let known: Vec<_> = levels(TAKE, 3.0).chain(levels(SELF_ATARI, -3.0)).collect();
    let (first, right) = (model(size, &[]), model(size, &known));
    let mut positions = positions(60, 12, 0.5);
    for (idx, position) in positions.iter_mut().enumerate() {
        let mut rng = Rng::new(idx as u64);
        position.value = super::balance::mean_result(&right, position, 400, &mut rng)[0];
    }
    let (learned, kept) = positions.split_at(50);
    let settings = BalanceSettings { n_rounds: 8, n_judge: 100, alpha: 20.0, ..SETTINGS };
    let run = Balancing { settings, first: &first, learned, kept };
    let (weights, curve) = run.run::<BadCheckpoint>(None, |_| Ok(())).unwrap();
    let (begin, end) = (curve[0], curve[8]);
    assert!(end.learned < 0.85 * begin.learned, "{begin:?} {end:?}");
    assert!(weights[TAKE] > weights[SELF_ATARI], "{weights:?}");
}

#[test]
fn who_goes_on_ends_where_an_undisturbed_run_does() {
    let size = Size::square(5).unwrap();
    let first = model(size, &[(LAST, 1.0)]);
    let (learned, kept) = (positions(5, 6, 0.8), positions(3, 8, 0.2));
    for form in [BalanceForm::Full, BalanceForm::Shared, BalanceForm::TwoStep] {
        let settings = BalanceSettings { form, n_judge: 10, ..SETTINGS };
        let run = Balancing { settings, first: &first, learned: &learned, kept: &kept };
        let mut checkpoints = Vec::new();
        let whole = run
            .run::<BadCheckpoint>(None, |checkpoint| {
                checkpoints.push(checkpoint.to_bytes("a test"));
                Ok(())
            })
            .unwrap();
        assert_eq!((whole.1.len(), checkpoints.len()), (4, 4));
        assert_ne!(whole.0, first.weights());
        for bytes in &checkpoints {
            let begun = Checkpoint::<BalanceScore>::from_bytes(bytes, "a test").unwrap();
            assert_eq!(run.run::<BadCheckpoint>(Some(&begun), |_| Ok(())).unwrap(), whole, "{form:?}");
        }
    }
}
