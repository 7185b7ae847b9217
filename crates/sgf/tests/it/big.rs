//! Files far beyond any real one: deep, wide and long trees are read, written and dropped like others.

use sgf::{Collection, Game, GameTree};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The bound is loose, for slow and busy machines; quadratic work would miss it by far.
const PATIENCE: Duration = Duration::from_secs(20);

fn read_and_write_again(text: &str) -> Collection {
    let start = Instant::now();
    let collection = Collection::read(text.as_bytes()).unwrap();
    let written = collection.to_string();
    let again = Collection::read(written.as_bytes()).unwrap();
    let n_nodes = |collection: &Collection| collection.games.iter().map(GameTree::n_nodes).sum::<usize>();
    assert_eq!((again.games.len(), n_nodes(&again)), (collection.games.len(), n_nodes(&collection)));
    // Not assert_eq: nobody wants to see two such files.
    assert!(again.to_string() == written);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    collection
}

#[test]
fn timed_deep_variations() {
    for depth in [10_000, 100_000, 1_000_000] {
        let text = format!("(;SZ[9]{}{})", "(;B[aa]".repeat(depth), ")".repeat(depth));
        let collection = read_and_write_again(&text);
        let tree = &collection.games[0];
        assert_eq!(tree.n_nodes(), depth + 1);
        assert_eq!(Game::new(tree).unwrap().moves().unwrap().len(), depth);
        drop(collection.clone());
    }
}

/// Every node of the line has a second continuation, so the brackets stay when the tree is written.
#[test]
fn timed_deep_tree_with_branches() {
    let depth = 100_000;
    let text = format!("(;SZ[9]{}{})", "(;W[bb])(;B[aa]".repeat(depth), ")".repeat(depth));
    assert_eq!(read_and_write_again(&text).games[0].n_leaves(), depth + 1);
}

#[test]
fn timed_wide_node_long_lists_many_games() {
    let wide = format!("(;{})", "(;B[aa])".repeat(100_000));
    assert_eq!(read_and_write_again(&wide).games[0].n_leaves(), 100_000);
    let properties: String = (0..100_000).fold(String::new(), |mut text, i| {
        let _ = write!(text, "X{i}[]");
        text
    });
    let collection = read_and_write_again(&format!("(;{properties})"));
    assert_eq!(collection.games[0].properties(collection.games[0].root()).count(), 100_000);
    read_and_write_again(&format!("(;SZ[9]AB{})", "[aa:ii]".repeat(100_000)));
    assert_eq!(read_and_write_again(&"(;)".repeat(100_000)).games.len(), 100_000);
}

#[test]
fn timed_five_megabytes() {
    let game = "(;GM[1]FF[4]SZ[19]KM[6.5]PB[Kitani \\] Minoru];B[pd]C[a comment of some length];W[dp](;B[aa])(;B[bb]))\n";
    let many = game.repeat(5_000_000 / game.len());
    assert_eq!(read_and_write_again(&many).games.len(), 5_000_000 / game.len());
    let long = format!("(;SZ[19]{})", ";B[pd];W[dp]".repeat(5_000_000 / 12));
    let collection = read_and_write_again(&long);
    assert_eq!(Game::new(&collection.games[0]).unwrap().moves().unwrap().len(), 5_000_000 / 12 * 2);
}

/// Text in a double-byte set is scanned to find each game's end; unclosed games must not make that quadratic.
#[test]
fn timed_many_games_in_a_double_byte_charset() {
    let game = b"(;CA[Shift_JIS]PB[\x95\\];B[aa])";
    let collection = Collection::read(&game.repeat(50_000)).unwrap();
    assert_eq!(collection.games.len(), 50_000);
    let start = Instant::now();
    let open = b"(;PB[\x95\\]CA[Shift_JIS];B[aa]";
    assert_eq!(Collection::read(&open.repeat(50_000)).unwrap().games.len(), 1);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}
