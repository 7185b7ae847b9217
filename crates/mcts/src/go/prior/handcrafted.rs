//! H(s,a) = 1 for a move that the policy `mogo` would play, ½ for any other; all with the same equivalent experience.
//! [Gelly & Silver 2007, §7, Q_MoGo; Gelly & Silver 2011]
//!
//! These are the moves of the first of its rules that proposes any: moves that save own stones which the last move put in
//! atari, 3×3 patterns around the last move, captures. The policy refuses nothing but own eyes, which are no arms, so no move
//! starts below ½. With rewards in points a move of the policy is worth `points`.

use super::{GoGame, probability};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::Action;
use crate::prior::{Experience, FillP, Prior, Probability, Stage, in_quanta};
use goban::tactics::Candidates;
use goban::{Move, SizeClass};
use playout::policy::mogo;
use playout::rule::View;

recipe::params! {
    /// Moves that the policy mogo would play start as wins.
    pub struct Handcrafted as "handcrafted" {
        visits: f32 = 50.0, 0.0..=10_000.0, "C: visits of the Monte-Carlo model that the value is worth";
        amaf_visits: f32 = 50.0, 0.0..=10_000.0, "C̃: visits of the AMAF models that it is worth";
        points: f32 = 10.0, 0.0..=1000.0, "value of such a move where the reward is the score";
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

impl<C: SizeClass> Prior<GoGame<C>> for ByRules<C> {
    fn fill(&self, cx: &Cx<'_>, game: &GoGame<C>, actions: &[Action], _stage: Stage, out: &mut Priors) {
        self.p.into_iter().for_each(|fill| fill(game, actions, &mut out.p));
        self.experience.fill(cx.reward.neutral(), out);
        if !self.has_value {
            return;
        }
        let recent = game.last_two().map(|action| action.map_or(Move::PASS, GoGame::<C>::to_move));
        let mut played = Candidates::new();
        mogo::proposals(&View::new(&game.board, game.to_play, recent), &mut played);
        let good = cx.reward.neutral() + cx.reward.of_sure_win(self.points);
        for (h, &action) in out.h.iter_mut().zip(actions) {
            if GoGame::<C>::to_move(action).point().is_some_and(|point| played.contains(point)) {
                *h = good;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    /// White to move; 8 makes shape beside the last move, the corner 0 is a self-atari, which the policy plays as any other.
    fn fill(handcrafted: &Handcrafted, reward: Reward) -> Priors {
        let mut scene = Scene::new(reward);
        // Black 1, White 12, Black 13.
        [1, 12, 13].iter().for_each(|&point| scene.play(point));
        scene.fill("handcrafted", |blueprint, _| build(handcrafted, blueprint), &[0, 8, 24, -1])
    }

    #[test]
    fn moves_of_the_policy_and_other_moves() {
        let priors = fill(&Handcrafted::default(), Reward::Win);
        assert_eq!(priors.h, [0.5, 1.0, 0.5, 0.5]);
        assert_eq!((priors.visits, priors.amaf_visits, priors.p.len()), (vec![50.0; 4], vec![50.0; 4], 0));
        assert_eq!(fill(&Handcrafted::default(), Reward::Score).h, [0.0, 10.0, 0.0, 0.0]);
    }

    #[test]
    fn without_experience_there_is_no_value() {
        let none = Handcrafted { visits: 0.0, amaf_visits: 0.0, ..Handcrafted::default() };
        assert_eq!(fill(&none, Reward::Win).h, []);
    }
}
