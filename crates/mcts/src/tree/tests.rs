//! Columns, slots and ids.

use super::layout::SumColumn;
use super::layout::{FINE, Gives};
use super::number::to_f64;
use super::*;
use crate::game::Reward;

fn actions(n: u16) -> Vec<Action> {
    (0..n).map(Action).collect()
}

fn plain(ceiling: usize) -> (Tree, SumColumn) {
    let mut layout = Layout::new(100, None, Reward::Win);
    let sum = layout.sum(FINE);
    (Tree::new(layout, ceiling), sum)
}

#[test]
fn columns_do_not_overlap() {
    let mut layout = Layout::new(100, None, Reward::Win);
    layout.give(Gives { p: true, h: true });
    let (a, b) = (layout.sum(FINE), layout.sum(4));
    let n = layout.count();
    let (total, mass) = (layout.node_count(), layout.node_sum(FINE));
    let (pair, point) = (layout.per_pair(), layout.per_action());
    let tree = Tree::new(layout, 1 << 24);
    let nodes: Vec<Node<'_>> =
        (0..500).map(|i| tree.add(Side::First, &actions(1 + i % 90)).unwrap()).collect();
    for (i, node) in nodes.iter().enumerate() {
        for child in (0..node.n_children()).map(|idx| ChildIdx(idx as u16)) {
            let x = (i * 100 + child.idx()) as f32;
            node.add_sum(a, child, x);
            node.add_sum(b, child, -x);
            node.counts(n)[child.idx()].store(i as u32, Relaxed);
            node.add_visits(child, 7);
        }
        node.node_count(total).store(i as u32, Relaxed);
        node.add_node_sum(mass, i as f32);
        if i % 50 == 0 {
            node.block(pair)[node.pair_stride() * (node.n_children() - 1)].store(i as u32, Relaxed);
            node.block(point)[99].store(i as u32, Relaxed);
        }
    }
    let mut column = vec![0.0; 90];
    for (i, node) in nodes.iter().enumerate() {
        let last = node.n_children() - 1;
        node.read_sums(a, &mut column);
        assert_eq!(column[last], (i * 100 + last) as f32);
        node.read_sums(b, &mut column);
        assert_eq!(column[last], -((i * 100 + last) as f32));
        node.read_visits(&mut column);
        assert_eq!((column[0], column[last]), (7.0, 7.0));
        assert_eq!(node.node_sum(mass), i as f32);
        assert_eq!(node.node_count(total).load(Relaxed), i as u32);
        assert_eq!(node.find(Action(last as u16)), Some(ChildIdx(last as u16)));
        if i % 50 == 0 {
            assert_eq!(node.block(point)[99].load(Relaxed), i as u32);
        }
    }
    assert_eq!(tree.n_nodes(), 500);
}

#[test]
fn a_recycled_slot_is_clean_and_its_old_id_is_dead() {
    let (mut tree, sum) = plain(1 << 20);
    let root = tree.add(Side::First, &actions(5)).unwrap();
    let child = tree.add(Side::Second, &actions(4)).unwrap();
    let grandchild = tree.add(Side::First, &actions(3)).unwrap();
    child.add_sum(sum, ChildIdx(0), 0.5);
    child.add_visits(ChildIdx(0), 1);
    tree.link(root, ChildIdx(2), child.id());
    tree.link(child, ChildIdx(1), grandchild.id());
    assert_eq!(tree.child(root, ChildIdx(2)).unwrap().id(), child.id());
    assert_eq!(tree.parent(child).unwrap().1, ChildIdx(2));
    let (root_id, child_id, grandchild_id) = (root.id(), child.id(), grandchild.id());

    // Cutting off the grandchild keeps it and nothing else.
    tree.recycle(root_id, Some(grandchild_id));
    assert_eq!(tree.n_nodes(), 1);
    assert!(tree.node(root_id).is_none() && tree.node(child_id).is_none());
    assert!(tree.parent(tree.node(grandchild_id).unwrap()).is_none());

    let again = tree.add(Side::First, &actions(5)).unwrap();
    assert_ne!(again.id(), root_id);
    let mut column = [1.0; 5];
    again.read_sums(sum, &mut column);
    assert_eq!(column, [0.0; 5]);
    again.read_visits(&mut column);
    assert_eq!(column, [0.0; 5]);
}

#[test]
fn the_second_of_two_links_is_returned() {
    let (tree, _) = plain(1 << 20);
    let root = tree.add(Side::First, &actions(5)).unwrap();
    let (one, two) =
        (tree.add(Side::Second, &actions(4)).unwrap(), tree.add(Side::Second, &actions(4)).unwrap());
    tree.link(root, ChildIdx(0), one.id());
    tree.link(root, ChildIdx(0), two.id());
    assert_eq!(tree.child(root, ChildIdx(0)).unwrap().id(), one.id());
    assert!(tree.node(two.id()).is_none());
    assert_eq!(tree.n_nodes(), 2);
}

#[test]
fn the_ceiling_holds_and_recycling_makes_room() {
    let (mut tree, _) = plain(1 << 18);
    let mut last = None;
    while let Some(node) = tree.add(Side::First, &actions(82)) {
        last = Some(node.id());
    }
    let n_full = tree.n_nodes();
    assert!(n_full > 50, "{n_full}");
    assert!(tree.bytes() <= 1 << 18);
    tree.recycle(last.unwrap(), None);
    assert_eq!(tree.n_nodes(), n_full - 1);
    assert!(tree.add(Side::First, &actions(82)).is_some());
    assert!(tree.add(Side::First, &actions(82)).is_none());
    assert!(tree.add(Side::First, &actions(5000)).is_none());
    // Even under an absurd ceiling there is room for a root.
    assert!(plain(1).0.add(Side::First, &actions(626)).is_some());
}

