//! Invariant: any bytes are a network or are refused with a reason, without a panic; a network has no more weights than its file has
//! room for, and evaluates a position. What is claimed beyond the bytes costs no memory: a large allocation is a finding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use model::net::cpu;
use model::net::file::{self, Limits};
use model::net::graph::{N_GLOBALS, N_PLANES};
use model::net::output::NetInput;

/// Bounds of unpacking that keep an input cheap.
const LIMITS: Limits = Limits { unpacked: 1 << 21, ratio: 20, free: 1 << 16 };
/// The largest network that is evaluated.
const MAX_WEIGHTS: usize = 100_000;
/// Bytes of a weight: at least a digit and a space.
const MIN_WEIGHT_BYTES: u64 = 2;

fuzz_target!(|bytes: &[u8]| {
    let graph = match file::read_within(bytes, LIMITS).map(|network| network.graph) {
        Ok(graph) => graph,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let n_bytes = bytes.len() as u64;
    let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
    let n_unpacked = if is_packed { LIMITS.free + LIMITS.ratio * n_bytes } else { n_bytes };
    let n_weights = graph.n_weights();
    // A norm has two weights for each channel where a file may have none, and its input has as many channels.
    assert!(
        MIN_WEIGHT_BYTES * n_weights as u64 <= 4 * n_unpacked,
        "{n_weights} weights in {n_unpacked} bytes"
    );
    if n_weights <= MAX_WEIGHTS {
        let (planes, globals) = ([1.0; 25 * N_PLANES], [0.5; N_GLOBALS]);
        let input = NetInput { width: 5, height: 5, point_planes: &planes, globals: &globals };
        let output = cpu::f32::evaluate(&graph, &input).expect("the position is a good one");
        assert_eq!((output.ownership.len(), output.policy.len() % 26), (25, 0));
    }
});
