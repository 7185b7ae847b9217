//! Soft progressive pruning: an arm is left out while it is statistically inferior to another, μ₁ + r_d·σ₁ < μ₂ − r_d·σ₂;
//! every `period` visits of the node the arms left out are examined again and come back if they no longer are. [Bouzy, as
//! told by Hsu 2018; the rule in full stands in `pruning.rs`]
//!
//! An arm left out learns nothing more, but those it lost to do: when they come down, it comes back. The sources give no
//! period; 1000 visits are ten times the minimum of one arm.

use super::Widener;
use super::pruning::{Pruning, PruningRule};
use crate::blueprint::Blueprint;

recipe::params! {
    /// All arms but those that are statistically inferior to another for now.
    pub struct PruningSoft as "pruning-soft" {
        rd: f32 = 1.0, 0.0..=100.0, "r_d: standard errors between a mean and either end of its interval";
        sigma_e: f32 = 0.2, 1e-6..=1000.0, "σ_e: arms of a larger standard error are not called equal; in points or win rate";
        min_visits: u32 = 100, 2..=1_000_000_000, "simulations of an arm before it is compared";
        period: u32 = 1000, 1..=1_000_000_000, "visits of a node between two examinations of the arms left out";
        slide: bool = false, "whether arms of a larger standard error are not called inferior either, as the slide prints it";
        stop: bool = false, "whether the search may end when one arm is left or all left are equal";
        per_arm: u32 = 10_000, 1..=1_000_000_000, "with stop: simulations per arm of the root after which the search ends";
    }
}

/// Builds the widener.
pub fn build(params: &PruningSoft, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Widener>, recipe::Error> {
    let PruningSoft { rd, sigma_e, min_visits, slide, period, stop, per_arm } = *params;
    let rule = PruningRule { rd, sigma_e, min_visits, slide, period: Some(period), stop, per_arm };
    Ok(Box::new(Pruning::new(rule, &mut blueprint.layout)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::layout::Gives;
    use crate::widen::tests::WidenedRoot;

    #[test]
    fn an_arm_comes_back_at_the_next_examination() {
        let params =
            PruningSoft { sigma_e: 100.0, min_visits: 2, slide: true, period: 20, ..PruningSoft::default() };
        let stage = WidenedRoot::new(|blueprint| build(&params, blueprint), Gives::default(), 3);
        // −1 and 1: mean 0, s² = 2, σ = 1. 9 and 11: mean 10, σ = 1. Arm 0 is cut at the fourth simulation: 1 < 9.
        for (arm, reward) in [(0, -1.0), (0, 1.0), (1, 9.0)] {
            stage.observe(arm, reward, 1);
            assert_eq!(stage.mask(), "###");
        }
        stage.observe(1, 11.0, 1);
        assert_eq!(stage.mask(), ".##");
        // Arm 1 loses 50 points 15 times, far below arm 0; the 19th simulation is the last before the examination.
        stage.observe(1, -50.0, 15);
        assert_eq!(stage.mask(), ".##");
        // The 20th brings arm 0 back. Arm 1: Σz = −780, Σz² = 40202 over 18, mean −43.3, σ = 4.65: it is cut in its turn,
        // but only when arms are next compared.
        stage.observe(1, -50.0, 1);
        assert_eq!(stage.mask(), "###");
        stage.observe(0, 0.0, 1);
        assert_eq!(stage.mask(), "#.#");
        // A single simulation that stands for a whole period examines too; arm 1 stays inferior.
        stage.observe(2, 0.0, 20);
        assert_eq!(stage.mask(), "#.#");
    }
}
