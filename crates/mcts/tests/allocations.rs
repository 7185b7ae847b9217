//! A simulation allocates nothing once its buffers have grown, and a search stays below its memory ceiling: counted by an allocator of
//! our own.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it passes everything on")]

use goban::{Size, Upto9};
use mcts::games::connect_four::ConnectFour;
use mcts::{GoGame, Limits, LoadedNet, ROOT, Report, Search, Settings};
use model::net::katago::KataGoNet;
use model::net::sample;
use recipe::{Recipe, Shelf};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    static N_ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// Bytes that are allocated now, and the most that ever were.
    static N_BYTES: Cell<[usize; 2]> = const { Cell::new([0; 2]) };
}

/// Counts what each thread asks for.
struct Counting;

fn count_bytes(change: impl Fn(usize) -> usize) {
    let _ = N_BYTES.try_with(|bytes| {
        let [now, most] = bytes.get();
        bytes.set([change(now), most.max(change(now))]);
    });
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = N_ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        count_bytes(|now| now.wrapping_add(layout.size()));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count_bytes(|now| now.saturating_sub(layout.size()));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of `simulations` further simulations, without the report's own.
fn count(recipe: &str, simulations: u64) -> u64 {
    count_after(2000, recipe, &Settings::default(), simulations)
}

fn search(recipe: &str, settings: &Settings) -> Search<GoGame<Upto9>> {
    let recipe = Recipe::parse(&ROOT, &Shelf::default(), recipe).unwrap();
    let game = GoGame::<Upto9>::new(Size::square(9).unwrap(), 7.5);
    Search::new(&recipe, game, settings).unwrap()
}

/// The same after a number of simulations, with settings.
fn count_after(warm_up: u64, recipe: &str, settings: &Settings, simulations: u64) -> u64 {
    let mut search = search(recipe, settings);
    search.run(&Limits::simulations(warm_up));
    let allocations = |search: &mut Search<GoGame<Upto9>>, n| {
        let before = N_ALLOCATIONS.get();
        search.run(&Limits::simulations(n));
        N_ALLOCATIONS.get() - before
    };
    let of_report = allocations(&mut search, 1);
    allocations(&mut search, simulations).saturating_sub(of_report)
}

#[test]
fn a_simulation_allocates_nothing() {
    // What is left is the tree's own chunks, one for dozens of nodes, and buffers that meet a longer game.
    for recipe in [
        "expand.n=6",
        "models=mc+rave mixer=min-mse expand.n=6",
        "models=mc+rave mixer=bma select=ucb1 expand.n=6",
        "models=mc+rave+lwr mixer=bma-n expand.n=6",
        "models=mc+rave-distance mixer=min-mse expand.n=6",
        "models=mc+grave mixer=min-mse expand.n=6",
        "models=mc+criticality:visits=50 mixer=min-mse expand.n=6",
        "models=mc+rave mixer=hand prior=gammas widen=widening select=bt-bias expand.n=6",
        "models=mc+rave mixer=hand prior=shapes leaf.policy=shapes-sigma expand.n=6",
        "models=mc+rave mixer=hand leaf.policy=bt leaf.mercy=0.3 expand.n=6",
    ] {
        let n = count(recipe, 3000);
        assert!(n < 100, "{recipe}: {n} allocations in 3000 simulations");
    }
    // Without growth there is nothing at all.
    let n = count("models=mc+rave mixer=min-mse expand.n=1000000", 3000);
    assert!(n <= 8, "{n} allocations in 3000 simulations of a tree that does not grow");
}

#[test]
fn a_leaf_that_is_solved_allocates_nothing() {
    let text = "leaf=solve leaf.policy=careful leaf.table=1 widen=proven expand.n=1000000";
    let recipe = Recipe::parse(&ROOT, &Shelf::default(), text).unwrap();
    let mut search = Search::new(&recipe, ConnectFour::new(), &Settings::default()).unwrap();
    search.run(&Limits::simulations(1000));
    let before = N_ALLOCATIONS.get();
    search.run(&Limits::simulations(1));
    let of_report = N_ALLOCATIONS.get() - before;
    search.run(&Limits::simulations(1000));
    let n = N_ALLOCATIONS.get() - before - 2 * of_report;
    assert!(n <= 2, "{n} allocations in 1000 simulations of a tree that does not grow");
}

/// A small network of KataGo's kind, which reads all planes and tells everything.
fn katago() -> Settings {
    let net = Arc::new(KataGoNet::new(sample::conv_graph(8, 6, 2)));
    Settings { net: Some(LoadedNet(net)), ..Settings::default() }
}

#[test]
fn a_simulation_with_a_network_allocates_nothing() {
    let settings = katago();
    // A tree of the same columns allocates its chunks without a network, too.
    let of_tree = count_after(500, "prior=flat-p select=puct fpu=reduction expand.n=1", &settings, 800);
    let usual = "leaf=net prior=net select=puct fpu=reduction";
    for text in
        ["", "batch=4", "net.symmetries=random", "net.symmetries=average", "net.symmetries=average batch=4"]
    {
        // Without growth and without a cache every simulation asks, and there is nothing at all.
        let recipe = format!("{usual} net=loaded expand.n=1000000 cache=0 {text}");
        let n = count_after(300, &recipe, &settings, 300);
        assert!(n <= 2, "{recipe}: {n} allocations in 300 simulations of a tree that does not grow");
        // Every simulation grows a node and has its answer remembered: beside the tree's there are the cache's
        // chunks, longer lines of play in the report, and buffers that meet longer paths.
        let recipe = format!("{usual} net=loaded expand.n=1 {text}");
        let n = count_after(500, &recipe, &settings, 800);
        assert!(n < of_tree + 200, "{recipe}: {n} allocations in 800 simulations, {of_tree} of a tree alone");
    }
}

/// Runs a search from its making on: its report, and the most bytes that it has had.
fn peak(recipe: &str, settings: &Settings, simulations: u64) -> (Report, usize) {
    let [before, _] = N_BYTES.get();
    N_BYTES.set([before, before]);
    let mut search = search(recipe, settings);
    let report = search.run(&Limits::simulations(simulations));
    (report, N_BYTES.get()[1] - before)
}

#[test]
fn the_ceiling_holds_tree_and_answers() {
    let settings = Settings { memory: 6 << 20, ..katago() };
    let recipe = "leaf=net prior=net select=puct fpu=reduction expand.n=1 net=loaded cache=1048576";
    // The network's own memory, and buffers: what a search takes that has hardly begun, beside tree and answers.
    peak(recipe, &settings, 100);
    let (small, small_peak) = peak(recipe, &settings, 100);
    let fixed = small_peak - small.bytes;
    assert!(fixed < 1 << 20, "{fixed} bytes of buffers");
    let (large, large_peak) = peak(recipe, &settings, 8000);
    assert!(large.is_full, "the tree has met the ceiling: {} bytes, {} nodes", large.bytes, large.nodes);
    assert!(large.bytes <= 6 << 20 && large.bytes > 5 << 20, "{} bytes", large.bytes);
    assert!(large_peak <= fixed + (6 << 20), "{large_peak} bytes at most, {fixed} of them buffers");
    // Without a cache the tree has it all.
    let without = peak(&recipe.replace("cache=1048576", "cache=0"), &settings, 8000).0;
    assert!(without.nodes > large.nodes && without.bytes <= 6 << 20);
}

#[test]
fn a_large_cache_takes_memory_as_it_is_filled() {
    let recipe = "leaf=net prior=net select=puct fpu=reduction expand.n=1 net=linear cache=1048576";
    let (report, bytes) = peak(recipe, &Settings::default(), 50);
    assert!(bytes < 16 << 20 && report.bytes < bytes, "{bytes} bytes, {} of them told", report.bytes);
}
