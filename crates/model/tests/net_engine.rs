//! The fast engines with real networks: how far they are from the reference on positions of real games, and that they allocate
//! nothing. Networks and positions are looked for in the data folder; what is missing is skipped.
#![allow(unsafe_code, reason = "an allocator cannot be written without; it passes everything on")]

mod common;
#[path = "common/vectors.rs"]
mod vectors;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::HashMap;

use common::load;
use model::net::cpu;
use model::net::cpu::engine::{Engine, Scratch};
use model::net::cpu::gemm::Number;
use model::net::cpu::simd::Isa;
use model::net::features::GameInput;
use model::net::graph::{Graph, N_GLOBALS, N_PLANES};
use model::net::output::{NetEvaluation, NetInput, NetOutput, ReadoutQuery};
use vectors::{game, vectors};

const SMALL: &str = "g170-b6c96-s175395328-d26788732.bin.gz";

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

/// Allocations of evaluations of dense and empty boards after a first one.
fn count<T: Number>(graph: &Graph, size: usize) -> u64 {
    let engine = Engine::<T>::new(graph, [size, size], Isa::best());
    let mut scratch = engine.scratch(2);
    let globals = [0.5; N_GLOBALS];
    let boards = [0.0, 1.0, 0.5].map(|x| vec![x; size * size * N_PLANES]);
    let input = |planes| NetInput { width: size, height: size, point_planes: planes, globals: &globals };
    let inputs = boards.each_ref().map(|planes| input(planes));
    let mut out = [NetOutput::default(), NetOutput::default()];
    engine.evaluate(&mut scratch, &inputs[..2], &mut out).unwrap();
    let before = N_ALLOCATIONS.with(Cell::get);
    for inputs in [&inputs[1..], &inputs[..1], &inputs[2..]] {
        engine.evaluate(&mut scratch, inputs, &mut out).unwrap();
    }
    N_ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn nothing_is_allocated_after_the_first_evaluation() {
    let Some(graph) = load(SMALL) else { return };
    assert_eq!([count::<i16>(&graph, 9), count::<f32>(&graph, 13)], [0, 0]);
}

/// How far an engine is from the reference.
#[derive(Debug, Default)]
struct Distance {
    n_positions: usize,
    /// The mean divergence of the reference's policy from the engine's, in nats.
    divergence: f64,
    /// The largest difference of the probability of a win.
    p_win: f32,
    /// The largest difference of a probability of a move.
    policy: f32,
    /// Positions in which both have the same best move.
    n_same: usize,
}

impl Distance {
    fn see(&mut self, right: &NetEvaluation, got: &NetEvaluation) {
        self.n_positions += 1;
        self.p_win = self.p_win.max((right.p_win - got.p_win).abs());
        for (&p, &q) in right.policy.iter().zip(&got.policy) {
            self.policy = self.policy.max((p - q).abs());
            if p > 0.0 {
                self.divergence += f64::from(p) * (f64::from(p) / f64::from(q)).ln();
            }
        }
        let best = |policy: &[f32]| (0..policy.len()).max_by(|&a, &b| policy[a].total_cmp(&policy[b]));
        self.n_same += usize::from(best(&right.policy) == best(&got.policy));
    }

    fn mean_divergence(&self) -> f64 {
        self.divergence / self.n_positions as f64
    }
}

/// Engines of one kind of number by size, built when they are first asked.
struct Engines<'a, T: Number> {
    graph: &'a Graph,
    by_size: HashMap<usize, (Engine<T>, Scratch<T>)>,
}

impl<T: Number> Engines<'_, T> {
    fn evaluate(&mut self, input: &NetInput<'_>) -> NetOutput {
        let (engine, scratch) = self.by_size.entry(input.width).or_insert_with(|| {
            let engine = Engine::new(self.graph, [input.width, input.height], Isa::best());
            let scratch = engine.scratch(1);
            (engine, scratch)
        });
        let mut out = [NetOutput::default()];
        engine.evaluate(scratch, std::slice::from_ref(input), &mut out).unwrap();
        let [out] = out;
        out
    }
}

/// Compares both engines with the reference; gives the distances of i16 and f32.
fn compare(net: &str, list: &str) -> Option<[Distance; 2]> {
    let graph = load(net)?;
    let mut distances = [Distance::default(), Distance::default()];
    let mut short = Engines::<i16> { graph: &graph, by_size: HashMap::new() };
    let mut long = Engines::<f32> { graph: &graph, by_size: HashMap::new() };
    for vector in vectors(list)? {
        let game = game(&vector);
        let (width, height) = (game.size().width(), game.size().height());
        let mut planes = vec![0.0; N_PLANES * width * height];
        let mut globals = [0.0; N_GLOBALS];
        GameInput::new(&game).fill(&mut planes, &mut globals);
        let input = NetInput { width, height, point_planes: &planes, globals: &globals };
        let read = |output: &NetOutput| {
            let policy = vector["policy"].as_array().unwrap();
            let legal: Vec<bool> = policy.iter().map(serde_json::Value::is_number).chain([true]).collect();
            let mut out = NetEvaluation::default();
            let query = ReadoutQuery { legal: &legal, may_end_without_result: true, optimism: 0.0 };
            graph.readout().read(output, &query, &mut out);
            out
        };
        let right = read(&cpu::f32::evaluate(&graph, &input).unwrap());
        distances[0].see(&right, &read(&short.evaluate(&input)));
        distances[1].see(&right, &read(&long.evaluate(&input)));
    }
    println!("{}: i16 {:?}, mean {:.2e}", graph.name, distances[0], distances[0].mean_divergence());
    println!("{}: f32 {:?}, mean {:.2e}", graph.name, distances[1], distances[1].mean_divergence());
    Some(distances)
}

fn check(net: &str, list: &str) {
    let Some([short, long]) = compare(net, list) else { return };
    assert!(short.mean_divergence() <= 1e-4 && short.p_win <= 5e-3, "{short:?}");
    assert!(100 * short.n_same >= 98 * short.n_positions, "{short:?}");
    assert!(long.p_win <= 5e-5 && long.policy <= 1e-4, "{long:?}");
}

#[test]
fn six_blocks_of_version_8() {
    check(SMALL, "vectors/g170-b6c96.jsonl.gz");
}

#[test]
fn eighteen_bottlenecks_of_version_14() {
    let list = "vectors/kata1-b18c384nbt-s9996604416.jsonl.gz";
    check("kata1-b18c384nbt-s9996604416-d4316597426.bin.gz", list);
}

#[test]
fn a_transformer_of_version_15() {
    check("b10c384h6nbttflrs.bin.gz", "vectors/b10c384h6nbttflrs.jsonl.gz");
}
