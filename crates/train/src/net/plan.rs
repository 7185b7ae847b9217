//! The layers of a network as a trainer walks through them: what each reads and writes, and where its weights stand in the vector of
//! all weights ([`super::tensors`]).
//!
//! Convolutions that read the same channels are one layer and write side by side. Channels are padded to whole blocks.

use model::net::cpu::gemm::padded;
use model::net::graph::{
    Activation, Block, Conv, Graph, MatBias, MatMul, N_GLOBALS, N_PLANES, Norm, NormAct, OrdinaryBlock,
    PoolingBlock, TipNorm,
};

/// A network that cannot be trained here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{layer} cannot be trained: {reason}")]
pub struct Untrainable {
    /// The name of the layer.
    pub layer: String,
    /// What is amiss.
    pub reason: &'static str,
}

/// A convolution of 3×3 among [`Plan::convs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ConvId(pub(super) usize);
/// A product among [`Plan::products`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProductId(pub(super) usize);
/// A norm among [`Plan::norms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NormId(pub(super) usize);

/// One of the matrices that stand side by side in a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    /// Where its weights begin.
    pub(super) at: usize,
    /// Its outputs.
    pub(super) n_out: usize,
    /// Where they begin in the layer.
    pub(super) start: usize,
}

/// A product at points or boards, or a convolution of 3×3.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Linear {
    /// The matrices, side by side.
    pub(super) parts: Vec<Part>,
    /// Where a bias begins.
    pub(super) bias: Option<usize>,
    /// Inputs without padding.
    pub(super) n_in: usize,
    /// Groups of equal length, each padded, that the inputs consist of.
    pub(super) n_groups: usize,
    /// Inputs with padding.
    pub(super) depth: usize,
    /// Outputs with padding.
    pub(super) width: usize,
}

/// Scale, bias and activation of channels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NormPlan {
    pub(super) scale: usize,
    pub(super) bias: usize,
    pub(super) n: usize,
    pub(super) activation: Activation,
}

/// The pooling of a board: norm, pooling, and the bias that it gives to others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PoolPlan {
    /// The first of the channels that are pooled.
    pub(super) start: usize,
    pub(super) act: NormId,
    pub(super) to_bias: ProductId,
}

/// A residual block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BlockPlan {
    pub(super) pre: NormId,
    pub(super) first: ConvId,
    pub(super) pool: Option<PoolPlan>,
    pub(super) mid: NormId,
    pub(super) second: ConvId,
}

/// The heads. All three convolutions at the tip are one product.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HeadsPlan {
    /// To the channels of the policy, those that it pools, and those of the value.
    pub(super) enter: ProductId,
    pub(super) pool: PoolPlan,
    pub(super) policy_act: NormId,
    pub(super) policy_out: ProductId,
    pub(super) pass: ProductId,
    /// The first channel of the value.
    pub(super) value_start: usize,
    pub(super) value_act: NormId,
    pub(super) hidden: ProductId,
    pub(super) hidden_activation: Activation,
    pub(super) winner: ProductId,
    pub(super) score: ProductId,
    pub(super) ownership: ProductId,
}

/// A network's layers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub(super) convs: Vec<Linear>,
    pub(super) products: Vec<Linear>,
    pub(super) norms: Vec<NormPlan>,
    pub(super) first: ConvId,
    pub(super) globals: ProductId,
    pub(super) blocks: Vec<BlockPlan>,
    pub(super) tip: NormId,
    pub(super) heads: HeadsPlan,
    pub(super) n_weights: usize,
}

/// A plan under construction; weights are counted in the order of `tensors`.
#[derive(Default)]
struct Builder {
    convs: Vec<Linear>,
    products: Vec<Linear>,
    norms: Vec<NormPlan>,
    at: usize,
}

type Planned<T> = Result<T, Untrainable>;

fn refuse<T>(layer: &str, reason: &'static str) -> Planned<T> {
    Err(Untrainable { layer: layer.into(), reason })
}

