//! Network files: the reader of KataGo's, versions 8 to 17, and the reader and writer of our own, told apart by their bytes
//! alone, packed with gzip or not.
//!
//! A file of KataGo's, binary or text, is a row of words: names, counts, numbers, in an order that the version decides. The weights of a layer are
//! decimal words, or the marker `@BIN@` with little-endian 32-bit floats behind it. Nothing is trusted: counts have bounds,
//! the channels of each layer must fit the layer before, weights must be finite, memory grows with the bytes that arrive and
//! not with what is claimed, and the file must end where the network does. Subnormal weights become 0.
//!
//! In reading order: this file, header and trunk · [`error`] · `source` bytes, unpacked · `tokens` words and tensors ·
//! `layer` · `block` · `head` · [`own`] our files · [`half`] floats of 16 bits · [`checksum`].

mod block;
pub mod checksum;
pub mod error;
pub mod half;
mod head;
mod layer;
pub mod own;
mod source;
mod tokens;

use std::io::Read;

pub use error::{NetFileError, NetFileReason};
pub use own::NetworkOrigin;
pub use source::Limits;

use super::graph::{Graph, Multipliers, N_GLOBALS, N_PLANES, TipNorm, Trunk};
use tokens::{Reading, Tokens};

/// The oldest and the newest version that can be read.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 8..=17;

/// The longest name of a network.
const LONGEST_NAME: usize = 96;
/// The most blocks of a trunk, and of a bottleneck.
const MOST_BLOCKS: usize = 1024;

/// A file that is being read, and what its header decides for the layers.
struct Reader<'a> {
    tokens: Tokens<'a>,
    version: u32,
}

/// A network as a file tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadNetwork {
    /// Layers and weights.
    pub graph: Graph,
    /// Where it comes from; KataGo's files do not tell.
    pub origin: Option<NetworkOrigin>,
}

/// Reads a network from the bytes of a file.
///
/// # Errors
/// When the file is not a network that can be read: the reason, with layer and offset.
pub fn read(file: impl Read) -> Result<Graph, NetFileError> {
    read_within(file, Limits::default()).map(|network| network.graph)
}

/// Reads a network and its origin from the bytes of a file that may unpack to so much.
///
/// # Errors
/// When the file is not a network that can be read: the reason, with layer and offset.
pub fn read_within(file: impl Read, limits: Limits) -> Result<ReadNetwork, NetFileError> {
    let mut tokens = Tokens::new(file, limits)?;
    let name = model_name(&mut tokens)?;
    if name == own::MAGIC {
        let (graph, origin) = own::read::rest(tokens.into_source())?;
        return Ok(ReadNetwork { graph, origin: Some(origin) });
    }
    katago(name, tokens).map(|graph| ReadNetwork { graph, origin: None })
}

/// The rest of a file of KataGo's behind the network's name.
fn katago(name: String, mut tokens: Tokens<'_>) -> Result<Graph, NetFileError> {
    let version = version(&mut tokens)?;
    let mut reader = Reader { tokens, version };
    let tokens = &mut reader.tokens;
    tokens.fixed("the number of input planes", N_PLANES)?;
    tokens.fixed("the number of global inputs", N_GLOBALS)?;
    let multipliers = if version >= 13 { multipliers(tokens)? } else { Multipliers::default() };
    let prefers_pass_alive = version >= 15 && options(tokens)?;
    let trunk = reader.trunk()?;
    let policy = reader.policy_head(trunk.n_channels)?;
    let value = reader.value_head(trunk.n_channels)?;
    reader.tokens.finish()?;
    Ok(Graph { name, version, multipliers, prefers_pass_alive, trunk, policy, value })
}

fn model_name(tokens: &mut Tokens<'_>) -> Reading<String> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let begins = |word: &str| NetFileReason::NotANetwork(word.chars().take(24).collect());
    match tokens.word("a model name") {
        Ok(word) if word.len() <= LONGEST_NAME && word.bytes().all(is_name) => Ok(word),
        Ok(word) => tokens.fail(begins(&word.escape_default().to_string())),
        Err(NetFileError { reason: NetFileReason::Unexpected { found, .. }, .. }) => {
            tokens.fail(begins(&found))
        }
        Err(error) => Err(error),
    }
}

fn version(tokens: &mut Tokens<'_>) -> Reading<u32> {
    let version = tokens.int("the version")?;
    match u32::try_from(version) {
        Ok(known) if VERSIONS.contains(&known) => Ok(known),
        _ => tokens.fail(NetFileReason::Version(version)),
    }
}

fn multipliers(tokens: &mut Tokens<'_>) -> Reading<Multipliers> {
    Ok(Multipliers {
        td_score: tokens.number("the multiplier of the later score")?,
        score_mean: tokens.number("the multiplier of the mean score")?,
        score_stdev: tokens.number("the multiplier of the score's deviation")?,
        lead: tokens.number("the multiplier of the lead")?,
        variance_time: tokens.number("the multiplier of the variance time")?,
        value_error: tokens.number("the multiplier of the value error")?,
        score_error: tokens.number("the multiplier of the score error")?,
    })
}

/// The option numbers of version 15 and later; whether the network prefers pass-alive area under suicide rules.
fn options(tokens: &mut Tokens<'_>) -> Reading<bool> {
    if tokens.count("the version of the metadata encoder", 0, 1 << 20)? > 0 {
        return tokens.fail(NetFileReason::HumanSl);
    }
    let prefers_pass_alive = tokens.flag("the preference for pass-alive area")?;
    tokens.zeros(6, "the header option")?;
    Ok(prefers_pass_alive)
}

impl Reader<'_> {
    fn trunk(&mut self) -> Reading<Trunk> {
        let name = self.tokens.name()?;
        let n_blocks = self.tokens.count("the number of blocks", 0, MOST_BLOCKS)?;
        let n_channels = self.channels("the number of trunk channels")?;
        // The usual widths of blocks: each block tells its own again.
        for what in ["middle channels", "regular channels", "dilated channels", "pooled channels"] {
            self.tokens.count(what, 0, layer::MOST_CHANNELS)?;
        }
        let mut has_rms_tip = false;
        if self.version >= 15 {
            has_rms_tip = self.tokens.flag("the kind of norm at the trunk's tip")?;
            self.tokens.zeros(5, "the trunk option")?;
        }
        let conv = self.conv(N_PLANES, Some(n_channels))?;
        let globals = self.product(N_GLOBALS, Some(n_channels))?;
        let blocks = self.blocks(n_blocks, n_channels, 0)?;
        let tip = if has_rms_tip {
            TipNorm::Rms(self.tip_rms(n_channels)?)
        } else {
            TipNorm::Batch(self.norm(n_channels)?)
        };
        let tip_activation = self.activation()?;
        Ok(Trunk { name, n_channels, conv, globals, blocks, tip, tip_activation })
    }
}

#[cfg(test)]
mod tests;
