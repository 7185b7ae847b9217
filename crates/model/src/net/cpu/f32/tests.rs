//! Whole passes.

use super::*;
use crate::net::graph::*;
use crate::net::output::NetInput;
use crate::net::sample::{self, Maker};

fn ones(n_in: usize, n_out: usize, value: f32) -> Conv {
    Conv { height: 1, width: 1, n_in, n_out, weights: vec![value; n_in * n_out] }
}

fn product(n_in: usize, n_out: usize, value: f32) -> MatMul {
    MatMul { n_in, n_out, weights: vec![value; n_in * n_out] }
}

fn plain(n: usize) -> NormAct {
    NormAct { norm: Norm { scale: vec![1.0; n], bias: vec![0.0; n] }, activation: Activation::Relu }
}

/// One channel everywhere: the sum of the planes plus a tenth of the sum of the globals, and no block.
fn tiny() -> Graph {
    Graph {
        name: "tiny".into(),
        version: 8,
        multipliers: Multipliers::default(),
        prefers_pass_alive: false,
        trunk: Trunk {
            name: "trunk".into(),
            n_channels: 1,
            conv: ones(N_PLANES, 1, 1.0),
            globals: product(N_GLOBALS, 1, 0.1),
            blocks: Vec::new(),
            tip: TipNorm::Batch(plain(1).norm),
            tip_activation: Activation::Relu,
        },
        policy: PolicyHead {
            name: "policy".into(),
            regular: ones(1, 1, 2.0),
            pool: ones(1, 1, 3.0),
            pool_act: plain(1),
            to_bias: MatMul { n_in: 3, n_out: 1, weights: vec![1.0, 0.0, 10.0] },
            act: plain(1),
            out: ones(1, 1, 0.5),
            pass: MatMul { n_in: 3, n_out: 1, weights: vec![0.0, 1.0, 0.0] },
            pass_hidden: None,
        },
        value: ValueHead {
            name: "value".into(),
            regular: ones(1, 1, 1.0),
            act: plain(1),
            hidden: MatMul { n_in: 3, n_out: 2, weights: vec![1.0, 0.0, 0.0, 0.0, 0.0, 1.0] },
            hidden_bias: MatBias { weights: vec![0.5, 0.0] },
            hidden_activation: Activation::Relu,
            winner: MatMul { n_in: 2, n_out: 3, weights: vec![1.0, -1.0, 0.0, 0.0, 0.0, 1.0] },
            winner_bias: MatBias { weights: vec![0.0, 0.0, 7.0] },
            score: product(2, 4, 1.0),
            score_bias: MatBias { weights: vec![0.0, 1.0, 2.0, 3.0] },
            ownership: ones(1, 1, -1.0),
        },
    }
}

#[test]
fn a_pass_worked_by_hand() {
    // Two points: the planes add up to 1 and 3, the globals to 10: the tip is 2 and 4.
    let mut planes = vec![0.0; 2 * N_PLANES];
    (planes[0], planes[N_PLANES]) = (1.0, 1.0);
    planes[N_PLANES + 21] = 2.0;
    let mut globals = vec![0.0; N_GLOBALS];
    globals[18] = 10.0;
    let input = NetInput { width: 2, height: 1, point_planes: &planes, globals: &globals };
    let out = evaluate(&tiny(), &input).unwrap();
    let side = 2f32.sqrt() - 14.0;
    let near = |got: &[f32], right: &[f32]| {
        assert_eq!(got.len(), right.len());
        assert!(got.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-4), "{got:?} instead of {right:?}");
    };
    // Pooled: 6 and 12 have the mean 9 and the maximum 12; the bias is 129. Points: (2·2 + 129)/2 and (2·4 + 129)/2.
    near(&out.policy, &[66.5, 68.5, 9.0 * side * 0.1]);
    // Hidden: mean 3 + 0.5, and 3·(s²/100 − 0.1).
    let second = 3.0 * (side * side * 0.01 - 0.1);
    near(&out.winner, &[3.5, -3.5, second + 7.0]);
    let sum = 3.5 + second;
    near(&out.score, &[sum, sum + 1.0, sum + 2.0, sum + 3.0, 0.0, 0.0]);
    near(&out.ownership, &[-2.0, -4.0]);
}

