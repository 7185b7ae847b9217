//! The incomplete gamma function, from which the normal and the χ² distribution follow.
//!
//! Press, Teukolsky, Vetterling & Flannery, "Numerical Recipes", 6.2: a series where it converges fast, and a continued
//! fraction elsewhere. Γ by Lanczos' sum with the coefficients that Godfrey computed for g = 607/128.

/// Terms after which a sum counts as exact; at the arguments of statistics some dozens are needed.
const MAX_TERMS: u32 = 10_000;

/// P(a, x) = ∫₀ˣ tᵃ⁻¹ e⁻ᵗ dt / Γ(a), between 0 and 1; a > 0 and x ≥ 0.
pub fn lower_share(a: f64, x: f64) -> f64 {
    if x < a + 1.0 { series(a, x) } else { 1.0 - fraction(a, x) }
}

/// Q(a, x) = 1 − P(a, x), exact where it is small, too.
pub fn upper_share(a: f64, x: f64) -> f64 {
    if x < a + 1.0 { 1.0 - series(a, x) } else { fraction(a, x) }
}

/// P by its series, xᵃ e⁻ˣ Σ xⁿ / (a (a+1) … (a+n)) / Γ(a).
fn series(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..MAX_TERMS {
        term *= x / (a + f64::from(n));
        sum += term;
        if term < sum * f64::EPSILON / 4.0 {
            break;
        }
    }
    sum * front(a, x)
}

/// Q by its continued fraction, after Lentz.
fn fraction(a: f64, x: f64) -> f64 {
    if x == f64::INFINITY {
        return 0.0;
    }
    let mut b = x + 1.0 - a;
    let mut c = f64::INFINITY;
    let mut d = 1.0 / b;
    let mut product = d;
    for n in 1..MAX_TERMS {
        let n = f64::from(n);
        let numerator = -n * (n - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        product *= d * c;
        if (d * c - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    product * front(a, x)
}

/// xᵃ e⁻ˣ / Γ(a).
fn front(a: f64, x: f64) -> f64 {
    (a * x.ln() - x - ln_gamma(a)).exp()
}

/// ln Γ(a) for a > 0.
fn ln_gamma(a: f64) -> f64 {
    const G: f64 = 607.0 / 128.0;
    const SUM: [f64; 15] = [
        0.999_999_999_999_997_1,
        57.156_235_665_862_92,
        -59.597_960_355_475_49,
        14.136_097_974_741_746,
        -0.491_913_816_097_620_2,
        0.339_946_499_848_118_9e-4,
        0.465_236_289_270_485_8e-4,
        -0.983_744_753_048_795_6e-4,
        0.158_088_703_224_912_5e-3,
        -0.210_264_441_724_104_9e-3,
        0.217_439_618_115_212_6e-3,
        -0.164_318_106_536_763_9e-3,
        0.844_182_239_838_527_4e-4,
        -0.261_908_384_015_814_1e-4,
        0.368_991_826_595_316_2e-5,
    ];
    let sum: f64 = SUM[0] + SUM[1..].iter().zip(1..).map(|(c, n)| c / (a + f64::from(n))).sum::<f64>();
    let base = a + G + 0.5;
    (a + 0.5) * base.ln() - base + ((2.0 * std::f64::consts::PI).sqrt() * sum / a).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-13 * b.abs()
    }

    #[test]
    fn gamma_of_whole_and_half_numbers() {
        let mut factorial = 1.0_f64;
        for n in 1..=20 {
            assert!((ln_gamma(f64::from(n)) - factorial.ln()).abs() < 1e-13 * factorial.ln().max(1.0), "{n}");
            factorial *= f64::from(n);
        }
        assert!(is_near(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln()));
    }

    /// P(1, x) = 1 − e⁻ˣ and P(2, x) = 1 − (1 + x) e⁻ˣ.
    #[test]
    fn shares_of_whole_numbers_are_elementary() {
        for x in [1e-3_f64, 0.1, 0.5, 1.0, 1.9, 2.1, 2.9, 3.1, 7.0, 30.0, 200.0] {
            assert!(is_near(upper_share(1.0, x), (-x).exp()), "{x}");
            assert!(is_near(upper_share(2.0, x), (1.0 + x) * (-x).exp()), "{x}");
            assert!(is_near(lower_share(1.0, x), -(-x).exp_m1()), "{x}");
        }
        for a in [0.5, 1.0, 40.0] {
            assert_eq!((lower_share(a, 0.0), upper_share(a, 0.0)), (0.0, 1.0));
            assert_eq!((lower_share(a, f64::INFINITY), upper_share(a, f64::INFINITY)), (1.0, 0.0));
        }
    }
}
