//! Networks in a search: what they tell is mixed, reported and rewarded, and what they do not tell is refused.

use crate::common::{Nim, TicTacToe, check_counts, parse, search};
use goban::{Size, Upto9};
use mcts::{Game, GoGame, Limits, LoadedNet, Search, Settings};
use model::net::{Net, NetAnswer, NetQuery};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

#[test]
fn value_and_playout_are_mixed() {
    // One heap of one: whoever moves takes it and wins, so a playout from the root's only child says 1 for the first player.
    let value = |text: &str| {
        let game = GoGame::<goban::Upto9>::new(goban::Size::square(2).unwrap(), 0.5);
        search(&format!("{text} expand.n=1000"), game, 1).run(&Limits::simulations(400)).value
    };
    let (net, playout) = (value("leaf=net net=uniform"), value("leaf=rollout"));
    assert!((net - 0.5).abs() < 1e-6 && (playout - 0.5).abs() > 0.02, "{net} {playout}");
    let mixed = value("leaf=mix leaf.lambda=0.25 net=uniform");
    assert!((mixed - (0.75 * net + 0.25 * playout)).abs() < 0.05, "{mixed}");
}

#[test]
fn networks_that_are_missing_or_idle_are_refused() {
    let refusal = |text: &str| {
        Search::new(&parse(text), Nim::new([1, 1, 1]), &Settings::default()).err().unwrap().to_string()
    };
    let missing = "it asks a network; name one, such as net=linear";
    assert_eq!(refusal("leaf=net"), format!("`net` cannot be used here: {missing}"));
    assert_eq!(refusal("leaf=mix"), format!("`mix` cannot be used here: {missing}"));
    assert_eq!(refusal("leaf=short"), format!("`short` cannot be used here: {missing}"));
    assert_eq!(refusal("prior=net"), format!("`prior=net` cannot be used here: {missing}"));
    let why = "nobody asks it; choose a leaf or a prior that does, such as leaf=net or prior=net";
    assert_eq!(refusal("net=linear"), format!("`linear` cannot be used here: {why}"));
    let why = "with lambda=1 the network's value has no weight; choose a smaller one, or leaf=rollout";
    assert_eq!(refusal("leaf=mix leaf.lambda=1 net=linear"), format!("`mix` cannot be used here: {why}"));
    let both = "leaf=mix leaf.lambda=1 net=linear prior=net select=puct";
    assert!(Search::new(&parse(both), Nim::new([1, 1, 1]), &Settings::default()).is_ok());
}

#[test]
fn what_a_network_does_not_tell_is_not_rewarded_or_learnt_from() {
    let refusal = |text: &str| {
        let game = GoGame::<goban::Upto9>::new(goban::Size::square(5).unwrap(), 0.5);
        let search = Search::new(&parse(text), game, &Settings::default());
        search.err().map(|error| error.to_string()).unwrap_or_default()
    };
    for leaf in ["net", "mix", "short"] {
        for reward in ["score", "linear-komi", "value-komi", "win-score"] {
            let error = refusal(&format!("leaf={leaf} net=linear reward={reward}"));
            assert!(error.contains("a network's value has no margin"), "{leaf} {reward}: {error}");
        }
        // One that tells leads has margins, yet no ends of games.
        for reward in ["score", "win-score"] {
            assert_eq!(refusal(&format!("leaf={leaf} net=uniform reward={reward}")), "");
        }
        let error = refusal(&format!("leaf={leaf} net=uniform reward=value-komi"));
        assert!(error.contains("a network's value has no margin"), "{error}");
        let error = refusal(&format!("leaf={leaf} net=uniform reward=win-score models=mc+value"));
        assert_eq!(
            error,
            "`value` cannot be used here: it is a win rate, and this reward counts points; choose reward=win"
        );
    }
    let error = refusal("leaf=net net=linear models=mc+criticality");
    let why = "it learns from the owners of points, which leaf=net does not tell";
    assert_eq!(error, format!("`criticality` cannot be used here: {why}"));
    assert_eq!(refusal("leaf=mix net=linear models=mc+criticality"), "");
    let error = refusal("leaf=short net=linear models=mc+criticality");
    assert!(error.contains("which leaf=short does not tell"), "{error}");
    let error = refusal("leaf=short net=linear leaf.policy=temperature");
    assert!(error.contains("its policy learns from playouts that are played to their end"), "{error}");
    assert_eq!(refusal("leaf=rollout net=linear prior=net select=puct reward=score"), "");
}