impl Builder {
    fn take(&mut self, n: usize) -> usize {
        let at = self.at;
        self.at += n;
        at
    }

    fn norm(&mut self, norm: &Norm, activation: Activation) -> NormId {
        let n = norm.n_channels();
        let (scale, bias) = (self.take(n), self.take(n));
        self.norms.push(NormPlan { scale, bias, n, activation });
        NormId(self.norms.len() - 1)
    }

    fn norm_act(&mut self, both: &NormAct) -> NormId {
        self.norm(&both.norm, both.activation)
    }

    /// Takes the weights of a convolution of the wanted side.
    fn conv(&mut self, name: &str, conv: &Conv, side: usize) -> Planned<usize> {
        if [conv.height, conv.width] != [side, side] {
            return refuse(name, "only kernels of 3×3, and of 1×1 in the heads, are known");
        }
        Ok(self.take(conv.weights.len()))
    }

    fn convs(&mut self, name: &str, convs: &[&Conv]) -> Planned<ConvId> {
        let at = convs.iter().map(|conv| self.conv(name, conv, 3)).collect::<Planned<Vec<_>>>()?;
        self.convs.push(side_by_side(convs, &at));
        Ok(ConvId(self.convs.len() - 1))
    }

    fn product(&mut self, product: &MatMul, n_groups: usize, bias: Option<&MatBias>) -> ProductId {
        let part = Part { at: self.take(product.weights.len()), n_out: product.n_out, start: 0 };
        let bias = bias.map(|bias| self.take(bias.weights.len()));
        let depth = n_groups * padded(product.n_in / n_groups);
        let (n_in, width) = (product.n_in, padded(product.n_out));
        self.products.push(Linear { parts: vec![part], bias, n_in, n_groups, depth, width });
        ProductId(self.products.len() - 1)
    }

    fn points(&mut self, convs: &[&Conv], at: &[usize]) -> ProductId {
        self.products.push(side_by_side(convs, at));
        ProductId(self.products.len() - 1)
    }

    fn block(&mut self, block: &Block) -> Planned<BlockPlan> {
        match block {
            Block::Ordinary(OrdinaryBlock { name, pre, first, mid, second }) => Ok(BlockPlan {
                pre: self.norm_act(pre),
                first: self.convs(name, &[first])?,
                pool: None,
                mid: self.norm_act(mid),
                second: self.convs(name, &[second])?,
            }),
            Block::Pooling(PoolingBlock { name, pre, regular, pool, pool_act, to_bias, mid, last }) => {
                let pre = self.norm_act(pre);
                let first = self.convs(name, &[regular, pool])?;
                let act = self.norm_act(pool_act);
                let to_bias = self.product(to_bias, 3, None);
                let pool = PoolPlan { start: padded(regular.n_out), act, to_bias };
                let mid = self.norm_act(mid);
                Ok(BlockPlan { pre, first, pool: Some(pool), mid, second: self.convs(name, &[last])? })
            }
            _ => refuse(block.name(), "only blocks of two convolutions are known, pooling or not"),
        }
    }

    fn heads(&mut self, graph: &Graph) -> Planned<HeadsPlan> {
        let (policy, value) = (&graph.policy, &graph.value);
        if policy.pass_hidden.is_some() {
            return refuse(&policy.name, "a second layer of the pass is not known");
        }
        let mut at =
            vec![self.conv(&policy.name, &policy.regular, 1)?, self.conv(&policy.name, &policy.pool, 1)?];
        let pool_act = self.norm_act(&policy.pool_act);
        let to_bias = self.product(&policy.to_bias, 3, None);
        let policy_act = self.norm_act(&policy.act);
        let out_at = self.conv(&policy.name, &policy.out, 1)?;
        let policy_out = self.points(&[&policy.out], &[out_at]);
        let pass = self.product(&policy.pass, 3, None);
        at.push(self.conv(&value.name, &value.regular, 1)?);
        let enter = self.points(&[&policy.regular, &policy.pool, &value.regular], &at);
        let value_act = self.norm_act(&value.act);
        let hidden = self.product(&value.hidden, 3, Some(&value.hidden_bias));
        let winner = self.product(&value.winner, 1, Some(&value.winner_bias));
        let score = self.product(&value.score, 1, Some(&value.score_bias));
        let ownership_at = self.conv(&value.name, &value.ownership, 1)?;
        let ownership = self.points(&[&value.ownership], &[ownership_at]);
        let starts: Vec<usize> = self.products[enter.0].parts.iter().map(|part| part.start).collect();
        Ok(HeadsPlan {
            enter,
            pool: PoolPlan { start: starts[1], act: pool_act, to_bias },
            policy_act,
            policy_out,
            pass,
            value_start: starts[2],
            value_act,
            hidden,
            hidden_activation: value.hidden_activation,
            winner,
            score,
            ownership,
        })
    }
}

