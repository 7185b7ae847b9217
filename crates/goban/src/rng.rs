//! The one source of randomness: wyrand, 64 bits of state, the same numbers on every machine.
//!
//! Its multiply-shift bounds made whole playouts a tenth cheaper than xoshiro256++. It is not for secrets.

/// A small, fast random number generator. Every search, playout and match passes one by `&mut`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose whole future is `seed`. Close seeds give unrelated sequences.
    pub const fn new(seed: u64) -> Self {
        Self(splitmix64(seed))
    }

    /// The next 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number below `n`, which must not be 0. The bias of the multiply-shift is below n / 2³².
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "nothing lies below 0");
        ((self.next_u64() >> 32).wrapping_mul(u64::from(n)) >> 32) as u32
    }

    /// A number in `0.0 .. 1.0` with 24 random bits.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
    }

    /// True with probability `p`; never for `p <= 0`, always for `p >= 1`.
    #[inline]
    pub fn chance(&mut self, p: f32) -> bool {
        self.unit() < p
    }

    /// A new generator independent of what this one still gives, for a thread or a game of its own.
    pub fn fork(&mut self) -> Self {
        Self::new(self.next_u64())
    }
}

/// One step of splitmix64: spreads neighbouring numbers over all 64 bits.
pub(crate) const fn splitmix64(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Standard deviation of each count is about 93.
        assert!(counts.iter().all(|&n| n.abs_diff(10_000) < 400), "{counts:?}");
    }

    #[test]
    fn same_seed_same_numbers() {
        let (mut a, mut b, mut c) = (Rng::new(7), Rng::new(7), Rng::new(8));
        let first: Vec<u64> = (0..10).map(|_| a.next_u64()).collect();
        assert_eq!(first, (0..10).map(|_| b.next_u64()).collect::<Vec<_>>());
        assert_ne!(first, (0..10).map(|_| c.next_u64()).collect::<Vec<_>>());
        assert_ne!(a.fork(), a);
    }

    #[test]
    fn unit_stays_below_one() {
        let mut rng = Rng::new(3);
        assert!((0..100_000).map(|_| rng.unit()).all(|x| (0.0..1.0).contains(&x)));
    }
}
