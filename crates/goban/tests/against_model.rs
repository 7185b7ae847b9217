//! Random games, move by move against a slow model of the rules.
//!
//! `TENGEN_MODEL_MOVES` sets the number of moves (1 000 000 by default).

mod model;

use std::any::Any;
use std::cell::Cell;

use goban::{
    Board, Color, EyeRule, IllegalReason, Keep, Ko, Lean, Point, PointSet, Position, Rules, Scoring, Size,
    SizeClass, Tactical, Tax, Upto9, Upto13, Upto19, Upto25, with_board,
};
use model::{Chain, MoveStatus, Points, SlowBoard};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// One event of a random game; the numbers choose among the points that are possible at that moment.
#[derive(Clone, Debug)]
enum Step {
    /// A stone on one of the empty points, by the player to move.
    Play(u16),
    /// The same by the other player.
    PlayTwice(u16),
    Pass,
    Undo(u8),
    Setup(u16, Option<bool>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        400 => any::<u16>().prop_map(Step::Play),
        20 => any::<u16>().prop_map(Step::PlayTwice),
        6 => Just(Step::Pass),
        4 => (1..4u8).prop_map(Step::Undo),
        1 => (any::<u16>(), any::<Option<bool>>()).prop_map(|(at, stone)| Step::Setup(at, stone)),
    ]
}

fn size() -> impl Strategy<Value = Size> {
    let sides = |max: usize| (2..=max, 2..=max).prop_map(|(w, h): (usize, usize)| Size::new(w, h).unwrap());
    prop_oneof![8 => sides(7), 3 => sides(13), 1 => sides(25), 1 => (2..=25usize).prop_map(|n| Size::square(n).unwrap())]
}

fn rules() -> impl Strategy<Value = Rules> {
    let ko = prop_oneof![Just(Ko::Simple), Just(Ko::Positional), Just(Ko::Situational)];
    let scoring = prop_oneof![Just(Scoring::Area), Just(Scoring::Territory)];
    (ko, any::<bool>(), scoring).prop_map(|(ko, suicide, scoring)| Rules {
        ko,
        suicide,
        scoring,
        tax: Tax::None,
        ..Rules::default()
    })
}

/// One game under test: ours in three forms, the model, and the model's past for going back.
struct Game<C: SizeClass> {
    position: Position,
    tactical: Board<C, Tactical>,
    lean: Board<C, Lean>,
    model: SlowBoard,
    past: Vec<SlowBoard>,
}

type Check = Result<(), TestCaseError>;

impl<C: SizeClass> Game<C> {
    fn new(size: Size, rules: Rules) -> Self {
        Self {
            position: Position::new(size, rules),
            tactical: Board::new(size),
            lean: Board::<C, Tactical>::new(size).keeping(),
            model: SlowBoard::new(size, rules),
            past: Vec::new(),
        }
    }

    /// Does one step and returns the number of moves played.
    fn step(&mut self, step: &Step) -> Result<usize, TestCaseError> {
        match *step {
            Step::Play(pick) => self.play(self.model.to_play, pick),
            Step::PlayTwice(pick) => self.play(!self.model.to_play, pick),
            Step::Pass => self.commit(self.model.to_play, None).map(|()| 1),
            Step::Undo(n) => self.undo(usize::from(n)).map(|()| 0),
            Step::Setup(at, stone) => self.setup(at, stone).map(|()| 0),
        }
    }

    /// Tries an empty point; if the model calls it illegal, so must we.
    fn play(&mut self, color: Color, pick: u16) -> Result<usize, TestCaseError> {
        let empties = self.model.empties();
        let Some(&idx) = empties.get(usize::from(pick) % empties.len().max(1)) else { return Ok(0) };
        if self.model.move_status(color, idx) == MoveStatus::Legal {
            return self.commit(color, Some(idx)).map(|()| 1);
        }
        let before = self.position.board().clone();
        prop_assert!(self.position.play(color, self.model.vertex(idx)).is_err());
        prop_assert_eq!(self.position.board(), &before);
        Ok(0)
    }

    fn commit(&mut self, color: Color, idx: Option<usize>) -> Check {
        let vertex = idx.map_or(goban::Vertex::PASS, |idx| self.model.vertex(idx));
        self.past.push(self.model.clone());
        let (n_taken, n_lost) = self.model.play(color, idx);
        let played = self.position.play(color, vertex);
        prop_assert!(played.is_ok(), "{played:?}");
        if n_lost > 0 {
            // Light boards do not know suicide.
            self.copy_boards();
            return Ok(());
        }
        prop_assert_eq!(self.tactical.play(color, self.tactical.to_move(vertex)), n_taken);
        prop_assert_eq!(self.lean.play(color, self.lean.to_move(vertex)), n_taken);
        Ok(())
    }

    fn undo(&mut self, n: usize) -> Check {
        for _ in 0..n {
            let before = self.past.pop();
            prop_assert_eq!(self.position.undo().is_some(), before.is_some());
            self.model = before.unwrap_or_else(|| self.model.clone());
        }
        self.copy_boards();
        Ok(())
    }

