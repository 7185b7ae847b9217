//! One game's tree as an arena: nodes, properties and values are rows of flat columns linked by index, and all text
//! lies in one string. So a tree of any depth is read, walked, cloned and dropped without recursion, and a node with
//! one move costs about 60 bytes.

use crate::error::EditError;
use crate::position::{Cursor, Position};
use crate::value::{Value, escape, is_writable};

/// Names a node of one [`GameTree`]; only the tree that gave it out understands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Marks the end of a list in the links below.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct NodeRow {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    first_property: u32,
    last_property: u32,
}

#[derive(Clone, Debug)]
struct PropertyRow {
    name: Span,
    /// The values stand together in the values column.
    first_value: u32,
    n_values: u32,
    next: u32,
}

/// A piece of one of the tree's strings, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A game: a tree of nodes that has at least its root.
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<NodeRow>,
    properties: Vec<PropertyRow>,
    values: Vec<Span>,
    names: String,
    /// The game as it stood in the file, then every value added later.
    pub(crate) text: String,
    pub(crate) source_len: u32,
    pub(crate) source_start: Position,
}

impl Default for GameTree {
    fn default() -> Self {
        Self::new()
    }
}

impl GameTree {
    /// A tree with an empty root.
    pub fn new() -> Self {
        let mut tree = Self::without_root();
        tree.push_node(None);
        tree
    }

    pub(crate) fn without_root() -> Self {
        Self {
            nodes: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            names: String::new(),
            text: String::new(),
            source_len: 0,
            source_start: Position::START,
        }
    }

    /// How many nodes the tree has; at least one.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in the order they were read or added; parents stand before their children.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// The node before this one; `None` at the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.index()].parent)
    }

    /// The first continuation of a node, which is its main one.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.index()].first_child)
    }

    /// The next variation beside this node.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.index()].next_sibling)
    }

    /// The continuations of a node, the main one first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The main line: the root, its first child, and so on to the end.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&node| self.first_child(node))
    }

    /// The way from the root to this node, both included.
    pub fn path_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    /// How many lines of play the tree holds: its nodes without a continuation.
    pub fn n_leaves(&self) -> usize {
        self.nodes.iter().filter(|row| row.first_child == NONE).count()
    }

    /// A node's properties in the order of the file; a name that stands twice comes twice.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'_>> + '_ {
        let mut next = self.nodes[node.index()].first_property;
        std::iter::from_fn(move || {
            let row = self.properties.get(next as usize)?;
            next = row.next;
            Some(Property { tree: self, row })
        })
    }

    /// The first property of this name in a node.
    pub fn property(&self, node: NodeId, ident: &str) -> Option<Property<'_>> {
        self.properties(node).find(|property| property.ident() == ident)
    }

    /// The first value of the first property of this name in a node.
    pub fn value(&self, node: NodeId, ident: &str) -> Option<Value<'_>> {
        self.property(node, ident).and_then(|property| property.value())
    }

    /// Adds a node as the last continuation of `parent`.
    pub fn add_child(&mut self, parent: NodeId) -> Result<NodeId, EditError> {
        // The last index is the mark for "no node".
        if self.nodes.len() >= NONE as usize {
            return Err(EditError::Full);
        }
        Ok(self.push_node(Some(parent)))
    }

    /// Adds a property with raw values (see [`escape`]) after those the node has.
    pub fn add_property<S: AsRef<str>>(
        &mut self,
        node: NodeId,
        ident: &str,
        values: impl IntoIterator<Item = S>,
    ) -> Result<(), EditError> {
        let is_name = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
        if ident.is_empty() || !ident.bytes().all(is_name) {
            return Err(EditError::BadIdent(ident.to_owned()));
        }
        let spans = self.store_values(ident, values)?;
        if self.names.len() + ident.len() >= NONE as usize || self.values.len() + spans.len() >= NONE as usize
        {
            return Err(EditError::Full);
        }
        let name = self.push_name(ident.chars());
        self.push_property(node, name);
        for span in spans {
            self.push_value(span);
        }
        Ok(())
    }

    /// Adds a property with one value, given as plain text.
    pub fn add_text(&mut self, node: NodeId, ident: &str, text: &str) -> Result<(), EditError> {
        self.add_property(node, ident, [escape(text)])
    }

    /// Takes every property of this name out of a node; says whether there was one.
    pub fn remove_property(&mut self, node: NodeId, ident: &str) -> bool {
        let (mut kept, mut last, mut found) = (NONE, NONE, false);
        let mut next = self.nodes[node.index()].first_property;
        while next != NONE {
            let row = &self.properties[next as usize];
            let after = row.next;
            if self.name_at(row.name) == ident {
                found = true;
            } else {
                match last {
                    NONE => kept = next,
                    last => self.properties[last as usize].next = next,
                }
                last = next;
            }
            next = after;
        }
        if last != NONE {
            self.properties[last as usize].next = NONE;
        }
        let row = &mut self.nodes[node.index()];
        (row.first_property, row.last_property) = (kept, last);
        found
    }

    fn store_values<S: AsRef<str>>(
        &mut self,
        ident: &str,
        values: impl IntoIterator<Item = S>,
    ) -> Result<Vec<Span>, EditError> {
        let mut spans = Vec::new();
        for value in values {
            let raw = value.as_ref();
            if !is_writable(raw) {
                return Err(EditError::BadValue(raw.to_owned(), ident.to_owned()));
            }
            if self.text.len() + raw.len() >= NONE as usize {
                return Err(EditError::Full);
            }
            spans.push(Span { start: self.text.len() as u32, len: raw.len() as u32 });
            self.text.push_str(raw);
        }
        if spans.is_empty() { Err(EditError::NoValues(ident.to_owned())) } else { Ok(spans) }
    }
}

