//! Random numbers of the optimisers: all from a passed [`Rng`].

use goban::Rng;

/// A number in 0 to 1, both excluded, with 53 random bits.
pub fn unit(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// A normal deviate of mean 0 and variance 1 (Box and Muller 1958).
pub fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * unit(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(rng)).cos()
}

/// The generator of a step: a function of the run's seed and the step's number alone, so that a step's proposal does not
/// depend on what was drawn for others.
pub fn of_step(seed: u64, step: u64) -> Rng {
    Rng::new(Rng::new(seed ^ 0x7475_6e65).next_u64().wrapping_add(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_deviates_are_normal() {
        let mut rng = Rng::new(3);
        let deviates: Vec<f64> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let n = deviates.len() as f64;
        let mean = deviates.iter().sum::<f64>() / n;
        let variance = deviates.iter().map(|x| x * x).sum::<f64>() / n;
        let beyond = deviates.iter().filter(|x| x.abs() > 1.959_964).count() as f64 / n;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03 && (beyond - 0.05).abs() < 0.005);
    }
}
