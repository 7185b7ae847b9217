//! Making a record of a new game, move by move.

use crate::coord::{Color, Coord};
use crate::error::EditError;
use crate::header::Header;
use crate::result::GameResult;
use crate::step::{Move, Setup, Step};
use crate::tree::{GameTree, NodeId};

/// A record that grows at the end of its main line.
///
/// ```
/// use sgf::{Builder, Color, Coord, Header};
/// let header = Header { width: 9, height: 9, komi: Some(7.0), ..Header::default() };
/// let mut game = Builder::new(&header)?;
/// game.play(Color::Black, Some(Coord::new(4, 4)))?;
/// game.comment("tengen")?;
/// game.play(Color::White, None)?;
/// assert_eq!(game.tree().to_string(), "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7];B[ee]C[tengen];W[])\n");
/// # Ok::<(), sgf::EditError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    tree: GameTree,
    last: NodeId,
    width: u8,
    height: u8,
}

impl Builder {
    /// Begins a record with these facts in its root.
    pub fn new(header: &Header) -> Result<Self, EditError> {
        let mut tree = GameTree::new();
        header.write(&mut tree)?;
        Ok(Self { tree, last: NodeId::ROOT, width: header.width, height: header.height })
    }

    /// Sets up stones: in the root when nothing has been played, otherwise in a node of its own.
    pub fn setup(&mut self, setup: &Setup) -> Result<NodeId, EditError> {
        for &point in setup.black.iter().chain(&setup.white).chain(&setup.empty) {
            self.check(point)?;
        }
        let is_fresh = self.last == NodeId::ROOT
            && ["AB", "AW", "AE", "PL"].iter().all(|ident| self.tree.property(NodeId::ROOT, ident).is_none());
        if !is_fresh {
            self.last = self.tree.add_child(self.last)?;
        }
        self.tree.add_step(self.last, &Step::Setup(setup.clone()))?;
        Ok(self.last)
    }

    /// Plays a move, or passes with `None`.
    pub fn play(&mut self, color: Color, point: Option<Coord>) -> Result<NodeId, EditError> {
        if let Some(point) = point {
            self.check(point)?;
        }
        let node = self.tree.add_child(self.last)?;
        self.tree.add_step(node, &Step::Move(Move { color, point }))?;
        self.last = node;
        Ok(node)
    }

    /// Writes a comment on the last move in place of the one it had; before the first move, on the root.
    pub fn comment(&mut self, text: &str) -> Result<(), EditError> {
        self.tree.remove_property(self.last, "C");
        self.tree.add_text(self.last, "C", text)
    }

    /// Writes the result in place of the one it had.
    pub fn result(&mut self, result: GameResult) -> Result<(), EditError> {
        self.tree.remove_property(NodeId::ROOT, "RE");
        self.tree.add_text(NodeId::ROOT, "RE", &result.to_string())
    }

    /// The record so far; its `to_string` and `write_to` make the file.
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// The finished record.
    pub fn finish(self) -> GameTree {
        self.tree
    }

    fn check(&self, point: Coord) -> Result<(), EditError> {
        if point.is_on(self.width, self.height) {
            return Ok(());
        }
        Err(EditError::OffBoard(self.width, self.height, point.to_string()))
    }
}
