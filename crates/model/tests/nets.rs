//! Real networks: files that others trained are read to the last byte, and one position gets the evaluation that KataGo
//! gives. The files are looked for in the folder `nets` of the data folder; where one is missing its test is skipped.

mod common;

use common::load;
use model::net::cpu::f32::evaluate;
use model::net::graph::{Block, Graph, N_GLOBALS, N_PLANES};
use model::net::output::{NetEvaluation, NetInput, ReadoutQuery};

/// The planes and globals of a 9×9 game with komi 7.5 after B E5, W C3, B G7, White to move, by Tromp-Taylor rules.
fn three_stones() -> (Vec<f32>, Vec<f32>) {
    let (e5, c3, g7) = (4 * 9 + 4, 6 * 9 + 2, 2 * 9 + 6);
    let mut planes = vec![0.0; N_PLANES * 81];
    (0..81).for_each(|point| planes[point * N_PLANES] = 1.0);
    // Stones of the mover and of the opponent, the last three moves, and the area of either side.
    for (plane, point) in
        [(1, c3), (2, e5), (2, g7), (9, g7), (10, c3), (11, e5), (18, c3), (19, e5), (19, g7)]
    {
        planes[point * N_PLANES + plane] = 1.0;
    }
    let mut globals = vec![0.0; N_GLOBALS];
    globals[5] = 7.5 / 20.0;
    // Positional superko, suicide is legal, and half a point beyond a drawable komi.
    [globals[6], globals[7], globals[8], globals[18]] = [1.0, 0.5, 1.0, 0.5];
    (planes, globals)
}

fn evaluation(graph: &Graph) -> NetEvaluation {
    let (planes, globals) = three_stones();
    let output =
        evaluate(graph, &NetInput { width: 9, height: 9, point_planes: &planes, globals: &globals }).unwrap();
    let mut legal = vec![true; 82];
    [40, 56, 24].iter().for_each(|&point| legal[point] = false);
    let query = ReadoutQuery { legal: &legal, may_end_without_result: false, optimism: 0.2 };
    let mut out = NetEvaluation::default();
    graph.readout().read(&output, &query, &mut out);
    out
}

/// The probability that White wins is what KataGo prints, and everything else is in range.
fn check(graph: &Graph, p_win: f32) {
    let out = evaluation(graph);
    assert!((out.p_win - p_win).abs() < 1e-5, "{} instead of {p_win}", out.p_win);
    assert!((out.p_win + out.p_loss - 1.0).abs() < 1e-6);
    assert!((out.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(out.ownership.iter().all(|owner| owner.abs() <= 1.0));
    assert!(out.lead.abs() < 20.0 && out.score_mean.abs() < 20.0 && out.score_stdev > 0.0);
    println!(
        "{}: {} weights, win {}, lead {}, best move {:?}",
        graph.name,
        graph.n_weights(),
        out.p_win,
        out.lead,
        out.policy.iter().copied().fold(0.0, f32::max)
    );
}

#[test]
fn six_blocks_of_version_8() {
    let Some(graph) = load("g170-b6c96-s175395328-d26788732.bin.gz") else { return };
    assert_eq!((graph.version, graph.trunk.n_channels, graph.trunk.blocks.len()), (8, 96, 6));
    assert_eq!(graph.policy.n_channels(), 1);
    check(&graph, 0.596878);
}

#[test]
fn eighteen_bottlenecks_of_version_14() {
    let Some(graph) = load("kata1-b18c384nbt-s9996604416-d4316597426.bin.gz") else { return };
    assert_eq!((graph.version, graph.trunk.n_channels, graph.trunk.blocks.len()), (14, 384, 18));
    assert_eq!(graph.policy.n_channels(), 2);
    check(&graph, 0.953676);
}

#[test]
fn a_transformer_of_version_15() {
    let Some(graph) = load("b10c384h6nbttflrs.bin.gz") else { return };
    assert_eq!((graph.version, graph.trunk.n_channels), (15, 384));
    fn has_attention(block: &Block) -> bool {
        match block {
            Block::Attention(_) => true,
            Block::Bottleneck(block) => block.blocks.iter().any(has_attention),
            _ => false,
        }
    }
    assert!(graph.trunk.blocks.iter().any(has_attention));
    check(&graph, 0.953792);
}
