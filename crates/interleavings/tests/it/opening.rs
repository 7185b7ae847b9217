//! A node that is linked awaits its priors; whoever finds it open sees them.

use crate::common::{Columns, LEFT, ROOMY, add, get, rooted};
use interleavings::game::Side;
use interleavings::tree::{Node, NodeId, Tree};
use interleavings::{check, share};
use std::sync::Arc;

/// Grows a node and opens it with priors once it is linked.
fn grow(tree: &Tree, columns: Columns, root: NodeId) {
    let node = add(tree, Side::Second, [7, 9]).unwrap();
    assert!(tree.link(get(tree, root), LEFT, node));
    get(tree, node).write_floats(columns.p, &[0.25, 0.75]);
    get(tree, node).add_sum(columns.sum, LEFT, 0.5);
    get(tree, node).open();
}

/// Checks the priors of a node if it is open; returns whether it is.
fn look(node: Node<'_>, columns: Columns) -> bool {
    let is_open = node.is_open();
    if is_open {
        check_priors(node, columns);
    }
    is_open
}

/// Checks priors that must be visible.
#[track_caller]
fn check_priors(node: Node<'_>, columns: Columns) {
    let mut p = [9.0; 2];
    node.read_floats(columns.p, &mut p);
    assert_eq!((p, node.sum(columns.sum, LEFT)), ([0.25, 0.75], 0.5));
}

#[test]
fn an_open_node_has_its_priors() {
    check(|| {
        let (tree, columns, root) = rooted(ROOMY);
        let (tree, (), ()) = share(
            tree,
            move |tree| grow(tree, columns, root),
            |tree| {
                tree.child(get(tree, root), LEFT).into_iter().for_each(|node| {
                    look(node, columns);
                });
            },
        );
        assert!(look(tree.child(get(&tree, root), LEFT).unwrap(), columns));
    });
}

#[test]
fn a_node_opened_by_one_and_claimed_by_another_has_its_priors_for_a_third() {
    check(|| {
        let (tree, columns, root) = rooted(ROOMY);
        let node = add(&tree, Side::Second, [7, 9]).unwrap();
        assert!(tree.link(get(&tree, root), LEFT, node));
        let tree = Arc::new(tree);
        let opener = loom::thread::spawn({
            let tree = Arc::clone(&tree);
            move || {
                get(&tree, node).write_floats(columns.p, &[0.25, 0.75]);
                get(&tree, node).add_sum(columns.sum, LEFT, 0.5);
                get(&tree, node).open();
            }
        });
        let claimer = loom::thread::spawn({
            let tree = Arc::clone(&tree);
            move || {
                if get(&tree, node).claim_refinement() {
                    check_priors(get(&tree, node), columns);
                }
            }
        });
        look(get(&tree, node), columns);
        opener.join().unwrap();
        claimer.join().unwrap();
        assert!(look(get(&tree, node), columns));
    });
}

#[test]
fn refinement_is_granted_once() {
    check(|| {
        let (tree, _, root) = rooted(ROOMY);
        let open_and_claim = move |tree: &Tree| {
            get(tree, root).open();
            get(tree, root).claim_refinement()
        };
        let claim = |tree: &Tree| (get(tree, root).claim_refinement(), get(tree, root).claim_refinement());
        let (tree, there, here) = share(tree, open_and_claim, claim);
        assert_eq!([there, here.0, here.1].into_iter().filter(|&is_granted| is_granted).count(), 1);
        assert!(get(&tree, root).is_open() && !get(&tree, root).claim_refinement());
    });
}
