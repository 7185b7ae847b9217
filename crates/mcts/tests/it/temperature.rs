//! Searches whose playouts learn.

use crate::common::{parse, search};
use goban::{Size, Upto9};
use mcts::{GoGame, Limits, Report, Search, Settings};

fn game() -> GoGame<Upto9> {
    GoGame::new(Size::square(5).unwrap(), 0.5)
}

fn run(recipe: &str) -> Report {
    search(recipe, game(), 1).run(&Limits::simulations(400))
}

#[test]
fn learning_playouts_are_repeatable_and_differ_from_uniform_ones() {
    let learned = run("leaf.policy=temperature leaf.policy.k=5 leaf.n=2");
    assert_eq!(learned.arms, run("leaf.policy=temperature leaf.policy.k=5 leaf.n=2").arms);
    assert_ne!(learned.arms, run("leaf.policy=temperature leaf.policy.k=0 leaf.n=2").arms);
    assert_ne!(
        learned.arms,
        run("leaf.policy=temperature leaf.policy.k=5 leaf.policy.anneal=500 leaf.n=2").arms
    );
    assert_eq!((learned.simulations, learned.unsound), (400, 0));
}

#[test]
fn a_whole_game_is_played() {
    let recipe = parse("models=mc+rave mixer=min-mse select.c=0.1 leaf.policy=temperature");
    let mut search = Search::new(&recipe, game(), &Settings::default()).unwrap();
    for _ in 0..200 {
        let report = search.run(&Limits::simulations(50));
        let Some(action) = search.pick(&report) else { return };
        assert!(report.value.is_finite());
        search.advance(action);
    }
    panic!("the game did not end");
}
