//! A tree read as a game of Go.

use crate::coord::Color;
use crate::error::GameError;
use crate::header::Header;
use crate::position::Warning;
use crate::step::{self, Move, Step};
use crate::tree::{GameTree, NodeId};
use std::borrow::Cow;

/// A game of Go: a tree, and the facts read from it.
#[derive(Clone, Debug)]
pub struct Game<'a> {
    /// The tree.
    pub tree: &'a GameTree,
    /// The game's facts.
    pub header: Header,
    /// What was odd about the facts.
    pub warnings: Vec<Warning>,
}

impl<'a> Game<'a> {
    /// Reads a tree's facts. Trees of other games and impossible board sizes are refused; moves are not looked at.
    pub fn new(tree: &'a GameTree) -> Result<Self, GameError> {
        let mut warnings = Vec::new();
        let header = Header::read(tree, &mut warnings)?;
        Ok(Self { tree, header, warnings })
    }

    /// What a node does: its setup, then its moves. A node may do nothing, and in old files move twice.
    pub fn steps(&self, node: NodeId) -> Result<Vec<Step>, GameError> {
        step::steps(self.tree, node, (self.header.width, self.header.height))
    }

    /// The steps of the main line with their nodes. The iterator ends after the first error: behind a step that
    /// cannot be made, the position is not what the file means.
    pub fn main_line(&self) -> impl Iterator<Item = Result<(NodeId, Step), GameError>> + '_ {
        self.line(self.tree.main_line())
    }

    /// The steps on the way from the root to a node, as in [`main_line`](Self::main_line).
    pub fn line_to(&self, node: NodeId) -> impl Iterator<Item = Result<(NodeId, Step), GameError>> + '_ {
        self.line(self.tree.path_to(node).into_iter())
    }

    /// The moves of the main line, setup left out.
    pub fn moves(&self) -> Result<Vec<Move>, GameError> {
        let moves = self.main_line().filter_map(|step| match step {
            Ok((_, Step::Move(played))) => Some(Ok(played)),
            Ok((_, Step::Setup(_))) => None,
            Err(error) => Some(Err(error)),
        });
        moves.collect()
    }

    /// Who moves first: as `PL` says before the first move, otherwise as the main line plays; without moves White
    /// in a handicap game or when only black stones are set up, else Black.
    pub fn first_to_play(&self) -> Color {
        let (mut has_black, mut has_white) = (false, false);
        for node in self.tree.main_line() {
            let mut mover = None;
            for property in self.tree.properties(node) {
                match property.ident() {
                    "PL" => {
                        let text = property.value().map(|value| value.simple_text());
                        if let Some(color) = text.and_then(|text| Color::from_text(&text)) {
                            return color;
                        }
                    }
                    "B" => mover = mover.or(Some(Color::Black)),
                    "W" => mover = mover.or(Some(Color::White)),
                    "AB" => has_black = true,
                    "AW" => has_white = true,
                    _ => {}
                }
            }
            if let Some(color) = mover {
                return color;
            }
        }
        if self.header.handicap >= 2 || (has_black && !has_white) { Color::White } else { Color::Black }
    }

    /// A node's comment (`C`).
    pub fn comment(&self, node: NodeId) -> Option<Cow<'a, str>> {
        self.tree.value(node, "C").map(|value| value.text())
    }

    fn line<'b>(
        &'b self,
        nodes: impl Iterator<Item = NodeId> + 'b,
    ) -> impl Iterator<Item = Result<(NodeId, Step), GameError>> + 'b {
        let steps = nodes.flat_map(|node| match self.steps(node) {
            Ok(steps) => steps.into_iter().map(|step| Ok((node, step))).collect(),
            Err(error) => vec![Err(error)],
        });
        let mut failed = false;
        steps.take_while(move |step| {
            let goes_on = !failed;
            failed |= step.is_err();
            goes_on
        })
    }
}
