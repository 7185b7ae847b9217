//! Trees to text: `FF[4]` in UTF-8, with every property in its place and every value as it was.

use crate::collection::Collection;
use crate::tree::{GameTree, NodeId};
use std::fmt;
use std::io;

/// Lines are broken before the first node that begins beyond this column.
const LINE: usize = 72;

impl GameTree {
    /// Writes the game as `FF[4]` in UTF-8: the root's `FF` and `CA` say so, everything else is kept as it is.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut adapter = Adapter { out, error: None };
        match write_tree(self, &mut adapter) {
            Ok(()) => Ok(()),
            Err(fmt::Error) => {
                Err(adapter.error.unwrap_or_else(|| io::Error::other("the game could not be written")))
            }
        }
    }
}

impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tree(self, f)
    }
}

impl Collection {
    /// Writes all games, each as [`GameTree::write_to`] does.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.games.iter().try_for_each(|game| game.write_to(out))
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.games.iter().try_for_each(|game| game.fmt(f))
    }
}

/// Lets the text writer below write to a file, and keeps the file's error.
struct Adapter<'a, W> {
    out: &'a mut W,
    error: Option<io::Error>,
}

impl<W: io::Write> fmt::Write for Adapter<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

enum Task {
    /// Write a node and, behind it, its continuations.
    Node(NodeId),
    Open,
    Close,
}

fn write_tree(tree: &GameTree, out: &mut impl fmt::Write) -> fmt::Result {
    let mut tasks = vec![Task::Close, Task::Node(NodeId::ROOT)];
    let mut column = 1;
    out.write_str("(")?;
    while let Some(task) = tasks.pop() {
        match task {
            Task::Node(node) => {
                if column > LINE {
                    out.write_str("\n")?;
                    column = 0;
                }
                column += write_node(tree, node, out)?;
                push_children(tree, node, &mut tasks);
            }
            Task::Open => {
                out.write_str("\n(")?;
                column = 1;
            }
            Task::Close => {
                out.write_str(")")?;
                column += 1;
            }
        }
    }
    out.write_str("\n")
}

/// A single continuation follows its node directly; several stand in brackets.
fn push_children(tree: &GameTree, node: NodeId, tasks: &mut Vec<Task>) {
    let first = tasks.len();
    for child in tree.children(node) {
        tasks.extend([Task::Open, Task::Node(child), Task::Close]);
    }
    if tasks.len() == first + 3 {
        tasks.remove(first);
        tasks.pop();
    }
    // Tasks are taken from the end.
    tasks[first..].reverse();
}

/// Writes a node and says how many bytes that took.
fn write_node(tree: &GameTree, node: NodeId, out: &mut impl fmt::Write) -> Result<usize, fmt::Error> {
    let mut len = 1;
    out.write_str(";")?;
    // The root's properties that tell how the file is written, and so cannot be kept.
    let own: &[(&str, &str)] = if node == NodeId::ROOT { &[("FF", "4"), ("CA", "UTF-8")] } else { &[] };
    for &(ident, value) in own {
        if tree.property(node, ident).is_none() {
            len += write_property(out, ident, [value].into_iter())?;
        }
    }
    for property in tree.properties(node) {
        let ident = property.ident();
        len += match own.iter().find(|(own, _)| *own == ident) {
            Some(&(_, value)) => write_property(out, ident, [value].into_iter())?,
            None => write_property(out, ident, property.values().map(|value| value.raw()))?,
        };
    }
    Ok(len)
}

fn write_property<'a>(
    out: &mut impl fmt::Write,
    ident: &str,
    values: impl Iterator<Item = &'a str>,
) -> Result<usize, fmt::Error> {
    let mut len = ident.len();
    out.write_str(ident)?;
    for raw in values {
        out.write_str("[")?;
        out.write_str(raw)?;
        out.write_str("]")?;
        len += raw.len() + 2;
    }
    Ok(len)
}
