//! Properties: no bytes make the reader panic, and trees of any shape are written and read again whole.

use crate::common::{check_round_trip, plain};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sgf::{Collection, Game, GameTree, NodeId, escape};

/// Pieces that make files which are almost right, where the interesting paths are.
fn sgf_like() -> impl Strategy<Value = Vec<u8>> {
    let good: &[&[u8]] = &[
        b"(;",
        b"(;",
        b")",
        b";",
        b"B[aa]",
        b"White[tt]",
        b"AB[aa:cc][Zz]",
        b"SZ[13:9]",
        b"KM[375]",
        b"CA[Shift_JIS]",
        b"CA[GBK]",
        b"CA[ISO-2022-JP]",
        b"\r\n",
        b"\0",
        b"\xEF\xBB\xBF",
    ];
    let bad: &[&[u8]] = &[b"(", b"[", b"]", b"\\", b"x", b")))"];
    let text = prop::collection::vec(any::<u8>(), 0..8).prop_map(|bytes| [b"C[", &bytes[..], b"]"].concat());
    let piece = prop_oneof![
        40 => prop::sample::select(good).prop_map(<[u8]>::to_vec),
        10 => text,
        1 => prop::sample::select(bad).prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| [b"(;", &pieces.concat()[..]].concat())
}

/// Reads bytes as far as they go; nothing here may panic, and what was read must be written whole.
fn exercise(bytes: &[u8]) {
    let Ok(collection) = Collection::read(bytes) else { return };
    check_round_trip(&collection, "read bytes");
    for warning in &collection.warnings {
        assert!(!warning.to_string().is_empty());
    }
    for tree in &collection.games {
        let Ok(game) = Game::new(tree) else { continue };
        let _ = (game.first_to_play(), game.moves());
        for node in tree.nodes() {
            let _ = (game.steps(node), game.comment(node));
            for value in tree.properties(node).flat_map(|property| property.values()) {
                let _ = (value.text(), value.simple_text(), value.composed().is_some());
                assert!(value.position().is_some() || value.raw().is_empty());
            }
        }
    }
}

type PlainProperties = Vec<(String, Vec<String>)>;

/// One node of a tree to build: which earlier node it follows, and its properties.
type Plan = (prop::sample::Index, PlainProperties);

fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let value = prop_oneof![any::<String>(), "[\\]\\[\\\\:;()a\r\n ]{0,12}"];
    let property = ("[A-Z]{1,3}|[A-Z][0-9]", prop::collection::vec(value, 1..4));
    prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(property, 0..4)), 1..30)
}

fn build(plans: &[Plan]) -> GameTree {
    let mut tree = GameTree::new();
    let mut nodes = vec![NodeId::ROOT];
    for (parent, properties) in plans {
        let node = tree.add_child(nodes[parent.index(nodes.len())]).unwrap();
        nodes.push(node);
        for (ident, values) in properties {
            tree.add_property(node, ident, values.iter().map(|value| escape(value))).unwrap();
        }
    }
    tree
}

/// A tree's nodes as plain data in the order of a file: each node's whole variation before its next sibling.
fn in_file_order(tree: &GameTree) -> Vec<(usize, PlainProperties)> {
    let plain: Vec<_> = tree.nodes().zip(plain(tree)).collect();
    let mut ordered = Vec::new();
    let mut waiting = vec![(tree.root(), 0)];
    while let Some((node, depth)) = waiting.pop() {
        let properties = plain.iter().find(|(id, _)| *id == node).unwrap().1.1.clone();
        ordered.push((depth, properties));
        let children: Vec<_> = tree.children(node).collect();
        waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    ordered
}

/// The same cases in every run, so that a failure is the change's and not the day's.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
        let mut game = b"(;".to_vec();
        game.extend(&bytes);
        exercise(&game);
    }

    #[test]
    fn almost_good_files_never_panic(bytes in sgf_like()) {
        exercise(&bytes);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn arbitrary_trees_are_written_whole(plans in plans()) {
        let tree = build(&plans);
        let text = tree.to_string();
        let collection = Collection::read(text.as_bytes()).unwrap();
        prop_assert_eq!(collection.games.len(), 1);
        prop_assert_eq!(in_file_order(&collection.games[0]), in_file_order(&tree));
        check_round_trip(&collection, "tree");
    }

    #[test]
    fn escaped_text_reads_as_it_was(text in "[^\r\n\t\u{B}\u{C}]*") {
        let mut tree = GameTree::new();
        tree.add_text(NodeId::ROOT, "C", &text).unwrap();
        let collection = Collection::read(tree.to_string().as_bytes()).unwrap();
        let again = &collection.games[0];
        prop_assert_eq!(again.value(again.root(), "C").unwrap().text(), text);
    }
}
