//! The whole trainer on small networks.

use super::batch::{self, TurnedRow};
use super::packed::Packed;
use super::pass::{Memory, Pass};
use super::plan::Plan;
use super::row::FULL_OWNER;
use super::*;
use goban::{Rng, Size};
use model::net::cpu::engine::EngineF32;
use model::net::cpu::geometry::Geometry;
use model::net::cpu::simd::{BLOCK, Isa};
use model::net::graph::{Activation, Block, Graph, N_PLANES, TipNorm};
use model::net::output::{NetInput, NetOutput};

/// A row of random numbers with all targets.
pub(super) fn random_row(width: u8, height: u8, rng: &mut Rng) -> Row {
    let mut row = Row { width, height, weight: 0.5 + rng.unit(), ..Row::default() };
    let n_points = row.n_points();
    let planes: Vec<f32> =
        (0..N_PLANES * n_points).map(|n| f32::from(n % N_PLANES == 0 || rng.below(5) == 0)).collect();
    row.set_planes(&planes);
    row.globals.iter_mut().for_each(|x| *x = rng.unit() - 0.5);
    let legal: Vec<bool> = (0..=n_points).map(|n| n == n_points || rng.below(4) > 0).collect();
    row.set_legal(&legal);
    let mut places = vec![rng.below(n_points as u32) as u16, n_points as u16];
    places.dedup();
    row.policy = places.iter().map(|&place| (place, 1.0 / places.len() as f32)).collect();
    row.value = Some([0.0, 0.5, 1.0][rng.below(3) as usize]);
    row.score = Some(60.0 * rng.unit() - 30.0);
    row.ownership = (0..n_points).map(|_| (rng.below(255) as i16 - 127) as i8).collect();
    row
}

/// A network whose layers all say something.
pub(super) fn random_graph(shape: &str, activation: Activation, seed: u64) -> Graph {
    let mut graph = NetShape::parse(shape).unwrap().graph(seed);
    let mut rng = Rng::new(seed);
    for (_, weights) in tensors::tensors(&mut graph) {
        let spread = if weights.iter().all(|&w| w == 0.0) { 0.1 } else { 0.02 };
        weights.iter_mut().for_each(|w| *w += spread * (2.0 * rng.unit() - 1.0));
    }
    for block in &mut graph.trunk.blocks {
        match block {
            Block::Ordinary(block) => (block.pre.activation, block.mid.activation) = (activation, activation),
            Block::Pooling(block) => {
                for act in [&mut block.pre, &mut block.mid, &mut block.pool_act] {
                    act.activation = activation;
                }
            }
            _ => {}
        }
    }
    graph.trunk.tip_activation = activation;
    for act in [&mut graph.policy.act, &mut graph.policy.pool_act, &mut graph.value.act] {
        act.activation = activation;
    }
    graph.value.hidden_activation = activation;
    graph
}

fn refs(rows: &[Row]) -> Vec<&Row> {
    rows.iter().collect()
}

/// What the trainer's own way forwards gives for rows of one size.
fn outputs(graph: &Graph, rows: &[Row], isa: Isa) -> Vec<NetOutput> {
    let plan = Plan::new(graph).unwrap();
    let geometry = Geometry::new(rows[0].width.into(), rows[0].height.into());
    let mut packed = Packed::new(&plan, isa);
    packed.update(&plan, &tensors::flatten(graph), &[geometry.tile]);
    let mut memory = Memory::new(&plan, geometry);
    let turned: Vec<_> = rows.iter().map(|row| TurnedRow { row, turning: None }).collect();
    let mut all = Vec::new();
    for rows in turned.chunks(pass::n_together(geometry)) {
        memory.n_boards = rows.len();
        batch::write(rows, geometry.image(), &mut memory.tape.planes, &mut memory.tape.globals);
        Pass::new(&plan, &packed, isa, geometry).forward(&mut memory);
        let out = &memory.tape.outputs;
        let n = geometry.n_points();
        for board in 0..rows.len() {
            let points = |from: &[f32]| -> Vec<f32> {
                from[board * n * BLOCK..].iter().step_by(BLOCK).take(n).copied().collect()
            };
            let mut policy = points(&out.policy);
            policy.push(out.pass[board * BLOCK]);
            let mut score = [0.0; 6];
            score.copy_from_slice(&out.score[board * BLOCK..][..6]);
            let mut winner = [0.0; 3];
            winner.copy_from_slice(&out.winner[board * BLOCK..][..3]);
            all.push(NetOutput { policy, winner, score, ownership: points(&out.ownership) });
        }
    }
    all
}