#[test]
fn playouts_and_a_value_are_two_models() {
    let game = GoGame::<goban::Upto9>::new(goban::Size::square(5).unwrap(), 0.5);
    let run = |text: &str| search(text, game.clone(), 1).run(&Limits::simulations(300));
    let plain = run("expand.n=2");
    // λ = 1: the mean is that of the playouts alone, and the value is kept apart.
    let both = run("models=mc+value mixer=mc-only leaf=mix leaf.lambda=1 net=fake expand.n=2");
    let fake = model::net::build(&recipe::Choice::new(&model::net::fake::VARIANT)).unwrap();
    for (arm, alone) in both.arms.iter().zip(&plain.arms) {
        assert_eq!((arm.visits, arm.models[0]), (alone.visits, alone.models[0]));
        let mut child = game.clone();
        child.play(arm.action);
        let query =
            model::net::NetQuery { key: child.key(), n_actions: game.n_actions(), planes: None, board: None };
        let mut answer = model::net::NetAnswer::default();
        fake.evaluate_one(&query, &mut answer);
        // The network speaks for White, who is to move there.
        assert_eq!(arm.models[1].mean, 1.0 - answer.value);
        assert!((arm.models[1].weight - 25.0).abs() < 1e-4);
    }
    // With a mixer that reads both, a network is no longer idle.
    let mixed = |net: &str| {
        run(&format!("models=mc+value mixer=bma-n mixer.value=100 leaf=mix leaf.lambda=1 net={net}"))
    };
    assert_ne!(mixed("fake").arms, mixed("uniform").arms);
}

