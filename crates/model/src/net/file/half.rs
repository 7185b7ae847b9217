//! Half-precision floats (IEEE 754 binary16): a sign, five bits of exponent, ten of fraction.

/// The largest finite half-precision number.
pub const LARGEST: f32 = 65504.0;

/// The bits of the nearest half-precision number; of two that are equally near the even one. What lies beyond
/// [`LARGEST`] by half a step or more becomes infinite.
pub fn from_f32(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = ((bits >> 16) & 0x8000) as u16;
    let size = bits & 0x7fff_ffff;
    if size > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // 65520, half a step beyond the largest.
    if size >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    // Below 2⁻¹⁴ halves are multiples of 2⁻²⁴, which a sum with ½ rounds to: the last place of ½ in f32 is worth 2⁻²⁴.
    if size < 0x3880_0000 {
        let rounded = f32::from_bits(size) + 0.5;
        return sign | (rounded.to_bits() - 0.5f32.to_bits()) as u16;
    }
    // 13 bits of fraction are rounded off, and the bias of the exponent is 15 in place of 127.
    let odd = (size >> 13) & 1;
    sign | ((size + 0x0fff + odd - (112 << 23)) >> 13) as u16
}

/// The number that these bits mean, exactly.
pub fn to_f32(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let exponent = u32::from(half >> 10) & 31;
    let fraction = u32::from(half) & 0x3ff;
    let size = match exponent {
        // Multiples of 2⁻²⁴.
        0 => (fraction as f32 * (1.0 / 16_777_216.0)).to_bits(),
        31 => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_worked_by_hand() {
        for (x, bits) in [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.5, 0x3800),
            (65504.0, 0x7bff),
            (f32::INFINITY, 0x7c00),
            // The smallest normal number, 2⁻¹⁴, and the smallest of all, 2⁻²⁴.
            (6.103_515_6e-5, 0x0400),
            (5.960_464_5e-8, 0x0001),
            // The largest subnormal one, 1023 · 2⁻²⁴.
            (6.097_555e-5, 0x03ff),
            // 1 + 2⁻¹⁰, the next after 1.
            (1.000_976_6, 0x3c01),
        ] {
            assert_eq!(from_f32(x), bits, "{x}");
            assert_eq!(to_f32(bits).to_bits(), x.to_bits(), "{x}");
        }
        assert!(to_f32(from_f32(f32::NAN)).is_nan());
    }

    #[test]
    fn what_lies_between_goes_to_the_nearest_and_ties_to_even() {
        let step = 1.0 / 1024.0;
        for (x, bits) in [
            (1.0 + 0.49 * step, 0x3c00),
            (1.0 + 0.5 * step, 0x3c00),
            (1.0 + 0.51 * step, 0x3c01),
            (1.0 + 1.5 * step, 0x3c02),
            // The fraction is full: the next is 2.
            (1.999_9, 0x4000),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            // Half of the smallest goes to 0, and a little more to the smallest; one and a half of it to two.
            (2.980_232_2e-8, 0x0000),
            (3.0e-8, 0x0001),
            (8.940_697e-8, 0x0002),
            (1.0e-30, 0x0000),
        ] {
            assert_eq!(from_f32(x), bits, "{x}");
            assert_eq!(from_f32(-x), bits | 0x8000, "-{x}");
        }
    }

    #[test]
    fn every_half_comes_back() {
        for bits in 0..=u16::MAX {
            let x = to_f32(bits);
            if x.is_nan() {
                assert!(to_f32(from_f32(x)).is_nan());
            } else {
                assert_eq!(from_f32(x), bits, "{bits:04x}");
            }
        }
    }
}
