//! The engines of a network compared with the reference: the same positions in i16 and f32, on every instruction set of
//! this machine.

use goban::{Size, Symmetry};
use model::net::cpu;
use model::net::cpu::engine::Misfit;
use model::net::cpu::runner::{self, NumberKind};
use model::net::cpu::simd::Isa;
use model::net::graph::Graph;
use model::net::output::{NetEvaluation, NetOutput, ReadoutQuery};
use model::net::{BoardInput, EncodedPosition};

use super::{positions, raw};
use crate::player::PlayerError;

/// Sides of the boards, and the moves after which a position is taken from one game.
const GAMES: [(usize, &[usize]); 3] = [(9, &[0, 8, 20, 40]), (13, &[30, 80]), (19, &[60])];

/// The largest differences between an engine and the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetDifferences {
    /// Of the probability of a win, 0..=1.
    pub p_win: f32,
    /// Of the probability of a move, 0..=1.
    pub policy: f32,
    /// Of the lead, in points.
    pub lead: f32,
    /// Of the owner of a point, 0..=2.
    pub ownership: f32,
}

/// The differences tolerated of i16, which rounds activations and weights to 16 bits.
pub const I16_TOLERANCE: NetDifferences =
    NetDifferences { p_win: 0.02, policy: 0.03, lead: 0.5, ownership: 0.1 };
/// The differences tolerated of f32, which adds in another order than the reference.
pub const F32_TOLERANCE: NetDifferences =
    NetDifferences { p_win: 0.001, policy: 0.001, lead: 0.02, ownership: 0.005 };

/// One engine on one instruction set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineCheck {
    /// The numbers it computes in: `i16` or `f32`.
    pub number: &'static str,
    /// The instruction set.
    pub isa: &'static str,
    /// The largest differences from the reference over all positions; NaN where a number is not finite.
    pub largest: NetDifferences,
    /// What is tolerated.
    pub tolerance: NetDifferences,
    /// Positions in which the most probable move is another one.
    pub n_other_moves: usize,
    /// Whether the outputs are bit for bit those of the first instruction set.
    pub is_same: bool,
}

impl NetDifferences {
    /// Takes in one position.
    fn see(&mut self, right: &NetEvaluation, got: &NetEvaluation) {
        let worse = |most: &mut f32, a: f32, b: f32| {
            let difference = (a - b).abs();
            if difference.is_nan() || difference > *most {
                *most = difference;
            }
        };
        worse(&mut self.p_win, right.p_win, got.p_win);
        worse(&mut self.lead, right.lead, got.lead);
        right.policy.iter().zip(&got.policy).for_each(|(a, b)| worse(&mut self.policy, *a, *b));
        right.ownership.iter().zip(&got.ownership).for_each(|(a, b)| worse(&mut self.ownership, *a, *b));
    }

    /// Whether none is larger than in `tolerance`; what is not a number is larger.
    pub fn is_within(&self, tolerance: &NetDifferences) -> bool {
        self.p_win <= tolerance.p_win
            && self.policy <= tolerance.policy
            && self.lead <= tolerance.lead
            && self.ownership <= tolerance.ownership
    }
}

impl EngineCheck {
    /// Whether the engine computes what it should: within its tolerance, and in i16 the same bits on every instruction set.
    pub fn is_good(&self) -> bool {
        self.largest.is_within(&self.tolerance) && (self.number != "i16" || self.is_same)
    }
}

/// A position and what the reference makes of it.
struct CheckedPosition {
    encoded: EncodedPosition,
    right: NetEvaluation,
}

impl CheckedPosition {
    fn read(&self, graph: &Graph, output: &NetOutput) -> NetEvaluation {
        let BoardInput { legal, may_end_without_result, .. } = raw::question(&self.encoded);
        let mut out = NetEvaluation::default();
        graph.readout().read(
            output,
            &ReadoutQuery { legal, may_end_without_result, optimism: 0.0 },
            &mut out,
        );
        out
    }
}

/// The number of positions that are compared.
pub fn n_positions() -> usize {
    GAMES.iter().map(|(_, plies)| plies.len()).sum()
}

