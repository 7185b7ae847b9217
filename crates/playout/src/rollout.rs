//! The rollout loop: alternate moves until both pass, then count the area.

use goban::{Board, Color, Full, Move, Rng, SizeClass};

use crate::policy::MovePolicy;

/// How a playout ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// Area by colour: stones on the board and empty points that only this colour reaches.
    pub area: [u16; 2],
    /// Number of moves played, the passes at the end included.
    pub n_moves: u16,
}

impl Ending {
    /// Black's area minus White's, in points, before komi.
    #[inline]
    pub fn margin(&self) -> i32 {
        i32::from(self.area[0]) - i32::from(self.area[1])
    }
}

/// Plays one game to its end. Boxed around a whole playout; the policy inside is static.
pub trait Rollout<C: SizeClass>: Send {
    /// Plays from `board` with `to_play` to move. The moves, passes included, are appended to `moves`; they
    /// alternate in colour.
    fn run(&mut self, board: &Board<C, Full>, to_play: Color, rng: &mut Rng, moves: &mut Vec<Move>) -> Ending;

    /// Adds who owns each point at the end of the last playout: +1 Black, −1 White, 0 neither; indexed by
    /// point.
    fn add_ownership(&self, sums: &mut [i32]);
}

/// The rollout loop over one policy, with a board of its own.
#[derive(Clone)]
pub struct Playout<C: SizeClass, P: MovePolicy> {
    board: Board<C, P::Keep>,
    policy: P,
}

impl<C: SizeClass, P: MovePolicy> Playout<C, P> {
    /// A loop that plays `policy` on boards of `size`.
    pub fn new(size: goban::Size, policy: P) -> Self {
        Self { board: Board::new(size), policy }
    }

    /// The board at the end of the last playout.
    pub fn board(&self) -> &Board<C, P::Keep> {
        &self.board
    }

    /// One move of the given colour; returns false on a pass.
    #[inline(always)]
    fn step<const IS_BLACK: bool>(&mut self, rng: &mut Rng, moves: &mut Vec<Move>) -> bool {
        let mover = if IS_BLACK { Color::Black } else { Color::White };
        let choice = self.policy.choose::<C, IS_BLACK>(&mut self.board, rng);
        let mv = if let Some(point) = choice {
            self.board.place::<IS_BLACK>(point);
            Move::at(point)
        } else {
            self.board.clear_ko();
            Move::PASS
        };
        moves.push(mv);
        self.policy.played(&self.board, mover, mv);
        choice.is_some()
    }
}

impl<C: SizeClass, P: MovePolicy> Rollout<C> for Playout<C, P> {
    fn run(&mut self, board: &Board<C, Full>, to_play: Color, rng: &mut Rng, moves: &mut Vec<Move>) -> Ending {
        self.board = board.keeping();
        self.policy.start(&self.board);
        let n_before = moves.len();
        // Simple ko allows endless cycles of several kos; no sensible game is this long.
        let n_cap = n_before + 3 * board.size().area();
        moves.reserve(3 * board.size().area() + 2);
        let mut has_passed = to_play == Color::White && !self.step::<false>(rng, moves);
        while moves.len() < n_cap {
            let passes = !self.step::<true>(rng, moves);
            if passes && has_passed {
                break;
            }
            has_passed = !self.step::<false>(rng, moves);
            if passes && has_passed {
                break;
            }
        }
        let (black, white) = self.board.area();
        let ending = Ending { area: [black as u16, white as u16], n_moves: (moves.len() - n_before) as u16 };
        self.policy.finish(&ending);
        ending
    }

    fn add_ownership(&self, sums: &mut [i32]) {
        self.board.each_owner(|point, owner| {
            sums[point.idx()] += match owner {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => 0,
            };
        });
    }
}
