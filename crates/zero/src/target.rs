//! The policy target of a full search: a probability for each move.

use mcts::math::ln;
use mcts::report::Arm;
use mcts::search::pieces::SearchParams;
use mcts::select::gumbel::{self, Gumbel};
use mcts::{Action, Report};
use model::math::softmax;
use recipe::Recipe;

use crate::settings::Target;
use crate::{Error, Result};

/// Probabilities count as at least this much where their logarithm is taken.
const LEAST_P: f32 = 1e-30;
/// A smaller part of a target is left out: what nobody looks at takes room.
const LEAST_SHARE: f32 = 1e-4;

/// How the root of a search becomes probabilities.
#[derive(Debug, Clone, PartialEq)]
pub enum PolicyTarget {
    /// The shares of the visits.
    Visits,
    /// π′ = softmax(ln P(a) + σ(q(a))), σ as select=gumbel has it with these parameters.
    Improved(Gumbel),
}

impl PolicyTarget {
    /// The target of this kind for searches of this recipe.
    ///
    /// # Errors
    /// An improved policy for a recipe without select=gumbel, whose parameters it takes.
    pub fn new(target: Target, recipe: &Recipe) -> Result<Self> {
        let select = SearchParams::from(recipe.root()).select;
        match target {
            Target::Visits => Ok(Self::Visits),
            Target::Improved if select.is(&gumbel::VARIANT) => Ok(Self::Improved(Gumbel::from(&select))),
            Target::Improved => Err(Error::input(format!(
                "[play] target = \"improved\" goes with select=gumbel, and the recipe says select={}",
                select.name()
            ))),
        }
    }

    /// The probabilities of the root's arms, in the order of the report; they sum to 1 unless there are none.
    pub fn shares(&self, report: &Report) -> Vec<f32> {
        let arms = &report.arms;
        let n_visits: f32 = arms.iter().map(|arm| arm.visits as f32).sum();
        if n_visits == 0.0 {
            // Nothing was tried, so the network's own opinion stands.
            let p = |arm: &Arm| arm.p.unwrap_or(1.0);
            let sum: f32 = arms.iter().map(p).sum();
            return arms.iter().map(|arm| p(arm) / sum.max(LEAST_P)).collect();
        }
        match self {
            Self::Visits => arms.iter().map(|arm| arm.visits as f32 / n_visits).collect(),
            Self::Improved(gumbel) => improved(arms, gumbel),
        }
    }
}

/// The improved policy. An arm without visits is worth the mean of the others by P(a), as the selector has it at the root.
fn improved(arms: &[Arm], gumbel: &Gumbel) -> Vec<f32> {
    let p = |arm: &Arm| arm.p.unwrap_or(1.0).max(LEAST_P);
    let visited = || arms.iter().filter(|arm| arm.visits > 0);
    let p_visited: f32 = visited().map(p).sum();
    let mean = visited().map(|arm| p(arm) * arm.value).sum::<f32>() / p_visited.max(LEAST_P);
    let most = arms.iter().map(|arm| arm.visits).max().unwrap_or(0) as f32;
    let scale = (gumbel.c_visit + most) * gumbel.c_scale;
    let rate = |arm: &Arm| ln(p(arm)) + scale * if arm.visits > 0 { arm.value } else { mean };
    let mut shares: Vec<f32> = arms.iter().map(rate).collect();
    softmax(&mut shares);
    shares
}

/// The moves of a target with their shares, those left out that hardly have any.
pub fn sparse(report: &Report, shares: &[f32]) -> Vec<(Action, f32)> {
    let kept = || report.arms.iter().zip(shares).filter(|(_, share)| **share >= LEAST_SHARE);
    let sum: f32 = kept().map(|(_, share)| share).sum();
    kept().map(|(arm, share)| (arm.action, share / sum)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(arms: &[(u32, f32, f32)]) -> Report {
        let arm = |(idx, &(visits, value, p)): (usize, &(u32, f32, f32))| Arm {
            action: Action(idx as u16),
            visits,
            value,
            p: Some(p),
            ..Arm::default()
        };
        Report { arms: arms.iter().enumerate().map(arm).collect(), ..Report::default() }
    }

    fn assert_near(shares: &[f32], expected: &[f32]) {
        assert_eq!(shares.len(), expected.len());
        assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{shares:?} {expected:?}");
    }

    #[test]
    fn visits_and_improved_policies_worked_by_hand() {
        // Visits 6, 2, 0 of 8.
        let searched = report(&[(6, 0.6, 0.5), (2, 0.4, 0.3), (0, 0.5, 0.2)]);
        assert_near(&PolicyTarget::Visits.shares(&searched), &[0.75, 0.25, 0.0]);
        // The third is worth (0.5·0.6 + 0.3·0.4)/0.8 = 0.525; the scale is (4 + 6)·1. Weights P·e^(10·q): 0.5·e^6 = 201.714,
        // 0.3·e^4 = 16.379, 0.2·e^5.25 = 38.113 of 256.207.
        let gumbel = Gumbel { c_visit: 4.0, c_scale: 1.0, ..Gumbel::default() };
        assert_near(&PolicyTarget::Improved(gumbel).shares(&searched), &[0.787_31, 0.063_93, 0.148_76]);
        // Without visits P(a) stands.
        let asked = report(&[(0, 0.5, 0.2), (0, 0.5, 0.6)]);
        assert_near(&PolicyTarget::Visits.shares(&asked), &[0.25, 0.75]);
    }

    #[test]
    fn shares_of_nothing_are_left_out() {
        let searched = report(&[(99_999, 0.5, 0.5), (0, 0.5, 0.3), (1, 0.5, 0.2)]);
        let shares = PolicyTarget::Visits.shares(&searched);
        assert_eq!(sparse(&searched, &shares), [(Action(0), 1.0)]);
    }

    #[test]
    fn an_improved_policy_needs_its_selector() {
        let parse = |text| player::recipes::parse(text).unwrap();
        assert_eq!(PolicyTarget::new(Target::Visits, &parse("zero")).unwrap(), PolicyTarget::Visits);
        let error = PolicyTarget::new(Target::Improved, &parse("zero")).unwrap_err().to_string();
        assert!(error.contains("goes with select=gumbel, and the recipe says select=puct"), "{error}");
        let gumbel = parse(
            "zero select=gumbel select.c_visit=7 tree=fresh fpu=inf pick=gumbel"
                .replace("c_visit", "c-visit")
                .as_str(),
        );
        let target = PolicyTarget::new(Target::Improved, &gumbel).unwrap();
        assert!(matches!(target, PolicyTarget::Improved(Gumbel { c_visit: 7.0, .. })));
    }
}
