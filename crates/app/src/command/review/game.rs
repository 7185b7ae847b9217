//! The record that is reviewed: its main line as positions, and where each move stands in the tree.

use std::path::Path;

use anyhow::{Context, Result, bail};
use goban::{PlayedMove, Position, Rules};
use gtp::stderr;
use player::record;
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
    /// The position before each move, and the one at the end.
    positions: Vec<Position>,
    /// The moves, and their nodes in the tree.
    moves: Vec<(NodeId, PlayedMove)>,
}

impl Reviewed {
    /// Reads the first game of a file.
    pub(super) fn read(file: &Path, rules: Option<Rules>, komi: Option<f32>) -> Result<Self> {
        let name = file.display().to_string();
        // Its errors name the file themselves; without an error there is a game.
        let mut games = record::load_all(file)?;
        if games.len() > 1 {
            stderr::log(&format!("{name}: {} games; the first is looked at", games.len()));
        }
        let tree = games.swap_remove(0);
        let game = Game::new(&tree).with_context(|| name.clone())?;
        let (rules, komi) = terms::of_record(&game, &name, rules, komi);
        let mut moves = Vec::new();
        for step in game.main_line() {
            if let (node, Step::Move(next)) = step.with_context(|| name.clone())? {
                moves.push((
                    node,
                    PlayedMove { color: record::to_color(next.color), vertex: record::to_vertex(next.point) },
                ));
            }
        }
        if moves.is_empty() {
            bail!("{name}: the game has no moves; expected at least one to look at");
        }
        let mut positions = Vec::new();
        for number in (1..=moves.len()).map(Some).chain([None]) {
            let mut position = record::position_of(&game, rules, number).with_context(|| name.clone())?;
            if let Some(komi) = komi {
                position.set_komi(komi).with_context(|| format!("--komi {komi}"))?;
            }
            positions.push(position);
        }
        let header = game.header.clone();
        let name = file.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
        Ok(Self { name, header, positions, moves, tree })
    }

    /// One more than there are moves.
    pub(super) fn n_positions(&self) -> usize {
        self.positions.len()
    }

    /// The position after so many moves.
    pub(super) fn position(&self, ply: usize) -> &Position {
        &self.positions[ply]
    }

    /// The moves with their nodes.
    pub(super) fn moves(&self) -> &[(NodeId, PlayedMove)] {
        &self.moves
    }

    /// A move as people write it.
    pub(super) fn show(&self, play: PlayedMove) -> String {
        self.positions[0].size().show(play.vertex)
    }

    pub(super) fn rules(&self) -> Rules {
        self.positions[0].rules()
    }

    pub(super) fn komi(&self) -> f32 {
        self.positions[0].komi()
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
