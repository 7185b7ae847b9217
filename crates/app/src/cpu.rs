//! A clear message instead of an illegal instruction on an old processor.
//!
//! Everything here is written so that it needs none of the instructions it asks for: the message is constant text,
//! since even moving a `String` may be compiled to AVX. Under an emulated old processor
//! (`qemu-x86_64 -cpu Nehalem target/release/tengen`) the message must appear.

/// The message on an older processor.
pub(crate) const MESSAGE: &str = "\
tengen: this build needs an x86-64-v3 processor (AVX2, BMI2, FMA and what comes with them; most since 2013 have it).
Build it for your machine with: RUSTFLAGS=\"-C target-cpu=native\" cargo run --release
";

/// True if the processor has the instructions that this program was built for.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) fn is_new_enough() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // `is_x86_feature_detected!` is of no use here: what the build takes for granted it answers without looking.
    let has_bits = |register: u32, bits: u32| register & bits == bits;
    // FMA, MOVBE, POPCNT, AVX, F16C.
    let basic = 1 << 12 | 1 << 22 | 1 << 23 | 1 << 28 | 1 << 29;
    // BMI1, AVX2, BMI2.
    let extended = 1 << 3 | 1 << 5 | 1 << 8;
    // LZCNT.
    let amd = 1 << 5;
    __cpuid(0).eax >= 7
        && __cpuid(0x8000_0000).eax >= 0x8000_0001
        && has_bits(__cpuid(1).ecx, basic)
        && has_bits(__cpuid_count(7, 0).ebx, extended)
        && has_bits(__cpuid(0x8000_0001).ecx, amd)
}

/// Other builds take nothing for granted.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) fn is_new_enough() -> bool {
    true
}
