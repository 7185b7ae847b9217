//! The reader of our network files: from the first byte behind the magic to the checksum.

use goban::Size;

use super::header::{BlockSizes, LONGEST_TEXT, LayerSizes, NetworkOrigin, NumberForm};
use super::tensors::{self, Tensor};
use super::{FORMAT, MAGIC};
use crate::net::file::checksum::Fnv1a;
use crate::net::file::error::{NetFileError, NetFileReason};
use crate::net::file::half;
use crate::net::file::layer::{LARGEST_KERNEL, MOST_CHANNELS};
use crate::net::file::source::Source;
use crate::net::file::tokens::{Reading, flush};
use crate::net::file::{LONGEST_NAME, MOST_BLOCKS};
use crate::net::graph::{Activation, Graph, Multipliers};

/// Weights reserved for before any has been read.
const FIRST_WEIGHTS: usize = 1 << 12;
/// The most boards that a header names.
const MOST_BOARDS: usize = 64;

/// Whether a text may be the name of a network, a game or a shape.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    !text.is_empty() && text.len() <= LONGEST_NAME && text.bytes().all(is_plain)
}

/// A file of ours that is being read.
struct OwnReader<'a> {
    source: Source<'a>,
    sum: Fnv1a,
    /// The part that is being read.
    layer: String,
}

/// Reads the rest of a file whose first word, [`MAGIC`], was read already.
pub(in crate::net::file) fn rest(source: Source<'_>) -> Reading<(Graph, NetworkOrigin)> {
    let mut sum = Fnv1a::default();
    sum.add(MAGIC.as_bytes());
    let mut reader = OwnReader { source, sum, layer: "the header".into() };
    reader.format()?;
    let (name, origin) = reader.origin()?;
    let (sizes, numbers) = reader.sizes()?;
    let mut graph = tensors::empty(&name, &sizes);
    tensors::each(&mut graph, &mut |tensor| reader.tensor(tensor, numbers))?;
    reader.finish()?;
    Ok((graph, origin))
}

