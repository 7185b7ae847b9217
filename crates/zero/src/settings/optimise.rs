//! The table `[optimise]`: how a training step is made.

use train::net::{
    Averaging, BoardSymmetries, LossWeights, Optimiser, RateSchedule, RateShape, TrainSettings,
};

recipe::words! {
    /// How weights follow their gradients.
    pub enum OptimiserName {
        /// Adam with weight decay apart.
        Adam = "adam",
        /// Gradient descent with momentum 0.9.
        Sgd = "sgd",
    }
}

recipe::params! {
    /// How a training step is made.
    pub struct OptimiseSettings as "optimise" {
        batch: u32 = 128, 1..=65_536, "positions of a step";
        optimiser: word(OptimiserName) = OptimiserName::Adam, "how weights follow their gradients";
        rate: f32 = 0.001, 0.0..=10.0, "the learning rate after warming up";
        warm_up: u32 = 100, 0..=1_000_000, "steps over which it rises from 0";
        fall_every: u32 = 0, 0..=1_000_000_000, "steps after which it is multiplied by `fall`, again and again; 0: never";
        fall: f32 = 0.5, 0.0..=1.0, "the factor";
        weight_decay: f32 = 0.0001, 0.0..=1.0, "the pull of weights towards 0";
        clip: f32 = 10.0, 0.0001..=1_000_000.0, "the largest length of a gradient; a longer one is shortened";
        average: f32 = 0.99, 0.0..=0.99999, "share that the averaged weights, which play, keep with each step; 0: the last ones play";
        value_weight: f32 = 1.0, 0.0..=1000.0, "weight of the result's loss beside the policy's";
        score_weight: f32 = 0.25, 0.0..=1000.0, "weight of the score's loss, where points count";
        ownership_weight: f32 = 0.5, 0.0..=1000.0, "weight of the owners' loss, where points count";
    }
}

impl OptimiseSettings {
    /// The trainer's settings, for rows with these symmetries.
    pub fn settings(&self, seed: u64, symmetries: Vec<BoardSymmetries>) -> TrainSettings {
        TrainSettings {
            optimiser: match self.optimiser {
                OptimiserName::Adam => Optimiser::ADAM,
                OptimiserName::Sgd => Optimiser::SGD,
            },
            learning_rate: RateSchedule {
                peak: self.rate,
                warm_up: u64::from(self.warm_up),
                shape: match self.fall_every {
                    0 => RateShape::Constant,
                    every => RateShape::Step { every: u64::from(every), factor: self.fall },
                },
            },
            weight_decay: self.weight_decay,
            clip: self.clip,
            loss_weights: LossWeights {
                policy: 1.0,
                value: self.value_weight,
                score: self.score_weight,
                ownership: self.ownership_weight,
            },
            averaging: match self.average {
                0.0 => Averaging::Off,
                decay => Averaging::Exponential { decay },
            },
            threads: 1,
            seed,
            symmetries,
        }
    }
}
