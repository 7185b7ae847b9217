//! H(s,a) = 1 for a move that the rules of the playouts call good, 0 for one they call bad, ½ otherwise; all with the same
//! equivalent experience. [Gelly & Silver 2007, §7, Q_MoGo; Gelly & Silver 2011]
//!
//! Good moves save own stones from atari, take something, or make a 3×3 pattern; bad ones put own stones into atari for
//! nothing. With rewards in points a good move is worth `points`, a bad one as much less.

use super::{Experience, Prior, Priors, Probability, in_quanta};
use crate::cx::Cx;
use crate::game::{Action, Game, Remark, Wants};
use crate::tree::layout::Gives;

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
pub fn build<G: Game>(params: &Handcrafted) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl Handcrafted {
    fn experience(&self) -> Experience {
        Experience { visits: in_quanta(self.visits), amaf_visits: in_quanta(self.amaf_visits) }
    }
}

/// 1 for a good move, −1 for a bad one, 0 for any other.
fn verdict(remark: &Remark) -> f32 {
    if remark.is_self_atari {
        -1.0
    } else if remark.n_saved > 0 || remark.n_captured > 0 || remark.is_pattern {
        1.0
    } else {
        0.0
    }
}

impl<G: Game> Prior<G> for Handcrafted {
    fn gives(&self) -> Gives {
        Gives { p: self.p != Probability::None, h: self.experience().is_some() }
    }

    fn fill(&self, cx: &Cx<'_, G>, position: &G, actions: &[Action], out: &mut Priors) {
        self.p.fill(position, actions, &mut out.p);
        self.experience().fill(cx.reward.neutral(), out);
        if out.h.is_empty() {
            return;
        }
        let scale = cx.reward.of_verdict(self.points);
        position.remark(Wants::default(), actions, &mut |arm_idx, remark| {
            out.h[arm_idx] = cx.reward.neutral() + scale * verdict(remark);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::{Game5, Stage};

    /// White to move; the corner 0 is self-atari, 8 makes shape, 24 is like any other.
    fn fill(handcrafted: &Handcrafted, reward: Reward) -> Priors {
        let mut stage = Stage::new(reward);
        // Black 1, White 12, Black 13.
        [1, 12, 13].iter().for_each(|&point| stage.play(point));
        let prior: &dyn Prior<Game5> = handcrafted;
        stage.fill(prior, &[0, 8, 24, -1])
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
