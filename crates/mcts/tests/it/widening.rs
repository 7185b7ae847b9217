//! Whole searches with priors, wideners and expanders: what they change can be counted in the report.

use crate::common::{Nim, TicTacToe, parse, search};
use goban::{Size, Upto9};
use mcts::{Action, Game, GoGame, Kit, Limits, Report, Search, Settings};

type Small = GoGame<Upto9>;

fn go() -> Small {
    Small::new(Size::square(5).unwrap(), 7.5)
}

/// A search, apart from the time it took.
fn run<G: Kit>(recipe: &str, game: G, simulations: u64) -> Report {
    let report = search(recipe, game, 1).run(&Limits::simulations(simulations));
    assert_eq!(report.visits, simulations, "{recipe}");
    assert!(report.arms.iter().all(|arm| arm.value.is_finite()), "{recipe}");
    Report { seconds: 0.0, ..report }
}

fn refusal(recipe: &str) -> String {
    Search::new(&parse(recipe), TicTacToe::default(), &Settings::default()).err().unwrap().to_string()
}

/// The move a recipe picks.
fn pick<G: Kit>(recipe: &str, game: G, simulations: u64) -> Action {
    let mut search = search(recipe, game, 1);
    let report = search.run(&Limits::simulations(simulations));
    search.pick(&report).unwrap()
}

#[test]
fn pseudo_visits_count_for_the_models_only() {
    let report = run("models=mc+rave prior=even:visits=12.5,amaf-visits=3", go(), 500);
    for arm in &report.arms {
        assert_eq!(arm.models[0].weight, arm.visits as f32 + 12.5);
        assert!(arm.models[1].weight >= 3.0);
    }
    // With much experience and no simulations, every arm is the even game; in points that is nothing.
    let report = run("prior=even:visits=10000", TicTacToe::default(), 1);
    assert!(report.arms.iter().all(|arm| (arm.value - 0.5).abs() < 1e-4), "{report:?}");
    let report = run("reward=score prior=even:visits=10000", TicTacToe::default(), 1);
    assert!(report.arms.iter().all(|arm| arm.value.abs() < 1e-3), "{report:?}");
    // Pseudo-visits make no leaf ripe: the tree is as large as without.
    let nodes = |recipe: &str| run(recipe, TicTacToe::default(), 20).nodes;
    assert_eq!(nodes("expand.n=1000"), 1);
    assert_eq!(nodes("expand.n=1000 prior=even:visits=10000"), 1);
}

#[test]
fn no_experience_is_no_prior() {
    let without = run("models=mc+rave", go(), 300);
    for prior in ["even:visits=0", "grandfather:visits=0,amaf-visits=0"] {
        let with = run(&format!("models=mc+rave prior={prior}"), go(), 300);
        assert_eq!(with.arms, without.arms, "{prior}");
    }
}

#[test]
fn every_prior_finds_the_winning_move() {
    for prior in ["none", "flat-p:visits=3", "even", "grandfather", "grandfather:p=flat,amaf-visits=2"] {
        for models in ["mc", "mc+rave"] {
            // A probability is refused where nobody reads it.
            let select = if prior.contains("flat") { "bt-bias" } else { "uct" };
            let recipe = format!("models={models} prior={prior} select={select} select.c=0.5");
            assert_eq!(pick(&recipe, TicTacToe::drawn("XX. OO. ..."), 3000), Action(2), "{recipe}");
            let game = Nim::new([3, 4, 5]);
            let mut next = game.clone();
            next.play(pick(&recipe, game, 20_000));
            assert!(next.is_lost_for_mover(), "{recipe}: {next:?}");
        }
    }
}

#[test]
fn a_prior_that_does_not_know_the_game_is_refused() {
    let expected = "cannot be used here: it does not know Tic-Tac-Toe; choose one of prior=none, flat-p, even, grandfather, net";
    for prior in ["gammas", "tactics", "handcrafted", "knowledge"] {
        assert_eq!(refusal(&format!("prior={prior}")), format!("`{prior}` {expected}"));
    }
    let expected =
        "`tactics` cannot be used here: it does not know Tic-Tac-Toe; choose prior.p=flat or prior.p=none";
    assert_eq!(refusal("prior=even:p=tactics"), expected);
}

#[test]
fn a_grandfather_needs_his_model() {
    let error = refusal("models=rave mixer=mc-only prior=grandfather");
    assert!(error.contains("the model `mc`"), "{error}");
}

#[test]
fn widening_opens_arms_one_by_one() {
    // After N visits the arms of highest P(a) among 1 + ln N / ln 1.8 were open at the last selection, and `fpu=inf`
    // tries every open arm at once: 10 visits opened 4 arms (at 1, 2, 4, 6 visits), the 11th simulation opens a fifth.
    let tried = |recipe: &str, simulations| {
        run(recipe, go(), simulations).arms.iter().filter(|arm| arm.visits > 0).count()
    };
    assert_eq!(
        [1, 2, 3, 4, 5, 7, 11, 12].map(|n| tried("prior=flat-p widen=widening", n)),
        [1, 1, 2, 2, 3, 4, 4, 5]
    );
    assert_eq!(tried("prior=flat-p widen=widening:mu=1000", 1000), 1);
    // 1 + ln 1999 / ln 1.8 = 13.9: of the gammas, centre and second line come before the edge and the pass.
    let report = run("prior=gammas widen=widening", go(), 2000);
    let is_tried = |idx: usize| report.arms[idx].visits > 0;
    assert_eq!((0..26).filter(|&idx| is_tried(idx)).count(), 13);
    assert!([6, 7, 8, 11, 12, 13, 16, 17, 18].into_iter().all(is_tried) && !is_tried(25));
    // With the smallest μ the first two visits go to one arm, and then all are open.
    assert_eq!([1, 2, 3, 4, 28].map(|n| tried("prior=flat-p widen=widening:mu=1.0001", n)), [1, 1, 2, 3, 26]);
    assert!(refusal("widen=widening").contains("P(a)"));
}

