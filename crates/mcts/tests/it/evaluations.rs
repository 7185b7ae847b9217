//! Answers that come late, in batches and in any order, and answers that are nonsense.

use crate::common::{Nim, TicTacToe, check_counts, parse, search};
use goban::Rng;
use mcts::evaluate::{Evaluation, EvaluationAnswer, EvaluationQuery, EvaluationStatus, Evaluator, Ticket};
use mcts::tree::NodeId;
use mcts::{Action, BuiltRecipe, Game, Kit, Limits, Outcome, Search, Settings, Side};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Hands the answers of another evaluation out in batches and in reverse order.
struct Late<G> {
    inner: Box<dyn Evaluation<G>>,
    capacity: usize,
    watch: Arc<Watch>,
}

/// Counts over all late evaluators.
#[derive(Default)]
struct Watch {
    n_asked: AtomicU64,
    n_answered: AtomicU64,
    /// Nodes whose priors are being waited for.
    awaited: Mutex<Vec<NodeId>>,
    went_through: AtomicBool,
}

struct LateEvaluator<G> {
    inner: Box<dyn Evaluator<G>>,
    capacity: usize,
    watch: Arc<Watch>,
    n_asked: u64,
    batch: Vec<(Ticket, Option<NodeId>, EvaluationAnswer)>,
    finished: Vec<(Ticket, Option<NodeId>, EvaluationAnswer)>,
}

impl<G: Game> Evaluation<G> for Late<G> {
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, recipe::Error> {
        Ok(Box::new(LateEvaluator {
            inner: self.inner.evaluator(game)?,
            capacity: self.capacity,
            watch: Arc::clone(&self.watch),
            n_asked: 0,
            batch: Vec::new(),
            finished: Vec::new(),
        }))
    }
}

impl<G: Game> Evaluator<G> for LateEvaluator<G> {
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        out: &mut EvaluationAnswer,
    ) -> EvaluationStatus {
        // No arm of a node that awaits its priors may be taken.
        let awaited = self.watch.awaited.lock().unwrap().clone();
        if question.cx.path.iter().any(|step| awaited.contains(&step.node)) {
            self.watch.went_through.store(true, Relaxed);
        }
        assert_eq!(self.inner.ask(question, rng, out), EvaluationStatus::Ready);
        self.n_asked += 1;
        self.watch.n_asked.fetch_add(1, Relaxed);
        let ticket = Ticket(self.n_asked);
        let awaited = (!question.arms.is_empty()).then(|| question.cx.node.id());
        self.watch.awaited.lock().unwrap().extend(awaited);
        self.batch.push((ticket, awaited, std::mem::take(out)));
        EvaluationStatus::Pending(ticket)
    }

    fn collect(&mut self, wait: bool, out: &mut EvaluationAnswer) -> Option<Ticket> {
        if wait || self.batch.len() >= self.capacity {
            self.finished.append(&mut self.batch);
        }
        let (ticket, awaited, answer) = self.finished.pop()?;
        if let Some(id) = awaited {
            let mut all = self.watch.awaited.lock().unwrap();
            let place = all.iter().position(|known| *known == id).unwrap();
            all.swap_remove(place);
        }
        self.watch.n_answered.fetch_add(1, Relaxed);
        *out = answer;
        Some(ticket)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }
}

fn late<G: Kit>(text: &str, game: &G, capacity: usize, threads: usize) -> (Search<G>, Arc<Watch>) {
    let mut engine = BuiltRecipe::build(&parse(text), game, &Settings::default()).unwrap();
    let watch = Arc::new(Watch::default());
    engine.evaluation = Box::new(Late { inner: engine.evaluation, capacity, watch: Arc::clone(&watch) });
    let settings = Settings { threads, ..Settings::default() };
    (Search::from_engine(engine, game.clone(), &settings).unwrap(), watch)
}

/// A recipe in which a network that is a fixed linear function of its planes gives policy and value.
const TOY: &str = "leaf=net net=linear prior=net select=puct select.c=2 fpu=value fpu.v=0.5 cache=0";

#[test]
fn a_delay_of_one_changes_nothing() {
    for text in ["select.c=0.7", TOY, "prior=even models=mc+rave mixer=hand"] {
        let mut plain = search(text, TicTacToe::default(), 1);
        let (mut delayed, watch) = late(text, &TicTacToe::default(), 1, 1);
        for _ in 0..3 {
            let limits = Limits::simulations(700);
            let (report, other) = (plain.run(&limits), delayed.run(&limits));
            let action = plain.pick(&report).unwrap();
            assert_eq!(report.timeless(), other.timeless(), "{text}");
            assert_eq!((plain.advance(action), delayed.advance(action)), (true, true));
        }
        assert_eq!(watch.n_asked.load(Relaxed), watch.n_answered.load(Relaxed));
    }
}

