//! The machine around the search: threads, memory, methods.

use crate::common::{Nim, TicTacToe, parse, search};
use goban::{Size, Upto9};
use mcts::{Action, Game, GameProgress, GoGame, Limits, Search, Settings};

#[test]
fn threads_run_exactly_the_simulations_asked_for() {
    for threads in [2, 3] {
        let settings = Settings { threads, ..Settings::default() };
        let game = Nim::new([3, 4, 5]);
        let mut search = Search::new(&parse("select.c=0.7"), game.clone(), &settings).unwrap();
        let report = search.run(&Limits::simulations(30_000));
        assert_eq!((report.simulations, report.samples, report.visits), (30_000, 30_000, 30_000));
        let mut next = game;
        next.play(search.pick(&report).unwrap());
        assert!(next.is_lost_for_mover(), "{threads} threads");
        // The tree lives on.
        let report = search.run(&Limits::simulations(1001));
        assert_eq!((report.simulations, report.visits), (1001, 31_001));
    }
}

#[test]
fn threads_share_a_small_memory() {
    let settings = Settings { threads: 2, memory: 400_000, ..Settings::default() };
    let recipe = parse("models=mc+rave mixer=min-mse expand.n=1");
    let game = GoGame::<Upto9>::new(Size::square(7).unwrap(), 7.5);
    let mut search = Search::new(&recipe, game, &settings).unwrap();
    let report = search.run(&Limits::simulations(5000));
    assert_eq!((report.simulations, report.visits), (5000, 5000));
    assert!(report.is_full && report.bytes <= 400_000, "{} bytes", report.bytes);
}

#[test]
fn a_full_tree_recycles_and_finds_the_move() {
    // With a fraction of the nodes it would make the search still finds the answer.
    let game = Nim::new([3, 4, 5]);
    let settings = Settings { memory: 1 << 17, ..Settings::default() };
    let run = |settings: &Settings| {
        let mut search = Search::new(&parse("select.c=0.7"), game.clone(), settings).unwrap();
        let report = search.run(&Limits::simulations(60_000));
        let action = search.pick(&report).unwrap();
        (report, action)
    };
    let (small, action) = run(&settings);
    assert!(small.is_full && small.bytes <= 1 << 17, "{} bytes", small.bytes);
    assert_eq!(small.visits, 60_000);
    let (large, _) = run(&Settings::default());
    assert!(!large.is_full && large.nodes > 2 * small.nodes, "{} and {} nodes", large.nodes, small.nodes);
    let mut next = game.clone();
    next.play(action);
    assert!(next.is_lost_for_mover());
    // The same seed gives the same search, recycling included.
    assert_eq!(run(&settings).0.arms, small.arms);
}

#[test]
fn a_full_tree_stays_large() {
    // Room is made by halves: whenever one looks, at least a third of the nodes that fit are there, on a board whose nodes
    // all differ in their number of arms.
    let recipe = parse("models=mc+rave mixer=min-mse expand.n=1");
    let game = GoGame::<Upto9>::new(Size::square(9).unwrap(), 7.5);
    let settings = Settings { memory: 1_000_000, ..Settings::default() };
    let mut search = Search::new(&recipe, game, &settings).unwrap();
    let mut most = 0;
    for slice in 0..40 {
        let report = search.run(&Limits::simulations(250));
        most = most.max(report.nodes);
        assert!(report.nodes * 3 >= most, "{} of {most} nodes in slice {slice}", report.nodes);
        assert!(report.bytes <= 1_000_000);
    }
    assert!(most > 200, "{most} nodes");
}

fn best_value(recipe: &str, game: TicTacToe) -> Action {
    let mut search = search(recipe, game, 1);
    let report = search.run(&Limits::simulations(20_000));
    let best = report.arms.iter().max_by(|a, b| a.value.total_cmp(&b.value)).unwrap();
    best.action
}

#[test]
fn a_flat_search_samples_all_arms_alike() {
    let mut search = search("search=flat", TicTacToe::default(), 1);
    let report = search.run(&Limits::simulations(9000));
    assert_eq!(report.nodes, 1);
    assert!(report.arms.iter().all(|arm| arm.visits == 1000), "{:?}", report.arms);
    // X wins at once; that much is seen at depth 1.
    assert_eq!(best_value("search=flat", TicTacToe::drawn("XX. OO. ...")), Action(2));
}

#[test]
fn a_flat_search_of_two_plies_sees_the_reply() {
    // O must block at 2: any other move loses to the next one, whatever its mean says.
    let drawn = "XX. .O. ...";
    assert_eq!(best_value("search=flat search.depth=2", TicTacToe::drawn(drawn)), Action(2));
    let mut search = search("search=flat search.depth=2", TicTacToe::drawn(drawn), 1);
    let report = search.run(&Limits::simulations(20_000));
    for arm in report.arms.iter().filter(|arm| arm.action != Action(2)) {
        assert_eq!(arm.value, 0.0, "{arm:?}");
        // The reply that is expected is the one that decides the value, though all were tried as often.
        assert_eq!(arm.line, [arm.action, Action(2)], "{arm:?}");
    }
    // Six moves of O, five replies each: nodes for the root and its children only.
    assert_eq!(report.nodes, 7);
}

