//! P(a) by the distance to the last two moves and the line, with the factors that Coulom 2007 learned from games of experts;
//! the model itself stands in `model::coulom`.
//!
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

use super::{GoGame, vertices};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::Action;
use crate::prior::{Experience, Prior, Stage};
use goban::SizeClass;
use model::coulom::Coulom;

recipe::params! {
    /// Products of factors for nearness to the last two moves and for the line.
    pub struct Gammas as "gammas" {
        last: bool = true, "whether the distance to the last move counts";
        before: bool = true, "whether the distance to the move before it counts";
        line: bool = true, "whether the line counts";
        pass: f32 = 0.17, 0.001..=1000.0, "factor of a pass after a move";
        pass_again: f32 = 24.4, 0.001..=1000.0, "factor of a pass after a pass";
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the AMAF models that it is worth";
    }
}

/// Builds the prior.
pub fn build<C: SizeClass>(
    params: &Gammas,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Prior<GoGame<C>>>, recipe::Error> {
    let Gammas { last, before, line, pass, pass_again, visits, amaf_visits } = *params;
    let experience = Experience { visits, amaf_visits };
    blueprint.layout.give(experience.gives(true));
    Ok(Box::new(GammasPrior { coulom: Coulom { last, before, line, pass, pass_again }, experience }))
}

/// The prior with its factors.
struct GammasPrior {
    coulom: Coulom,
    experience: Experience,
}

/// Writes P(a) of all arms.
pub(super) fn fill<C: SizeClass>(coulom: &Coulom, game: &GoGame<C>, actions: &[Action], out: &mut [f32]) {
    let recent = game.last_two().map(|action| action.map(GoGame::<C>::vertex));
    coulom.fill(game.board.size(), recent, vertices::<C>(actions), out);
}

impl<C: SizeClass> Prior<GoGame<C>> for GammasPrior {
    fn fill(&self, cx: &Cx<'_>, game: &GoGame<C>, actions: &[Action], _stage: Stage, out: &mut Priors) {
        fill(&self.coulom, game, actions, &mut out.p);
        self.experience.fill(cx.reward.neutral(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    #[test]
    fn the_defaults_are_the_published_ones() {
        let Gammas { last, before, line, pass, pass_again, .. } = Gammas::default();
        assert_eq!(Coulom { last, before, line, pass, pass_again }, Coulom::default());
    }

    #[test]
    fn a_value_only_with_experience() {
        let fill = |gammas: &Gammas| {
            Scene::new(Reward::Win).fill("gammas", |blueprint, _| build(gammas, blueprint), &[0, 12])
        };
        let priors = fill(&Gammas { visits: 4.0, ..Gammas::default() });
        assert_eq!((priors.h, priors.visits, priors.amaf_visits), (vec![0.5; 2], vec![4.0; 2], vec![0.0; 2]));
        let priors = fill(&Gammas::default());
        // The corner against the third line: 0.89 : 1.75.
        assert!(priors.h.is_empty() && (priors.p[0] - 0.89 / 2.64).abs() < 1e-6, "{:?}", priors.p);
    }
}
