//! A clear message instead of an illegal instruction on an old processor.

/// Refuses a processor without the instructions that this program was built for.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) fn check() -> Result<(), String> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // `is_x86_feature_detected!` is of no use here: what the build takes for granted it answers without looking.
    let has_leaf_7 = __cpuid(0).eax >= 7;
    let basic = __cpuid(1).ecx;
    let extended = if has_leaf_7 { __cpuid_count(7, 0).ebx } else { 0 };
    let has_extended_amd = __cpuid(0x8000_0000).eax >= 0x8000_0001;
    let amd = if has_extended_amd { __cpuid(0x8000_0001).ecx } else { 0 };
    let features = [
        ("FMA", basic >> 12 & 1),
        ("MOVBE", basic >> 22 & 1),
        ("POPCNT", basic >> 23 & 1),
        ("AVX", basic >> 28 & 1),
        ("F16C", basic >> 29 & 1),
        ("BMI1", extended >> 3 & 1),
        ("AVX2", extended >> 5 & 1),
        ("BMI2", extended >> 8 & 1),
        ("LZCNT", amd >> 5 & 1),
    ];
    let missing: Vec<&str> = features.iter().filter(|(_, bit)| *bit == 0).map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "this build needs an x86-64-v3 processor (most since 2013); yours lacks {}. Build it for your machine with: \
         RUSTFLAGS=\"-C target-cpu=native\" cargo run --release",
        missing.join(", ")
    ))
}

/// Other builds take nothing for granted.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) fn check() -> Result<(), String> {
    Ok(())
}
