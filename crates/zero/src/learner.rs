//! The trainer of a run, and what became of its losses since the last network.

use goban::{Rng, Size};
use model::net::file::own::{self, NetworkOrigin, NumberForm};
use model::net::graph::Graph;
use player::boardgame::Tabletop;
use train::net::{BoardSymmetries, NetShape, Row, StepLosses, Trainer};

use crate::curves::RunPoint;
use crate::folder::RunFolder;
use crate::{Error, ErrorPlace, Result, RunSettings};

/// Losses whose means are told.
const N_LOSSES: usize = 6;

/// The trainer with the sums of its losses.
pub struct Learner {
    trainer: Trainer,
    sums: [f64; N_LOSSES],
    n_summed: u64,
    /// Draws rows.
    pub rng: Rng,
}

impl Learner {
    /// The trainer of a run: as it was last stored, or at the beginning with random weights.
    ///
    /// # Errors
    /// A stored trainer that does not fit the settings.
    pub fn open(folder: &RunFolder, settings: &RunSettings, board: &dyn Tabletop) -> Result<Self> {
        let shape = NetShape::parse(&settings.net).map_err(Error::input).at("net")?;
        let symmetries =
            BoardSymmetries { board: board.size().map(|side| side as u8), turnings: board.turnings() };
        let train = settings.optimise.settings(settings.seed, vec![symmetries]);
        let trainer = match folder.checkpoint()? {
            Some(bytes) => {
                let place = folder.path().join("checkpoint");
                Trainer::read_checkpoint(&bytes[..], train).map_err(Error::input).at(place.display())?
            }
            None => Trainer::new(shape.graph(settings.seed), train).map_err(Error::input).at("net")?,
        };
        let rng = Rng::new(settings.seed ^ trainer.n_steps().wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Ok(Self { trainer, sums: [0.0; N_LOSSES], n_summed: 0, rng })
    }

    /// Training steps so far.
    pub fn n_steps(&self) -> u64 {
        self.trainer.n_steps()
    }

    /// Makes a step.
    ///
    /// # Errors
    /// When training has gone astray.
    pub fn step(&mut self, rows: &[&Row]) -> Result<()> {
        let StepLosses { policy, policy_entropy, policy_top1, value, score, ownership, .. } =
            self.trainer.step(rows).map_err(Error::input).at("training")?;
        let losses = [policy, policy_entropy, policy_top1, value, score, ownership];
        self.sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
        self.n_summed += 1;
        Ok(())
    }

    /// Writes the mean losses since this was last asked into a point of the curve.
    pub fn take_losses(&mut self, point: &mut RunPoint) {
        let n = self.n_summed.max(1) as f64;
        self.n_summed = 0;
        let means = std::mem::take(&mut self.sums).map(|sum| sum / n);
        [
            point.policy_loss,
            point.policy_entropy,
            point.policy_top1,
            point.value_loss,
            point.score_loss,
            point.ownership_loss,
        ] = means;
    }

    /// The network as it stands, under its number.
    pub fn graph(&self, number: u32) -> Graph {
        Graph { name: format!("zero-{number:04}"), ..self.trainer.graph() }
    }

    /// The bytes of a network file.
    ///
    /// # Errors
    /// Weights that are no numbers: training has gone astray.
    pub fn net_file(&self, graph: &Graph, settings: &RunSettings, board: &dyn Tabletop) -> Result<Vec<u8>> {
        let [width, height] = board.size();
        let origin = NetworkOrigin {
            game: board.entry().name.to_string(),
            boards: Size::new(width, height).into_iter().collect(),
            shape: settings.net.clone(),
            n_steps: self.n_steps(),
            trainer: "tengen train zero".to_string(),
            data: format!("games against itself ({})", settings.title),
            teacher: String::new(),
            licence: String::new(),
        };
        own::to_bytes(graph, &origin, NumberForm::F32).map_err(Error::other)
    }

    /// The trainer's bytes.
    ///
    /// # Errors
    /// None that memory could give.
    pub fn checkpoint(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.trainer.write_checkpoint(&mut bytes).map_err(Error::other)?;
        Ok(bytes)
    }
}
