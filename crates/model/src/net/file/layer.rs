//! Layers as they stand in a file.

use super::Reader;
use super::error::NetFileReason;
use super::tokens::{Reading, flush};
use crate::net::graph::{Activation, Conv, MatBias, MatMul, Norm, NormAct, RmsNorm, TipRms};

/// The most channels of a layer.
pub(super) const MOST_CHANNELS: usize = 1 << 14;
/// The largest side of a kernel.
pub(super) const LARGEST_KERNEL: usize = 19;

impl Reader<'_> {
    /// A number of channels that the file is free to choose.
    pub(super) fn channels(&mut self, what: &'static str) -> Reading<usize> {
        self.tokens.count(what, 1, MOST_CHANNELS)
    }

    /// Input and output channels of a layer; the output is free where `n_out` is `None`.
    fn in_out(&mut self, n_in: usize, n_out: Option<usize>) -> Reading<usize> {
        self.tokens.fixed("the number of input channels", n_in)?;
        match n_out {
            None => self.channels("the number of output channels"),
            Some(n_out) => self.tokens.fixed("the number of output channels", n_out).map(|()| n_out),
        }
    }

    fn kernel_side(&mut self, what: &'static str) -> Reading<usize> {
        let side = self.tokens.count(what, 1, LARGEST_KERNEL)?;
        if side % 2 == 0 {
            return self.tokens.fail(NetFileReason::Unsupported(format!("a kernel of even size {side}")));
        }
        Ok(side)
    }

    /// A convolution.
    pub(super) fn conv(&mut self, n_in: usize, n_out: Option<usize>) -> Reading<Conv> {
        self.tokens.name()?;
        let height = self.kernel_side("the height of the kernel")?;
        let width = self.kernel_side("the width of the kernel")?;
        let n_out = self.in_out(n_in, n_out)?;
        for what in ["the vertical dilation", "the horizontal dilation"] {
            let dilation = self.tokens.int(what)?;
            if dilation != 1 {
                return self.tokens.fail(NetFileReason::Unsupported(format!("dilation {dilation}")));
            }
        }
        let weights = self.tokens.weights(height * width * n_in * n_out)?;
        Ok(Conv { height, width, n_in, n_out, weights })
    }

    /// A convolution of single points, as in the heads.
    pub(super) fn conv_1x1(&mut self, n_in: usize, n_out: Option<usize>) -> Reading<Conv> {
        let conv = self.conv(n_in, n_out)?;
        if (conv.height, conv.width) != (1, 1) {
            let kernel = format!("a kernel of {} by {} in a head", conv.height, conv.width);
            return self.tokens.fail(NetFileReason::Unsupported(kernel));
        }
        Ok(conv)
    }

    /// A batch norm, folded.
    pub(super) fn norm(&mut self, n_channels: usize) -> Reading<Norm> {
        self.tokens.name()?;
        self.tokens.fixed("the number of channels", n_channels)?;
        let epsilon = self.tokens.number("epsilon")?;
        let has_scale = self.tokens.flag("whether there is a scale")?;
        let has_bias = self.tokens.flag("whether there is a bias")?;
        let mean = self.tokens.weights(n_channels)?;
        let variance = self.tokens.weights(n_channels)?;
        let mut scale = if has_scale { self.tokens.weights(n_channels)? } else { vec![1.0; n_channels] };
        let mut bias = if has_bias { self.tokens.weights(n_channels)? } else { vec![0.0; n_channels] };
        for channel in 0..n_channels {
            let factor = scale[channel] / (variance[channel] + epsilon).sqrt();
            scale[channel] = flush(factor);
            bias[channel] = flush(bias[channel] - factor * mean[channel]);
            if !scale[channel].is_finite() || !bias[channel].is_finite() {
                return self.tokens.fail(NetFileReason::BadNorm(channel));
            }
        }
        Ok(Norm { scale, bias })
    }

    /// An activation: a name, and its kind from version 11 on.
    pub(super) fn activation(&mut self) -> Reading<Activation> {
        self.tokens.name()?;
        if self.version < 11 {
            return Ok(Activation::Relu);
        }
        let kind = self.tokens.word("the kind of an activation")?;
        match kind.as_str() {
            "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
            "ACTIVATION_RELU" => Ok(Activation::Relu),
            "ACTIVATION_MISH" => Ok(Activation::Mish),
            "ACTIVATION_SILU" => Ok(Activation::Silu),
            _ => self.tokens.unexpected("the kind of an activation", kind.as_bytes()),
        }
    }

    /// A batch norm and an activation.
    pub(super) fn norm_act(&mut self, n_channels: usize) -> Reading<NormAct> {
        Ok(NormAct { norm: self.norm(n_channels)?, activation: self.activation()? })
    }

    /// A matrix product.
    pub(super) fn product(&mut self, n_in: usize, n_out: Option<usize>) -> Reading<MatMul> {
        self.tokens.name()?;
        let n_out = self.in_out(n_in, n_out)?;
        let weights = self.tokens.weights(n_in * n_out)?;
        Ok(MatMul { n_in, n_out, weights })
    }

    /// A vector that is added.
    pub(super) fn bias(&mut self, n_channels: usize) -> Reading<MatBias> {
        self.tokens.name()?;
        self.tokens.fixed("the number of channels", n_channels)?;
        Ok(MatBias { weights: self.tokens.weights(n_channels)? })
    }

    fn epsilon(&mut self) -> Reading<f32> {
        let epsilon = self.tokens.number("epsilon")?;
        if epsilon < 0.0 {
            return self.tokens.unexpected("an epsilon of at least 0", epsilon.to_string().as_bytes());
        }
        Ok(epsilon)
    }

    /// The norm of a transformer block.
    pub(super) fn rms_norm(&mut self, n_channels: usize) -> Reading<RmsNorm> {
        self.tokens.name()?;
        self.tokens.fixed("the number of channels", n_channels)?;
        let epsilon = self.epsilon()?;
        Ok(RmsNorm { epsilon, weights: self.tokens.weights(n_channels)? })
    }

    /// The root-mean-square norm at the tip of a trunk.
    pub(super) fn tip_rms(&mut self, n_channels: usize) -> Reading<TipRms> {
        self.tokens.name()?;
        self.tokens.fixed("the number of channels", n_channels)?;
        let epsilon = self.epsilon()?;
        let spatial = self.tokens.flag("whether the norm is over the board")?;
        self.tokens.zeros(1, "the group size of a norm")?;
        let scale = self.tokens.weights(n_channels)?;
        let bias = self.tokens.weights(n_channels)?;
        Ok(TipRms { epsilon, spatial, scale, bias })
    }
}