#[test]
fn a_network_answers_in_batches_and_no_visit_is_lost_or_counted_twice() {
    let game = TicTacToe::drawn("X.. .O. ...");
    for threads in [1, 2, 4] {
        for batch in [1, 8, 16] {
            let what = format!("{threads} threads, batches of {batch}");
            // The search's own queue, with answers as late as the batch is large.
            let text = format!("{TOY} batch={batch}");
            let settings = Settings { threads, ..Settings::default() };
            let mut search = Search::new(&parse(&text), game.clone(), &settings).unwrap();
            check_counts(&search.run(&Limits::simulations(3000)), 3000, &what);
            assert_eq!(search.run(&Limits::simulations(1)).visits, 3001, "{what}");
            // Answers that are later still, in reverse order.
            let (mut search, watch) = late(TOY, &game, batch, threads);
            check_counts(&search.run(&Limits::simulations(3000)), 3000, &what);
            assert!(!watch.went_through.load(Relaxed), "{what}: a node was passed that awaits its priors");
            assert_eq!(watch.n_asked.load(Relaxed), watch.n_answered.load(Relaxed), "{what}");
            assert!(watch.awaited.lock().unwrap().is_empty());
        }
    }
}

#[test]
fn one_thread_and_batches_of_one_are_the_immediate_answer() {
    let game = TicTacToe::default();
    let run = |text: &str| search(text, game.clone(), 3).run(&Limits::simulations(2000)).timeless();
    let (mut delayed, _) = late(TOY, &game, 1, 1);
    let settings = Settings { seed: 3, ..Settings::default() };
    let mut engine = BuiltRecipe::build(&parse(TOY), &game, &Settings::default()).unwrap();
    engine.evaluation =
        Box::new(Late { inner: engine.evaluation, capacity: 1, watch: Arc::new(Watch::default()) });
    let one = Search::from_engine(engine, game.clone(), &settings).unwrap().run(&Limits::simulations(2000));
    assert_eq!(run(&format!("{TOY} batch=1")), one.timeless());
    // And what is remembered is what would be answered again.
    assert_eq!(
        run(&format!("{TOY} batch=1")).arms,
        run(&format!("{TOY} batch=1 cache=8").replace("cache=0 ", "")).arms
    );
    check_counts(&delayed.run(&Limits::simulations(100)), 100, "another seed");
}

#[test]
fn batches_find_the_move() {
    for capacity in [2, 8, 32] {
        let game = Nim::new([3, 4, 5]);
        let (mut search, _) = late("select.c=0.7", &game, capacity, 1);
        let report = search.run(&Limits::simulations(20_000));
        check_counts(&report, 20_000, "Nim");
        let mut next = game;
        next.play(search.pick(&report).unwrap());
        assert!(next.is_lost_for_mover(), "capacity {capacity}");
    }
}

/// A game that was decided before it began: the mover at the root is ahead or behind by 20 points, whatever is played.
#[derive(Clone, Debug)]
struct Decided {
    margin: f32,
    n_moves: u32,
}

impl Game for Decided {
    fn n_actions(&self) -> usize {
        20
    }

    fn mover(&self) -> Side {
        if self.n_moves.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        out.extend((0..20).map(Action));
    }

    fn play(&mut self, _action: Action) {
        self.n_moves += 1;
    }

    fn ended(&self, out: &mut Outcome) -> bool {
        out.score = self.margin;
        out.win = if self.margin > 0.0 { 1.0 } else { 0.0 };
        self.n_moves >= 30
    }

    fn key(&self) -> u64 {
        u64::from(self.n_moves)
    }

    fn is_scored(&self) -> bool {
        true
    }
}

impl Kit for Decided {
    const NAME: &'static str = "a decided game";
}

#[test]
fn a_batch_spreads_over_the_arms_ahead_and_behind() {
    for margin in [20.0, -20.0] {
        for (reward, c) in [("win", 0.5), ("score", 5.0)] {
            let wide = 10.0 * c;
            for text in [
                format!("reward={reward} select=uct select.c={c}"),
                format!("reward={reward} select=puct select.c={wide} prior=flat-p fpu=value fpu.v=0"),
                format!("reward={reward} select=ucb1 select.c={c} prior=even"),
            ] {
                let (mut search, _) = late(&text, &Decided { margin, n_moves: 0 }, 16, 1);
                // Every arm has been tried, or the mover has learnt how he stands.
                search.run(&Limits::simulations(40));
                let before = search.report();
                let after = search.run(&Limits::simulations(16));
                let grown = |(old, new): &(&mcts::report::Arm, &mcts::report::Arm)| new.visits > old.visits;
                let n_arms = before.arms.iter().zip(&after.arms).filter(grown).count();
                assert!(n_arms >= 4, "{text}, {margin}: a batch of 16 took {n_arms} arms");
            }
        }
    }
}

