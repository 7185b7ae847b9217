//! Every operation of every instruction set this processor has, against plain code.

use super::*;

/// Runs every operation on each block of sixteen numbers.
struct Everything<'a> {
    a: &'a [f32],
    b: &'a [f32],
    pairs: &'a [i16],
}

impl Kernel for Everything<'_> {
    type Out = (Vec<u32>, Vec<i16>);

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Out {
        let (mut bits, mut rounded) = (Vec::new(), vec![0i16; self.a.len()]);
        for n in (0..self.a.len()).step_by(L::N) {
            let (a, b) = (l.load(&self.a[n..]), l.load(&self.b[n..]));
            // SAFETY: the slices hold two numbers for each of `a`, and `rounded` one.
            let (dot, ()) = unsafe {
                let (x, y) = (l.load_pairs(self.pairs[2 * n..].as_ptr()), l.splat_pair(self.pairs.as_ptr()));
                (l.dot(l.dot(l.zero_i32(), x, y), x, x), l.round_at(rounded[n..].as_mut_ptr(), a))
            };
            let power = l.add(l.splat(3.0), l.splat(12_582_912.0));
            let results = [
                l.add(a, b),
                l.sub(a, b),
                l.mul(a, b),
                l.div(a, b),
                l.max(a, b),
                l.min(a, b),
                l.scale_by_power(b, power),
                l.to_f32(dot),
                l.where_positive(a, b),
            ];
            let mut row = vec![0.0; 9 * L::N];
            for (to, result) in row.chunks_mut(L::N).zip(results) {
                l.store(to, result);
            }
            bits.extend(
                (0..L::N).flat_map(|lane| (0..9).map(move |op| op * L::N + lane)).map(|n| row[n].to_bits()),
            );
        }
        (bits, rounded)
    }
}

#[test]
fn every_instruction_set_gives_the_bits_of_plain_code() {
    let mut rng = goban::Rng::new(1);
    let mut draw = |spread: f32| (2.0 * rng.unit() - 1.0) * spread;
    let mut a: Vec<f32> = (0..240).map(|n| draw([1.0, 300.0, 40_000.0][n % 3])).collect();
    a.extend([
        0.5, 1.5, 2.5, -0.5, -1.5, 32_767.4, 32_767.6, -32_768.6, 1e9, -1e9, 1e12, -1e12, 0.0, -0.0, 3.0, 7.0,
    ]);
    let b: Vec<f32> = a.iter().map(|_| draw(2.0)).collect();
    let pairs: Vec<i16> = (0..2 * a.len()).map(|_| draw(9000.0) as i16).collect();
    let run = |isa: Isa| isa.run(Everything { a: &a, b: &b, pairs: &pairs });
    let right = run(Isa::SCALAR);
    assert_eq!(right.1[240..248], [0, 2, 2, 0, -2, 32_767, 32_767, -32_768]);
    assert_eq!(f32::from_bits(right.0[6]), 8.0 * b[0]);
    for isa in Isa::all() {
        assert_eq!(run(isa), right, "{}", isa.name());
    }
}

#[test]
fn grids_and_fused_products() {
    struct Grid<'a>(&'a [f32]);
    impl Kernel for Grid<'_> {
        type Out = Vec<f32>;

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Vec<f32> {
            let grid = l.load_grid::<2, 3>(self.0, 1, [40, 5]);
            let mut out = [0.0; BLOCK];
            let mut firsts = Vec::new();
            for vector in grid.into_iter().flatten() {
                l.store(&mut out, l.fused(vector, l.splat(2.0), l.splat(1.0)));
                firsts.push(out[0]);
            }
            firsts
        }
    }
    let from: Vec<f32> = (0..80u8).map(f32::from).collect();
    for isa in Isa::all() {
        assert_eq!(isa.run(Grid(&from)), [3.0, 13.0, 23.0, 83.0, 93.0, 103.0], "{}", isa.name());
    }
}
