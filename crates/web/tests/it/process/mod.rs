//! A server in a process of its own, which can be killed and whose memory is nobody else's. The process is this test program
//! once more, asked for one of its tests.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use web::{Config, Server};

use crate::common::{Client, PATIENCE};

/// Names the folder of games for the process that is a server.
const STATE: &str = "TENGEN_TEST_STATE";
/// The token, if the server has one.
const TOKEN: &str = "TENGEN_TEST_TOKEN";
/// Where the server writes its address.
const ADDRESS: &str = "TENGEN_TEST_ADDRESS";

/// Memory of a server under attack, in MB, at most.
const MAX_MEMORY: u64 = 256;

#[test]
#[ignore = "the server of other tests"]
fn server() {
    let (Some(state), Some(path)) = (std::env::var_os(STATE), std::env::var_os(ADDRESS)) else { return };
    let mut config = Config::local(0, PathBuf::from(state));
    config.threads = 1;
    config.seed = Some(1);
    config.results = config.state.join("results");
    config.token = std::env::var(TOKEN).ok();
    let server = Server::bind(config).unwrap();
    let new = PathBuf::from(&path).with_extension("new");
    let mut file = std::fs::File::create(&new).unwrap();
    write!(file, "{}", server.address()).unwrap();
    std::fs::rename(&new, path).unwrap();
    server.serve().unwrap();
}

/// A server in a process of its own.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
    dir: tempfile::TempDir,
}

impl Process {
    /// Starts one that keeps its games in `state`.
    pub(crate) fn start(state: &Path, token: Option<&str>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("address");
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "process::server", "--ignored", "--nocapture"]);
        command.env(STATE, state).env(ADDRESS, &path).stdout(Stdio::null());
        if let Some(token) = token {
            command.env(TOKEN, token);
        }
        let child = command.spawn().unwrap();
        let start = Instant::now();
        let address = loop {
            assert!(start.elapsed() < PATIENCE, "the server does not start");
            match std::fs::read_to_string(&path) {
                Ok(text) => break text.parse().unwrap(),
                Err(_) => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        Self { child, address, dir }
    }

    /// A client of a new session.
    pub(crate) fn enter(&self) -> Client {
        let mut client = self.connect();
        client.hello(None);
        client
    }

    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address, &[]).unwrap()
    }

    /// The most memory that it ever had, in MB; none where the system does not tell.
    pub(crate) fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
    }

    /// Sees to it that it has kept within its memory.
    pub(crate) fn check_memory(&self) {
        let peak = self.peak();
        assert!(peak.is_none_or(|peak| peak < MAX_MEMORY), "the server took {peak:?} MB");
    }

    /// Ends it as nothing can prevent.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Runs an attack while somebody who was there before plays on; returns how long each of the moves took.
    pub(crate) fn attacked(&self, player: &mut Client, attack: impl FnOnce() + Send) -> Vec<Duration> {
        let is_over = AtomicBool::new(false);
        let mut times = Vec::new();
        std::thread::scope(|scope| {
            let attack = scope.spawn(|| {
                let _over = SetOnDrop(&is_over);
                attack();
            });
            loop {
                player.new_game(5, 1);
                let start = Instant::now();
                let game = player.play(12, 0);
                times.push(start.elapsed());
                assert_eq!(game["moves"].as_array().unwrap().len(), 2);
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                // An empty board gives up its place among the games that are kept, of which a visitor may have a limited number.
                player.ask(&json!({"ask": "undo"}));
                player.wait("empty board", |message| {
                    message["tell"] == "game" && message["moves"] == json!([])
                });
                // People think before they move, and messages have a rate.
                std::thread::sleep(Duration::from_millis(60));
            }
            attack.join().unwrap();
        });
        times.sort();
        println!(
            "{} moves, median {:?}, slowest {:?}; peak {:?} MB",
            times.len(),
            times[times.len() / 2],
            times[times.len() - 1],
            self.peak()
        );
        self.check_memory();
        times
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = self.dir.path();
    }
}

/// Says that something is over, even if it panicked.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
