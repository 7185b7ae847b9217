//! Recipes drawn from the product space of all variants, as the declarations allow, play whole games, on small and larger
//! boards and in another game, legally, with finite numbers, and the same again for the same seed.

use crate::common::TicTacToe;
use goban::{Position, Rng, Rules, Size, Upto9};
use mcts::games::connect_four::ConnectFour;
use mcts::games::hex::HexGame;
use mcts::{Action, Game, GoGame, Kit, Limits, Outcome, ROOT, Report, Search, Settings};
use recipe::{Param, ParamKind, Recipe, Shelf, Variant};

/// Values that a parameter may have: its default, its ends, and something between, small where it costs time.
fn value(param: &Param, rng: &mut Rng) -> String {
    match param.kind {
        ParamKind::Float { default, min, max } => match rng.below(4) {
            0 => default.to_string(),
            1 => min.to_string(),
            2 => max.to_string(),
            _ => (min + (max.min(min + 10.0) - min) * f64::from(rng.below(1000)) / 1000.0).to_string(),
        },
        ParamKind::Int { default, min, max } => match rng.below(3) {
            0 => default.to_string(),
            1 => min.to_string(),
            _ => max.min(min + i64::from(rng.below(4))).to_string(),
        },
        ParamKind::Flag { .. } => (rng.below(2) == 0).to_string(),
        ParamKind::Word { words, .. } => words[rng.below(words.len() as u32) as usize].to_string(),
        ParamKind::Choice { .. } | ParamKind::List { .. } => unreachable!("families are drawn elsewhere"),
    }
}

fn any_variant(param: &Param, rng: &mut Rng) -> &'static Variant {
    let variants = param.kind.family().unwrap().variants;
    variants[rng.below(variants.len() as u32) as usize]
}

/// Key=value pairs for every parameter of a variant. Half of the root's families have their default, since with any of each almost
/// every recipe is refused for one reason or another.
fn draw_pairs(prefix: &str, variant: &Variant, rng: &mut Rng, out: &mut Vec<String>) {
    for param in variant.params {
        let key = format!("{prefix}{}", param.key);
        match param.kind {
            ParamKind::Choice { family, default } => {
                let is_default = prefix.is_empty() && rng.below(2) == 0;
                let chosen =
                    family.get(default).filter(|_| is_default).unwrap_or_else(|| any_variant(param, rng));
                out.push(format!("{key}={}", chosen.name));
                draw_pairs(&format!("{key}."), chosen, rng, out);
            }
            ParamKind::List { .. } => out.push(format!("{key}={}", draw_models(param, rng))),
            _ => out.push(format!("{key}={}", value(param, rng))),
        }
    }
}

/// `mc` and up to two others, each with its own parameters.
fn draw_models(param: &Param, rng: &mut Rng) -> String {
    let mut models = vec!["mc".to_string()];
    for _ in 0..rng.below(3) {
        let model = any_variant(param, rng);
        if models.iter().any(|known| known.split(':').next() == Some(model.name)) {
            continue;
        }
        let pairs: Vec<String> = model
            .params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Choice { .. } => format!("{}={}", param.key, any_variant(param, rng).name),
                _ => format!("{}={}", param.key, value(param, rng)),
            })
            .collect();
        let colon = if pairs.is_empty() { "" } else { ":" };
        models.push(format!("{}{colon}{}", model.name, pairs.join(",")));
    }
    models.join("+")
}

/// A recipe that fits the game; those whose pieces refuse each other are passed over.
fn draw_search<G: Kit>(game: &G, rng: &mut Rng) -> (String, impl Fn(u64) -> Search<G> + use<G>) {
    loop {
        let (text, recipe) = draw_recipe(rng);
        assert_eq!(Recipe::parse(&ROOT, &Shelf::default(), &recipe.to_string()).unwrap(), recipe, "{text}");
        let game = game.clone();
        let build = move |seed| {
            Search::new(&recipe, game.clone(), &Settings { seed, memory: 3_000_000, ..Settings::default() })
        };
        match build(1) {
            Ok(_) => return (text, move |seed| build(seed).unwrap()),
            Err(error) => assert!(error.to_string().contains("cannot be used here"), "{text}: {error}"),
        }
    }
}

/// A random recipe and its text.
fn draw_recipe(rng: &mut Rng) -> (String, Recipe) {
    let mut pairs = Vec::new();
    draw_pairs("", &ROOT, rng, &mut pairs);
    let text = pairs.join(" ");
    let recipe = Recipe::parse(&ROOT, &Shelf::default(), &text);
    let recipe = recipe.unwrap_or_else(|error| panic!("{text}: {error}"));
    (text, recipe)
}