#[test]
fn arms_without_visits_are_worth_what_the_models_say() {
    // One simulation visits one arm, and AMAF learns of the others that X played later. Their value is the
    // mixture, as for any other arm, whatever their first-play urgency is.
    for urgency in ["inf", "amaf", "value"] {
        let recipe = format!("models=mc+rave mixer=min-mse fpu={urgency}");
        let mut search = search(&recipe, TicTacToe::default(), 1);
        let report = search.run(&Limits::simulations(1));
        for arm in &report.arms {
            let mixture: f32 = arm.models.iter().map(|model| model.beta * model.mean).sum();
            assert_eq!((arm.value, arm.win), (mixture, mixture), "{urgency}: {arm:?}");
        }
        let known = report.arms.iter().filter(|arm| arm.visits == 0 && arm.value != 0.5);
        assert!(known.count() >= 2, "{urgency}: {:?}", report.arms);
    }
}

#[test]
fn points_can_be_the_reward() {
    // With points as reward the value is a margin, and win rates are still told.
    let game = GoGame::<Upto9>::new(Size::square(5).unwrap(), 0.5);
    let mut search = Search::new(
        &parse("reward=score models=mc+rave mixer=min-mse select.c=5"),
        game,
        &Settings::default(),
    )
    .unwrap();
    let report = search.run(&Limits::simulations(4000));
    let best = report.arms.iter().max_by_key(|arm| arm.visits).unwrap();
    assert!(best.value > 2.0 && best.value < 25.0, "{}", best.value);
    assert!(best.win > 0.5 && best.win <= 1.0, "{}", best.win);
    assert!((0.0..=1.0).contains(&report.win));
}

/// A small empty board.
fn empty(komi: f32) -> GoGame<Upto9> {
    GoGame::<Upto9>::new(Size::square(5).unwrap(), komi)
}

#[test]
fn an_extra_komi_changes_values_but_no_facts() {
    // Black, who has the first move on 5×5, wins most simulations; then White is given 7 points for each of four stones,
    // more than the board has.
    let run = |recipe: &str, handicap: u32, n_moves: u32| {
        let mut search = search(recipe, empty(0.5), 1);
        search.set_progress(GameProgress { n_moves, handicap });
        search.run(&Limits::simulations(1500)).timeless()
    };
    let plain = run("reward=win", 0, 0);
    let given = run("reward=linear-komi:stone=7", 4, 0);
    assert_eq!((plain.extra_komi, given.extra_komi), (0.0, 28.0));
    // The values know of the 28 points; the win rates and the scores are those of the game.
    assert!(plain.value > 0.5 && given.value == 0.0, "{} and {}", plain.value, given.value);
    assert!(given.win > 0.4 && given.win < 1.0, "{}", given.win);
    assert!(given.arms.iter().any(|arm| arm.win > 0.4 && arm.value == 0.0));
    assert!((given.score - plain.score).abs() < 15.0, "{} and {}", given.score, plain.score);
    let half = run("reward=linear-komi:stone=7", 4, 100);
    assert_eq!(half.extra_komi, 14.0);
    // Late in the game, and without handicap, it is the plain search.
    for (handicap, n_moves) in [(4, 200), (0, 0)] {
        let same = run("reward=linear-komi:stone=7", handicap, n_moves);
        assert_eq!((same.extra_komi, same.value, same.visits), (0.0, plain.value, plain.visits));
        let visits = |report: &mcts::Report| report.arms.iter().map(|arm| arm.visits).collect::<Vec<_>>();
        assert_eq!(visits(&same), visits(&plain));
    }
}

#[test]
fn a_komi_by_value_follows_the_game() {
    // Black wins whatever is played, even with 20 points less.
    let recipe = "reward=value-komi:simulations=100,step=5";
    let mut search = search(recipe, empty(-46.5), 1);
    let mut extra = Vec::new();
    for _ in 0..5 {
        extra.push(search.run(&Limits::simulations(100)).extra_komi);
    }
    // He is the one who searches, and is burdened with five points more before every run.
    assert_eq!(extra, [0.0, 5.0, 10.0, 15.0, 20.0]);
    let report = search.run(&Limits::simulations(100));
    assert_eq!(report.win, 1.0, "the game itself is won");
    // Another game starts without.
    search.set_root(empty(0.5));
    assert_eq!(search.run(&Limits::simulations(100)).extra_komi, 0.0);
    // A game that knows no points knows no komi.
    let error =
        Search::new(&crate::common::parse(recipe), Nim::new([3, 2, 1]), &Settings::default()).err().unwrap();
    let why = "Nim is not decided by points; choose reward=win";
    assert_eq!(error.to_string(), format!("`value-komi` cannot be used here: {why}"));
}
