//! `tengen train bt`, `tm`, `full-ranking` and `latent`: models that rank moves.
//!
//! Reading order: this file (the options of each trainer), `run` (the training), `keep` (reading games, going on after an
//! interruption).

pub(super) mod keep;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use train::ranking::{
    FullRankingSettings, LatentSettings, MmSettings, PairModel, RankingMethod, SgdSettings, TmSettings,
};

use crate::options::{parse_seed, parse_whole};

/// The options that all trainers of this kind share.
#[derive(Args)]
pub(crate) struct RankingOptions {
    /// Game lists, SGF files, or folders: all .sgf and .gz files below are taken
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Side of the board; games on others are passed over
    #[arg(long, default_value_t = 9, value_parser = parse_whole, allow_negative_numbers = true)]
    size: usize,
    /// Games to take, the first ones: lists begin with the best. One in twenty is kept to judge by
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = parse_whole, allow_negative_numbers = true)]
    games: usize,
    /// Positions drawn from each game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_whole, allow_negative_numbers = true)]
    positions: usize,
    /// Times that all positions are gone through
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = parse_whole, allow_negative_numbers = true)]
    rounds: usize,
    /// Seed of all that is drawn
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Features by name with commas between, or all: place, last, shape, … (a wrong name lists them)
    #[arg(long, value_name = "NAMES", default_value = "all")]
    features: String,
    /// Circles that stood around fewer played moves than this are not learned; 0: none are
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = parse_whole, allow_negative_numbers = true)]
    common: usize,
    /// Megabytes of positions at which no more games are taken
    #[arg(long, value_name = "MB", default_value_t = 2000, value_parser = parse_whole, allow_negative_numbers = true)]
    memory: usize,
    /// Where the model is written. After each round FILE.part is: the same command goes on from it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// How factors are fitted.
#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// Minorization-maximization
    Mm,
    /// Stochastic gradient descent
    Sgd,
}

/// Train a Bradley-Terry model
///
/// A move is a team of features, and P(move) is the product of their factors by the sum of such products over all moves.
/// The factors under which the played moves are likeliest are found by minorization-maximization [Coulom 2007] or by
/// stochastic gradient descent: two ways to the same optimum. The file is a predictor for `tengen predict --with
/// model:FILE`.
#[derive(Args)]
pub(crate) struct BtOptions {
    #[command(flatten)]
    ranking: RankingOptions,
    /// How the factors are found
    #[arg(long, value_enum, default_value = "mm")]
    by: By,
    /// mm: games that each feature has won, and as many that it has lost, against one of factor 1
    #[arg(long, value_name = "N", default_value_t = MmSettings::default().prior)]
    prior: f32,
    /// sgd: the first step, in the logarithm of a factor
    #[arg(long, value_name = "STEP", default_value_t = SgdSettings::default().rate)]
    rate: f32,
}

/// Train a Thurstone-Mosteller model by Gaussian density filtering
///
/// Every feature is worth something normal, and the played move is the one that performed best [Stern, Herbrich & Graepel
/// 2006]. The file is a predictor for `tengen predict --with model:FILE`.
#[derive(Args)]
pub(crate) struct TmOptions {
    #[command(flatten)]
    ranking: RankingOptions,
    /// Variance of every feature before anything is learned; that of a performance about a move's strength is 1
    #[arg(long, value_name = "V", default_value_t = TmSettings::default().variance)]
    variance: f32,
}

/// How probable it is that one move beats another.
#[derive(Clone, Copy, ValueEnum)]
enum Pairs {
    /// Bradley-Terry: logistic
    Bt,
    /// Thurstone-Mosteller: normal
    Tm,
}

