//! Making room: when the ceiling is reached the least visited nodes are recycled. Their arms' counts and sums stand at
//! their parents and stay; only what was below is forgotten, and grows again where the search comes back.

use super::{ChildIdx, NodeId, Tree};

impl Tree {
    /// Recycles the less visited half of the nodes below `root`; returns how many. What goes and in which order depends on
    /// the shape of the tree and its finished visits alone.
    pub fn make_room(&mut self, root: NodeId) -> usize {
        let mut nodes: Vec<(u32, NodeId)> = Vec::new();
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop().and_then(|id| self.node(id)) {
            for child in (0..node.n_children()).map(|idx| ChildIdx(idx as u16)) {
                if let Some(below) = self.child(node, child) {
                    nodes.push((node.visits(child), below.id()));
                    waiting.push(below.id());
                }
            }
        }
        let (n_before, quota) = (self.n_nodes(), nodes.len().div_ceil(2));
        // A node is found after the one above. A stable sort of the nodes, the last found first, therefore keeps a subtree
        // before its top wherever both have as many visits.
        nodes.reverse();
        nodes.sort_by_key(|&(visits, _)| visits);
        for (_, id) in nodes {
            // Each finished visit was counted on its whole path, so a node has no more of them than the one above, and one
            // node goes at a time. Were it otherwise, a top would take its subtree along and the rest might stay.
            if n_before - self.n_nodes() >= quota {
                break;
            }
            self.recycle(id, None);
        }
        n_before - self.n_nodes()
    }
}
