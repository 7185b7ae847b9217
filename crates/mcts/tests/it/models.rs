//! Models in whole searches: identities between them, and what each refuses.

use crate::common::{Nim, TicTacToe, parse, search};
use goban::{Size, Upto9, Upto13, Upto19};
use mcts::cx::{Estimates, Mixed};
use mcts::mix::Mixer;
use mcts::report::ModelView;
use mcts::{BuiltRecipe, Cx, GoGame, Kit, Limits, Search, Settings};

type Small = GoGame<Upto9>;

fn go(side: usize) -> Small {
    Small::new(Size::square(side).unwrap(), 7.5)
}

/// Half the first model and half the last, so that the last one steers the search.
struct Halves;

impl Mixer for Halves {
    fn mix(&self, _cx: &Cx<'_>, models: &[Estimates], out: &mut Mixed) {
        let (first, last) = (&models[0], &models[models.len() - 1]);
        for (value, (a, b)) in out.value.iter_mut().zip(first.mean.iter().zip(&last.mean)) {
            *value = 0.5 * a + 0.5 * b;
        }
        out.weights.iter_mut().for_each(|weights| weights.fill(0.0));
    }
}

/// Visits, value and the last model's opinion of every root arm after some moves, each after `simulations` simulations.
fn steered<G: Kit>(text: &str, game: G, seed: u64, simulations: u64) -> Vec<(u32, f32, ModelView)> {
    let recipe = parse(text);
    let mut engine = BuiltRecipe::build(&recipe, &game, &Settings::default()).unwrap();
    engine.pieces.mixer = Box::new(Halves);
    let settings = Settings { seed, ..Settings::default() };
    let mut search = Search::from_engine(engine, game, &settings).unwrap();
    let mut table = Vec::new();
    for _ in 0..3 {
        let report = search.run(&Limits::simulations(simulations));
        let last = report.models.len() - 1;
        table.extend(report.arms.iter().map(|arm| (arm.visits, arm.value, arm.models[last])));
        if let Some(action) = search.pick(&report) {
            search.advance(action);
        }
    }
    table
}

#[test]
fn regression_with_the_amaf_kernel_is_rave() {
    for seed in 1..=3 {
        let table = |model: &str| {
            let text = format!("models=mc+{model} select.c=0.1 expand.n=2");
            (steered(&text, go(5), seed, 1500), steered(&text, go(9), seed, 300))
        };
        assert_eq!(table("lwr:kernel=amaf"), table("rave"));
        // The comparison can fail: another kernel leads elsewhere.
        assert_ne!(table("lwr:kernel=manhattan"), table("rave"));
    }
    // Under the rules that mix two models, too.
    let mixed = |model: &str| {
        let mut search = search(&format!("models=mc+{model} mixer=hand expand.n=2"), go(5), 3);
        let report = search.run(&Limits::simulations(3000));
        let arms = report.arms.into_iter();
        (
            report.value,
            arms.map(|arm| (arm.visits, arm.value, arm.score, arm.models, arm.line)).collect::<Vec<_>>(),
        )
    };
    assert_eq!(mixed("lwr:kernel=amaf"), mixed("rave"));
    let table = |model: &str| steered(&format!("models=mc+{model}"), TicTacToe::default(), 1, 2000);
    assert_eq!(table("lwr:kernel=amaf"), table("rave"));
}

#[test]
fn kin_of_rave_without_their_difference_are_rave() {
    for seed in 1..=2 {
        let table = |model: &str| {
            let text = format!("models=mc+{model} select.c=0.1 expand.n=2 prior=even");
            (steered(&text, go(5), seed, 1000), steered(&text, go(9), seed, 200))
        };
        let rave = table("rave");
        assert_eq!(table("rave-distance:near=1"), rave);
        assert_eq!(table("grave:visits=0"), rave);
        // With one visit needed a node that has none takes its ancestors' statistics, and the search goes elsewhere.
        assert_ne!(table("grave:visits=1"), rave);
        assert_ne!(table("rave-distance:near=2"), rave);
        // Looking at the owners does not disturb, and the two games of criticality that add nothing are the same.
        assert_eq!(table("criticality:weight=0"), rave);
        assert_eq!(table("criticality:ends=1000000"), rave);
        assert_ne!(table("criticality:ends=20"), rave);
        assert_eq!(table("criticality:weight=0,visits=50,near=3"), table("grave:near=3"));
    }
}