#[test]
fn sums_beyond_all_boards_are_read_as_they_are() {
    let (tree, sum) = plain(1 << 20);
    let node = tree.add(Side::First, &actions(40)).unwrap();
    let mut column = vec![0.0; 40];
    // 10⁹ points, 10⁴ times over, either way: 2³⁰·10⁴·2¹⁶ quanta are more than 2⁵¹.
    for (child, points) in [(ChildIdx(0), -1e9), (ChildIdx(17), 1e9), (ChildIdx(39), 1e9)] {
        (0..10_000).for_each(|_| node.add_sum(sum, child, points));
    }
    node.read_sums(sum, &mut column);
    for (child, right) in [(0, -1e13), (17, 1e13), (39, 1e13), (1, 0.0)] {
        assert_eq!(column[child], right);
        assert_eq!(node.sum(sum, ChildIdx(child as u16)), right);
    }
    for x in [0, 1, -1, i64::MAX, i64::MIN, 1 << 52, -(1 << 51), 0x1234_5678_9abc_def0] {
        assert_eq!(to_f64(x), x as f64, "{x}");
    }
}

#[test]
fn a_node_is_open_once_and_refined_once() {
    let (tree, _) = plain(1 << 20);
    let node = tree.add(Side::First, &actions(3)).unwrap();
    assert!(!node.is_open() && !node.claim_refinement(), "it awaits its first priors");
    node.open();
    assert!(node.is_open() && node.claim_refinement() && !node.claim_refinement() && node.is_open());
    let (id, child) = (node.id(), ChildIdx(1));
    node.begin_visit(child);
    assert_eq!((node.visits(child), node.begun(child)), (0, 1));
    node.end_visit(child);
    node.add_visits(child, 3);
    assert_eq!((node.visits(child), node.begun(child)), (3, 3));
    // A slot that is used again awaits its priors again.
    let mut tree = tree;
    tree.recycle(id, None);
    assert!(!tree.add(Side::First, &actions(3)).unwrap().is_open());
}

/// A tree of nodes named by their paths from the root, each with the visits of the arm above it; those on top first.
fn grown(visits: &[(&[u16], u32)]) -> (Tree, Vec<NodeId>) {
    let (tree, _) = plain(1 << 20);
    let mut ids = vec![tree.add(Side::First, &actions(3)).unwrap().id()];
    for &(path, n) in visits {
        let (&last, above) = path.split_last().unwrap();
        let root = tree.node(ids[0]).unwrap();
        let parent = above.iter().fold(root, |node, &child| tree.child(node, ChildIdx(child)).unwrap());
        let node = tree.add(Side::First, &actions(3)).unwrap();
        tree.link(parent, ChildIdx(last), node.id());
        parent.add_visits(ChildIdx(last), n);
        ids.push(node.id());
    }
    (tree, ids)
}

/// Makes room in such a tree and checks which nodes stay.
#[track_caller]
fn check_room(visits: &[(&[u16], u32)], stay: &[&[u16]]) {
    let (mut tree, ids) = grown(visits);
    assert_eq!(tree.make_room(ids[0]), visits.len() - stay.len());
    let left = visits.iter().zip(&ids[1..]).filter(|(_, id)| tree.node(**id).is_some());
    assert_eq!(left.map(|((path, _), _)| *path).collect::<Vec<_>>(), stay);
}

#[test]
fn the_less_visited_half_makes_room() {
    check_room(&[(&[0], 5), (&[1], 3), (&[0, 0], 4), (&[1, 2], 1)], &[&[0], &[0, 0]]);
    // Half of an odd number is rounded up, and a root stays alone.
    check_room(&[(&[2], 9)], &[]);
    check_room(&[], &[]);
    // Among equals those found last go first: lines are followed from their last arms, and a subtree goes before its top.
    check_room(&[(&[0], 1), (&[1], 1), (&[2], 1), (&[0, 0], 1)], &[&[0], &[1]]);
    check_room(&[(&[0], 1), (&[0, 0], 1), (&[0, 0, 0], 1), (&[0, 0, 0, 0], 1)], &[&[0], &[0, 0]]);
    // Visits that no search counts, more below than above: half of the nodes goes with one top, and no more than that.
    check_room(&[(&[0], 1), (&[0, 0], 9), (&[1], 2), (&[2], 3)], &[&[1], &[2]]);
}

#[test]
fn equal_visits_make_room_the_same_way_whatever_the_slots() {
    // The same 39 nodes below a root, made in one order or the other, so that each has another slot.
    let paths: Vec<Vec<u16>> = (0..3)
        .flat_map(|a| (0..3).flat_map(move |b| [vec![a, b], vec![a, b, 0], vec![a, b, 1], vec![a, b, 2]]))
        .collect();
    let left = |tops: [u16; 3]| {
        let mut order: Vec<(&[u16], u32)> = Vec::new();
        let tops: Vec<[u16; 1]> = tops.map(|top| [top]).to_vec();
        for top in &tops {
            order.push((top, 1));
            order.extend(paths.iter().filter(|path| path[0] == top[0]).map(|path| (path.as_slice(), 1)));
        }
        let (mut tree, ids) = grown(&order);
        assert_eq!(tree.make_room(ids[0]), 20);
        let stay = order.iter().zip(&ids[1..]).filter(|(_, id)| tree.node(**id).is_some());
        let mut stay: Vec<Vec<u16>> = stay.map(|((path, _), _)| path.to_vec()).collect();
        stay.sort();
        stay
    };
    assert_eq!(left([0, 1, 2]), left([2, 0, 1]));
}
