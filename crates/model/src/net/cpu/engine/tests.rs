//! Whole networks against the reference engine.

use super::*;
use crate::net::cpu;
use crate::net::sample;
use goban::Rng;

/// Planes of a random position: stones, each with a number of liberties, a little history.
fn planes(width: usize, height: usize, rng: &mut Rng) -> (Vec<f32>, Vec<f32>) {
    let mut planes = vec![0.0; N_PLANES * width * height];
    for point in planes.chunks_exact_mut(N_PLANES) {
        point[0] = 1.0;
        if rng.unit() < 0.5 {
            point[1 + usize::from(rng.unit() < 0.5)] = 1.0;
            point[3 + (rng.unit() * 2.99) as usize] = 1.0;
        }
        if rng.unit() < 0.05 {
            point[9 + (rng.unit() * 4.99) as usize] = 1.0;
        }
    }
    let globals = (0..N_GLOBALS).map(|_| rng.unit() - 0.5).collect();
    (planes, globals)
}

fn evaluate<T: Number>(
    engine: &Engine<T>,
    positions: &[(Vec<f32>, Vec<f32>)],
    capacity: usize,
) -> Vec<NetOutput> {
    let [width, height] = engine.board();
    let inputs: Vec<NetInput<'_>> = positions
        .iter()
        .map(|(planes, globals)| NetInput { width, height, point_planes: planes, globals })
        .collect();
    let mut out = vec![NetOutput::default(); positions.len()];
    engine.evaluate(&mut engine.scratch(capacity), &inputs, &mut out).unwrap();
    out
}

/// The largest difference of any output.
fn distance(a: &NetOutput, b: &NetOutput) -> f32 {
    let numbers = |out: &NetOutput| {
        let small = out.winner.iter().chain(&out.score).copied();
        small.chain(out.policy.iter().copied()).chain(out.ownership.iter().copied()).collect::<Vec<f32>>()
    };
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn networks_of_every_block_agree_with_the_reference() {
    let mut rng = Rng::new(7);
    let boards = [[9, 9], [5, 5], [7, 7], [6, 11], [13, 13], [19, 19], [25, 25], [1, 3]];
    for (n, board) in boards.into_iter().enumerate() {
        let version = [8, 14, 15, 17][n % 4];
        let graph = sample::graph(version, [8, 20, 33][n % 3], n as u64);
        let position = planes(board[0], board[1], &mut rng);
        let input =
            NetInput { width: board[0], height: board[1], point_planes: &position.0, globals: &position.1 };
        let right = cpu::f32::evaluate(&graph, &input).unwrap();
        let spread = right.policy.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let (mut f32_bits, mut i16_out) = (Vec::new(), Vec::new());
        for isa in Isa::all() {
            let positions = [position.clone()];
            let out = evaluate(&Engine::<f32>::new(&graph, board, isa), &positions, 1).remove(0);
            let error = distance(&out, &right);
            assert!(error < 2e-4 * spread.max(1.0), "f32 {board:?} {}: {error} of {spread}", isa.name());
            f32_bits.push(out);
            let out = evaluate(&Engine::<i16>::new(&graph, board, isa), &positions, 1).remove(0);
            let error = distance(&out, &right);
            assert!(error < 2e-2 * spread.max(1.0), "i16 {board:?} {}: {error} of {spread}", isa.name());
            i16_out.push(out);
        }
        assert!(
            i16_out.iter().all(|out| *out == i16_out[0]),
            "{board:?}: i16 differs between instruction sets"
        );
    }
}

#[test]
fn a_batch_gives_the_bits_of_its_positions() {
    let mut rng = Rng::new(8);
    for board in [[9, 9], [8, 5]] {
        let graph = sample::graph(15, 24, 3);
        let positions: Vec<_> = (0..8).map(|_| planes(board[0], board[1], &mut rng)).collect();
        let engine = Engine::<i16>::new(&graph, board, Isa::best());
        let together = evaluate(&engine, &positions, 8);
        let by_three = evaluate(&engine, &positions, 3);
        let alone = evaluate(&engine, &positions, 1);
        assert!(together == alone && by_three == alone);
        assert!(alone[0] != alone[1]);
    }
}

#[test]
fn memory_is_bounded_by_a_group() {
    let graph = sample::conv_graph(8, 8, 1);
    for (side, group) in [(7, 9), (9, 4), (13, 2), (19, 1)] {
        let engine = Engine::<i16>::new(&graph, [side, side], Isa::best());
        assert_eq!(engine.group(), group);
        let n_bytes = |capacity| engine.scratch(capacity).n_bytes();
        assert!(n_bytes(64) == n_bytes(group) && (group == 1 || n_bytes(group) > n_bytes(group - 1)));
        // A batch that is no multiple of the group is cut as well.
        let positions: Vec<_> = (0..group + 1).map(|n| planes(side, side, &mut Rng::new(n as u64))).collect();
        assert!(evaluate(&engine, &positions, 64) == evaluate(&engine, &positions, 1));
        assert!(evaluate(&engine, &[], 64).is_empty());
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let graph = sample::conv_graph(8, 8, 1);
    let engine = Engine::<i16>::new(&graph, [9, 9], Isa::best());
    let (planes, globals) = planes(9, 9, &mut Rng::new(1));
    let mut out = [NetOutput::default()];
    let mut evaluate = |width, planes: &[f32], globals: &[f32]| {
        let input = NetInput { width, height: 9, point_planes: planes, globals };
        engine.evaluate(&mut engine.scratch(1), &[input], &mut out)
    };
    assert!(evaluate(9, &planes, &globals).is_ok());
    assert!(evaluate(8, &planes, &globals).is_err());
    assert!(evaluate(9, &planes[1..], &globals).is_err());
    assert!(evaluate(9, &planes, &globals[1..]).is_err());
}
