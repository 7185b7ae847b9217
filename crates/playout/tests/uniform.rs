//! The uniform policy against the slow model of the rules: the same moves are possible, each equally likely, and
//! whole playouts have the same statistics.

#[path = "../../goban/tests/model/mod.rs"]
#[allow(dead_code)]
mod model;

use std::collections::BTreeMap;

use goban::{Board, Color, EyeRule, Full, Lean, Move, Rng, Rules, Size, SizeClass, Upto9, Upto13};
use model::{MoveStatus, SlowBoard};
use playout::policy::Eye;
use playout::{MovePolicy, Playout, PlayoutRunner, Start, UniformPolicy};

/// The points the policy may choose, by definition.
fn candidates(model: &SlowBoard, color: Color, rule: EyeRule) -> Vec<usize> {
    let is_fair =
        |&idx: &usize| model.move_status(color, idx) == MoveStatus::Legal && !model.is_eye(idx, color, rule);
    model.empties().into_iter().filter(is_fair).collect()
}

/// A position after `n` random moves of both, on the model and on the board.
fn midgame<C: SizeClass>(size: Size, n: usize, rng: &mut Rng) -> (SlowBoard, Board<C, Full>, Color) {
    let mut model = SlowBoard::new(size, Rules::CHINESE);
    let mut board = Board::<C, Full>::new(size);
    let mut color = Color::Black;
    for _ in 0..n {
        let moves = candidates(&model, color, EyeRule::Standard);
        let idx = (!moves.is_empty()).then(|| moves[rng.below(moves.len() as u32) as usize]);
        model.play(color, idx);
        let mv = idx.map_or(Move::PASS, |idx| board.to_move(model.vertex(idx)));
        board.play(color, mv);
        color = !color;
    }
    (model, board, color)
}

fn draws<C: SizeClass>(size: Size, n_moves: usize, eye: Eye, rng: &mut Rng) {
    let (model, board, color) = midgame::<C>(size, n_moves, rng);
    let expected = candidates(&model, color, eye.into());
    let mut counts: BTreeMap<Option<usize>, u32> = BTreeMap::new();
    let n_draws = 400 * expected.len().max(1) as u32;
    let mut lean: Board<C, Lean> = board.keeping();
    for _ in 0..n_draws {
        // The order of the list of empty points is left as the last draw made it: it must not matter.
        let mut policy = UniformPolicy { eye };
        let point = match color {
            Color::Black => policy.choose::<C, true>(&mut lean, rng),
            Color::White => policy.choose::<C, false>(&mut lean, rng),
        };
        *counts.entry(point.map(|point| model.idx(lean.vertex(Move::at(point))))).or_default() += 1;
    }
    if expected.is_empty() {
        assert_eq!(counts.keys().collect::<Vec<_>>(), [&None]);
        return;
    }
    assert!(counts.keys().all(|key| key.is_some_and(|idx| expected.contains(&idx))), "{model:?} {counts:?}");
    // Each count has mean 400 and standard deviation at most 20; the sum of squares of k - 1 free ones follows a
    // chi-square law with mean k - 1 and variance 2 (k - 1).
    let chi2: f64 = expected
        .iter()
        .map(|idx| (f64::from(counts.get(&Some(*idx)).copied().unwrap_or(0)) - 400.0).powi(2) / 400.0)
        .sum();
    let free = expected.len() as f64 - 1.0;
    assert!(
        chi2 < free + 6.0 * (2.0 * free).sqrt() + 20.0,
        "chi-square {chi2} with {free} degrees of freedom"
    );
}