fn transposed_conv(conv: &mut Conv) {
    let old = conv.clone();
    conv.weights.clear();
    for (row, column) in (0..old.width).flat_map(|row| (0..old.height).map(move |column| (row, column))) {
        (0..old.n_in).for_each(|input| conv.weights.extend(old.row(column, row, input)));
    }
    (conv.height, conv.width) = (old.width, old.height);
}

fn transposed_block(block: &mut Block) {
    match block {
        Block::Ordinary(block) => {
            transposed_conv(&mut block.first);
            transposed_conv(&mut block.second);
        }
        Block::Pooling(block) => {
            transposed_conv(&mut block.regular);
            transposed_conv(&mut block.pool);
            transposed_conv(&mut block.last);
        }
        Block::Bottleneck(block) => block.blocks.iter_mut().for_each(transposed_block),
        Block::Attention(block) => match &mut block.rope {
            Some(Rope::Learned { frequencies }) => frequencies.iter_mut().for_each(|pair| pair.swap(0, 1)),
            rope => *rope = None,
        },
        Block::FeedForward(_) => {}
    }
}

/// The points of a board with rows and columns exchanged.
fn transposed(x: &[f32], width: usize, height: usize) -> Vec<f32> {
    let n = x.len() / (width * height);
    let points = (0..width).flat_map(|x| (0..height).map(move |y| y * width + x));
    points.flat_map(|point| &x[point * n..][..n]).copied().collect()
}

#[test]
fn exchanging_rows_and_columns_of_board_and_kernels_exchanges_the_answer() {
    for (version, width, height) in [(8, 5, 5), (14, 7, 4), (15, 3, 9), (16, 9, 2), (17, 6, 6)] {
        let mut graph = sample::graph(version, 6, u64::from(version));
        let n_points = width * height;
        let (planes, globals) = Maker::new(4, Activation::Relu).input(n_points);
        // A fixed embedding of positions has no transposed form: it is left out.
        for block in &mut graph.trunk.blocks {
            if let Block::Attention(block) = block
                && matches!(block.rope, Some(Rope::Fixed { .. }))
            {
                block.rope = None;
            }
        }
        let out =
            evaluate(&graph, &NetInput { width, height, point_planes: &planes, globals: &globals }).unwrap();
        transposed_conv(&mut graph.trunk.conv);
        graph.trunk.blocks.iter_mut().for_each(transposed_block);
        let planes = transposed(&planes, width, height);
        let input = NetInput { width: height, height: width, point_planes: &planes, globals: &globals };
        let other = evaluate(&graph, &input).unwrap();

        assert_eq!(out.n_channels(), graph.policy.n_channels());
        let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
        for channel in 0..out.n_channels() {
            let (one, two) = (out.channel(channel), other.channel(channel));
            assert!(near(&transposed(&one[..n_points], width, height), &two[..n_points]), "{version}");
            assert!(near(&one[n_points..], &two[n_points..]), "{version}");
        }
        assert!(near(&transposed(&out.ownership, width, height), &other.ownership), "{version}");
        assert!(near(&out.winner, &other.winner) && near(&out.score, &other.score), "{version}");
        let is_alive = |x: &[f32]| x.iter().all(|x| x.is_finite()) && x.iter().any(|other| *other != x[0]);
        assert!(is_alive(&out.policy) && is_alive(&out.ownership) && is_alive(&out.winner), "{out:?}");
    }
}

#[test]
fn inputs_of_the_wrong_size_are_refused() {
    let planes = vec![0.0; N_PLANES * 26 * 26];
    let try_with = |width, height, n_planes, n_globals| {
        let (planes, globals) = (&planes[..n_planes], &planes[..n_globals]);
        evaluate(&tiny(), &NetInput { width, height, point_planes: planes, globals }).is_ok()
    };
    assert!(try_with(25, 25, N_PLANES * 625, N_GLOBALS));
    assert!(!try_with(26, 25, N_PLANES * 650, N_GLOBALS));
    assert!(!try_with(0, 5, 0, N_GLOBALS));
    assert!(!try_with(5, 5, N_PLANES * 25 - 1, N_GLOBALS));
    assert!(!try_with(5, 5, N_PLANES * 25, N_GLOBALS - 1));
}
