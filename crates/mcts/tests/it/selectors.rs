//! Every selector, first-play urgency and pick in whole searches of games whose answers are known.

use crate::common::{Nim, TicTacToe, parse, search, with_p};
use mcts::{Action, Game, Limits, Reward, Search, Settings};

/// A line for every selector and urgency, with two models and, if the selector reads it, P(a).
fn lines() -> Vec<String> {
    let urgencies = mcts::fpu::FAMILY.variants.iter().map(|variant| variant.name);
    let pairs = urgencies.flat_map(|fpu| {
        mcts::select::FAMILY.variants.iter().map(move |variant| format!("select={} fpu={fpu}", variant.name))
    });
    // One urgency is refused with selectors that do not bound untried arms, and one selector with all but the default.
    let fits = |pair: &String| match pair.split_once(" fpu=") {
        Some(("select=gumbel", fpu)) => fpu == "inf",
        Some((select, "reduction")) => select == "select=puct",
        _ => true,
    };
    pairs.filter(fits).map(|pair| with_p(&format!("models=mc+rave tree=fresh {pair}"))).collect()
}

#[test]
fn all_find_the_win_at_once() {
    for line in lines() {
        // X wins at 2; O to move must block there. A second model that mixes the sides up would not see it.
        for drawn in ["XX. OO. ...", "XX. .O. ..."] {
            let mut search = search(&line, TicTacToe::drawn(drawn), 3);
            let report = search.run(&Limits::simulations(2000));
            assert_eq!(search.pick(&report), Some(Action(2)), "{line}: {drawn}");
            assert!(report.arms.iter().all(|arm| arm.score.is_finite() && arm.value.is_finite()), "{line}");
        }
    }
}

#[test]
fn scores_stay_finite_in_points() {
    for line in lines().iter().filter(|line| !line.contains("select=gumbel")) {
        let mut search = search(&format!("{line} reward={}", Reward::Score.word()), TicTacToe::default(), 3);
        for n_simulations in [0, 1, 300] {
            let report = search.run(&Limits::simulations(n_simulations));
            assert!(report.arms.iter().all(|arm| arm.score.is_finite()), "{line}: {report:?}");
        }
    }
}

#[test]
fn infinite_urgency_tries_every_arm_first_and_a_constant_need_not() {
    for selector in mcts::select::FAMILY.variants.iter().filter(|variant| variant.name != "gumbel") {
        let visits = |fpu: &str| {
            let line = with_p(&format!("models=mc+rave select={} {fpu}", selector.name));
            let mut search = search(&line, TicTacToe::default(), 3);
            search.run(&Limits::simulations(9)).arms.iter().map(|arm| arm.visits).collect::<Vec<_>>()
        };
        assert_eq!(visits("fpu=inf"), [1; 9], "{}", selector.name);
        // An urgency below every value: the first arm that is tried is tried again.
        let greedy = visits("fpu=value fpu.v=-1000");
        assert_eq!(greedy.iter().filter(|&&n| n == 9).count(), 1, "{}: {greedy:?}", selector.name);
    }
}

#[test]
fn the_first_arm_is_drawn_at_random_under_a_constant_urgency() {
    let first = |seed| {
        let mut search = search("fpu=value", TicTacToe::default(), seed);
        let report = search.run(&Limits::simulations(1));
        report.arms.iter().position(|arm| arm.visits == 1)
    };
    let firsts: Vec<_> = (0..30).map(first).collect();
    assert!((0..9).filter(|idx| firsts.contains(&Some(*idx))).count() >= 6, "{firsts:?}");
}

#[test]
fn a_selector_that_needs_p_or_a_second_model_says_so() {
    let error = |line: &str| {
        let search = Search::new(&parse(line), TicTacToe::default(), &Settings::default());
        search.err().map(|error| error.to_string()).unwrap_or_default()
    };
    for name in ["bt-bias", "chaslot", "huang", "puct"] {
        let message = error(&format!("models=mc+rave select={name}"));
        assert!(message.starts_with(&format!("`{name}`")) && message.contains("P(a)"), "{message}");
    }
    for name in ["chaslot", "huang"] {
        assert!(error(&format!("models=mc prior=flat-p select={name}")).contains("models=mc+rave"), "{name}");
    }
    assert!(error("models=mc fpu=amaf").contains("models=mc+rave"));
    assert_eq!(error("models=mc+rave prior=flat-p select=chaslot"), "");
}

#[test]
fn every_pick_plays_a_legal_move_and_the_same_one_from_the_same_seed() {
    for variant in mcts::pick::FAMILY.variants {
        let play = |simulations| {
            let needs = if variant.name == "gumbel" { "select=gumbel tree=fresh prior=flat-p " } else { "" };
            let mut search = search(&format!("{needs}pick={}", variant.name), Nim::new([3, 1, 2]), 11);
            let report = search.run(&Limits::simulations(simulations));
            (search.pick(&report), search.pick(&report))
        };
        for simulations in [0, 1, 50, 1000] {
            let picked = play(simulations);
            assert_eq!(picked, play(simulations), "{}", variant.name);
            let mut legal = Vec::new();
            Nim::new([3, 1, 2]).actions(&mut legal);
            assert!(picked.0.is_some_and(|action| legal.contains(&action)), "{}", variant.name);
        }
    }
}