/// Builds a recipe for a game; if it is refused, the refusal must name a piece and a reason. What is accepted must know
/// what it claims ([`check_claims`]).
fn build_or_refuse<G: Kit>(text: &str, recipe: &Recipe, game: G) -> bool {
    let facts = Facts {
        is_go: G::NAME == "Go",
        has_owners: game.has_owners(),
        is_scored: game.is_scored(),
        has_places: game.max_distance() > 0,
    };
    match Search::new(recipe, game, &Settings { memory: 1 << 14, ..Settings::default() }) {
        Err(error) => {
            let error = error.to_string();
            let (piece, reason) = error.split_once(" cannot be used here: ").unwrap_or(("", ""));
            assert!(piece.len() > 2 && reason.len() > 10, "{text}: {error}");
            false
        }
        Ok(_) => {
            check_claims(text, &facts);
            true
        }
    }
}

/// The facts of a game on which claims depend.
struct Facts {
    is_go: bool,
    has_owners: bool,
    is_scored: bool,
    has_places: bool,
}

/// The claims of an accepted recipe, read from its words and not from what was built: a prior and a playout policy know the
/// game; a model has the owners and places it reads; a network is asked, and its value counts; P(a) is read; a mixer, an
/// urgency and a kernel have the models they read.
fn check_claims(text: &str, game: &Facts) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    let is_any = |key: &str, values: &[&str]| values.iter().any(|value| has(&format!("{key}={value}")));
    let models = words.iter().find_map(|word| word.strip_prefix("models=")).unwrap();
    let has_model = |name: &str| {
        models.split('+').any(|model| model.split(':').next().is_some_and(|known| known == name))
    };
    let n_models = models.split('+').count();

    let knows_go = is_any("prior", &["gammas", "tactics", "bt", "handcrafted", "knowledge", "shapes"])
        || is_any("prior.p", &["gammas", "tactics"])
        || is_any("leaf.policy", &["mogo", "tengen", "temperature", "shapes"])
        || is_any("leaf.policy", &["shapes-epsilon", "shapes-sigma", "shapes-tau"]);
    assert!(game.is_go || !knows_go, "{text}");
    assert!(game.is_scored || has("reward=win"), "{text}");
    assert!(
        game.has_places || !["manhattan", "tricube"].iter().any(|kernel| models.contains(kernel)),
        "{text}"
    );

    let asks_net = is_any("leaf", &["net", "mix", "short"]) || has("prior=net");
    assert_eq!(asks_net, !has("net=none"), "{text}");
    let tells_leads = has("net=uniform") && is_any("reward", &["score", "win-score"]);
    assert!(
        has("reward=win") || !is_any("leaf", &["net", "mix", "short"]) || tells_leads,
        "{text}: no margin is known"
    );
    assert!(
        !(has("leaf=mix") && has("leaf.lambda=1")) || has("prior=net") || has_model("value"),
        "{text}: the value has no weight"
    );
    assert!(!has_model("value") || has("reward=win"), "{text}: a win rate among points");
    assert!(!has_model("value") || is_any("leaf", &["net", "mix"]), "{text}: no network tells a value");
    let tells_owners = game.has_owners && !is_any("leaf", &["net", "short"]);
    assert!(!has_model("criticality") || tells_owners, "{text}: no owners are known");

    let gives_p = is_any("prior", &["flat-p", "gammas", "tactics", "bt", "net"])
        || is_any("prior.p", &["flat", "gammas", "tactics"]);
    let asks_selector =
        has("search=tree") && is_any("select", &["bt-bias", "chaslot", "huang", "puct", "gumbel"]);
    assert_eq!(gives_p, asks_selector || has("widen=widening"), "{text}: P(a) is read if there is one");
    assert!(!has("fpu=reduction") || has("select=puct"), "{text}: untried arms have a bound");

    assert!(
        !has("select=gumbel") || has("fpu=inf") && has("tree=fresh"),
        "{text}: an urgency that nobody asks, or visits of an earlier search"
    );
    assert!(
        !has("pick=gumbel") || has("select=gumbel") && has("search=tree"),
        "{text}: the scores rank nothing"
    );

    let mixes = is_any("mixer", &["rave-only", "hand", "min-mse", "linear", "bma", "bma-gauss", "bma-n"]);
    let asks_second = mixes || is_any("select", &["chaslot", "huang"]) || has("fpu=amaf");
    assert!(n_models > 1 || !asks_second, "{text}: there is no second model");
    assert!(
        !models.contains("rave-root") || has_model("rave"),
        "{text}: the kernel reads a model that is not there"
    );
    assert!(!has_model("prior") || !has("prior=none"), "{text}: the model reads a prior that is not there");
}

/// Builds random recipes for four games; returns how many were accepted.
fn build_any(n: usize, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let mut n_accepted = 0;
    for _ in 0..n {
        let (text, recipe) = draw_recipe(&mut rng);
        let is_accepted = match rng.below(4) {
            0 => build_or_refuse(&text, &recipe, TicTacToe::default()),
            1 => build_or_refuse(&text, &recipe, HexGame::new(3, true).unwrap()),
            2 => build_or_refuse(&text, &recipe, ConnectFour::new()),
            _ => build_or_refuse(&text, &recipe, GoGame::<Upto9>::new(Size::square(5).unwrap(), 6.5)),
        };
        n_accepted += usize::from(is_accepted);
    }
    n_accepted
}

