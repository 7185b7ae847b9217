//! Networks from files, for searches that ask one.
//!
//! In reading order: this file (a network with its file) · [`folder`] (networks by name) · [`summary`] (what a network is
//! made of) · [`raw`] (what it says of a position without a search) · [`positions`] (positions to evaluate) · [`check`]
//! (its engines compared with the reference).

pub mod check;
pub mod folder;
pub mod positions;
pub mod raw;
pub mod summary;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use mcts::LoadedNet;
use model::net::file::checksum::Fnv1a;
use model::net::file::{self, Limits, NetFileError, NetFileReason, NetworkOrigin};
use model::net::inside;
use model::net::katago::KataGoNet;
use model::net::pair::PairNet;

pub use folder::{NetEntry, NetFolder};
pub use summary::NetSummary;

/// How the names of network files end. Where several files differ in their suffix alone, the first of these is meant.
pub const SUFFIXES: [&str; 5] = [".bin.gz", ".txt.gz", ".bin", ".txt", ".net"];

/// A network that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum NetLoadError {
    /// The file cannot be opened.
    #[error("{}: {error}; expected a network of KataGo's, such as NAME.bin.gz, or of Tengen's, NAME.net", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file holds no network that can be read.
    #[error("{}: {error}", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The place and the reason.
        error: NetFileError,
    },
    /// Neither a file nor a network of the folder.
    #[error("{}", folder::describe_unknown(.name, .folder.as_deref(), .known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The folder of networks, if there is one.
        folder: Option<PathBuf>,
        /// The names of the networks there.
        known: Vec<String>,
    },
    /// The network plays another game.
    #[error("{}: this network plays {found}; expected one that plays {expected}", .path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game of the file.
        found: String,
        /// The game that is played.
        expected: String,
    },
    /// The file is not the one that is meant.
    #[error("{}: this is another network than the one that is meant: its hash is {found:016x}, expected {expected:016x}", .path.display())]
    OtherHash {
        /// The file.
        path: PathBuf,
        /// The hash of its bytes.
        found: u64,
        /// The hash that was asked for.
        expected: u64,
    },
}

/// A network and the file that it was read from.
#[derive(Clone)]
pub struct NetFile {
    /// The file; of the network inside the program the bare name.
    pub path: PathBuf,
    /// The size of the file in bytes.
    pub n_bytes: u64,
    /// The hash of the file's bytes (FNV-1a, 64 bits): two networks are the same if theirs are.
    pub hash: u64,
    /// Where the network comes from; KataGo's files do not tell.
    pub origin: Option<NetworkOrigin>,
    /// The network.
    pub net: Arc<KataGoNet>,
    /// A second network whose value, score and owners are taken in place of this one's.
    pub value: Option<ValueNet>,
}

/// The second of two networks that play together.
#[derive(Clone)]
pub struct ValueNet {
    /// The network with its file.
    pub file: Box<NetFile>,
    /// Both as one.
    pair: Arc<PairNet>,
}

impl fmt::Debug for NetFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "NetFile({})", self.identity())
    }
}

impl NetFile {
    /// The name of the file without folder and suffix.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        stem(&name).unwrap_or(&name).to_string()
    }

    /// Whether it is the network inside the program.
    pub fn is_built_in(&self) -> bool {
        self.path == Path::new(inside::NAME)
    }

    /// Where it is, for people: the path of the file, or that it is part of the program.
    pub fn place(&self) -> String {
        if self.is_built_in() { "inside the program".to_string() } else { self.path.display().to_string() }
    }

    /// Name and hash: `b6c96#0123456789abcdef`; with a second network `a#0123456789abcdef,value-net=b#0123456789abcdef`.
    pub fn identity(&self) -> String {
        let value = self
            .value
            .as_ref()
            .map_or(String::new(), |value| format!(",value-net={}", value.file.identity()));
        format!("{}#{:016x}{value}", self.name(), self.hash)
    }

    /// The policy of this network with value, score and owners of another.
    pub fn with_value(self, value: NetFile) -> NetFile {
        let pair = Arc::new(PairNet::new(Arc::clone(&self.net), Arc::clone(&value.net)));
        NetFile { value: Some(ValueNet { file: Box::new(value), pair }), ..self }
    }

    /// The game that the network plays, as `--game` names it.
    pub fn game(&self) -> &str {
        self.origin.as_ref().map_or("go", |origin| &origin.game)
    }

    /// The same file, if its network plays `game`.
    ///
    /// # Errors
    /// When it plays another one: which.
    pub fn for_game(self, game: &str) -> Result<NetFile, NetLoadError> {
        if self.game() == game {
            return Ok(self);
        }
        let found = self.game().to_string();
        Err(NetLoadError::OtherGame { path: self.path, found, expected: game.to_string() })
    }

    /// The network as searches take it.
    pub fn loaded(&self) -> LoadedNet {
        match &self.value {
            Some(value) => LoadedNet(Arc::clone(&value.pair) as Arc<dyn model::net::Net>),
            None => LoadedNet(Arc::clone(&self.net) as Arc<dyn model::net::Net>),
        }
    }
}

