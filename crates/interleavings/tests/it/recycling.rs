//! Between two runs, when one thread has the tree for itself, nodes are recycled; the next run finds their slots clean and
//! their ids dead.

use crate::common::{Columns, LEFT, RIGHT, ROOMY, add, check_new, get, rooted, soil};
use interleavings::game::Side;
use interleavings::tree::{ChildIdx, Node, NodeId, Tree};
use interleavings::{begin_visit, check, finish_visit, is_linked, share};

/// Grows a node and leaves something in its columns.
fn grow(tree: &Tree, columns: Columns, parent: NodeId, child: ChildIdx, visits: u32) -> NodeId {
    begin_visit(get(tree, parent), child);
    let node = add(tree, Side::Second, [7, 9]).unwrap();
    assert!(tree.link(get(tree, parent), child, node));
    soil(get(tree, node), columns);
    finish_visit(get(tree, parent), child, visits);
    node
}

#[test]
fn a_run_after_making_room_finds_clean_slots() {
    check(|| {
        let (tree, columns, root) = rooted(ROOMY);
        let (mut tree, left, right) = share(
            tree,
            move |tree| grow(tree, columns, root, LEFT, 8),
            |tree| grow(tree, columns, root, RIGHT, 2),
        );
        assert_eq!(tree.make_room(root), 1);
        let n_bytes = tree.bytes();
        let check_ids = move |tree: &Tree| {
            assert!(tree.node(right).is_none());
            assert_eq!(tree.child(get(tree, root), LEFT).map(Node::id), Some(left));
            assert_eq!((get(tree, root).visits(LEFT), get(tree, root).visits(RIGHT)), (8, 2));
        };
        let grow_again = move |tree: &Tree| {
            let again = add(tree, Side::First, [3, 5]).unwrap();
            assert!(tree.link(get(tree, root), RIGHT, again));
            check_ids(tree);
        };
        let (tree, (), ()) = share(tree, grow_again, |tree| {
            if is_linked(get(tree, root), RIGHT) {
                let again = tree.child(get(tree, root), RIGHT).expect("what is linked is found");
                assert_ne!(again.id(), right);
                check_new(again, columns, Side::First, [3, 5]);
            }
            check_ids(tree);
        });
        assert_eq!((tree.n_nodes(), tree.bytes()), (3, n_bytes));
    });
}

#[test]
fn a_kept_subtree_goes_on_as_a_root() {
    check(|| {
        let (tree, columns, root) = rooted(ROOMY);
        let (mut tree, kept, other) = share(
            tree,
            move |tree| grow(tree, columns, root, LEFT, 8),
            |tree| grow(tree, columns, root, RIGHT, 2),
        );
        tree.recycle(root, Some(kept));
        assert_eq!(tree.n_nodes(), 1);
        let go_on = move |tree: &Tree, child| {
            assert!(tree.node(root).is_none() && tree.node(other).is_none());
            assert!(tree.parent(get(tree, kept)).is_none());
            let node = grow(tree, columns, kept, child, 1);
            assert!(node != root && node != other);
            node
        };
        let (tree, left, right) = share(tree, move |tree| go_on(tree, LEFT), |tree| go_on(tree, RIGHT));
        assert_ne!(left, right);
        assert_eq!(tree.n_nodes(), 3);
        for (child, node, visits) in [(LEFT, left, 1), (RIGHT, right, 4)] {
            let kept = get(&tree, kept);
            assert_eq!((tree.child(kept, child).map(Node::id), kept.visits(child)), (Some(node), visits));
        }
    });
}
