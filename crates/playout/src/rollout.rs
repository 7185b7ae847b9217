//! The rollout loop: alternate moves until both pass, then count the area.

use goban::{Board, Color, Full, Keep, Move, Rng, SizeClass};

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

/// The position that a playout starts from.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a, C: SizeClass> {
    /// The stones, with the ko.
    pub board: &'a Board<C, Full>,
    /// Who is to move.
    pub to_play: Color,
    /// The last two moves, the latest first; a pass also stands for a move that is not known.
    pub recent: [Move; 2],
}

impl<'a, C: SizeClass> Start<'a, C> {
    /// A position of which nobody knows how it came about.
    pub fn new(board: &'a Board<C, Full>, to_play: Color) -> Self {
        Self { board, to_play, recent: [Move::PASS; 2] }
    }
}

/// Plays one game to its end. Boxed around a whole playout; the policy inside is static.
pub trait PlayoutRunner<C: SizeClass>: Send {
    /// Plays from `start`. The moves, passes included, are appended to `moves`; they alternate in colour.
    fn run(&mut self, start: &Start<'_, C>, rng: &mut Rng, moves: &mut Vec<Move>) -> Ending;

    /// Adds who owns each point at the end of the last playout: +1 Black, −1 White, 0 neither; indexed by
    /// point.
    fn add_ownership(&self, sums: &mut [i32]);

    /// Lets playouts end after `n_moves` moves, whatever is on the board then; one that is not shortened goes on to its end.
    fn shorten(&mut self, n_moves: usize) {
        let _ = n_moves;
    }

    /// From now on a playout ends after a move of White's when the players' stones on the board differ by more than this share of its
    /// points, as it then stands. [Hsu 2018, mercy]
    fn end_early(&mut self, mercy: f32) {
        let _ = mercy;
    }

    /// Whether the policy learns from whole simulations; if not, [`PlayoutRunner::learn`] and [`PlayoutRunner::forget`] need not
    /// be called.
    fn learns(&self) -> bool {
        false
    }

    /// A simulation has ended: `moves` are all its moves from the root of the search on, passes included, tree and
    /// playout together; they alternate in colour and `first` played the first. `black_win` is 1 if Black won, ½ for
    /// a draw.
    fn learn(&mut self, first: Color, moves: &[Move], black_win: f32) {
        let _ = (first, moves, black_win);
    }

    /// The root of the search is another: what was learned there is void.
    fn forget(&mut self) {}
}

/// The rollout loop over one policy, with a board of its own.
#[derive(Clone)]
pub struct Playout<C: SizeClass, P: MovePolicy> {
    board: Board<C, P::Keep>,
    policy: P,
    /// Moves after which a playout ends at the latest.
    longest: usize,
    /// The largest difference of stones at which a playout goes on.
    mercy: usize,
}

impl<C: SizeClass, P: MovePolicy> Playout<C, P> {
    /// A loop that plays `policy` on boards of `size`.
    pub fn new(size: goban::Size, policy: P) -> Self {
        Self { board: Board::new(size), policy, longest: usize::MAX, mercy: usize::MAX }
    }

    /// The policy, with its counts and what it learned from playouts.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// The board at the end of the last playout.
    pub fn board(&self) -> &Board<C, P::Keep> {
        &self.board
    }

    /// True if one player has more than `mercy` stones more than the other.
    #[inline(always)]
    fn is_clear(&self) -> bool {
        let [black, white] = Color::BOTH.map(|color| self.board.n_on_board(color));
        black.abs_diff(white) > self.mercy
    }

    /// One move of the given colour into `slot`; true if the playout ends: both players have now passed in turn, or the
    /// policy calls it decided.
    #[inline(always)]
    fn step<const IS_BLACK: bool>(&mut self, rng: &mut Rng, slot: &mut Move, has_passed: &mut bool) -> bool {
        let mover = if IS_BLACK { Color::Black } else { Color::White };
        if let Some(point) = self.policy.choose::<C, IS_BLACK>(&mut self.board, rng) {
            self.board.place::<IS_BLACK>(point);
            *slot = Move::at(point);
            *has_passed = false;
            self.policy.played(&self.board, mover, *slot);
            return self.policy.is_decided(&self.board);
        }
        self.board.clear_ko();
        *slot = Move::PASS;
        self.policy.played(&self.board, mover, *slot);
        std::mem::replace(has_passed, true)
    }

    /// Plays into `slots`, one move each, until both have passed or the slots are used up; returns the number
    /// of moves.
    fn fill(&mut self, to_play: Color, rng: &mut Rng, slots: &mut [Move]) -> usize {
        let n_slots = slots.len();
        let mut slots = slots.iter_mut();
        let mut has_passed = false;
        // A first move of White's is the second half of a pair: so there is one place for each colour's moves in the code.
        let mut begins_with_white = to_play == Color::White;
        loop {
            if !std::mem::take(&mut begins_with_white) {
                let Some(slot) = slots.next() else { break };
                if self.step::<true>(rng, slot, &mut has_passed) {
                    break;
                }
            }
            let Some(slot) = slots.next() else { break };
            // Once for both colours' moves, so that it costs next to nothing where nobody asks for it.
            if self.step::<false>(rng, slot, &mut has_passed) || self.is_clear() {
                break;
            }
        }
        n_slots - slots.len()
    }
}

/// Adds who owns each point; not within each policy's loop, so that there is one of it for boards of a kind.
#[inline(never)]
fn add_owners<C: SizeClass, K: Keep>(board: &Board<C, K>, sums: &mut [i32]) {
    board.each_owner(|point, owner| {
        sums[point.idx()] += match owner {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => 0,
        };
    });
}

impl<C: SizeClass, P: MovePolicy> PlayoutRunner<C> for Playout<C, P> {
    fn run(&mut self, start: &Start<'_, C>, rng: &mut Rng, moves: &mut Vec<Move>) -> Ending {
        self.board.copy_from(start.board);
        self.policy.start(&self.board, start.recent);
        let n_before = moves.len();
        let max_moves = self.policy.max_moves(start.board.size().area()).min(self.longest);
        moves.resize(n_before + max_moves, Move::PASS);
        let n_moves = self.fill(start.to_play, rng, &mut moves[n_before..]);
        moves.truncate(n_before + n_moves);
        let (black, white) = self.board.area();
        let ending = Ending { area: [black as u16, white as u16], n_moves: n_moves as u16 };
        self.policy.finish(&ending);
        ending
    }

    fn add_ownership(&self, sums: &mut [i32]) {
        add_owners(&self.board, sums);
    }

    fn end_early(&mut self, mercy: f32) {
        self.mercy = (mercy * self.board.size().area() as f32) as usize;
    }

    fn shorten(&mut self, n_moves: usize) {
        self.longest = n_moves;
    }

    fn learns(&self) -> bool {
        self.policy.learns()
    }

    fn learn(&mut self, first: Color, moves: &[Move], black_win: f32) {
        self.policy.learn(first, moves, black_win);
    }

    fn forget(&mut self) {
        self.policy.forget();
    }
}