/// The name of a network file without its suffix; `None` for the name of no network file.
pub(crate) fn stem(name: &str) -> Option<&str> {
    SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).filter(|stem| !stem.is_empty())
}

/// Loads a network, KataGo's or ours, from a file.
///
/// # Errors
/// When the file cannot be opened, or holds no network that can be read: where and why.
pub fn load(path: &Path) -> Result<NetFile, NetLoadError> {
    let unreadable = |error| NetLoadError::Unreadable { path: path.to_path_buf(), error };
    read(path, BufReader::new(File::open(path).map_err(unreadable)?)).map_err(|error| match error {
        NetLoadError::Refused { path, error } => NetLoadError::Refused { error: of_text(&path, error), path },
        error => error,
    })
}

/// The network inside the program, which every folder knows by the name [`inside::NAME`]. It is read when it is first asked for.
pub fn built_in() -> NetFile {
    static NET: OnceLock<NetFile> = OnceLock::new();
    // A test of `model` reads the file.
    NET.get_or_init(|| read(Path::new(inside::NAME), inside::FILE).expect("the network inside the program"))
        .clone()
}

/// Reads a network from the bytes of a file.
fn read(path: &Path, bytes: impl Read) -> Result<NetFile, NetLoadError> {
    let unreadable = |error| NetLoadError::Unreadable { path: path.to_path_buf(), error };
    let refused = |error| NetLoadError::Refused { path: path.to_path_buf(), error };
    let mut reader = Hashed::new(bytes);
    let network = file::read_within(&mut reader, Limits::default()).map_err(refused)?;
    // What the reader of the network need not have seen, such as the end of a packed file.
    io::copy(&mut reader, &mut io::sink()).map_err(unreadable)?;
    Ok(NetFile {
        path: path.to_path_buf(),
        n_bytes: reader.n_bytes,
        hash: reader.hash.value(),
        origin: network.origin,
        net: Arc::new(KataGoNet::new(network.graph)),
        value: None,
    })
}

/// The refusal of a file; of one that ends or goes wrong before the first layer and is no packed file, that it is no network.
/// The first word of any text could be a network's name, so the reader finds out only later.
fn of_text(path: &Path, error: NetFileError) -> NetFileError {
    let is_early = error.layer == "the header"
        && matches!(error.reason, NetFileReason::Truncated(_) | NetFileReason::Unexpected { .. });
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(24).read_to_end(&mut start));
    if !is_early || read.is_err() || start.starts_with(&[0x1f, 0x8b]) {
        return error;
    }
    NetFileError { reason: NetFileReason::NotANetwork(start.escape_ascii().to_string()), ..error }
}

/// A reader that hashes and counts what it reads.
struct Hashed<R> {
    inner: R,
    hash: Fnv1a,
    n_bytes: u64,
}

