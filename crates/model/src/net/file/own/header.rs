//! The text at the beginning of a file: where the network comes from, and the sizes of its layers.
//!
//! Lines of a key, a space and a value, in this order:
//!
//! | key | value |
//! |---|---|
//! | `name` | the network's name: letters, digits, `_`, `-` and `.` |
//! | `game` | the game that it plays, as `--game` names it: `go`, `hex`, … |
//! | `boards` | sizes of the boards that it was trained on, such as `9x9 13x13` |
//! | `shape` | blocks and channels in short, such as `b6c64` |
//! | `steps` | training steps |
//! | `trainer`, `data`, `teacher`, `licence` | free text, each may be empty: the command, what it learned from, the network that labelled it, the terms of all that |
//! | `outputs` | how outputs are read: KataGo's version number, 8 to 14 |
//! | `multipliers` | seven factors of the score outputs, in the order of [`Multipliers`] |
//! | `activation` | `relu` or `mish`, throughout |
//! | `trunk` | channels, side of the first kernel |
//! | `blocks` | the number of blocks; a line for each follows: |
//! | `block` | `ordinary` and the channels between the two convolutions, or `pooling` and the regular and pooled channels |
//! | `policy` | channels of the head, pooled channels |
//! | `value` | channels of the head, hidden numbers |
//! | `weights` | `f32` or `f16`: the numbers that follow |

use std::fmt::Write;

use goban::Size;

use crate::net::graph::{Activation, Graph, Multipliers};

/// Where a network comes from, as its file tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetworkOrigin {
    /// The game that it plays, as `--game` names it.
    pub game: String,
    /// The boards that it was trained on.
    pub boards: Vec<Size>,
    /// Blocks and channels in short, such as b6c64.
    pub shape: String,
    /// Training steps.
    pub n_steps: u64,
    /// The command that trained it.
    pub trainer: String,
    /// What it learned from.
    pub data: String,
    /// The network that labelled what it learned from; empty without one.
    pub teacher: String,
    /// The terms of all that.
    pub licence: String,
}

/// The numbers in which a file keeps weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberForm {
    /// 32 bits: exactly the weights.
    #[default]
    F32,
    /// 16 bits: weights to three digits, half the size.
    F16,
}

impl NumberForm {
    /// All of them.
    pub const ALL: [NumberForm; 2] = [NumberForm::F32, NumberForm::F16];

    /// The name in the header.
    pub const fn name(self) -> &'static str {
        match self {
            NumberForm::F32 => "f32",
            NumberForm::F16 => "f16",
        }
    }

    /// Bytes of a number.
    pub const fn n_bytes(self) -> usize {
        match self {
            NumberForm::F32 => 4,
            NumberForm::F16 => 2,
        }
    }
}

/// The sizes of a network's layers, from which all lengths of tensors follow.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerSizes {
    /// KataGo's version number, which decides how outputs are read.
    pub version: u32,
    /// The factors of the score outputs.
    pub multipliers: Multipliers,
    /// The activation of every layer.
    pub activation: Activation,
    /// Channels of the trunk.
    pub n_channels: usize,
    /// The side of the first convolution's kernel.
    pub first_side: usize,
    /// The blocks.
    pub blocks: Vec<BlockSizes>,
    /// Channels and pooled channels of the policy head.
    pub policy: [usize; 2],
    /// Channels and hidden numbers of the value head.
    pub value: [usize; 2],
}

/// The sizes of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockSizes {
    /// Channels between the convolutions.
    Ordinary(usize),
    /// Regular and pooled channels.
    Pooling(usize, usize),
}

/// The magic and the header of a network whose layers have these sizes.
pub(super) fn text(graph: &Graph, origin: &NetworkOrigin, sizes: &LayerSizes, numbers: NumberForm) -> String {
    let boards: Vec<String> = origin.boards.iter().map(ToString::to_string).collect();
    let mut text = format!("{} {}\n", super::MAGIC, super::FORMAT);
    for (key, value) in [
        ("name", graph.name.as_str()),
        ("game", &origin.game),
        ("boards", &boards.join(" ")),
        ("shape", &origin.shape),
        ("steps", &origin.n_steps.to_string()),
        ("trainer", &one_line(&origin.trainer, LONGEST_TEXT)),
        ("data", &one_line(&origin.data, LONGEST_TEXT)),
        ("teacher", &one_line(&origin.teacher, LONGEST_TEXT)),
        ("licence", &one_line(&origin.licence, LONGEST_TEXT)),
    ] {
        let _ = writeln!(text, "{key} {value}");
    }
    let factors: Vec<String> = factors(&sizes.multipliers).iter().map(ToString::to_string).collect();
    let activation = if sizes.activation == Activation::Relu { "relu" } else { "mish" };
    let _ = write!(
        text,
        "outputs {}\nmultipliers {}\nactivation {activation}\ntrunk {} {}\nblocks {}\n",
        sizes.version,
        factors.join(" "),
        sizes.n_channels,
        sizes.first_side,
        sizes.blocks.len()
    );
    for block in &sizes.blocks {
        let _ = match block {
            BlockSizes::Ordinary(n_mid) => writeln!(text, "block ordinary {n_mid}"),
            BlockSizes::Pooling(n_regular, n_pool) => writeln!(text, "block pooling {n_regular} {n_pool}"),
        };
    }
    let ([n_policy, n_pool], [n_value, n_hidden]) = (sizes.policy, sizes.value);
    let _ =
        write!(text, "policy {n_policy} {n_pool}\nvalue {n_value} {n_hidden}\nweights {}\n", numbers.name());
    text
}

/// The longest free text of a header, in bytes.
pub(super) const LONGEST_TEXT: usize = 2000;

/// A text that fits on a line of a header: control characters become spaces, and what is longer than `most` bytes is cut.
pub fn one_line(text: &str, most: usize) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut line: String = text.trim().chars().map(plain).collect();
    if line.len() > most {
        let end = (0..=most.saturating_sub('…'.len_utf8())).rev().find(|&end| line.is_char_boundary(end));
        line.truncate(end.unwrap_or(0));
        line.push('…');
    }
    line
}

/// The multipliers in the order of the file.
pub(super) fn factors(multipliers: &Multipliers) -> [f32; 7] {
    let Multipliers { td_score, score_mean, score_stdev, lead, variance_time, value_error, score_error } =
        *multipliers;
    [td_score, score_mean, score_stdev, lead, variance_time, value_error, score_error]
}
