//! H(s,a) = ½, the even game: every arm starts as if it had been tried and had won as often as it had lost; with rewards
//! in points H = 0. [Gelly & Silver 2007, §7, "even-game heuristic"; Gelly & Silver 2011]
//!
//! n ← C, Q ← H; ñ ← C̃, Q̃ ← H. The larger C, the longer an arm with few simulations of its own stays near ½; that is
//! what keeps a search without an exploration bound from deserting an arm after one loss.

use super::{Experience, FillP, FindP, Prior, Probability, Stage};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::{Action, Game};

recipe::params! {
    /// Every arm starts as an even game.
    pub struct Even as "even" {
        visits: f32 = 10.0, 0.0..=10_000.0, "C: visits of the Monte-Carlo model that the value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "C̃: visits of the AMAF models that it is worth";
        p: word(Probability) = Probability::None, "where P(a) comes from, for those who need it";
    }
}

/// Builds the prior.
pub fn build<G: Game>(
    params: &Even,
    blueprint: &mut Blueprint<'_>,
    find_p: FindP<'_, G>,
) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    let Even { visits, amaf_visits, p } = *params;
    let even = EvenGame { experience: Experience { visits, amaf_visits }, p: find_p(p)? };
    blueprint.layout.give(even.experience.gives(even.p.is_some()));
    Ok(Box::new(even))
}

/// The prior with its source of P(a).
struct EvenGame<G> {
    experience: Experience,
    p: Option<FillP<G>>,
}

impl<G: Game> Prior<G> for EvenGame<G> {
    fn fill(&self, cx: &Cx<'_>, position: &G, actions: &[Action], _stage: Stage, out: &mut Priors) {
        self.p.into_iter().for_each(|fill| fill(position, actions, &mut out.p));
        self.experience.fill(cx.reward.neutral(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    fn fill(even: &Even, reward: Reward, points: &[i16]) -> Priors {
        Scene::new(reward).fill("even", |blueprint, find_p| build(even, blueprint, find_p), points)
    }

    #[test]
    fn neutral_whatever_the_reward() {
        let even = Even { visits: 10_000.0, amaf_visits: 3.0, p: Probability::None };
        for (reward, h) in [(Reward::Win, 0.5), (Reward::Score, 0.0)] {
            let priors = fill(&even, reward, &[0, 7, -1]);
            assert_eq!((priors.h, priors.p.len()), (vec![h; 3], 0));
            assert_eq!((priors.visits, priors.amaf_visits), (vec![10_000.0; 3], vec![3.0; 3]));
        }
    }

    #[test]
    fn probabilities_on_request() {
        let p = |p| {
            let priors = fill(&Even { visits: 0.0, amaf_visits: 0.0, p }, Reward::Win, &[0, 12]);
            assert!(priors.h.is_empty(), "without experience there is no value");
            priors.p
        };
        assert_eq!(p(Probability::None), []);
        assert_eq!(p(Probability::Flat), [0.5, 0.5]);
        // The corner against the third line, as `gammas` has it: 0.89 : 1.75.
        let gammas = p(Probability::Gammas);
        assert!(
            (gammas[0] - 0.89 / 2.64).abs() < 1e-6 && (gammas[1] - 1.75 / 2.64).abs() < 1e-6,
            "{gammas:?}"
        );
    }
}
