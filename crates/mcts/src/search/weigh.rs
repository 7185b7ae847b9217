//! Weighing the arms of one node: estimates, mixture, first-play values, the arms kept, and the choice.

use super::method::SearchMethod;
use super::pieces::Pieces;
use crate::cx::{ChildMask, Cx, Estimates, Mixed};
use crate::math::argmax;
use crate::select::Draw;
use crate::tree::ChildIdx;
use goban::Rng;

/// The columns in which one node's arms are weighed.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) models: Vec<Estimates>,
    pub(crate) mixed: Mixed,
    pub(crate) mask: ChildMask,
    pub(crate) scores: Vec<f32>,
}

impl Scratch {
    /// Estimates, mixes and values the arms of `cx.node`; with `has_untried` there may be some that were never tried.
    pub(crate) fn weigh(&mut self, pieces: &Pieces, cx: &Cx<'_>, has_untried: bool) {
        self.forget_ancestors();
        self.weigh_below(pieces, cx, has_untried);
    }

    /// The models forget what they keep of the nodes above: it may have changed.
    pub(crate) fn forget_ancestors(&mut self) {
        self.models.iter_mut().for_each(|model| model.ancestors.forget());
    }

    /// As [`Scratch::weigh`] for one node after the other down a path, between which nothing changes.
    pub(crate) fn weigh_below(&mut self, pieces: &Pieces, cx: &Cx<'_>, has_untried: bool) {
        self.resize(cx.node.n_children(), pieces.models.len());
        for (model, out) in pieces.models.iter().zip(&mut self.models) {
            model.estimate(cx, out);
        }
        pieces.mixer.mix(cx, &self.models, &mut self.mixed);
        cx.arms.value_unknown(&self.models, &mut self.mixed.value);
        if has_untried {
            pieces.fpu.fill(cx, &self.models, &mut self.mixed);
        }
    }

    /// Makes room for this many arms in all columns; neighbouring nodes mostly have as many.
    #[inline]
    fn resize(&mut self, n_children: usize, n_models: usize) {
        if self.scores.len() == n_children && self.models.len() == n_models {
            return;
        }
        self.models.resize_with(n_models, Estimates::default);
        self.models.iter_mut().for_each(|model| model.resize(n_children));
        self.mixed.resize(n_children, n_models);
        self.scores.resize(n_children, 0.0);
    }

    /// Chooses the arm to follow; `barred` is empty below the root.
    pub(crate) fn select(
        &mut self,
        pieces: &Pieces,
        cx: &Cx<'_>,
        barred: &[bool],
        rng: &mut Rng,
    ) -> ChildIdx {
        self.mask.reset(cx.node.n_children());
        pieces.widener.keep(cx, &self.models, &self.mixed, &mut self.mask);
        self.mask.bar(barred);
        if let SearchMethod::Flat { .. } = pieces.method {
            return self.select_rarest(cx.arms.begun(), rng);
        }
        let mut draw = Draw { scores: &mut self.scores, rng };
        pieces.selector.select(cx, &self.models, &self.mixed, &self.mask, &mut draw)
    }

    /// The least visited arm among those kept.
    fn select_rarest(&mut self, n: &[f32], rng: &mut Rng) -> ChildIdx {
        for (child_idx, (score, n)) in self.scores.iter_mut().zip(n).enumerate() {
            *score = if self.mask.allows(child_idx) { -n } else { f32::NEG_INFINITY };
        }
        ChildIdx(argmax(&self.scores, |n| rng.below(n)).unwrap_or(0) as u16)
    }
}
