//! A node drawn by its columns, for the tests of the selectors.

use super::Selector;
use crate::blueprint::Blueprint;
use crate::cx::{Arms, Cx, Estimates, Mixed};
use crate::game::{Action, Reward, Side};
use crate::tree::Tree;
use crate::tree::layout::Gives;

/// The plan of a search with these models whose prior gives P(a).
pub(crate) fn with_p(models: &[&'static str]) -> Blueprint<'static> {
    Blueprint::drawn(models, Gives { p: true, h: false }, Reward::Win)
}

/// One model of a drawn node: mean, weight and β of every arm.
pub(crate) type Column<'a> = (&'a [f32], &'a [f32], &'a [f32]);

/// A node drawn by its columns: visits, mixed values (urgencies where n = 0), P(a), and the models.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn<'a> {
    pub(crate) n: &'a [f32],
    pub(crate) value: &'a [f32],
    pub(crate) p: &'a [f32],
    pub(crate) models: &'a [Column<'a>],
}

impl Drawn<'_> {
    /// The scores a selector gives this node's arms.
    pub(crate) fn score(&self, selector: &dyn Selector) -> Vec<f32> {
        let tree = Tree::new(with_p(&[]).layout, 1 << 20);
        let actions: Vec<Action> = (0..self.n.len() as u16).map(Action).collect();
        let node = tree.add(Side::First, &actions).unwrap();
        node.write_floats(tree.layout().p.unwrap(), self.p);
        let mut arms = Arms::default();
        arms.n = self.n.to_vec();
        arms.total = self.n.iter().sum();
        let models: Vec<Estimates> = self
            .models
            .iter()
            .map(|(mean, weight, _)| Estimates {
                mean: mean.to_vec(),
                weight: weight.to_vec(),
                ..Estimates::default()
            })
            .collect();
        let weights = self.models.iter().map(|(_, _, beta)| beta.to_vec()).collect();
        let mixed = Mixed { value: self.value.to_vec(), weights };
        let mut out = vec![f32::NAN; self.n.len()];
        selector.score(&Cx::at(&tree, &[], node, &arms), &models, &mixed, &mut out);
        out
    }

    #[track_caller]
    pub(crate) fn check(&self, selector: &dyn Selector, expected: &[f32]) {
        assert_close(&self.score(selector), expected);
    }
}

/// Fails unless every score is finite and right to six digits.
#[track_caller]
pub(crate) fn assert_close(got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (x, right) in got.iter().zip(expected) {
        let is_close = (x - right).abs() <= 2e-6 * right.abs().max(1.0);
        assert!(x.is_finite() && is_close, "{got:?} instead of {expected:?}");
    }
}
