//! P(a) = γ(a) / Σ_b γ(b), γ a product over place, distances to the last two moves, captures, rescues, ataris, what the
//! fight around the last move asks for and the 3×3 shape: a Bradley-Terry model whose factors were fitted to recorded games.
//! [Coulom 2007, with other features]
//!
//! There is a table each for 9×9, 13×13 and 19×19; other boards use that of the nearest size.
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

pub mod table;

use std::sync::LazyLock;

use super::{Experience, Prior, Priors};
use crate::cx::Cx;
use crate::game::{Action, Game, Wants};
use crate::tree::layout::Gives;
use table::Gammas;

recipe::params! {
    /// Factors for place, distance, tactics and 3×3 shape, fitted to games.
    pub struct Tactics as "tactics" {
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the all-moves-as-first model that it is worth";
    }
}

/// Builds the prior.
pub fn build<G: Game>(params: &Tactics) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

static TABLES: [LazyLock<Gammas>; 3] = [
    LazyLock::new(|| built_in(include_str!("gammas-9.txt"))),
    LazyLock::new(|| built_in(include_str!("gammas-13.txt"))),
    LazyLock::new(|| built_in(include_str!("gammas-19.txt"))),
];

fn built_in(text: &str) -> Gammas {
    Gammas::parse(text).unwrap_or_else(|error| panic!("the built-in factors: {error}"))
}

/// The factors for the board of a position.
pub(super) fn table_for<G: Game>(position: &G) -> &'static Gammas {
    let n_points = position.max_arms() - 1;
    // 11×11 lies between 9×9 and 13×13, 16×16 between 13×13 and 19×19.
    &TABLES[usize::from(n_points > 11 * 11) + usize::from(n_points > 16 * 16)]
}

/// Whether the last move was a pass.
pub(super) fn is_after_pass<G: Game>(position: &G) -> bool {
    position.recent(0).is_some() && position.recent(0) == position.pass()
}

/// Writes P(a) of all arms; all are the same in games without remarks.
pub(super) fn fill<G: Game>(position: &G, actions: &[Action], out: &mut [f32]) {
    let gammas = table_for(position);
    let is_again = is_after_pass(position);
    out.fill(1.0);
    position.remark(Wants::default(), actions, &mut |arm_idx, remark| {
        out[arm_idx] = gammas.of(remark, is_again);
    });
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
        for table in &TABLES {
            let pass = crate::game::Remark { is_pass: true, ..Default::default() };
            let centre = crate::game::Remark { lines: [5, 5], ..Default::default() };
            let corner = crate::game::Remark { lines: [1, 1], ..Default::default() };
            assert!(table.of(&pass, false) < table.of(&corner, false));
            assert!(table.of(&corner, false) < table.of(&centre, false));
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
