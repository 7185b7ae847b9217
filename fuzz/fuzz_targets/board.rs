//! Invariant: after any moves, legal or not, a board of any size class that holds the size, whatever it keeps, agrees with
//! the slow model of the rules on stones, chains, liberties, ko, captures, hash, eyes, area and the legality of every
//! point; and an illegal move is refused by the rule it breaks and changes nothing.
//!
//! The first three bytes are width, height, and rules with size class; then each byte, or each pair on boards of 226
//! points and more, is a move.
#![no_main]

#[allow(dead_code, reason = "the tests of the board use all of it")]
#[path = "../../crates/goban/tests/model/mod.rs"]
mod model;

use goban::{
    Board, Color, EyeRule, Full, IllegalReason, Keep, Ko, Lean, Move, PointSet, Position, Rules, Size,
    SizeClass, Tactical, Upto9, Upto13, Upto19, Upto25, Vertex,
};
use libfuzzer_sys::fuzz_target;
use model::{Chain, MoveStatus, SlowBoard};

/// The longest game, in moves; the slow model keeps and compares whole boards.
const MAX_MOVES: usize = 300;
/// The largest board that is compared after every move, in points.
const MAX_SMALL: usize = 30;
/// Moves between two comparisons of a larger board.
const N_BETWEEN: usize = 20;
/// Points of a larger board whose legality is asked for in the end.
const N_SAMPLES: usize = 60;

/// One move of the input.
enum Wish {
    Pass,
    /// A point, row by row; it may be occupied.
    Point(usize),
    /// The same by the player who is not to move.
    OtherPlayer(usize),
}

fuzz_target!(|bytes: &[u8]| {
    let [width, height, choice, moves @ ..] = bytes else { return };
    let side = |byte: u8| 2 + usize::from(byte) % 24;
    let size = Size::new(side(*width), side(*height)).expect("sides are 2 to 25");
    let rules = Rules {
        ko: [Ko::Simple, Ko::Positional, Ko::Situational][usize::from(choice >> 1 & 7) % 3],
        suicide: choice & 1 == 1,
        ..Rules::CHINESE
    };
    match (size.width().max(size.height()), choice >> 4 & 3) {
        (0..=9, 0) => run::<Upto9>(size, rules, moves),
        (0..=13, 0 | 1) => run::<Upto13>(size, rules, moves),
        (0..=19, 0..=2) => run::<Upto19>(size, rules, moves),
        _ => run::<Upto25>(size, rules, moves),
    }
});

fn run<C: SizeClass>(size: Size, rules: Rules, moves: &[u8]) {
    let mut game = Game::<C>::new(size, rules);
    let n_bytes = if size.area() < 226 { 1 } else { 2 };
    for (n, chunk) in moves.chunks_exact(n_bytes).take(MAX_MOVES).enumerate() {
        let number = chunk.iter().fold(0, |all, &byte| all << 8 | usize::from(byte));
        game.play(&wish(number, size.area(), 1 << (8 * n_bytes)));
        if size.area() <= MAX_SMALL || n % N_BETWEEN == 0 {
            game.check();
        }
    }
    game.check();
    game.check_end();
}

/// The numbers from the top down are passes and moves out of turn; the rest are points.
fn wish(number: usize, area: usize, n_numbers: usize) -> Wish {
    match n_numbers - 1 - number {
        0..4 => Wish::Pass,
        from_top @ 4..12 => Wish::OtherPlayer((from_top * 31) % area),
        _ => Wish::Point(number % area),
    }
}

/// A game on the fast boards and on the slow one.
struct Game<C: SizeClass> {
    position: Position,
    boards: Boards<C>,
    slow: SlowBoard,
}

impl<C: SizeClass> Game<C> {
    fn new(size: Size, rules: Rules) -> Self {
        let (position, slow) = (Position::new(size, rules), SlowBoard::new(size, rules));
        Self { position, boards: Boards::new(size), slow }
    }

    fn play(&mut self, wish: &Wish) {
        let to_play = self.slow.to_play;
        let (color, idx) = match *wish {
            Wish::Pass => (to_play, None),
            Wish::Point(idx) => (to_play, Some(idx)),
            Wish::OtherPlayer(idx) => (!to_play, Some(idx)),
        };
        let vertex = idx.map_or(Vertex::PASS, |idx| self.slow.vertex(idx));
        let expected = idx.map_or(MoveStatus::Legal, |idx| self.slow.move_status(color, idx));
        let before = self.position.board().clone();
        let played = self.position.play(color, vertex).map_err(|illegal| illegal.reason);
        assert_eq!(status(&self.slow, played), expected, "{vertex:?}\n{before}");
        if expected != MoveStatus::Legal {
            assert_eq!(self.position.board(), &before, "an illegal move changes nothing");
            return;
        }
        let counts = self.slow.play(color, idx);
        self.boards.play(color, vertex, counts);
    }

    fn check(&self) {
        let slow = &self.slow;
        assert_eq!((self.position.to_play(), self.position.n_passes()), (slow.to_play, slow.n_passes));
        for color in Color::BOTH {
            assert_eq!(self.position.n_captured(color), slow.n_captured[color.idx()]);
        }
        assert_eq!(self.position.board().hash(), slow.hash());
        self.boards.check(slow, &slow.chains());
    }

