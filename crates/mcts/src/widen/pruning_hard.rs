//! Hard progressive pruning: an arm that is once statistically inferior to another, μ₁ + r_d·σ₁ < μ₂ − r_d·σ₂, is never
//! searched again. [Bouzy, as told by Hsu 2018; the rule in full stands in `pruning.rs`]

use super::Widener;
use super::pruning::{Pruning, PruningRule};
use crate::blueprint::Blueprint;

recipe::params! {
    /// All arms but those that were once statistically inferior to another.
    pub struct PruningHard as "pruning-hard" {
        rd: f32 = 1.0, 0.0..=100.0, "r_d: standard errors between a mean and either end of its interval";
        sigma_e: f32 = 0.2, 1e-6..=1000.0, "σ_e: arms of a larger standard error are not called equal; in points or win rate";
        min_visits: u32 = 100, 2..=1_000_000_000, "simulations of an arm before it is compared";
        slide: bool = false, "whether arms of a larger standard error are not called inferior either, as the slide prints it";
        stop: bool = false, "whether the search may end when one arm is left or all left are equal";
        per_arm: u32 = 10_000, 1..=1_000_000_000, "with stop: simulations per arm of the root after which the search ends";
    }
}

/// Builds the widener.
pub fn build(params: &PruningHard, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Widener>, recipe::Error> {
    let PruningHard { rd, sigma_e, min_visits, slide, stop, per_arm } = *params;
    let rule = PruningRule { rd, sigma_e, min_visits, slide, period: None, stop, per_arm };
    Ok(Box::new(Pruning::new(rule, &mut blueprint.layout)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::layout::Gives;
    use crate::widen::tests::WidenedRoot;

    /// In points, with intervals of two standard errors, after four simulations.
    fn stage(stop: bool, n_arms: u16) -> WidenedRoot {
        let params = PruningHard { rd: 2.0, sigma_e: 3.0, min_visits: 4, stop, ..PruningHard::default() };
        WidenedRoot::new(|blueprint| build(&params, blueprint), Gives::default(), n_arms)
    }

    /// `mean` ± 1 point, `n_pairs` times: s² = n/(n−1), σ = 1/√(n−1).
    fn pairs(stage: &WidenedRoot, arm: u16, mean: f32, n_pairs: usize) {
        for _ in 0..n_pairs {
            stage.observe(arm, mean - 1.0, 1);
            stage.observe(arm, mean + 1.0, 1);
        }
    }

    #[test]
    fn worked_by_hand() {
        let stage = stage(false, 3);
        // Four simulations each: σ = 1/√3 = 0.577, intervals of ±1.155. Arm 0 at 0, arm 1 at 2.2: 1.155 > 1.045, both stay.
        pairs(&stage, 0, 0.0, 2);
        pairs(&stage, 1, 2.2, 2);
        assert_eq!(stage.mask(), "###");
        // One more pair for arm 1: σ = 1/√5 = 0.447, low = 2.2 − 0.894 = 1.306 > 1.155. Arm 0 is cut, arm 2 is untried.
        pairs(&stage, 1, 2.2, 1);
        assert_eq!(stage.mask(), ".##");
        // Arm 1 falls far below what arm 0 was: hard is hard.
        pairs(&stage, 1, -50.0, 40);
        assert_eq!(stage.mask(), ".##");
        assert!(!stage.is_settled(), "nobody asked for it");
    }

    #[test]
    fn wide_errors_are_inferior_but_not_equal() {
        // −10, −10, 10, 10 twice and so much more: σ = 2.67 and, with four times as many, 1.25. σ_e = 1 is below both.
        let try_at = |slide: bool, means: [f32; 2]| {
            let params = PruningHard {
                rd: 1.0,
                sigma_e: 1.0,
                min_visits: 4,
                slide,
                stop: true,
                ..PruningHard::default()
            };
            let stage = WidenedRoot::new(|blueprint| build(&params, blueprint), Gives::default(), 2);
            for (arm, mean) in (0..).zip(means) {
                for _ in 0..8 {
                    stage.observe(arm, mean - 10.0, 1);
                    stage.observe(arm, mean + 10.0, 1);
                }
            }
            (stage.mask(), stage.is_settled())
        };
        // 40 points apart: inferior, whatever σ_e is; as the slide prints it nothing is ever compared.
        assert_eq!(try_at(false, [0.0, 40.0]), (".#".to_string(), true));
        assert_eq!(try_at(true, [0.0, 40.0]), ("##".to_string(), false));
        // One point apart: neither inferior nor, with such errors, equal.
        assert_eq!(try_at(false, [0.0, 1.0]), ("##".to_string(), false));
    }

    #[test]
    fn too_few_or_as_the_slide_prints_it_too_wide_is_not_compared() {
        let params =
            PruningHard { rd: 2.0, sigma_e: 3.0, min_visits: 4, slide: true, ..PruningHard::default() };
        let stage = WidenedRoot::new(|blueprint| build(&params, blueprint), Gives::default(), 2);
        stage.observe(0, -361.0, 3);
        stage.observe(1, 361.0, 3);
        assert_eq!(stage.mask(), "##", "three simulations of four");
        stage.observe(1, 361.0, 10_000_000);
        assert_eq!(stage.mask(), "##", "only one has enough");
        // −361, −361, −361, 361: σ = 180 is not below 3.
        stage.observe(0, 361.0, 1);
        assert_eq!(stage.mask(), "##");
        // A mean of −361 without end.
        stage.observe(0, -361.0, 10_000_000);
        assert_eq!(stage.mask(), ".#");
    }

    #[test]
    fn settled_when_one_is_left_or_all_are_equal_or_enough_is_enough() {
        let alone = stage(true, 1);
        assert!(alone.is_settled(), "there is no choice");
        let one_left = stage(true, 2);
        pairs(&one_left, 0, 0.0, 10);
        assert!(!one_left.is_settled(), "the other was not tried");
        pairs(&one_left, 1, 10.0, 10);
        assert_eq!((one_left.mask().as_str(), one_left.is_settled()), (".#", true));
        // 0 ± 0.459 and 0.5 ± 0.459 overlap; 0 ± 0.459 and 5 do not, but the third is cut.
        let equal = stage(true, 3);
        pairs(&equal, 0, 5.0, 10);
        pairs(&equal, 1, 0.0, 10);
        pairs(&equal, 2, 5.5, 10);
        assert_eq!((equal.mask().as_str(), equal.is_settled()), ("#.#", true));
        // Arm 1 never gets its minimum: only the last condition helps.
        let enough = stage(true, 2);
        enough.observe(0, 0.0, 19_999);
        assert!(!enough.is_settled());
        enough.observe(0, 0.0, 1);
        assert!(enough.is_settled());
    }
}
