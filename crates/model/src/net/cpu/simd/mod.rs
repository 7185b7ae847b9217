//! Vectors of numbers for each instruction set behind one trait, and the choice among them at run time.
//!
//! A kernel is written once, generic over [`Lanes`], and [`Isa::run`] compiles it for each instruction set. A value of a
//! type that implements [`Lanes`] is made only where the processor has the instructions, so its methods are safe to call.
//! Everything but [`Lanes::fused`] rounds as IEEE 754 says after every operation: a kernel without it gives the same bits on
//! every instruction set. Kernels and whatever they call per vector are `#[inline(always)]`, or they would be compiled without the
//! instructions they were written for.
//!
//! In reading order: this file · [`scalar`] the smallest example · `avx2`, `avx512`, `neon` · [`buffer`] aligned memory.

#![allow(
    unsafe_code,
    reason = "vector instructions and loads through pointers; every block says why it is sound"
)]

pub mod buffer;
pub mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

pub use buffer::Buffer;

/// The number of channels that every layout is padded to a multiple of: the lanes of the widest vector.
pub const BLOCK: usize = 16;

/// The vectors of one instruction set: `N` numbers of 32 bits each, or `N` pairs of 16 bits.
pub trait Lanes: Copy + Send + Sync + 'static {
    /// Lanes of a vector, a divisor of [`BLOCK`].
    const N: usize;
    /// The rows of the largest tile of a matrix product that registers can hold.
    const ROWS: usize;
    /// The vectors in each of these rows: whole blocks.
    const COLS: usize;
    /// `N` numbers of type f32.
    type F: Copy;
    /// `N` numbers of type i32.
    type I: Copy;
    /// `N` pairs of i16.
    type P: Copy;

    /// Runs a kernel, compiled for these instructions.
    fn compile<K: Kernel>(self, kernel: K) -> K::Out;

    /// The same number in every lane.
    fn splat(self, x: f32) -> Self::F;
    /// a + b.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// a − b.
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// a · b.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// a / b.
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// a where a > b, else b.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// a where a < b, else b.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// a · b + c, rounded once where the instruction set can: the only operation whose bits differ between sets.
    fn fused(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// b where a > 0, else 0.
    fn where_positive(self, a: Self::F, b: Self::F) -> Self::F;
    /// x · 2ᵏ, where the lowest eight bits of `shifted` hold k, and the result is a normal number.
    fn scale_by_power(self, x: Self::F, shifted: Self::F) -> Self::F;

    /// Zero in every lane.
    fn zero_i32(self) -> Self::I;
    /// `sum` + a₀·b₀ + a₁·b₁ for the pair of each lane.
    fn dot(self, sum: Self::I, a: Self::P, b: Self::P) -> Self::I;
    /// The nearest f32 of each lane.
    fn to_f32(self, x: Self::I) -> Self::F;

    /// Reads `N` numbers.
    ///
    /// # Safety
    /// All of them are readable.
    unsafe fn load_at(self, from: *const f32) -> Self::F;
    /// Writes `N` numbers.
    ///
    /// # Safety
    /// All of them are writable.
    unsafe fn store_at(self, to: *mut f32, x: Self::F);
    /// Writes `N` numbers, each rounded to the nearest whole one (ties to even) and held at the limits of i16.
    ///
    /// # Safety
    /// All of them are writable.
    unsafe fn round_at(self, to: *mut i16, x: Self::F);
    /// Reads `N` pairs.
    ///
    /// # Safety
    /// All of them are readable.
    unsafe fn load_pairs(self, from: *const i16) -> Self::P;
    /// Reads one pair into every lane.
    ///
    /// # Safety
    /// Both numbers are readable.
    unsafe fn splat_pair(self, from: *const i16) -> Self::P;
    /// Asks for the memory at an address, which may be anything, since it will be read soon.
    #[inline(always)]
    fn prefetch(self, _at: *const u8) {}

    /// The first `N` numbers of a slice.
    #[inline(always)]
    fn load(self, from: &[f32]) -> Self::F {
        assert!(from.len() >= Self::N);
        // SAFETY: the slice is long enough.
        unsafe { self.load_at(from.as_ptr()) }
    }

    /// Writes the first `N` numbers of a slice.
    #[inline(always)]
    fn store(self, to: &mut [f32], x: Self::F) {
        assert!(to.len() >= Self::N);
        // SAFETY: the slice is long enough.
        unsafe { self.store_at(to.as_mut_ptr(), x) }
    }

    /// `R` × `C` vectors from a slice, the first at index `at`, rows and columns the given strides apart.
    #[inline(always)]
    fn load_grid<const R: usize, const C: usize>(
        self,
        from: &[f32],
        at: usize,
        strides: [usize; 2],
    ) -> [[Self::F; C]; R] {
        assert!(at + (R - 1) * strides[0] + (C - 1) * strides[1] + Self::N <= from.len());
        let mut grid = [[self.splat(0.0); C]; R];
        for (r, row) in grid.iter_mut().enumerate() {
            for (c, vector) in row.iter_mut().enumerate() {
                // SAFETY: the last vector ends within the slice, and the others lie before it.
                *vector = unsafe { self.load_at(from.as_ptr().add(at + r * strides[0] + c * strides[1])) };
            }
        }
        grid
    }
}

/// A computation that is written once for all instruction sets.
pub trait Kernel {
    /// What it gives.
    type Out;
    /// Computes with the vectors of one instruction set. Implementations are `#[inline(always)]`.
    fn run<L: Lanes>(self, lanes: L) -> Self::Out;
}

/// An instruction set that this processor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Isa(Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Isa {
    /// Plain code for any processor.
    pub const SCALAR: Isa = Isa(Set::Scalar);

    /// All that this processor has, the fastest last.
    pub fn all() -> Vec<Isa> {
        let mut all = vec![Isa::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(avx2::Avx2::detect().map(|_| Isa(Set::Avx2)));
            all.extend(avx512::Avx512::<false>::detect().map(|_| Isa(Set::Avx512)));
            all.extend(avx512::Avx512::<true>::detect().map(|_| Isa(Set::Avx512Vnni)));
        }
        #[cfg(target_arch = "aarch64")]
        all.extend(neon::Neon::detect().map(|_| Isa(Set::Neon)));
        all
    }

    /// The fastest that this processor has.
    pub fn best() -> Isa {
        Isa::all().pop().unwrap_or(Isa::SCALAR)
    }

    /// The name, such as `avx2`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni => "avx512-vnni",
            #[cfg(target_arch = "aarch64")]
            Set::Neon => "neon",
        }
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY of all arms: a value of `Isa` other than `SCALAR` comes from `all`, which found the instructions.
        match self.0 {
            Set::Scalar => scalar::Scalar.compile(kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2::Avx2::assume() }.compile(kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512::Avx512::<false>::assume() }.compile(kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni => unsafe { avx512::Avx512::<true>::assume() }.compile(kernel),
            #[cfg(target_arch = "aarch64")]
            Set::Neon => unsafe { neon::Neon::assume() }.compile(kernel),
        }
    }
}

#[cfg(test)]
mod tests;
