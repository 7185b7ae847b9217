//! The residual blocks of a trunk: each reads the trunk's channels x and adds something to them.

use super::layer::{Conv, MatMul, NormAct, RmsNorm};

/// A residual block.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Two convolutions.
    Ordinary(OrdinaryBlock),
    /// Two convolutions, between them a bias pooled from the whole board.
    Pooling(PoolingBlock),
    /// Inner blocks on fewer channels.
    Bottleneck(BottleneckBlock),
    /// Attention of every point to every point.
    Attention(AttentionBlock),
    /// Products at each point by itself.
    FeedForward(FeedForwardBlock),
}

/// x += second(mid(first(pre(x)))).
#[derive(Debug, Clone, PartialEq)]
pub struct OrdinaryBlock {
    /// The name in the file.
    pub name: String,
    /// Before the first convolution.
    pub pre: NormAct,
    /// From the block's channels to the middle.
    pub first: Conv,
    /// Between the convolutions.
    pub mid: NormAct,
    /// From the middle to the block's channels.
    pub second: Conv,
}

/// With t = pre(x): r = regular(t) + to_bias(pooled(pool_act(pool(t)))), x += last(mid(r)).
///
/// `pooled` gives for a board of A points the means of all channels, then mean · (√A − 14) / 10 of all channels, then the
/// maxima of all channels; the bias is the same at every point.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolingBlock {
    /// The name in the file.
    pub name: String,
    /// Before the first two convolutions.
    pub pre: NormAct,
    /// From the block's channels to the regular ones.
    pub regular: Conv,
    /// From the block's channels to those that are pooled.
    pub pool: Conv,
    /// Before pooling.
    pub pool_act: NormAct,
    /// From three numbers a pooled channel to a bias for each regular channel.
    pub to_bias: MatMul,
    /// Before the last convolution.
    pub mid: NormAct,
    /// From the regular channels to the block's.
    pub last: Conv,
}

/// x += leave(post(inner(enter(pre(x))))), the inner blocks being residual on the narrow channels.
#[derive(Debug, Clone, PartialEq)]
pub struct BottleneckBlock {
    /// The name in the file.
    pub name: String,
    /// Before entering.
    pub pre: NormAct,
    /// From the block's channels to the narrow ones, 1×1 in known networks.
    pub enter: Conv,
    /// The blocks on the narrow channels, of any kind.
    pub blocks: Vec<Block>,
    /// Before leaving.
    pub post: NormAct,
    /// From the narrow channels to the block's, 1×1 in known networks.
    pub leave: Conv,
}

/// With n = norm(x): queries, keys and values of each point are products of n, and x += out(Σ softmax(q·k / √dim) · v) for
/// each head, over all points of the board. Query head h asks key head h / (n_heads / n_kv_heads).
#[derive(Debug, Clone, PartialEq)]
pub struct AttentionBlock {
    /// The name in the file.
    pub name: String,
    /// The number of query heads.
    pub n_heads: usize,
    /// The number of heads of keys and values, a divisor of `n_heads`.
    pub n_kv_heads: usize,
    /// Channels of a query and of a key.
    pub query_dim: usize,
    /// Channels of a value.
    pub value_dim: usize,
    /// Before everything.
    pub norm: RmsNorm,
    /// To `n_heads` × `query_dim` channels, head by head.
    pub query: MatMul,
    /// To `n_kv_heads` × `query_dim` channels.
    pub key: MatMul,
    /// To `n_kv_heads` × `value_dim` channels.
    pub value: MatMul,
    /// From `n_heads` × `value_dim` channels to the block's.
    pub out: MatMul,
    /// How queries and keys learn where their points are; `None` if they do not.
    pub rope: Option<Rope>,
}

