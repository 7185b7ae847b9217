//! The record with what was found: all that was in it is kept, and win rates, comments and better variations are added.

use anyhow::Result;
use goban::Vertex;
use player::record;
use sgf::{GameTree, NodeId};

use super::game::Reviewed;
use super::verdict::{Verdict, Verdicts, WORTH_A_LINE};

/// Properties that say how good a move is; where the record has one, it stays the only one.
const OPINIONS: [&str; 4] = ["BM", "DO", "IT", "TE"];

/// Adds comments and variations to a copy of the record.
pub(super) fn annotate(game: &Reviewed, verdicts: &Verdicts) -> Result<GameTree> {
    let mut tree = game.tree.clone();
    let root = tree.root();
    // What is written is UTF-8, whatever was read.
    tree.remove_property(root, "CA");
    tree.add_text(root, "CA", "UTF-8")?;
    comment(
        &mut tree,
        root,
        &format!("Reviewed by Tengen {}.\n{}", env!("CARGO_PKG_VERSION"), verdicts.summary(game)),
    )?;
    for (verdict, &(node, _)) in verdicts.moves.iter().zip(game.moves()) {
        let black = verdicts.black[verdict.number];
        comment(&mut tree, node, &remark(game, verdict, black))?;
        if tree.property(node, "SBKV").is_none() {
            // Black's win rate in per cent, which Sabaki draws as a graph.
            tree.add_text(node, "SBKV", &format!("{:.2}", 100.0 * black))?;
        }
        let has_opinion = OPINIONS.iter().any(|ident| tree.property(node, ident).is_some());
        if verdict.word().is_some() && !has_opinion {
            let much = if verdict.word() == Some("blunder") { "2" } else { "1" };
            tree.add_text(node, "BM", much)?;
        }
        if verdict.loss >= WORTH_A_LINE && !verdict.is_choice {
            variation(&mut tree, game, verdict, node)?;
        }
    }
    Ok(tree)
}

/// What is said about a move, after which Black wins so often.
fn remark(game: &Reviewed, verdict: &Verdict, black: f32) -> String {
    let Verdict { best, left, play, .. } = *verdict;
    let mut text = format!("Tengen: Black wins {:.1} %", 100.0 * black);
    let better = verdict.better.as_ref().filter(|_| !verdict.is_choice).and_then(|one| one.line.first());
    match (verdict.word(), better) {
        (Some(word), Some(better)) => {
            text += &format!(
                "\n{} {}: a {word}, {:.1} % instead of {:.1} % with {better}.",
                play.color,
                game.show(play),
                100.0 * left,
                100.0 * best
            );
        }
        (None, Some(better)) => text += &format!("\nTengen would play {better} ({:.1} %).", 100.0 * best),
        (_, None) => {}
    }
    text
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
fn variation(tree: &mut GameTree, game: &Reviewed, verdict: &Verdict, node: NodeId) -> Result<()> {
    let (Some(better), Some(mut parent)) = (&verdict.better, tree.parent(node)) else { return Ok(()) };
    let size = game.position(0).size();
    let mut color = verdict.play.color;
    for (n, word) in better.line.iter().enumerate() {
        let Ok(vertex) = size.parse_vertex(word) else { break };
        parent = tree.add_child(parent)?;
        tree.add_property(parent, &record::from_color(color).to_string(), [point(vertex)])?;
        if n == 0 {
            let text = format!(
                "Tengen: better, {:.1} % instead of {:.1} %.",
                100.0 * verdict.best,
                100.0 * verdict.left
            );
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
