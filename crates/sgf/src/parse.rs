//! Text to trees: one pass over the bytes with a stack of branch points, no recursion. Structure that is odd but
//! clear in meaning is read with a warning; where reading on would drop or misplace data, it is an error.

use crate::collection::Collection;
use crate::decode::{game_start, is_space};
use crate::error::ReadError;
use crate::position::{Cursor, Position, Warning, WarningKind};
use crate::tree::{GameTree, NodeId, Span};
use std::collections::HashSet;

/// A broken file of 50 MB should not also fill the memory with warnings.
const MAX_WARNINGS: usize = 1000;

/// Nodes with more properties than this look for duplicates with a set, so that no node costs quadratic time.
const FEW_PROPERTIES: usize = 16;

const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Reads the segments of a file one after the other.
pub(crate) struct Parser {
    collection: Collection,
    /// Where the next segment begins in the file.
    start: Position,
    is_blank: bool,
}

impl Parser {
    pub(crate) fn new() -> Self {
        Self { collection: Collection::default(), start: Position::START, is_blank: true }
    }

    pub(crate) fn segment(&mut self, text: &str, warning: Option<WarningKind>) -> Result<(), ReadError> {
        let mut reader = Reader {
            text,
            at: 0,
            cursor: Cursor::new(text, self.start),
            start: self.start,
            warnings: &mut self.collection.warnings,
            duplicates: Duplicates::default(),
        };
        if let Some(kind) = warning {
            reader.warn(0, kind);
        }
        loop {
            let outside_start = reader.at;
            let found = game_start(&text.as_bytes()[outside_start..]);
            let outside_end = found.map_or(text.len(), |at| outside_start + at);
            let is_blank = reader.skip_outside(outside_start..outside_end, !self.collection.games.is_empty());
            self.is_blank &= is_blank && found.is_none();
            reader.at = outside_end;
            if found.is_none() {
                break;
            }
            let game = reader.game()?;
            self.collection.games.push(game);
        }
        self.start = reader.cursor.advance(text.len());
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Collection, ReadError> {
        if self.collection.games.is_empty() && !self.is_blank {
            return Err(ReadError::NoGame);
        }
        Ok(self.collection)
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Where the next byte to read stands.
    at: usize,
    cursor: Cursor<'a>,
    start: Position,
    warnings: &'a mut Vec<Warning>,
    duplicates: Duplicates,
}

/// What stood before the place being read, as far as it matters to what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Behind a `(`: no node of this variation has begun.
    Opened,
    /// In a node.
    Node,
    /// Behind a `)`: the node before the variation is the current one again.
    Closed,
}

impl<'a> Reader<'a> {
    /// Reads the game whose `(` stands at `self.at`.
    fn game(&mut self) -> Result<GameTree, ReadError> {
        let start = self.at;
        let start_position = self.cursor.advance(start);
        let mut tree = GameTree::without_root();
        self.duplicates.node = None;
        let mut branches: Vec<Option<NodeId>> = Vec::new();
        let mut current: Option<NodeId> = None;
        let mut place = Place::Opened;
        loop {
            self.skip_space();
            let Some(&byte) = self.text.as_bytes().get(self.at) else {
                self.warn(self.at, WarningKind::MissingClose(branches.len()));
                break;
            };
            // Nothing grows faster than the text, so this bounds every index of the tree.
            if self.at - start >= u32::MAX as usize {
                return Err(ReadError::TooLong(self.text.len() - start));
            }
            match byte {
                b'(' => {
                    branches.push(current);
                    place = Place::Opened;
                }
                b';' => {
                    if place == Place::Closed {
                        self.warn(self.at, WarningKind::NodeAfterVariation);
                    }
                    current = Some(tree.push_node(current));
                    place = Place::Node;
                }
                b')' => {
                    if place == Place::Opened {
                        self.warn(self.at, WarningKind::EmptyVariation);
                    }
                    current = branches.pop().flatten();
                    place = Place::Closed;
                    if branches.is_empty() {
                        self.at += 1;
                        break;
                    }
                }
                byte if byte.is_ascii_alphanumeric() => {
                    current = Some(self.property(&mut tree, current, place, start)?);
                    place = Place::Node;
                    continue;
                }
                _ => return Err(self.unexpected("`;`, `(`, `)` or a property")),
            }
            self.at += 1;
        }
        tree.set_source(&self.text[start..self.at], start_position);
        Ok(tree)
    }

