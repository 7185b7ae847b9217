//! H(s_t, a) = Q(s_{t−2}, a): an arm starts with what the same action was worth when its mover was last to move.
//! [Gelly & Silver 2007, §7, "grandfather heuristic"]
//!
//! Q is the Monte-Carlo mean of the grandparent's arm at this moment, that arm's own prior included, so that a value is
//! handed down from one generation to the next. The simulation that is under way has not come to its end and is left
//! out. H is neutral (½, or 0 points) where the root is too near for a grandparent, and where the grandparent lacks the
//! arm or knows nothing of it. The equivalent experience is the same for all arms; n ← C, Q ← H; ñ ← C̃, Q̃ ← H.

use super::{Experience, FillP, FindP, Prior, Probability, Stage};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Priors};
use crate::estimate::mc;
use crate::game::{Action, Game};
use crate::tree::layout::{CountColumn, SumColumn};
use crate::tree::{ChildIdx, Node};
use std::sync::atomic::Ordering::Relaxed;

recipe::params! {
    /// Every arm starts at the value of the same action two moves before.
    pub struct Grandfather as "grandfather" {
        visits: f32 = 50.0, 0.0..=10_000.0, "C: visits of the Monte-Carlo model that the value is worth";
        amaf_visits: f32 = 50.0, 0.0..=10_000.0, "C̃: visits of the AMAF models that it is worth";
        p: word(Probability) = Probability::None, "where P(a) comes from, for those who need it";
    }
}

/// The prior with the columns it reads.
struct Heir<G> {
    experience: Experience,
    p: Option<FillP<G>>,
    /// w of the model `mc`.
    sum: SumColumn,
    /// C as `f32` bits, if the prior has experience.
    pseudo: Option<CountColumn>,
}

/// Builds the prior.
pub fn build<G: Game>(
    params: &Grandfather,
    blueprint: &mut Blueprint<'_>,
    find_p: FindP<'_, G>,
) -> Result<Box<dyn Prior<G>>, recipe::Error> {
    let Grandfather { visits, amaf_visits, p } = *params;
    let (experience, p) = (Experience { visits, amaf_visits }, find_p(p)?);
    blueprint.model_idx("mc", VARIANT.name)?;
    blueprint.layout.give(experience.gives(p.is_some()));
    let mc::McColumns { sum } = blueprint.shared();
    Ok(Box::new(Heir { experience, p, sum, pseudo: blueprint.layout.h.map(|columns| columns.visits) }))
}

impl<G> Heir<G> {
    /// The mean of an arm of the grandparent, if it has any visits, real or not; those under way do not count.
    fn mean(&self, node: Node<'_>, child: ChildIdx) -> Option<f32> {
        let pseudo =
            self.pseudo.map_or(0.0, |column| f32::from_bits(node.counts(column)[child.idx()].load(Relaxed)));
        let n = node.visits(child) as f32 + pseudo;
        (n > 0.0).then(|| node.sum(self.sum, child) / n)
    }
}

impl<G: Game> Prior<G> for Heir<G> {
    fn fill(&self, cx: &Cx<'_>, position: &G, actions: &[Action], _stage: Stage, out: &mut Priors) {
        self.p.into_iter().for_each(|fill| fill(position, actions, &mut out.p));
        self.experience.fill(cx.reward.neutral(), out);
        let Some(step) = cx.path.len().checked_sub(2).map(|idx| &cx.path[idx]) else { return };
        // Where turns do not alternate the grandparent's values may be those of the other side.
        let Some(grandparent) = cx.tree.node(step.node).filter(|_| step.mover == cx.mover) else { return };
        let mut place = 0;
        for (h, &action) in out.h.iter_mut().zip(actions) {
            let Some(child) = find_from(grandparent, place, action) else { continue };
            place = child.idx() + 1;
            *h = self.mean(grandparent, child).unwrap_or(*h);
        }
    }
}

