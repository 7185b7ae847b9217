//! The memory of one thread for boards of one size: what is kept of the way forwards for the way back, gradients on their way, and
//! the sums that weights learn from.

use super::super::loss::LossSums;
use super::super::packed::Gradients;
use super::super::plan::{BlockPlan, NormId, Plan, PoolPlan, ProductId};
use super::n_together;
use model::net::cpu::gemm::padded;
use model::net::cpu::geometry::Geometry;
use model::net::cpu::pass::activate::Range;
use model::net::cpu::simd::Buffer;

/// Everything that a pass writes.
pub(in super::super) struct Memory {
    /// Boards under way.
    pub(in super::super) n_boards: usize,
    pub(in super::super) tape: Tape,
    pub(in super::super) gradients: Gradients,
    pub(in super::super) work: Work,
    /// What the rows of a piece cost.
    pub(in super::super) losses: LossSums,
}

/// Activations kept from the forward pass.
pub(in super::super) struct Tape {
    /// The planes as images.
    pub(in super::super) planes: Buffer<f32>,
    /// The globals of each board, padded.
    pub(in super::super) globals: Buffer<f32>,
    /// The trunk before each block, and at the tip.
    pub(super) trunk: Vec<Buffer<f32>>,
    pub(super) blocks: Vec<BlockTape>,
    /// The tip, activated.
    pub(super) tip: Buffer<f32>,
    /// What the first products of the heads give.
    pub(super) heads: Buffer<f32>,
    pub(super) pool: PoolTape,
    pub(super) policy: Buffer<f32>,
    pub(super) value: Buffer<f32>,
    pub(super) value_pooled: Buffer<f32>,
    /// The hidden layer before its activation and after.
    pub(super) hidden: [Buffer<f32>; 2],
    pub(in super::super) outputs: Outputs,
}

/// The outputs of a network, or their gradients.
pub(in super::super) struct Outputs {
    /// For each point a padded vector of which the first number is the logit.
    pub(in super::super) policy: Buffer<f32>,
    /// For each board the logit of the pass, padded.
    pub(in super::super) pass: Buffer<f32>,
    /// For each board the logits of the result, padded.
    pub(in super::super) winner: Buffer<f32>,
    /// For each board the scores, padded.
    pub(in super::super) score: Buffer<f32>,
    /// For each point the owner, padded.
    pub(in super::super) ownership: Buffer<f32>,
}

/// Activations kept of a block.
pub(super) struct BlockTape {
    /// What the first convolution reads, images.
    pub(super) first: Buffer<f32>,
    /// What it gives.
    pub(super) mid: Buffer<f32>,
    /// What the second convolution reads, images.
    pub(super) second: Buffer<f32>,
    pub(super) pool: Option<PoolTape>,
}

/// Activations kept where boards are pooled.
pub(super) struct PoolTape {
    /// The channels that are pooled, activated.
    pub(super) activated: Buffer<f32>,
    pub(super) pooled: Buffer<f32>,
    /// The bias that each board gives to others.
    pub(super) bias: Buffer<f32>,
    /// The same after their norm.
    pub(super) folded: Buffer<f32>,
}

/// Scratch memory.
pub(in super::super) struct Work {
    /// Transformed inputs, and their gradients.
    pub(super) left: Buffer<f32>,
    /// Products, and their gradients.
    pub(super) products: Buffer<f32>,
    pub(super) ones: Buffer<f32>,
    pub(super) ranges: Vec<Range>,
    /// Gradients of what convolutions read, images.
    pub(super) image: Buffer<f32>,
    /// Gradients of the trunk.
    pub(super) trunk: Buffer<f32>,
    /// Gradients of what the first convolution of a block gives, and of the heads' channels.
    pub(super) mid: Buffer<f32>,
    /// Gradients of activated channels.
    pub(super) activated: [Buffer<f32>; 2],
    /// Sums of a norm for each board.
    pub(super) sums: Buffer<f32>,
    /// Gradients of small vectors.
    pub(super) vectors: [Buffer<f32>; 3],
    /// Gradients of the outputs.
    pub(in super::super) outputs: Outputs,
}

/// Makes buffers for a number of boards.
struct Maker<'a> {
    plan: &'a Plan,
    geometry: Geometry,
    n_boards: usize,
}

