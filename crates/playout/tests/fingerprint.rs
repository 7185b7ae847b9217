//! The moves of many playouts, in one number: whoever makes `tengen` faster must leave it as it is, whoever makes it play
//! otherwise replaces it and says so.

use goban::{Board, Color, Full, Rng, Size, SizeClass, Upto9, Upto13, Upto19};
use playout::policy::tengen::{Tengen, TengenPolicy};
use playout::{Playout, PlayoutRunner, Start};

/// FNV-1a over the moves of `n` playouts from the empty board, and what the generator gives after them.
fn fingerprint<C: SizeClass>(side: usize, n: usize, params: &Tengen) -> u64 {
    let size = Size::square(side).unwrap();
    let board = Board::<C, Full>::new(size);
    let mut playout = Playout::<C, _>::new(size, TengenPolicy::new(params, size, C::POINTS));
    let mut rng = Rng::new(7);
    let mut moves = Vec::new();
    for _ in 0..n {
        let before = moves.len();
        let ending = playout.run(&Start::new(&board, Color::Black), &mut rng, &mut moves);
        playout.learn(Color::Black, &moves[before..], if ending.margin() > 7 { 1.0 } else { 0.0 });
    }
    let indices = moves.iter().map(|mv| mv.point().map_or(u64::MAX, |point| point.idx() as u64));
    indices
        .chain([rng.next_u64()])
        .fold(0xcbf2_9ce4_8422_2325, |hash, n| (hash ^ n).wrapping_mul(0x0000_0100_0000_01b3))
}

#[test]
fn default_parameters() {
    let params = Tengen::default();
    let found = [
        fingerprint::<Upto9>(9, 300, &params),
        fingerprint::<Upto13>(13, 120, &params),
        fingerprint::<Upto19>(19, 60, &params),
    ];
    assert_eq!(
        found,
        [0x0a31_e475_ba72_c0db, 0x6e95_48f7_8054_695d, 0x1f75_6fa7_48a3_d575],
        "{found:#018x?}"
    );
}

#[test]
fn rarer_rules() {
    let params = Tengen {
        race: 1.0,
        capture: 0.5,
        replies: 2,
        patterns: 0.5,
        patterns_before: 0.5,
        mercy: 0.5,
        ..Tengen::default()
    };
    let found = [fingerprint::<Upto9>(9, 200, &params), fingerprint::<Upto9>(7, 200, &params)];
    assert_eq!(found, [0xb76e_fec6_3519_c0ea, 0x8586_a8c9_ce96_6600], "{found:#018x?}");
}