fn largest_difference(a: &NetOutput, b: &NetOutput) -> f32 {
    let all = |out: &NetOutput| [&out.policy[..], &out.winner, &out.score, &out.ownership].concat();
    all(a).iter().zip(all(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn what_is_learned_is_what_is_played() {
    let mut rng = Rng::new(4);
    for (shape, activation) in
        [("b3c20", Activation::Relu), ("b3c16", Activation::Mish), ("b1c32", Activation::Silu)]
    {
        let graph = random_graph(shape, activation, 5);
        for [width, height] in [[9, 9], [7, 7], [5, 8]] {
            let rows: Vec<Row> = (0..11).map(|_| random_row(width, height, &mut rng)).collect();
            let engine = EngineF32::new(&graph, [width.into(), height.into()], Isa::best());
            let mut scratch = engine.scratch(4);
            for isa in Isa::all() {
                for (row, out) in rows.iter().zip(outputs(&graph, &rows, isa)) {
                    let mut planes = Vec::new();
                    row.fill_planes(&mut planes);
                    let (width, height) = (width.into(), height.into());
                    let input = NetInput { width, height, point_planes: &planes, globals: &row.globals };
                    let plain = model::net::cpu::f32::evaluate(&graph, &input).unwrap();
                    let mut fast = [NetOutput::default()];
                    engine.evaluate(&mut scratch, &[input], &mut fast).unwrap();
                    let size = plain.policy.iter().fold(1.0, |a: f32, b| a.max(b.abs()));
                    for right in [&plain, &fast[0]] {
                        let error = largest_difference(right, &out) / size;
                        assert!(error < 1e-4, "{shape} {width}×{height} {}: {error}", isa.name());
                    }
                }
            }
        }
    }
}

/// The slope of the loss along the gradient of each layer's weights is that gradient's length.
#[test]
fn gradients_are_slopes_layer_by_layer() {
    let mut rng = Rng::new(8);
    for (shape, activation, tolerance) in [
        ("b3c20", Activation::Mish, 0.02),
        ("b3c16", Activation::Silu, 0.02),
        ("b4c16", Activation::Relu, 0.06),
    ] {
        let graph = random_graph(shape, activation, 6);
        let mut rows: Vec<Row> = (0..6).map(|_| random_row(9, 9, &mut rng)).collect();
        rows.extend((0..3).map(|_| random_row(5, 4, &mut rng)));
        rows.extend((0..3).map(|_| random_row(7, 7, &mut rng)));
        rows[1].policy.clear();
        (rows[2].value, rows[3].score) = (None, None);
        rows[4].ownership.clear();
        // Policy gradients: moves that lost, moves that won, and one that did as expected.
        (rows[0].advantage, rows[5].advantage, rows[6].advantage) = (Some(-1.3), Some(0.7), Some(0.0));
        let rows = refs(&rows);
        let loss = |weights: &[f32]| {
            let graph = tensors::with_weights(&graph, weights);
            let losses = measure(&graph, &rows, &LossWeights::default(), 1).unwrap();
            losses.total
        };
        let mut trainer = Trainer::new(graph.clone(), TrainSettings::default()).unwrap();
        let (losses, gradients) = trainer.losses_and_gradients(&rows);
        let weights = tensors::flatten(&graph);
        assert!((losses.total - loss(&weights)).abs() < 1e-5);
        let mut at = 0;
        for (n, (_, tensor)) in tensors::tensors(&mut graph.clone()).into_iter().enumerate() {
            let own = at..at + tensor.len();
            at = own.end;
            let length = optimise::length(&gradients[own.clone()]);
            assert!(length > 1e-4, "layer {n} of {shape} learns nothing");
            let step = if activation == Activation::Relu { 0.003 } else { 0.02f64.min(0.01 / length) };
            let [up, down] = [step, -step].map(|step| {
                let mut moved = weights.clone();
                for (weight, gradient) in moved[own.clone()].iter_mut().zip(&gradients[own.clone()]) {
                    *weight += (step * f64::from(*gradient) / length) as f32;
                }
                loss(&moved)
            });
            let slope = (up - down) / (2.0 * step);
            let error = (slope - length).abs() / length;
            assert!(error < tolerance + 2e-6 / (step * length), "layer {n} of {shape}: {slope} but {length}");
        }
    }
}

#[test]
fn instruction_sets_give_nearly_the_same_gradients() {
    let mut rng = Rng::new(3);
    let mut rows: Vec<Row> = (0..9).map(|_| random_row(9, 9, &mut rng)).collect();
    rows.extend((0..2).map(|_| random_row(7, 6, &mut rng)));
    let graph = random_graph("b3c20", Activation::Mish, 7);
    let gradients = |isa: Isa| {
        let mut trainer = Trainer::with_isa(graph.clone(), TrainSettings::default(), isa).unwrap();
        trainer.losses_and_gradients(&refs(&rows)).1
    };
    let right = gradients(Isa::SCALAR);
    for isa in Isa::all() {
        let error: Vec<f32> = gradients(isa).iter().zip(&right).map(|(a, b)| a - b).collect();
        assert!(optimise::length(&error) < 1e-4 * optimise::length(&right), "{}", isa.name());
    }
}

#[test]
fn boards_that_are_not_there_learn_nothing() {
    // A tip that is not trained by one row alone is not trained by the row's missing targets.
    let graph = random_graph("b1c16", Activation::Relu, 1);
    assert!(matches!(graph.trunk.tip, TipNorm::Batch(_)));
    let mut row = random_row(6, 6, &mut Rng::new(1));
    row.policy.clear();
    row.ownership.clear();
    (row.value, row.score) = (None, None);
    let mut trainer = Trainer::new(graph, TrainSettings::default()).unwrap();
    let (losses, gradients) = trainer.losses_and_gradients(&[&row]);
    assert!(losses.total == 0.0 && gradients.iter().all(|&g| g == 0.0));
}

pub(super) fn settings(threads: usize) -> TrainSettings {
    TrainSettings {
        threads,
        learning_rate: RateSchedule { peak: 0.003, warm_up: 5, shape: RateShape::Constant },
        averaging: Averaging::Exponential { decay: 0.9 },
        symmetries: vec![
            BoardSymmetries::of_board(Size::new(9, 9).unwrap()),
            BoardSymmetries::of_board(Size::new(5, 4).unwrap()),
        ],
        ..TrainSettings::default()
    }
}

#[test]
fn threads_change_no_bit() {
    let mut rng = Rng::new(9);
    let mut rows: Vec<Row> = (0..70).map(|_| random_row(9, 9, &mut rng)).collect();
    rows.extend((0..20).map(|_| random_row(5, 4, &mut rng)));
    let graph = random_graph("b2c16", Activation::Relu, 2);
    let run = |threads| {
        let mut trainer = Trainer::new(graph.clone(), settings(threads)).unwrap();
        let losses: Vec<StepLosses> = (0..3).map(|_| trainer.step(&refs(&rows)).unwrap()).collect();
        (losses, trainer.graph(), trainer.last_graph())
    };
    let right = run(1);
    assert!(right.1 != graph && right.1 != right.2);
    assert!(run(2) == right && run(3) == right);
}

#[test]
fn a_few_rows_are_learned_by_heart() {
    let mut rng = Rng::new(11);
    let mut rows: Vec<Row> = (0..6).map(|_| random_row(7, 7, &mut rng)).collect();
    rows.extend((0..2).map(|_| random_row(5, 5, &mut rng)));
    for row in &mut rows {
        row.ownership.iter_mut().for_each(|owner| *owner = if *owner > 0 { FULL_OWNER } else { -FULL_OWNER });
    }
    let graph = NetShape::parse("b3c16").unwrap().graph(3);
    let before = measure(&graph, &refs(&rows), &LossWeights::default(), 1).unwrap();
    for (optimiser, peak) in [(Optimiser::ADAM, 0.005), (Optimiser::SGD, 0.1)] {
        let learning_rate =
            RateSchedule { peak, warm_up: 20, shape: RateShape::Cosine { n_steps: 300, floor: 0.01 } };
        let settings = TrainSettings {
            optimiser,
            learning_rate,
            clip: 1.0,
            weight_decay: 0.0,
            ..TrainSettings::default()
        };
        let mut trainer = Trainer::new(graph.clone(), settings).unwrap();
        for _ in 0..300 {
            trainer.step(&refs(&rows)).unwrap();
        }
        let after = measure(&trainer.graph(), &refs(&rows), &LossWeights::default(), 1).unwrap();
        assert!(before.policy - before.policy_entropy > 1.0 && before.value_sq > 0.05);
        assert!(after.policy - after.policy_entropy < 0.1, "{after:?}");
        assert!(after.value_sq < 0.01 && after.score_abs < 3.0 && after.ownership < 0.2, "{after:?}");
        assert!(after.policy_top1 > 0.9, "{after:?}");
    }
}

#[test]
fn moves_that_lost_become_less_likely_and_those_that_won_more() {
    let mut rng = Rng::new(12);
    for advantage in [-1.0, 1.0] {
        let mut row = random_row(5, 5, &mut rng);
        (row.advantage, row.weight) = (Some(advantage), 1.0);
        row.policy.truncate(1);
        row.policy[0].1 = 1.0;
        let only_policy = LossWeights { policy: 1.0, value: 0.0, score: 0.0, ownership: 0.0 };
        let settings = TrainSettings { loss_weights: only_policy, ..TrainSettings::default() };
        let graph = random_graph("b1c16", Activation::Relu, 3);
        let surprise = |graph: &Graph| measure(graph, &[&row], &only_policy, 1).unwrap().policy;
        let mut trainer = Trainer::new(graph.clone(), settings).unwrap();
        let losses = trainer.step(&[&row]).unwrap();
        assert!((losses.policy_weighted - f64::from(advantage) * losses.policy).abs() < 1e-5, "{losses:?}");
        assert!((losses.total - losses.policy_weighted).abs() < 1e-6);
        let change = surprise(&trainer.last_graph()) - surprise(&graph);
        assert!(change * f64::from(advantage) < 0.0, "{advantage}: {change}");
    }
}

#[test]
fn turned_rows_are_turned_together() {
    // A symmetric loss: the row turned and the network shown it turned are the same as a row written down turned.
    let size = Size::new(4, 3).unwrap();
    let row = random_row(4, 3, &mut Rng::new(5));
    let symmetries = BoardSymmetries::of_board(size);
    let graph = random_graph("b1c16", Activation::Relu, 3);
    for turning in &symmetries.turnings {
        let to: Vec<usize> = turning.places().chain([12]).collect();
        let mut turned = row.clone();
        if turning.is_transposed() {
            (turned.width, turned.height) = (3, 4);
        }
        let (mut planes, mut from) = (vec![0.0; 12 * N_PLANES], Vec::new());
        row.fill_planes(&mut from);
        for point in 0..12 {
            planes[to[point] * N_PLANES..][..N_PLANES].copy_from_slice(&from[point * N_PLANES..][..N_PLANES]);
            turned.ownership[to[point]] = row.ownership[point];
        }
        turned.set_planes(&planes);
        let mut legal = vec![false; 13];
        (0..13).for_each(|place| legal[to[place]] = row.is_legal(place));
        turned.set_legal(&legal);
        turned.policy.iter_mut().for_each(|(place, _)| *place = to[usize::from(*place)] as u16);
        let one = BoardSymmetries { turnings: vec![turning.clone()], ..symmetries.clone() };
        let settings = TrainSettings { symmetries: vec![one], ..TrainSettings::default() };
        let found = Trainer::new(graph.clone(), settings).unwrap().losses_and_gradients(&[&row]);
        let right =
            Trainer::new(graph.clone(), TrainSettings::default()).unwrap().losses_and_gradients(&[&turned]);
        assert!((found.0.total - right.0.total).abs() < 1e-5 && found.1 == right.1, "{turning:?}");
    }
}

#[test]
fn bad_rows_and_steps_are_refused() {
    let row = random_row(5, 5, &mut Rng::new(1));
    let mut trainer =
        Trainer::new(random_graph("b1c16", Activation::Relu, 3), TrainSettings::default()).unwrap();
    assert_eq!(trainer.step(&[]), Err(StepError::NoRows));
    let bad: [fn(&mut Row); 10] = [
        |row| row.width = 0,
        |row| row.height = 26,
        |row| row.planes.clear(),
        |row| row.legal.clear(),
        |row| row.ownership.truncate(3),
        |row| row.policy.push((26, 0.5)),
        |row| row.value = Some(f32::NAN),
        |row| row.score = Some(f32::INFINITY),
        |row| row.globals[3] = f32::NAN,
        |row| row.advantage = Some(f32::INFINITY),
    ];
    for (n, spoil) in bad.iter().enumerate() {
        let mut spoilt = row.clone();
        spoil(&mut spoilt);
        assert!(
            matches!(trainer.step(&[&row, &spoilt]), Err(StepError::BadRow(BadRow { row: 1, .. }))),
            "{n}"
        );
    }
    let far = Row { score: Some(3e38), weight: 3e38, ..row.clone() };
    let before = trainer.graph();
    assert!(matches!(trainer.step(&[&far]), Err(StepError::Diverged { n_steps: 0, .. })));
    assert!(trainer.graph() == before && trainer.step(&[&row]).is_ok());
}
