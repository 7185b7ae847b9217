//! The processor's peak: fused multiply-adds in f32 that wait for nothing, the measure of what an engine gets out of it.

use super::simd::{BLOCK, Isa, Kernel, Lanes};

/// Sums that do not wait for each other: enough for two units of four cycles' latency, with room to spare.
const N_SUMS: usize = 12;

/// Runs `rounds` rounds of multiply-adds; gives their number.
pub fn multiply_adds(isa: Isa, rounds: u32) -> u64 {
    let result = isa.run(Peak { rounds, x: std::hint::black_box(0.5) });
    std::hint::black_box(result);
    let lanes = isa.run(Width);
    u64::from(rounds) * (N_SUMS * lanes) as u64
}

struct Width;

impl Kernel for Width {
    type Out = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, _l: L) -> usize {
        L::N
    }
}

struct Peak {
    rounds: u32,
    x: f32,
}

impl Kernel for Peak {
    type Out = f32;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f32 {
        let x = l.splat(self.x);
        let mut sums = [l.splat(0.0); N_SUMS];
        for _ in 0..self.rounds {
            for sum in &mut sums {
                *sum = l.fused(*sum, x, x);
            }
        }
        let mut out = [0.0; BLOCK];
        let mut total = 0.0;
        for sum in sums {
            l.store(&mut out, sum);
            total += out[0];
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_every_lane() {
        assert_eq!(multiply_adds(Isa::SCALAR, 10), 120);
        assert!(Isa::all().into_iter().all(|isa| multiply_adds(isa, 10).is_multiple_of(120)));
    }
}
