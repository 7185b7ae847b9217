//! What can be wrong with a network file, and where.

/// A network file that is refused: the reason, and the place in the unpacked file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{reason} (byte {offset} of the unpacked file, in {layer})")]
pub struct NetFileError {
    /// The layer or part that was being read, such as `the header` or `trunk/conv1`.
    pub layer: String,
    /// The offset in the unpacked file at which the reader stopped.
    pub offset: u64,
    /// The reason.
    pub reason: NetFileReason,
}

/// Why a network file is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NetFileReason {
    /// The file does not begin like a network.
    #[error(
        "this is not a KataGo network and none of Tengen's: it begins with `{0}` instead of a model name"
    )]
    NotANetwork(String),
    /// The version is not one that can be read.
    #[error("networks of version {0} are not supported, only versions 8 to 17")]
    Version(i64),
    /// The network has an encoder of player metadata.
    #[error("human-SL nets are not supported: this network wants metadata about the players")]
    HumanSl,
    /// The file uses something that nobody has needed so far.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// The file ends too early.
    #[error("the file ends before {0}; it is truncated")]
    Truncated(String),
    /// There is more in the file than the network.
    #[error("the network is complete but the file goes on")]
    LeftOver,
    /// Something else stands where a number or word is expected.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A layer does not fit the one before it.
    #[error("{what} is {found}, which does not fit the layers around it: {expected} is needed")]
    Mismatch {
        /// The count that is wrong.
        what: &'static str,
        /// The count that fits.
        expected: usize,
        /// The count in the file.
        found: usize,
    },
    /// A count or size outside of what a network can have.
    #[error("{what} is {found}, outside {low} to {high}")]
    OutOfRange {
        /// The count that is wrong.
        what: &'static str,
        /// The count in the file.
        found: i64,
        /// The smallest that is accepted.
        low: i64,
        /// The largest that is accepted.
        high: i64,
    },
    /// A weight is NaN or infinite.
    #[error("weight {index} is {value}, not a finite number")]
    NotFinite {
        /// Its index in the tensor.
        index: usize,
        /// NaN, inf or -inf.
        value: f32,
    },
    /// A folded norm is not finite: the variance is too small or negative.
    #[error("the norm of channel {0} is not finite: its variance is not positive, or a weight is too large")]
    BadNorm(usize),
    /// The bytes are not those that were written.
    #[error("the checksum does not fit the bytes before it; the file is damaged")]
    Checksum,
    /// The file unpacks to more than a network can be.
    #[error("the file unpacks to more than {0} bytes")]
    TooLarge(u64),
    /// The file unpacks to much more than its own size.
    #[error(
        "the file unpacks to more than {0} times its size, which no network does; it looks like a zip bomb"
    )]
    Bomb(u64),
    /// The bytes could not be read or unpacked.
    #[error("cannot be read: {0}")]
    Io(String),
}
