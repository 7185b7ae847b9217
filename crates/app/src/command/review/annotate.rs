//! The record with what was found: all that was in it is kept, and win rates, comments and better variations are added.

use anyhow::Result;
use goban::Vertex;
use player::record;
use player::review::{Grade, MoveReview, Review};
use sgf::{GameTree, NodeId};

use super::game::Reviewed;
use super::text::{self, percent};

/// Properties that say how good a move is; where the record has one, it stays the only one.
const OPINIONS: [&str; 4] = ["BM", "DO", "IT", "TE"];

/// Adds comments and variations to a copy of the record.
pub(super) fn annotate(game: &Reviewed, review: &Review) -> Result<GameTree> {
    let mut tree = game.tree.clone();
    let root = tree.root();
    // What is written is UTF-8, whatever was read.
    tree.remove_property(root, "CA");
    tree.add_text(root, "CA", "UTF-8")?;
    let title = format!("Reviewed by Tengen {}.\n{}", env!("CARGO_PKG_VERSION"), text::summary(game, review));
    comment(&mut tree, root, &title)?;
    for (one, &node) in review.moves.iter().zip(&game.nodes) {
        let black = review.black[one.number];
        comment(&mut tree, node, &remark(game, one, black))?;
        if tree.property(node, "SBKV").is_none() {
            // Black's win rate in per cent, which Sabaki draws as a graph.
            tree.add_text(node, "SBKV", &format!("{:.2}", 100.0 * black))?;
        }
        let has_opinion = OPINIONS.iter().any(|ident| tree.property(node, ident).is_some());
        if one.grade.is_mistake() && !has_opinion {
            let much = if one.grade == Grade::Blunder { "2" } else { "1" };
            tree.add_text(node, "BM", much)?;
        }
        if one.grade.is_mistake() || one.grade == Grade::Unsure {
            variation(&mut tree, game, one, node)?;
        }
    }
    Ok(tree)
}

/// The comment on a move, after which Black wins with probability `black`.
fn remark(game: &Reviewed, one: &MoveReview, black: f32) -> String {
    let mut remark = format!("Tengen: Black wins {}", percent(black));
    if let Some(word) = text::word(one.grade) {
        let line = text::line(game, one);
        remark += &format!("\n{word}: {line}.");
    } else if let Some(better) = one.better_move() {
        remark += &format!("\nTengen would play {}.", game.show_point(better));
    }
    remark
}

/// Adds a text to a node's comment, after what is there.
fn comment(tree: &mut GameTree, node: NodeId, text: &str) -> Result<()> {
    let before: Vec<String> = tree
        .properties(node)
        .filter(|property| property.ident() == "C")
        .flat_map(|property| {
            property.values().map(|value| value.text().trim_end().to_owned()).collect::<Vec<_>>()
        })
        .filter(|text| !text.is_empty())
        .collect();
    tree.remove_property(node, "C");
    let all: Vec<&str> = before.iter().map(String::as_str).chain([text]).collect();
    Ok(tree.add_text(node, "C", &all.join("\n\n"))?)
}

/// Adds the better line beside the move that was played.
fn variation(tree: &mut GameTree, game: &Reviewed, one: &MoveReview, node: NodeId) -> Result<()> {
    let (Some(better), Some(mut parent)) = (&one.better, tree.parent(node)) else { return Ok(()) };
    let size = game.last().size();
    let mut color = one.play.color;
    for (n, &vertex) in better.line.iter().enumerate() {
        // A review is a file, and a file may be damaged.
        if !vertex.is_pass() && !size.contains(vertex) {
            break;
        }
        parent = tree.add_child(parent)?;
        tree.add_property(parent, &record::from_color(color).to_string(), [point(vertex)])?;
        if n == 0 {
            let better = if one.grade == Grade::Unsure { "perhaps better" } else { "better" };
            let text = format!("Tengen: {better}, {} instead of {}.", percent(one.best), percent(one.left));
            tree.add_text(parent, "C", &text)?;
        }
        color = !color;
    }
    Ok(())
}

/// A point as records write it; a pass is nothing.
fn point(vertex: Vertex) -> String {
    record::to_coord(vertex).map(|coord| coord.to_string()).unwrap_or_default()
}
