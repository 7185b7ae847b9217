use super::*;
use crate::bt::BtNotes;
use crate::bt::list::{N_FEATURES, SELF_ATARI};
use goban::{Full, Upto9, Upto13};

/// A model whose weights have nothing to do with Go, self-ataris both likelier and unlikelier than other moves.
fn model(size: Size) -> BtModel {
    let mut rng = Rng::new(3);
    let mut weights: Vec<f32> = (0..N_FEATURES).map(|_| 2.0 * rng.unit() - 1.0).collect();
    weights[SELF_ATARI..].copy_from_slice(&[0.5, -0.5, -2.0, -1.0]);
    BtModel::new(size, BtNotes::default(), &weights)
}

/// Plays a playout move by move; `each` sees the policy before every move.
fn follow<C: SizeClass>(
    side: usize,
    seed: u64,
    mut each: impl FnMut(&mut BtPolicy, &mut Board<C, Tactical>, Color),
) {
    let size = Size::square(side).unwrap();
    let mut policy = BtPolicy::new::<C>(&model(size), size, 1.0);
    let mut board = Board::<C, Full>::new(size).keeping::<Tactical>();
    let mut rng = Rng::new(seed);
    policy.start(&board, [Move::PASS; 2]);
    let mut n_passes = 0;
    for n in 0..3 * size.area() {
        let mover = if n % 2 == 0 { Color::Black } else { Color::White };
        each(&mut policy, &mut board, mover);
        let point = match mover {
            Color::Black => policy.choose::<C, true>(&mut board, &mut rng),
            Color::White => policy.choose::<C, false>(&mut board, &mut rng),
        };
        let mv = point.map_or(Move::PASS, Move::at);
        assert!(point.is_none_or(|point| board.is_legal(mover, point)));
        board.play(mover, mv);
        policy.played(&board, mover, mv);
        n_passes = if point.is_none() { n_passes + 1 } else { 0 };
        if n_passes == 2 {
            return;
        }
    }
}

#[test]
fn sums_kept_move_by_move_are_those_of_a_new_look() {
    fn check<C: SizeClass>(side: usize) {
        let mut n_captures = 0;
        follow::<C>(side, 5, |policy, board, _| {
            let mut fresh = policy.clone();
            fresh.start(board, policy.recent);
            assert_eq!(
                (&policy.weights, &policy.rows, policy.totals),
                (&fresh.weights, &fresh.rows, fresh.totals)
            );
            n_captures = board.n_captured(Color::Black) + board.n_captured(Color::White);
        });
        assert!(n_captures > 3);
    }
    check::<Upto9>(9);
    check::<Upto9>(5);
    check::<Upto13>(13);
}

#[test]
fn weights_are_the_products_of_the_factors_that_trainers_read() {
    let size = Size::square(9).unwrap();
    let model = model(size);
    let (mut n_special, mut n_self_atari) = (0, 0);
    follow::<Upto9>(9, 8, |policy, board, mover| {
        let sum = policy.weigh_all(board, mover) as f64;
        let table = Arc::clone(&policy.table);
        let scene = BtScene::new(board, &table.geometry, mover, policy.recent);
        let mut product = |point: Point| {
            let mut weight = 0.0;
            scene.team(point, &mut |feature| {
                weight += f64::from(model.weights()[feature]);
                n_self_atari += u32::from(feature >= SELF_ATARI);
            });
            weight.exp()
        };
        let products: Vec<f64> = policy.weighed().iter().map(|&(point, _)| product(point)).collect();
        let all: f64 = products.iter().sum();
        for (&(_, weight), right) in policy.weighed().iter().zip(products) {
            let (p, right) = (weight as f64 / sum, right / all);
            // Weights are whole numbers in a 16384th, after division by 65536 in a quarter.
            assert!((p - right).abs() < 0.02 * right + 1e-4, "{p} {right}");
        }
        n_special += scene.special().len();
    });
    assert!(n_special > 500 && n_self_atari > 20, "{n_special} {n_self_atari}");
}

#[test]
fn moves_are_drawn_as_often_as_their_weights_say() {
    let mut n = 0;
    follow::<Upto9>(9, 11, |policy, board, mover| {
        n += 1;
        if n != 70 && n != 105 {
            return;
        }
        let sum = policy.weigh_all(board, mover) as f64;
        let expected: Vec<(Point, f64)> =
            policy.weighed().iter().map(|&(point, weight)| (point, weight as f64 / sum)).collect();
        let mut counts = vec![0u32; Upto9::POINTS];
        let mut rng = Rng::new(2);
        const N: u32 = 40_000;
        for _ in 0..N {
            let point = match mover {
                Color::Black => policy.choose::<Upto9, true>(board, &mut rng),
                Color::White => policy.choose::<Upto9, false>(board, &mut rng),
            };
            counts[point.unwrap().idx()] += 1;
        }
        assert!(expected.len() > 3);
        for (point, p) in expected {
            let deviation = (f64::from(N) * p * (1.0 - p)).sqrt();
            let found = f64::from(std::mem::take(&mut counts[point.idx()]));
            assert!((found - f64::from(N) * p).abs() < 4.5 * deviation + 8.0, "{found} of {p}");
        }
        assert!(counts.iter().all(|&n| n == 0), "a move without weight");
    });
    assert!(n > 105, "{n}");
}

#[test]
fn a_high_temperature_makes_moves_alike() {
    let size = Size::square(9).unwrap();
    let board = Board::<Upto9, Full>::new(size).keeping::<Tactical>();
    let mut policy = BtPolicy::new::<Upto9>(&model(size), size, 100.0);
    policy.start(&board, [Move::PASS; 2]);
    policy.weigh_all(&board, Color::Black);
    let weights = || policy.weighed().iter().map(|&(_, weight)| weight as f64);
    let (least, most) = (weights().fold(f64::MAX, f64::min), weights().fold(0.0, f64::max));
    assert!(most < 1.05 * least && most > least, "{least} {most}");
}