    /// The legality of points, eyes and area: dear to ask the slow board for.
    fn check_end(&self) {
        let slow = &self.slow;
        let area = slow.cells.len();
        for idx in (0..area).step_by(area.div_ceil(N_SAMPLES)).chain(slow.ko()) {
            let vertex = slow.vertex(idx);
            let ours = self.position.legality(slow.to_play, vertex).map_err(|illegal| illegal.reason);
            assert_eq!(status(slow, ours), slow.move_status(slow.to_play, idx), "{vertex:?}");
            let is_open = slow.is_open(slow.to_play, idx);
            assert_eq!(self.position.board().is_legal(slow.to_play, vertex), is_open, "{vertex:?}");
            self.boards.check_open(slow.to_play, vertex, is_open);
            if slow.cells[idx].is_none() {
                self.boards.check_eye(slow, idx);
            }
        }
        if area <= Size::square(9).map_or(0, Size::area) {
            let (stones, territory, _) = slow.count(&[]);
            let expected = (stones[0] + territory[0], stones[1] + territory[1]);
            assert_eq!((self.position.board().area(), self.boards.lean.area()), (expected, expected));
        }
    }
}

/// The model's word for our answer.
fn status(slow: &SlowBoard, ours: Result<(), IllegalReason>) -> MoveStatus {
    match ours {
        Ok(()) => MoveStatus::Legal,
        Err(IllegalReason::Occupied) => MoveStatus::Occupied,
        Err(IllegalReason::Suicide) => MoveStatus::Suicide,
        Err(IllegalReason::Ko) if slow.rules.ko == Ko::Simple => MoveStatus::Ko,
        Err(IllegalReason::Ko | IllegalReason::Superko { .. }) => MoveStatus::Repetition,
        Err(IllegalReason::OffBoard) => panic!("the point is on the board"),
    }
}

/// The boards of one size class.
struct Boards<C: SizeClass> {
    full: Board<C, Full>,
    tactical: Board<C, Tactical>,
    lean: Board<C, Lean>,
}

impl<C: SizeClass> Boards<C> {
    fn new(size: Size) -> Self {
        Self { full: Board::new(size), tactical: Board::new(size), lean: Board::new(size) }
    }

    /// Plays a legal move that takes and loses the given numbers of stones.
    fn play(&mut self, color: Color, vertex: Vertex, (n_taken, n_lost): (usize, usize)) {
        let mv = self.full.to_move(vertex);
        assert_eq!(self.full.play(color, mv), n_taken);
        if n_lost > 0 {
            // The light boards do not know suicide.
            (self.tactical, self.lean) = (self.full.keeping(), self.full.keeping());
            return;
        }
        assert_eq!(self.tactical.play(color, mv), n_taken);
        assert_eq!(self.lean.play(color, mv), n_taken);
    }

    fn check(&self, slow: &SlowBoard, chains: &[Chain]) {
        check_stones(&self.full, slow, chains);
        check_stones(&self.tactical, slow, chains);
        check_stones(&self.lean, slow, chains);
        check_atari(&self.full, slow, chains);
        check_atari(&self.tactical, slow, chains);
        assert_eq!(self.full.hash(), slow.hash());
        assert_eq!(self.full.keeping::<Lean>(), self.lean);
    }

    fn check_open(&self, color: Color, vertex: Vertex, is_open: bool) {
        let point = self.full.point(vertex);
        let ours = [
            self.full.is_legal(color, point),
            self.tactical.is_legal(color, point),
            self.lean.is_legal(color, point),
        ];
        assert_eq!(ours, [is_open; 3], "{vertex:?}");
    }

    fn check_eye(&self, slow: &SlowBoard, idx: usize) {
        let point = self.full.point(slow.vertex(idx));
        for color in Color::BOTH {
            for rule in [EyeRule::Standard, EyeRule::GoYui] {
                let ours = [self.full.is_eye(point, color, rule), self.lean.is_eye(point, color, rule)];
                assert_eq!(ours, [slow.is_eye(idx, color, rule); 2], "{color} {rule:?} {point:?}");
            }
        }
    }
}

fn sorted(points: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut points: Vec<usize> = points.collect();
    points.sort_unstable();
    points
}

fn check_stones<C: SizeClass, K: Keep>(board: &Board<C, K>, slow: &SlowBoard, chains: &[Chain]) {
    let idx_of = |point| slow.idx(board.vertex(Move::at(point)));
    let at = |idx: usize| board.point(slow.vertex(idx));
    for (idx, &content) in slow.cells.iter().enumerate() {
        assert_eq!(board.stone(at(idx)), content);
    }
    for chain in chains {
        let first = at(chain.stones[0]);
        assert_eq!(sorted(board.chain(first).map(idx_of)), chain.stones);
        assert_eq!(sorted(board.liberties(first).iter().map(idx_of)), chain.liberties);
        assert_eq!(board.chain_len(first), chain.stones.len());
        for &stone in &chain.stones {
            assert_eq!(board.head(at(stone)), board.head(first));
            assert_eq!(board.n_liberties(at(stone)), chain.liberties.len());
        }
    }
    for color in Color::BOTH {
        let n_stones = slow.cells.iter().filter(|&&content| content == Some(color)).count();
        assert_eq!(board.n_on_board(color), n_stones);
        assert_eq!(board.n_captured(color), slow.n_captured[color.idx()]);
    }
    assert_eq!(board.ko().map(idx_of), slow.ko());
    let empties = slow.empties();
    assert_eq!(board.n_empty(), empties.len());
    assert_eq!(sorted(board.empty().iter().map(idx_of)), empties);
    assert_eq!(sorted(board.empties().map(idx_of)), empties);
}

fn check_atari<C: SizeClass, K: Keep>(board: &Board<C, K>, slow: &SlowBoard, chains: &[Chain]) {
    for color in Color::BOTH {
        let in_atari = chains.iter().filter(|chain| chain.color == color && chain.liberties.len() == 1);
        let heads = sorted(in_atari.map(|chain| board.head(board.point(slow.vertex(chain.stones[0]))).idx()));
        assert_eq!(sorted(board.chains_in_atari(color).map(|head| head.idx())), heads);
    }
}
