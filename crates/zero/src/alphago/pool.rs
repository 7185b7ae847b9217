//! The pool of opponents: the first network, and the learner as it was at regular numbers of batches. [Silver et al. 2016: playing against
//! many earlier selves keeps a policy from learning what beats its latest self alone]

use std::sync::Arc;

use goban::Rng;
use model::net::file::own::{self, NetworkOrigin, NumberForm};
use model::net::file::{self, Limits};
use model::net::graph::Graph;
use model::net::katago::KataGoNet;
use train::net::run::folder::TrainingFolder;

use crate::{Error, ErrorPlace, Result};

/// The earlier selves of a run, in files of its folder.
pub struct Pool<'a> {
    /// The folder.
    pub folder: &'a TrainingFolder,
    /// The network that the run began with, the opponent of number 0.
    pub first: &'a Arc<KataGoNet>,
    /// Batches after which the learner joins.
    pub every: u64,
}

/// The file of an opponent.
fn file_name(number: u64) -> String {
    format!("pool-{number:05}.net")
}

impl Pool<'_> {
    /// Opponents after `n_batches` batches.
    pub fn size(&self, n_batches: u64) -> u64 {
        1 + n_batches / self.every
    }

    /// Takes the learner in, if it joins after this number of batches. Its file is on the disk when this returns, and so before the checkpoint of a
    /// batch that is played against it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn join(
        &self,
        n_batches: u64,
        learner: impl FnOnce() -> Graph,
        origin: &NetworkOrigin,
    ) -> Result<()> {
        if !n_batches.is_multiple_of(self.every) {
            return Ok(());
        }
        let origin = NetworkOrigin { n_steps: n_batches, ..origin.clone() };
        let bytes = own::to_bytes(&learner(), &origin, NumberForm::F32).map_err(Error::other)?;
        self.folder.replace(&file_name(n_batches / self.every), &bytes).map_err(Error::input)
    }

    /// Draws the opponents of a batch, each as likely, perhaps the same one several times.
    ///
    /// # Errors
    /// When a file of the pool is missing or damaged.
    pub fn draw(&self, n_batches: u64, n: usize, rng: &mut Rng) -> Result<Vec<Arc<KataGoNet>>> {
        let size = u32::try_from(self.size(n_batches)).unwrap_or(u32::MAX);
        let mut drawn: Vec<(u64, Arc<KataGoNet>)> = Vec::with_capacity(n);
        for _ in 0..n {
            let number = u64::from(rng.below(size));
            let net = match drawn.iter().find(|(known, _)| *known == number) {
                Some((_, net)) => Arc::clone(net),
                None => self.net(number)?,
            };
            drawn.push((number, net));
        }
        Ok(drawn.into_iter().map(|(_, net)| net).collect())
    }

    /// The opponent of a number. Files have no subnormal weights, so everybody plays as his file says, in a run that was never stopped as well.
    fn net(&self, number: u64) -> Result<Arc<KataGoNet>> {
        if number == 0 {
            return Ok(Arc::clone(self.first));
        }
        let name = file_name(number);
        let missing = || {
            let path = self.folder.file(&name);
            Error::input(format!(
                "{}: this opponent is missing; expected the file that the run wrote",
                path.display()
            ))
        };
        let bytes = self.folder.read(&name).map_err(Error::input)?.ok_or_else(missing)?;
        let place = || self.folder.file(&name).display().to_string();
        let network = file::read_within(&bytes[..], Limits::default()).map_err(Error::input).at(place())?;
        Ok(Arc::new(KataGoNet::new(network.graph)))
    }
}
