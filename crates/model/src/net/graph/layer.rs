//! The layers that blocks and heads are made of.

/// A convolution without bias over a board padded with zeros, so that the board keeps its size:
/// out(y, x, o) = Σ w(dy, dx, i, o) · in(y + dy − height/2, x + dx − width/2, i).
#[derive(Debug, Clone, PartialEq)]
pub struct Conv {
    /// Rows of the kernel, odd.
    pub height: usize,
    /// Columns of the kernel, odd.
    pub width: usize,
    /// Channels read.
    pub n_in: usize,
    /// Channels written.
    pub n_out: usize,
    /// The kernel in the order row, column, input, output: the output runs fastest.
    pub weights: Vec<f32>,
}

impl Conv {
    /// Where the weights of one tap and one input begin; `n_out` of them follow.
    #[inline]
    pub fn offset(&self, row: usize, column: usize, input: usize) -> usize {
        ((row * self.width + column) * self.n_in + input) * self.n_out
    }

    /// The weights of one tap and one input, one for each output.
    #[inline]
    pub fn row(&self, row: usize, column: usize, input: usize) -> &[f32] {
        &self.weights[self.offset(row, column, input)..][..self.n_out]
    }

    /// Multiplications on a board of `n_points` points, those with padding included.
    pub fn n_multiplies(&self, n_points: usize) -> u64 {
        self.weights.len() as u64 * n_points as u64
    }
}

/// A batch norm, folded: y = x · scale + bias for each channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Norm {
    /// The factor of each channel.
    pub scale: Vec<f32>,
    /// What is added to each channel.
    pub bias: Vec<f32>,
}

impl Norm {
    /// The number of channels.
    #[inline]
    pub fn n_channels(&self) -> usize {
        self.scale.len()
    }
}

/// A function applied to each number by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// x.
    Identity,
    /// max(0, x).
    Relu,
    /// x · tanh(ln(1 + eˣ)).
    Mish,
    /// x / (1 + e⁻ˣ).
    Silu,
}

/// A batch norm and the activation after it: the step before nearly every convolution.
#[derive(Debug, Clone, PartialEq)]
pub struct NormAct {
    /// Scale and bias of each channel.
    pub norm: Norm,
    /// Applied to what the norm gives.
    pub activation: Activation,
}

impl NormAct {
    /// The number of weights.
    pub fn n_weights(&self) -> usize {
        2 * self.norm.n_channels()
    }
}

/// A matrix product: y(o) = Σ x(i) · w(i, o).
#[derive(Debug, Clone, PartialEq)]
pub struct MatMul {
    /// The length of x.
    pub n_in: usize,
    /// The length of y.
    pub n_out: usize,
    /// The matrix in the order input, output: the output runs fastest.
    pub weights: Vec<f32>,
}

impl MatMul {
    /// The weights of one input, one for each output.
    #[inline]
    pub fn row(&self, input: usize) -> &[f32] {
        &self.weights[input * self.n_out..][..self.n_out]
    }

    /// Multiplications for `n_vectors` vectors.
    pub fn n_multiplies(&self, n_vectors: usize) -> u64 {
        self.weights.len() as u64 * n_vectors as u64
    }
}

/// A vector that is added to what a matrix product gives.
#[derive(Debug, Clone, PartialEq)]
pub struct MatBias {
    /// One number for each output.
    pub weights: Vec<f32>,
}

/// The norm of transformer blocks, at each point by itself: x / √(mean over channels of x² + epsilon) · weight.
#[derive(Debug, Clone, PartialEq)]
pub struct RmsNorm {
    /// Added under the root.
    pub epsilon: f32,
    /// The factor of each channel.
    pub weights: Vec<f32>,
}

/// The root-mean-square norm at a trunk's tip: x / √(mean of x² + epsilon) · scale + bias.
#[derive(Debug, Clone, PartialEq)]
pub struct TipRms {
    /// Added under the root.
    pub epsilon: f32,
    /// Whether the mean is over all points and channels of the board; otherwise over the channels of each point.
    pub spatial: bool,
    /// The factor of each channel.
    pub scale: Vec<f32>,
    /// What is added to each channel.
    pub bias: Vec<f32>,
}

/// The norm at a trunk's tip.
#[derive(Debug, Clone, PartialEq)]
pub enum TipNorm {
    /// A folded batch norm.
    Batch(Norm),
    /// A root-mean-square norm.
    Rms(TipRms),
}
