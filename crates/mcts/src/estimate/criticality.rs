//! AMAF with virtual wins by criticality: where owning a point goes together with winning the game, playing
//! there counts for more. [Coulom 2009; Pellegrino et al. 2009; as virtual wins of AMAF: Baudiš & Gailly 2011]
//!
//! crit(x) = P(owner of x = winner) − (P(b owns x)·P(b wins) + P(w owns x)·P(w wins)), over simulations through a node. With
//! o = ±1 the owner and z = ±1 the winner, both as one player sees them, that is ½·(E(o·z) − E(o)·E(z)), from −½ to ½; a
//! point of nobody and a draw are 0. It is the same for both players, so a node that has seen too few ends takes what the
//! nearest ancestor with enough has seen, and nothing if there is none.
//!
//! With κ = `weight`·crit an arm of Q̃ and ñ is taken to have κ·ñ more observations, all won: Q̃′ = (Q̃ + κ)/(1 + κ) and
//! ñ′ = ñ·(1 + κ), Q̃′ kept within 0 and 1 and κ above −0.9. Q̃ and ñ are those of `rave`, or of `grave` where `visits` is
//! above 0. Pachi asks for 2000 visits of the arm's own node; no arm has these in a short search, hence the ancestors.

use super::Estimator;
use super::amaf::{match_arms, nearest};
use super::grave::from_ancestors;
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Priors, Visit};
use crate::math::{at_least, at_most};
use crate::tree::Node;
use crate::tree::layout::{CountColumn, NodeCount};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// As rave or grave, with virtual wins for points whose owner wins.
    pub struct Criticality as "criticality" {
        weight: f32 = 1.1, 0.0..=10.0, "virtual wins for each observation and unit of criticality";
        every: u32 = 4, 1..=64, "simulations for each one whose owners are noted";
        ends: u32 = 75, 1..=1000000, "ends with their owners that a node must have seen, or the nearest ancestor that has";
        visits: u32 = 0, 0..=1000000000, "visits a node needs before its own statistics count, as in grave";
        near: u32 = 1, 1..=8, "weight of a move that came at once, as in rave-distance";
    }
}

