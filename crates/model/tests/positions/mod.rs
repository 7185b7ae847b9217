//! Positions as they come up in games, the same on every machine: the model plays against itself.

use goban::{Board, Color, Full, Move, Rng, Size, SizeClass};
use model::PositionView;
use model::tactics::Tactics;

/// A position that owns its board.
#[derive(Clone, Copy)]
pub(crate) struct Played<C: SizeClass> {
    pub(crate) board: Board<C, Full>,
    pub(crate) to_play: Color,
    pub(crate) recent: [Option<Move>; 2],
}

impl<C: SizeClass> Played<C> {
    pub(crate) fn new(size: Size) -> Self {
        Self { board: Board::new(size), to_play: Color::Black, recent: [None; 2] }
    }

    pub(crate) fn view(&self) -> PositionView<'_, C> {
        PositionView { board: &self.board, to_play: self.to_play, recent: self.recent }
    }

    /// Plays a move that is drawn from the model's probabilities.
    pub(crate) fn play(&mut self, rng: &mut Rng) {
        let mut moves = Vec::new();
        self.view().moves(&mut moves);
        let mut p = vec![0.0; moves.len()];
        Tactics::of(self.board.size()).fill(&self.view(), &moves, &mut p);
        let mut rest = rng.unit();
        let drawn = p.iter().position(|p| {
            rest -= p;
            rest < 0.0
        });
        let mv = moves[drawn.unwrap_or(moves.len() - 1)];
        self.board.play(self.to_play, mv);
        self.to_play = !self.to_play;
        self.recent = [Some(mv), self.recent[0]];
    }
}

/// The positions of one game, the empty board first.
pub(crate) fn game<C: SizeClass>(size: Size, n_moves: usize, seed: u64) -> Vec<Played<C>> {
    let (mut rng, mut position) = (Rng::new(seed), Played::new(size));
    let mut all = vec![position];
    for _ in 0..n_moves {
        position.play(&mut rng);
        all.push(position);
    }
    all
}
