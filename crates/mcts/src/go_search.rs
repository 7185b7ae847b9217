//! A search over a Go board of any size: `dyn` once, around the whole search, and vertices instead of actions.

use crate::game::{Action, Side};
use crate::go::{GameBefore, GoGame, N_RECENT};
use crate::report::{Arm, Report};
use crate::reward::GameProgress;
use crate::search::{Limits, Notes, Search, Settings};
use goban::{AnyBoard, Board, Color, Full, Rules, Size, SizeClass, Vertex, with_board};
use recipe::{Error, Recipe};
use std::any::Any;

/// The position a search starts from: board, mover, komi, and the last moves.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The stones, with the ko.
    pub board: &'a AnyBoard,
    /// Who is to move.
    pub to_play: Color,
    /// Points White gets, handicap compensation included.
    pub komi: f32,
    /// Passes in a row up to now. With two the game is over and there is nothing to search; a caller who plays on says 0.
    pub n_passes: u8,
    /// The last moves, the latest first, as far as they are known.
    pub recent: [Option<Vertex>; N_RECENT],
    /// The boards before the last move and before the last two, as far as they are known, and the rules; for networks.
    pub before: Option<(Rules, [Option<&'a AnyBoard>; 2])>,
}

/// A search over Go, whatever the size of the board.
pub trait GoSearch: Send {
    /// Starts anew from another situation. Returns false, and changes nothing, if the board has another size: build
    /// another search then.
    fn set_situation(&mut self, situation: &Situation<'_>) -> bool;

    /// Tells how far the game at the root is, on which an extra komi may depend; holds until the next situation.
    fn set_progress(&mut self, progress: GameProgress);

    /// Plays a legal move at the root, keeping what is known; returns whether anything was kept.
    fn advance(&mut self, vertex: Vertex) -> bool;

    /// Bars root moves for which `allowed` is false, until the root changes; see [`Search::restrict_root`].
    fn restrict_root(&mut self, allowed: &mut dyn FnMut(Vertex) -> bool);

    /// Sets the notes to take at the root; see [`Search::set_notes`].
    fn set_notes(&mut self, notes: Notes);

    /// Runs simulations; see [`Search::run`].
    fn run(&mut self, limits: &Limits) -> Report;

    /// The current report on the root.
    fn report(&mut self) -> Report;

    /// The move to play, by the recipe's rule; `None` only if the game is over.
    fn pick(&mut self, report: &Report) -> Option<Vertex>;

    /// Who is to move after these moves from the root, and the arms there as that player sees them; `None` where the tree
    /// does not go so far.
    fn arms_below(&mut self, line: &[Vertex]) -> Option<(Color, Vec<Arm>)>;

    /// The vertex of an action in a report; the pass for the last one.
    fn vertex(&self, action: Action) -> Vertex;

    /// The mean ownership of a report, in the order of the board's vertices, −1..=1, +1 Black; empty if there is none.
    fn ownership(&self, report: &Report) -> Vec<f32>;

    /// The same after one arm, where the search was told to note it.
    fn arm_ownership(&self, arm: &Arm) -> Vec<f32>;

    /// The visits of each action of an arm's line; see [`Search::visits_along`].
    fn visits_along(&self, line: &[Action]) -> Vec<u32>;
}

/// Builds the search a recipe describes.
///
/// # Errors
/// When pieces of the recipe do not fit each other or the game.
pub fn build(
    recipe: &Recipe,
    situation: &Situation<'_>,
    settings: &Settings,
) -> Result<Box<dyn GoSearch>, Error> {
    with_board!(situation.board, |board| {
        Ok(Box::new(Search::new(recipe, game(board, situation), settings)?))
    })
}

fn game<C: SizeClass>(board: &Board<C>, situation: &Situation<'_>) -> GoGame<C> {
    GoGame {
        board: *board,
        to_play: situation.to_play,
        komi: situation.komi,
        n_passes: situation.n_passes,
        n_moves: 0,
        recent: situation
            .recent
            .map(|vertex| vertex.map(|vertex| GoGame::<C>::action(board.to_move(vertex)))),
        before: situation.before.map(|(rules, boards)| {
            Box::new(GameBefore { rules, boards: boards.map(|board| board.and_then(of_class)) })
        }),
    }
}

/// A board of any size, if it is of this size class.
fn of_class<C: SizeClass>(board: &AnyBoard) -> Option<Board<C, Full>> {
    with_board!(board, |board| (board as &dyn Any).downcast_ref::<Board<C, Full>>().copied())
}

impl<C: SizeClass> GoSearch for Search<GoGame<C>> {
    fn set_situation(&mut self, situation: &Situation<'_>) -> bool {
        with_board!(situation.board, |board| {
            let Some(board) = (board as &dyn Any).downcast_ref::<Board<C>>() else { return false };
            if board.size() != self.position().board.size() {
                return false;
            }
            self.set_root(game(board, situation));
        });
        true
    }

    fn set_progress(&mut self, progress: GameProgress) {
        Search::set_progress(self, progress);
    }

    fn advance(&mut self, vertex: Vertex) -> bool {
        let mv = self.position().board.to_move(vertex);
        Search::advance(self, GoGame::<C>::action(mv))
    }

    fn restrict_root(&mut self, allowed: &mut dyn FnMut(Vertex) -> bool) {
        Search::restrict_root(self, |action| allowed(GoGame::<C>::vertex(action)));
    }

    fn set_notes(&mut self, notes: Notes) {
        Search::set_notes(self, notes);
    }

    fn run(&mut self, limits: &Limits) -> Report {
        Search::run(self, limits)
    }

    fn report(&mut self) -> Report {
        Search::report(self)
    }

    fn pick(&mut self, report: &Report) -> Option<Vertex> {
        Search::pick(self, report).map(GoGame::<C>::vertex)
    }

    fn arms_below(&mut self, line: &[Vertex]) -> Option<(Color, Vec<Arm>)> {
        let board = &self.position().board;
        let size = board.size();
        let is_move = |&vertex: &Vertex| vertex.is_pass() || size.contains(vertex);
        if !line.iter().all(is_move) {
            return None;
        }
        let actions: Vec<Action> =
            line.iter().map(|&vertex| GoGame::<C>::action(board.to_move(vertex))).collect();
        let (mover, arms) = Search::arms_below(self, &actions)?;
        let color = match mover {
            Side::First => Color::Black,
            Side::Second => Color::White,
        };
        Some((color, arms))
    }

    fn vertex(&self, action: Action) -> Vertex {
        GoGame::<C>::vertex(action)
    }

    fn ownership(&self, report: &Report) -> Vec<f32> {
        by_vertex::<C>(self.position().board.size(), &report.ownership)
    }

    fn arm_ownership(&self, arm: &Arm) -> Vec<f32> {
        by_vertex::<C>(self.position().board.size(), &arm.ownership)
    }

    fn visits_along(&self, line: &[Action]) -> Vec<u32> {
        Search::visits_along(self, line)
    }
}

/// From the order of actions to that of the board's vertices; nothing stays nothing.
fn by_vertex<C: SizeClass>(size: Size, owners: &[f32]) -> Vec<f32> {
    let owner = |vertex| owners.get(C::point(vertex).idx()).copied();
    size.vertices().map_while(owner).collect()
}
