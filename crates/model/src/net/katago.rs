//! A network of KataGo's behind the trait of all networks: read once, packed for each size of board that is asked about, and
//! shared by all threads.
//!
//! It plays in i16, so that a position gets the same bits on every machine and in every batch.

use super::cpu::engine::{EngineI16, Misfit, Scratch};
use super::cpu::simd::Isa;
use super::graph::Graph;
use super::output::{NetEvaluation, NetInput, NetOutput, Readout, ReadoutQuery};
use super::{BoardInput, InputForm, Net, NetAnswer, NetQuery};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Positions that are handed to an engine together.
const CAPACITY: usize = 16;

/// A network with the engines made of it.
pub struct KataGoNet {
    graph: Graph,
    readout: Readout,
    isa: Isa,
    /// The weight of the optimistic policy, 0..=1, for networks that have one.
    optimism: f32,
    engines: Mutex<Vec<Arc<SizedEngine>>>,
}

/// An engine for boards of one size, with scratch memory that threads borrow.
struct SizedEngine {
    engine: EngineI16,
    spare: Mutex<Vec<EngineMemory>>,
}

/// The buffers of one thread.
struct EngineMemory {
    scratch: Scratch<i16>,
    outputs: Vec<NetOutput>,
    evaluation: NetEvaluation,
}

impl SizedEngine {
    /// Buffers that no other thread uses; they are put back among the spare ones.
    fn borrow(&self) -> EngineMemory {
        lock(&self.spare).pop().unwrap_or_else(|| EngineMemory {
            scratch: self.engine.scratch(CAPACITY),
            outputs: Vec::new(),
            evaluation: NetEvaluation::default(),
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KataGoNet {
    /// The network of a graph, run with the best instructions of this machine.
    pub fn new(graph: Graph) -> KataGoNet {
        let readout = graph.readout();
        KataGoNet { graph, readout, isa: Isa::best(), optimism: 0.0, engines: Mutex::default() }
    }

    /// The name that the file gives the network.
    pub fn name(&self) -> &str {
        &self.graph.name
    }

    /// Layers and weights as the file has them.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Evaluates one position, in i16, and gives everything that the network tells of it.
    ///
    /// # Errors
    /// When planes or globals do not fit the board.
    pub fn evaluation(&self, board: &BoardInput<'_>) -> Result<NetEvaluation, Misfit> {
        let sized = self.engine([board.input.width, board.input.height]);
        let mut memory = sized.borrow();
        memory.outputs.resize_with(memory.outputs.len().max(1), NetOutput::default);
        let run = sized.engine.evaluate(&mut memory.scratch, &[board.input], &mut memory.outputs[..1]);
        let mut evaluation = NetEvaluation::default();
        if run.is_ok() {
            self.readout.read(&memory.outputs[0], &self.readout_query(board), &mut evaluation);
        }
        lock(&sized.spare).push(memory);
        run.map(|()| evaluation)
    }

    fn readout_query<'a>(&self, board: &BoardInput<'a>) -> ReadoutQuery<'a> {
        let BoardInput { legal, may_end_without_result, .. } = *board;
        ReadoutQuery { legal, may_end_without_result, optimism: self.optimism }
    }

    /// The engine for boards of these columns and rows, made when it is first asked for.
    fn engine(&self, board: [usize; 2]) -> Arc<SizedEngine> {
        let mut engines = lock(&self.engines);
        if let Some(engine) = engines.iter().find(|known| known.engine.board() == board) {
            return Arc::clone(engine);
        }
        let engine = EngineI16::new(&self.graph, board, self.isa);
        let sized = Arc::new(SizedEngine { engine, spare: Mutex::default() });
        engines.push(Arc::clone(&sized));
        sized
    }

    /// Answers questions about boards of one size.
    fn run(&self, size: [usize; 2], batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        let sized = self.engine(size);
        let mut memory = sized.borrow();
        for (batch, out) in batch.chunks(CAPACITY).zip(out.chunks_mut(CAPACITY)) {
            self.run_some(&sized.engine, &mut memory, batch, out);
        }
        lock(&sized.spare).push(memory);
    }

    fn run_some(
        &self,
        engine: &EngineI16,
        memory: &mut EngineMemory,
        batch: &[NetQuery<'_>],
        out: &mut [NetAnswer],
    ) {
        let EngineMemory { scratch, outputs, evaluation } = memory;
        let nothing = NetInput { width: 0, height: 0, point_planes: &[], globals: &[] };
        let mut inputs = [nothing; CAPACITY];
        let boards = || batch.iter().filter_map(|query| query.board);
        inputs.iter_mut().zip(boards()).for_each(|(input, board)| *input = board.input);
        outputs.resize_with(outputs.len().max(batch.len()), NetOutput::default);
        let is_run = engine.evaluate(scratch, &inputs[..batch.len()], outputs).is_ok();
        for ((board, output), out) in boards().zip(outputs).zip(out) {
            if !is_run {
                out.value = f32::NAN;
                continue;
            }
            self.readout.read(output, &self.readout_query(&board), evaluation);
            out.value = evaluation.p_win + 0.5 * evaluation.p_no_result;
            out.lead = evaluation.lead;
            out.policy.clone_from(&evaluation.policy);
            out.ownership.clone_from(&evaluation.ownership);
        }
    }
}

impl Net for KataGoNet {
    fn form(&self) -> InputForm {
        InputForm::Board
    }

    fn tells_scores(&self) -> bool {
        true
    }

    /// A question without a board is answered by no number.
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
        let size = |query: &NetQuery<'_>| query.board.map(|board| [board.input.width, board.input.height]);
        let mut from = 0;
        // A search asks about boards of one size; others follow each other as they come.
        for alike in batch.chunk_by(|a, b| size(a) == size(b)) {
            let to = from + alike.len();
            match size(&alike[0]) {
                Some(size) => self.run(size, alike, &mut out[from..to]),
                None => out[from..to].iter_mut().for_each(|out| out.value = f32::NAN),
            }
            from = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{N_GLOBALS, N_PLANES};
    use super::super::sample;
    use super::*;

    #[test]
    fn an_evaluation_tells_what_an_answer_tells_and_more() {
        let net = KataGoNet::new(sample::conv_graph(9, 6, 3));
        let (planes, globals) = ([1.0; 35 * N_PLANES], [0.5; N_GLOBALS]);
        let input = NetInput { width: 7, height: 5, point_planes: &planes, globals: &globals };
        let board = BoardInput { input, legal: &[true; 36], may_end_without_result: true };
        let mut answer = NetAnswer::default();
        net.evaluate_one(&NetQuery { key: 1, n_actions: 36, planes: None, board: Some(board) }, &mut answer);
        let told = net.evaluation(&board).unwrap();
        assert_eq!((told.lead, told.p_win + 0.5 * told.p_no_result), (answer.lead, answer.value));
        assert_eq!((&told.policy, &told.ownership), (&answer.policy, &answer.ownership));
        assert!(told.value_error.is_some() && net.graph().version == 9);
        let short = NetInput { point_planes: &planes[1..], ..input };
        assert!(net.evaluation(&BoardInput { input: short, ..board }).is_err());
    }
}