#[test]
fn a_model_that_needs_what_a_game_does_not_give_is_refused() {
    let owners = "it reads who owns points, and this game has none";
    refused(
        "models=mc+criticality",
        TicTacToe::default(),
        &format!("`criticality` cannot be used here: {owners}"),
    );
    let places = "it needs distances, and the actions of this game have no places";
    refused("models=mc+lwr", TicTacToe::default(), &format!("`manhattan` cannot be used here: {places}"));
    refused("models=mc+gauss", TicTacToe::default(), &format!("`gauss` cannot be used here: {places}"));
    let table = |model: &str| steered(&format!("models=mc+{model}"), TicTacToe::default(), 1, 1000);
    assert_eq!(table("grave:visits=0"), table("rave"));
}

#[test]
fn every_model_steers_searches_to_finite_numbers() {
    let models = [
        "rave",
        "amaf-first",
        "rave-distance",
        "rave-distance:near=8",
        "grave",
        "grave:visits=1000000,near=3",
        "criticality",
        "criticality:ends=1,every=1,weight=10,visits=20,near=2",
        "rave-weighted",
        "lwr:kernel=manhattan",
        "lwr:kernel=winrate",
        "rave+lwr:kernel=rave-root",
        "lwr:kernel=amaf",
        "gauss",
        "gauss:kernel=diagonal",
        "gauss:own=1",
        "gauss:scale=1e4,noise=1e-3",
        "prior",
    ];
    for model in models {
        let text = format!("models=mc+{model} select.c=0.3 expand.n=2 prior=grandfather");
        let mut views = steered(&text, go(5), 1, 500);
        // What needs no places and no owners looks at any game.
        if !["criticality", "manhattan", "gauss"].iter().any(|name| model.contains(name)) {
            views.extend(steered(&text, Nim::new([5, 4, 3]), 1, 500));
            views.extend(steered(&text, TicTacToe::default(), 1, 500));
        }
        for (visits, value, view) in views {
            assert!(visits <= 1500 && (0.0..=1.0).contains(&value), "{model}: {visits} {value}");
            assert!((0.0..=1.0).contains(&view.mean), "{model}: {view:?}");
            assert!(view.weight.is_finite() && view.weight >= 0.0, "{model}: {view:?}");
        }
    }
}

#[track_caller]
fn refused<G: Kit>(text: &str, game: G, why: &str) {
    let error = Search::new(&parse(text), game, &Settings::default()).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some(why), "{text}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let points = "cannot be used here: it needs win rates; choose reward=win";
    refused("models=mc+criticality reward=score", go(5), &format!("`criticality` {points}"));
    refused("models=mc+lwr:kernel=winrate reward=score", go(5), &format!("`winrate` {points}"));
    refused("models=mc+rave+lwr:kernel=rave-root reward=score", go(5), &format!("`rave-root` {points}"));
    refused(
        "models=mc+lwr:kernel=rave-root",
        go(5),
        "`rave-root` cannot be used here: it reads the model `rave`; add it to models=mc+lwr",
    );
    let why = "it shows the value H(s,a) of a prior; choose a prior that gives one, such as prior=even with prior.visits above 0";
    refused("models=mc+prior", go(5), &format!("`prior` cannot be used here: {why}"));
    let large = GoGame::<Upto19>::new(Size::square(14).unwrap(), 7.5);
    let why = "it keeps a number for every pair of arms and takes at most 170 arms (13×13 points and a pass)";
    refused(
        "models=mc+gauss",
        large,
        &format!("`gauss` cannot be used here: {why}, but this game has up to 197"),
    );
    let fitting = GoGame::<Upto13>::new(Size::square(13).unwrap(), 7.5);
    search("models=mc+gauss", fitting, 1).run(&Limits::simulations(50));
    // Points are no trouble for a distance, nor is a large board.
    search("models=mc+lwr reward=score", go(5), 1).run(&Limits::simulations(50));
    search("models=mc+lwr", GoGame::<Upto19>::new(Size::square(19).unwrap(), 7.5), 1)
        .run(&Limits::simulations(50));
}