    /// Reads a property and gives the node it belongs to.
    fn property(
        &mut self,
        tree: &mut GameTree,
        current: Option<NodeId>,
        place: Place,
        game_start: usize,
    ) -> Result<NodeId, ReadError> {
        let name_at = self.at;
        let bytes = self.text.as_bytes();
        let len = bytes[name_at..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let written = &self.text[name_at..name_at + len];
        let name = self.name(tree, written, name_at);
        let node = self.node_of_property(tree, current, place, name, name_at);
        if self.duplicates.note(tree, node, name) {
            self.warn(name_at, WarningKind::DuplicateProperty(shorten(tree.name_at(name))));
        }
        self.at += len;
        self.skip_space();
        if bytes.get(self.at) != Some(&b'[') {
            let position = self.position_before(name_at);
            return Err(ReadError::NoValue { position, ident: shorten(written) });
        }
        tree.push_property(node, name);
        while bytes.get(self.at) == Some(&b'[') {
            let open = self.at;
            let Some(len) = value_len(&bytes[open + 1..]) else {
                let position = self.position_before(open);
                return Err(ReadError::UnclosedValue { position, ident: shorten(tree.name_at(name)) });
            };
            tree.push_value(Span { start: (open + 1 - game_start) as u32, len: len as u32 });
            self.at = open + 1 + len + 1;
            self.skip_space();
        }
        Ok(node)
    }

    /// The node a property belongs to, which is new when the file left out its `;`.
    fn node_of_property(
        &mut self,
        tree: &mut GameTree,
        current: Option<NodeId>,
        place: Place,
        name: Span,
        at: usize,
    ) -> NodeId {
        match (place, current) {
            (Place::Node, Some(node)) => node,
            (Place::Closed, Some(node)) => {
                self.warn(at, WarningKind::PropertyAfterVariation(shorten(tree.name_at(name))));
                node
            }
            _ => {
                self.warn(at, WarningKind::MissingNode(shorten(tree.name_at(name))));
                tree.push_node(current)
            }
        }
    }

    /// Stores a property's name. `FF[1]` to `FF[3]` allow small letters in it, which do not count.
    fn name(&mut self, tree: &mut GameTree, written: &str, at: usize) -> Span {
        let counts = |c: &char| !c.is_ascii_lowercase();
        if written.chars().any(|c| counts(&c)) {
            return tree.push_name(written.chars().filter(counts));
        }
        self.warn(at, WarningKind::LowercaseName(shorten(written)));
        tree.push_name(written.chars().map(|c| c.to_ascii_uppercase()))
    }

    /// Steps over white space, byte order marks and zero bytes.
    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte == 0 {
                self.warn(self.at, WarningKind::Nul);
            } else if bytes[self.at..].starts_with(BYTE_ORDER_MARK.as_bytes()) {
                self.at += BYTE_ORDER_MARK.len() - 1;
            } else if !is_space(byte) {
                return;
            }
            self.at += 1;
        }
    }

    /// Steps over what stands outside the games; says whether it was all blank.
    fn skip_outside(&mut self, range: std::ops::Range<usize>, after_game: bool) -> bool {
        let bytes = self.text.as_bytes();
        self.at = range.start;
        self.skip_space();
        // A close bracket right after a game most likely belonged to it.
        let mut is_blank = true;
        while after_game && self.at < range.end && bytes[self.at] == b')' {
            self.warn(self.at, WarningKind::ExtraClose);
            self.at += 1;
            self.skip_space();
            is_blank = false;
        }
        if self.at < range.end {
            self.warn(self.at, WarningKind::TextOutside);
            is_blank = false;
        }
        is_blank
    }

    fn unexpected(&mut self, expected: &'static str) -> ReadError {
        let position = self.position_before(self.at);
        let found = self.text[self.at..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        ReadError::Unexpected { position, found, expected }
    }

    /// A position that may lie before the cursor's; for errors, of which there is only one.
    fn position_before(&self, offset: usize) -> Position {
        Cursor::new(self.text, self.start).advance(offset)
    }

    fn warn(&mut self, offset: usize, kind: WarningKind) {
        if self.warnings.len() < MAX_WARNINGS {
            let position = Some(self.cursor.advance(offset));
            self.warnings.push(Warning { position, kind });
        } else if self.warnings.len() == MAX_WARNINGS {
            self.warnings.push(Warning { position: None, kind: WarningKind::More });
        }
    }
}

/// Finds properties that stand twice in a node.
#[derive(Default)]
struct Duplicates {
    node: Option<NodeId>,
    n_properties: usize,
    /// Names beyond the node's first few.
    seen: HashSet<String>,
}

impl Duplicates {
    /// Notes a property that is about to be added; says whether the node has one of that name.
    fn note(&mut self, tree: &GameTree, node: NodeId, name: Span) -> bool {
        if self.node != Some(node) {
            self.node = Some(node);
            self.n_properties = 0;
            self.seen.clear();
        }
        let name = tree.name_at(name);
        self.n_properties += 1;
        if tree.properties(node).take(FEW_PROPERTIES).any(|property| property.ident() == name) {
            return true;
        }
        self.n_properties > FEW_PROPERTIES && !self.seen.insert(name.to_owned())
    }
}

/// The bytes of a value up to its closing bracket; `None` when there is none.
fn value_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|&b| b == b']' || b == b'\\')?;
        if bytes[at] == b']' {
            return Some(at);
        }
        at += 2;
    }
}

/// A name as messages show it.
fn shorten(name: &str) -> String {
    name.chars().take(20).collect()
}
