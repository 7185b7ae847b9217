//! After a first evaluation with the same memory, the engines allocate nothing.
#![allow(unsafe_code, reason = "an allocator cannot be written without; it passes everything on")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use model::net::cpu::engine::Engine;
use model::net::cpu::gemm::Number;
use model::net::cpu::simd::Isa;
use model::net::graph::{Graph, N_GLOBALS, N_PLANES};
use model::net::output::{NetInput, NetOutput};

thread_local! {
    static N_ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of evaluations of dense and empty boards after a first one of a board with few stones.
fn count<T: Number>(graph: &Graph, size: usize) -> u64 {
    let engine = Engine::<T>::new(graph, [size, size], Isa::best());
    let mut scratch = engine.scratch(2);
    let globals = [0.5; N_GLOBALS];
    let boards = [0.0, 1.0, 0.5].map(|x| vec![x; size * size * N_PLANES]);
    let input = |planes| NetInput { width: size, height: size, planes, globals: &globals };
    let inputs = boards.each_ref().map(|planes| input(planes));
    let mut out = [const {
        NetOutput { policy: Vec::new(), winner: [0.0; 3], score: [0.0; 6], ownership: Vec::new() }
    }; 2];
    engine.evaluate(&mut scratch, &inputs[..2], &mut out).unwrap();
    let before = N_ALLOCATIONS.with(Cell::get);
    for inputs in [&inputs[1..], &inputs[..1], &inputs[2..]] {
        engine.evaluate(&mut scratch, inputs, &mut out).unwrap();
    }
    N_ALLOCATIONS.with(Cell::get) - before
}
