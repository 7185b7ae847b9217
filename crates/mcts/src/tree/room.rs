//! Making room: when the ceiling is reached the least visited nodes are recycled. Their arms' counts and sums stand at
//! their parents and stay; only what was below is forgotten, and grows again where the search comes back.

use super::{ChildIdx, NodeId, Tree};

impl Tree {
    /// Recycles the less visited half of the nodes below `root`; returns how many.
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
        if nodes.is_empty() {
            return 0;
        }
        let n_before = self.n_nodes();
        let quota = nodes.len().div_ceil(2);
        // A node has no more visits than the one above, so that a subtree goes before its top.
        nodes.select_nth_unstable_by_key(quota - 1, |(visits, _)| *visits);
        for &(_, id) in &nodes[..quota] {
            self.recycle(id, None);
        }
        n_before - self.n_nodes()
    }
}