/// Builds the model.
pub fn build(
    params: &Criticality,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Estimator>, recipe::Error> {
    blueprint.need_win(VARIANT.name)?;
    if !blueprint.facts.has_owners {
        return Err(recipe::Error::unsuitable(
            VARIANT.name,
            "it reads who owns points, and this game has none",
        ));
    }
    let layout = &mut blueprint.layout;
    Ok(Box::new(Critical {
        columns: Columns {
            ends: layout.node_count(),
            wins: layout.node_count(),
            owned: layout.count(),
            both: layout.count(),
        },
        amaf: from_ancestors(layout, params.visits, params.near),
        params: params.clone(),
    }))
}

/// The model with its columns.
struct Critical {
    amaf: Box<dyn Estimator>,
    params: Criticality,
    columns: Columns,
}

/// Sums of z are kept in 64ths, as whole numbers with a sign.
const Z_UNIT: f32 = 64.0;
/// Ends after which a node learns no more, so that no sum outgrows its 32 bits.
const MAX_ENDS: u32 = 1 << 24;
/// The least κ: what is left of ñ is a tenth.
const LEAST_GAIN: f32 = -0.9;

#[derive(Debug, Clone, Copy)]
struct Columns {
    /// Ends whose owners were looked at.
    ends: NodeCount,
    /// Σ z, as the first player sees it: it makes no difference who looks.
    wins: NodeCount,
    /// Σ o by arm, likewise.
    owned: CountColumn,
    /// Σ o·z by arm.
    both: CountColumn,
}

impl Estimator for Critical {
    fn reads_trace(&self) -> bool {
        true
    }

    fn ownership_every(&self) -> Option<u32> {
        Some(self.params.every)
    }

    fn estimate(&self, cx: &Cx<'_>, out: &mut Estimates) {
        self.amaf.estimate(cx, out);
        let columns = self.columns;
        let has_enough = |node: Node<'_>| node.node_count(columns.ends).load(Relaxed) >= self.params.ends;
        let source = nearest(cx, has_enough);
        if !has_enough(source) {
            return;
        }
        let n = source.node_count(columns.ends).load(Relaxed) as f32;
        let mean_z = signed(source.node_count(columns.wins)) / (n * Z_UNIT);
        let (owned, both) = (source.counts(columns.owned), source.counts(columns.both));
        match_arms(source, cx.node, |arm_idx, child| {
            let Some(child) = child else { return };
            let mean_o = signed(&owned[child.idx()]) / n;
            let mean_oz = signed(&both[child.idx()]) / (n * Z_UNIT);
            let gain = self.params.weight * 0.5 * (mean_oz - mean_o * mean_z);
            lift(gain, &mut out.mean[arm_idx], &mut out.weight[arm_idx]);
        });
    }

    fn seed(&self, node: Node<'_>, old: &Priors, new: &Priors) {
        self.amaf.seed(node, old, new);
    }

    fn observe(&self, cx: &Cx<'_>, visit: &Visit<'_>) {
        self.amaf.observe(cx, visit);
        let (columns, ownership) = (self.columns, &visit.outcome.ownership);
        if ownership.is_empty() {
            return;
        }
        // A sample of any weight is one look at the board.
        if cx.node.node_count(columns.ends).fetch_add(1, Relaxed) >= MAX_ENDS {
            cx.node.node_count(columns.ends).store(MAX_ENDS, Relaxed);
            return;
        }
        let z = ((2.0 * visit.outcome.win - 1.0) * Z_UNIT) as i32;
        let add = |cell: &AtomicU32, x: i32| cell.fetch_add(x as u32, Relaxed);
        add(cx.node.node_count(columns.wins), z);
        let cells = cx.node.counts(columns.owned).iter().zip(cx.node.counts(columns.both));
        for (action, (owned, both)) in cx.node.actions().zip(cells) {
            let owner = ownership.get(action.idx()).map_or(0, |&owner| owner as i32);
            if owner != 0 {
                add(owned, owner);
                add(both, owner * z);
            }
        }
    }
}

/// A sum that may be negative.
#[inline]
fn signed(cell: &AtomicU32) -> f32 {
    cell.load(Relaxed) as i32 as f32
}

/// Adds `gain` won observations to each of an arm's own.
#[inline]
fn lift(gain: f32, mean: &mut f32, weight: &mut f32) {
    let gain = at_least(gain, LEAST_GAIN);
    if *weight > 0.0 {
        *mean = at_most(at_least((*mean + gain) / (1.0 + gain), 0.0), 1.0);
        *weight *= 1.0 + gain;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::trial::{Trial, model};

    #[track_caller]
    fn check_lift(gain: f32, (mean, weight): (f32, f32), expected: (f32, f32)) {
        let (mut mean, mut weight) = (mean, weight);
        lift(gain, &mut mean, &mut weight);
        assert!((mean - expected.0).abs() < 1e-6, "{mean}");
        assert!((weight - expected.1).abs() <= 1e-6 * expected.1, "{weight}");
    }

    #[test]
    fn virtual_wins_by_hand() {
        // κ = ¼: 40 observations of mean ½ become 50 of (20 + 10)/50.
        check_lift(0.25, (0.5, 40.0), (0.6, 50.0));
        // κ = −¼: (20 − 10)/30.
        check_lift(-0.25, (0.5, 40.0), (1.0 / 3.0, 30.0));
        check_lift(0.0, (0.25, 3.0), (0.25, 3.0));
        // A mean stays one, whatever is taken from it; a tenth of the observations is left.
        check_lift(-0.5, (0.25, 10.0), (0.0, 5.0));
        check_lift(-5.0, (0.95, 1e7), (0.5, 1e6));
        check_lift(5.0, (0.0, 1.0), (5.0 / 6.0, 6.0));
        // Where nothing is known nothing is added.
        check_lift(0.5, (0.5, 0.0), (0.5, 0.0));
    }

    /// Eight ends seen at the root: Black owns 0 exactly when he wins, 1 always, 2 exactly when he loses, 3 half of the
    /// time, whether he wins or not. He wins half of them.
    fn watch(trial: &Trial) {
        for (win, third) in [(1.0, 1), (1.0, -1), (0.0, 1), (0.0, -1)] {
            let sign = if win > 0.5 { 1 } else { -1 };
            for moves in [[0, 1, 2], [3, 1, 2]] {
                trial.play_to_end(&moves, win, &[sign, 1, -sign, third]);
            }
        }
    }

    #[test]
    fn worked_by_hand() {
        // E[z] = 0. Point 0: E[oz] = 1, crit = ½; 1: E[oz] = E[z] = 0, crit 0; 2: −½; 3: 0.
        // RAVE: 0 was played in four of them, two won; 2 in all eight, four won; 3 in four, two won.
        // Arm 0: κ = 1.1·½ = 0.55: (½ + 0.55)/1.55 and 4·1.55; arm 2: κ = −0.55: (½ − 0.55)/0.45 is below 0, 8·0.45.
        let trial = Trial::new(&[model("criticality:ends=8")], None);
        watch(&trial);
        trial.expect(0, [(1.05 / 1.55, 6.2), (0.5, 0.0), (0.0, 3.6), (0.5, 4.0), (0.5, 0.0)]);
    }

    #[test]
    fn one_sided_games_have_little_of_it() {
        // Black wins three of four and owns 0 in the same three: E[o] = E[z] = ½, E[oz] = 1, crit = ½·(1 − ¼) = ⅜. By the
        // formula with probabilities: 1 − (¾·¾ + ¼·¼) = ⅜. He owns 1 always: 1·¾ … E[oz] − E[o]·E[z] = ½ − ½ = 0.
        // Arm 0, always played: Q̃ = ¾, κ = 1·⅜: (¾ + ⅜)/(1 + ⅜) = 9/11, 4·11/8.
        let trial = Trial::new(&[model("criticality:ends=1,weight=1")], None);
        for (win, owner) in [(1.0, 1), (1.0, 1), (1.0, 1), (0.0, -1)] {
            trial.play_to_end(&[0, 1], win, &[owner, 1]);
        }
        trial.expect(0, [(9.0 / 11.0, 5.5), (0.5, 0.0), (0.5, 0.0), (0.5, 0.0), (0.5, 0.0)]);
        // Draws and points of nobody say nothing.
        let even = Trial::new(&[model("criticality:ends=1")], None);
        even.play_to_end(&[0, 1], 0.5, &[1, -1, 0, 1]);
        even.expect(0, [(0.5, 1.0), (0.5, 0.0), (0.5, 0.0), (0.5, 0.0), (0.5, 0.0)]);
    }

    #[test]
    fn a_node_that_saw_too_little_takes_its_ancestors() {
        // The root saw eight ends, White's node below B0 four of them and those in which Black plays 0. White there owns 0
        // as often as he wins: the same criticality.
        let trial = Trial::new(&[model("criticality:ends=8"), model("criticality:ends=9")], None);
        trial.grow(0, &[1, 2, 3]);
        watch(&trial);
        // Below B0 White's 1 was played four times and won twice; 1 has no criticality at the root, 2 has −½.
        trial.expect_below(0, 0, [(0.5, 4.0), (0.5, 0.0), (0.5, 0.0)]);
        trial.play(&[0, 2], 1.0, 1);
        // White's 2 lost once: κ = −0.55 leaves 0 of 0.45.
        trial.expect_below(0, 0, [(0.5, 4.0), (0.0, 0.45), (0.5, 0.0)]);
        // Where nobody saw nine ends it is RAVE.
        trial.expect_below(0, 1, [(0.5, 4.0), (0.0, 1.0), (0.5, 0.0)]);
        trial.expect(1, [(0.6, 5.0), (0.5, 0.0), (0.5, 8.0), (0.5, 4.0), (0.5, 0.0)]);
    }

    #[test]
    fn without_weight_it_is_what_it_is_made_of() {
        let models = ["criticality:weight=0,ends=1", "rave", "criticality:weight=0,ends=1,visits=50,near=3"];
        let mut models = models.map(model).into_iter().collect::<Vec<_>>();
        models.push(model("grave:near=3"));
        let trial = Trial::new(&models, Some((0.75, 2.0, 2.0)));
        watch(&trial);
        assert_eq!(trial.estimates(0), trial.estimates(1));
        assert_eq!(trial.estimates(2), trial.estimates(3));
    }

    #[test]
    fn very_many_ends_are_enough() {
        // A node whose cells are nearly full stops to learn instead of wrapping around.
        let trial = Trial::new(&[model("criticality:ends=1")], None);
        trial.play_to_end(&[0, 1], 1.0, &[1]);
        let ends = NodeCount(0);
        trial.root().node_count(ends).store(MAX_ENDS, Relaxed);
        trial.play_to_end(&[0, 1], 1.0, &[1]);
        assert_eq!(trial.root().node_count(ends).load(Relaxed), MAX_ENDS);
        assert!(trial.estimates(0).iter().all(|(mean, weight)| mean.is_finite() && *weight >= 0.0));
    }
}