#[test]
fn every_candidate_is_equally_likely() {
    let mut rng = Rng::new(20);
    let sizes = [(5, 5), (2, 2), (9, 9), (4, 7), (9, 2)];
    for (width, height) in sizes {
        let size = Size::new(width, height).unwrap();
        for n_moves in [0, 1, size.area() / 2, size.area(), 2 * size.area()] {
            draws::<Upto9>(size, n_moves, Eye::Standard, &mut rng);
            draws::<Upto9>(size, n_moves, Eye::GoYui, &mut rng);
        }
    }
    draws::<Upto13>(Size::new(13, 11).unwrap(), 140, Eye::Standard, &mut rng);
}

/// Moves, and wins of Black at komi 7.5, of `n` playouts from the empty 9×9 board by the model.
fn slow_playouts(n: usize, seed: u64) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let size = Size::square(9).unwrap();
    let (mut n_moves, mut n_wins) = (0, 0);
    for _ in 0..n {
        let mut model = SlowBoard::new(size, Rules::CHINESE);
        let mut color = Color::Black;
        while model.n_passes < 2 {
            // Draws and refuses points one by one: the same law as choosing among all candidates.
            let mut left = model.empties();
            let mut choice = None;
            while choice.is_none() && !left.is_empty() {
                let idx = left.swap_remove(rng.below(left.len() as u32) as usize);
                let is_fair = !model.is_eye(idx, color, EyeRule::Standard)
                    && model.move_status(color, idx) == MoveStatus::Legal;
                choice = is_fair.then_some(idx);
            }
            model.play(color, choice);
            color = !color;
            n_moves += 1;
        }
        let (stones, territory, _) = model.count(&[]);
        let [black, white] = [0, 1].map(|color| (stones[color] + territory[color]) as f64);
        n_wins += usize::from(black - white > 7.5);
    }
    (n_moves, n_wins)
}

fn fast_playouts(n: usize, seed: u64) -> (usize, usize) {
    let size = Size::square(9).unwrap();
    let board = Board::<Upto9, Full>::new(size);
    let mut playout = Playout::<Upto9, UniformPolicy>::new(size, UniformPolicy::default());
    let (mut rng, mut moves) = (Rng::new(seed), Vec::new());
    let (mut n_moves, mut n_wins) = (0, 0);
    for _ in 0..n {
        moves.clear();
        let ending = playout.run(&Start::new(&board, Color::Black), &mut rng, &mut moves);
        assert_eq!(moves.len(), usize::from(ending.n_moves));
        n_moves += moves.len();
        n_wins += usize::from(f64::from(ending.margin()) > 7.5);
    }
    (n_moves, n_wins)
}

/// `TENGEN_PLAYOUTS=200000` plays as many with the model as the release figures are made from; that takes minutes.
#[test]
fn playouts_have_the_statistics_of_the_model() {
    let n = std::env::var("TENGEN_PLAYOUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000usize);
    let n_fast = n.max(200_000);
    let (fast_moves, fast_wins) = fast_playouts(n_fast, 1);
    let halves: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|t| scope.spawn(move || slow_playouts(n / 2, 100 + t))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (slow_moves, slow_wins) = halves.into_iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    let mean = |sum: usize, n: usize| sum as f64 / n as f64;
    let (slow_length, fast_length) = (mean(slow_moves, n), mean(fast_moves, n_fast));
    let (slow_rate, fast_rate) = (mean(slow_wins, n), mean(fast_wins, n_fast));
    println!(
        "length {fast_length:.3} (model {slow_length:.3}), Black wins {fast_rate:.4} (model {slow_rate:.4}), {n} playouts of the model"
    );
    assert!((110.0..112.5).contains(&fast_length), "{fast_length}");
    // Standard errors: the length of one playout varies by about 12 moves, a win by one half.
    let sigma = (1.0 / n as f64 + 1.0 / n_fast as f64).sqrt();
    assert!((slow_length - fast_length).abs() < 4.0 * 12.0 * sigma, "{slow_length} against {fast_length}");
    assert!(
        (slow_rate - fast_rate).abs() < (4.0 * 0.5 * sigma).max(0.005),
        "{slow_rate} against {fast_rate}"
    );
}
