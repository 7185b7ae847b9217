//! A simulation allocates nothing once its buffers have grown: counted by an allocator of our own.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it passes everything on")]

use goban::{Size, Upto9};
use mcts::{GoGame, Limits, ROOT, Search, Settings};
use recipe::{Recipe, Shelf};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static N_ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Counts what each thread asks for.
struct Counting;

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = N_ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of `simulations` further simulations, without the report's own.
fn count(recipe: &str, simulations: u64) -> u64 {
    let recipe = Recipe::parse(&ROOT, &Shelf::default(), recipe).unwrap();
    let game = GoGame::<Upto9>::new(Size::square(9).unwrap(), 7.5);
    let mut search = Search::new(&recipe, game, &Settings::default()).unwrap();
    search.run(&Limits::simulations(2000));
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
    ] {
        let n = count(recipe, 3000);
        assert!(n < 100, "{recipe}: {n} allocations in 3000 simulations");
    }
    // Without growth there is nothing at all.
    let n = count("models=mc+rave mixer=min-mse expand.n=1000000", 3000);
    assert!(n <= 8, "{n} allocations in 3000 simulations of a tree that does not grow");
}