/// Rotary position embedding. Channels 2p and 2p + 1 of a query or key (a, b) become (a·cos φ − b·sin φ, a·sin φ + b·cos φ).
#[derive(Debug, Clone, PartialEq)]
pub enum Rope {
    /// φ = x·fx + y·fy with learned frequencies.
    Learned {
        /// (fx, fy) of each pair of each key head, in the order head, pair; `n_kv_heads` × `query_dim` / 2 of them.
        frequencies: Vec<[f32; 2]>,
    },
    /// The first half of the pairs turns by the row, the second by the column, the q-th pair of a half by
    /// `theta`^(−2q / (`query_dim` / 2)) a step.
    Fixed {
        /// The base of the frequencies.
        theta: f32,
    },
}

/// With n = norm(x): x += down(silu(up(n)) · gate(n)).
#[derive(Debug, Clone, PartialEq)]
pub struct FeedForwardBlock {
    /// The name in the file.
    pub name: String,
    /// Before everything.
    pub norm: RmsNorm,
    /// From the block's channels to the wide ones.
    pub up: MatMul,
    /// From the block's channels to the factors of the wide ones.
    pub gate: MatMul,
    /// From the wide channels to the block's.
    pub down: MatMul,
}

impl Block {
    /// The name in the file.
    pub fn name(&self) -> &str {
        match self {
            Block::Ordinary(block) => &block.name,
            Block::Pooling(block) => &block.name,
            Block::Bottleneck(block) => &block.name,
            Block::Attention(block) => &block.name,
            Block::FeedForward(block) => &block.name,
        }
    }

    /// The number of weights.
    pub fn n_weights(&self) -> usize {
        let norms = match self {
            Block::Ordinary(block) => block.pre.n_weights() + block.mid.n_weights(),
            Block::Pooling(block) => {
                block.pre.n_weights() + block.pool_act.n_weights() + block.mid.n_weights()
            }
            Block::Bottleneck(block) => {
                let inner: usize = block.blocks.iter().map(Block::n_weights).sum();
                inner + block.pre.n_weights() + block.post.n_weights()
            }
            Block::Attention(block) => {
                let learned = match &block.rope {
                    Some(Rope::Learned { frequencies }) => 2 * frequencies.len(),
                    _ => 0,
                };
                block.norm.weights.len() + learned
            }
            Block::FeedForward(block) => block.norm.weights.len(),
        };
        norms
            + self.convs().map(|conv| conv.weights.len()).sum::<usize>()
            + self.products().map(|product| product.weights.len()).sum::<usize>()
    }

    /// Multiplications on a board of `n_points` points, attention between points included.
    pub fn n_multiplies(&self, n_points: usize) -> u64 {
        let convs: u64 = self.convs().map(|conv| conv.n_multiplies(n_points)).sum();
        let n_vectors = if matches!(self, Block::Pooling(_)) { 1 } else { n_points };
        let products: u64 = self.products().map(|product| product.n_multiplies(n_vectors)).sum();
        let more = match self {
            Block::Bottleneck(block) => block.blocks.iter().map(|inner| inner.n_multiplies(n_points)).sum(),
            Block::Attention(block) => {
                (block.n_heads * (block.query_dim + block.value_dim)) as u64 * (n_points * n_points) as u64
            }
            _ => 0,
        };
        convs + products + more
    }

    /// The block's own convolutions, those of inner blocks left out.
    fn convs(&self) -> impl Iterator<Item = &Conv> {
        let convs = match self {
            Block::Ordinary(block) => [Some(&block.first), Some(&block.second), None],
            Block::Pooling(block) => [Some(&block.regular), Some(&block.pool), Some(&block.last)],
            Block::Bottleneck(block) => [Some(&block.enter), Some(&block.leave), None],
            Block::Attention(_) | Block::FeedForward(_) => [None; 3],
        };
        convs.into_iter().flatten()
    }

    /// The block's own matrix products.
    fn products(&self) -> impl Iterator<Item = &MatMul> {
        let products = match self {
            Block::Ordinary(_) | Block::Bottleneck(_) => [None; 4],
            Block::Pooling(block) => [Some(&block.to_bias), None, None, None],
            Block::Attention(block) => {
                [Some(&block.query), Some(&block.key), Some(&block.value), Some(&block.out)]
            }
            Block::FeedForward(block) => [Some(&block.up), Some(&block.gate), Some(&block.down), None],
        };
        products.into_iter().flatten()
    }
}
