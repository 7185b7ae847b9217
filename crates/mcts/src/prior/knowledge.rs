//! H(s,a) = Σ cᵢ·hᵢ / Σ cᵢ, C(s,a) = Σ cᵢ: every reason for or against a move adds visits of its own, wins for good
//! reasons and losses for bad ones, to those of an even game. [the priors of Pachi, Fuego and michi]
//!
//! The reasons are the rules of the playouts and a few that only a tree can afford: the line of a move far from all
//! stones, distance to the last moves along chains (the common-fate graph), ladders read to their end. With rewards in
//! points a win is worth `points`, a loss as much less.

use super::{Prior, Priors, Probability, in_quanta, tactics};
use crate::cx::Cx;
use crate::game::{Action, Game, Remark, Wants};
use crate::tree::layout::Gives;

recipe::params! {
    /// Every reason for or against a move adds wins or losses of its own.
    pub struct Knowledge as "knowledge" {
        even: f32 = 10.0, 0.0..=1000.0, "visits of an even game that every move starts with";
        capture: f32 = 15.0, 0.0..=1000.0, "wins for taking one stone";
        capture_many: f32 = 30.0, 0.0..=1000.0, "wins for taking more";
        save: f32 = 15.0, 0.0..=1000.0, "wins for saving one stone from atari";
        save_many: f32 = 30.0, 0.0..=1000.0, "wins for saving more";
        self_atari: f32 = 10.0, 0.0..=1000.0, "losses for a bad self-atari";
        pattern: f32 = 10.0, 0.0..=1000.0, "wins for a 3×3 pattern";
        fight: f32 = 10.0, 0.0..=1000.0, "wins for what chains of few liberties and eyes at the last move ask for";
        race: f32 = 10.0, 0.0..=1000.0, "wins for taking an outside liberty in a race, anywhere; 0: none is looked for";
        near: f32 = 24.0, 0.0..=1000.0, "wins at one step from the last move, along chains";
        near_2: f32 = 22.0, 0.0..=1000.0, "wins at two steps";
        near_3: f32 = 8.0, 0.0..=1000.0, "wins at three steps";
        before: f32 = 0.0, 0.0..=10.0, "the same for the move before the last, as a share of those";
        line: f32 = 10.0, 0.0..=1000.0, "far from all stones: losses on the first two lines, wins on the third";
        ladder: f32 = 0.0, 0.0..=1000.0, "losses for running into a ladder, wins for starting one; 0: none is read";
        pass: f32 = 10.0, 0.0..=1000.0, "losses of a pass";
        likely: f32 = 0.0, 0.0..=10_000.0, "wins times √P(a), the P(a) of the prior `tactics`";
        amaf: f32 = 0.0, 0.0..=10.0, "visits of the all-moves-as-first model, as a share of the others";
        points: f32 = 10.0, 0.0..=1000.0, "what a win is worth where the reward is the score";
        p: word(Probability) = Probability::None, "where P(a) comes from, for those who need it";
    }
}

/// Builds the prior.
pub fn build<G: Game>(params: &Knowledge) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    Ok(Box::new(params.clone()))
}

/// Wins and losses that reasons add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Sum {
    wins: f32,
    losses: f32,
}

impl Knowledge {
    /// The remarks that cost time and that are weighed.
    fn wants(&self) -> Wants {
        let n_fates = match (self.near + self.near_2 + self.near_3 > 0.0, self.before > 0.0) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        Wants { ladder: self.ladder > 0.0, race: self.race > 0.0, n_fates }
    }

    /// What speaks for and against a move on this line.
    fn weigh(&self, remark: &Remark, line: Option<u32>) -> Sum {
        let by_size = |n: u16, one: f32, many: f32| match n {
            0 => 0.0,
            1 => one,
            _ => many,
        };
        let near = |steps: u8| match steps {
            1 => self.near,
            2 => self.near_2,
            3 => self.near_3,
            _ => 0.0,
        };
        let when = |is_so: bool, visits: f32| if is_so { visits } else { 0.0 };
        if remark.is_pass {
            return Sum { wins: 0.0, losses: self.pass };
        }
        let is_lonely_on = |lines: std::ops::RangeInclusive<u32>| {
            remark.is_lonely && line.is_some_and(|line| lines.contains(&line))
        };
        let wins = by_size(remark.n_captured, self.capture, self.capture_many)
            + by_size(remark.n_saved, self.save, self.save_many)
            + when(remark.is_pattern, self.pattern)
            + when(remark.is_fight, self.fight)
            + when(remark.is_race, self.race)
            + near(remark.fate[0])
            + self.before * near(remark.fate[1])
            + when(is_lonely_on(3..=3), self.line)
            + when(remark.n_hunted > 0, self.ladder);
        let losses = when(remark.is_self_atari, self.self_atari)
            + when(is_lonely_on(1..=2), self.line)
            + when(remark.is_caught, self.ladder);
        Sum { wins, losses }
    }
}

impl<G: Game> Prior<G> for Knowledge {
    fn gives(&self) -> Gives {
        Gives { p: self.p != Probability::None, h: true }
    }

