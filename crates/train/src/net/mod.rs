//! Networks that learn: rows of positions with targets, and what makes a network fit them.
//!
//! A network sees every game as a board: planes and globals as KataGo's networks read them ([`model::net::InputForm::Board`]), a
//! logit for each point and one for the pass. So one kind of network, one file and one engine serve Go and the games beside it.
//! A network is trained as the [`Graph`](model::net::graph::Graph) that engines run, on their kernels; what it answers in training is what
//! it answers in play.
//!
//! In reading order: [`row`] a position with its targets · [`rows`] rows on disk · [`source`] rows from recorded games · [`shape`] new
//! networks · [`settings`] · [`trainer`] steps and measurements · [`checkpoint`] a trainer as bytes · [`run`] a run
//! that may be ended at any moment · [`supervised`] a network that learns from rows on disk; inside of the
//! trainer: `batch` rows as a network reads them · `loss` · `optimise` · `workers` threads · `plan` the layers of a network · `tensors` its
//! weights as one vector · `packed` the weights as products read them · `pass` a few boards through all layers and back.

mod batch;
pub mod checkpoint;
mod loss;
mod optimise;
mod packed;
mod pass;
mod plan;
pub mod row;
pub mod rows;
pub mod run;
pub mod settings;
pub mod shape;
pub mod source;
pub mod supervised;
mod tensors;
pub mod trainer;
mod workers;

pub use batch::BadRow;
pub use checkpoint::{CheckpointError, replace_file};
pub use loss::StepLosses;
pub use plan::Untrainable;
pub use row::Row;
pub use settings::{
    Averaging, BoardSymmetries, LossWeights, Optimiser, RateSchedule, RateShape, TrainSettings,
};
pub use shape::NetShape;
pub use trainer::{MeasureError, StepError, Trainer, check_trainable, measure};

#[cfg(test)]
mod tests;