#[test]
fn a_value_that_no_network_tells_is_refused() {
    let refusal = |text: &str| {
        let search = Search::new(&parse(text), Nim::new([1, 1, 1]), &Settings::default());
        search.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let why = "leaf=rollout asks no network for its value; choose leaf=net or leaf=mix";
    let refused = format!("`value` cannot be used here: {why}");
    assert_eq!(refusal("models=mc+value"), refused);
    // There the network is asked for its policy alone.
    assert_eq!(refusal("models=mc+value prior=net net=fake select=puct"), refused);
    assert!(refusal("models=mc+value leaf=decisive").contains("leaf=decisive asks no network"));
    assert_eq!(refusal("models=mc+value leaf=net net=fake"), "");
    assert_eq!(refusal("models=mc+value leaf=mix leaf.lambda=1 net=fake"), "");
}

#[test]
fn probabilities_that_nobody_reads_are_refused() {
    let refusal = |text: &str| {
        let search = Search::new(&parse(text), TicTacToe::default(), &Settings::default());
        search.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let why =
        "nobody reads its probabilities P(a); choose a selector or a widener that does, such as select=puct";
    for text in ["prior=flat-p", "prior=flat-p search=flat select=puct", "prior=flat-p prior.visits=3"] {
        assert_eq!(refusal(text), format!("`prior=flat-p` cannot be used here: {why}"), "{text}");
    }
    assert_eq!(refusal("prior=even prior.p=flat"), format!("`prior=even` cannot be used here: {why}"));
    for text in ["prior=flat-p select=puct", "prior=flat-p widen=widening", "prior=even"] {
        assert_eq!(refusal(text), "", "{text}");
    }
}

/// A network that tells the same of every position: the mover leads by three points, owns half of every point but the first, which
/// is the opponent's, and of the second it says nothing that is a number.
struct Owners;

impl model::net::Net for Owners {
    fn tells_scores(&self) -> bool {
        true
    }

    fn evaluate(&self, batch: &[model::net::NetQuery<'_>], out: &mut [model::net::NetAnswer]) {
        for (query, out) in batch.iter().zip(out) {
            out.policy = vec![1.0 / query.n_actions as f32; query.n_actions];
            (out.value, out.lead) = (0.75, 3.0);
            out.ownership = vec![0.5; query.n_actions];
            (out.ownership[0], out.ownership[1]) = (-1.0, f32::NAN);
        }
    }
}

#[test]
fn lead_and_owners_of_a_network_are_reported() {
    let game = GoGame::<goban::Upto9>::new(goban::Size::square(5).unwrap(), 0.5);
    let run = |text: &str| {
        let net = Some(mcts::LoadedNet(Arc::new(Owners)));
        let mut search =
            Search::new(&parse(text), game.clone(), &Settings { net, ..Settings::default() }).unwrap();
        search.set_notes(mcts::Notes { ownership_every: 1, arm_ownership: true });
        // As many simulations as arms: each ends behind one of Black's moves, with White to move.
        search.run(&Limits::simulations(20))
    };
    let report = run("leaf=net net=loaded");
    assert_eq!((report.value, report.score), (0.25, -3.0));
    assert_eq!(report.ownership[..4], [1.0, 0.0, -0.5, -0.5]);
    let seen = report.arms.iter().find(|arm| arm.visits > 0).unwrap();
    assert_eq!((seen.margin.unwrap().mean, &seen.ownership[..3]), (-3.0, &[1.0, 0.0, -0.5][..]));
    // A part of the lead in the reward: x = −3/4, 0.8·0.25 + 0.2·(1 − 0.6)/2; the win rate stays what it is.
    let report = run("leaf=net net=loaded reward=win-score reward.share=0.2 reward.points=4");
    assert!((report.value - 0.24).abs() < 1e-4 && (report.win - 0.25).abs() < 1e-4, "{report:?}");
    // With playouts beside the network owners are those of the playouts.
    let report = run("leaf=mix net=loaded");
    assert!(report.ownership.iter().all(|owner| (-1.0..=1.0).contains(owner)) && report.unsound == 0);
}

#[test]
fn a_playout_that_is_cut_off_is_worth_the_value_at_its_end() {
    let size = Size::square(5).unwrap();
    let run = |text: &str| {
        let net = Some(LoadedNet(Arc::new(Owners)));
        let game = GoGame::<Upto9>::new(size, 0.5);
        let mut search = Search::new(&parse(text), game, &Settings { net, ..Settings::default() }).unwrap();
        search.set_notes(mcts::Notes { ownership_every: 1, arm_ownership: false });
        search.run(&Limits::simulations(20))
    };
    // Each simulation ends behind one of Black's moves. One move of White's later Black has the three points, after another one White.
    for (depth, value, score, owner) in [(1, 0.75, 3.0, 0.5), (2, 0.25, -3.0, -0.5)] {
        let report = run(&format!("leaf=short leaf.depth={depth} net=loaded"));
        assert_eq!((report.value, report.score, report.ownership[2]), (value, score, owner), "{depth}");
    }
}

/// A network whose policy depends on the position, and to which every position is even.
struct EvenValues(Box<dyn Net>);

impl Net for EvenValues {
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        self.0.evaluate(batch, out);
        out.iter_mut().for_each(|out| out.value = 0.5);
    }
}

#[test]
fn short_playouts_ask_for_the_priors_of_the_leaf_itself() {
    // Values do not tell leaves from ends of playouts, so that the trees differ if a prior does.
    let run = |leaf: &str, batch: usize| {
        let text = format!("{leaf} net=loaded prior=net select=puct fpu=value expand.n=1 batch={batch}");
        let fake = model::net::build(&recipe::Choice::new(&model::net::fake::VARIANT)).unwrap();
        let net = Some(LoadedNet(Arc::new(EvenValues(fake))));
        let game = GoGame::<Upto9>::new(Size::square(5).unwrap(), 0.5);
        let mut search = Search::new(&parse(&text), game, &Settings { net, ..Settings::default() }).unwrap();
        let report = search.run(&Limits::simulations(200));
        assert_eq!((report.visits, report.unsound), (200, 0), "{text}");
        report.arms
    };
    let expected = run("leaf=net", 1);
    let p_of =
        |arms: &[mcts::report::Arm]| arms.iter().map(|arm| (arm.action, arm.p.unwrap())).collect::<Vec<_>>();
    let priors = p_of(&expected);
    assert!(priors.iter().any(|(_, p)| (p - priors[0].1).abs() > 1e-3), "{priors:?}");
    for depth in [1, 2] {
        let short = format!("leaf=short leaf.depth={depth}");
        for batch in [1, 4] {
            assert_eq!(p_of(&run(&short, batch)), priors, "{depth} {batch}");
        }
        let visits = |arms: &[mcts::report::Arm]| arms.iter().map(|arm| arm.visits).collect::<Vec<_>>();
        assert_eq!(visits(&run(&short, 1)), visits(&expected), "{depth}");
    }
}

#[test]
fn a_playout_that_ends_by_itself_counts_as_it_ended() {
    let report = |text: &str| {
        let game = GoGame::<Upto9>::new(Size::square(3).unwrap(), 0.5);
        search(&format!("{text} models=mc+rave mixer=hand"), game, 3).run(&Limits::simulations(300))
    };
    let (short, whole) = (report("leaf=short leaf.depth=1000 net=fake"), report("leaf=rollout"));
    assert_eq!((short.value, &short.arms), (whole.value, &whole.arms));
    let cut = report("leaf=short leaf.depth=3 net=fake");
    assert_ne!(cut.arms, whole.arms);
    // Where the game ends within the playout no network is asked: this one says nothing that is a number.
    for text in ["leaf=short leaf.depth=3 net=nan", "leaf=short leaf.depth=3 net=nan batch=4"] {
        let report = search(text, Nim::new([1, 1, 1]), 1).run(&Limits::simulations(100));
        assert_eq!((report.visits, report.unsound), (100, 0), "{text}");
    }
}

#[test]
fn short_playouts_gather_their_questions() {
    for threads in [1, 2] {
        let inner = model::net::build(&recipe::Choice::new(&model::net::fake::VARIANT)).unwrap();
        let net = Arc::new(Gathered { inner, sizes: Mutex::default(), n_twice: AtomicU64::new(0) });
        let shared: Arc<dyn Net> = net.clone();
        let settings = Settings { threads, net: Some(LoadedNet(shared)), ..Settings::default() };
        let recipe = parse(
            "leaf=short leaf.depth=4 prior=net net=loaded select=puct fpu=reduction expand.n=1 batch=4",
        );
        let game = GoGame::<Upto9>::new(Size::square(9).unwrap(), 7.5);
        let mut search = Search::new(&recipe, game, &settings).unwrap();
        check_counts(&search.run(&Limits::simulations(1000)), 1000, &format!("{threads} threads"));
        let sizes = net.sizes.lock().unwrap();
        let n_shown = sizes.iter().sum::<usize>();
        assert!(sizes.iter().all(|&n| n <= 4) && (1500..=2001).contains(&n_shown), "{n_shown} positions");
        assert!(n_shown > 2 * sizes.len(), "{n_shown} in {} batches", sizes.len());
    }
}

/// Notes the sizes of the batches it is shown, and the positions that were in a batch twice.
struct Gathered {
    inner: Box<dyn Net>,
    sizes: Mutex<Vec<usize>>,
    n_twice: AtomicU64,
}

impl Net for Gathered {
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        self.sizes.lock().unwrap().push(batch.len());
        let is_again = |idx: &usize| batch[..*idx].iter().any(|query| query.key == batch[*idx].key);
        self.n_twice.fetch_add((0..batch.len()).filter(is_again).count() as u64, Relaxed);
        self.inner.evaluate(batch, out);
    }
}

#[test]
fn one_thread_gathers_its_leaves_and_waits_for_nobody() {
    for threads in [1, 2] {
        let inner = model::net::build(&recipe::Choice::new(&model::net::fake::VARIANT)).unwrap();
        let net = Arc::new(Gathered { inner, sizes: Mutex::default(), n_twice: AtomicU64::new(0) });
        let shared: Arc<dyn Net> = net.clone();
        let settings = Settings { threads, net: Some(LoadedNet(shared)), ..Settings::default() };
        let recipe = parse("leaf=net prior=net net=loaded select=puct fpu=reduction expand.n=1 batch=4");
        let game = GoGame::<Upto9>::new(Size::square(9).unwrap(), 7.5);
        let mut search = Search::new(&recipe, game, &settings).unwrap();
        check_counts(&search.run(&Limits::simulations(1000)), 1000, &format!("{threads} threads"));
        let sizes = net.sizes.lock().unwrap();
        let (n_shown, n_twice) = (sizes.iter().sum::<usize>(), net.n_twice.load(Relaxed));
        assert!(sizes.iter().all(|&n| n <= 4) && n_twice == 0, "{n_twice} positions twice in a batch");
        assert!(n_shown <= 1001, "{threads} threads: {n_shown} positions");
        // How far two threads fill their batches depends on the machine: while one of them rests, the other may come to its new
        // node again and again. A single one is always the same.
        if threads == 1 {
            // A path that meets a position which is under way brings no new one, so that not every batch is full.
            assert!(2 * n_shown > 7 * sizes.len() - 40, "{n_shown} in {} batches", sizes.len());
            assert!(n_shown >= 600, "{n_shown} positions");
        }
    }
}