/// The child that plays an action, looked for from `place` on and then from the start: both lists have the game's
/// order, so the next action mostly follows the one before.
fn find_from(node: Node<'_>, place: usize, action: Action) -> Option<ChildIdx> {
    let n_children = node.n_children();
    let places = (place..n_children).chain(0..place.min(n_children));
    places.map(|idx| ChildIdx(idx as u16)).find(|&child| node.action(child) == action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cx::{Arms, PathStep};
    use crate::game::{Reward, Side};
    use crate::prior::tests::{Game5, Scene, blueprint, find_p};
    use crate::tree::Tree;

    const FIRST: Side = Side::First;
    const SECOND: Side = Side::Second;

    /// H of the arms `actions` two moves below a root whose arms have (action, visits, pseudo-visits, sum); the path
    /// takes the root's arm 0, and `mover` moved there.
    fn heirs(
        grandparent: &[(u16, u32, f32, f32)],
        reward: Reward,
        mover: Side,
        actions: &[u16],
    ) -> (Vec<f32>, Vec<f32>) {
        let game = Scene::new(reward).game;
        let distance = |a, b| game.distance(a, b);
        let mut blueprint = blueprint(&game, &distance, &["mc"], reward);
        let prior = build::<Game5>(&Grandfather::default(), &mut blueprint, &find_p).unwrap();
        let mc::McColumns { sum } = blueprint.shared();
        let tree = Tree::new(blueprint.layout, 1 << 20);
        let arms: Vec<Action> = grandparent.iter().map(|arm| Action(arm.0)).collect();
        let root = tree.add(FIRST, &arms).unwrap();
        let pseudo: Vec<f32> = grandparent.iter().map(|arm| arm.2).collect();
        root.write_floats(tree.layout().h.unwrap().visits, &pseudo);
        for (idx, arm) in grandparent.iter().enumerate() {
            root.add_visits(ChildIdx(idx as u16), arm.1);
            root.add_sum(sum, ChildIdx(idx as u16), arm.3);
        }
        root.begin_visit(ChildIdx(0));
        let parent = tree.add(SECOND, &arms).unwrap();
        let actions: Vec<Action> = actions.iter().map(|&action| Action(action)).collect();
        let node = tree.add(FIRST, &actions).unwrap();
        let step =
            |node: Node<'_>, mover| PathStep { node: node.id(), child: ChildIdx(0), action: arms[0], mover };
        let path = [step(root, mover), step(parent, SECOND)];
        let none = Arms::default();
        let mut out = Priors::default();
        out.resize(actions.len(), tree.layout().gives());
        prior.fill(&Cx::at(&tree, &path, node, &none), &game, &actions, Stage::Birth, &mut out);
        let from_root = out.h.clone();
        prior.fill(&Cx::at(&tree, &path[..1], node, &none), &game, &actions, Stage::Birth, &mut out);
        assert_eq!(
            out.h,
            vec![reward.neutral(); actions.len()],
            "one step below the root there is no grandfather"
        );
        (from_root, out.visits)
    }

    #[test]
    fn worked_by_hand() {
        // Arm 0: 1.5 of 3 won, a fourth visit is under way. Arm 1: 1 of 4. Arm 2 untried. Arm 3: only a prior of
        // ¾ worth 8. Arm 4: 2 of 2 won and a prior of ¼ worth 2: 2.5/4. Arm 5: all lost.
        let grandparent = [
            (0, 3, 0.0, 1.5),
            (1, 4, 0.0, 1.0),
            (2, 0, 0.0, 0.0),
            (3, 0, 8.0, 6.0),
            (4, 2, 2.0, 2.5),
            (5, 10_000_000, 0.0, 0.0),
        ];
        let (h, visits) = heirs(&grandparent, Reward::Win, FIRST, &[1, 2, 3, 4, 5, 9, 0]);
        assert_eq!(h, [0.25, 0.5, 0.75, 0.625, 0.0, 0.5, 0.5]);
        assert_eq!(visits, [50.0; 7]);
        // In points the same sums are means of points, and neutral is 0.
        let (h, _) = heirs(&[(0, 1, 0.0, 0.0), (7, 4, 0.0, -90.0)], Reward::Score, FIRST, &[7, 0, 8]);
        assert_eq!(h, [-22.5, 0.0, 0.0]);
        // The other side's values are not one's own.
        let (h, _) = heirs(&grandparent, Reward::Win, SECOND, &[1, 3]);
        assert_eq!(h, [0.5; 2]);
    }

    #[test]
    fn it_needs_the_model_it_reads() {
        let game = Scene::new(Reward::Win).game;
        let distance = |a, b| game.distance(a, b);
        let mut without = blueprint(&game, &distance, &["rave"], Reward::Win);
        let error = build::<Game5>(&Grandfather::default(), &mut without, &find_p).err().unwrap();
        assert!(error.to_string().starts_with("`grandfather` cannot be used here: it reads the model `mc`"));
        let params = Grandfather { visits: 0.0, amaf_visits: 0.0, p: Probability::Flat };
        let mut with = blueprint(&game, &distance, &["mc"], Reward::Win);
        build::<Game5>(&params, &mut with, &find_p).unwrap();
        assert_eq!(with.gives(), crate::tree::layout::Gives { p: true, h: false });
    }
}