/// What the parser calls: no checks, because a source below 4 GB has fewer rows of each kind than that.
impl GameTree {
    pub(crate) fn push_node(&mut self, parent: Option<NodeId>) -> NodeId {
        let id = self.nodes.len() as u32;
        self.nodes.push(NodeRow {
            parent: parent.map_or(NONE, |parent| parent.0),
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            first_property: NONE,
            last_property: NONE,
        });
        if let Some(parent) = parent {
            let row = &mut self.nodes[parent.index()];
            let elder = std::mem::replace(&mut row.last_child, id);
            match elder {
                NONE => row.first_child = id,
                elder => self.nodes[elder as usize].next_sibling = id,
            }
        }
        NodeId(id)
    }

    pub(crate) fn push_name(&mut self, name: impl Iterator<Item = char>) -> Span {
        let start = self.names.len();
        self.names.extend(name);
        Span { start: start as u32, len: (self.names.len() - start) as u32 }
    }

    /// Adds a property that has no values yet; the values are pushed next.
    pub(crate) fn push_property(&mut self, node: NodeId, name: Span) {
        let id = self.properties.len() as u32;
        let first_value = self.values.len() as u32;
        self.properties.push(PropertyRow { name, first_value, n_values: 0, next: NONE });
        let row = &mut self.nodes[node.index()];
        let before = std::mem::replace(&mut row.last_property, id);
        match before {
            NONE => row.first_property = id,
            before => self.properties[before as usize].next = id,
        }
    }

    pub(crate) fn push_value(&mut self, span: Span) {
        self.values.push(span);
        if let Some(row) = self.properties.last_mut() {
            row.n_values += 1;
        }
    }

    /// Gives the tree the text that its values' spans speak of.
    pub(crate) fn set_source(&mut self, source: &str, start: Position) {
        source.clone_into(&mut self.text);
        self.source_len = source.len() as u32;
        self.source_start = start;
        // Collections of many small games would otherwise pay for empty rows.
        self.nodes.shrink_to_fit();
        self.properties.shrink_to_fit();
        self.values.shrink_to_fit();
        self.names.shrink_to_fit();
    }

    pub(crate) fn name_at(&self, span: Span) -> &str {
        &self.names[span.start as usize..][..span.len as usize]
    }

    pub(crate) fn text_at(&self, start: u32, len: u32) -> &str {
        &self.text[start as usize..][..len as usize]
    }

    pub(crate) fn position_of(&self, offset: u32) -> Option<Position> {
        (offset < self.source_len)
            .then(|| Cursor::new(&self.text, self.source_start).advance(offset as usize))
    }

    pub(crate) fn source_is_ascii(&self) -> bool {
        self.text.is_ascii()
    }
}

/// A property of a node: a name and at least one value.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    tree: &'a GameTree,
    row: &'a PropertyRow,
}

impl<'a> Property<'a> {
    /// The name, such as `AB`.
    pub fn ident(&self) -> &'a str {
        self.tree.name_at(self.row.name)
    }

    /// The values in their order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value<'a>> + use<'a> {
        let tree = self.tree;
        let rows = &tree.values[self.row.first_value as usize..][..self.row.n_values as usize];
        rows.iter().map(move |span| Value { tree, start: span.start, len: span.len })
    }

    /// The first value.
    pub fn value(&self) -> Option<Value<'a>> {
        self.values().next()
    }
}

fn link(index: u32) -> Option<NodeId> {
    (index != NONE).then_some(NodeId(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tree: &GameTree, node: NodeId) -> Vec<&str> {
        tree.properties(node).map(|p| p.ident()).collect()
    }

    #[test]
    fn links_hold_after_adding() {
        let mut tree = GameTree::new();
        let root = tree.root();
        let a = tree.add_child(root).unwrap();
        let b = tree.add_child(root).unwrap();
        let c = tree.add_child(a).unwrap();
        assert_eq!(tree.children(root).collect::<Vec<_>>(), [a, b]);
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [root, a, c]);
        assert_eq!(tree.path_to(c), [root, a, c]);
        assert_eq!(tree.next_sibling(a), Some(b));
        assert_eq!(tree.parent(root), None);
        assert_eq!((tree.n_nodes(), tree.n_leaves()), (4, 2));
    }

    #[test]
    fn properties_come_and_go_in_order() {
        let mut tree = GameTree::new();
        let root = tree.root();
        for ident in ["GM", "C", "SZ", "C", "KM"] {
            tree.add_property(root, ident, ["1", "2"]).unwrap();
        }
        assert_eq!(names(&tree, root), ["GM", "C", "SZ", "C", "KM"]);
        assert!(tree.remove_property(root, "C"));
        assert_eq!(names(&tree, root), ["GM", "SZ", "KM"]);
        assert!(tree.remove_property(root, "GM") && tree.remove_property(root, "KM"));
        assert!(!tree.remove_property(root, "KM"));
        tree.add_text(root, "C", "a]").unwrap();
        assert_eq!(names(&tree, root), ["SZ", "C"]);
        assert_eq!(tree.value(root, "C").unwrap().raw(), "a\\]");
        assert_eq!(tree.value(root, "C").unwrap().position(), None);
        assert_eq!(tree.property(root, "SZ").unwrap().values().len(), 2);
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let mut tree = GameTree::new();
        let root = tree.root();
        for ident in ["", "c", "A B", "É"] {
            assert_eq!(tree.add_text(root, ident, "x"), Err(EditError::BadIdent(ident.into())));
        }
        assert!(matches!(tree.add_property(root, "C", ["]"]), Err(EditError::BadValue(..))));
        assert!(matches!(tree.add_property(root, "C", [""; 0]), Err(EditError::NoValues(_))));
        assert_eq!(names(&tree, root), [""; 0]);
    }
}
