//! P(a) by factors for place, distance, tactics, shape and circular patterns, fitted to recorded games; the model itself
//! stands in `model::tactics`.
//!
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

use super::{GoGame, with_moves};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::Action;
use crate::prior::{Experience, Prior, Stage};
use goban::SizeClass;
use model::tactics::Tactics;

recipe::params! {
    /// Factors for place, distance, tactics, shape and surroundings, fitted to games.
    pub struct TacticsParams as "tactics" {
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the AMAF models that it is worth";
    }
}

/// Builds the prior.
pub fn build<C: SizeClass>(
    params: &TacticsParams,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Prior<GoGame<C>>>, recipe::Error> {
    let experience = Experience { visits: params.visits, amaf_visits: params.amaf_visits };
    blueprint.layout.give(experience.gives(true));
    Ok(Box::new(Fitted { experience }))
}

/// The prior with its experience.
struct Fitted {
    experience: Experience,
}

impl<C: SizeClass> Prior<GoGame<C>> for Fitted {
    fn fill(&self, cx: &Cx<'_>, game: &GoGame<C>, actions: &[Action], _stage: Stage, out: &mut Priors) {
        let tactics = Tactics::of(game.board.size());
        with_moves::<C, _>(actions, |moves| tactics.fill(&game.view(), moves, &mut out.p));
        self.experience.fill(cx.reward.neutral(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    #[test]
    fn near_moves_are_likely_and_probabilities_sum_to_one() {
        let mut scene = Scene::new(Reward::Win);
        [12, 13].iter().for_each(|&point| scene.play(point));
        let fill = |params: &TacticsParams, points: &[i16]| {
            scene.fill("tactics", |blueprint, _| build(params, blueprint), points)
        };
        // A hane beside the last move, the far corner, a pass.
        let p = fill(&TacticsParams::default(), &[8, 20, -1]).p;
        assert!(p[0] > 20.0 * p[1].max(p[2]) && (p.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{p:?}");
        let priors = fill(&TacticsParams { visits: 4.0, ..TacticsParams::default() }, &[0, 1]);
        assert_eq!((priors.h, priors.visits), (vec![0.5; 2], vec![4.0; 2]));
    }
}