#[test]
fn limited_visits_spread_over_the_arms() {
    let most = |recipe: &str| run(recipe, go(), 1000).arms.iter().map(|arm| arm.visits).max().unwrap();
    assert!(most("select.c=0") > 60);
    assert_eq!(most("select.c=0 widen=limited-visits:k=59"), 60);
    // 26 arms of 11 visits are 286: the limit is lifted and the best arm gets the rest.
    assert!(most("select.c=0 widen=limited-visits:k=10") > 100);
    let nim = Nim::new([3, 4, 5]);
    let mut next = nim.clone();
    next.play(pick("widen=limited-visits:k=1000", nim, 30_000));
    assert!(next.is_lost_for_mover());
}

#[test]
fn pruning_leaves_arms_alone() {
    // X wins at once with the third point. With much exploration every arm gets its share, unless it is cut.
    let visits = |widen: &str| {
        let recipe = format!("select.c=3 widen={widen}");
        let report = run(&recipe, TicTacToe::drawn("XX. OO. ..."), 4000);
        assert_eq!(pick(&recipe, TicTacToe::drawn("XX. OO. ..."), 4000), Action(2), "{widen}");
        let others = report.arms.iter().filter(|arm| arm.action != Action(2));
        (others.clone().map(|arm| arm.visits).min().unwrap(), others.map(|arm| arm.visits).max().unwrap())
    };
    assert!(visits("all").1 > 200);
    let hard = visits("pruning-hard:min-visits=50");
    assert!(hard.0 >= 50 && hard.1 < 100, "each is cut soon after its 50th visit: {hard:?}");
    assert_eq!(visits("pruning-soft:min-visits=50"), hard, "nothing that would bring one back");
    // No arm reaches the minimum: nothing happens at all.
    let report = |widen: &str| run(&format!("widen={widen}"), go(), 500);
    for widen in ["pruning-hard:min-visits=1000", "pruning-soft:min-visits=1000,period=1"] {
        assert_eq!(report(widen), Report { bytes: report(widen).bytes, ..report("all") });
    }
}

#[test]
fn pruning_on_go_in_points_and_in_wins() {
    for (reward, sigma_e) in [("win", 0.05), ("score", 5.0)] {
        for kind in ["hard:", "soft:period=50,"] {
            let recipe =
                format!("reward={reward} select.c=1 widen=pruning-{kind}min-visits=20,sigma-e={sigma_e}");
            let report = run(&recipe, go(), 3000);
            assert!(report.nodes > 100, "{recipe}");
        }
    }
    // Without a second examination soft is hard, and hard is not all.
    let report = |widen: &str| run(&format!("widen={widen}"), go(), 5000);
    let hard = report("pruning-hard:min-visits=20");
    assert_eq!(report("pruning-soft:min-visits=20,period=1000000000"), hard);
    assert_ne!(report("all").arms, hard.arms);
}

#[test]
fn pruning_may_end_the_search() {
    // The other points are cut soon after their 50th visit, and then X has no choice but to win.
    let simulations = |stop: &str| {
        let recipe = format!("select.c=3 widen=pruning-hard:min-visits=50,stop={stop}");
        search(&recipe, TicTacToe::drawn("XX. OO. ..."), 1).run(&Limits::simulations(20_000)).simulations
    };
    assert_eq!(simulations("false"), 20_000);
    assert!((200..2000).contains(&simulations("true")), "{}", simulations("true"));
}

#[test]
fn all_ends_is_the_first_visit() {
    let report = |expand: &str| run(&format!("models=mc+rave expand={expand}"), go(), 400);
    assert_eq!(report("all-ends"), report("visits:n=1"));
    assert_eq!(report("all-ends").nodes, 401);
}

#[test]
fn transition_grows_the_promising() {
    let nodes = |expand: &str| run(&format!("select.c=1 expand={expand}"), go(), 2000).nodes;
    let (visits, transition) = (nodes("visits:n=6"), nodes("transition:n=6,max=1000000"));
    assert!(transition > 1 && transition < nodes("all-ends"), "{transition} nodes, {visits} by visits");
    assert_eq!(nodes("transition:n=0"), nodes("all-ends"), "every expectation is enough");
    assert_eq!(nodes("transition:n=1e9,max=6"), visits, "no expectation is enough");
    assert_eq!(nodes("transition:n=1e9,max=1000000"), 1);
    for (heaps, expand) in
        [([3, 4, 5], "transition"), ([1, 2, 2], "transition:n=20"), ([6, 1, 2], "all-ends")]
    {
        let mut next = Nim::new(heaps);
        next.play(pick(&format!("select.c=0.7 expand={expand}"), Nim::new(heaps), 30_000));
        assert!(next.is_lost_for_mover(), "{heaps:?} {expand}");
    }
}
