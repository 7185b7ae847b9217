//! Games with a habit that trainers can learn, for tests.

use goban::{Color, PlayedMove, Rng, Size, Vertex};
use records::{RecordPlace, RecordStep, RecordedGame};

/// The games of a test.
pub(crate) struct MadeGames {
    /// The seed of all of them.
    pub(crate) seed: u64,
    /// Moves of a game.
    pub(crate) n_moves: usize,
    /// How often a move is played anywhere although a point beside the last one is free, if ever, 0..=1.
    pub(crate) strays: Option<f32>,
}

impl MadeGames {
    /// Games of 9×9 in which both sides like to play beside the last move.
    pub(crate) fn games(&self, n: usize) -> Vec<RecordedGame> {
        let mut rng = Rng::new(self.seed);
        (0..n).map(|number| self.game(number, &mut rng)).collect()
    }

    fn game(&self, number: usize, rng: &mut Rng) -> RecordedGame {
        let mut free: Vec<Vertex> = Size::square(9).unwrap().vertices().collect();
        let (mut steps, mut last) = (Vec::new(), Vertex::new(4, 4));
        for turn in 0..self.n_moves {
            let is_beside = |v: &&Vertex| v.col().abs_diff(last.col()) + v.row().abs_diff(last.row()) == 1;
            let beside: Vec<Vertex> = free.iter().filter(is_beside).copied().collect();
            let is_elsewhere = beside.is_empty() || self.strays.is_some_and(|share| rng.chance(share));
            let from = if is_elsewhere { &free } else { &beside };
            last = from[rng.below(from.len() as u32) as usize];
            free.retain(|&vertex| vertex != last);
            let color = if turn % 2 == 0 { Color::Black } else { Color::White };
            steps.push(RecordStep::Play(PlayedMove { color, vertex: last }));
        }
        RecordedGame {
            place: RecordPlace { file: "made".to_string(), number: number as u64 },
            source: "made".to_string(),
            size: Size::square(9).unwrap(),
            komi: None,
            handicap: 0,
            result: sgf::GameResult::Unknown,
            first: Color::Black,
            steps,
        }
    }
}
