//! P(a) = γ(a) / Σ_b γ(b), γ = γ_last · γ_before · γ_line: a Bradley-Terry model of three features, with the factors that
//! Coulom 2007 learned from games of experts. Nothing is learned here: it stands in until there are learned models.
//!
//! γ_last and γ_before depend on the distance to the last move and to the one before it, in Coulom's measure
//! d = |Δx| + |Δy| + max(|Δx|, |Δy|). His values at d = 2 … 5 and beyond 16 are used as they are; between 5 and 17 the
//! factor falls by the same ratio with each step. A game tells distances in steps along its lines, m = |Δx| + |Δy|, so
//! the factor is the mean over the 4·m points m steps away. A move on the very point counts as the nearest. If the
//! move has no place (a pass, or there was none) the factor is 1, as is that of every line beyond the fourth. A pass has
//! one factor of its own, which is another if the last move was a pass too.
//!
//! With equivalent experience it gives the neutral value as well: H = ½ of a win, or 0 points.

use super::{Experience, Prior, Priors};
use crate::cx::Cx;
use crate::game::{Action, Game};
use crate::tree::layout::Gives;

recipe::params! {
    /// Products of factors for nearness to the last two moves and for the line.
    pub struct Gammas as "gammas" {
        last: bool = true, "whether the distance to the last move counts";
        before: bool = true, "whether the distance to the move before it counts";
        line: bool = true, "whether the line counts";
        pass: f32 = 0.17, 0.001..=1000.0, "factor of a pass after a move";
        pass_again: f32 = 24.4, 0.001..=1000.0, "factor of a pass after a pass";
        visits: f32 = 0.0, 0.0..=10_000.0, "visits of the Monte-Carlo model that a neutral value is worth";
        amaf_visits: f32 = 0.0, 0.0..=10_000.0, "visits of the all-moves-as-first model that it is worth";
    }
}

/// Builds the prior.
pub fn build<G: Game>(params: &Gammas) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

/// γ by Coulom's distance to the last move: 2, 3, … 17; the last one holds for all that is farther.
const LAST: [f32; 16] =
    [4.3, 2.8, 2.2, 1.6, 1.35, 1.14, 0.96, 0.81, 0.69, 0.58, 0.49, 0.41, 0.35, 0.29, 0.25, 0.21];
/// The same for the move before it.
const BEFORE: [f32; 16] =
    [3.1, 2.4, 2.3, 1.7, 1.58, 1.47, 1.36, 1.26, 1.17, 1.09, 1.01, 0.94, 0.87, 0.81, 0.75, 0.7];
/// γ of the lines 1 … 4.
const LINES: [f32; 4] = [0.89, 1.49, 1.75, 1.28];

/// Rings from 0 to 11 steps; points 11 steps away or more are at least 17 of Coulom's away and share the last factor.
const N_RINGS: usize = 12;
const LAST_BY_STEPS: [f32; N_RINGS] = by_steps(&LAST);
const BEFORE_BY_STEPS: [f32; N_RINGS] = by_steps(&BEFORE);

/// The mean factor over the points of each ring. Of the 4·m points m steps away a quarter stands for the rest:
/// (m − k, k) with k = 0 … m − 1.
const fn by_steps(by_distance: &[f32; 16]) -> [f32; N_RINGS] {
    let mut rings = [by_distance[0]; N_RINGS];
    let mut steps = 1;
    while steps < N_RINGS {
        let mut sum = 0.0;
        let mut k = 0;
        while k < steps {
            let larger = if steps - k > k { steps - k } else { k };
            let distance = steps + larger;
            sum += by_distance[if distance > 17 { 15 } else { distance - 2 }];
            k += 1;
        }
        rings[steps] = sum / steps as f32;
        steps += 1;
    }
    rings
}

/// The defaults, at hand without reading the declaration.
pub(super) const DEFAULT: Gammas = Gammas {
    last: true,
    before: true,
    line: true,
    pass: 0.17,
    pass_again: 24.4,
    visits: 0.0,
    amaf_visits: 0.0,
};

impl Gammas {
    fn experience(&self) -> Experience {
        Experience { visits: self.visits, amaf_visits: self.amaf_visits }
    }

    /// Writes P(a) of all arms.
    pub(super) fn fill<G: Game>(&self, position: &G, actions: &[Action], out: &mut [f32]) {
        let pass = position.pass();
        let (last, before) = (position.recent(0), position.recent(1));
        let pass_gamma = if last.is_some() && last == pass { self.pass_again } else { self.pass };
        let near = |to: Option<Action>, action: Action, rings: &[f32; N_RINGS]| {
            let steps = to.and_then(|to| position.distance(to, action));
            steps.map_or(1.0, |steps| rings[(steps as usize).min(N_RINGS - 1)])
        };
        let last = last.filter(|_| self.last);
        let before = before.filter(|_| self.before);
        for (gamma, &action) in out.iter_mut().zip(actions) {
            *gamma = if Some(action) == pass {
                pass_gamma
            } else {
                near(last, action, &LAST_BY_STEPS)
                    * near(before, action, &BEFORE_BY_STEPS)
                    * self.line_gamma(position, action)
            };
        }
        let sum: f32 = out.iter().sum();
        out.iter_mut().for_each(|p| *p /= sum);
    }

