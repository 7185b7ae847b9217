//! The numbers of the model stay the same, bit for bit, whatever is done to make them cheaper.

mod positions;

use goban::{Size, SizeClass, Upto9, Upto13, Upto19, Upto25};
use model::Wanted;
use model::tactics::Tactics;

/// FNV-1a over 32 bits at a time.
fn mix(hash: u64, number: u32) -> u64 {
    (hash ^ u64::from(number)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// γ of all moves of all positions of some games, and all features, as one number.
fn fingerprint<C: SizeClass>(size: Size, n_moves: usize) -> u64 {
    let wanted = Wanted { ladder: true, semeai: true, n_cfg_distances: 2 };
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for seed in 1..=3 {
        for position in positions::game::<C>(size, n_moves, seed) {
            let view = position.view();
            let mut moves = Vec::new();
            view.moves(&mut moves);
            let mut gammas = vec![0.0; moves.len()];
            Tactics::of(size).fill_gammas(&view, wanted, &moves, &mut gammas, |_, found| {
                let flags =
                    [found.is_pass, found.is_caught, found.is_self_atari, found.is_pattern, found.is_fight];
                let bits = flags.iter().fold(0, |bits, &flag| 2 * bits + u32::from(flag));
                hash = mix(hash, 4 * bits + 2 * u32::from(found.is_semeai) + u32::from(found.is_lonely));
                hash = mix(
                    hash,
                    u32::from_le_bytes([
                        found.lines[0],
                        found.lines[1],
                        found.distance[0],
                        found.distance[1],
                    ]),
                );
                hash = mix(hash, u32::from(found.cfg_distance[0]) << 16 | u32::from(found.cfg_distance[1]));
                for pair in
                    [[found.n_captured, found.n_saved], [found.n_laddered, found.n_atari], [found.shape, 0]]
                {
                    hash = mix(hash, u32::from(pair[0]) << 16 | u32::from(pair[1]));
                }
            });
            hash = gammas.iter().fold(hash, |hash, gamma| mix(hash, gamma.to_bits()));
        }
    }
    hash
}

#[test]
fn the_model_says_what_it_always_said() {
    let square = |side| Size::square(side).unwrap();
    let found = [
        fingerprint::<Upto9>(square(9), 70),
        fingerprint::<Upto9>(Size::new(5, 9).unwrap(), 40),
        fingerprint::<Upto13>(square(13), 120),
        fingerprint::<Upto19>(square(19), 200),
        fingerprint::<Upto25>(square(25), 60),
    ];
    let right = [
        12_548_420_083_498_135_618,
        1_955_358_188_148_109_723,
        7_314_409_483_897_423_031,
        17_388_260_852_134_552_543,
        15_633_587_982_580_043_470,
    ];
    assert_eq!(found, right);
}
