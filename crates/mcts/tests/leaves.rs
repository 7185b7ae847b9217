//! Evaluations that come late, and evaluations that are nonsense.

mod common;

use common::{Nim, parse};
use goban::Rng;
use mcts::leaf::{Evaluation, Gathered, Leaf, Ticket};
use mcts::search::pieces::{Pieces, build_leaf, build_pick};
use mcts::{Cx, Game, Limits, Search, Settings};
use model::net::{self, Net, NetAnswer, NetQuery};
use recipe::Choice;

/// Hands its evaluations out in batches and in reverse order.
struct Delayed<G> {
    inner: Box<dyn Leaf<G>>,
    capacity: usize,
    n_asked: u64,
    batch: Vec<(Ticket, Evaluation)>,
    finished: Vec<(Ticket, Evaluation)>,
}

impl<G: Game> Leaf<G> for Delayed<G> {
    fn gather(&mut self, cx: &Cx<'_, G>, position: &G, rng: &mut Rng, _out: &mut Evaluation) -> Gathered {
        let mut evaluation = Evaluation::default();
        assert_eq!(self.inner.gather(cx, position, rng, &mut evaluation), Gathered::Ready);
        self.n_asked += 1;
        self.batch.push((Ticket(self.n_asked), evaluation));
        Gathered::Pending(Ticket(self.n_asked))
    }

    fn apply(&mut self, wait: bool, out: &mut Evaluation) -> Option<Ticket> {
        if wait {
            self.finished.append(&mut self.batch);
        }
        let (ticket, evaluation) = self.finished.pop()?;
        *out = evaluation;
        Some(ticket)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }
}

fn with_leaf<G: Game>(game: G, wrap: impl FnOnce(Box<dyn Leaf<G>>) -> Box<dyn Leaf<G>>) -> Search<G> {
    let recipe = parse("select.c=0.7");
    let leaf = wrap(build_leaf(&recipe, &game).unwrap());
    let (pieces, pick) = (Pieces::build(&recipe).unwrap(), build_pick(&recipe).unwrap());
    Search::from_pieces(pieces, vec![leaf], pick, game, &Settings::default()).unwrap()
}

fn delayed<G: Game>(game: G, capacity: usize) -> Search<G> {
    with_leaf(game, |inner| {
        Box::new(Delayed { inner, capacity, n_asked: 0, batch: Vec::new(), finished: Vec::new() })
    })
}

#[test]
fn a_delay_of_one_changes_nothing() {
    let mut plain = with_leaf(Nim::new([3, 4, 5]), |leaf| leaf);
    let mut late = delayed(Nim::new([3, 4, 5]), 1);
    let limits = Limits::simulations(2000);
    assert_eq!(plain.run(&limits).timeless(), late.run(&limits).timeless());
}

#[test]
fn batches_lose_no_simulation_and_find_the_move() {
    for capacity in [2, 8, 32] {
        let game = Nim::new([3, 4, 5]);
        let mut search = delayed(game.clone(), capacity);
        let report = search.run(&Limits::simulations(20_000));
        assert_eq!((report.simulations, report.samples, report.visits), (20_000, 20_000, 20_000));
        let mut next = game;
        next.play(search.pick(&report).unwrap());
        assert!(next.is_lost_for_mover(), "capacity {capacity}");
    }
}

#[test]
fn waiting_visits_spread_the_batch() {
    // With all arms untried and nothing answered yet, visits in flight send each simulation to another arm.
    let mut search = delayed(Nim::new([3, 3, 3]), 9);
    let report = search.run(&Limits::simulations(9));
    assert!(report.arms.iter().all(|arm| arm.visits == 1), "{report:?}");
}

/// Believes a model.
struct Asked {
    model: Box<dyn Net>,
}

impl<G: Game> Leaf<G> for Asked {
    fn gather(&mut self, _cx: &Cx<'_, G>, position: &G, rng: &mut Rng, out: &mut Evaluation) -> Gathered {
        let mut answer = NetAnswer::default();
        let query = NetQuery { key: rng.next_u64(), n_actions: position.n_actions(), planes: None };
        self.model.evaluate_one(&query, &mut answer);
        let sample = out.push();
        sample.outcome.win = answer.value;
        sample.outcome.score = answer.value;
        Gathered::Ready
    }
}

#[test]
fn the_search_survives_every_model() {
    for variant in net::FAMILY.variants {
        let model = net::build(&Choice::new(variant)).unwrap();
        let mut search = with_leaf(Nim::new([3, 4, 5]), |_| Box::new(Asked { model }));
        let report = search.run(&Limits::simulations(2000));
        assert_eq!(report.visits, 2000);
        assert!(report.value.is_finite() && report.score.is_finite(), "{}", variant.name);
        assert!(report.arms.iter().all(|arm| (0.0..=1.0).contains(&arm.value) && !arm.score.is_nan()));
        // Ends of the game are sound, whatever the model says elsewhere.
        let expected = if variant.name == "nan" { 1..2000 } else { 0..1 };
        assert!(expected.contains(&report.unsound), "{}: {}", variant.name, report.unsound);
        assert!(search.pick(&report).is_some());
    }
}