    fn line_gamma<G: Game>(&self, position: &G, action: Action) -> f32 {
        let line = if self.line { position.line(action) } else { None };
        line.and_then(|line| LINES.get((line as usize).wrapping_sub(1))).copied().unwrap_or(1.0)
    }
}

impl<G: Game> Prior<G> for Gammas {
    fn gives(&self) -> Gives {
        Gives { p: true, h: self.experience().is_some() }
    }

    fn fill(&self, cx: &Cx<'_, G>, position: &G, actions: &[Action], out: &mut Priors) {
        Gammas::fill(self, position, actions, &mut out.p);
        self.experience().fill(cx.reward.neutral(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Stage;

    /// P(a) of the given points (numbered row by row on 5×5, −1 the pass) after the moves `played`.
    #[track_caller]
    fn check(gammas: &Gammas, played: &[i16], points: &[i16], expected: &[f32]) {
        let mut stage = Stage::new(Reward::Win);
        played.iter().for_each(|&point| stage.play(point));
        let p = stage.fill(gammas, points).p;
        let sum: f32 = expected.iter().sum();
        for (got, right) in p.iter().zip(expected) {
            assert!((got - right / sum).abs() < 1e-6, "{p:?} instead of {expected:?} / {sum}");
        }
        assert!((p.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn rings_worked_by_hand() {
        // One step: all four points at d = 2. Two steps: four straight at d = 4, four diagonal at d = 3.
        assert_eq!(LAST_BY_STEPS[..3], [4.3, 4.3, (2.2 + 2.8) / 2.0]);
        // Three steps: (3,0) at 6, (2,1) at 5, (1,2) at 5.
        assert!((BEFORE_BY_STEPS[3] - (1.58 + 1.7 + 1.7) / 3.0).abs() < 1e-6);
        // Ten steps: (10,0) … (8,2) and (2,8), (1,9) at 18 … 20; (7,3), (3,7) at 17; (6,4), (4,6) at 16; (5,5) at 15.
        assert!((LAST_BY_STEPS[10] - (7.0 * 0.21 + 2.0 * 0.25 + 0.29) / 10.0).abs() < 1e-6);
        assert!((LAST_BY_STEPS[11] - 0.21).abs() < 1e-6 && (BEFORE_BY_STEPS[11] - 0.7).abs() < 1e-6);
        assert!(LAST_BY_STEPS[1..].is_sorted_by(|near, far| near > far));
    }

    #[test]
    fn worked_by_hand() {
        let gammas = Gammas::default();
        // An empty board: only the line counts; corner, second line, centre (third line of 5×5), pass.
        check(&gammas, &[], &[0, 6, 12, -1], &[0.89, 1.49, 1.75, 0.17]);
        // After 12 and 6: point 7 is one step from either, on the second line; 24 is four steps from 12 and six from 6.
        // Four steps from the move before: (4,0) at 8, (3,1), (1,3) at 7, (2,2) at 6.
        let four = (1.36 + 2.0 * 1.47 + 1.58) / 4.0;
        // Six steps from the last: (6,0) at 12, (5,1), (1,5) at 11, (4,2), (2,4) at 10, (3,3) at 9.
        let six = (0.49 + 2.0 * 0.58 + 2.0 * 0.69 + 0.81) / 6.0;
        check(&gammas, &[12, 6], &[7, 24, -1], &[4.3 * 3.1 * 1.49, six * four * 0.89, 0.17]);
        // After a pass: no distance to it, and passing too is likely. The move before it still counts.
        check(&gammas, &[12, -1], &[7, 0, -1], &[3.1 * 1.49, four * 0.89, 24.4]);
    }

    #[test]
    fn the_defaults_are_those_declared() {
        assert_eq!(DEFAULT, Gammas::default());
    }

    #[test]
    fn features_can_be_left_out() {
        let none = Gammas { last: false, before: false, line: false, pass: 1.0, ..Gammas::default() };
        check(&none, &[12, 6], &[0, 7, 24, -1], &[1.0; 4]);
        let line = Gammas { last: false, before: false, ..Gammas::default() };
        check(&line, &[12, 6], &[0, 7], &[0.89, 1.49]);
        let last = Gammas { before: false, line: false, ..Gammas::default() };
        check(&last, &[12, 6], &[7, 8], &[4.3, 2.5]);
        // The pass alone, however unlikely.
        check(&Gammas { pass: 0.001, ..Gammas::default() }, &[], &[-1], &[1.0]);
    }

    #[test]
    fn a_value_only_with_experience() {
        let priors = Stage::new(Reward::Win).fill(&Gammas { visits: 4.0, ..Gammas::default() }, &[0, 1]);
        assert_eq!((priors.h, priors.visits, priors.amaf_visits), (vec![0.5; 2], vec![4.0; 2], vec![0.0; 2]));
        assert_eq!(Stage::new(Reward::Win).fill(&Gammas::default(), &[0, 1]).h, []);
    }
}
