//! Hex against a slow model that looks at the whole board after every move, and searches with known answers.

use crate::common::search;
use goban::Rng;
use mcts::evaluate::EvaluationSample;
use mcts::games::hex::{Cell, HexGame};
use mcts::{Action, Game, Limits, Outcome, Side};

/// A board as a drawing has it: cells by row and column, and nothing else.
struct Model {
    side: usize,
    cells: Vec<Vec<Option<Side>>>,
}

impl Model {
    fn new(side: usize) -> Model {
        Model { side, cells: vec![vec![None; side]; side] }
    }

    fn neighbours(&self, row: usize, col: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let side = self.side;
        let steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)];
        let go = move |from: usize, by: isize| from.checked_add_signed(by).filter(|&to| to < side);
        steps.into_iter().filter_map(move |(dr, dc)| Some((go(row, dr)?, go(col, dc)?)))
    }

    /// Whether a side's stones lead from its first edge to its last, by a flood fill from the former.
    fn connects(&self, color: Side) -> bool {
        let last = self.side - 1;
        let mut seen = vec![false; self.side * self.side];
        let mut open: Vec<(usize, usize)> =
            (0..self.side).map(|at| if color == Side::First { (0, at) } else { (at, 0) }).collect();
        while let Some((row, col)) = open.pop() {
            if self.cells[row][col] != Some(color)
                || std::mem::replace(&mut seen[row * self.side + col], true)
            {
                continue;
            }
            if (if color == Side::First { row } else { col }) == last {
                return true;
            }
            open.extend(self.neighbours(row, col));
        }
        false
    }

    /// Plays one of the game's actions.
    fn play(&mut self, game: &HexGame, action: Action) {
        let Some(cell) = game.cell(action) else {
            let stones = self.cells.iter().flatten().position(Option::is_some).unwrap();
            let (row, col) = (stones / self.side, stones % self.side);
            self.cells[row][col] = None;
            self.cells[col][row] = Some(Side::Second);
            return;
        };
        let stone = &mut self.cells[usize::from(cell.row)][usize::from(cell.col)];
        assert_eq!(*stone, None);
        *stone = Some(game.mover());
    }

    fn assert_same(&self, game: &HexGame) {
        for (row, cells) in self.cells.iter().enumerate() {
            for (col, &stone) in cells.iter().enumerate() {
                assert_eq!(game.stone(Cell { row: row as u8, col: col as u8 }), stone);
            }
        }
    }
}

#[test]
fn a_million_random_moves_agree_with_the_model() {
    let mut rng = Rng::new(1);
    let mut actions = Vec::new();
    let (mut n_moves, mut n_swaps, mut n_wins) = (0, 0, [0; 2]);
    while n_moves < 1_000_000 {
        let side = 2 + rng.below(18) as usize;
        let mut game = HexGame::new(side, rng.chance(0.5)).unwrap();
        let mut model = Model::new(side);
        let mut outcome = Outcome::default();
        loop {
            actions.clear();
            game.actions(&mut actions);
            let is_over = game.ended(&mut outcome);
            assert_eq!(is_over, actions.is_empty());
            if is_over {
                break;
            }
            let n_empty = model.cells.iter().flatten().filter(|stone| stone.is_none()).count();
            assert_eq!(actions.len(), n_empty + usize::from(game.can_swap()));
            assert!(actions.iter().all(|&action| game.is_legal(action)));
            // Often enough to be seen.
            let swap = game.swap().filter(|_| game.can_swap() && rng.chance(0.5));
            let action = swap.unwrap_or_else(|| actions[rng.below(actions.len() as u32) as usize]);
            n_swaps += usize::from(swap.is_some());
            let mover = game.mover();
            model.play(&game, action);
            game.play(action);
            assert_eq!(game.mover(), !mover);
            // Only who has moved can have won.
            assert_eq!(game.winner(), model.connects(mover).then_some(mover));
            n_moves += 1;
        }
        model.assert_same(&game);
        let winner = game.winner().unwrap();
        assert!(!model.connects(!winner));
        assert_eq!((outcome.win_for(winner), outcome.score_for(winner)), (1.0, 1.0));
        n_wins[winner.idx()] += 1;
    }
    assert!(n_swaps > 1000 && n_wins.iter().all(|&n| n > 1000), "{n_swaps} {n_wins:?}");
}

/// The uniform rollout of a game.
fn rollout(game: &HexGame) -> Box<dyn mcts::evaluate::Rollout<HexGame>> {
    let policy = crate::common::parse("leaf.policy=uniform");
    let found = policy.entries().into_iter().find_map(|entry| match (entry.key.as_str(), entry.value) {
        ("leaf.policy", recipe::ParamValue::Choice(choice)) => Some(choice.clone()),
        _ => None,
    });
    mcts::Kit::rollout(game, &found.unwrap(), mcts::Reward::Win).unwrap()
}

