//! The server's settings, and the bounds that hold for everybody.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use player::nets::NetFile;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens. Port 0 lets the system choose one.
    pub listen: SocketAddr,
    /// What visitors must know; needed wherever others than this machine may come.
    pub token: Option<String>,
    /// Names beside the address itself by which browsers may call the server, such as `go.example.org`.
    pub names: Vec<String>,
    /// The folder in which games are kept.
    pub state: PathBuf,
    /// The folder with a folder for each experiment.
    pub results: PathBuf,
    /// The folder with a folder for each run of self-play.
    pub runs: PathBuf,
    /// A folder to serve the page from instead of what is built in; for those who change the page.
    pub assets: Option<PathBuf>,
    /// Threads that search.
    pub threads: usize,
    /// Seed of everybody who plays for Tengen; none: each has one that no other has.
    pub seed: Option<u64>,
    /// The network that is offered first, and that hints ask in games without one.
    pub net: Option<NetFile>,
    /// The folder of networks that visitors may choose from.
    pub nets: Option<PathBuf>,
    /// The bounds.
    pub bounds: Bounds,
}

impl Config {
    /// A server for this machine alone that keeps games in `state`.
    pub fn local(port: u16, state: PathBuf) -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
            token: None,
            names: Vec::new(),
            state,
            results: PathBuf::from("results"),
            runs: PathBuf::from("runs"),
            assets: None,
            threads: default_threads(),
            seed: None,
            net: None,
            nets: None,
            bounds: Bounds::default(),
        }
    }
}

/// All cores but one, which is left to the page.
pub fn default_threads() -> usize {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    n_cores.saturating_sub(1).max(1)
}

/// The bounds of one visitor, so that something is left for the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// Sessions in memory; visitors who come back have a quarter more.
    pub sessions: usize,
    /// Games kept on disk. A flood of new ones makes room among itself, otherwise the old and hardly played go first.
    pub kept: usize,
    /// Games kept of one session.
    pub games_of_session: usize,
    /// Windows at once; visitors who come back have a quarter more. There may be as many connections that are no window yet.
    pub connections: usize,
    /// Connections of one session, which are windows of one browser.
    pub connections_of_session: usize,
    /// Bytes of a message.
    pub message: usize,
    /// Messages a second that are answered, in the long run.
    pub messages_per_second: f64,
    /// Messages that may come at once before that counts.
    pub burst: f64,
    /// Messages beyond the rate after which the connection is closed.
    pub patience: u32,
    /// Simulations of one study.
    pub playouts: u64,
    /// How long one study goes on.
    pub study_time: Duration,
    /// Bytes that the trees of one session may take together. Those of a study or a player are divided by the number of
    /// visitors who are there when it begins.
    pub memory: usize,
    /// Networks in memory, beside the one that the server was started with.
    pub nets: usize,
    /// Steps of a game that is studied: moves and setups.
    pub steps: usize,
    /// How long a connection may say nothing at all.
    pub silence: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            sessions: 64,
            kept: 1000,
            games_of_session: 100,
            connections: 256,
            connections_of_session: 8,
            message: 1 << 20,
            messages_per_second: 40.0,
            burst: 200.0,
            patience: 1000,
            playouts: 1_000_000,
            study_time: Duration::from_secs(600),
            memory: 96 << 20,
            nets: 4,
            steps: 2000,
            silence: Duration::from_secs(90),
        }
    }
}
