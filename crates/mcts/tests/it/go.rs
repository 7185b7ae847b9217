//! Go: whole games, known answers, boards of every class.

use crate::common::{parse, search};
use goban::{
    AnyBoard, Board, Color, Full, Move, Rng, Setup, Size, SizeClass, Upto9, Upto13, Upto19, Upto25, Vertex,
};
use mcts::go_search::{self, Situation};
use mcts::{Action, Game, GoGame, Limits, Outcome, Search, Settings};

type Small = GoGame<Upto9>;

fn size(side: usize) -> Size {
    Size::square(side).unwrap()
}

/// Plays a whole game, `player` against a uniform random one, and returns whether the player won.
fn beats_random(player: Color, seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut search = search("select.c=0.5 expand.n=2", Small::new(size(5), 0.5), seed);
    let mut outcome = Outcome::default();
    let mut game = Small::new(size(5), 0.5);
    for _ in 0..200 {
        if game.ended(&mut outcome) {
            break;
        }
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let action = if game.to_play == player {
            let report = search.run(&Limits::simulations(300));
            search.pick(&report).unwrap()
        } else {
            actions[rng.below(actions.len() as u32) as usize]
        };
        assert!(actions.contains(&action), "{:?}: {action:?}", game.board);
        search.advance(action);
        game.play(action);
    }
    assert!(game.ended(&mut outcome), "the game ends");
    outcome.win_for(mcts::go::side(player)) == 1.0
}

#[test]
fn it_beats_a_random_player_with_both_colours() {
    for seed in 1..=4 {
        assert!(beats_random(Color::Black, seed), "seed {seed} as Black");
        assert!(beats_random(Color::White, seed), "seed {seed} as White");
    }
}

/// A drawn board of at most 9×9.
fn drawn(drawing: &str, to_play: Color, komi: f32) -> Small {
    let setup = Setup::parse(drawing).unwrap();
    let mut board = Board::<Upto9, Full>::new(setup.size());
    for (vertex, color) in setup.stones() {
        board.play(color, board.to_move(vertex));
    }
    Small { board, to_play, ..Small::new(setup.size(), komi) }
}

/// Black's move on a drawn board, and its value as he sees it.
fn best(drawing: &str, komi: f32, simulations: u64) -> (String, f32) {
    let game = drawn(drawing, Color::Black, komi);
    let size = game.board.size();
    let mut search = search("select.c=0.5 expand.n=2", game, 1);
    let report = search.run(&Limits::simulations(simulations));
    let action = search.pick(&report).unwrap();
    (size.show(Small::vertex(action)), report.value)
}

#[test]
fn it_takes_and_saves() {
    // Whoever moves takes the other's whole chain.
    let (vertex, value) = best(". X X X X\nX X X X X\nO O O O O\nO O O O O\nO O O O .", 0.5, 500);
    assert_eq!(vertex, "E1");
    assert!(value > 0.7, "{value}");
    // Four stones in atari in the corner: taking them saves the black stones around.
    let (vertex, _) = best(". O . . .\n. O X X X\n. O O X O\nO X X O O\nO . X O .", 0.5, 4000);
    assert_eq!(vertex, "E1");
    // On 3×3 the first move in the centre wins the whole board.
    let (vertex, value) = best(". . .\n. . .\n. . .", 8.5, 20_000);
    assert_eq!(vertex, "B2");
    assert!(value > 0.5, "{value}");
}

#[test]
fn a_won_board_is_known_as_won() {
    let drawing = ". X X . O\nX X . X O\nX . X X O\n. X X O O\nX X O O .";
    let mut search = search("select.c=0.5", drawn(drawing, Color::White, 0.5), 1);
    let report = search.run(&Limits::simulations(2000));
    assert!(report.value < 0.1, "White has lost: {}", report.value);
    assert!(report.score > 3.0, "{}", report.score);
    // The white stones have one eye only.
    let owner = |name: &str| {
        let vertex = size(5).parse_vertex(name).unwrap();
        report.ownership[Small::action(Move::at(Upto9::point(vertex))).idx()]
    };
    assert!(owner("A5") > 0.9 && owner("B5") > 0.9 && owner("E5") > 0.9, "{:?}", report.ownership);
    assert!(report.ownership.iter().all(|owner| (-1.0..=1.0).contains(owner)));
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = |seed| {
        let mut search = search("", Small::new(size(7), 7.5), seed);
        let mut line = Vec::new();
        for _ in 0..20 {
            let report = search.run(&Limits::simulations(200));
            let action = search.pick(&report).unwrap();
            line.push((action, report.value.to_bits(), report.nodes));
            search.advance(action);
        }
        line
    };
    assert_eq!(game(3), game(3));
    assert_ne!(game(3), game(4));
}

fn check_class<C: SizeClass>(width: usize, height: usize) {
    let fresh = GoGame::<C>::new(Size::new(width, height).unwrap(), 7.5);
    let recipe = parse("leaf.policy.eye=goyui");
    let mut search = Search::new(&recipe, fresh.clone(), &Settings::default()).unwrap();
    search.restrict_root(|action| GoGame::<C>::vertex(action) != Vertex::new(0, 0));
    let report = search.run(&Limits::simulations(50));
    assert_eq!((report.visits, report.arms.len()), (50, width * height));
    let action = search.pick(&report).unwrap();
    let vertex = GoGame::<C>::vertex(action);
    assert!(vertex.is_pass() || fresh.board.size().contains(vertex));
    search.advance(action);
    search.set_root(GoGame { n_passes: 2, ..fresh });
    let report = search.run(&Limits::simulations(50));
    assert_eq!((report.simulations, search.pick(&report)), (0, None));
}

