//! Samples per CPU-second that a trainer learns from, on random rows, beside the measured peak of fused multiply-adds:
//! `train_speed [--net b6c64] [--size N] [--batch N] [--isa NAME] [--seconds S] [--count N] [--threads N]`.
//!
//! All networks asked for take turns within one run, and the median of their windows is shown, so that other work on the machine
//! disturbs them alike. `--count N` makes N steps and prints nothing else, for counting instructions and
//! profiles, and for the time that several threads take, of which only the first is measured.

use goban::Rng;
use model::net::cpu::peak;
use model::net::cpu::simd::Isa;
use model::net::graph::N_PLANES;
use std::time::Duration;
use train::net::{NetShape, Row, TrainSettings, Trainer};

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0))
}

/// A row with all targets and planes about as dense as those of a middle game: stones with their liberties, history, area.
fn row(size: u8, rng: &mut Rng) -> Row {
    let mut row = Row { width: size, height: size, weight: 1.0, ..Row::default() };
    let n_points = row.n_points();
    let mut planes = vec![0.0; n_points * N_PLANES];
    for point in planes.chunks_exact_mut(N_PLANES) {
        point[0] = 1.0;
        if rng.chance(0.4) {
            point[1 + rng.below(2) as usize] = 1.0;
            if rng.chance(0.6) {
                point[3 + rng.below(3) as usize] = 1.0;
            }
        }
        if rng.chance(0.5) {
            point[18 + rng.below(2) as usize] = 1.0;
        }
        if rng.chance(0.03) {
            point[9 + rng.below(5) as usize] = 1.0;
        }
    }
    row.set_planes(&planes);
    row.globals.iter_mut().for_each(|x| *x = rng.unit() - 0.5);
    row.set_legal(&vec![true; n_points + 1]);
    row.policy = vec![(rng.below(n_points as u32) as u16, 0.75), (n_points as u16, 0.25)];
    row.value = Some(rng.below(2) as f32);
    row.score = Some(20.0 * rng.unit() - 10.0);
    row.ownership = (0..n_points).map(|_| (rng.below(255) as i16 - 127) as i8).collect();
    row
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
    let (mut nets, mut size, mut batch, mut isa) = (vec![], 9u8, 256usize, Isa::best());
    let (mut seconds, mut count, mut threads) = (1.0, None, 1);
    while let Some(arg) = args.next() {
        let value = args.next().expect("a value for each option");
        match arg.as_str() {
            "--net" => nets.push(value),
            "--size" => size = value.parse().expect("a size"),
            "--batch" => batch = value.parse().expect("a batch"),
            "--seconds" => seconds = value.parse().expect("seconds"),
            "--count" => count = Some(value.parse::<u32>().expect("a count")),
            "--threads" => threads = value.parse().expect("threads"),
            "--isa" => isa = Isa::all().into_iter().find(|isa| isa.name() == value).expect("a set"),
            other => panic!("unknown option {other}"),
        }
    }
    if nets.is_empty() {
        nets = vec!["b6c64".into(), "b6c96".into()];
    }
    let mut rng = Rng::new(1);
    let rows: Vec<Row> = (0..batch).map(|_| row(size, &mut rng)).collect();
    let rows: Vec<&Row> = rows.iter().collect();
    let trainer = |net: &String| {
        let graph = NetShape::parse(net).expect("a size of a network").graph(1);
        Trainer::with_isa(graph, TrainSettings { threads, ..TrainSettings::default() }, isa)
            .expect("a network that can be trained")
    };
    let mut trainers: Vec<Trainer> = nets.iter().map(trainer).collect();
    let step = |trainer: &mut Trainer| trainer.step(&rows).expect("rows that can be learned from");
    if let Some(count) = count {
        for _ in 0..count {
            trainers.iter_mut().for_each(|trainer| _ = step(trainer));
        }
        return;
    }
    let (mut peaks, mut rates) = (Vec::new(), vec![Vec::new(); trainers.len()]);
    for _ in 0..5 {
        peaks.push(rate(seconds / 4.0, || peak::multiply_adds(isa, 100_000)));
        for (trainer, rates) in trainers.iter_mut().zip(&mut rates) {
            step(trainer);
            rates.push(rate(seconds, || step(trainer).n_rows as u64));
        }
    }
    let peak = median(&mut peaks);
    println!("peak {:.1} GMAC/s ({}), {size}x{size}, batch {batch}", peak / 1e9, isa.name());
    for (net, rates) in nets.iter().zip(&mut rates) {
        let rate = median(rates);
        let scaled = rate / (peak / 50e9);
        println!("{net:8} {rate:8.1} samples a CPU-second, {scaled:6.1} per 50 GMAC/s of peak");
    }
}
