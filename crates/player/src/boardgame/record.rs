//! Games as SGF: one node for each move, the move as people write it, `B` and `W` in turn.

use goban::Color;
use sgf::{EditError, GameResult, GameTree};

/// The facts of a record: players, event, result, comments.
#[derive(Clone, Debug, Default)]
pub struct RecordFacts {
    /// Who played Black and White.
    pub names: [Option<String>; 2],
    /// The result.
    pub result: Option<GameResult>,
    /// What the games belong to.
    pub event: Option<String>,
    /// The game's number.
    pub round: Option<String>,
    /// What else there is to say.
    pub comment: Option<String>,
    /// Of each move, as far as there is one: why it was played.
    pub reasons: Vec<Option<String>>,
}

/// The record of a game.
pub(super) fn write(gm: u32, size: &str, moves: &[String], facts: &RecordFacts) -> Result<String, EditError> {
    let mut tree = GameTree::new();
    let root = tree.root();
    let texts = [
        ("FF", Some("4".to_string())),
        ("CA", Some("UTF-8".to_string())),
        ("AP", Some(format!("Tengen:{}", env!("CARGO_PKG_VERSION")))),
        ("GM", Some(gm.to_string())),
        ("SZ", Some(size.to_string())),
        ("PB", facts.names[0].clone()),
        ("PW", facts.names[1].clone()),
        ("RE", facts.result.as_ref().map(ToString::to_string)),
        ("EV", facts.event.clone()),
        ("RO", facts.round.clone()),
        ("GC", facts.comment.clone()),
    ];
    for (ident, text) in texts {
        let Some(text) = text else { continue };
        match ident {
            // Composed values have a colon that belongs to them.
            "AP" | "SZ" => tree.add_property(root, ident, &[text])?,
            _ => tree.add_text(root, ident, &text)?,
        }
    }
    let mut node = root;
    for (idx, text) in moves.iter().enumerate() {
        node = tree.add_child(node)?;
        tree.add_text(node, if idx % 2 == 0 { "B" } else { "W" }, text)?;
        if let Some(Some(reason)) = facts.reasons.get(idx) {
            tree.add_text(node, "C", reason)?;
        }
    }
    Ok(tree.to_string())
}

/// Refuses a record of another game or another board.
pub(super) fn check(tree: &GameTree, gm: u32, size: &str, name: &str) -> Result<(), String> {
    let value = |ident: &str| tree.value(tree.root(), ident).map(|value| value.raw().trim().to_string());
    // A record that names no game is one of Go.
    let theirs = value("GM").unwrap_or_else(|| "1".to_string());
    if theirs != gm.to_string() {
        return Err(format!("the record is of another game: GM[{theirs}]; expected GM[{gm}] for {name}"));
    }
    match value("SZ") {
        Some(theirs) if theirs != size => {
            Err(format!("the record's board is SZ[{theirs}]; expected SZ[{size}]"))
        }
        _ => Ok(()),
    }
}

/// Columns and rows of the board of a record, if it says.
pub fn size(tree: &GameTree) -> Option<[usize; 2]> {
    let value = tree.value(tree.root(), "SZ")?.raw().trim().to_string();
    let side = |text: &str| text.trim().parse::<usize>().ok();
    match value.split_once(':') {
        Some((width, height)) => Some([side(width)?, side(height)?]),
        None => side(&value).map(|side| [side; 2]),
    }
}

/// The moves of the main line; setups are none.
pub fn moves(tree: &GameTree) -> Vec<(Color, String)> {
    let of_node = |node| {
        [("B", Color::Black), ("W", Color::White)].into_iter().find_map(|(ident, color)| {
            let value = tree.value(node, ident)?;
            Some((color, value.simple_text().into_owned()))
        })
    };
    tree.main_line().filter_map(of_node).collect()
}
