//! The writer of our network files.

use super::header::{self, BlockSizes, LayerSizes, NetworkOrigin, NumberForm};
use super::tensors::{self, Tensor};
use crate::net::file::checksum::Fnv1a;
use crate::net::file::half;
use crate::net::graph::{Activation, Block, Graph, TipNorm};

/// A network that our files cannot keep.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NetWriteError {
    /// It has layers of other kinds or sizes.
    #[error("the network cannot be written: {0}")]
    Unsupported(String),
    /// A weight that is no number, or that half precision has no number for.
    #[error(
        "the network cannot be written: weight {index} of {layer} is {value}, which has no {form} number"
    )]
    NotFinite {
        /// The layer.
        layer: String,
        /// Its index in the tensor.
        index: usize,
        /// The weight.
        value: f32,
        /// The numbers that were asked for.
        form: &'static str,
    },
}

/// The bytes of a network file.
///
/// # Errors
/// When the network has layers that our files do not know, or weights that are no numbers.
pub fn to_bytes(
    graph: &Graph,
    origin: &NetworkOrigin,
    numbers: NumberForm,
) -> Result<Vec<u8>, NetWriteError> {
    let sizes = sizes_of(graph)?;
    check_names(graph, origin)?;
    // The walk hands out tensors that may be changed; what it walks over here is a copy.
    let mut graph = graph.clone();
    let mut bytes = header::text(&graph, origin, &sizes, numbers).into_bytes();
    tensors::each(&mut graph, &mut |tensor| push(tensor, numbers, &mut bytes))?;
    let sum = Fnv1a::of(&bytes);
    bytes.extend(sum.to_le_bytes());
    Ok(bytes)
}

fn push(tensor: Tensor<'_>, numbers: NumberForm, bytes: &mut Vec<u8>) -> Result<(), NetWriteError> {
    let Tensor { layer, weights, n } = tensor;
    if weights.len() != n {
        let why = format!("{layer} has a tensor of {} weights in place of {n}", weights.len());
        return Err(NetWriteError::Unsupported(why));
    }
    let form = numbers.name();
    for (index, &value) in weights.iter().enumerate() {
        let is_kept = match numbers {
            NumberForm::F32 => {
                bytes.extend(value.to_le_bytes());
                value.is_finite()
            }
            NumberForm::F16 => {
                let kept = half::from_f32(value);
                bytes.extend(kept.to_le_bytes());
                half::to_f32(kept).is_finite()
            }
        };
        if !is_kept {
            return Err(NetWriteError::NotFinite { layer: layer.to_string(), index, value, form });
        }
    }
    Ok(())
}

fn unsupported<T>(why: impl Into<String>) -> Result<T, NetWriteError> {
    Err(NetWriteError::Unsupported(why.into()))
}

/// The sizes of a network's layers, if our files know networks like it: its layers are those of [`tensors::empty`].
fn sizes_of(graph: &Graph) -> Result<LayerSizes, NetWriteError> {
    let trunk = &graph.trunk;
    if !(8..15).contains(&graph.version) {
        return unsupported(format!("version {} of the outputs; expected 8 to 14", graph.version));
    }
    if !matches!(trunk.tip, TipNorm::Batch(_)) || graph.policy.pass_hidden.is_some() {
        return unsupported("a root-mean-square norm at the tip, or a hidden layer for the pass");
    }
    let mut blocks = Vec::new();
    for block in &trunk.blocks {
        blocks.push(match block {
            Block::Ordinary(block) => BlockSizes::Ordinary(block.first.n_out),
            Block::Pooling(block) => BlockSizes::Pooling(block.regular.n_out, block.pool.n_out),
            other => {
                return unsupported(format!(
                    "the block {}; expected ordinary and pooling ones",
                    other.name()
                ));
            }
        });
    }
    let activation = trunk.tip_activation;
    if !matches!(activation, Activation::Relu | Activation::Mish) {
        return unsupported("an activation that is neither relu nor mish");
    }
    let sizes = LayerSizes {
        version: graph.version,
        multipliers: graph.multipliers,
        activation,
        n_channels: trunk.n_channels,
        first_side: trunk.conv.height,
        blocks,
        policy: [graph.policy.regular.n_out, graph.policy.pool.n_out],
        value: [graph.value.regular.n_out, graph.value.hidden.n_out],
    };
    if bare(graph) != bare(&tensors::empty(&graph.name, &sizes)) {
        return unsupported("layers of other sizes, or more than one activation");
    }
    Ok(sizes)
}

/// The network without weights and without the names of its parts.
fn bare(graph: &Graph) -> Graph {
    let mut bare = graph.clone();
    let cleared: Result<(), NetWriteError> = tensors::each(&mut bare, &mut |tensor| {
        tensor.weights.clear();
        Ok(())
    });
    debug_assert!(cleared.is_ok(), "nothing fails");
    for name in [&mut bare.trunk.name, &mut bare.policy.name, &mut bare.value.name] {
        name.clear();
    }
    for block in &mut bare.trunk.blocks {
        match block {
            Block::Ordinary(block) => block.name.clear(),
            Block::Pooling(block) => block.name.clear(),
            _ => {}
        }
    }
    bare
}

fn check_names(graph: &Graph, origin: &NetworkOrigin) -> Result<(), NetWriteError> {
    for (what, text) in [("name", &graph.name), ("game", &origin.game), ("shape", &origin.shape)] {
        if !super::read::is_name(text) {
            return unsupported(format!(
                "the {what} `{}`; expected letters, digits, `_`, `-` and `.`",
                text.escape_default()
            ));
        }
    }
    Ok(())
}
