//! H(s,a) = Σ cᵢ·hᵢ / Σ cᵢ, C(s,a) = Σ cᵢ: every reason for or against a move adds visits of its own, wins for good
//! reasons and losses for bad ones, to those of an even game. [the priors of Pachi, Fuego and michi]
//!
//! With `late` a new node gets only what is cheap; patterns, ladders and races join when it has shown to be visited, and the
//! visits that the prior adds are exchanged for the better ones. The cheap factors were fitted together with
//! those of the patterns and say less without them (about 1 nat a move): no recipe uses `late` until they have a fit of
//! their own.
//!
//! The reasons are the rules of the playouts and a few that only a tree can afford: the line of a move far from all
//! stones, distance to the last moves along chains (the common-fate graph), ladders read to their end. With rewards in
//! points a win is worth `points`, a loss as much less.

use super::{GoGame, probability, with_moves};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::game::Action;
use crate::math::at_least;
use crate::prior::{FillP, Prior, Probability, Stage, in_quanta};
use crate::tree::layout::Gives;
use goban::SizeClass;
use model::features::{self, MoveFeatures, Wanted};
use model::tactics::Tactics;

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
        late: u32 = 0, 0..=1_000_000_000, "visits of a node at which what costs time joins: circular patterns, ladders, races; 0: at its birth";
        amaf: f32 = 0.0, 0.0..=10.0, "visits of the AMAF models, as a share of those of `mc`";
        points: f32 = 10.0, 0.0..=1000.0, "what a win is worth where the reward is the score";
        p: word(Probability) = Probability::None, "where P(a) comes from, for those who need it";
    }
}

/// Builds the prior.
pub fn build<C: SizeClass>(
    params: &Knowledge,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Prior<GoGame<C>>>, recipe::Error> {
    blueprint.layout.give(Gives { p: params.p != Probability::None, h: true });
    if params.amaf == 0.0 {
        blueprint.layout.give_no_amaf();
    }
    Ok(Box::new(ByReasons { params: params.clone(), p: probability(params.p) }))
}

/// The prior with its source of P(a).
struct ByReasons<C: SizeClass> {
    params: Knowledge,
    p: Option<FillP<GoGame<C>>>,
}

/// Wins and losses that reasons add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Sum {
    wins: f32,
    losses: f32,
}

impl Knowledge {
    /// Whether priors of this stage are complete.
    fn is_whole(&self, stage: Stage) -> bool {
        self.late == 0 || stage == Stage::Refined
    }

    /// The features that cost time and that are weighed.
    fn wanted(&self, stage: Stage) -> Wanted {
        let n_cfg_distances = match (self.near + self.near_2 + self.near_3 > 0.0, self.before > 0.0) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let is_whole = self.is_whole(stage);
        let (ladder, semeai) = (is_whole && self.ladder > 0.0, is_whole && self.race > 0.0);
        Wanted { ladder, semeai, n_cfg_distances }
    }

    /// Whether nothing is known for or against a move that would be weighed: true of most.
    #[inline]
    fn is_plain(&self, features: &MoveFeatures) -> bool {
        let MoveFeatures { n_captured, n_saved, n_laddered, is_caught, is_self_atari, .. } = *features;
        n_captured | n_saved | n_laddered == 0
            && !(is_caught | is_self_atari | features.is_fight | features.is_semeai)
            && features.cfg_distance == [0; 2]
            && !(features.is_pattern && self.pattern > 0.0)
            && !(features.is_lonely && self.line > 0.0)
    }

    /// The wins and losses that the features of a move add up to.
    fn weigh(&self, features: &MoveFeatures) -> Sum {
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
        if features.is_pass {
            return Sum { wins: 0.0, losses: self.pass };
        }
        if self.is_plain(features) {
            return Sum::default();
        }
        let is_lonely_on =
            |lines: std::ops::RangeInclusive<u8>| features.is_lonely && lines.contains(&features.lines[0]);
        let wins = by_size(features.n_captured, self.capture, self.capture_many)
            + by_size(features.n_saved, self.save, self.save_many)
            + when(features.is_pattern, self.pattern)
            + when(features.is_fight, self.fight)
            + when(features.is_semeai, self.race)
            + near(features.cfg_distance[0])
            + self.before * near(features.cfg_distance[1])
            + when(is_lonely_on(3..=3), self.line)
            + when(features.n_laddered > 0, self.ladder);
        let losses = when(features.is_self_atari, self.self_atari)
            + when(is_lonely_on(1..=2), self.line)
            + when(features.is_caught, self.ladder);
        Sum { wins, losses }
    }
}

impl<C: SizeClass> Prior<GoGame<C>> for ByReasons<C> {
    fn refines_at(&self) -> Option<u32> {
        (self.params.late > 0).then_some(self.params.late)
    }

