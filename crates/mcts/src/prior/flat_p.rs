//! P(a) = 1/arms: every arm is as likely as the next. What remains of a method that needs a static probability when
//! nothing is known; a yardstick for the others.
//!
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

use super::{Experience, FindP, Prior, Stage};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::{Action, Game};

recipe::params! {
    /// The same probability for all arms.
    pub struct FlatP as "flat-p" {
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the AMAF models that it is worth";
    }
}

/// Builds the prior.
pub fn build<G: Game>(
    params: &FlatP,
    blueprint: &mut Blueprint<'_>,
    _find_p: FindP<'_, G>,
) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    let experience = Experience { visits: params.visits, amaf_visits: params.amaf_visits };
    blueprint.layout.give(experience.gives(true));
    Ok(Box::new(FlatPrior { experience }))
}

/// The prior with its experience.
struct FlatPrior {
    experience: Experience,
}

impl<G: Game> Prior<G> for FlatPrior {
    fn fill(&self, cx: &Cx<'_>, _position: &G, _actions: &[Action], _stage: Stage, out: &mut Priors) {
        fill(&mut out.p);
        self.experience.fill(cx.reward.neutral(), out);
    }
}

/// Writes 1/arms.
pub(crate) fn fill(p: &mut [f32]) {
    let n_arms = p.len() as f32;
    p.fill(1.0 / n_arms);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    #[test]
    fn one_over_the_arms() {
        let mut p = [0.0; 4];
        fill(&mut p);
        assert_eq!(p, [0.25; 4]);
        fill(&mut p[..1]);
        assert_eq!(p[0], 1.0);
        fill(&mut []);
    }

    #[test]
    fn a_value_only_with_experience() {
        let priors = |flat: &FlatP, reward, points: &[i16]| {
            Scene::new(reward).fill("flat-p", |blueprint, find_p| build(flat, blueprint, find_p), points)
        };
        let none = priors(&FlatP::default(), Reward::Score, &[0, 3, -1]);
        assert_eq!((none.p, none.h.len()), (vec![1.0 / 3.0; 3], 0));
        let flat = FlatP { visits: 0.0, amaf_visits: 7.5 };
        let some = priors(&flat, Reward::Score, &[0, 3]);
        assert_eq!((some.h, some.visits, some.amaf_visits), (vec![0.0; 2], vec![0.0; 2], vec![7.5; 2]));
        assert_eq!(priors(&flat, Reward::Win, &[0, 3]).h, [0.5; 2]);
    }
}
