//! Slots are taken and returned under the ceiling.

use crate::common::{LEFT, RIGHT, add, check_new, get, rooted, tree};
use interleavings::game::{Action, Side};
use interleavings::tree::{Node, NodeId, Tree};
use interleavings::{check, is_linked, share};

/// Adds a node of `n_children` children.
fn add_wide(tree: &Tree, n_children: u16) -> Option<NodeId> {
    tree.add(Side::First, &(0..n_children).map(Action).collect::<Vec<_>>()).map(Node::id)
}

/// The bytes of a node of `n_children` children.
fn n_bytes(n_children: u16) -> usize {
    let tree = tree(1).0;
    add_wide(&tree, n_children).unwrap();
    tree.bytes()
}

/// Two threads want a node each, below a root, where there is room for one.
fn want(n_children: [u16; 2]) {
    let [there, here] = n_children;
    let ceiling = n_bytes(2) + n_bytes(there).max(n_bytes(here));
    let (tree, _, _) = rooted(ceiling);
    let (tree, there, here) = share(tree, move |tree| add_wide(tree, there), |tree| add_wide(tree, here));
    assert_ne!(there.is_some(), here.is_some());
    assert_eq!(tree.n_nodes(), 2);
    assert!(tree.bytes() <= ceiling);
}

#[test]
fn the_ceiling_holds_for_nodes_of_one_size() {
    check(|| want([2, 2]));
}

#[test]
fn the_ceiling_holds_for_nodes_of_two_sizes() {
    check(|| want([2, 9]));
}

#[test]
fn one_first_node_is_granted_under_any_ceiling() {
    check(|| {
        let tree = tree(1).0;
        let (tree, there, here) = share(tree, |tree| add_wide(tree, 2), |tree| add_wide(tree, 9));
        assert_ne!(there.is_some(), here.is_some());
        assert_eq!(tree.n_nodes(), 1);
    });
}

#[test]
fn a_returned_slot_is_taken_again_at_once() {
    check(|| {
        // Room for a root and two nodes: whoever comes second on the left tries the right with the same slot.
        let ceiling = 3 * n_bytes(2);
        let (tree, columns, root) = rooted(ceiling);
        let grow = move |tree: &Tree| {
            let on_left = add(tree, Side::Second, [7, 9]).unwrap();
            if tree.link(get(tree, root), LEFT, on_left) {
                if is_linked(get(tree, root), RIGHT) {
                    let other = tree.child(get(tree, root), RIGHT).expect("what is linked is found");
                    check_new(other, columns, Side::First, [3, 5]);
                }
                None
            } else {
                let on_right = add(tree, Side::First, [3, 5]).expect("the slot has just been returned");
                assert!(tree.node(on_left).is_none() && on_left != on_right);
                assert!(tree.link(get(tree, root), RIGHT, on_right));
                Some(on_right)
            }
        };
        let (tree, there, here) = share(tree, grow, grow);
        assert_ne!(there.is_some(), here.is_some());
        assert_eq!((tree.n_nodes(), tree.bytes()), (3, ceiling));
        assert_eq!(tree.child(get(&tree, root), RIGHT).map(Node::id), there.or(here));
        check_new(tree.child(get(&tree, root), LEFT).unwrap(), columns, Side::Second, [7, 9]);
    });
}
