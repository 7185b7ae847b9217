//! From the trainer to the next network: its file, its trial, its point on the curves.

use std::sync::Arc;

use lab::stats::elo_of_rate;
use mcts::LoadedNet;
use model::net::Net;
use model::net::katago::KataGoNet;

use super::{NetAtPlay, Run, RunEvent, lock};
use crate::Result;
use crate::curves::{self, RunPoint};
use crate::folder::RunState;
use crate::learner::Learner;
use crate::selfplay::SelfPlayer;
use crate::trial::{self, TrialResult};

impl Run {
    /// Makes a network of what the trainer has, has it play its trial, and lets it play on. Everything is on the disk before the
    /// network is announced; of a trial that is stopped nothing remains.
    pub(super) fn publish(&self, learner: &mut Learner, tell: &(dyn Fn(&RunEvent) + Sync)) -> Result<()> {
        let state = *lock(&self.state);
        let number = state.newest + 1;
        let graph = learner.graph(number);
        let file = learner.net_file(&graph, &self.settings, self.start.as_ref())?;
        self.folder.store_net(number, &file)?;
        let net: Arc<dyn Net> = Arc::new(KataGoNet::new(graph));
        let candidate = NetAtPlay { number, net: LoadedNet(net) };
        let Some(trial) = self.try_out(&candidate)? else { return Ok(()) };
        let gain = gain(&trial);
        let elo = state.elo + gain;
        let (seconds, cpu_seconds) = self.seconds();
        let next = RunState {
            newest: number,
            steps: learner.n_steps(),
            playing: if trial.is_accepted { number } else { state.playing },
            elo: if trial.is_accepted { elo } else { state.elo },
            seconds,
            cpu_seconds,
        };
        let point = self.point(learner, &next, elo, &trial);
        self.folder.store_checkpoint(&learner.checkpoint()?)?;
        curves::add(&self.folder.curves(), &point)?;
        let mut games = lock(&self.games);
        games.log.store()?;
        self.folder.set_state(&next)?;
        games.log.turn(number)?;
        games.tally = Default::default();
        games.tally_from = next.seconds;
        drop(games);
        *lock(&self.state) = next;
        if trial.is_accepted {
            *lock(&self.playing) = candidate;
        }
        tell(&RunEvent::Net(Box::new(point)));
        Ok(())
    }

    /// The trial of a new network against the one that plays; none if it was stopped.
    fn try_out(&self, candidate: &NetAtPlay) -> Result<Option<TrialResult>> {
        let settings = &self.settings;
        if settings.trial.games < 2 {
            return Ok(Some(TrialResult { score: Default::default(), is_accepted: true }));
        }
        let best = lock(&self.playing).clone();
        let seed = settings.seed ^ u64::from(candidate.number) << 32;
        let mut candidate = SelfPlayer::new(settings, candidate.net.clone(), seed)?;
        let mut best = SelfPlayer::new(settings, best.net, seed + 1)?;
        let start = self.start.as_ref();
        trial::play(&mut candidate, &mut best, start, &settings.trial, seed, &self.stop)
    }

    /// The network's point on the curves.
    fn point(&self, learner: &mut Learner, state: &RunState, elo: f64, trial: &TrialResult) -> RunPoint {
        let games = lock(&self.games);
        let sums = games.log.sums();
        let limit = games.resign.limit();
        // Where nobody gives up, it is of interest what the limit that is wanted would cost.
        let asked = if limit > 0.0 { limit } else { self.settings.play.resign_below };
        let (n_given_up, n_wrong) = games.resign.errors(asked);
        let mut point = RunPoint {
            net: state.newest,
            hours: state.seconds / 3600.0,
            cpu_hours: state.cpu_seconds / 3600.0,
            games: sums.games,
            positions: sums.positions,
            steps: learner.n_steps(),
            window: games.window.len() as u64,
            elo,
            trial_games: trial.score.games.games(),
            trial_rate: trial.score.rate().map_or(0.5, |rate| rate.rate),
            accepted: u32::from(trial.is_accepted),
            resign_below: f64::from(limit),
            resign_errors: n_wrong as f64 / n_given_up.max(1) as f64,
            ..RunPoint::default()
        };
        learner.take_losses(&mut point);
        games.tally.write((state.seconds - games.tally_from) / 3600.0, &mut point);
        point
    }
}

/// By how much a network is stronger, as its trial says; half a point is given to each side, so that no difference is without end.
fn gain(trial: &TrialResult) -> f64 {
    let n = trial.score.games.games();
    match n {
        0 => 0.0,
        n => elo_of_rate((trial.score.games.points() + 0.5) / (n as f64 + 1.0)),
    }
}
