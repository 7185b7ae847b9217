//! The writer: the words and tensors of a file in their order.

use super::super::graph::*;

/// How tensors are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As decimal words.
    Text,
    /// As bytes.
    Binary,
}

/// The file of a network, not packed. Norms are written with mean 0 and variance 1, so that folding gives them back.
pub fn write(graph: &Graph, form: Form) -> Vec<u8> {
    let mut writer = Writer { out: Vec::new(), form, version: graph.version };
    writer.graph(graph);
    writer.out
}

struct Writer {
    out: Vec<u8>,
    form: Form,
    version: u32,
}

impl Writer {
    fn word(&mut self, word: impl std::fmt::Display) {
        self.out.extend(format!("{word}\n").bytes());
    }

    fn words(&mut self, words: &[usize]) {
        words.iter().for_each(|word| self.word(word));
    }

    fn tensor(&mut self, weights: &[f32]) {
        match self.form {
            Form::Text => weights.iter().for_each(|weight| self.out.extend(format!("{weight:e} ").bytes())),
            Form::Binary => {
                self.out.extend(b"@BIN@");
                weights.iter().for_each(|weight| self.out.extend(weight.to_le_bytes()));
            }
        }
        self.out.push(b'\n');
    }

    fn conv(&mut self, name: &str, conv: &Conv) {
        self.word(name);
        self.words(&[conv.height, conv.width, conv.n_in, conv.n_out, 1, 1]);
        self.tensor(&conv.weights);
    }

    fn product(&mut self, name: &str, product: &MatMul) {
        self.word(name);
        self.words(&[product.n_in, product.n_out]);
        self.tensor(&product.weights);
    }

    fn bias(&mut self, name: &str, bias: &MatBias) {
        self.word(name);
        self.word(bias.weights.len());
        self.tensor(&bias.weights);
    }

    fn norm(&mut self, norm: &Norm) {
        let n = norm.n_channels();
        self.word("norm");
        self.words(&[n, 0, 1, 1]);
        for weights in [&vec![0.0; n], &vec![1.0; n], &norm.scale, &norm.bias] {
            self.tensor(weights);
        }
    }

    fn activation(&mut self, activation: Activation) {
        self.word("act");
        if self.version >= 11 {
            self.word(match activation {
                Activation::Identity => "ACTIVATION_IDENTITY",
                Activation::Relu => "ACTIVATION_RELU",
                Activation::Mish => "ACTIVATION_MISH",
                Activation::Silu => "ACTIVATION_SILU",
            });
        }
    }

    fn norm_act(&mut self, both: &NormAct) {
        self.norm(&both.norm);
        self.activation(both.activation);
    }

    fn rms_norm(&mut self, norm: &RmsNorm) {
        self.word("rms");
        self.word(norm.weights.len());
        self.word(norm.epsilon);
        self.tensor(&norm.weights);
    }

    fn graph(&mut self, graph: &Graph) {
        self.word(&graph.name);
        self.word(graph.version);
        self.words(&[N_PLANES, N_GLOBALS]);
        if graph.version >= 13 {
            let m = &graph.multipliers;
            for number in [
                m.td_score,
                m.score_mean,
                m.score_stdev,
                m.lead,
                m.variance_time,
                m.value_error,
                m.score_error,
            ] {
                self.word(number);
            }
        }
        if graph.version >= 15 {
            self.words(&[0, usize::from(graph.prefers_pass_alive), 0, 0, 0, 0, 0, 0]);
        }
        self.trunk(&graph.trunk);
        self.policy_head(&graph.policy);
        self.value_head(&graph.value);
    }

