//! A node is made by one thread, linked, and found by another: whole, or not at all.

use crate::common::{LEFT, RIGHT, ROOMY, add, check_new, get, rooted, soil};
use interleavings::game::Side;
use interleavings::tree::{Node, Tree};
use interleavings::{check, is_linked, share};

/// One thread adds a node and links it; the other looks for it. Before, the node's slot is used and recycled or not.
fn publish(is_used: bool) {
    let (mut tree, columns, root) = rooted(ROOMY);
    let old = is_used.then(|| {
        let old = add(&tree, Side::First, [1, 0]).unwrap();
        soil(get(&tree, old), columns);
        tree.recycle(old, None);
        old
    });
    let grow = move |tree: &Tree| {
        let node = add(tree, Side::Second, [7, 9]).unwrap();
        assert!(tree.link(get(tree, root), LEFT, node));
    };
    share(tree, grow, |tree| {
        let root = get(tree, root);
        if is_linked(root, LEFT) {
            let node = tree.child(root, LEFT).expect("what is linked is found");
            check_new(node, columns, Side::Second, [7, 9]);
            assert_eq!(
                tree.parent(node).map(|(parent, child)| (parent.id(), child)),
                Some((root.id(), LEFT))
            );
            assert_eq!(tree.node(node.id()).map(Node::id), Some(node.id()));
            assert_ne!(Some(node.id()), old);
        }
        assert!(old.is_none_or(|old| tree.node(old).is_none()));
        assert!(tree.child(root, RIGHT).is_none());
    });
}

#[test]
fn a_linked_node_is_whole() {
    check(|| publish(false));
}

#[test]
fn a_linked_node_in_a_used_slot_is_whole() {
    check(|| publish(true));
}

#[test]
fn one_of_two_links_wins() {
    check(|| {
        let (tree, columns, root) = rooted(ROOMY);
        let grow = move |tree: &Tree, actions: [u16; 2]| {
            let node = add(tree, Side::Second, actions).unwrap();
            let is_mine = tree.link(get(tree, root), LEFT, node);
            let child = tree.child(get(tree, root), LEFT).expect("one of the two is linked");
            assert_eq!(child.id() == node, is_mine);
            assert_eq!(tree.node(node).is_some(), is_mine);
            let others = actions.map(|action| 5 - action);
            check_new(child, columns, Side::Second, if is_mine { actions } else { others });
            (node, is_mine)
        };
        let (tree, there, here) = share(tree, move |tree| grow(tree, [2, 4]), |tree| grow(tree, [3, 1]));
        assert_ne!(there.1, here.1);
        assert_eq!(tree.n_nodes(), 2);
        // The loser's slot is the next that is taken; its old id stays dead.
        let (n_bytes, loser) = (tree.bytes(), if here.1 { there.0 } else { here.0 });
        let again = add(&tree, Side::First, [1, 0]).unwrap();
        assert_ne!(again, loser);
        assert_eq!((tree.bytes(), tree.n_nodes()), (n_bytes, 3));
        assert!(tree.node(loser).is_none());
        check_new(get(&tree, again), columns, Side::First, [1, 0]);
    });
}
