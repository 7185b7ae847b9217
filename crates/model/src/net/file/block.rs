//! Blocks as they stand in a file: a word for the kind, then the content.

use super::error::NetFileReason;
use super::tokens::Reading;
use super::{MOST_BLOCKS, Reader};
use crate::net::graph::{
    AttentionBlock, Block, BottleneckBlock, FeedForwardBlock, OrdinaryBlock, PoolingBlock, Rope,
};

/// The most bottlenecks inside each other.
const DEEPEST: usize = 4;
/// The most heads of an attention block.
const MOST_HEADS: usize = 1024;
/// The most channels of a head.
const WIDEST_HEAD: usize = 1024;

impl Reader<'_> {
    /// `n` blocks that run on `n_channels` channels, inside of `depth` bottlenecks.
    pub(super) fn blocks(&mut self, n: usize, n_channels: usize, depth: usize) -> Reading<Vec<Block>> {
        let mut blocks = Vec::new();
        for _ in 0..n {
            blocks.push(self.block(n_channels, depth)?);
        }
        Ok(blocks)
    }

    fn block(&mut self, n_channels: usize, depth: usize) -> Reading<Block> {
        let kind = self.tokens.word("the kind of a block")?;
        match kind.as_str() {
            "ordinary_block" => self.ordinary(n_channels).map(Block::Ordinary),
            "gpool_block" => self.pooling(n_channels).map(Block::Pooling),
            "nested_bottleneck_block" => self.bottleneck(n_channels, depth).map(Block::Bottleneck),
            "transformer_attention_block" => self.attention(n_channels).map(Block::Attention),
            "transformer_ffn_block" => self.feed_forward(n_channels).map(Block::FeedForward),
            _ => self.tokens.unexpected("the kind of a block", kind.as_bytes()),
        }
    }

    fn ordinary(&mut self, n_channels: usize) -> Reading<OrdinaryBlock> {
        let name = self.tokens.name()?;
        let pre = self.norm_act(n_channels)?;
        let first = self.conv(n_channels, None)?;
        let mid = self.norm_act(first.n_out)?;
        let second = self.conv(first.n_out, Some(n_channels))?;
        Ok(OrdinaryBlock { name, pre, first, mid, second })
    }

    fn pooling(&mut self, n_channels: usize) -> Reading<PoolingBlock> {
        let name = self.tokens.name()?;
        let pre = self.norm_act(n_channels)?;
        let regular = self.conv(n_channels, None)?;
        let pool = self.conv(n_channels, None)?;
        let pool_act = self.norm_act(pool.n_out)?;
        let to_bias = self.product(3 * pool.n_out, Some(regular.n_out))?;
        let mid = self.norm_act(regular.n_out)?;
        let last = self.conv(regular.n_out, Some(n_channels))?;
        Ok(PoolingBlock { name, pre, regular, pool, pool_act, to_bias, mid, last })
    }

    fn bottleneck(&mut self, n_channels: usize, depth: usize) -> Reading<BottleneckBlock> {
        let name = self.tokens.name()?;
        if depth == DEEPEST {
            let reason = format!("a bottleneck inside of {DEEPEST} bottlenecks");
            return self.tokens.fail(NetFileReason::Unsupported(reason));
        }
        let n_blocks = self.tokens.count("the number of inner blocks", 0, MOST_BLOCKS)?;
        let pre = self.norm_act(n_channels)?;
        let enter = self.conv(n_channels, None)?;
        let blocks = self.blocks(n_blocks, enter.n_out, depth + 1)?;
        let post = self.norm_act(enter.n_out)?;
        let leave = self.conv(enter.n_out, Some(n_channels))?;
        Ok(BottleneckBlock { name, pre, enter, blocks, post, leave })
    }

    fn attention(&mut self, n_channels: usize) -> Reading<AttentionBlock> {
        let name = self.tokens.name()?;
        let n_heads = self.tokens.count("the number of heads", 1, MOST_HEADS)?;
        let n_kv_heads = self.tokens.count("the number of key heads", 1, n_heads)?;
        let query_dim = self.tokens.count("the channels of a query", 1, WIDEST_HEAD)?;
        let value_dim = self.tokens.count("the channels of a value", 1, WIDEST_HEAD)?;
        let has_rope = self.tokens.flag("whether positions are embedded")?;
        let is_learned = self.tokens.flag("whether the embedding is learned")?;
        if n_heads % n_kv_heads != 0 {
            let reason = format!("{n_heads} heads over {n_kv_heads} key heads");
            return self.tokens.fail(NetFileReason::Unsupported(reason));
        }
        if has_rope && query_dim % if is_learned { 2 } else { 4 } != 0 {
            let reason = format!("a position embedding in queries of {query_dim} channels");
            return self.tokens.fail(NetFileReason::Unsupported(reason));
        }
        let norm = self.rms_norm(n_channels)?;
        let query = self.product(n_channels, Some(n_heads * query_dim))?;
        let key = self.product(n_channels, Some(n_kv_heads * query_dim))?;
        let value = self.product(n_channels, Some(n_kv_heads * value_dim))?;
        let out = self.product(n_heads * value_dim, Some(n_channels))?;
        let rope = match (has_rope, is_learned) {
            (false, _) => None,
            (true, true) => Some(self.learned_rope(n_kv_heads, query_dim / 2)?),
            (true, false) => Some(self.fixed_rope()?),
        };
        Ok(AttentionBlock {
            name,
            n_heads,
            n_kv_heads,
            query_dim,
            value_dim,
            norm,
            query,
            key,
            value,
            out,
            rope,
        })
    }

    fn learned_rope(&mut self, n_kv_heads: usize, n_pairs: usize) -> Reading<Rope> {
        self.tokens.name()?;
        self.tokens.fixed("the number of key heads", n_kv_heads)?;
        self.tokens.fixed("the number of channel pairs", n_pairs)?;
        self.tokens.fixed("the number of frequencies of a pair", 2)?;
        let weights = self.tokens.weights(n_kv_heads * n_pairs * 2)?;
        let frequencies = weights.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        Ok(Rope::Learned { frequencies })
    }

    fn fixed_rope(&mut self) -> Reading<Rope> {
        self.tokens.name()?;
        let theta = self.tokens.number("the base of the frequencies")?;
        if theta < 1.0 {
            return self.tokens.unexpected("a base of at least 1", theta.to_string().as_bytes());
        }
        Ok(Rope::Fixed { theta })
    }

    fn feed_forward(&mut self, n_channels: usize) -> Reading<FeedForwardBlock> {
        let name = self.tokens.name()?;
        self.tokens.fixed("the number of channels", n_channels)?;
        let n_wide = self.channels("the number of inner channels")?;
        if !self.tokens.flag("whether there is a gate")? {
            let reason = String::from("a feed-forward block without a gate (SwiGLU)");
            return self.tokens.fail(NetFileReason::Unsupported(reason));
        }
        let norm = self.rms_norm(n_channels)?;
        let up = self.product(n_channels, Some(n_wide))?;
        let gate = self.product(n_channels, Some(n_wide))?;
        let down = self.product(n_wide, Some(n_channels))?;
        Ok(FeedForwardBlock { name, norm, up, gate, down })
    }
}