/// Train a model by Bayesian full ranking
///
/// The played move beat every other one, pair by pair [Weng & Lin 2011]. The file is a predictor for `tengen predict --with
/// model:FILE`.
#[derive(Args)]
pub(crate) struct FullRankingOptions {
    #[command(flatten)]
    ranking: RankingOptions,
    /// The model of a pair
    #[arg(long, value_enum, default_value = "bt")]
    by: Pairs,
    /// Variance of every feature before anything is learned; that of a performance about a move's strength is 1
    #[arg(long, value_name = "V", default_value_t = FullRankingSettings::new(PairModel::BradleyTerry).variance)]
    variance: f32,
}

/// Train a Bradley-Terry model with pairwise interactions of features
///
/// Beside its weight every feature has some latent factors, and every two features of a move add the product of theirs
/// [Wistuba & Schmidt-Thieme 2013]. The file is a predictor for `tengen predict --with model:FILE`.
#[derive(Args)]
pub(crate) struct LatentOptions {
    #[command(flatten)]
    ranking: RankingOptions,
    /// Latent factors of each feature, 1 to 7
    #[arg(long, value_name = "K", default_value_t = LatentSettings::default().n_factors, value_parser = parse_whole, allow_negative_numbers = true)]
    factors: usize,
    /// The first step of a weight
    #[arg(long, value_name = "STEP", default_value_t = LatentSettings::default().rate)]
    rate: f32,
    /// The first step of a factor
    #[arg(long, value_name = "STEP", default_value_t = LatentSettings::default().factor_rate)]
    factor_rate: f32,
}

/// Refuses what is no number above 0.
fn positive(option: &str, number: f32) -> Result<()> {
    if !(number.is_finite() && number > 0.0) {
        bail!("{option} {number}: expected a number above 0");
    }
    Ok(())
}

impl BtOptions {
    pub(super) fn run(self) -> Result<ExitCode> {
        match self.by {
            By::Mm => {
                if !(self.prior.is_finite() && self.prior >= 0.0) {
                    bail!("--prior {}: expected 0 or more", self.prior);
                }
                let words = format!("bt --by mm --prior {}", self.prior);
                self.ranking.run(&words, RankingMethod::Mm(MmSettings { prior: self.prior }))
            }
            By::Sgd => {
                positive("--rate", self.rate)?;
                let words = format!("bt --by sgd --rate {}", self.rate);
                let settings = SgdSettings { rate: self.rate, ..SgdSettings::default() };
                self.ranking.run(&words, RankingMethod::Sgd(settings))
            }
        }
    }
}

impl TmOptions {
    pub(super) fn run(self) -> Result<ExitCode> {
        positive("--variance", self.variance)?;
        let settings = TmSettings { variance: self.variance, ..TmSettings::default() };
        self.ranking.run(&format!("tm --variance {}", self.variance), RankingMethod::Tm(settings))
    }
}

impl FullRankingOptions {
    pub(super) fn run(self) -> Result<ExitCode> {
        positive("--variance", self.variance)?;
        let (word, pairs) = match self.by {
            Pairs::Bt => ("bt", PairModel::BradleyTerry),
            Pairs::Tm => ("tm", PairModel::ThurstoneMosteller),
        };
        let settings = FullRankingSettings { variance: self.variance, ..FullRankingSettings::new(pairs) };
        let words = format!("full-ranking --by {word} --variance {}", self.variance);
        self.ranking.run(&words, RankingMethod::FullRanking(settings))
    }
}

impl LatentOptions {
    pub(super) fn run(self) -> Result<ExitCode> {
        let Self { factors, rate, factor_rate, .. } = self;
        if !(1..=model::ranking::rows::MAX_FACTORS).contains(&factors) {
            bail!("--factors {factors}: expected 1 to {}", model::ranking::rows::MAX_FACTORS);
        }
        positive("--rate", rate)?;
        positive("--factor-rate", factor_rate)?;
        let settings = LatentSettings { n_factors: factors, rate, factor_rate, ..LatentSettings::default() };
        let words = format!("latent --factors {factors} --rate {rate} --factor-rate {factor_rate}");
        self.ranking.run(&words, RankingMethod::Latent(settings))
    }
}
