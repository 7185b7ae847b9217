//! Networks that are shown positions turned: as they stand, turned at random, in all turns.

use crate::common::{TicTacToe, parse};
use goban::{Size, SizeClass, Symmetry, Upto9, Vertex};
use mcts::evaluate::net::service::{NetService, Received, ServiceShape};
use mcts::evaluate::net::symmetry::{NetSymmetry, Views};
use mcts::{Action, Game, GoGame, Kit, Limits, LoadedNet, Search, Settings};
use model::net::katago::KataGoNet;
use model::net::{EncodedPosition, Net, NetAnswer, sample};
use std::sync::Arc;

const ALL: [NetSymmetry; 3] = [NetSymmetry::None, NetSymmetry::Random, NetSymmetry::Average];
/// Moves in columns and rows, all of them on the smallest board here.
const MOVES: [(usize, usize); 6] = [(1, 1), (4, 3), (2, 3), (0, 1), (5, 0), (2, 2)];

/// The game after some of the moves, turned.
fn game<C: SizeClass>(size: Size, n_moves: usize, symmetry: Symmetry) -> GoGame<C> {
    let mut game = GoGame::new(size, 7.5);
    for &(col, row) in &MOVES[..n_moves] {
        let vertex = symmetry.apply(size, Vertex::new(col, row));
        game.play(GoGame::<C>::action(game.board.to_move(vertex)));
    }
    game
}

fn service<C: SizeClass>(net: Arc<dyn Net>, size: Size, symmetry: NetSymmetry, batch: usize) -> NetService {
    let (game, form) = (GoGame::<C>::new(size, 7.5), net.form());
    let n_actions = game.n_actions();
    let shape = ServiceShape { batch, cache_bytes: 1 << 20, n_actions, n_places: n_actions };
    NetService::new(net, shape, Views::new(symmetry, game.turnings(form), 1))
}

/// What a service says of a game.
fn ask<C: SizeClass>(service: &NetService, game: &GoGame<C>) -> NetAnswer {
    let (mut thread, mut out) = (service.add_thread(), NetAnswer::default());
    let mut encoded = EncodedPosition::default();
    let key = game.encode(service.form(), game, &[], &mut encoded);
    if let Received::Queued(ticket) = service.ask(&mut thread, key, &mut encoded, &mut out) {
        assert_eq!(service.collect(&mut thread, true, &mut out), Some(ticket));
    }
    out
}

fn assert_near(a: &NetAnswer, b: &NetAnswer, what: &str) {
    let near = |a: f32, b: f32| (a - b).abs() < 1e-5;
    assert!(near(a.value, b.value) && (a.lead - b.lead).abs() < 1e-3, "{what}: {a:?} {b:?}");
    for (a, b) in [(&a.policy, &b.policy), (&a.ownership, &b.ownership)] {
        assert_eq!(a.len(), b.len(), "{what}");
        assert!(a.iter().zip(b).all(|(&a, &b)| near(a, b)), "{what}: {a:?} {b:?}");
    }
}

fn real() -> Arc<dyn Net> {
    Arc::new(KataGoNet::new(sample::conv_graph(8, 6, 2)))
}

fn sizes() -> [Size; 2] {
    [Size::square(7).unwrap(), Size::new(7, 5).unwrap()]
}

#[test]
fn a_symmetric_network_says_the_same_however_it_is_asked() {
    let linear = recipe::Choice::new(&model::net::linear::VARIANT);
    let net: Arc<dyn Net> = Arc::from(model::net::build(&linear).unwrap());
    for size in sizes() {
        let game = game::<Upto9>(size, 6, Symmetry::IDENTITY);
        let says = ALL.map(|how| ask(&service::<Upto9>(Arc::clone(&net), size, how, 1), &game));
        assert_near(&says[1], &says[0], "random");
        assert_near(&says[2], &says[0], "average");
    }
}

/// What the network says of the turned game, its points put back by hand.
fn seen_turned(net: &Arc<dyn Net>, size: Size, n_moves: usize, symmetry: Symmetry) -> NetAnswer {
    let straight = service::<Upto9>(Arc::clone(net), size, NetSymmetry::None, 1);
    let turned = ask(&straight, &game::<Upto9>(size, n_moves, symmetry));
    let mut out = turned.clone();
    for (from, vertex) in size.vertices().enumerate() {
        let to = symmetry.apply(size, vertex);
        let to = to.row() * size.width() + to.col();
        (out.policy[from], out.ownership[from]) = (turned.policy[to], turned.ownership[to]);
    }
    out
}

