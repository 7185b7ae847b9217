//! What a record says about a position beside moves: marks and labels on points, and which moves of a problem are right.
//! Reading is lenient, because a mark that names no point spoils no game; the tree keeps what is not understood.

use crate::coord::Coord;
use crate::game::Game;
use crate::step;
use crate::tree::{GameTree, NodeId};

impl Game<'_> {
    /// The points that a node's lists of this name hold (`TR`, `SQ`, `TB` …), each once, in the order of the file.
    pub fn points(&self, node: NodeId, ident: &str) -> Vec<Coord> {
        let size = (self.header.width, self.header.height);
        let mut points = Vec::new();
        let mut seen = vec![false; usize::from(size.0) * usize::from(size.1)];
        for property in self.tree.properties(node).filter(|property| property.ident() == ident) {
            for value in property.values() {
                // A value that names no point of the board marks nothing.
                let Ok(Some((a, b))) = step::read_corners(ident, value, size) else { continue };
                for point in step::rectangle(a, b) {
                    let idx = usize::from(point.row) * usize::from(size.0) + usize::from(point.col);
                    if seen.get_mut(idx).is_some_and(|seen| !std::mem::replace(seen, true)) {
                        points.push(point);
                    }
                }
            }
        }
        points
    }

    /// The labels of a node (`LB`); of two on one point the first counts.
    pub fn labels(&self, node: NodeId) -> Vec<(Coord, String)> {
        let (width, height) = (self.header.width, self.header.height);
        let mut labels: Vec<(Coord, String)> = Vec::new();
        for property in self.tree.properties(node).filter(|property| property.ident() == "LB") {
            for (point, text) in property.values().filter_map(|value| value.composed()) {
                let point = Coord::from_sgf(&point.simple_text()).filter(|point| point.is_on(width, height));
                if let Some(point) = point.filter(|point| labels.iter().all(|(other, _)| other != point)) {
                    labels.push((point, text.simple_text().into_owned()));
                }
            }
        }
        labels
    }
}

impl GameTree {
    /// Whether a move of a problem is called right by itself: a tesuji (`TE`), or `RIGHT` or `CORRECT` as a word of its comment
    /// (the convention of goproblems.com and its heirs).
    pub fn is_called_right(&self, node: NodeId) -> bool {
        self.property(node, "TE").is_some() || self.comment_says(node, &["RIGHT", "CORRECT"])
    }

    /// Whether a move of a problem or a comment after it says that it is right. A tesuji further down may be the opponent's.
    pub fn is_marked_right(&self, node: NodeId) -> bool {
        let mut open = vec![node];
        while let Some(next) = open.pop() {
            if self.comment_says(next, &["RIGHT", "CORRECT"]) {
                return true;
            }
            open.extend(self.children(next));
        }
        self.property(node, "TE").is_some()
    }

    /// Whether a move of a problem is marked as bad: `BM`, `WV`, or `WRONG` or `INCORRECT` as a word of its comment.
    pub fn is_marked_wrong(&self, node: NodeId) -> bool {
        ["BM", "WV"].iter().any(|ident| self.property(node, ident).is_some())
            || self.comment_says(node, &["WRONG", "INCORRECT"])
    }

    /// Whether one of these is a word of the node's comment that no `not` stands before.
    fn comment_says(&self, node: NodeId, marks: &[&str]) -> bool {
        let Some(value) = self.value(node, "C") else { return false };
        let text = value.text();
        let words: Vec<String> = text
            .split(|sign: char| !sign.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_uppercase)
            .collect();
        let is_mark = |n: usize| marks.contains(&words[n].as_str()) && (n == 0 || words[n - 1] != "NOT");
        (0..words.len()).any(is_mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Collection;

    #[test]
    fn marks_are_read_and_written() {
        let text = "(;SZ[5]TR[aa:bb][cc][zz][aa]LB[dd:A\\:b][ee:1][dd:x][q]MA[])";
        let mut tree = Collection::parse(text).unwrap().games.remove(0);
        let game = Game::new(&tree).unwrap();
        let shown: Vec<_> = game.points(NodeId::ROOT, "TR").iter().map(Coord::to_string).collect();
        assert_eq!(shown, ["aa", "ba", "ab", "bb", "cc"]);
        assert_eq!(game.points(NodeId::ROOT, "MA"), []);
        let labels = game.labels(NodeId::ROOT);
        assert_eq!(labels, [(Coord::new(3, 3), "A:b".to_string()), (Coord::new(4, 4), "1".to_string())]);
        tree.set_labels(NodeId::ROOT, &labels).unwrap();
        tree.set_points(NodeId::ROOT, "TR", &[]).unwrap();
        tree.set_points(NodeId::ROOT, "SQ", &[Coord::new(1, 2)]).unwrap();
        tree.set_text(NodeId::ROOT, "C", "a]b").unwrap();
        tree.set_text(NodeId::ROOT, "MA", "").unwrap();
        let written = tree.to_string();
        assert!(written.contains("SZ[5]LB[dd:A\\:b][ee:1]SQ[bc]C[a\\]b])"), "{written}");
        assert_eq!(Game::new(&tree).unwrap().labels(NodeId::ROOT), labels);
    }
}
