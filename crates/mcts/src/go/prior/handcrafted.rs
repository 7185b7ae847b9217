//! H(s,a) = 1 for a move that the rules of the playouts call good, 0 for one they call bad, ½ otherwise; all with the same
//! equivalent experience. [Gelly & Silver 2007, §7, Q_MoGo; Gelly & Silver 2011]
//!
//! Good moves save own stones from atari, take something, or make a 3×3 pattern; bad ones put own stones into atari for
//! nothing. With rewards in points a good move is worth `points`, a bad one as much less.

use super::{GoGame, probability, with_moves};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::Action;
use crate::prior::{Experience, FillP, Prior, Probability, Stage, in_quanta};
use goban::SizeClass;
use model::features::{self, MoveFeatures, Wanted};

recipe::params! {
    /// Good moves start as wins and bad ones as losses, by the rules of the playouts.
    pub struct Handcrafted as "handcrafted" {
        visits: f32 = 50.0, 0.0..=10_000.0, "C: visits of the Monte-Carlo model that the value is worth";
        amaf_visits: f32 = 50.0, 0.0..=10_000.0, "C̃: visits of the all-moves-as-first model that it is worth";
        points: f32 = 10.0, 0.0..=1000.0, "value of a good move where the reward is the score";
        p: word(Probability) = Probability::None, "where P(a) comes from, for those who need it";
    }
}

/// Builds the prior.
pub fn build<C: SizeClass>(
    params: &Handcrafted,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Prior<GoGame<C>>>, recipe::Error> {
    let Handcrafted { visits, amaf_visits, points, p } = *params;
    let experience = Experience { visits: in_quanta(visits), amaf_visits: in_quanta(amaf_visits) };
    let gives = experience.gives(p != Probability::None);
    blueprint.layout.give(gives);
    Ok(Box::new(ByRules { points, experience, has_value: gives.h, p: probability(p) }))
}

/// The prior with its experience and its source of P(a).
struct ByRules<C: SizeClass> {
    points: f32,
    experience: Experience,
    has_value: bool,
    p: Option<FillP<GoGame<C>>>,
}

/// 1 for a good move, −1 for a bad one, 0 for any other.
fn quality(features: &MoveFeatures) -> f32 {
    if features.is_self_atari {
        -1.0
    } else if features.n_saved > 0 || features.n_captured > 0 || features.is_pattern {
        1.0
    } else {
        0.0
    }
}

impl<C: SizeClass> Prior<GoGame<C>> for ByRules<C> {
    fn fill(&self, cx: &Cx<'_>, game: &GoGame<C>, actions: &[Action], _stage: Stage, out: &mut Priors) {
        self.p.into_iter().for_each(|fill| fill(game, actions, &mut out.p));
        self.experience.fill(cx.reward.neutral(), out);
        if !self.has_value {
            return;
        }
        let scale = cx.reward.of_sure_win(self.points);
        with_moves::<C, _>(actions, |moves| {
            features::each_move(&game.view(), Wanted::default(), moves, |arm_idx, features| {
                out.h[arm_idx] = cx.reward.neutral() + scale * quality(features);
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    /// White to move; the corner 0 is self-atari, 8 makes shape, 24 is like any other.
    fn fill(handcrafted: &Handcrafted, reward: Reward) -> Priors {
        let mut scene = Scene::new(reward);
        // Black 1, White 12, Black 13.
        [1, 12, 13].iter().for_each(|&point| scene.play(point));
        scene.fill("handcrafted", |blueprint, _| build(handcrafted, blueprint), &[0, 8, 24, -1])
    }

    #[test]
    fn good_bad_and_other_moves() {
        let priors = fill(&Handcrafted::default(), Reward::Win);
        assert_eq!(priors.h, [0.0, 1.0, 0.5, 0.5]);
        assert_eq!((priors.visits, priors.amaf_visits, priors.p.len()), (vec![50.0; 4], vec![50.0; 4], 0));
        assert_eq!(fill(&Handcrafted::default(), Reward::Score).h, [-10.0, 10.0, 0.0, 0.0]);
    }

    #[test]
    fn without_experience_there_is_no_value() {
        let none = Handcrafted { visits: 0.0, amaf_visits: 0.0, ..Handcrafted::default() };
        assert_eq!(fill(&none, Reward::Win).h, []);
    }
}