/// Convolutions that read the same channels as one layer.
fn side_by_side(convs: &[&Conv], at: &[usize]) -> Linear {
    let mut width = 0;
    let mut parts = Vec::new();
    for (conv, &at) in convs.iter().zip(at) {
        parts.push(Part { at, n_out: conv.n_out, start: width });
        width += padded(conv.n_out);
    }
    let n_in = convs.first().map_or(0, |conv| conv.n_in);
    Linear { parts, bias: None, n_in, n_groups: 1, depth: padded(n_in), width }
}

impl Plan {
    /// The layers of a network.
    ///
    /// # Errors
    /// When a layer cannot be trained.
    pub(super) fn new(graph: &Graph) -> Planned<Plan> {
        let mut builder = Builder::default();
        let trunk = &graph.trunk;
        let first = builder.convs(&trunk.name, &[&trunk.conv])?;
        let globals = builder.product(&trunk.globals, 1, None);
        debug_assert_eq!((trunk.conv.n_in, trunk.globals.n_in), (N_PLANES, N_GLOBALS));
        let blocks = trunk.blocks.iter().map(|block| builder.block(block)).collect::<Planned<_>>()?;
        let TipNorm::Batch(tip) = &trunk.tip else {
            return refuse(&trunk.name, "a root-mean-square norm is not known");
        };
        let tip = builder.norm(tip, trunk.tip_activation);
        let heads = builder.heads(graph)?;
        let Builder { convs, products, norms, at } = builder;
        Ok(Plan { convs, products, norms, first, globals, blocks, tip, heads, n_weights: at })
    }
}

impl Linear {
    /// Where an input stands among the padded ones.
    pub(super) fn row(&self, input: usize) -> usize {
        let group = self.n_in / self.n_groups;
        input / group * padded(group) + input % group
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NetShape, tensors};
    use super::*;
    use model::net::sample;

    #[test]
    fn weights_stand_where_tensors_put_them() {
        for graph in [NetShape::parse("b4c20").unwrap().graph(1), NetShape::parse("b2c64").unwrap().graph(2)]
        {
            let (plan, flat) = (Plan::new(&graph).unwrap(), tensors::flatten(&graph));
            assert_eq!((plan.n_weights, flat.len()), (graph.n_weights(), graph.n_weights()));
            assert_eq!(tensors::with_weights(&graph, &flat), graph);
            let score = &plan.products[plan.heads.ownership.0];
            assert_eq!(flat[score.parts[0].at..], graph.value.ownership.weights);
            let value = plan.products[plan.heads.enter.0].parts[2];
            let weights = &graph.value.regular.weights;
            assert_eq!(flat[value.at..][..weights.len()], weights[..]);
        }
    }

    #[test]
    fn what_cannot_be_trained_is_named() {
        let mut graph = NetShape::parse("b2c16").unwrap().graph(1);
        graph.trunk.blocks.extend(sample::conv_graph(8, 16, 1).trunk.blocks);
        let refused = Plan::new(&graph).unwrap_err();
        assert_eq!(refused.layer, "bottleneck");
        assert!(Plan::new(&sample::conv_graph(8, 16, 1)).unwrap_err().to_string().contains("3×3"));
    }
}