#[test]
fn the_average_is_the_mean_of_all_views_and_a_random_view_is_one_of_them() {
    let net = real();
    let mut drawn = Vec::new();
    for size in sizes() {
        let symmetries = Symmetry::of(size);
        let average = service::<Upto9>(Arc::clone(&net), size, NetSymmetry::Average, 1);
        let random = service::<Upto9>(Arc::clone(&net), size, NetSymmetry::Random, 1);
        for n_moves in 1..=MOVES.len() {
            let game = game::<Upto9>(size, n_moves, Symmetry::IDENTITY);
            let views: Vec<NetAnswer> =
                symmetries.iter().map(|symmetry| seen_turned(&net, size, n_moves, *symmetry)).collect();
            let mut mean = NetAnswer::default();
            mean.policy.resize(size.area() + 1, 0.0);
            mean.ownership.resize(size.area(), 0.0);
            for view in &views {
                let part = 1.0 / views.len() as f32;
                mean.value += part * view.value;
                mean.lead += part * view.lead;
                mean.policy.iter_mut().zip(&view.policy).for_each(|(sum, p)| *sum += part * p);
                mean.ownership.iter_mut().zip(&view.ownership).for_each(|(sum, owner)| *sum += part * owner);
            }
            assert_near(&ask(&average, &game), &mean, "average");
            let one = ask(&random, &game);
            let distance = |view: &NetAnswer| -> f32 {
                view.policy.iter().zip(&one.policy).map(|(a, b)| (a - b).abs()).sum()
            };
            let place = (0..views.len()).min_by(|&a, &b| distance(&views[a]).total_cmp(&distance(&views[b])));
            assert_near(&one, &views[place.unwrap()], "random");
            drawn.push(place);
        }
    }
    drawn.sort_unstable();
    drawn.dedup();
    assert!(drawn.len() > 2, "several symmetries are drawn: {drawn:?}");
}

#[test]
fn an_answer_depends_on_neither_the_batch_nor_the_cache() {
    let (net, size) = (real(), sizes()[0]);
    for how in ALL {
        let [single, triple] = [1, 3].map(|batch| service::<Upto9>(Arc::clone(&net), size, how, batch));
        let games: Vec<_> = (1..=3).map(|n| game::<Upto9>(size, n, Symmetry::IDENTITY)).collect();
        let right: Vec<NetAnswer> = games.iter().map(|game| ask(&single, game)).collect();
        let (mut thread, mut encoded) = (triple.add_thread(), EncodedPosition::default());
        let mut ask_triple = |game: &GoGame<Upto9>| {
            let mut out = NetAnswer::default();
            let key = game.encode(triple.form(), game, &[], &mut encoded);
            (triple.ask(&mut thread, key, &mut encoded, &mut out), out)
        };
        let received: Vec<_> = games.iter().map(&mut ask_triple).collect();
        assert!(matches!(
            received[..],
            [(Received::Queued(_), _), (Received::Queued(_), _), (Received::Known, _)]
        ));
        assert_eq!(received[2].1, right[2]);
        for (game, right) in games.iter().zip(&right) {
            assert_eq!(ask_triple(game), (Received::Known, right.clone()), "from the cache");
        }
    }
}

#[test]
fn a_seed_repeats_a_search_with_turned_positions() {
    let run = |text: &str, seed: u64| {
        let recipe =
            parse(&format!("leaf=net prior=net net=loaded select=puct fpu=reduction expand.n=1 {text}"));
        let settings = Settings { seed, net: Some(LoadedNet(real())), ..Settings::default() };
        let mut search =
            Search::new(&recipe, game::<Upto9>(sizes()[1], 4, Symmetry::IDENTITY), &settings).unwrap();
        search.run(&Limits::simulations(150)).arms
    };
    let random = run("net.symmetries=random", 1);
    assert_eq!(random, run("net.symmetries=random", 1));
    assert_eq!(random, run("net.symmetries=random cache=0", 1));
    assert_ne!(random, run("net.symmetries=random", 2), "another seed turns otherwise");
    assert_ne!(random, run("net.symmetries=none", 1));
    assert_eq!(run("net.symmetries=average batch=4", 1), run("net.symmetries=average batch=4 cache=0", 1));
}

#[test]
fn games_without_symmetries_refuse_to_be_turned() {
    let linear = recipe::Choice::new(&model::net::linear::VARIANT);
    let net = Some(LoadedNet(Arc::from(model::net::build(&linear).unwrap())));
    let settings = Settings { net, ..Settings::default() };
    let refusal = |how: &str| {
        let recipe = parse(&format!("leaf=net net=loaded net.symmetries={how}"));
        Search::new(&recipe, TicTacToe::default(), &settings).err().map(|error| error.to_string())
    };
    for how in ["random", "average"] {
        let why = "it turns positions, and no symmetries are known of";
        let error = refusal(how).unwrap();
        assert!(error.starts_with(&format!("`net.symmetries={how}` cannot be used here: {why}")), "{error}");
    }
    assert_eq!(refusal("none"), None);
}

#[test]
fn every_action_has_its_place_in_a_turned_policy() {
    let size = sizes()[1];
    let game = game::<Upto9>(size, 0, Symmetry::IDENTITY);
    for (turning, symmetry) in game.turnings(model::net::InputForm::Planes).iter().zip(Symmetry::of(size)) {
        let places: Vec<usize> = turning.places().collect();
        assert_eq!(places.len(), game.n_actions());
        for vertex in size.vertices() {
            let action = |vertex| GoGame::<Upto9>::action(game.board.to_move(vertex)).idx();
            assert_eq!(places[action(vertex)], action(symmetry.apply(size, vertex)));
        }
        assert_eq!(places[game.pass().map_or(0, Action::idx)], game.n_actions() - 1);
        let mut sorted = places;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..game.n_actions()), "a permutation");
    }
}
