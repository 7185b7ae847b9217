//! Invariant: no bytes make the reader panic, and what was read is written and read again with every node and
//! every property.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf::{Collection, Game, GameTree, NodeId};

/// A node as plain data: its parent, and its properties with their raw values.
type PlainNode<'a> = (Option<NodeId>, Vec<(&'a str, Vec<&'a str>)>);

/// A tree without the root's `FF` and `CA`, which writing sets.
fn plain(tree: &GameTree) -> Vec<PlainNode<'_>> {
    let node = |node| {
        let is_kept = |ident: &str| node != tree.root() || !matches!(ident, "FF" | "CA");
        let properties = tree.properties(node).filter(|property| is_kept(property.ident()));
        let values = properties.map(|p| (p.ident(), p.values().map(|value| value.raw()).collect()));
        (tree.parent(node), values.collect())
    };
    tree.nodes().map(node).collect()
}

/// Reads a tree as a game of Go, as far as it is one.
fn view(tree: &GameTree) {
    let Ok(game) = Game::new(tree) else { return };
    let _ = (game.first_to_play(), game.moves());
    for node in tree.nodes() {
        let _ = (game.steps(node), game.comment(node));
        for value in tree.properties(node).flat_map(|property| property.values()) {
            let _ = (value.text(), value.simple_text(), value.composed(), value.position());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(collection) = Collection::read(bytes) else { return };
    let written = collection.to_string();
    let again = Collection::read(written.as_bytes()).expect("what was written can be read");
    assert_eq!(collection.games.len(), again.games.len(), "{written:?}");
    for (before, after) in collection.games.iter().zip(&again.games) {
        assert_eq!(plain(before), plain(after), "{written:?}");
        view(before);
    }
    assert_eq!(again.to_string(), written, "writing again changes nothing");
});
