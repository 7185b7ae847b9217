//! Two games so small that everything about them is known.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use mcts::{Action, BuiltRecipe, Game, Kit, Outcome, ROOT, Report, Search, Settings, Side};
use recipe::{Recipe, Shelf};

/// Three in a row on a 3×3 board; with best play a draw.
#[derive(Clone, Debug, Default)]
pub struct TicTacToe {
    /// Points by player, as bits.
    pub stones: [u16; 2],
    pub to_play: usize,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    /// From a drawing of nine signs, `X` moves first.
    pub fn drawn(board: &str) -> TicTacToe {
        let mut game = TicTacToe::default();
        for (point, sign) in board.chars().filter(|sign| !sign.is_whitespace()).enumerate() {
            match sign {
                'X' => game.stones[0] |= 1 << point,
                'O' => game.stones[1] |= 1 << point,
                _ => {}
            }
        }
        game.to_play = usize::from(game.stones[0].count_ones() > game.stones[1].count_ones());
        game
    }

    fn has_won(&self, player: usize) -> bool {
        LINES.iter().any(|line| self.stones[player] & line == *line)
    }

    /// The value for the first player by full search: 0, ½ or 1.
    pub fn solve(&self) -> f32 {
        let mut outcome = Outcome::default();
        if self.ended(&mut outcome) {
            return outcome.win;
        }
        let mut actions = Vec::new();
        self.actions(&mut actions);
        let values = actions.iter().map(|&action| {
            let mut next = self.clone();
            next.play(action);
            next.solve()
        });
        if self.to_play == 0 { values.fold(0.0, f32::max) } else { values.fold(1.0, f32::min) }
    }
}

impl Game for TicTacToe {
    fn n_actions(&self) -> usize {
        9
    }

    fn mover(&self) -> Side {
        if self.to_play == 0 { Side::First } else { Side::Second }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        let taken = self.stones[0] | self.stones[1];
        out.extend((0..9).filter(|point| taken >> point & 1 == 0).map(Action));
    }

    fn play(&mut self, action: Action) {
        self.stones[self.to_play] |= 1 << action.0;
        self.to_play = 1 - self.to_play;
    }

    fn ended(&self, out: &mut Outcome) -> bool {
        let (first, second) = (self.has_won(0), self.has_won(1));
        out.win = if first {
            1.0
        } else if second {
            0.0
        } else {
            0.5
        };
        out.score = 2.0 * out.win - 1.0;
        first || second || (self.stones[0] | self.stones[1]).count_ones() == 9
    }

    fn key(&self) -> u64 {
        u64::from(self.stones[0]) << 32 | u64::from(self.stones[1]) << 1 | self.to_play as u64
    }

    fn is_scored(&self) -> bool {
        true
    }

    fn n_planes(&self) -> usize {
        2
    }

    /// The mover's stones, and the other's.
    fn planes(&self, out: &mut [f32]) {
        for point in 0..9 {
            for (plane, player) in [self.to_play, 1 - self.to_play].into_iter().enumerate() {
                out[9 * plane + point] = f32::from(self.stones[player] >> point & 1);
            }
        }
    }
}

impl Kit for TicTacToe {
    const NAME: &'static str = "Tic-Tac-Toe";
}

/// Nim: take one to three from one heap; who takes the last one wins. Lost for the mover if and only if the exclusive or
/// of the heaps modulo 4 is 0. Actions: heap · 3 + number − 1.
#[derive(Clone, Debug)]
pub struct Nim {
    pub heaps: [u8; 3],
    pub to_play: Side,
}

impl Nim {
    pub fn new(heaps: [u8; 3]) -> Nim {
        Nim { heaps, to_play: Side::First }
    }

    pub fn is_lost_for_mover(&self) -> bool {
        self.heaps.iter().fold(0, |sum, heap| sum ^ (heap % 4)) == 0
    }
}

impl Game for Nim {
    fn n_actions(&self) -> usize {
        9
    }

    fn mover(&self) -> Side {
        self.to_play
    }

    fn actions(&self, out: &mut Vec<Action>) {
        for (heap_idx, &heap) in self.heaps.iter().enumerate() {
            out.extend((0..3u16).filter(|n| *n < u16::from(heap)).map(|n| Action(3 * heap_idx as u16 + n)));
        }
    }

    fn play(&mut self, action: Action) {
        self.heaps[action.idx() / 3] -= (action.idx() % 3) as u8 + 1;
        self.to_play = !self.to_play;
    }

    fn ended(&self, out: &mut Outcome) -> bool {
        // The mover finds nothing to take: he has lost.
        out.win = if self.to_play == Side::First { 0.0 } else { 1.0 };
        out.score = 0.0;
        self.heaps == [0; 3]
    }

    fn key(&self) -> u64 {
        let [a, b, c] = self.heaps.map(u64::from);
        a << 32 | b << 16 | c << 1 | self.to_play.idx() as u64
    }
}

impl Kit for Nim {
    const NAME: &'static str = "Nim";
}

/// A line with the P(a) of `flat-p` if anything in it reads one; as it is if nothing does, since that is refused.
pub fn with_p(line: &str) -> String {
    let with = format!("{line} prior=flat-p");
    let is_read = BuiltRecipe::build(&parse(&with), &TicTacToe::default(), &Settings::default()).is_ok();
    if is_read { with } else { line.to_string() }
}

pub fn parse(text: &str) -> Recipe {
    Recipe::parse(&ROOT, &Shelf::default(), text).unwrap()
}

pub fn search<G: Kit>(text: &str, game: G, seed: u64) -> Search<G> {
    Search::new(&parse(text), game, &Settings { seed, ..Settings::default() }).unwrap()
}

/// Asserts that a report counts `n` simulations, each of them once.
pub fn check_counts(report: &Report, n: u64, what: &str) {
    assert_eq!((report.simulations, report.visits, report.samples), (n, n, n), "{what}");
    let visits: u64 = report.arms.iter().map(|arm| u64::from(arm.visits)).sum();
    assert_eq!((visits, report.unsound), (n, 0), "{what}");
}
