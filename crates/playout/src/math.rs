//! Elementary functions that give the same bits on every machine. Only additions, multiplications, divisions and
//! `sqrt`, which IEEE 754 defines exactly; no fused operations and no platform library. Without branches, so that loops
//! vectorise. The search has further ones, in `mcts::math`.

/// ln 2 but for [`LN2_LOW`], with so few digits that its product with an exponent is exact.
pub const LN2_HIGH: f32 = 0.693_145_75;
/// The rest.
pub const LN2_LOW: f32 = 1.428_606_8e-6;

/// The exponential function, to about one unit in the last place; outside −87..=87 it stays at its value there, so that
/// the result is always a positive, normal number.
///
/// eˣ = 2ᵏ·eʳ with k = x/ln 2 rounded, |r| ≤ ½·ln 2, and eʳ as a polynomial. Adding 1.5·2²³ rounds to a whole number and
/// leaves it in the lowest bits, from where it is shifted into the exponent.
#[inline]
pub fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    let x = at_least(at_most(x, 87.0), -87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * LN2_HIGH) - k * LN2_LOW;
    let tail = 0.166_665_77 + r * (0.041_666_556 + r * (0.008_363_173 + r * 0.001_392_617_6));
    let series = 1.0 + (r + r * r * (0.5 + r * tail));
    f32::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// As many equally likely values as asked for, in order, that together have the distribution of a standard normal variable: mean 0
/// and variance 1, and each the value that stands in the middle of its share.
pub fn normal_quantiles(n: usize) -> Vec<f32> {
    const STEP: f64 = 1.0 / 2048.0;
    const END: f64 = 5.0;
    let n_steps = (2.0 * END / STEP) as usize;
    let middle = |step: usize| -END + (step as f64 + 0.5) * STEP;
    let density = |x: f64| f64::from(exp((-0.5 * x * x) as f32));
    let total: f64 = (0..n_steps).map(|step| density(middle(step))).sum();
    let (mut step, mut below) = (0, 0.0);
    let mut quantile = |idx: usize| {
        let share = (idx as f64 + 0.5) / n as f64 * total;
        while step + 1 < n_steps && below + density(middle(step)) < share {
            below += density(middle(step));
            step += 1;
        }
        middle(step) + ((share - below) / density(middle(step)) - 0.5) * STEP
    };
    let values: Vec<f64> = (0..n).map(&mut quantile).collect();
    let deviation = (values.iter().map(|x| x * x).sum::<f64>() / n as f64).sqrt();
    values.iter().map(|x| (x / deviation) as f32).collect()
}

/// The smaller of two numbers, neither NaN; one instruction in a vectorised loop.
#[inline]
pub fn at_most(x: f32, bound: f32) -> f32 {
    if x < bound { x } else { bound }
}

/// The larger of two numbers, neither NaN; one instruction in a vectorised loop.
#[inline]
pub fn at_least(x: f32, bound: f32) -> f32 {
    if x > bound { x } else { bound }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_agrees_with_the_library() {
        for step in -870_000..=870_000 {
            let x = step as f32 * 1e-4;
            let right = f64::from(x).exp();
            let error = (f64::from(exp(x)) - right).abs();
            assert!(error <= 1.3e-7 * right, "exp({x}) = {} instead of {right}", exp(x));
        }
        assert_eq!(exp(0.0), 1.0);
        // Outside the range it stays where it is.
        assert!([87.5, 1e30, f32::MAX, f32::INFINITY].iter().all(|&x| exp(x) == exp(87.0)));
        assert!([-87.5, -1e30, f32::MIN, f32::NEG_INFINITY].iter().all(|&x| exp(x) == exp(-87.0)));
        assert!(exp(-87.0).is_normal() && exp(87.0).is_normal());
    }

    #[test]
    fn quantiles_are_those_of_the_normal_distribution() {
        let values = normal_quantiles(2048);
        let mean = |power: i32| values.iter().map(|x| f64::from(*x).powi(power)).sum::<f64>() / 2048.0;
        assert!(mean(1).abs() < 1e-4 && (mean(2) - 1.0).abs() < 1e-6 && (mean(4) - 3.0).abs() < 0.05);
        // A sixth lies above 0.9674, a fortieth above 1.96.
        let n_above = |bound: f32| values.iter().filter(|&&x| x > bound).count();
        assert_eq!((n_above(0.0), n_above(1.959_96)), (1024, 51));
        assert!(n_above(0.967_42).abs_diff(341) <= 1 && values.is_sorted());
    }

    #[test]
    fn exp_has_fixed_bits() {
        // Worked out once; another machine must give the same.
        let bits: Vec<u32> = [1.0, -1.0, 10.0, -87.0, 0.3].iter().map(|&x| exp(x).to_bits()).collect();
        assert_eq!(bits, [0x402d_f854, 0x3ebc_5ab2, 0x46ac_14ee, 0x00b3_3687, 0x3fac_c82c]);
    }
}
