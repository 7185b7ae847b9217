//! What a run of reinforcement is started with.

use model::net::file::NetworkOrigin;
use model::net::file::own::NumberForm;
use toml::{Table, Value};
use train::net::supervised::{BeginningNet, OptimiserKind};
use train::net::{Averaging, LossWeights, RateSchedule, RateShape, TrainSettings};

use super::games::PlayRules;

/// Everything that a run is started with.
#[derive(Clone, Debug)]
pub struct ReinforceSettings {
    /// The game with its board and its rules, in words.
    pub game: String,
    /// The network that the run begins with, and the first opponent.
    pub from: BeginningNet,
    /// Where that network comes from, if its file tells.
    pub from_origin: Option<NetworkOrigin>,
    /// The name inside the network's file.
    pub name: String,
    /// Batches in all. Each is one step.
    pub n_batches: u64,
    /// Games of a batch.
    pub games: usize,
    /// Batches after which the network joins the pool of opponents, again and again.
    pub pool_every: u64,
    /// Opponents that are drawn for each batch.
    pub opponents: usize,
    /// What a result is compared with.
    pub baseline: Baseline,
    /// How moves are drawn, and when games are ended.
    pub rules: PlayRules,
    /// The optimiser.
    pub optimiser: OptimiserKind,
    /// The learning rate, which stays.
    pub learning_rate: f32,
    /// Batches over which it rises from 0.
    pub warm_up: u64,
    /// The pull of weights towards 0.
    pub weight_decay: f32,
    /// The largest length of a gradient.
    pub clip: f32,
    /// How much the loss of the result counts beside the policy's, which counts 1.
    pub value_weight: f32,
    /// Batches between two points of the curve, each of which is a checkpoint as well.
    pub curve_every: u64,
    /// Games against the first network for a point of the curve.
    pub measure_games: usize,
    /// Everything random follows from it.
    pub seed: u64,
    /// Threads at work; no bit of the result depends on them.
    pub threads: usize,
    /// The numbers in which the network's file keeps its weights.
    pub numbers: NumberForm,
}

/// What a result, 1 for a win and −1 for a loss, is compared with: the difference is the move's advantage. At the temperature 1, at which
/// moves are drawn as the policy says, none of them changes where the policy gradient points on average, since none knows the move; a good one
/// makes it less noisy. [Williams 1992] At another temperature the moves are those of another policy, and the baseline pulls at this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Baseline {
    /// Nothing: wins are good and losses bad.
    None,
    /// The mean result of the batch's other games.
    Mean,
    /// The result that the network itself expects in the position.
    #[default]
    Value,
}

impl Baseline {
    /// All of them.
    pub const ALL: [Baseline; 3] = [Baseline::None, Baseline::Mean, Baseline::Value];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Baseline::None => "none",
            Baseline::Mean => "mean",
            Baseline::Value => "value",
        }
    }
}

/// Settings that are written down but may be others when a run goes on.
pub(super) const TOLD: [&str; 2] = ["threads", "weights"];

impl ReinforceSettings {
    /// As they are kept in the folder of the run.
    pub(super) fn to_table(&self) -> Table {
        let int = |n: u64| Value::Integer(i64::try_from(n).unwrap_or(i64::MAX));
        let number = |x: f32| Value::Float(x.to_string().parse().unwrap_or(f64::from(x)));
        let mut table = Table::new();
        for (key, value) in [
            ("game", self.game.clone().into()),
            ("from", self.from.identity.clone().into()),
            ("name", self.name.clone().into()),
            ("batches", int(self.n_batches)),
            ("games", int(self.games as u64)),
            ("pool_every", int(self.pool_every)),
            ("opponents", int(self.opponents as u64)),
            ("baseline", self.baseline.name().into()),
            ("temperature", number(self.rules.temperature)),
            ("max_moves", int(self.rules.max_moves as u64)),
            ("optimiser", self.optimiser.name().into()),
            ("learning_rate", number(self.learning_rate)),
            ("warm_up", int(self.warm_up)),
            ("weight_decay", number(self.weight_decay)),
            ("clip", number(self.clip)),
            ("value_weight", number(self.value_weight)),
            ("curve_every", int(self.curve_every)),
            ("measure_games", int(self.measure_games as u64)),
            ("seed", int(self.seed)),
            ("threads", int(self.threads as u64)),
            ("weights", self.numbers.name().into()),
        ] {
            table.insert(key.to_string(), value);
        }
        table
    }

    /// The command that makes this network, without the files.
    pub(super) fn command(&self) -> String {
        format!(
            "tengen train reinforce --from {} --batches {} --games {} --pool-every {} --opponents {} --baseline {} --temperature {} \
             --max-moves {} --optimiser {} --learning-rate {} --warm-up {} --weight-decay {} --clip {} --value-weight {} --seed {}",
            self.from.identity,
            self.n_batches,
            self.games,
            self.pool_every,
            self.opponents,
            self.baseline.name(),
            self.rules.temperature,
            self.rules.max_moves,
            self.optimiser.name(),
            self.learning_rate,
            self.warm_up,
            self.weight_decay,
            self.clip,
            self.value_weight,
            self.seed
        )
    }

    /// The settings of the trainer. Positions are turned when they are played, so that what is learned is what was played.
    pub(super) fn train(&self) -> TrainSettings {
        TrainSettings {
            optimiser: self.optimiser.usual(),
            learning_rate: RateSchedule {
                peak: self.learning_rate,
                warm_up: self.warm_up,
                shape: RateShape::Constant,
            },
            weight_decay: self.weight_decay,
            clip: self.clip,
            loss_weights: LossWeights { policy: 1.0, value: self.value_weight, score: 0.0, ownership: 0.0 },
            averaging: Averaging::Off,
            threads: self.threads,
            seed: self.seed,
            symmetries: Vec::new(),
        }
    }
}
