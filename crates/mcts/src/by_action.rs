//! The tallies of an ancestor by action, kept while a simulation goes down the tree. Several nodes of a path mostly take the
//! statistics of the same ancestor, and none of them change before the simulation goes up again: so they are read once,
//! and each node finds its arms by their actions.

use crate::game::MAX_ACTIONS;
use crate::tree::layout::TallyColumn;
use crate::tree::{ChildIdx, Node, NodeId, Tree};
use std::sync::atomic::Ordering::Relaxed;

/// A sum of rewards and their number.
type Tally = [f32; 2];

/// The tally of an action that is no arm of the ancestor: a number of rewards below 0.
const ABSENT: Tally = [0.0, -1.0];

/// One column of one node.
#[derive(Debug, Clone)]
struct ColumnByAction {
    source: Option<(NodeId, TallyColumn)>,
    /// Of fixed size, so that an index of ten bits needs no check.
    tallies: Box<[Tally; MAX_ACTIONS]>,
}

/// The columns that are kept: one for the arms of either player.
#[derive(Debug, Clone, Default)]
pub(crate) struct TalliesByAction {
    columns: Vec<ColumnByAction>,
    sums: Vec<f32>,
    counts: Vec<f32>,
}

impl TalliesByAction {
    /// Keeps nothing: another simulation begins.
    pub(crate) fn forget(&mut self) {
        self.columns.iter_mut().for_each(|column| column.source = None);
    }

    /// Writes the sums and numbers of rewards that `source` has for the arms of `node` in `column`; for arms that it does not
    /// have those of the node itself, in `own`.
    pub(crate) fn read(
        &mut self,
        (tree, node): (&Tree, Node<'_>),
        (source, column): (Node<'_>, TallyColumn),
        own: TallyColumn,
        (sums, counts): (&mut [f32], &mut [f32]),
    ) {
        let tallies = self.find(source, column, tree.layout().n_actions);
        // A sign bit that is set says that some arm is absent.
        let mut signs = 0;
        for ((cell, sum), count) in node.action_cells().iter().zip(&mut *sums).zip(&mut *counts) {
            [*sum, *count] = tallies[usize::from(cell.load(Relaxed)) % MAX_ACTIONS];
            signs |= count.to_bits();
        }
        if signs >> 31 != 0 {
            for (arm_idx, (sum, count)) in sums.iter_mut().zip(counts).enumerate() {
                if *count < 0.0 {
                    (*sum, *count) = node.tally(own, ChildIdx(arm_idx as u16));
                }
            }
        }
    }

    /// The tallies of a node by action.
    fn find(&mut self, node: Node<'_>, column: TallyColumn, n_actions: usize) -> &[Tally; MAX_ACTIONS] {
        let wanted = Some((node.id(), column));
        let place = self.columns.iter().position(|kept| kept.source == wanted);
        let place = place.unwrap_or_else(|| self.keep(node, column, n_actions));
        &self.columns[place].tallies
    }

    /// Keeps a column in a free place and says which.
    fn keep(&mut self, node: Node<'_>, column: TallyColumn, n_actions: usize) -> usize {
        let place = self.columns.iter().position(|kept| kept.source.is_none()).unwrap_or_else(|| {
            self.columns.push(ColumnByAction { source: None, tallies: Box::new([ABSENT; MAX_ACTIONS]) });
            self.columns.len() - 1
        });
        let n_arms = node.n_children();
        self.sums.resize(n_arms, 0.0);
        self.counts.resize(n_arms, 0.0);
        node.read_tallies(column, &mut self.sums, &mut self.counts);
        let kept = &mut self.columns[place];
        kept.source = Some((node.id(), column));
        kept.tallies[..n_actions.min(MAX_ACTIONS)].fill(ABSENT);
        for ((cell, &sum), &count) in node.action_cells().iter().zip(&self.sums).zip(&self.counts) {
            kept.tallies[usize::from(cell.load(Relaxed)) % MAX_ACTIONS] = [sum, count];
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Reward, Side};
    use crate::tree::layout::Layout;

    #[test]
    fn kept_until_forgotten() {
        let mut layout = Layout::new(10, None, Reward::Win);
        let column = layout.tally();
        let tree = Tree::new(layout, 1 << 20);
        let source = tree.add(Side::First, &[1, 3, 5].map(Action)).unwrap();
        let node = tree.add(Side::Second, &[5, 2, 1].map(Action)).unwrap();
        // Two wins at 1 and 5 of the source; seven losses at all arms of the node.
        source.add_tallies(column, 1.0, 2, |action| action != Action(3));
        node.add_tallies(column, 0.0, 7, |_| true);
        let mut kept = TalliesByAction::default();
        let read = |kept: &mut TalliesByAction| {
            let (mut sums, mut counts) = ([9.0; 3], [9.0; 3]);
            kept.read((&tree, node), (source, column), column, (&mut sums, &mut counts));
            (sums, counts)
        };
        // The source has no arm 2.
        assert_eq!(read(&mut kept), ([2.0, 0.0, 2.0], [2.0, 7.0, 2.0]));
        // One win more at all arms is seen by the next simulation only.
        source.add_tallies(column, 1.0, 1, |_| true);
        assert_eq!(read(&mut kept), ([2.0, 0.0, 2.0], [2.0, 7.0, 2.0]));
        kept.forget();
        assert_eq!(read(&mut kept), ([3.0, 0.0, 3.0], [3.0, 7.0, 3.0]));
    }
}