/// Compares the engines with the reference, engine by engine.
///
/// # Errors
/// Never for networks that can be read: when the games cannot be played, or a position does not fit.
pub fn check(graph: &Graph) -> Result<Vec<EngineCheck>, PlayerError> {
    let mut cases = Vec::new();
    for (side, plies) in GAMES {
        let size = Size::square(side).map_err(|error| unable(error.to_string()))?;
        for position in positions::played(size, plies)? {
            let encoded = raw::encode(&position, Symmetry::IDENTITY);
            let output = cpu::f32::evaluate(graph, &raw::question(&encoded).input)
                .map_err(|error| unable(error.to_string()))?;
            let mut case = CheckedPosition { encoded, right: NetEvaluation::default() };
            case.right = case.read(graph, &output);
            cases.push(case);
        }
    }
    let misfit = |error: Misfit| unable(error.to_string());
    let mut checks = run(NumberKind::I16, graph, &cases, I16_TOLERANCE).map_err(misfit)?;
    checks.extend(run(NumberKind::F32, graph, &cases, F32_TOLERANCE).map_err(misfit)?);
    Ok(checks)
}

fn unable(why: String) -> PlayerError {
    PlayerError::Unable { name: "the check".to_string(), why }
}

fn run(
    number: NumberKind,
    graph: &Graph,
    cases: &[CheckedPosition],
    tolerance: NetDifferences,
) -> Result<Vec<EngineCheck>, Misfit> {
    let mut first: Vec<NetOutput> = Vec::new();
    let mut checks = Vec::new();
    for isa in Isa::all() {
        let outputs = outputs(number, graph, cases, isa)?;
        let mut largest = NetDifferences::default();
        let mut n_other_moves = 0;
        for (case, output) in cases.iter().zip(&outputs) {
            let got = case.read(graph, output);
            largest.see(&case.right, &got);
            n_other_moves += usize::from(best(&case.right.policy) != best(&got.policy));
        }
        if first.is_empty() {
            first.clone_from(&outputs);
        }
        let is_same = outputs == first;
        let (number, isa) = (number.name(), isa.name());
        checks.push(EngineCheck { number, isa, largest, tolerance, n_other_moves, is_same });
    }
    Ok(checks)
}

/// The outputs of one engine, one packed network at a time.
fn outputs(
    number: NumberKind,
    graph: &Graph,
    cases: &[CheckedPosition],
    isa: Isa,
) -> Result<Vec<NetOutput>, Misfit> {
    let mut all = Vec::new();
    for cases in cases.chunk_by(|a, b| a.encoded.board == b.encoded.board) {
        let mut engine = runner::build(number, graph, cases[0].encoded.board, isa, 1);
        for case in cases {
            let mut out = [NetOutput::default()];
            let input = raw::question(&case.encoded).input;
            engine.evaluate(&[input], &mut out)?;
            all.extend(out);
        }
    }
    Ok(all)
}

fn best(policy: &[f32]) -> Option<usize> {
    (0..policy.len()).max_by(|&a, &b| policy[a].total_cmp(&policy[b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::net::sample;

    #[test]
    fn a_sound_network_is_within_its_tolerances() {
        let checks = check(&sample::conv_graph(8, 6, 4)).unwrap();
        assert_eq!(checks.len(), 2 * Isa::all().len());
        assert!(checks.iter().all(EngineCheck::is_good), "{checks:#?}");
        assert!(checks.iter().any(|check| check.largest.p_win > 0.0));
    }

    #[test]
    fn what_is_no_number_is_not_within_anything() {
        let right = NetEvaluation { policy: vec![0.25, 0.75], ..NetEvaluation::default() };
        let mut got = NetEvaluation { policy: vec![0.5, 0.5], lead: 0.25, ..NetEvaluation::default() };
        let mut largest = NetDifferences::default();
        largest.see(&right, &got);
        assert_eq!((largest.policy, largest.lead, largest.p_win), (0.25, 0.25, 0.0));
        assert!(!largest.is_within(&I16_TOLERANCE));
        assert!(largest.is_within(&NetDifferences { policy: 0.25, ..I16_TOLERANCE }));
        got.p_win = f32::NAN;
        largest.see(&right, &got);
        got.p_win = 0.0;
        largest.see(&right, &got);
        assert!(largest.p_win.is_nan());
        assert!(!largest.is_within(&NetDifferences { p_win: 1.0, policy: 1.0, lead: 1.0, ownership: 1.0 }));
    }
}