    fn fill(&self, cx: &Cx<'_, G>, position: &G, actions: &[Action], out: &mut Priors) {
        self.p.fill(position, actions, &mut out.p);
        // First wins, losses and γ stand in the columns; in games without remarks there are no wins and
        // losses, and γ is 1.
        for column in [&mut out.visits, &mut out.h, &mut out.amaf_visits] {
            column.fill(0.0);
        }
        let mut weigh = |arm_idx: usize, remark: &Remark| {
            // Only a move far from all stones is weighed by its line.
            let line = if remark.is_lonely { position.line(actions[arm_idx]) } else { None };
            let sum = self.weigh(remark, line);
            (out.visits[arm_idx], out.h[arm_idx]) = (sum.wins, sum.losses);
        };
        let mut gamma_sum = 0.0;
        if self.likely > 0.0 {
            tactics::gammas(position, self.wants(), actions, &mut out.amaf_visits, weigh);
            gamma_sum = out.amaf_visits.iter().sum();
        } else {
            position.remark(self.wants(), actions, &mut weigh);
        }
        let scale = cx.reward.of_verdict(self.points);
        let even = in_quanta(self.even);
        let per_root = if gamma_sum > 0.0 { self.likely / gamma_sum.sqrt() } else { 0.0 };
        for ((visits, h), amaf_visits) in out.visits.iter_mut().zip(&mut out.h).zip(&mut out.amaf_visits) {
            let wins = in_quanta(*visits + per_root * amaf_visits.sqrt());
            let losses = in_quanta(*h);
            *visits = even + wins + losses;
            let share = if *visits > 0.0 { (wins - losses) / *visits } else { 0.0 };
            *h = cx.reward.neutral() + scale * share;
            *amaf_visits = in_quanta(self.amaf * *visits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::{Game5, Stage};

    #[test]
    fn reasons_add_up() {
        let knowledge = Knowledge { ladder: 5.0, race: 7.0, before: 0.5, ..Knowledge::default() };
        let check = |remark: Remark, line, wins, losses| {
            assert_eq!(knowledge.weigh(&remark, line), Sum { wins, losses }, "{remark:?}");
        };
        let plain = Remark::default();
        check(plain, Some(1), 0.0, 0.0);
        check(Remark { n_captured: 1, ..plain }, Some(4), 15.0, 0.0);
        check(
            Remark { n_captured: 4, n_saved: 1, is_pattern: true, ..plain },
            Some(4),
            30.0 + 15.0 + 10.0,
            0.0,
        );
        check(Remark { fate: [1, 2], is_fight: true, ..plain }, Some(4), 24.0 + 11.0 + 10.0, 0.0);
        check(Remark { is_race: true, ..plain }, Some(4), 7.0, 0.0);
        check(Remark { is_lonely: true, ..plain }, Some(1), 0.0, 10.0);
        check(Remark { is_lonely: true, ..plain }, Some(3), 10.0, 0.0);
        check(Remark { is_lonely: true, ..plain }, Some(4), 0.0, 0.0);
        check(Remark { n_hunted: 2, is_self_atari: true, ..plain }, Some(4), 5.0, 10.0);
        check(Remark { is_caught: true, ..plain }, Some(4), 0.0, 5.0);
        check(Remark { is_pass: true, ..plain }, None, 0.0, 10.0);
    }

    #[test]
    fn likely_moves_are_worth_the_root_of_their_probability() {
        let mut stage = Stage::new(Reward::Win);
        [12, 13].iter().for_each(|&point| stage.play(point));
        let plain: &dyn Prior<Game5> = &Knowledge::default();
        let plain = stage.fill(plain, &[8, 20, -1]);
        let p = stage.fill(&tactics::Tactics::default() as &dyn Prior<Game5>, &[8, 20, -1]).p;
        let likely: &dyn Prior<Game5> = &Knowledge { likely: 64.0, ..Knowledge::default() };
        let likely = stage.fill(likely, &[8, 20, -1]);
        for arm in 0..3 {
            let more = 64.0 * p[arm].sqrt();
            let visits = plain.visits[arm] + more;
            assert!((likely.visits[arm] - visits).abs() < 0.01, "{likely:?} {p:?}");
            let h = (plain.h[arm] * plain.visits[arm] + more) / visits;
            assert!((likely.h[arm] - h).abs() < 1e-3, "{likely:?} {p:?}");
        }
    }

    #[test]
    fn values_are_shares_of_wins() {
        let mut stage = Stage::new(Reward::Win);
        // Black 12, White 13: 8 is a hane next to the last move; 20 is a corner, four steps from the nearest stone.
        [12, 13].iter().for_each(|&point| stage.play(point));
        let prior: &dyn Prior<Game5> = &Knowledge { amaf: 0.5, ..Knowledge::default() };
        let priors = stage.fill(prior, &[8, 20, -1]);
        // 10 even, 24 near and 10 for the pattern: 39 of 44 won. 10 even and 10 lost: 5 of 20.
        let expected = [39.0 / 44.0, 0.25, 0.25];
        assert!(priors.h.iter().zip(expected).all(|(h, right)| (h - right).abs() < 1e-6), "{:?}", priors.h);
        assert_eq!((priors.visits, priors.amaf_visits), (vec![44.0, 20.0, 20.0], vec![22.0, 10.0, 10.0]));
    }
}
