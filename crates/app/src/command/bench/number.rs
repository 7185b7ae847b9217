//! The bench number: a checksum over small searches and playouts with fixed seeds. No clock, no address and no
//! floating-point value enters it, only moves, visits and counts, so it is the same on any machine.

use anyhow::Result;
use clap::Args;
use goban::{AnyBoard, Board, Color, Full, Rng, Size, SizeClass, Vertex, with_board};
use mcts::go_search::{self, Situation};
use mcts::{Limits, Settings};
use player::recipes;
use playout::{Start, policy};
use recipe::{Choice, Recipe};
use serde_json::json;

use super::print;
use crate::options::parse_recipe;

/// Width, height, number of playouts, simulations per move: every size class that games are played in, and a
/// rectangle.
const BOARDS: [(usize, usize, usize, u64); 4] =
    [(9, 9, 200, 1500), (13, 13, 100, 800), (19, 19, 50, 600), (7, 11, 100, 1000)];

/// Moves searched on each board, so that the tree is also advanced and used again.
const MOVES: usize = 4;
const SEED: u64 = 20_260_101;
const KOMI: f32 = 7.5;

// The name must differ from that of the command's own options, of which these become a part.
#[derive(Args)]
pub(super) struct NumberOptions {
    /// The recipe that thinks: a name from `tengen list`, key=value pairs, or both
    #[arg(long, default_value = "default")]
    recipe: String,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl NumberOptions {
    pub(super) fn run(&self) -> Result<()> {
        let recipe = parse_recipe(&self.recipe)?;
        let number = of(&recipe)?;
        Ok(print(self.json, &json!({ "bench": number }), &format!("bench: {number}"))?)
    }
}

/// The bench number of a recipe; a fraction of a second.
pub(super) fn of(recipe: &Recipe) -> Result<u64> {
    let policy = recipes::policy("uniform")?;
    let mut sum = Checksum::default();
    for (width, height, n_playouts, simulations) in BOARDS {
        let board = AnyBoard::new(Size::new(width, height)?);
        with_board!(&board, |inside| add_playouts(&mut sum, inside, &policy, n_playouts))?;
        add_searches(&mut sum, board, recipe, simulations)?;
    }
    Ok(sum.short())
}

/// Every move of some playouts, and the area at their ends.
fn add_playouts<C: SizeClass>(
    sum: &mut Checksum,
    board: &Board<C, Full>,
    policy: &Choice,
    n_playouts: usize,
) -> Result<()> {
    let mut rollout = policy::build::<C>(policy, board.size())?;
    let mut rng = Rng::new(SEED);
    let mut moves = Vec::new();
    for _ in 0..n_playouts {
        moves.clear();
        let ending = rollout.run(&Start::new(board, Color::Black), &mut rng, &mut moves);
        moves.iter().for_each(|&mv| sum.add_vertex(board.vertex(mv)));
        ending.area.iter().for_each(|&area| sum.add(area.into()));
    }
    Ok(())
}

/// The visits of all arms before each of a few moves.
fn add_searches(sum: &mut Checksum, mut board: AnyBoard, recipe: &Recipe, simulations: u64) -> Result<()> {
    let mut to_play = Color::Black;
    let situation =
        Situation { board: &board, to_play, komi: KOMI, n_passes: 0, recent: [None; 5], before: None };
    let mut search = go_search::build(recipe, &situation, &Settings { seed: SEED, ..Settings::default() })?;
    for _ in 0..MOVES {
        let report = search.run(&Limits::simulations(simulations));
        for arm in &report.arms {
            sum.add_vertex(search.vertex(arm.action));
            sum.add(arm.visits.into());
        }
        sum.add(report.nodes as u64);
        let Some(chosen) = search.pick(&report) else { break };
        sum.add_vertex(chosen);
        board.play(to_play, chosen);
        to_play = !to_play;
        search.advance(chosen);
    }
    sum.add(board.hash());
    Ok(())
}

/// FNV-1a over words.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The same for a vertex however the board lies in memory.
    fn add_vertex(&mut self, vertex: Vertex) {
        let word = if vertex.is_pass() { u64::MAX } else { (vertex.row() << 8 | vertex.col()) as u64 };
        self.add(word);
    }

    /// Few enough digits for a commit message.
    fn short(&self) -> u64 {
        (self.0 ^ self.0 >> 32) & 0xffff_ffff
    }
}