impl Maker<'_> {
    fn dense(&self, n_channels: usize) -> Buffer<f32> {
        Buffer::zeros(self.n_boards * self.geometry.n_points() * n_channels)
    }

    fn images(&self, n_channels: usize) -> Buffer<f32> {
        Buffer::zeros(self.n_boards * self.geometry.image().n_points * n_channels)
    }

    fn vectors(&self, n: usize) -> Buffer<f32> {
        Buffer::zeros(self.n_boards * n)
    }

    fn n_norm(&self, norm: NormId) -> usize {
        padded(self.plan.norms[norm.0].n)
    }

    fn width(&self, product: ProductId) -> usize {
        self.plan.products[product.0].width
    }

    fn pool(&self, pool: &PoolPlan) -> PoolTape {
        let n = self.n_norm(pool.act);
        let width = self.width(pool.to_bias);
        PoolTape {
            activated: self.dense(n),
            pooled: self.vectors(3 * n),
            bias: self.vectors(width),
            folded: self.vectors(width),
        }
    }

    fn block(&self, block: &BlockPlan) -> BlockTape {
        let (first, second) = (&self.plan.convs[block.first.0], &self.plan.convs[block.second.0]);
        BlockTape {
            first: self.images(first.depth),
            mid: self.dense(first.width),
            second: self.images(second.depth),
            pool: block.pool.as_ref().map(|pool| self.pool(pool)),
        }
    }

    fn outputs(&self) -> Outputs {
        let heads = &self.plan.heads;
        Outputs {
            policy: self.dense(self.width(heads.policy_out)),
            pass: self.vectors(self.width(heads.pass)),
            winner: self.vectors(self.width(heads.winner)),
            score: self.vectors(self.width(heads.score)),
            ownership: self.dense(self.width(heads.ownership)),
        }
    }

    fn tape(&self) -> Tape {
        let (plan, heads) = (self.plan, &self.plan.heads);
        let n_value = self.n_norm(heads.value_act);
        let n_trunk = self.n_norm(plan.tip);
        Tape {
            planes: self.images(plan.convs[plan.first.0].depth),
            globals: self.vectors(plan.products[plan.globals.0].depth),
            trunk: (0..=plan.blocks.len()).map(|_| self.dense(n_trunk)).collect(),
            blocks: plan.blocks.iter().map(|block| self.block(block)).collect(),
            tip: self.dense(n_trunk),
            heads: self.dense(self.width(heads.enter)),
            pool: self.pool(&heads.pool),
            policy: self.dense(self.n_norm(heads.policy_act)),
            value: self.dense(n_value),
            value_pooled: self.vectors(3 * n_value),
            hidden: std::array::from_fn(|_| self.vectors(self.width(heads.hidden))),
            outputs: self.outputs(),
        }
    }

    fn work(&self) -> Work {
        let (plan, geometry) = (self.plan, self.geometry);
        let widest = plan.convs.iter().map(|conv| conv.depth.max(conv.width)).max().unwrap_or(0);
        let n_products = geometry.tile.n_frequencies() * self.n_boards * geometry.n_tiles() * widest;
        let n_vector = plan.products.iter().map(|product| product.depth.max(product.width)).max();
        let n_vector = n_vector.unwrap_or(0).max(2 * widest);
        let n_activated = plan.norms.iter().map(|norm| padded(norm.n)).max().unwrap_or(0);
        let mut ones = Buffer::zeros(self.n_boards * geometry.tile.n_frequencies());
        ones.fill(1.0);
        Work {
            left: Buffer::zeros(n_products),
            products: Buffer::zeros(n_products),
            ones,
            ranges: vec![Range::default(); self.n_boards],
            image: self.images(widest),
            trunk: self.dense(self.n_norm(plan.tip)),
            mid: self.dense(widest.max(self.width(plan.heads.enter))),
            activated: std::array::from_fn(|_| self.dense(n_activated)),
            sums: self.vectors(2 * n_activated),
            vectors: std::array::from_fn(|_| self.vectors(n_vector)),
            outputs: self.outputs(),
        }
    }
}

impl Memory {
    /// Memory for as many boards of this size as go through the layers together.
    pub(in super::super) fn new(plan: &Plan, geometry: Geometry) -> Memory {
        let maker = Maker { plan, geometry, n_boards: n_together(geometry) };
        Memory {
            n_boards: 0,
            tape: maker.tape(),
            gradients: Gradients::new(plan, geometry.tile),
            work: maker.work(),
            losses: LossSums::default(),
        }
    }
}

impl Outputs {
    /// Sets all to zero.
    pub(in super::super) fn clear(&mut self) {
        let Outputs { policy, pass, winner, score, ownership } = self;
        [policy, pass, winner, score, ownership].into_iter().for_each(|buffer| buffer.fill(0.0));
    }
}
