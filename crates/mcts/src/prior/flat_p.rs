//! P(a) = 1/arms: every arm is as likely as the next. What remains of a method that needs a static probability when
//! nothing is known; a yardstick for the others.
//!
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

use super::{Experience, Prior, Priors};
use crate::cx::Cx;
use crate::game::{Action, Game};
use crate::tree::layout::Gives;

recipe::params! {
    /// The same probability for all arms.
    pub struct FlatP as "flat-p" {
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the all-moves-as-first model that it is worth";
    }
}

/// Builds the prior.
pub fn build<G: Game>(params: &FlatP) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

impl FlatP {
    fn experience(&self) -> Experience {
        Experience { visits: self.visits, amaf_visits: self.amaf_visits }
    }
}

impl<G: Game> Prior<G> for FlatP {
    fn gives(&self) -> Gives {
        Gives { p: true, h: self.experience().is_some() }
    }

    fn fill(&self, cx: &Cx<'_, G>, _position: &G, _actions: &[Action], out: &mut Priors) {
        fill(&mut out.p);
        self.experience().fill(cx.reward.neutral(), out);
    }
}

/// Writes 1/arms.
pub(super) fn fill(p: &mut [f32]) {
    let n_arms = p.len() as f32;
    p.fill(1.0 / n_arms);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::{Game5, Stage};

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
        let prior: &dyn Prior<Game5> = &FlatP::default();
        assert_eq!(prior.gives(), Gives { p: true, h: false });
        let priors = Stage::new(Reward::Score).fill(prior, &[0, 3, -1]);
        assert_eq!((priors.p, priors.h.len()), (vec![1.0 / 3.0; 3], 0));

        let prior: &dyn Prior<Game5> = &FlatP { visits: 0.0, amaf_visits: 7.5 };
        assert_eq!(prior.gives(), Gives { p: true, h: true });
        let priors = Stage::new(Reward::Score).fill(prior, &[0, 3]);
        assert_eq!((priors.h, priors.visits, priors.amaf_visits), (vec![0.0; 2], vec![0.0; 2], vec![7.5; 2]));
        assert_eq!(Stage::new(Reward::Win).fill(prior, &[0, 3]).h, [0.5; 2]);
    }
}