    fn setup(&mut self, at: u16, stone: Option<bool>) -> Check {
        let idx = usize::from(at) % self.model.cells.len();
        let stone = stone.map(|black| if black { Color::Black } else { Color::White });
        let to_play = Color::BOTH[usize::from(at % 2)];
        let is_possible = self.model.setup(idx, stone, to_play);
        let done = self.position.setup(&[(self.model.vertex(idx), stone)], to_play);
        prop_assert_eq!(done.is_ok(), is_possible);
        self.copy_boards();
        Ok(())
    }

    /// Makes the light boards equal to the full one after a jump.
    fn copy_boards(&mut self) {
        let full = with_board!(self.position.board(), |board| (board as &dyn Any).downcast_ref::<Board<C>>());
        let full = full.expect("the size has this class");
        (self.tactical, self.lean) = (full.keeping(), full.keeping());
    }

    fn check(&self) -> Check {
        let model = &self.model;
        for color in Color::BOTH {
            prop_assert_eq!(self.position.n_captured(color), model.n_captured[color.idx()]);
        }
        prop_assert_eq!(self.position.to_play(), model.to_play);
        prop_assert_eq!(self.position.n_passes(), model.n_passes);
        prop_assert_eq!(self.position.is_over(), model.n_passes >= 2);
        let chains = model.chains();
        with_board!(self.position.board(), |board| {
            check_stones(board, model, &chains)?;
            check_atari(board, model, &chains)?;
            prop_assert_eq!(board.hash(), model.hash());
        });
        check_stones(&self.lean, model, &chains)?;
        check_atari(&self.tactical, model, &chains)?;
        prop_assert_eq!(&self.tactical.keeping::<Lean>(), &self.lean);
        self.check_legality()
    }

    /// Every point up to 7×7, some elsewhere.
    fn check_legality(&self) -> Check {
        let model = &self.model;
        let area = model.cells.len();
        let is_small = model.size.width() <= 7 && model.size.height() <= 7;
        let n = self.position.plays().len();
        let sample = (0..5).map(|i| (n * 37 + i * 101) % area).chain(model.ko());
        let points: Vec<usize> = if is_small { (0..area).collect() } else { sample.collect() };
        for idx in points {
            let vertex = model.vertex(idx);
            let refused = self.position.legality(model.to_play, vertex).map_err(|illegal| illegal.reason);
            let move_status = match refused {
                Ok(()) => MoveStatus::Legal,
                Err(IllegalReason::Occupied) => MoveStatus::Occupied,
                Err(IllegalReason::Suicide) => MoveStatus::Suicide,
                Err(IllegalReason::Ko) if model.rules.ko == Ko::Simple => MoveStatus::Ko,
                Err(IllegalReason::Ko | IllegalReason::Superko { .. }) => MoveStatus::Repetition,
                Err(IllegalReason::OffBoard) => return Err(TestCaseError::fail("off the board")),
            };
            prop_assert_eq!(move_status, model.move_status(model.to_play, idx), "{:?}", vertex);
            let is_open = model.is_open(model.to_play, idx);
            prop_assert_eq!(self.position.board().is_legal(model.to_play, vertex), is_open);
            prop_assert_eq!(self.lean.is_legal(model.to_play, self.lean.point(vertex)), is_open);
        }
        Ok(())
    }

    /// The score as it stands and with every third chain dead.
    fn check_score(&self) -> Check {
        let chains = self.position.board().chains();
        let dead: Vec<_> = chains.iter().step_by(3).map(|(_, chain)| chain[0]).collect();
        for dead in [&[], dead.as_slice()] {
            let all: Points = dead
                .iter()
                .flat_map(|&vertex| self.position.board().chain(vertex))
                .map(|vertex| self.model.idx(vertex))
                .collect();
            let (stones, territory, n_dead) = self.model.count(&all);
            let score = self.position.score_with_dead(dead);
            for color in Color::BOTH {
                let (own, enemy) = (color.idx(), (!color).idx());
                let tally = score.of(color);
                prop_assert_eq!((tally.stones, tally.territory), (stones[own], territory[own]));
                prop_assert_eq!(tally.dead, n_dead[enemy]);
                let points = match self.model.rules.scoring {
                    Scoring::Area => stones[own] + territory[own],
                    Scoring::Territory => {
                        territory[own] + n_dead[enemy] + self.model.n_captured[enemy] as usize
                    }
                };
                prop_assert_eq!(tally.points, points as f32);
            }
            if dead.is_empty() {
                let area = (stones[0] + territory[0], stones[1] + territory[1]);
                prop_assert_eq!(self.position.board().area(), area);
                prop_assert_eq!(self.lean.area(), area);
            }
        }
        Ok(())
    }
}

fn sorted(points: impl Iterator<Item = usize>) -> Points {
    let mut points: Points = points.collect();
    points.sort_unstable();
    points
}