impl<R> Hashed<R> {
    fn new(inner: R) -> Self {
        Self { inner, hash: Fnv1a::default(), n_bytes: 0 }
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.hash.add(&buffer[..n]);
        self.n_bytes += n as u64;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::net::file::own::NumberForm;
    use model::net::sample::{self, Form};

    #[test]
    fn a_file_is_known_by_its_name_and_its_bytes() {
        let path = std::env::temp_dir().join(format!("tengen-nets-{}.a.bin", std::process::id()));
        let bytes = sample::write(&sample::conv_graph(8, 4, 1), Form::Binary);
        std::fs::write(&path, &bytes).unwrap();
        let net = load(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((net.n_bytes, net.name().ends_with(".a")), (bytes.len() as u64, true));
        let mut hashed = Hashed::new(&bytes[..]);
        io::copy(&mut hashed, &mut io::sink()).unwrap();
        assert_eq!((net.hash, net.net.name()), (hashed.hash.value(), "sample-net_1"));
        assert!(net.identity().ends_with(&format!(".a#{:016x}", net.hash)), "{net:?}");
    }

    #[test]
    fn a_network_of_another_game_is_refused_by_name() {
        let path = std::env::temp_dir().join(format!("tengen-nets-{}.net", std::process::id()));
        let graph = sample::plain_graph(9, 4, 1);
        for (game, is_right) in [("go", true), ("hex", false)] {
            let shape = "b2c4".to_string();
            let origin =
                NetworkOrigin { game: game.to_string(), shape, n_steps: 7, ..NetworkOrigin::default() };
            std::fs::write(&path, file::own::to_bytes(&graph, &origin, NumberForm::F16).unwrap()).unwrap();
            let net = load(&path).unwrap();
            assert_eq!((net.game(), net.origin.as_ref()), (game, Some(&origin)));
            let checked = net.for_game("go").map_err(|error| error.to_string());
            assert_eq!(checked.is_ok(), is_right);
            if let Err(error) = checked {
                assert!(
                    error.ends_with(".net: this network plays hex; expected one that plays go"),
                    "{error}"
                );
            }
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_text_is_no_network() {
        let path = std::env::temp_dir().join(format!("tengen-nets-{}.txt", std::process::id()));
        for text in ["hello", "no network at all", ""] {
            std::fs::write(&path, text).unwrap();
            let error = load(&path).unwrap_err().to_string();
            assert!(error.contains(&format!("none of Tengen's: it begins with `{text}`")), "{error}");
        }
        // A network of which the end is missing is one.
        let bytes = sample::write(&sample::conv_graph(8, 4, 1), Form::Binary);
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let error = load(&path).unwrap_err().to_string();
        assert!(error.contains("truncated"), "{error}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_second_network_gives_the_value_and_the_first_the_policy() {
        let folder = tempfile::tempdir().unwrap();
        let net = |name: &str, seed| {
            let path = folder.path().join(name);
            std::fs::write(&path, sample::write(&sample::conv_graph(8, 4, seed), Form::Binary)).unwrap();
            load(&path).unwrap()
        };
        let (policy, value) = (net("a.bin", 1), net("b.bin", 2));
        let pair = policy.clone().with_value(value.clone());
        assert_eq!(pair.identity(), format!("{},value-net={}", policy.identity(), value.identity()));
        let position = goban::Position::new(goban::Size::square(5).unwrap(), goban::Rules::CHINESE);
        let ask = |file: &NetFile| raw::evaluate_file(file, &position, goban::Symmetry::IDENTITY).unwrap();
        let [of_policy, of_value, of_pair] = [ask(&policy), ask(&value), ask(&pair)];
        assert!(of_pair.policy == of_policy.policy && of_pair.policy != of_value.policy);
        assert!(of_pair.p_win == of_value.p_win && of_pair.p_win != of_policy.p_win);
        assert_eq!(of_pair.ownership, of_value.ownership);
        // Searches take the two as one network, always the same.
        assert_eq!(pair.loaded(), pair.clone().loaded());
        assert!(pair.loaded() != policy.loaded());
    }

    #[test]
    fn suffixes_are_taken_off() {
        assert_eq!(stem("g170.b6.bin.gz"), Some("g170.b6"));
        assert_eq!((stem("a.txt"), stem("a.bin"), stem("a.txt.gz")), (Some("a"), Some("a"), Some("a")));
        assert_eq!((stem("a.gz"), stem(".bin.gz"), stem("a")), (None, None, None));
    }
}