#[test]
fn playouts_fill_the_board_in_turn_and_know_the_winner() {
    let mut rng = Rng::new(2);
    let mut actions = Vec::new();
    for round in 0..20_000 {
        let side = 2 + round % 18;
        let mut game = HexGame::new(side, true).unwrap();
        let mut model = Model::new(side);
        // Somewhere in the game, but not at its end.
        for _ in 0..rng.below((side * side) as u32) {
            actions.clear();
            game.actions(&mut actions);
            let action = actions[rng.below(actions.len() as u32) as usize];
            let mut next = game;
            next.play(action);
            if next.winner().is_some() {
                break;
            }
            model.play(&game, action);
            game = next;
        }
        let mut sample = EvaluationSample::default();
        rollout(&game).run(&game, &mut rng, round % 3 == 0, &mut sample);
        let mut mover = game.mover();
        for play in &sample.tail {
            assert_eq!(play.side(), mover);
            let cell = game.cell(play.action()).unwrap();
            let stone = &mut model.cells[usize::from(cell.row)][usize::from(cell.col)];
            assert_eq!(stone.replace(mover), None);
            mover = !mover;
        }
        assert!(model.cells.iter().flatten().all(Option::is_some));
        assert_eq!(sample.outcome.length as usize, sample.tail.len());
        let winner = if model.connects(Side::First) { Side::First } else { Side::Second };
        assert!(model.connects(winner) && !model.connects(!winner), "one side wins a full board");
        assert_eq!(sample.outcome.win_for(winner), 1.0);
        if round % 3 == 0 {
            let owners =
                model.cells.iter().flatten().map(|stone| if *stone == Some(Side::First) { 1 } else { -1 });
            assert_eq!(sample.outcome.ownership, owners.chain([0i8]).map(f32::from).collect::<Vec<f32>>());
        }
    }
}

/// From the empty 5×5 board each cell is Black's in 13 of 25 playouts, and the first player wins a little more often.
#[test]
fn playouts_are_uniform() {
    let game = HexGame::new(5, false).unwrap();
    let mut rollout = rollout(&game);
    let (mut firsts, mut wins) = ([0u32; 25], 0.0);
    let mut rng = Rng::new(3);
    for _ in 0..25_000 {
        let mut sample = EvaluationSample::default();
        rollout.run(&game, &mut rng, false, &mut sample);
        firsts[sample.tail[0].action().idx()] += 1;
        wins += sample.outcome.win;
    }
    // Standard deviations 31 and 0.3 %.
    assert!(firsts.iter().all(|&n| n.abs_diff(1000) < 160), "{firsts:?}");
    assert!((0.52..0.60).contains(&(wins / 25_000.0)), "{wins}");
}

#[test]
fn a_search_finds_the_connection_and_the_block() {
    // Black needs one more cell, c3 or the like: a ladder of stones down column c but for row 3.
    let mut game = HexGame::new(5, false).unwrap();
    let play = |game: &mut HexGame, row, col| game.play(game.action(Cell { row, col }));
    for (black, white) in [((0, 2), (0, 0)), ((1, 2), (1, 0)), ((3, 2), (2, 0)), ((4, 2), (2, 3))] {
        play(&mut game, black.0, black.1);
        play(&mut game, white.0, white.1);
    }
    for recipe in ["select.c=0.7", "models=mc+rave mixer=min-mse fpu=amaf select.c=0"] {
        let mut search = search(recipe, game, 1);
        let report = search.run(&Limits::simulations(2000));
        assert_eq!(search.pick(&report), Some(game.action(Cell { row: 2, col: 2 })), "{recipe}");
        // The same cell is White's only hope; a bridge is not enough for Black after it.
        let mut other = game;
        play(&mut other, 4, 4);
        let mut search = crate::common::search(recipe, other, 1);
        let report = search.run(&Limits::simulations(3000));
        assert_eq!(search.pick(&report), Some(game.action(Cell { row: 2, col: 2 })), "{recipe}");
    }
}

/// On the empty 3×3 board the centre wins; with the swap rule it is taken over at once.
#[test]
fn a_strong_first_stone_is_swapped() {
    let mut game = HexGame::new(3, true).unwrap();
    game.play(Action(4));
    let mut search = search("select.c=0.7", game, 1);
    let report = search.run(&Limits::simulations(20_000));
    assert_eq!(search.pick(&report), game.swap());
}
