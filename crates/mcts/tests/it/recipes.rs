//! The named recipes are read, built and searched, and every variant is listed.

use crate::common::{Nim, TicTacToe, with_p};
use goban::{Size, Upto9};
use mcts::{GoGame, Limits, LoadedNet, ROOT, Search, Settings};
use recipe::{Choice, Listing, Recipe, Shelf};
use std::sync::Arc;

const SHELF: Shelf<'static> = Shelf::new(&[
    ("light", include_str!("../../../../recipes/light.recipe")),
    ("uct", include_str!("../../../../recipes/uct.recipe")),
]);

#[test]
fn named_recipes_are_whole() {
    for (name, text) in SHELF.recipes {
        let recipe = Recipe::parse(&ROOT, &SHELF, name).unwrap();
        assert_eq!(Recipe::parse(&ROOT, &SHELF, &recipe.to_string()).unwrap(), recipe);
        assert!(text.starts_with("# "), "{name} says what it is");
        let mut search = Search::new(&recipe, Nim::new([3, 2, 1]), &Settings::default()).unwrap();
        assert_eq!(search.run(&Limits::simulations(100)).visits, 100);
    }
}

#[test]
fn the_listing_names_every_family() {
    let listing = Listing::new(&ROOT);
    let names: Vec<&str> = listing.families.iter().map(|family| family.name).collect();
    let expected = [
        "method",
        "estimator",
        "kernel",
        "reward",
        "mixer",
        "fpu",
        "selector",
        "widener",
        "expander",
        "prior",
        "leaf",
        "policy",
        "net",
        "pick",
    ];
    assert_eq!(names, expected);
    assert!(listing.families.iter().all(|family| !family.doc.trim().is_empty()));
}

#[test]
fn every_variant_alone_searches_a_small_game() {
    for param in ROOT.params {
        for variant in param.kind.family().map_or(&[][..], |family| family.variants) {
            // Mixers of two models find both, selectors their P(a), models their H; a model is added to the one that is
            // always there.
            let text = match param.key {
                "models" if variant.name == "mc" => "models=mc".to_string(),
                "models" if variant.name == "value" => "models=mc+value leaf=net net=linear".to_string(),
                "models" => format!("models=mc+{} prior=even", variant.name),
                "prior" if variant.name == "net" => "prior=net net=linear select=puct".to_string(),
                "prior" if ["flat-p", "gammas", "tactics", "bt"].contains(&variant.name) => {
                    format!("models=mc+rave select=puct prior={}", variant.name)
                }
                "prior" => format!("models=mc+rave prior={}", variant.name),
                "leaf" if ["net", "mix", "short"].contains(&variant.name) => {
                    format!("leaf={} net=linear", variant.name)
                }
                "fpu" if variant.name == "reduction" => "fpu=reduction select=puct prior=flat-p".to_string(),
                "select" if variant.name == "gumbel" => "select=gumbel tree=fresh prior=flat-p".to_string(),
                "pick" if variant.name == "gumbel" => {
                    "pick=gumbel select=gumbel tree=fresh prior=flat-p".to_string()
                }
                "net" if variant.name != "none" => format!("leaf=net net={}", variant.name),
                key => with_p(&format!("models=mc+rave {key}={}", variant.name)),
            };
            let recipe = Recipe::parse(&ROOT, &SHELF, &text).unwrap();
            let game = GoGame::<Upto9>::new(Size::square(3).unwrap(), 0.5);
            // A network that was loaded: here one that knows nothing.
            let stand_in = model::net::build(&Choice::new(&model::net::fake::VARIANT)).unwrap();
            let settings = Settings { net: Some(LoadedNet(Arc::from(stand_in))), ..Settings::default() };
            let mut search = Search::new(&recipe, game, &settings).unwrap();
            let report = search.run(&Limits::simulations(200));
            assert!(report.value.is_finite() && search.pick(&report).is_some(), "{text}");
            // In another game it plays as well, or says that it cannot.
            match Search::new(&recipe, TicTacToe::default(), &settings) {
                Ok(mut search) => assert_eq!(search.run(&Limits::simulations(200)).visits, 200, "{text}"),
                Err(error) => assert!(error.to_string().contains("cannot be used here"), "{text}: {error}"),
            }
        }
    }
}

#[test]
fn a_policy_the_game_does_not_know_is_refused_by_name() {
    use mcts::Kit;
    let stranger = recipe::Choice::new(&mcts::select::uct::VARIANT);
    let error = TicTacToe::default().rollout(&stranger, mcts::Reward::Win).err().unwrap().to_string();
    assert_eq!(error, "`uct` cannot be used here: this game knows only the policy `uniform`");
}