#[test]
fn waiting_visits_spread_the_first_batch() {
    // With all arms untried and nothing answered yet, visits under way send each simulation to another arm.
    let (mut search, _) = late("select.c=0.7", &Nim::new([3, 3, 3]), 9, 1);
    let report = search.run(&Limits::simulations(9));
    assert!(report.arms.iter().all(|arm| arm.visits == 1), "{report:?}");
}

#[test]
fn the_search_survives_every_network() {
    for variant in model::net::FAMILY.variants {
        for leaf in ["leaf=net", "leaf=mix", "leaf=short leaf.depth=2", "leaf=rollout"] {
            let text = format!("{leaf} net={} prior=net select=puct fpu=value batch=4", variant.name);
            let mut search = search(&text, Nim::new([3, 4, 5]), 1);
            let report = search.run(&Limits::simulations(2000));
            assert_eq!(report.visits, 2000);
            assert!(report.value.is_finite() && report.score.is_finite(), "{text}");
            for arm in &report.arms {
                assert!((0.0..=1.0).contains(&arm.value) && !arm.score.is_nan(), "{text}");
                assert!(arm.p.is_some_and(|p| (0.0..=1.0).contains(&p)), "{text}");
            }
            // Ends of the game are sound, whatever the network says elsewhere.
            let is_nonsense = variant.name == "nan" && leaf != "leaf=rollout";
            assert_eq!(report.unsound > 0, is_nonsense, "{text}: {}", report.unsound);
            assert!(search.pick(&report).is_some());
        }
    }
}

/// Never answers.
struct Forgetful;

impl<G: Game> Evaluation<G> for Forgetful {
    fn evaluator(&self, _game: &G) -> Result<Box<dyn Evaluator<G>>, recipe::Error> {
        Ok(Box::new(Forgetful))
    }
}

impl<G: Game> Evaluator<G> for Forgetful {
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        _rng: &mut Rng,
        _out: &mut EvaluationAnswer,
    ) -> EvaluationStatus {
        EvaluationStatus::Pending(Ticket(question.cx.path.len() as u64))
    }

    fn capacity(&self) -> usize {
        8
    }
}

#[test]
fn an_evaluator_that_owes_its_answers_counts_as_one_that_knows_nothing() {
    let mut engine = BuiltRecipe::build(&parse(TOY), &TicTacToe::default(), &Settings::default()).unwrap();
    engine.evaluation = Box::new(Forgetful);
    let mut search = Search::from_engine(engine, TicTacToe::default(), &Settings::default()).unwrap();
    let report = search.run(&Limits::simulations(50));
    assert_eq!((report.visits, report.unsound), (50, 50));
}

/// Answers as another evaluation does, but gives the priors of one node only, the first.
struct OnePrior<G>(Box<dyn Evaluation<G>>);

struct OnePriorEvaluator<G> {
    inner: Box<dyn Evaluator<G>>,
    n_asked: usize,
}

impl<G: Game> Evaluation<G> for OnePrior<G> {
    fn evaluator(&self, game: &G) -> Result<Box<dyn Evaluator<G>>, recipe::Error> {
        Ok(Box::new(OnePriorEvaluator { inner: self.0.evaluator(game)?, n_asked: 0 }))
    }
}

impl<G: Game> Evaluator<G> for OnePriorEvaluator<G> {
    fn ask(
        &mut self,
        question: &EvaluationQuery<'_, G>,
        rng: &mut Rng,
        out: &mut EvaluationAnswer,
    ) -> EvaluationStatus {
        self.n_asked += 1;
        let arms = if self.n_asked == 1 { question.arms } else { &[] };
        self.inner.ask(&EvaluationQuery { arms, ..*question }, rng, out)
    }
}

#[test]
fn priors_that_an_evaluator_leaves_out_are_neutral_and_not_those_of_another_node() {
    // The root's nine arms get P = 1/9. Those of the nodes below have 1/arms, and not 1/9 again.
    let text = "prior=even prior.visits=4 prior.p=flat select=puct expand.n=1";
    let mut engine = BuiltRecipe::build(&parse(text), &TicTacToe::default(), &Settings::default()).unwrap();
    engine.evaluation = Box::new(OnePrior(engine.evaluation));
    let mut search = Search::from_engine(engine, TicTacToe::default(), &Settings::default()).unwrap();
    let mut report = search.run(&Limits::simulations(400));
    for n_arms in (5..9).rev() {
        let action = search.pick(&report).unwrap();
        search.advance(action);
        report = search.run(&Limits::simulations(400));
        assert_eq!(report.arms.len(), n_arms);
        let sum: f32 = report.arms.iter().map(|arm| arm.p.unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{n_arms} arms: P(a) adds up to {sum}");
    }
}
