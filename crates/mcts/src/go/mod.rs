//! Go as a game to search: the board, whose turn it is, komi, and passes. Actions are the board's point indices; the pass
//! is the last one.
//!
//! In reading order: this file, the game on a board of one size class · [`prior`] its priors · `rollout` its playouts · `encode` its
//! positions as networks read them.
//! [`crate::go_search`] hides the size class around a whole search.

mod encode;
pub mod prior;
mod rollout;

use crate::blueprint::Blueprint;
use crate::cx::PathStep;
use crate::evaluate::{Kit, Rollout};
use crate::game::{Action, Game, Outcome, Reward, Side, win_by};
use crate::prior::{FillP, Prior, Probability};
use goban::{Board, Color, EyeRule, Full, Move, Point, PointSet, Rules, Size, SizeClass, Symmetry, Vertex};
use model::PositionView;
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};
use playout::policy;
use recipe::{Choice, Error};
use rollout::GoRollout;

/// A position of Go inside the search. Simple ko, no suicide, area scoring of the board as it stands after two passes;
/// what other rules forbid or count otherwise is the business of the caller, who can bar moves at the root.
#[derive(Debug)]
pub struct GoGame<C: SizeClass> {
    /// The stones.
    pub board: Board<C, Full>,
    /// Who is to move.
    pub to_play: Color,
    /// Points White gets, handicap compensation included.
    pub komi: f32,
    /// Passes in a row up to now; two end the game.
    pub n_passes: u8,
    /// Moves played so far, passes included.
    pub n_moves: u32,
    /// The last moves, the latest first, as far as they are known.
    pub recent: [Option<Action>; N_RECENT],
    /// What networks are told of the game before the root; only the position at the root of a search has it.
    pub before: Option<Box<GameBefore<C>>>,
}

/// The last moves that a position knows: as many as networks are told.
pub const N_RECENT: usize = 5;

/// The rules of a game and the boards before its last moves, of which a search itself knows nothing.
#[derive(Debug, Clone)]
pub struct GameBefore<C: SizeClass> {
    /// The rules.
    pub rules: Rules,
    /// The boards before the last move and before the last two, as far as they are known.
    pub boards: [Option<Board<C, Full>>; 2],
}

/// By hand, since every simulation begins with a `clone_from`, which must not make a copy of the board on the way.
impl<C: SizeClass> Clone for GoGame<C> {
    fn clone(&self) -> Self {
        let Self { board, to_play, komi, n_passes, n_moves, recent, .. } = *self;
        Self { board, to_play, komi, n_passes, n_moves, recent, before: self.before.clone() }
    }

    /// Leaves out what only the root has.
    fn clone_from(&mut self, source: &Self) {
        self.board = source.board;
        self.to_play = source.to_play;
        self.komi = source.komi;
        self.n_passes = source.n_passes;
        self.n_moves = source.n_moves;
        self.recent = source.recent;
        self.before = None;
    }
}

impl<C: SizeClass> GoGame<C> {
    /// The beginning of a game on an empty board.
    pub fn new(size: Size, komi: f32) -> GoGame<C> {
        GoGame {
            board: Board::new(size),
            to_play: Color::Black,
            komi,
            n_passes: 0,
            n_moves: 0,
            recent: [None; N_RECENT],
            before: None,
        }
    }

    /// The action of a move.
    #[inline]
    pub fn action(mv: Move) -> Action {
        Action(mv.point().map_or(C::POINTS, Point::idx) as u16)
    }

    /// The move of an action.
    #[inline]
    pub fn to_move(action: Action) -> Move {
        if action.idx() < C::POINTS { Move::at(Point::from_idx(action.idx())) } else { Move::PASS }
    }

    /// The vertex of an action.
    #[inline]
    pub fn vertex(action: Action) -> Vertex {
        Self::to_move(action).point().map_or(Vertex::PASS, C::vertex)
    }

    /// Column and row of an action, from 0; `None` for the pass.
    fn place(action: Action) -> Option<(usize, usize)> {
        let vertex = Self::vertex(action);
        (!vertex.is_pass()).then(|| (vertex.col(), vertex.row()))
    }

    /// The last two moves, the latest first.
    pub(crate) fn last_two(&self) -> [Option<Action>; 2] {
        [self.recent[0], self.recent[1]]
    }

    /// The position as the models of moves see it.
    pub fn view(&self) -> PositionView<'_, C> {
        let recent = self.last_two().map(|action| action.map(Self::to_move));
        PositionView { board: &self.board, to_play: self.to_play, recent }
    }

    /// Black's margin, komi included, if the board is counted as it stands.
    pub fn margin(&self) -> f32 {
        let (black, white) = self.board.area();
        black as f32 - white as f32 - self.komi
    }
}

/// Black is the first player.
#[inline]
pub fn side(color: Color) -> Side {
    match color {
        Color::Black => Side::First,
        Color::White => Side::Second,
    }
}

