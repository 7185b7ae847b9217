//! Connect Four against a slow model that scans all lines, and against an exact solver.

use crate::common::search;
use goban::Rng;
use mcts::games::connect_four::{ConnectFour, HEIGHT, WIDTH};
use mcts::{Action, Game, Limits, Outcome, Side};
use std::collections::HashMap;

/// Whether a side has four in a row, by a look along every line from every cell.
fn has_four(game: &ConnectFour, side: Side) -> bool {
    let at = |column: isize, row: isize| {
        let is_inside = (0..WIDTH as isize).contains(&column) && (0..HEIGHT as isize).contains(&row);
        is_inside && game.stone(column as usize, row as usize) == Some(side)
    };
    let starts = (0..WIDTH as isize).flat_map(|column| (0..HEIGHT as isize).map(move |row| (column, row)));
    starts.into_iter().any(|(column, row)| {
        [(0, 1), (1, 0), (1, 1), (1, -1)]
            .iter()
            .any(|(dc, dr)| (0..4).all(|n| at(column + n * dc, row + n * dr)))
    })
}

#[test]
fn random_games_agree_with_the_model() {
    let mut rng = Rng::new(1);
    let (mut n_wins, mut n_draws) = ([0; 2], 0);
    for _ in 0..20_000 {
        let mut game = ConnectFour::new();
        let mut heights = [0; WIDTH];
        let mut outcome = Outcome::default();
        let mut actions = Vec::new();
        let mut keys = vec![game.key()];
        while !game.ended(&mut outcome) {
            actions.clear();
            game.actions(&mut actions);
            let open: Vec<Action> = (0..WIDTH)
                .filter(|&column| heights[column] < HEIGHT)
                .map(|column| Action(column as u16))
                .collect();
            assert_eq!(actions, open);
            let action = actions[rng.below(actions.len() as u32) as usize];
            let mover = game.mover();
            game.play(action);
            assert_eq!(game.stone(action.idx(), heights[action.idx()]), Some(mover));
            heights[action.idx()] += 1;
            assert_eq!(game.winner(), has_four(&game, mover).then_some(mover));
            assert!(!keys.contains(&game.key()));
            keys.push(game.key());
        }
        assert_eq!(game.n_moves() + 1, keys.len());
        match game.winner() {
            Some(winner) => n_wins[winner.idx()] += 1,
            None => {
                assert_eq!((game.n_moves(), outcome.win, outcome.score), (WIDTH * HEIGHT, 0.5, 0.0));
                n_draws += 1;
            }
        }
    }
    // Random play: the first player wins 56 %, a draw comes in one game of four hundred.
    assert!(n_wins[0] > n_wins[1] && n_wins[1] > 5000 && n_draws > 10, "{n_wins:?} {n_draws}");
}

/// The value of a position for the mover, −1, 0 or 1, by alpha-beta with a table of what is known.
#[derive(Default)]
struct Solver {
    known: HashMap<u64, i8>,
}

impl Solver {
    fn solve(&mut self, game: &ConnectFour) -> i8 {
        self.value(game, -1, 1)
    }

    fn value(&mut self, game: &ConnectFour, low: i8, high: i8) -> i8 {
        let mut outcome = Outcome::default();
        if game.ended(&mut outcome) {
            return (2.0 * outcome.win_for(game.mover()) - 1.0) as i8;
        }
        if let Some(&value) = self.known.get(&game.key()) {
            return value;
        }
        let mut best = -1;
        for column in [3, 2, 4, 1, 5, 0, 6].map(Action) {
            if game.is_legal(column) && best < high {
                let mut next = *game;
                next.play(column);
                best = best.max(-self.value(&next, -high, -low.max(best)));
            }
        }
        // Inside the window a value is exact, and so are the least and the largest.
        if (low < best && best < high) || best != 0 {
            self.known.insert(game.key(), best);
        }
        best
    }
}

/// The position after moves in these columns, 1 to 7, as collections of solved positions have them.
fn after(columns: &str) -> ConnectFour {
    let mut game = ConnectFour::new();
    for digit in columns.bytes() {
        game.play(Action(u16::from(digit - b'1')));
    }
    game
}

/// Late positions whose values for the mover are published with Pascal Pons's solver.
const SOLVED: [(&str, i8); 5] = [
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0),
    ("3575316255751336464276636772271112", -1),
    ("12514726155174536522772517671", -1),
];

