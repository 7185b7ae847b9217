//! P(a) = γ(a) / Σ_b γ(b), γ a product over place, distances to the last two moves, captures, rescues, ataris, what the
//! fight around the last move asks for, the 3×3 shape and what stands in growing circles around the move: a Bradley-Terry
//! model whose factors were fitted to recorded games. [Coulom 2007, with other features]
//!
//! Every circle that was met often enough has a factor, and all that are known count, not only the largest: what a larger
//! one adds to the smaller ones in it is its factor.
//!
//! There is a model each for 9×9, 13×13 and 19×19; other boards use that of the nearest size.
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

pub mod known;
pub mod table;

use std::sync::LazyLock;

use super::{Experience, Prior, Priors};
use crate::cx::Cx;
use crate::game::{Action, Game, Remark, Wants};
use crate::tree::layout::Gives;
use known::Known;
use table::Gammas;

recipe::params! {
    /// Factors for place, distance, tactics, shape and surroundings, fitted to games.
    pub struct Tactics as "tactics" {
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the all-moves-as-first model that it is worth";
    }
}

/// Builds the prior.
pub fn build<G: Game>(params: &Tactics) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

/// What was fitted to the games of one board size.
struct Model {
    gammas: Gammas,
    known: Known,
}

macro_rules! built_in {
    ($gammas:literal, $circles:literal) => {
        LazyLock::new(|| Model {
            gammas: Gammas::parse(include_str!($gammas))
                .unwrap_or_else(|error| panic!("{}: {error}", $gammas)),
            known: Known::parse(include_bytes!($circles))
                .unwrap_or_else(|error| panic!("{}: {error}", $circles)),
        })
    };
}

static MODELS: [LazyLock<Model>; 3] = [
    built_in!("gammas-9.txt", "circles-9.bin"),
    built_in!("gammas-13.txt", "circles-13.bin"),
    built_in!("gammas-19.txt", "circles-19.bin"),
];

/// What was fitted for the board of a position.
fn model_for<G: Game>(position: &G) -> &'static Model {
    let n_points = position.max_arms() - 1;
    // 11×11 lies between 9×9 and 13×13, 16×16 between 13×13 and 19×19.
    &MODELS[usize::from(n_points > 11 * 11) + usize::from(n_points > 16 * 16)]
}

/// Whether the last move was a pass.
pub fn is_after_pass<G: Game>(position: &G) -> bool {
    position.recent(0).is_some() && position.recent(0) == position.pass()
}

/// Writes γ(a) of all arms, and shows each remark on the way; 1 everywhere in games without remarks.
pub(super) fn gammas<G: Game>(
    position: &G,
    wants: Wants,
    actions: &[Action],
    out: &mut [f32],
    mut each: impl FnMut(usize, &Remark),
) {
    let Model { gammas, known } = model_for(position);
    let is_again = is_after_pass(position);
    out.fill(1.0);
    position.remark(wants, actions, &mut |arm_idx, remark| {
        out[arm_idx] = gammas.of(remark, is_again);
        each(arm_idx, remark);
    });
    position.circles(actions, |arm_idx, circle| {
        let factor = known.factor(circle.key);
        out[arm_idx] *= factor.unwrap_or_else(|| gammas.factor(table::unknown(circle.level)));
        factor.is_some()
    });
}

/// Writes P(a) of all arms; all are the same in games without remarks.
pub(super) fn fill<G: Game>(position: &G, actions: &[Action], out: &mut [f32]) {
    gammas(position, Wants::default(), actions, out, |_, _| {});
    let sum: f32 = out.iter().sum();
    if sum > 0.0 {
        out.iter_mut().for_each(|p| *p /= sum);
    } else {
        super::flat_p::fill(out);
    }
}

impl Tactics {
    fn experience(&self) -> Experience {
        Experience { visits: self.visits, amaf_visits: self.amaf_visits }
    }
}

impl<G: Game> Prior<G> for Tactics {
    fn gives(&self) -> Gives {
        Gives { p: true, h: self.experience().is_some() }
    }

    fn fill(&self, cx: &Cx<'_, G>, position: &G, actions: &[Action], out: &mut Priors) {
        fill(position, actions, &mut out.p);
        self.experience().fill(cx.reward.neutral(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::{Game5, Stage};

    #[test]
    fn every_table_has_something_to_say() {
        for model in &MODELS {
            assert!(model.known.len() > 50_000, "{}", model.known.len());
            let pass = crate::game::Remark { is_pass: true, ..Default::default() };
            let centre = crate::game::Remark { lines: [5, 5], ..Default::default() };
            let corner = crate::game::Remark { lines: [1, 1], ..Default::default() };
            assert!(model.gammas.of(&pass, false) < model.gammas.of(&corner, false));
            assert!(model.gammas.of(&corner, false) < model.gammas.of(&centre, false));
        }
    }

    #[test]
    fn near_moves_are_likely_and_probabilities_sum_to_one() {
        let mut stage = Stage::new(Reward::Win);
        [12, 13].iter().for_each(|&point| stage.play(point));
        let prior: &dyn Prior<Game5> = &Tactics::default();
        // A hane beside the last move, the far corner, a pass.
        let p = stage.fill(prior, &[8, 20, -1]).p;
        assert!(p[0] > 20.0 * p[1].max(p[2]) && (p.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{p:?}");
        let priors = stage.fill(&Tactics { visits: 4.0, ..Tactics::default() } as &dyn Prior<Game5>, &[0, 1]);
        assert_eq!((priors.h, priors.visits), (vec![0.5; 2], vec![4.0; 2]));
    }
}