    fn trunk(&mut self, trunk: &Trunk) {
        self.word(&trunk.name);
        self.words(&[trunk.blocks.len(), trunk.n_channels, 5, 4, 0, 3]);
        if self.version >= 15 {
            self.words(&[usize::from(matches!(trunk.tip, TipNorm::Rms(_))), 0, 0, 0, 0, 0]);
        }
        self.conv("first", &trunk.conv);
        self.product("globals", &trunk.globals);
        trunk.blocks.iter().for_each(|block| self.block(block));
        match &trunk.tip {
            TipNorm::Batch(norm) => self.norm(norm),
            TipNorm::Rms(norm) => {
                self.word("tip");
                self.word(norm.scale.len());
                self.word(norm.epsilon);
                self.words(&[usize::from(norm.spatial), 0]);
                self.tensor(&norm.scale);
                self.tensor(&norm.bias);
            }
        }
        self.activation(trunk.tip_activation);
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Ordinary(block) => {
                self.word("ordinary_block");
                self.word(&block.name);
                self.norm_act(&block.pre);
                self.conv("conv1", &block.first);
                self.norm_act(&block.mid);
                self.conv("conv2", &block.second);
            }
            Block::Pooling(block) => {
                self.word("gpool_block");
                self.word(&block.name);
                self.norm_act(&block.pre);
                self.conv("regular", &block.regular);
                self.conv("pool", &block.pool);
                self.norm_act(&block.pool_act);
                self.product("to-bias", &block.to_bias);
                self.norm_act(&block.mid);
                self.conv("last", &block.last);
            }
            Block::Bottleneck(block) => {
                self.word("nested_bottleneck_block");
                self.word(&block.name);
                self.word(block.blocks.len());
                self.norm_act(&block.pre);
                self.conv("enter", &block.enter);
                block.blocks.iter().for_each(|inner| self.block(inner));
                self.norm_act(&block.post);
                self.conv("leave", &block.leave);
            }
            Block::Attention(block) => self.attention(block),
            Block::FeedForward(block) => {
                self.word("transformer_ffn_block");
                self.word(&block.name);
                self.words(&[block.up.n_in, block.up.n_out, 1]);
                self.rms_norm(&block.norm);
                self.product("up", &block.up);
                self.product("gate", &block.gate);
                self.product("down", &block.down);
            }
        }
    }

    fn attention(&mut self, block: &AttentionBlock) {
        self.word("transformer_attention_block");
        self.word(&block.name);
        self.words(&[block.n_heads, block.n_kv_heads, block.query_dim, block.value_dim]);
        self.words(&[
            usize::from(block.rope.is_some()),
            usize::from(matches!(block.rope, Some(Rope::Learned { .. }))),
        ]);
        self.rms_norm(&block.norm);
        self.product("query", &block.query);
        self.product("key", &block.key);
        self.product("value", &block.value);
        self.product("out", &block.out);
        match &block.rope {
            None => {}
            Some(Rope::Learned { frequencies }) => {
                self.word("rope");
                self.words(&[block.n_kv_heads, block.query_dim / 2, 2]);
                self.tensor(frequencies.as_flattened());
            }
            Some(Rope::Fixed { theta }) => {
                self.word("rope");
                self.word(theta);
            }
        }
    }

    fn policy_head(&mut self, head: &PolicyHead) {
        self.word(&head.name);
        if self.version >= 17 {
            self.words(&[head.n_channels(), 0, 0, 0]);
        }
        self.conv("p1", &head.regular);
        self.conv("g1", &head.pool);
        self.norm_act(&head.pool_act);
        self.product("to-bias", &head.to_bias);
        self.norm_act(&head.act);
        self.conv("p2", &head.out);
        self.product("pass", &head.pass);
        if let Some(hidden) = &head.pass_hidden {
            self.bias("pass-bias", &hidden.bias);
            self.activation(hidden.activation);
            self.product("pass2", &hidden.out);
        }
    }

    fn value_head(&mut self, head: &ValueHead) {
        self.word(&head.name);
        if self.version >= 17 {
            self.words(&[0, 0, 0]);
        }
        self.conv("v1", &head.regular);
        self.norm_act(&head.act);
        self.product("v2", &head.hidden);
        self.bias("v2-bias", &head.hidden_bias);
        self.activation(head.hidden_activation);
        self.product("v3", &head.winner);
        self.bias("v3-bias", &head.winner_bias);
        self.product("score", &head.score);
        self.bias("score-bias", &head.score_bias);
        self.conv("ownership", &head.ownership);
    }
}