fn points<C: SizeClass>(model: &SlowBoard, set: &C::Set) -> Points {
    set.iter().map(|point| model.idx(C::vertex(point))).collect()
}

/// Stones, chains, liberties, empty points, eyes, ko.
fn check_stones<C: SizeClass, K: Keep>(board: &Board<C, K>, model: &SlowBoard, chains: &[Chain]) -> Check {
    for (idx, &content) in model.cells.iter().enumerate() {
        prop_assert_eq!(board.stone(board.point(model.vertex(idx))), content);
    }
    for chain in chains {
        let point = board.point(model.vertex(chain.stones[0]));
        let stones = sorted(board.chain(point).map(|stone| model.idx(C::vertex(stone))));
        prop_assert_eq!(&stones, &chain.stones);
        prop_assert_eq!(board.chain_len(point), stones.len());
        prop_assert_eq!(&points::<C>(model, &board.liberties(point)), &chain.liberties);
        let head = board.head(point);
        for stone in stones {
            prop_assert_eq!(board.head(board.point(model.vertex(stone))), head);
        }
    }
    for color in Color::BOTH {
        let n_stones = model.cells.iter().filter(|&&content| content == Some(color)).count();
        prop_assert_eq!(board.n_on_board(color), n_stones);
    }
    prop_assert_eq!(board.ko().map(|ko| model.idx(C::vertex(ko))), model.ko());
    let empties = model.empties();
    prop_assert_eq!(board.n_empty(), empties.len());
    prop_assert_eq!(&points::<C>(model, board.empty()), &empties);
    prop_assert_eq!(&sorted(board.empties().map(|point| model.idx(C::vertex(point)))), &empties);
    empties.iter().try_for_each(|&idx| check_code(board, model, idx))
}

/// Neighbour counts, and the eye test in both forms.
fn check_code<C: SizeClass, K: Keep>(board: &Board<C, K>, model: &SlowBoard, idx: usize) -> Check {
    let point = board.point(model.vertex(idx));
    let near = model.neighbours(idx);
    let count = |content| near.iter().filter(|&&point| model.cells[point] == content).count() as u32;
    let code = board.code(point);
    prop_assert_eq!((code.n_empty(), code.n_off()), (count(None), 4 - near.len() as u32));
    for color in Color::BOTH {
        prop_assert_eq!(code.n_neighbours(color), count(Some(color)));
        for rule in [EyeRule::Standard, EyeRule::GoYui] {
            let expected = model.is_eye(idx, color, rule);
            prop_assert_eq!(board.is_eye(point, color, rule), expected, "{:?} {:?}", color, rule);
        }
    }
    Ok(())
}

/// All chains in atari, each once.
fn check_atari<C: SizeClass, K: Keep>(board: &Board<C, K>, model: &SlowBoard, chains: &[Chain]) -> Check {
    for color in Color::BOTH {
        let in_atari = chains.iter().filter(|chain| chain.color == color && chain.liberties.len() == 1);
        let heads = in_atari.map(|chain| board.head(board.point(model.vertex(chain.stones[0]))));
        let expected = sorted(heads.map(Point::idx));
        prop_assert_eq!(sorted(board.chains_in_atari(color).map(Point::idx)), expected);
    }
    Ok(())
}

fn run<C: SizeClass>(size: Size, rules: Rules, steps: &[Step]) -> Result<usize, TestCaseError> {
    let mut game = Game::<C>::new(size, rules);
    let mut n_moves = 0;
    for step in steps {
        n_moves += game.step(step)?;
        game.check()?;
    }
    game.check_score()?;
    Ok(n_moves)
}

/// Runs games until `n_moves` moves were played.
fn check_games(seed: u8, n_moves: usize) {
    let config =
        Config { failure_persistence: None, cases: 1, max_shrink_iters: 100_000, ..Config::default() };
    let games = (size(), rules(), vec(step(), 1..400));
    let played = Cell::new(0);
    for game in 0u64.. {
        if played.get() >= n_moves {
            return;
        }
        let mut bytes = [seed; 32];
        bytes[..8].copy_from_slice(&game.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(config.clone(), rng);
        let outcome = runner.run(&games, |(size, rules, steps)| {
            let n = match size.width().max(size.height()) {
                0..=9 => run::<Upto9>(size, rules, &steps),
                10..=13 => run::<Upto13>(size, rules, &steps),
                14..=19 => run::<Upto19>(size, rules, &steps),
                _ => run::<Upto25>(size, rules, &steps),
            }?;
            played.set(played.get() + n);
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    }
}

fn n_moves() -> usize {
    std::env::var("TENGEN_MODEL_MOVES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}

// Two halves, so that two processors share the work.
#[test]
fn random_games_agree_with_the_model() {
    check_games(1, n_moves() / 2);
}

#[test]
fn more_random_games_agree_with_the_model() {
    check_games(2, n_moves() / 2);
}
