//! The record that is reviewed: its main line, and where each move stands in the tree.

use std::path::Path;

use anyhow::{Context, Result, bail};
use goban::{PlayedMove, Position, Rules, Vertex};
use gtp::stderr;
use player::record;
use player::review::GameLine;
use sgf::{Game, GameTree, Header, NodeId, Step};

use crate::terms;

/// A game under review.
pub(super) struct Reviewed {
    /// The record's name, for titles.
    pub(super) name: String,
    /// The record as it was read.
    pub(super) tree: GameTree,
    /// Its facts.
    pub(super) header: Header,
    /// Its main line.
    pub(super) line: GameLine,
    /// The nodes of the moves in the tree.
    pub(super) nodes: Vec<NodeId>,
}

impl Reviewed {
    /// Reads the first game of a file.
    pub(super) fn read(file: &Path, rules: Option<Rules>, komi: Option<f32>) -> Result<Self> {
        let name = file.display().to_string();
        // Its errors name the file themselves; without an error there is a game.
        let mut games = record::load_all(file)?;
        if games.len() > 1 {
            stderr::log(&format!("{name}: {} games; the first is reviewed", games.len()));
        }
        let tree = games.swap_remove(0);
        let game = Game::new(&tree).with_context(|| name.clone())?;
        let (rules, komi) = terms::of_record(&game, &name, rules, komi);
        let mut nodes = Vec::new();
        for step in game.main_line() {
            if let (node, Step::Move(_)) = step.with_context(|| name.clone())? {
                nodes.push(node);
            }
        }
        if nodes.is_empty() {
            bail!("{name}: the game has no moves; expected at least one to look at");
        }
        let mut last = record::position_of(&game, rules, None).with_context(|| name.clone())?;
        if let Some(komi) = komi {
            last.set_komi(komi).with_context(|| format!("--komi {komi}"))?;
        }
        let header = game.header.clone();
        let name = file.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
        Ok(Self { name, header, line: GameLine::new(last), nodes, tree })
    }

    /// The last position, which knows the terms of the game.
    pub(super) fn last(&self) -> &Position {
        self.line.last()
    }

    /// A point as people write it.
    pub(super) fn show_point(&self, vertex: Vertex) -> String {
        self.last().size().show(vertex)
    }

    /// A move as people write it.
    pub(super) fn show(&self, play: PlayedMove) -> String {
        self.show_point(play.vertex)
    }

    /// A number that another record is most unlikely to have.
    pub(super) fn fingerprint(&self) -> String {
        // FNV-1a, 64 bits: the same number in every version of this program.
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        format!("{:016x}", self.tree.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    /// `Black – White`, as far as the record names them.
    pub(super) fn title(&self) -> String {
        let name = |player: &sgf::Player, color: &str| {
            player.name.clone().filter(|name| !name.trim().is_empty()).unwrap_or(color.to_owned())
        };
        format!("{} – {}", name(&self.header.black, "Black"), name(&self.header.white, "White"))
    }
}
