//! Changing a tree: steps, texts and marks of a node are written, and branches are taken out.

use crate::coord::Coord;
use crate::error::EditError;
use crate::step::Step;
use crate::tree::{GameTree, NodeId, Span};
use crate::value::escape_composed;

impl GameTree {
    /// Writes into a node what it does to the board, after what it does already.
    pub fn add_step(&mut self, node: NodeId, step: &Step) -> Result<(), EditError> {
        match step {
            Step::Move(played) => {
                let value = played.point.map(|point| point.to_string()).unwrap_or_default();
                self.add_property(node, &played.color.to_string(), [value])
            }
            Step::Setup(setup) => {
                for (ident, points) in [("AB", &setup.black), ("AW", &setup.white), ("AE", &setup.empty)] {
                    if !points.is_empty() {
                        self.add_property(node, ident, points.iter().map(Coord::to_string))?;
                    }
                }
                setup.to_play.map_or(Ok(()), |color| self.add_text(node, "PL", &color.to_string()))
            }
        }
    }

    /// Makes a text the only one of its name in a node; an empty text takes the property away.
    pub fn set_text(&mut self, node: NodeId, ident: &str, text: &str) -> Result<(), EditError> {
        self.remove_property(node, ident);
        if text.is_empty() { Ok(()) } else { self.add_text(node, ident, text) }
    }

    /// Makes these points the only list of its name in a node; no points take the property away.
    pub fn set_points(&mut self, node: NodeId, ident: &str, points: &[Coord]) -> Result<(), EditError> {
        self.remove_property(node, ident);
        if points.is_empty() {
            return Ok(());
        }
        self.add_property(node, ident, points.iter().map(Coord::to_string))
    }

    /// Makes these the labels of a node; none take the property away.
    pub fn set_labels(&mut self, node: NodeId, labels: &[(Coord, String)]) -> Result<(), EditError> {
        self.remove_property(node, "LB");
        if labels.is_empty() {
            return Ok(());
        }
        let values = labels.iter().map(|(point, text)| escape_composed(&point.to_string(), text));
        self.add_property(node, "LB", values)
    }

    /// The tree without these nodes and what follows them; the root always stays. Nodes have other names in it.
    #[must_use]
    pub fn without(&self, removed: &[NodeId]) -> Self {
        let mut is_removed = vec![false; self.n_nodes()];
        removed.iter().filter(|&&node| node != NodeId::ROOT).for_each(|node| is_removed[node.index()] = true);
        let mut kept = Self::without_root();
        kept.text.clone_from(&self.text);
        (kept.source_len, kept.source_start) = (self.source_len, self.source_start);
        let mut new_ids = vec![NodeId::ROOT; self.n_nodes()];
        // Parents stand before their children, so one pass hands the removal down.
        for node in self.nodes() {
            let parent = self.parent(node);
            if parent.is_some_and(|parent| is_removed[parent.index()]) || is_removed[node.index()] {
                is_removed[node.index()] = true;
                continue;
            }
            let id = kept.push_node(parent.map(|parent| new_ids[parent.index()]));
            new_ids[node.index()] = id;
            for property in self.properties(node) {
                let name = kept.push_name(property.ident().chars());
                kept.push_property(id, name);
                property
                    .values()
                    .for_each(|value| kept.push_value(Span { start: value.start, len: value.len }));
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_taken_out() {
        let text = "(;SZ[9]C[a]EV[x](;B[aa];W[bb]C[b])(;B[cc]LB[aa:1][bb:2](;W[dd])(;W[ee])))";
        let tree = crate::Collection::parse(text).unwrap().games.remove(0);
        let [first, second] = tree.children(NodeId::ROOT).collect::<Vec<_>>()[..] else { panic!("two") };
        let inner = tree.first_child(second).unwrap();
        let written = tree.without(&[first, inner]).to_string();
        assert!(written.ends_with("SZ[9]C[a]EV[x];B[cc]LB[aa:1][bb:2];W[ee])\n"), "{written}");
        assert_eq!(tree.without(&[]).to_string(), tree.to_string());
        assert_eq!(tree.without(&[NodeId::ROOT]).n_nodes(), tree.n_nodes());
    }
}
