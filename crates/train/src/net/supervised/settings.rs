//! The settings of a run.

use std::path::PathBuf;

use model::net::file::own::NumberForm;
use model::net::graph::Graph;
use toml::{Table, Value};

use crate::net::settings::Optimiser;
use crate::net::shape::NetShape;

/// Everything that a run is started with.
#[derive(Debug, Clone, PartialEq)]
pub struct SupervisedSettings {
    /// Files of rows to learn from.
    pub rows: Vec<PathBuf>,
    /// A file of rows to judge by.
    pub held_out: Option<PathBuf>,
    /// The network.
    pub shape: NetShape,
    /// A network to go on from, in place of random weights. Its shape is [`shape`](Self::shape).
    pub from: Option<BeginningNet>,
    /// Its name.
    pub name: String,
    /// Steps in all.
    pub n_steps: u64,
    /// Rows of a step.
    pub batch: usize,
    /// The optimiser.
    pub optimiser: OptimiserKind,
    /// The learning rate after warming up, from where it falls along half a cosine to a hundredth at the last step.
    pub learning_rate: f32,
    /// Steps over which the learning rate rises from 0.
    pub warm_up: u64,
    /// The pull of weights towards 0.
    pub weight_decay: f32,
    /// The largest length of a gradient.
    pub clip: f32,
    /// The share of the averaged weights that is kept with each step.
    pub average: f32,
    /// How much the policy counts; usually 1.
    pub policy_weight: f32,
    /// How much the result counts.
    pub value_weight: f32,
    /// How much the score counts.
    pub score_weight: f32,
    /// How much the owners count.
    pub ownership_weight: f32,
    /// The seed of the first weights, of the order of rows and of the symmetries.
    pub seed: u64,
    /// Steps between two points of the curve.
    pub curve_every: u64,
    /// Points of the curve between two checkpoints.
    pub checkpoint_points: u64,
    /// Threads at work; no bit of the result depends on them.
    pub threads: usize,
    /// The numbers in which the network's file keeps its weights.
    pub numbers: NumberForm,
}

/// A trained network that a run begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct BeginningNet {
    /// Its layers and weights.
    pub graph: Graph,
    /// What tells it from others: the beginning of its file's hash.
    pub identity: String,
}

/// How weights follow their gradients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OptimiserKind {
    /// Adam with weight decay apart.
    #[default]
    Adam,
    /// Gradient descent with momentum 0.9.
    Sgd,
}

impl OptimiserKind {
    /// All of them.
    pub const ALL: [OptimiserKind; 2] = [OptimiserKind::Adam, OptimiserKind::Sgd];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            OptimiserKind::Adam => "adam",
            OptimiserKind::Sgd => "sgd",
        }
    }

    /// The optimiser with its usual numbers.
    pub const fn usual(self) -> Optimiser {
        match self {
            OptimiserKind::Adam => Optimiser::ADAM,
            OptimiserKind::Sgd => Optimiser::SGD,
        }
    }
}

/// The weight of the policy if nobody says another.
pub const USUAL_POLICY_WEIGHT: f32 = 1.0;

/// Settings that are written down but may be others when a run goes on.
pub(super) const TOLD: [&str; 4] = ["rows", "held_out", "threads", "weights"];

impl SupervisedSettings {
    /// As they are kept in the folder of the run; the rows are known by their fingerprints.
    pub(super) fn to_table(&self, fingerprint: u64, held_out: u64) -> Table {
        let paths = |paths: &mut dyn Iterator<Item = &PathBuf>| -> Value {
            paths.map(|path| Value::from(path.display().to_string())).collect::<Vec<_>>().into()
        };
        let int = |n: u64| Value::Integer(i64::try_from(n).unwrap_or(i64::MAX));
        let number = |x: f32| Value::Float(x.to_string().parse().unwrap_or(f64::from(x)));
        let mut table = Table::new();
        for (key, value) in [
            ("rows", paths(&mut self.rows.iter())),
            ("rows_fingerprint", format!("{fingerprint:016x}").into()),
            ("held_out", paths(&mut self.held_out.iter())),
            ("held_out_fingerprint", format!("{held_out:016x}").into()),
            ("net", self.shape.to_string().into()),
            ("from", self.from.as_ref().map_or(String::new(), |from| from.identity.clone()).into()),
            ("name", self.name.clone().into()),
            ("steps", int(self.n_steps)),
            ("batch", int(self.batch as u64)),
            ("optimiser", self.optimiser.name().into()),
            ("learning_rate", number(self.learning_rate)),
            ("warm_up", int(self.warm_up)),
            ("weight_decay", number(self.weight_decay)),
            ("clip", number(self.clip)),
            ("average", number(self.average)),
            ("value_weight", number(self.value_weight)),
            ("score_weight", number(self.score_weight)),
            ("ownership_weight", number(self.ownership_weight)),
            ("seed", int(self.seed)),
            ("curve_every", int(self.curve_every)),
            ("checkpoint_points", int(self.checkpoint_points)),
            ("threads", int(self.threads as u64)),
            ("weights", self.numbers.name().into()),
        ] {
            table.insert(key.to_string(), value);
        }
        // The usual one is not named, so that runs from before there was a choice go on.
        if self.policy_weight != USUAL_POLICY_WEIGHT {
            table.insert("policy_weight".to_string(), number(self.policy_weight));
        }
        table
    }

    /// Steps between two checkpoints.
    pub fn checkpoint_every(&self) -> u64 {
        self.curve_every.saturating_mul(self.checkpoint_points).max(1)
    }

    /// The command that makes this network, without the files.
    pub(super) fn command(&self) -> String {
        let from = self.from.as_ref().map_or(String::new(), |from| format!(" --from {}", from.identity));
        let is_usual = self.policy_weight == USUAL_POLICY_WEIGHT;
        let policy =
            if is_usual { String::new() } else { format!(" --policy-weight {}", self.policy_weight) };
        format!(
            "tengen train net --net {}{from} --steps {} --batch {} --optimiser {} --learning-rate {} --warm-up {} --weight-decay {} \
             --clip {} --average {}{policy} --value-weight {} --score-weight {} --ownership-weight {} --seed {}",
            self.shape,
            self.n_steps,
            self.batch,
            self.optimiser.name(),
            self.learning_rate,
            self.warm_up,
            self.weight_decay,
            self.clip,
            self.average,
            self.value_weight,
            self.score_weight,
            self.ownership_weight,
            self.seed
        )
    }
}
