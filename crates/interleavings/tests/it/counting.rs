//! Visits and sums are exact; tallies may lose samples but never part count and sum.

use crate::common::{LEFT, RIGHT, ROOMY, get, rooted};
use interleavings::tree::Tree;
use interleavings::{begin_visit, check, finish_visit, share};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

#[test]
fn no_visit_is_lost_or_counted_twice() {
    check(|| {
        let (tree, columns, root) = rooted(ROOMY);
        let visit = move |tree: &Tree, weight: u32, reward: f32| {
            let node = get(tree, root);
            begin_visit(node, LEFT);
            let (begun, visits) = (node.begun(LEFT), node.visits(LEFT));
            assert!(begun > 0 && begun <= 6 && visits <= 4, "{begun} begun, {visits} finished");
            finish_visit(node, LEFT, weight);
            node.add_sum(columns.sum, LEFT, reward);
            assert!((weight..=5).contains(&node.visits(LEFT)));
        };
        let (tree, (), ()) = share(tree, move |tree| visit(tree, 1, 0.5), |tree| visit(tree, 4, -0.25));
        let node = get(&tree, root);
        assert_eq!((node.visits(LEFT), node.begun(LEFT), node.sum(columns.sum, LEFT)), (5, 5, 0.25));
        assert_eq!((node.visits(RIGHT), node.begun(RIGHT), node.sum(columns.sum, RIGHT)), (0, 0, 0.0));
    });
}

#[test]
fn a_block_is_made_once() {
    check(|| {
        let (tree, columns, root) = rooted(ROOMY);
        let touch = move |tree: &Tree| get(tree, root).block(columns.block)[1].fetch_add(1, Relaxed);
        let (tree, there, here) = share(tree, touch, touch);
        assert_ne!(there, here);
        assert_eq!(get(&tree, root).block(columns.block)[1].load(Relaxed), 2);
    });
}

#[test]
fn tallies_lose_samples_but_stay_whole() {
    // Wins and losses that are left when one thread counts two wins and another a loss: all, or what one of the two
    // wrote over the other's, which is as much as came between its load and its store.
    let left = Arc::new(Mutex::new(BTreeSet::new()));
    let seen = Arc::clone(&left);
    check(move || {
        let (tree, columns, root) = rooted(ROOMY);
        let tell = move |tree: &Tree, reward: f32| {
            get(tree, root).add_tallies(columns.tally, reward, 1, |action| action.0 == 0);
        };
        let two_wins = move |tree: &Tree| {
            tell(tree, 1.0);
            tell(tree, 1.0);
        };
        let (tree, (), ()) = share(tree, two_wins, |tree| tell(tree, 0.0));
        let (wins, n) = get(&tree, root).tally(columns.tally, LEFT);
        assert_eq!(get(&tree, root).tally(columns.tally, RIGHT), (0.0, 0.0));
        seen.lock().unwrap().insert((wins as u32, (n - wins) as u32));
    });
    assert_eq!(*left.lock().unwrap(), BTreeSet::from([(2, 1), (1, 1), (2, 0), (0, 1)]));
}
