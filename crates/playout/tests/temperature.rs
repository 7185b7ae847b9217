//! The policy `temperature`: probabilities by the formula, the limits K = 0 and K → ∞, and only moves that `uniform` would
//! make.

use goban::{Board, Color, EyeRule, Full, Lean, Move, Point, Rng, Size, Upto9};
use playout::policy::temperature::{Learner, Temperature};
use playout::{MovePolicy, Playout, PlayoutRunner, Start};

const N_DRAWS: u32 = 40_000;

fn size() -> Size {
    Size::square(5).unwrap()
}

fn learner(k: f32, anneal: u32) -> Learner {
    let points = <Upto9 as goban::SizeClass>::POINTS;
    Learner::new(&Temperature { k, anneal, ..Temperature::default() }, points)
}

/// The points of a 5×5 board, row by row.
fn points() -> Vec<Point> {
    let board = Board::<Upto9, Full>::new(size());
    let mut points: Vec<Point> = board.empties().collect();
    points.sort_by_key(|point| point.idx());
    points
}

/// Share of draws that fell on each point of an empty board.
fn shares(policy: &mut Learner, color: Color, seed: u64) -> Vec<f64> {
    let mut board = Board::<Upto9, Lean>::new(size());
    let mut rng = Rng::new(seed);
    let mut counts = vec![0u32; <Upto9 as goban::SizeClass>::POINTS];
    policy.start(&board, [Move::PASS; 2]);
    for _ in 0..N_DRAWS {
        let point = match color {
            Color::Black => policy.choose::<Upto9, true>(&mut board, &mut rng),
            Color::White => policy.choose::<Upto9, false>(&mut board, &mut rng),
        };
        counts[point.unwrap().idx()] += 1;
    }
    points().iter().map(|point| f64::from(counts[point.idx()]) / f64::from(N_DRAWS)).collect()
}

/// The statistic Σ (observed − expected)²/expected stays within six standard deviations of its mean.
#[track_caller]
fn check(shares: &[f64], expected: &[f64]) {
    let chi2: f64 =
        shares.iter().zip(expected).map(|(share, p)| f64::from(N_DRAWS) * (share - p).powi(2) / p).sum();
    let free = expected.len() as f64 - 1.0;
    assert!(chi2 < free + 6.0 * (2.0 * free).sqrt(), "chi-square {chi2}: {shares:?} instead of {expected:?}");
}

/// Black won with points 0 and 2, lost with 1, and drew with 3; White answered at 4 each time.
fn teach(policy: &mut Learner) {
    let at = |idx: usize| Move::at(points()[idx]);
    policy.learn(Color::Black, &[at(0), at(4), at(2), Move::PASS, at(0)], 1.0);
    policy.learn(Color::Black, &[at(1), at(4)], 0.0);
    policy.learn(Color::White, &[at(4), at(3)], 0.5);
}

#[test]
fn values_worked_by_hand() {
    let mut policy = learner(2.0, 0);
    teach(&mut policy);
    let values = |color| [0, 1, 2, 3, 4, 5].map(|idx| policy.value(color, points()[idx]));
    // A point that was played twice counts once; White lost, won and drew with 4; 5 was never played.
    assert_eq!(values(Color::Black), [1.0, 0.0, 1.0, 0.5, 0.5, 0.5]);
    assert_eq!(values(Color::White), [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    policy.learn(Color::Black, &[Move::PASS, Move::at(points()[4])], 0.0);
    // Now White has 0 + 1 + ½ + 1 out of 4.
    assert_eq!(policy.value(Color::White, points()[4]), 0.625);
}

#[test]
fn probabilities_worked_by_hand() {
    // K = 2: exp(2·1) = 7.389056 for points 0 and 2, exp(0) = 1 for point 1, exp(2·½) = 2.718282 for the other 22;
    // together 14.778112 + 1 + 59.802200 = 75.580312.
    let mut policy = learner(2.0, 0);
    teach(&mut policy);
    let mut expected = vec![std::f64::consts::E / 75.580_312; 25];
    (expected[0], expected[1], expected[2]) =
        (7.389_056 / 75.580_312, 1.0 / 75.580_312, 7.389_056 / 75.580_312);
    check(&shares(&mut policy, Color::Black, 1), &expected);
    // White knows of no difference.
    check(&shares(&mut policy, Color::White, 2), &[0.04; 25]);
}

#[test]
fn k_0_is_uniform() {
    let mut policy = learner(0.0, 0);
    teach(&mut policy);
    check(&shares(&mut policy, Color::Black, 3), &[0.04; 25]);
}

#[test]
fn a_large_k_plays_what_won() {
    let mut policy = learner(100.0, 0);
    teach(&mut policy);
    // The others have e⁻⁵⁰ or less: points 0 and 2 share everything.
    let shares = shares(&mut policy, Color::Black, 4);
    assert_eq!(shares[0] + shares[2], 1.0);
    assert!((shares[0] - 0.5).abs() < 0.02, "{shares:?}");
}

#[test]
fn k_rises_while_it_is_annealed() {
    let mut policy = learner(8.0, 4);
    let mut strengths = Vec::new();
    for _ in 0..6 {
        strengths.push(policy.strength());
        policy.learn(Color::Black, &[], 1.0);
    }
    assert_eq!(strengths, [0.0, 2.0, 4.0, 6.0, 8.0, 8.0]);
    policy.forget();
    assert_eq!(policy.strength(), 0.0);
    assert_eq!(learner(8.0, 0).strength(), 8.0);
}

#[test]
fn it_forgets() {
    let mut policy = learner(5.0, 0);
    teach(&mut policy);
    policy.forget();
    assert!(points().iter().all(|point| policy.value(Color::Black, *point) == 0.5));
    check(&shares(&mut policy, Color::Black, 5), &[0.04; 25]);
    // A simulation with the number of one that was forgotten counts.
    teach(&mut policy);
    assert_eq!(policy.value(Color::Black, points()[0]), 1.0);
}

/// Whole playouts after much learning: every move is legal and fills no eye, a pass comes only when nothing is left, and
/// the playout ends.
#[test]
fn playouts_keep_to_the_rules() {
    for k in [0.0, 5.0, 100.0] {
        let mut rng = Rng::new(6);
        let mut rollout = Playout::<Upto9, _>::new(size(), learner(k, 0));
        let start = Board::<Upto9, Full>::new(size());
        for _ in 0..200 {
            let mut moves = Vec::new();
            let ending = rollout.run(&Start::new(&start, Color::Black), &mut rng, &mut moves);
            rollout.learn(Color::Black, &moves, if ending.margin() > 0 { 1.0 } else { 0.0 });
            let (mut board, mut color) = (start, Color::Black);
            for &mv in &moves {
                let is_fair = |point: &Point| {
                    board.is_legal(color, *point) && !board.is_eye(*point, color, EyeRule::Standard)
                };
                match mv.point() {
                    Some(point) => assert!(is_fair(&point), "{board:?} {color:?} {point:?}"),
                    None => assert!(!board.empties().any(|point| is_fair(&point)), "{board:?} {color:?}"),
                }
                board.play(color, mv);
                color = !color;
            }
            assert!(moves.ends_with(&[Move::PASS; 2]) || moves.len() == 75, "{moves:?}");
        }
    }
}
