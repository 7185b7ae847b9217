//! A run seen from outside: what a terminal and a page show.

use std::path::Path;

use crate::curves::{self, RunPoint};
use crate::folder::{GameSums, RunFolder, RunState};
use crate::{Result, RunSettings};

/// A run as it stands.
#[derive(Clone, Debug)]
pub struct RunStatus {
    /// What it was told.
    pub settings: RunSettings,
    /// Where it is.
    pub state: RunState,
    /// Its games so far.
    pub sums: GameSums,
    /// Its networks.
    pub curve: Vec<RunPoint>,
    /// Whether a run works in the folder now.
    pub is_running: bool,
}

impl RunStatus {
    /// Looks into the folder of a run, which may be at work.
    ///
    /// # Errors
    /// A folder without a run; files that are not understood.
    pub fn read(path: &Path) -> Result<Self> {
        let folder = RunFolder::new(path);
        let settings = folder.run_settings()?;
        let state = folder.state()?;
        let mut sums = GameSums::default();
        for net in (0..=state.newest).rev() {
            if let Some((before, games)) = folder.read_games(net)? {
                sums = before;
                games.iter().for_each(|game| sums.add(game));
                break;
            }
        }
        let (curve, is_running) = (curves::read(&folder.curves())?, folder.is_locked());
        Ok(Self { settings, state, sums, curve, is_running })
    }

    /// The newest network's point.
    pub fn newest(&self) -> Option<&RunPoint> {
        self.curve.last()
    }
}
