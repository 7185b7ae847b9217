//! What several tests need.
#![allow(dead_code, missing_docs, unreachable_pub)]

use sgf::{Collection, GameTree};
use std::path::{Path, PathBuf};

/// A node as plain data: its parent, and its properties with their raw values.
pub type PlainNode = (Option<usize>, Vec<(String, Vec<String>)>);

/// A tree as plain data without the root's `FF` and `CA`, which writing sets.
pub fn plain(tree: &GameTree) -> Vec<PlainNode> {
    let number: std::collections::HashMap<_, _> =
        tree.nodes().enumerate().map(|(i, node)| (node, i)).collect();
    let plain_node = |node| {
        let is_kept = |ident: &str| node != tree.root() || !matches!(ident, "FF" | "CA");
        let properties = tree
            .properties(node)
            .filter(|p| is_kept(p.ident()))
            .map(|p| (p.ident().to_owned(), p.values().map(|v| v.raw().to_owned()).collect()));
        (tree.parent(node).map(|parent| number[&parent]), properties.collect())
    };
    tree.nodes().map(plain_node).collect()
}

/// Writes a collection, reads it again and checks that nothing was lost and nothing odd is left.
pub fn check_round_trip(collection: &Collection, name: &str) {
    let mut bytes = Vec::new();
    collection.write_to(&mut bytes).unwrap();
    assert_eq!(String::from_utf8(bytes.clone()).unwrap(), collection.to_string(), "{name}");
    let again = Collection::read(&bytes).unwrap_or_else(|error| panic!("{name}: read again: {error}"));
    assert_eq!(again.games.len(), collection.games.len(), "{name}");
    for (before, after) in collection.games.iter().zip(&again.games) {
        assert_eq!(plain(before), plain(after), "{name}");
        assert_eq!(after.value(after.root(), "FF").unwrap().raw(), "4", "{name}");
        assert_eq!(after.value(after.root(), "CA").unwrap().raw(), "UTF-8", "{name}");
    }
    assert_eq!(again.to_string(), collection.to_string(), "{name}: writing again changes nothing");
    let is_structural = |kind: &sgf::WarningKind| {
        !matches!(kind, sgf::WarningKind::DuplicateProperty(_) | sgf::WarningKind::More)
    };
    assert!(!again.warnings.iter().any(|w| is_structural(&w.kind)), "{name}: {:?}", again.warnings);
}

/// A folder of the test data, or `None` with the reason printed.
pub fn data(folder: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set, it should name the data folder");
        return None;
    };
    Some(Path::new(&root).join(folder))
}

/// All files below a folder whose names end so, in a fixed order.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
