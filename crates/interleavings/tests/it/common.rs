//! A small tree, and what a node of it should look like.

use interleavings::game::{Action, Reward, Side};
use interleavings::tree::layout::{
    BlockColumn, CountColumn, FINE, Layout, NodeCount, SumColumn, TallyColumn,
};
use interleavings::tree::{ChildIdx, Node, NodeId, Tree};
use interleavings::{begin_visit, finish_visit, is_linked};
use std::sync::atomic::Ordering::Relaxed;

/// The arms that the models use.
pub(crate) const LEFT: ChildIdx = ChildIdx(0);
/// The other one.
pub(crate) const RIGHT: ChildIdx = ChildIdx(1);

/// More than any model needs.
pub(crate) const ROOMY: usize = 1 << 12;

/// The columns of the models' trees: one of each kind.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    /// Priors, as `f32` bits.
    pub(crate) p: CountColumn,
    pub(crate) sum: SumColumn,
    pub(crate) tally: TallyColumn,
    pub(crate) node_count: NodeCount,
    pub(crate) block: BlockColumn,
}

/// An empty tree.
pub(crate) fn tree(ceiling: usize) -> (Tree, Columns) {
    let mut layout = Layout::new(2, None, Reward::Win);
    let columns = Columns {
        p: layout.count(),
        sum: layout.sum(FINE),
        tally: layout.tally(),
        node_count: layout.node_count(),
        block: layout.per_action(),
    };
    (Tree::new(layout, ceiling), columns)
}

/// A tree of a root with two arms.
pub(crate) fn rooted(ceiling: usize) -> (Tree, Columns, NodeId) {
    let (tree, columns) = tree(ceiling);
    let root = add(&tree, Side::First, [0, 1]).expect("there is always room for a root");
    (tree, columns, root)
}

/// Makes a node that nothing points to yet.
pub(crate) fn add(tree: &Tree, mover: Side, actions: [u16; 2]) -> Option<NodeId> {
    tree.add(mover, &actions.map(Action)).map(Node::id)
}

/// Finds a node that must be there.
#[track_caller]
pub(crate) fn get(tree: &Tree, id: NodeId) -> Node<'_> {
    tree.node(id).expect("the node is in use")
}

/// Writes into every kind of column.
pub(crate) fn soil(node: Node<'_>, columns: Columns) {
    node.write_floats(columns.p, &[0.25, 0.75]);
    node.open();
    begin_visit(node, LEFT);
    begin_visit(node, RIGHT);
    finish_visit(node, RIGHT, 3);
    node.add_sum(columns.sum, LEFT, 0.5);
    node.add_tallies(columns.tally, 1.0, 1, |_| true);
    node.node_count(columns.node_count).store(5, Relaxed);
    node.block(columns.block)[1].store(6, Relaxed);
}

/// Checks that a node is as it was added and nobody has written into it since.
#[track_caller]
pub(crate) fn check_new(node: Node<'_>, columns: Columns, mover: Side, actions: [u16; 2]) {
    assert_eq!(node.actions().collect::<Vec<_>>(), actions.map(Action));
    assert_eq!(node.mover(), mover);
    assert!(!node.is_open());
    for child in [LEFT, RIGHT] {
        assert_eq!((node.visits(child), node.begun(child)), (0, 0));
        assert_eq!((node.sum(columns.sum, child), node.tally(columns.tally, child)), (0.0, (0.0, 0.0)));
        assert_eq!(node.counts(columns.p)[child.idx()].load(Relaxed), 0);
        assert!(!is_linked(node, child));
    }
    assert_eq!(node.node_count(columns.node_count).load(Relaxed), 0);
    assert_eq!(node.block(columns.block)[1].load(Relaxed), 0);
}
