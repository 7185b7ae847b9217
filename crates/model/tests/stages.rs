//! Features filled in two steps are those filled in one.

mod positions;

use goban::{Size, SizeClass, Upto9, Upto19};
use model::Wanted;
use model::tactics::Tactics;
use positions::Played;

/// γ after the first step, after both steps, and after the second step for some moves only.
fn stages<C: SizeClass>(position: &Played<C>, n_likeliest: usize) -> [Vec<f32>; 3] {
    let (view, model) = (position.view(), Tactics::of(position.board.size()));
    let mut moves = Vec::new();
    view.moves(&mut moves);
    let mut cheap = vec![0.0; moves.len()];
    model.fill_cheap(&view, Wanted::default(), &moves, &mut cheap, |_, _| {});
    let (mut both, mut some) = (cheap.clone(), cheap.clone());
    model.multiply_patterns(&view, &moves, &mut both);
    model.multiply_patterns_of_likeliest(&view, &moves, n_likeliest, &mut some);
    [cheap, both, some]
}

#[test]
fn two_steps_are_the_whole() {
    fn check<C: SizeClass>(side: usize) {
        for position in positions::game::<C>(Size::square(side).unwrap(), side * side / 2, 5) {
            let mut moves = Vec::new();
            position.view().moves(&mut moves);
            let mut whole = vec![0.0; moves.len()];
            let model = Tactics::of(position.board.size());
            model.fill_gammas(&position.view(), Wanted::default(), &moves, &mut whole, |_, _| {});
            let [_, both, all_likely] = stages(&position, moves.len());
            assert_eq!((&both, &all_likely), (&whole, &whole));
        }
    }
    check::<Upto9>(9);
    check::<Upto19>(19);
}

#[test]
fn likely_moves_get_their_patterns_and_the_others_their_mean() {
    for position in positions::game::<Upto9>(Size::square(9).unwrap(), 40, 2).iter().skip(1) {
        let n_likeliest = 20;
        let [cheap, both, some] = stages(position, n_likeliest);
        let (pass, points) = (cheap.len() - 1, 0..cheap.len() - 1);
        assert_eq!(some[pass], cheap[pass]);
        let mut sorted = cheap[..pass].to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let (likely, others): (Vec<usize>, Vec<usize>) =
            points.partition(|&idx| cheap[idx] >= sorted[n_likeliest - 1]);
        assert!(likely.len() >= n_likeliest && likely.iter().all(|&idx| some[idx] == both[idx]));
        let logs = likely.iter().map(|&idx| f64::from(both[idx] / cheap[idx]).ln());
        let mean = (logs.sum::<f64>() / likely.len() as f64).exp();
        assert!(!others.is_empty());
        for idx in others {
            let factor = f64::from(some[idx] / cheap[idx]);
            assert!((factor / mean - 1.0).abs() < 1e-4, "{factor} instead of {mean}");
        }
    }
}

#[test]
fn nobody_likely_changes_nothing() {
    let game = positions::game::<Upto9>(Size::square(9).unwrap(), 10, 3);
    let [cheap, both, some] = stages(&game[10], 0);
    assert_eq!(some, cheap);
    assert_ne!(some, both);
}