impl<C: SizeClass> Game for GoGame<C> {
    fn n_actions(&self) -> usize {
        C::POINTS + 1
    }

    fn mover(&self) -> Side {
        side(self.to_play)
    }

    /// Legal moves that fill no own eye, by index, then the pass.
    fn actions(&self, out: &mut Vec<Action>) {
        let board = &self.board;
        let is_sensible = |point: &Point| {
            board.is_legal(self.to_play, *point) && !board.is_eye(*point, self.to_play, EyeRule::Standard)
        };
        out.extend(board.empty().iter().filter(is_sensible).map(|point| Self::action(Move::at(point))));
        out.push(Self::action(Move::PASS));
    }

    fn pass(&self) -> Option<Action> {
        Some(Self::action(Move::PASS))
    }

    fn max_arms(&self) -> usize {
        self.board.size().area() + 1
    }

    fn distance(&self, a: Action, b: Action) -> Option<u32> {
        let ((ax, ay), (bx, by)) = (Self::place(a)?, Self::place(b)?);
        Some((ax.abs_diff(bx) + ay.abs_diff(by)) as u32)
    }

    fn max_distance(&self) -> u32 {
        let size = self.board.size();
        (size.width() + size.height() - 2) as u32
    }

    fn play(&mut self, action: Action) {
        let mv = Self::to_move(action);
        if let Some(before) = &mut self.before {
            before.boards = [Some(self.board), before.boards[0]];
        }
        self.board.play(self.to_play, mv);
        self.n_passes = if mv.is_pass() { self.n_passes.saturating_add(1) } else { 0 };
        self.to_play = !self.to_play;
        self.n_moves += 1;
        let [first, second, third, fourth, _] = self.recent;
        self.recent = [Some(action), first, second, third, fourth];
    }

    fn ended(&self, out: &mut Outcome) -> bool {
        if self.n_passes < 2 {
            return false;
        }
        out.score = self.margin();
        out.win = win_by(out.score);
        out.length = 0;
        true
    }

    fn key(&self) -> u64 {
        let state = u64::from(self.n_passes.min(2)) << 1 | self.mover().idx() as u64;
        self.board.hash() ^ state.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn is_scored(&self) -> bool {
        true
    }

    fn has_owners(&self) -> bool {
        true
    }

    fn n_planes(&self) -> usize {
        4
    }

    /// The mover's stones · the other's · the last move · 1 everywhere on the board.
    fn planes(&self, out: &mut [f32]) {
        let n_actions = self.n_actions();
        let mut set = |plane: usize, action: Action| out[plane * n_actions + action.idx()] = 1.0;
        let size = self.board.size();
        for vertex in size.vertices() {
            let mv = self.board.to_move(vertex);
            let Some(point) = mv.point() else { continue };
            match self.board.stone(point) {
                Some(color) if color == self.to_play => set(0, Self::action(mv)),
                Some(_) => set(1, Self::action(mv)),
                None => {}
            }
            set(3, Self::action(mv));
        }
        self.recent[0].into_iter().for_each(|action| set(2, action));
    }
}

impl<C: SizeClass> Kit for GoGame<C> {
    const NAME: &'static str = "Go";

    fn rollout(&self, policy: &Choice, reward: Reward) -> Result<Box<dyn Rollout<Self>>, Error> {
        let playout = policy::build::<C>(policy, self.board.size())?;
        Ok(Box::new(GoRollout::new(playout, reward)))
    }

    fn prior(
        &self,
        choice: &Choice,
        blueprint: &mut Blueprint<'_>,
    ) -> Result<Option<Box<dyn Prior<Self>>>, Error> {
        let is_own = prior::FAMILY.variants.iter().any(|known| choice.is(known));
        if is_own { prior::build(choice, blueprint).map(Some) } else { Ok(None) }
    }

    /// Passes and kos bring positions back.
    fn can_repeat(&self) -> bool {
        true
    }

    fn probability(&self, p: Probability) -> Option<FillP<Self>> {
        prior::probability(p)
    }

    fn knows_form(&self, _form: InputForm) -> bool {
        true
    }

    fn encode(&self, form: InputForm, origin: &Self, path: &[PathStep], out: &mut EncodedPosition) -> u64 {
        encode::encode(self, form, origin, path, out)
    }

    fn turnings(&self, form: InputForm) -> Vec<Turning> {
        let size = self.board.size();
        let of = |symmetry: &Symmetry| match form {
            InputForm::Board => Turning::of_board(size, *symmetry),
            InputForm::Planes => encode::action_turning::<C>(size, *symmetry),
        };
        Symmetry::of(size).iter().map(of).collect()
    }

    fn policy_idx(&self, form: InputForm, action: Action) -> usize {
        match form {
            InputForm::Planes => action.idx(),
            InputForm::Board => encode::point_idx(self.board.size(), Self::vertex(action)),
        }
    }
}
