//! Whole searches with every mixer.

use crate::common::{TicTacToe, parse, search};
use goban::{Size, Upto9};
use mcts::{GoGame, Limits, Report, Search, Settings};

fn run(recipe: &str, n_simulations: u64) -> Report {
    let game = GoGame::<Upto9>::new(Size::square(5).unwrap(), 0.5);
    search(recipe, game, 1).run(&Limits::simulations(n_simulations)).timeless()
}

/// The weights of every arm's models add up to 1 and make up its value.
#[track_caller]
fn check(report: &Report, recipe: &str) {
    for arm in report.arms.iter().filter(|arm| arm.visits > 0) {
        let sum: f32 = arm.models.iter().map(|model| model.beta).sum();
        let value: f32 = arm.models.iter().map(|model| model.beta * model.mean).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{recipe}: {arm:?}");
        assert!((value - arm.value).abs() < 1e-6, "{recipe}: {arm:?}");
        assert!((0.0..=1.0).contains(&arm.value), "{recipe}: {arm:?}");
    }
}

#[test]
fn every_mixer_accounts_for_its_values() {
    for variant in mcts::mix::FAMILY.variants {
        for models in ["mc+rave", "mc+amaf-first", "amaf-first+rave+mc"] {
            let recipe = format!("models={models} mixer={} select.c=0.1", variant.name);
            let report = run(&recipe, 500);
            assert_eq!(report.visits, 500, "{recipe}");
            check(&report, &recipe);
        }
    }
}

#[test]
fn the_search_is_repeatable_with_every_mixer() {
    for variant in mcts::mix::FAMILY.variants {
        let recipe = format!("models=mc+rave mixer={}", variant.name);
        assert_eq!(run(&recipe, 300).arms, run(&recipe, 300).arms, "{recipe}");
    }
}

#[test]
fn a_prior_for_one_model_alone_is_that_model_alone() {
    // Prior odds of 10¹² leave nothing to the simulations of so short a search, and 10⁻¹² everything.
    for (prior, beta) in [("mc=1e-6 mixer.rave=1e6", 1.0), ("mc=1e6 mixer.rave=1e-6", 0.0)] {
        let report = run(&format!("models=mc+rave mixer=bma-n mixer.{prior}"), 200);
        for arm in report.arms.iter().filter(|arm| arm.visits > 0 && arm.models[1].weight > 0.0) {
            assert!((arm.models[1].beta - beta).abs() < 1e-4, "{arm:?}");
        }
    }
}

#[test]
fn averaging_finds_the_win_that_rave_alone_misjudges() {
    // X wins at once in the last corner; whatever the mixer, the arm's own simulations must come through.
    let game = TicTacToe::drawn("XX. OO. ...");
    for mixer in ["hand:k=10", "min-mse:b=0.2", "linear:n=100", "bma", "bma-gauss", "bma-n"] {
        let recipe = parse(&format!("models=mc+rave mixer={mixer} select.c=0.5"));
        let mut search = Search::new(&recipe, game.clone(), &Settings::default()).unwrap();
        let report = search.run(&Limits::simulations(1000));
        let picked = search.pick(&report).unwrap();
        assert_eq!(picked, mcts::Action(2), "{mixer}");
        let arm = report.arms.iter().find(|arm| arm.action == picked).unwrap();
        assert!(arm.value > 0.95, "{mixer}: {arm:?}");
    }
}

#[test]
fn a_recipe_with_one_model_is_refused() {
    let game = TicTacToe::default();
    let error = Search::new(&parse("models=mc mixer=bma"), game, &Settings::default()).err().unwrap();
    let expected =
        "`bma` cannot be used here: it mixes `mc` with a second model; add one, such as models=mc+rave";
    assert_eq!(error.to_string(), expected);
}