impl OwnReader<'_> {
    fn fail<T>(&self, reason: NetFileReason) -> Reading<T> {
        Err(NetFileError { layer: self.layer.clone(), offset: self.source.offset(), reason })
    }

    fn unexpected<T>(&self, expected: &str, found: &str) -> Reading<T> {
        let found: String = found.chars().take(64).flat_map(char::escape_debug).collect();
        self.fail(NetFileReason::Unexpected { expected: expected.into(), found })
    }

    /// The next bytes, at most `most` of them and at least one.
    fn some_bytes(&mut self, most: usize, what: &str) -> Reading<Vec<u8>> {
        let bytes = match self.source.peek() {
            Ok(bytes) => bytes[..bytes.len().min(most)].to_vec(),
            Err(reason) => return self.fail(reason),
        };
        if bytes.is_empty() {
            return self.fail(NetFileReason::Truncated(what.into()));
        }
        self.source.consume(bytes.len());
        self.sum.add(&bytes);
        Ok(bytes)
    }

    /// The next line: what stands behind its key.
    fn line(&mut self, key: &str) -> Reading<String> {
        let mut line = Vec::new();
        loop {
            let byte = self.some_bytes(1, &format!("the end of the line `{key}`"))?;
            if byte == b"\n" {
                break;
            }
            line.extend(byte);
            if line.len() > key.len() + 1 + LONGEST_TEXT {
                return self.unexpected(&format!("a line `{key}`"), "a longer line");
            }
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        let rest = text.strip_prefix(key).and_then(|rest| rest.strip_prefix(' '));
        match rest.filter(|_| !text.chars().any(char::is_control)) {
            Some(rest) => Ok(rest.to_string()),
            None if key.is_empty() => self.unexpected("a space and the version of the format", &text),
            None => self.unexpected(&format!("a line `{key} …`"), &text),
        }
    }

    fn format(&mut self) -> Reading<()> {
        // The magic is the word that was read; the rest of its line has the number behind a space.
        let line = self.line("")?;
        match line.parse::<u32>() {
            Ok(FORMAT) => Ok(()),
            _ => self.unexpected(&format!("the format {FORMAT} of {MAGIC}"), &line),
        }
    }

    /// A name, a game or a shape.
    fn name(&mut self, key: &str) -> Reading<String> {
        let text = self.line(key)?;
        if is_name(&text) { Ok(text) } else { self.unexpected(&format!("a {key}"), &text) }
    }

    /// Name and origin of the network.
    fn origin(&mut self) -> Reading<(String, NetworkOrigin)> {
        let name = self.name("name")?;
        let game = self.name("game")?;
        let boards = self.line("boards")?;
        let Some(boards) = sizes(&boards) else {
            return self.unexpected("boards such as `9x9 13x13`", &boards);
        };
        let shape = self.name("shape")?;
        let steps = self.line("steps")?;
        let Ok(n_steps) = steps.parse() else { return self.unexpected("a number of steps", &steps) };
        let [trainer, data, teacher, licence] =
            [self.line("trainer")?, self.line("data")?, self.line("teacher")?, self.line("licence")?];
        Ok((name, NetworkOrigin { game, boards, shape, n_steps, trainer, data, teacher, licence }))
    }

    /// `N` whole numbers from 1 to `high`.
    fn counts<const N: usize>(&mut self, what: &'static str, text: &str, high: usize) -> Reading<[usize; N]> {
        let numbers: Option<Vec<i64>> = text.split(' ').map(|word| word.parse().ok()).collect();
        let Some(Ok(numbers)) = numbers.map(<[i64; N]>::try_from) else {
            return self.unexpected(what, text);
        };
        if let Some(&found) = numbers.iter().find(|&&n| !(1..=high as i64).contains(&n)) {
            return self.fail(NetFileReason::OutOfRange { what, found, low: 1, high: high as i64 });
        }
        Ok(numbers.map(|n| n as usize))
    }

    fn count_line<const N: usize>(&mut self, key: &str, what: &'static str) -> Reading<[usize; N]> {
        let text = self.line(key)?;
        self.counts(what, &text, MOST_CHANNELS)
    }

    fn sizes(&mut self) -> Reading<(LayerSizes, NumberForm)> {
        let text = self.line("outputs")?;
        let version = match text.parse() {
            Ok(version @ 8..15) => version,
            _ => return self.unexpected("outputs of version 8 to 14", &text),
        };
        let multipliers = self.multipliers()?;
        let activation = match self.line("activation")?.as_str() {
            "relu" => Activation::Relu,
            "mish" => Activation::Mish,
            other => return self.unexpected("relu or mish", other),
        };
        let [n_channels, first_side] =
            self.count_line("trunk", "the channels and the first kernel of the trunk")?;
        if first_side > LARGEST_KERNEL || first_side.is_multiple_of(2) {
            return self.fail(NetFileReason::Unsupported(format!("a kernel of size {first_side}")));
        }
        let n_blocks = self.line("blocks")?;
        let n_blocks = match n_blocks.parse() {
            Ok(n @ 0..=MOST_BLOCKS) => n,
            _ => return self.unexpected("a number of blocks", &n_blocks),
        };
        let mut blocks = Vec::new();
        for _ in 0..n_blocks {
            blocks.push(self.block()?);
        }
        let policy = self.count_line("policy", "the channels of the policy head")?;
        let value = self.count_line("value", "the channels of the value head")?;
        let text = self.line("weights")?;
        let Some(numbers) = NumberForm::ALL.into_iter().find(|form| form.name() == text) else {
            return self.unexpected("f32 or f16", &text);
        };
        let sizes =
            LayerSizes { version, multipliers, activation, n_channels, first_side, blocks, policy, value };
        Ok((sizes, numbers))
    }

    fn block(&mut self) -> Reading<BlockSizes> {
        let text = self.line("block")?;
        if let Some(counts) = text.strip_prefix("ordinary ") {
            let [n_mid] = self.counts("the channels of a block", counts, MOST_CHANNELS)?;
            return Ok(BlockSizes::Ordinary(n_mid));
        }
        if let Some(counts) = text.strip_prefix("pooling ") {
            let [n_regular, n_pool] = self.counts("the channels of a block", counts, MOST_CHANNELS)?;
            return Ok(BlockSizes::Pooling(n_regular, n_pool));
        }
        self.unexpected("an ordinary or pooling block", &text)
    }

    fn multipliers(&mut self) -> Reading<Multipliers> {
        let text = self.line("multipliers")?;
        let numbers: Option<Vec<f32>> =
            text.split(' ').map(|word| word.parse().ok().filter(|x: &f32| x.is_finite())).collect();
        let Some(Ok(numbers)) = numbers.map(<[f32; 7]>::try_from) else {
            return self.unexpected("seven multipliers", &text);
        };
        let [td_score, score_mean, score_stdev, lead, variance_time, value_error, score_error] = numbers;
        Ok(Multipliers { td_score, score_mean, score_stdev, lead, variance_time, value_error, score_error })
    }

    /// Reads a tensor. Memory grows as weights arrive: a claim alone costs nothing.
    fn tensor(&mut self, tensor: Tensor<'_>, numbers: NumberForm) -> Reading<()> {
        let Tensor { layer, weights, n } = tensor;
        if self.layer != layer {
            self.layer = layer.to_string();
        }
        weights.reserve_exact(n.min(FIRST_WEIGHTS));
        let width = numbers.n_bytes();
        // The bytes of a number that did not arrive together.
        let mut split = Vec::new();
        while weights.len() < n {
            let missing = (n - weights.len()).saturating_mul(width) - split.len();
            split.extend(self.some_bytes(missing, "all weights of the layer")?);
            let n_whole = split.len() / width;
            for bytes in split[..n_whole * width].chunks_exact(width) {
                let value = match *bytes {
                    [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
                    [a, b] => half::to_f32(u16::from_le_bytes([a, b])),
                    _ => f32::NAN,
                };
                if !value.is_finite() {
                    return self.fail(NetFileReason::NotFinite { index: weights.len(), value });
                }
                weights.push(flush(value));
            }
            split.drain(..n_whole * width);
        }
        weights.shrink_to_fit();
        Ok(())
    }

    /// Compares the checksum, behind which the file ends.
    fn finish(&mut self) -> Reading<()> {
        self.layer = "the checksum".into();
        let right = self.sum.value();
        let mut found = Vec::new();
        while found.len() < 8 {
            found.extend(self.some_bytes(8 - found.len(), "the checksum")?);
        }
        if found != right.to_le_bytes() {
            return self.fail(NetFileReason::Checksum);
        }
        match self.source.peek() {
            Ok([]) => Ok(()),
            Ok(_) => self.fail(NetFileReason::LeftOver),
            Err(reason) => self.fail(reason),
        }
    }
}

/// Sizes of boards, such as `9x9 13x13`; none of an empty text.
fn sizes(text: &str) -> Option<Vec<Size>> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let size = |word: &&str| {
        let (width, height) = word.split_once('x')?;
        Size::new(width.parse().ok()?, height.parse().ok()?).ok()
    };
    if words.len() > MOST_BOARDS { None } else { words.iter().map(size).collect() }
}
