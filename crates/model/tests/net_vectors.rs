//! Positions of real games, with the evaluations that KataGo printed for them: planes, reader and reference engine together
//! must give the same. Networks and positions are looked for in the data folder; what is missing is skipped.

mod common;
#[path = "common/vectors.rs"]
mod vectors;

use common::load;
use goban::Position;
use model::net::cpu::f32::evaluate;
use model::net::features::GameInput;
use model::net::graph::{Graph, N_GLOBALS, N_PLANES};
use model::net::output::{NetEvaluation, NetInput, ReadoutQuery};
use serde_json::Value;
use vectors::{game, number, vectors};

/// The optimism that KataGo mixes into the policies it prints.
const OPTIMISM: f32 = 0.2;

/// The largest differences from what KataGo printed.
#[derive(Debug, Default)]
struct Errors {
    n_positions: usize,
    p_win: f64,
    policy: f64,
    lead: f64,
    score: f64,
    /// Of the square of the score, the short-term errors and the variance time, relative to what they are, or in their unit below 1.
    share: f64,
    ownership: f64,
}

fn numbers<'a>(vector: &'a Value, key: &str) -> impl Iterator<Item = Option<f64>> + 'a {
    vector[key].as_array().expect("a list").iter().map(Value::as_f64)
}

/// The network's evaluation of a game, from the side of the player to move. Legal is what KataGo gives a probability.
fn evaluation(graph: &Graph, game: &Position, vector: &Value) -> NetEvaluation {
    let size = game.size();
    let mut planes = vec![0.0; N_PLANES * size.area()];
    let mut globals = [0.0; N_GLOBALS];
    GameInput::new(game).fill(&mut planes, &mut globals);
    let (width, height) = (size.width(), size.height());
    let input = NetInput { width, height, point_planes: &planes, globals: &globals };
    let output = evaluate(graph, &input).unwrap();
    let legal: Vec<bool> = numbers(vector, "policy").map(|p| p.is_some()).chain([true]).collect();
    let may_end_without_result = matches!(vector["rules"].as_str(), Some("chinese" | "japanese"));
    let query = ReadoutQuery { legal: &legal, may_end_without_result, optimism: OPTIMISM };
    let mut out = NetEvaluation::default();
    graph.readout().read(&output, &query, &mut out);
    out
}

impl Errors {
    /// Compares an evaluation with what was printed, which is from the side of White.
    fn see(&mut self, vector: &Value, out: &NetEvaluation) {
        let is_white = vector["to_move"] == "W";
        let side = if is_white { 1.0 } else { -1.0 };
        let worse =
            |error: &mut f64, got: f32, right: f64| *error = error.max((f64::from(got) - right).abs());
        self.n_positions += 1;
        let (p_win, p_loss) = if is_white { (out.p_win, out.p_loss) } else { (out.p_loss, out.p_win) };
        worse(&mut self.p_win, p_win, number(vector, "whiteWin"));
        worse(&mut self.p_win, p_loss, number(vector, "whiteLoss"));
        worse(&mut self.p_win, out.p_no_result, number(vector, "noResult"));
        worse(&mut self.lead, side * out.lead, number(vector, "whiteLead"));
        worse(&mut self.score, side * out.score_mean, number(vector, "whiteScoreSelfplay"));
        // Networks before version 9 have none of these; -1 is printed for them.
        let mut share = |got: Option<f32>, key: &str| {
            let right = number(vector, key);
            assert_eq!(right >= 0.0, got.is_some(), "{key}");
            if let Some(got) = got {
                worse(&mut self.share, got / right.max(1.0) as f32, right / right.max(1.0));
            }
        };
        share(out.value_error, "shorttermWinlossError");
        share(out.score_error, "shorttermScoreError");
        share(out.value_error.map(|_| out.variance_time), "varTimeLeft");
        share(Some(out.score_mean_sq), "whiteScoreSelfplaySq");
        for (p, right) in out.policy.iter().zip(numbers(vector, "policy")) {
            worse(&mut self.policy, *p, right.unwrap_or(0.0));
        }
        worse(&mut self.policy, *out.policy.last().unwrap(), number(vector, "policyPass"));
        for (owner, right) in out.ownership.iter().zip(numbers(vector, "whiteOwnership")) {
            worse(&mut self.ownership, side * owner, right.unwrap());
        }
    }
}

/// Compares the positions of a list with the network they belong to.
fn check(net: &str, list: &str) {
    let (Some(graph), Some(vectors)) = (load(net), vectors(list)) else { return };
    let mut worst = Errors::default();
    for vector in vectors {
        let game = game(&vector);
        let out = evaluation(&graph, &game, &vector);
        let mut errors = Errors::default();
        errors.see(&vector, &out);
        worst.see(&vector, &out);
        if errors.p_win > 1e-4 || errors.policy > 2e-4 || errors.lead > 0.02 || errors.ownership > 2e-3 {
            println!("{errors:?}\n{} {} {}", vector["size"], vector["rules"], vector["moves"]);
        }
    }
    println!("{}: {worst:?}", graph.name);
    assert!(worst.p_win <= 1e-4 && worst.policy <= 2e-4, "{worst:?}");
    assert!(worst.lead <= 0.02 && worst.score <= 0.02 && worst.ownership <= 2e-3, "{worst:?}");
    assert!(worst.share <= 1e-3, "{worst:?}");
}

#[test]
fn six_blocks_of_version_8() {
    check("g170-b6c96-s175395328-d26788732.bin.gz", "vectors/g170-b6c96.jsonl.gz");
}

#[test]
fn eighteen_bottlenecks_of_version_14() {
    let vectors = "vectors/kata1-b18c384nbt-s9996604416.jsonl.gz";
    check("kata1-b18c384nbt-s9996604416-d4316597426.bin.gz", vectors);
}

#[test]
fn a_transformer_of_version_15() {
    check("b10c384h6nbttflrs.bin.gz", "vectors/b10c384h6nbttflrs.jsonl.gz");
}
