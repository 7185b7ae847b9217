//! P(a) of a Bradley-Terry model whose factors were fitted to recorded games by minorization-maximization, with a switch for
//! the distance to the last moves. [Coulom 2007; Ikeda & Viennot 2013]
//!
//! The model stands in `model::ranking`; without distances it is another one, fitted to the same games without them.
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

use super::{GoGame, with_moves};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::Action;
use crate::prior::{Experience, Prior, Stage};
use goban::SizeClass;
use model::ranking::built_in;

recipe::params! {
    /// A Bradley-Terry model of places, shapes, chains and distances, fitted to games.
    pub struct BtParams as "bt" {
        distance: bool = true, "whether the model knows the distance to the last two moves";
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the AMAF models that it is worth";
    }
}

/// Builds the prior.
pub fn build<C: SizeClass>(
    params: &BtParams,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Prior<GoGame<C>>>, recipe::Error> {
    let experience = Experience { visits: params.visits, amaf_visits: params.amaf_visits };
    blueprint.layout.give(experience.gives(true));
    Ok(Box::new(Ranked { has_distance: params.distance, experience }))
}

/// The prior with its experience.
struct Ranked {
    has_distance: bool,
    experience: Experience,
}

impl<C: SizeClass> Prior<GoGame<C>> for Ranked {
    fn fill(&self, cx: &Cx<'_>, game: &GoGame<C>, actions: &[Action], _stage: Stage, out: &mut Priors) {
        let model = built_in(game.board.size(), self.has_distance);
        with_moves::<C, _>(actions, |moves| model.fill_plain(&game.view(), moves, &mut out.p));
        self.experience.fill(cx.reward.neutral(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    fn p(params: &BtParams, points: &[i16]) -> Priors {
        let mut scene = Scene::new(Reward::Win);
        [12, 13].iter().for_each(|&point| scene.play(point));
        scene.fill("bt", |blueprint, _| build(params, blueprint), points)
    }

    #[test]
    fn near_moves_are_likely_if_distances_count() {
        // A hane beside the last move, the far corner, a pass.
        let near = p(&BtParams::default(), &[8, 20, -1]).p;
        let far = p(&BtParams { distance: false, ..BtParams::default() }, &[8, 20, -1]).p;
        assert!(
            (near.iter().sum::<f32>() - 1.0).abs() < 1e-6 && (far.iter().sum::<f32>() - 1.0).abs() < 1e-6
        );
        assert!(near[0] > 10.0 * near[1] && near[0] > 10.0 * near[2], "{near:?}");
        assert!(far[0] / far[1] < near[0] / near[1], "{near:?} {far:?}");
    }

    #[test]
    fn a_value_only_with_experience() {
        let priors = p(&BtParams { visits: 4.0, ..BtParams::default() }, &[0, 1]);
        assert_eq!((priors.h, priors.visits), (vec![0.5; 2], vec![4.0; 2]));
        assert!(p(&BtParams::default(), &[0, 1]).h.is_empty());
    }
}