#[test]
fn known_values_come_out() {
    for (columns, value) in SOLVED {
        assert_eq!(Solver::default().solve(&after(columns)), value, "{columns}");
    }
}

/// A line of a list of solved positions: the columns played, and the value for the mover, > 0 won, < 0 lost.
fn parse_solved(line: &str) -> (ConnectFour, i8) {
    let (columns, value) = line.split_once(' ').unwrap();
    (after(columns), value.parse::<i8>().unwrap().signum())
}

/// Positions with published values. All at the end of a game are solved again here. A search must think the same of every
/// fourth of them, and of every fourth from the middle of a game, which would take long to solve.
#[test]
fn published_positions_have_their_values() {
    let Some(data) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set, so there are no lists of solved positions");
        return;
    };
    let folder = std::path::Path::new(&data).join("positions/connect-four");
    let list = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let mut solver = Solver::default();
    for line in list("end.txt").lines() {
        let (game, value) = parse_solved(line);
        assert_eq!(solver.solve(&game), value, "{line}");
    }
    // A draw is hard to tell from a small advantage, so only won and lost positions are judged.
    for (name, n_simulations, at_least) in [("end.txt", 4000, 0.99), ("middle.txt", 10_000, 0.99)] {
        let text = list(name);
        let decided: Vec<(ConnectFour, i8)> =
            text.lines().map(parse_solved).filter(|(_, value)| *value != 0).step_by(4).collect();
        let agrees = |(game, value): &&(ConnectFour, i8)| {
            let report = search("select.c=1", *game, 1).run(&Limits::simulations(n_simulations));
            (report.value - 0.5) * f32::from(*value) > 0.0
        };
        let n_right = decided.iter().filter(agrees).count();
        println!("{name}: {n_right} of {} at {n_simulations} simulations", decided.len());
        assert!(n_right as f64 >= at_least * decided.len() as f64, "{name}: {n_right}");
    }
}

#[test]
fn a_search_keeps_the_value_of_late_positions() {
    let mut rng = Rng::new(5);
    let mut solver = Solver::default();
    let (mut n_won, mut n_drawn) = (0, 0);
    while n_won < 25 || n_drawn < 5 {
        // Those that can be saved but not won are found late in the game.
        let depth = if n_won < 25 { 20 } else { 28 };
        let Some(game) = random_position(&mut rng, depth) else { continue };
        let value = solver.solve(&game);
        // A position in which every move is as good asks nothing.
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let reply = |action: Action| {
            let mut next = game;
            next.play(action);
            next
        };
        let values: Vec<i8> = actions.iter().map(|&action| -solver.solve(&reply(action))).collect();
        assert_eq!(values.iter().max(), Some(&value));
        if values.iter().all(|other| *other == value) {
            continue;
        }
        match value {
            1 if n_won >= 25 => continue,
            1 => n_won += 1,
            _ => n_drawn += 1,
        }
        // Most need a few thousand simulations, a trap needs more.
        let mut search = search("select.c=1", game, 1);
        let keeps_value = [10_000, 90_000, 900_000, 4_000_000].into_iter().any(|n| {
            let report = search.run(&Limits::simulations(n));
            -solver.solve(&reply(search.pick(&report).unwrap())) == value
        });
        assert!(keeps_value, "{game:?}: {actions:?} {values:?}");
    }
}

/// A position after `n_moves` random moves; none if the game was over before.
fn random_position(rng: &mut Rng, n_moves: usize) -> Option<ConnectFour> {
    let mut game = ConnectFour::new();
    for _ in 0..n_moves {
        let column = Action(rng.below(WIDTH as u32) as u16);
        if !game.is_legal(column) {
            return None;
        }
        game.play(column);
    }
    game.winner().is_none().then_some(game)
}

/// The game is solved: the first player wins, and only by the middle column.
#[test]
fn the_first_stone_belongs_in_the_middle() {
    let mut search = search("select.c=1", ConnectFour::new(), 1);
    let report = search.run(&Limits::simulations(100_000));
    assert_eq!(search.pick(&report), Some(Action(3)));
    let arm = report.arm(Action(3)).unwrap();
    assert!(report.arms.iter().all(|other| other.visits <= arm.visits));
}

#[test]
fn other_policies_are_refused_by_name() {
    let recipe = crate::common::parse("leaf.policy=mogo");
    let error = mcts::Search::new(&recipe, ConnectFour::new(), &mcts::Settings::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "`mogo` cannot be used here: connect-four knows the policies `uniform` and `careful`"
    );
}