#[test]
fn every_class_of_board_is_searched() {
    check_class::<Upto9>(2, 2);
    check_class::<Upto9>(5, 9);
    check_class::<Upto13>(13, 13);
    check_class::<Upto19>(19, 19);
    check_class::<Upto25>(25, 25);
}

#[test]
fn a_search_of_any_size_speaks_in_vertices() {
    let board = AnyBoard::new(size(3));
    let situation = Situation {
        board: &board,
        to_play: Color::Black,
        komi: 8.5,
        n_passes: 0,
        recent: [None; 5],
        before: None,
    };
    let mut search =
        go_search::build(&parse("select.c=0.5 expand.n=2"), &situation, &Settings::default()).unwrap();
    let centre = Vertex::new(1, 1);
    let report = search.run(&Limits::simulations(20_000));
    assert_eq!(search.pick(&report), Some(centre));
    assert_eq!(search.ownership(&report).len(), 9);
    search.restrict_root(&mut |vertex| vertex != centre);
    let barred = search.report();
    assert!(barred.arms.iter().all(|arm| search.vertex(arm.action) != centre));
    assert!(search.advance(centre));
    assert!(search.set_situation(&situation));
    assert_eq!(search.report().visits, 0);
    assert!(!search.set_situation(&Situation { board: &AnyBoard::new(size(5)), ..situation }));
    assert!(!search.set_situation(&Situation { board: &AnyBoard::new(size(13)), ..situation }));
    assert!(search.set_situation(&Situation { n_passes: 2, ..situation }));
    let report = search.run(&Limits::simulations(50));
    assert_eq!((report.simulations, search.pick(&report)), (0, None));
}

#[test]
fn the_tree_is_opened_move_by_move() {
    let board = AnyBoard::new(size(5));
    let situation = Situation {
        board: &board,
        to_play: Color::Black,
        komi: 0.5,
        n_passes: 0,
        recent: [None; 5],
        before: None,
    };
    let mut search = go_search::build(&parse("models=mc+rave"), &situation, &Settings::default()).unwrap();
    let report = search.run(&Limits::simulations(800));
    // The arms of the root are those of the report, which alone adds the margins that were noted.
    let mut arms = report.arms.clone();
    arms.iter_mut().for_each(|arm| arm.margin = None);
    assert_eq!(search.arms_below(&[]).unwrap(), (Color::Black, arms));
    let best = report.arms.iter().max_by_key(|arm| arm.visits).unwrap();
    let first = search.vertex(best.action);
    let (mover, arms) = search.arms_below(&[first]).unwrap();
    assert_eq!(mover, Color::White);
    // The first visit of an arm ends there; every later one goes on.
    let visits: u32 = arms.iter().map(|arm| arm.visits).sum();
    assert_eq!(visits, best.visits - 1);
    // The expected line goes by the most visited reply.
    let reply = arms.iter().find(|arm| arm.action == best.line[1]).unwrap();
    assert_eq!(arms.iter().map(|arm| arm.visits).max(), Some(reply.visits));
    assert!(search.arms_below(&[first, first]).is_none(), "no stone is placed on another");
    assert!(search.arms_below(&[Vertex::new(9, 9)]).is_none(), "off the board");
}

#[test]
fn actions_and_moves_are_the_same_thing() {
    let mut game = Small::new(size(5), 7.5);
    let mut actions = Vec::new();
    game.actions(&mut actions);
    assert_eq!(actions.len(), 26);
    assert!(actions.iter().all(|&action| Small::action(Small::to_move(action)) == action));
    assert_eq!(Small::to_move(*actions.last().unwrap()), Move::PASS);
    let pass = Small::action(Move::PASS);
    assert_eq!(pass, Action(game.n_actions() as u16 - 1));
    let mut outcome = Outcome::default();
    game.play(pass);
    assert!(!game.ended(&mut outcome));
    game.play(pass);
    assert!(game.ended(&mut outcome));
    assert_eq!((outcome.win, outcome.score), (0.0, -7.5));
}

/// How many of three searches find Black's last outside liberty, which makes a seki and saves his chain.
fn n_seki_found(drawing: &str, komi: f32, right: &str, option: &str) -> usize {
    let recipe = format!(
        "models=mc+rave mixer=min-mse mixer.b=0.009 fpu=amaf select=uct select.c=0 prior=knowledge expand=visits \
         expand.n=3 leaf.policy=tengen {option}"
    );
    let finds = |seed: &u64| {
        let game = drawn(drawing, Color::Black, komi);
        let size = game.board.size();
        let mut search = search(&recipe, game, *seed);
        let report = search.run(&Limits::simulations(3000));
        search.pick(&report).is_some_and(|action| size.show(Small::vertex(action)) == right)
    };
    (1..=3).filter(finds).count()
}

#[test]
fn the_prior_keeps_outside_liberties_from_starving() {
    // In every playout but those that begin there Black is too late, so AMAF speaks against the one move.
    let column = ". X . O X O .
                  . X O O X O .
                  X X O . X O O
                  . X O O X O .
                  X X O . X O O
                  . X O O X O .
                  . X O O X O .";
    let row = ". . . O . . .
               O O O O O O O
               X X X X X X X
               O O . . O O O
               . O O O O O O
               X X X X X X X
               . X . . . X .";
    let n_found =
        |option: &str| n_seki_found(column, -9.5, "C7", option) + n_seki_found(row, -8.5, "A3", option);
    assert_eq!(n_found(""), 6);
    assert!(n_found("prior.race=0") < 6);
}