#[test]
fn random_recipes_are_built_or_refused_with_a_reason() {
    let n_accepted = build_any(5000, 11);
    assert!((100..4900).contains(&n_accepted), "{n_accepted} of 5000");
}

#[test]
#[ignore = "a million recipes take minutes; run by hand"]
fn a_million_recipes_are_built_or_refused_with_a_reason() {
    let n_accepted: usize = std::thread::scope(|scope| {
        let parts: Vec<_> = (12..16).map(|seed| scope.spawn(move || build_any(250_000, seed))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    println!("{n_accepted} of 1000000 accepted");
}

/// In every accepted recipe with a network, another network makes another search.
#[test]
fn no_accepted_network_is_idle() {
    let mut rng = Rng::new(13);
    let game = GoGame::<Upto9>::new(Size::square(5).unwrap(), 6.5);
    let mut n_compared = 0;
    while n_compared < 40 {
        let (text, _) = draw_recipe(&mut rng);
        if text.contains(" net=none ") {
            continue;
        }
        let search = |net: &str| {
            let with = |word: &str| if word.starts_with("net=") { format!("net={net}") } else { word.into() };
            let text: Vec<String> =
                text.split(' ').filter(|word| !word.starts_with("net.")).map(with).collect();
            let recipe = Recipe::parse(&ROOT, &Shelf::default(), &text.join(" ")).unwrap();
            let settings = Settings { memory: 1 << 20, ..Settings::default() };
            Search::new(&recipe, game.clone(), &settings)
                .map(|mut search| search.run(&Limits::simulations(20)))
        };
        let (Ok(fake), Ok(uniform)) = (search("fake"), search("uniform")) else { continue };
        assert_ne!(fake.timeless(), uniform.timeless(), "{text}");
        n_compared += 1;
    }
}

fn check_finite(report: &Report, text: &str) {
    let numbers = [report.value, report.win, report.score];
    assert!(numbers.iter().all(|x| x.is_finite()) && (0.0..=1.0).contains(&report.win), "{text}: {report:?}");
    for arm in &report.arms {
        assert!(arm.value.is_finite() && !arm.score.is_nan(), "{text}: {arm:?}");
        assert!((0.0..=1.0).contains(&arm.win), "{text}: {arm:?}");
        for model in &arm.models {
            let numbers = [model.mean, model.weight, model.beta];
            assert!(numbers.iter().all(|x| x.is_finite()) && model.weight >= 0.0, "{text}: {arm:?}");
            assert!((-1e-5..=1.0 + 1e-5).contains(&model.beta), "{text}: {arm:?}");
        }
    }
}

/// Plays a game to its end, both sides with one search; returns its moves.
fn play<G: Game>(
    mut search: Search<G>,
    simulations: u64,
    text: &str,
    mut played: impl FnMut(Action),
) -> Vec<Action> {
    let mut moves = Vec::new();
    let mut outcome = Outcome::default();
    while !search.position().ended(&mut outcome) && moves.len() < 3 * search.position().max_arms() {
        let report = search.run(&Limits::simulations(simulations));
        check_finite(&report, text);
        assert!(report.simulations >= 1, "{text}");
        let Some(action) = search.pick(&report) else { panic!("{text}: nothing is picked") };
        played(action);
        moves.push(action);
        search.advance(action);
    }
    moves
}

fn go_games(side: usize, n_recipes: usize, simulations: u64, seed: u64) {
    let mut rng = Rng::new(seed);
    let game = GoGame::<Upto9>::new(Size::square(side).unwrap(), 6.5);
    for _ in 0..n_recipes {
        let (text, build) = draw_search(&game, &mut rng);
        let rules: Rules = "chinese".parse().unwrap();
        let mut position = Position::new(Size::square(side).unwrap(), rules);
        let moves = play(build(3), simulations, &text, |action| {
            let vertex = GoGame::<Upto9>::vertex(action);
            position.play(position.to_play(), vertex).unwrap_or_else(|error| panic!("{text}: {error}"));
        });
        assert_eq!(play(build(3), simulations, &text, |_| {}), moves, "the same seed, another game: {text}");
    }
}

#[test]
fn any_recipe_plays_on_a_small_board() {
    go_games(5, 60, 30, 1);
}

#[test]
fn any_recipe_plays_on_a_larger_board() {
    go_games(9, 16, 100, 2);
}

#[test]
fn any_recipe_plays_another_game() {
    let mut rng = Rng::new(3);
    let mut n_played = 0;
    while n_played < 60 {
        let (text, build) = draw_search(&TicTacToe::default(), &mut rng);
        n_played += 1;
        let moves = play(build(5), 60, &text, |_| {});
        assert!((5..=9).contains(&moves.len()), "{text}");
        assert_eq!(play(build(5), 60, &text, |_| {}), moves, "{text}");
    }
}