    fn fill(&self, cx: &Cx<'_>, game: &GoGame<C>, actions: &[Action], stage: Stage, out: &mut Priors) {
        self.p.into_iter().for_each(|fill| fill(game, actions, &mut out.p));
        let params = &self.params;
        // First wins, losses and γ stand in the columns.
        for column in [&mut out.visits, &mut out.h, &mut out.amaf_visits] {
            column.fill(0.0);
        }
        let Priors { h, visits, amaf_visits, .. } = out;
        let weigh = |arm_idx: usize, features: &MoveFeatures| {
            let sum = params.weigh(features);
            (visits[arm_idx], h[arm_idx]) = (sum.wins, sum.losses);
        };
        let gamma_sum: f32 = with_moves::<C, _>(actions, |moves| {
            if params.likely > 0.0 {
                let tactics = Tactics::of(game.board.size());
                tactics.fill_cheap(&game.view(), params.wanted(stage), moves, amaf_visits, weigh);
                if params.is_whole(stage) {
                    tactics.multiply_patterns(&game.view(), moves, amaf_visits);
                }
                amaf_visits.iter().sum()
            } else {
                features::each_move(&game.view(), params.wanted(stage), moves, weigh);
                0.0
            }
        });
        let (neutral, scale) = (cx.reward.neutral(), cx.reward.of_sure_win(params.points));
        let (even, amaf) = (in_quanta(params.even), params.amaf);
        let per_root = if gamma_sum > 0.0 { params.likely / gamma_sum.sqrt() } else { 0.0 };
        for ((visits, h), amaf_visits) in visits.iter_mut().zip(h).zip(amaf_visits) {
            let wins = in_quanta(*visits + per_root * amaf_visits.sqrt());
            let losses = in_quanta(*h);
            *visits = even + wins + losses;
            // Without visits there are neither wins nor losses: the smallest normal number keeps 0/0 away.
            let share = (wins - losses) / at_least(*visits, f32::MIN_POSITIVE);
            *h = neutral + scale * share;
            *amaf_visits = in_quanta(amaf * *visits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::prior::tests::Scene;

    fn fill(scene: &Scene, knowledge: &Knowledge, points: &[i16]) -> Priors {
        scene.fill("knowledge", |blueprint, _| build(knowledge, blueprint), points)
    }

    #[test]
    fn reasons_add_up() {
        let knowledge = Knowledge { ladder: 5.0, race: 7.0, before: 0.5, ..Knowledge::default() };
        let check = |features: MoveFeatures, line: u8, wins, losses| {
            let features = MoveFeatures { lines: [line, 9], ..features };
            assert_eq!(knowledge.weigh(&features), Sum { wins, losses }, "{features:?}");
        };
        let plain = MoveFeatures::default();
        check(plain, 1, 0.0, 0.0);
        check(MoveFeatures { n_captured: 1, ..plain }, 4, 15.0, 0.0);
        check(
            MoveFeatures { n_captured: 4, n_saved: 1, is_pattern: true, ..plain },
            4,
            30.0 + 15.0 + 10.0,
            0.0,
        );
        check(MoveFeatures { cfg_distance: [1, 2], is_fight: true, ..plain }, 4, 24.0 + 11.0 + 10.0, 0.0);
        check(MoveFeatures { is_semeai: true, ..plain }, 4, 7.0, 0.0);
        check(MoveFeatures { is_lonely: true, ..plain }, 1, 0.0, 10.0);
        check(MoveFeatures { is_lonely: true, ..plain }, 3, 10.0, 0.0);
        check(MoveFeatures { is_lonely: true, ..plain }, 4, 0.0, 0.0);
        check(MoveFeatures { n_laddered: 2, is_self_atari: true, ..plain }, 4, 5.0, 10.0);
        check(MoveFeatures { is_caught: true, ..plain }, 4, 0.0, 5.0);
        check(MoveFeatures { is_pass: true, ..plain }, 1, 0.0, 10.0);
    }

    #[test]
    fn likely_moves_are_worth_the_root_of_their_probability() {
        let mut scene = Scene::new(Reward::Win);
        [12, 13].iter().for_each(|&point| scene.play(point));
        let plain = fill(&scene, &Knowledge::default(), &[8, 20, -1]);
        let p = fill(&scene, &Knowledge { p: Probability::Tactics, ..Knowledge::default() }, &[8, 20, -1]).p;
        let likely = fill(&scene, &Knowledge { likely: 64.0, ..Knowledge::default() }, &[8, 20, -1]);
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
        let mut scene = Scene::new(Reward::Win);
        // Black 12, White 13: 8 is a hane next to the last move; 20 is a corner, four steps from the nearest stone.
        [12, 13].iter().for_each(|&point| scene.play(point));
        let priors = fill(&scene, &Knowledge { amaf: 0.5, ..Knowledge::default() }, &[8, 20, -1]);
        // 10 even, 24 near and 10 for the pattern: 39 of 44 won. 10 even and 10 lost: 5 of 20.
        let expected = [39.0 / 44.0, 0.25, 0.25];
        assert!(priors.h.iter().zip(expected).all(|(h, right)| (h - right).abs() < 1e-6), "{:?}", priors.h);
        assert_eq!((priors.visits, priors.amaf_visits), (vec![44.0, 20.0, 20.0], vec![22.0, 10.0, 10.0]));
    }
}
