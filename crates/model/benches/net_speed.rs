//! Evaluations per CPU-second of a network file, for engines, batches and board sizes, beside the measured peak of fused
//! multiply-adds: `net_speed FILE [--engine i16|f32] [--size N] [--batch N] [--isa NAME] [--seconds S] [--count N]`.
//!
//! All combinations asked for take turns within one run, and the median of their windows is shown, so that other work on the
//! machine disturbs them alike. `--count N` evaluates N times and prints nothing else, for counting instructions.

use model::net::cpu::engine::{Engine, Scratch};
use model::net::cpu::gemm::Number;
use model::net::cpu::peak;
use model::net::cpu::simd::Isa;
use model::net::file;
use model::net::graph::{Graph, N_GLOBALS, N_PLANES};
use model::net::output::{NetInput, NetOutput};
use std::time::Duration;

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0))
}

/// Random planes about as dense as those of a middle game: stones with their liberties, history, area.
fn planes(size: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let mut planes = vec![0.0; size * size * N_PLANES];
    for point in planes.chunks_exact_mut(N_PLANES) {
        point[0] = 1.0;
        if draw() < 0.4 {
            point[if draw() < 0.5 { 1 } else { 2 }] = 1.0;
            let liberties = draw();
            if liberties < 0.6 {
                point[3 + (liberties * 5.0) as usize] = 1.0;
            }
        }
        if draw() < 0.5 {
            point[if draw() < 0.5 { 18 } else { 19 }] = 1.0;
        }
        if draw() < 0.03 {
            point[9 + (draw() * 5.0) as usize % 5] = 1.0;
        }
    }
    planes
}

/// Something that is timed.
trait Contender {
    fn name(&self) -> String;
    /// Evaluates a batch; gives the number of positions.
    fn evaluate(&mut self) -> usize;
}

struct Batch<T: Number> {
    engine: Engine<T>,
    scratch: Scratch<T>,
    positions: Vec<Vec<f32>>,
    out: Vec<NetOutput>,
}

impl<T: Number> Batch<T> {
    fn new(graph: &Graph, size: usize, batch: usize, isa: Isa) -> Batch<T> {
        let engine = Engine::new(graph, [size, size], isa);
        let scratch = engine.scratch(batch);
        let positions = (0..batch).map(|n| planes(size, 77 + n as u64)).collect();
        Batch { engine, scratch, positions, out: vec![NetOutput::default(); batch] }
    }
}

impl<T: Number> Contender for Batch<T> {
    fn name(&self) -> String {
        let [size, _] = self.engine.board();
        format!("{} {} {size}x{size} batch {}", T::NAME, self.engine.isa().name(), self.positions.len())
    }

    fn evaluate(&mut self) -> usize {
        let [width, height] = self.engine.board();
        let globals = [0.25; N_GLOBALS];
        let input = |planes| NetInput { width, height, point_planes: planes, globals: &globals };
        // On the stack: a batch of 16 at most.
        let mut inputs = [input(&self.positions[0]); 16];
        for (to, planes) in inputs.iter_mut().zip(&self.positions) {
            *to = input(planes);
        }
        let n = self.positions.len();
        self.engine.evaluate(&mut self.scratch, &inputs[..n], &mut self.out).expect("the sizes are right");
        n
    }
}

fn rate(seconds: f64, mut work: impl FnMut() -> u64) -> f64 {
    let start = cpu_time();
    let mut done = 0;
    loop {
        done += work();
        let spent = (cpu_time() - start).as_secs_f64();
        if spent >= seconds {
            return done as f64 / spent;
        }
    }
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let path = args.next().expect("the name of a network file");
    let (mut engines, mut sizes, mut batches) = (vec![], vec![], vec![]);
    let (mut seconds, mut count, mut isas) = (0.2, None, vec![]);
    while let Some(arg) = args.next() {
        let value = args.next().expect("a value for each option");
        match arg.as_str() {
            "--engine" => engines.push(value),
            "--size" => sizes.push(value.parse().expect("a size")),
            "--batch" => batches.push(value.parse::<usize>().expect("a batch").clamp(1, 16)),
            "--seconds" => seconds = value.parse().expect("seconds"),
            "--count" => count = Some(value.parse::<u32>().expect("a count")),
            "--isa" => isas.extend(Isa::all().into_iter().filter(|isa| isa.name() == value)),
            other => panic!("unknown option {other}"),
        }
    }
    let or = |list: Vec<usize>, default: &[usize]| if list.is_empty() { default.to_vec() } else { list };
    let (sizes, batches) = (or(sizes, &[9, 19]), or(batches, &[1, 8]));
    if engines.is_empty() {
        engines = vec!["i16".into(), "f32".into()];
    }
    if isas.is_empty() {
        isas.push(Isa::best());
    }
    let graph = file::read(std::fs::File::open(path).expect("a file that can be read")).expect("a network");
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    for &size in &sizes {
        for &batch in &batches {
            for &isa in &isas {
                for engine in &engines {
                    contenders.push(match engine.as_str() {
                        "f32" => Box::new(Batch::<f32>::new(&graph, size, batch, isa)),
                        _ => Box::new(Batch::<i16>::new(&graph, size, batch, isa)),
                    });
                }
            }
        }
    }
    if let Some(count) = count {
        for contender in &mut contenders {
            for _ in 0..count {
                contender.evaluate();
            }
        }
        return;
    }
    let mut peaks = Vec::new();
    let mut rates = vec![Vec::new(); contenders.len()];
    for _ in 0..7 {
        peaks.push(rate(seconds / 4.0, || peak::multiply_adds(isas[0], 100_000)));
        for (contender, rates) in contenders.iter_mut().zip(&mut rates) {
            contender.evaluate();
            rates.push(rate(seconds, || contender.evaluate() as u64));
        }
    }
    let peak = median(&mut peaks);
    println!("{}: peak {:.1} GMAC/s ({})", graph.name, peak / 1e9, isas[0].name());
    for (contender, rates) in contenders.iter().zip(&mut rates) {
        println!(
            "{:32} {:8.1} evaluations a CPU-second, {:6.1} per 50 GMAC/s of peak",
            contender.name(),
            median(rates),
            median(rates) / (peak / 50e9)
        );
    }
}