#[test]
fn noise_is_drawn_once_for_a_root_and_is_the_seeds() {
    let p = |report: &mcts::Report| report.arms.iter().map(|arm| arm.p.unwrap()).collect::<Vec<f32>>();
    let line = |noise: f32| format!("select=puct prior=flat-p fpu=value select.noise={noise}");
    let run = |noise, seed| {
        let mut search = search(&line(noise), TicTacToe::default(), seed);
        let report = search.run(&Limits::simulations(50));
        assert_eq!(p(&search.run(&Limits::simulations(50))), p(&report), "a second run draws nothing");
        // The next root has noise of its own, and what stands below it has none.
        search.advance(report.arms[0].action);
        let before = p(&search.report());
        let next = p(&search.run(&Limits::simulations(50)));
        (p(&report), before, next)
    };
    let (root, before, next) = run(0.25, 3);
    assert_eq!(run(0.25, 3), (root.clone(), before.clone(), next.clone()));
    assert_ne!(run(0.25, 4).0, root);
    assert_eq!(before, [0.125; 8]);
    for p in [&root, &next] {
        let flat = 1.0 / p.len() as f32;
        // At least three quarters of what it was, and not flat.
        assert!(
            p.iter().all(|p| *p >= 0.75 * flat - 1e-6) && p.iter().any(|p| (p - flat).abs() > 0.01),
            "{p:?}"
        );
        assert!((p.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{p:?}");
    }
    assert_eq!(run(0.0, 3), (vec![1.0 / 9.0; 9], vec![0.125; 8], vec![0.125; 8]));
}

#[test]
fn noise_outlives_priors_that_are_refined() {
    let game = mcts::GoGame::<goban::Upto9>::new(goban::Size::square(5).unwrap(), 0.5);
    let p = |noise: f32| {
        let line = format!("select=puct prior=knowledge prior.p=flat prior.late=5 select.noise={noise}");
        let report = search(&line, game.clone(), 3).run(&Limits::simulations(100));
        report.arms.iter().map(|arm| arm.p.unwrap()).collect::<Vec<f32>>()
    };
    assert!(p(0.0).iter().all(|p| (p - 1.0 / 26.0).abs() < 1e-6));
    assert!(p(1.0).iter().any(|p| (p - 1.0 / 26.0).abs() > 0.01));
}

/// The selector of Danihelka et al. 2022 with a budget, over a flat P(a).
fn gumbel(visits: u32, candidates: u32) -> String {
    format!(
        "select=gumbel select.visits={visits} select.candidates={candidates} tree=fresh prior=flat-p pick=gumbel"
    )
}

#[test]
fn the_root_is_halved_and_the_winner_played() {
    let run = |seed| {
        let mut search = search(&gumbel(16, 4), TicTacToe::default(), seed);
        let report = search.run(&Limits::simulations(16));
        (search.pick(&report), report.timeless())
    };
    for seed in 0..10 {
        let (picked, report) = run(seed);
        assert_eq!(run(seed), (picked, report.clone()), "the same seed, the same search");
        // 16/(2·4) = 2 visits for each of four arms, 16/(2·2) = 4 more for two of them.
        let mut visits: Vec<u32> = report.arms.iter().map(|arm| arm.visits).collect();
        visits.sort_unstable();
        assert_eq!(visits, [0, 0, 0, 0, 0, 2, 2, 6, 6]);
        let finalists = || report.arms.iter().filter(|arm| arm.visits == 6);
        let best = finalists().map(|arm| arm.score).fold(f32::NEG_INFINITY, f32::max);
        assert!(finalists().any(|arm| arm.score == best && Some(arm.action) == picked), "{report:?}");
    }
    let firsts: Vec<Vec<u32>> =
        (0..10).map(|seed| run(seed).1.arms.iter().map(|arm| arm.visits).collect()).collect();
    assert!(firsts.iter().any(|visits| *visits != firsts[0]), "candidates are drawn");
}

#[test]
fn few_simulations_find_a_win_among_all_candidates() {
    // All five arms are candidates. The one that wins at once goes on unless two others have won both of their first playouts.
    let finds_it = |seed: &u64| {
        let mut search = search(&gumbel(32, 16), TicTacToe::drawn("XX. OO. ..."), *seed);
        let report = search.run(&Limits::simulations(32));
        search.pick(&report) == Some(Action(2))
    };
    let n_found = (0..40).filter(finds_it).count();
    assert!(n_found >= 32, "{n_found} of 40");
}

#[test]
fn pieces_that_do_not_go_with_gumbel_are_refused() {
    let error = |line: &str| {
        let search = Search::new(&parse(line), TicTacToe::default(), &Settings::default());
        search.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(
        error("select=gumbel prior=flat-p"),
        "`gumbel` cannot be used here: it counts the root's visits from the first; choose tree=fresh"
    );
    let message = error("select=gumbel prior=flat-p tree=fresh fpu=value");
    assert!(
        message.starts_with("`fpu=value`") && message.contains("values untried arms itself"),
        "{message}"
    );
    let message = error("pick=gumbel");
    assert!(message.starts_with("`pick=gumbel`") && message.contains("choose that selector"), "{message}");
    assert!(
        error("select=gumbel prior=flat-p tree=fresh search=flat pick=gumbel")
            .contains("cannot be used here")
    );
    assert!(
        error("select=gumbel prior=flat-p tree=fresh models=rave mixer=rave-only")
            .contains("cannot be used here")
    );
    assert_eq!(error(&gumbel(64, 16)), "");
}

#[test]
fn a_bound_is_taken_off_values_that_differ() {
    // Every arm's rewards are seen with their variance, p·(1 − p) of wins and losses, and only if the pick asks.
    let run = |pick: &str| search(pick, Nim::new([3, 4, 5]), 3).run(&Limits::simulations(2000));
    for arm in &run("pick=lcb").arms {
        let variance = arm.variance.unwrap();
        assert!((variance - arm.value * (1.0 - arm.value)).abs() < 1e-3, "{arm:?}");
    }
    assert!(run("pick=most-visits").arms.iter().all(|arm| arm.variance.is_none()));
}
