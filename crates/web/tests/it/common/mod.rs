//! A server in a thread of its own, and clients that speak to it as a page does.

// Every test file uses a part of this.
#![allow(dead_code)]

use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lab::experiment::{Experiment, TomlFile};
use lab::store::{RunInfo, Store};
use model::net::sample::{self, Form};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};
use web::server::Ending;
use web::{Config, Server};

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A server that ends with the test.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) link: String,
    ending: Ending,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Starts a server on a port of its own that keeps games in `state`.
    pub(crate) fn start(state: &Path, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::local(0, state.to_path_buf());
        config.threads = 1;
        config.seed = Some(1);
        config.results = state.join("results");
        config.runs = state.join("runs");
        change(&mut config);
        let server = Server::bind(config).unwrap();
        let (address, link, ending) = (server.address(), server.link(), server.ending());
        let thread = std::thread::spawn(move || server.serve().unwrap());
        Self { address, link, ending, thread: Some(thread) }
    }

    /// A client that has not said anything so far.
    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address, &[]).unwrap()
    }

    /// A client of a new session.
    pub(crate) fn enter(&self) -> Client {
        let mut client = self.connect();
        client.hello(None);
        client
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ending.end();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// A page as the server sees it.
pub(crate) struct Client {
    pub(crate) socket: WebSocket<TcpStream>,
    pub(crate) session: String,
}

impl Client {
    /// Opens a WebSocket with further headers.
    pub(crate) fn connect(address: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Self, String> {
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
        }
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self { socket, session: String::new() }),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    pub(crate) fn ask(&mut self, message: &Value) {
        self.send(&message.to_string());
    }

    /// The next message, whatever it is; none when the server has closed.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message for which `wanted` is true; others are passed over.
    pub(crate) fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "no {what} in time");
            let message = self.next().unwrap_or_else(|| panic!("closed while waiting for {what}"));
            if wanted(&message) {
                return message;
            }
        }
    }

    pub(crate) fn told(&mut self, tell: &str) -> Value {
        self.wait(tell, |message| message["tell"] == tell)
    }

    /// Says who is there; returns the game as it stands.
    pub(crate) fn hello(&mut self, session: Option<&str>) -> Value {
        self.ask(&json!({"ask": "hello", "session": session}));
        self.session = self.told("welcome")["session"].as_str().unwrap().to_string();
        self.told("game")
    }

    /// Begins a game on a small board as Black.
    pub(crate) fn new_game(&mut self, size: usize, level: usize) {
        self.ask(&json!({"ask": "new-game", "size": size, "color": "black", "komi": 0.5, "rules": "chinese",
                         "handicap": 0, "level": level}));
        self.wait("new game", |message| message["tell"] == "game" && message["moves"] == json!([]));
    }

    /// Plays a move and waits for Tengen's answer; returns the game then.
    pub(crate) fn play(&mut self, point: i32, ply: usize) -> Value {
        self.ask(&json!({"ask": "move", "point": point, "ply": ply}));
        self.wait("answer", |message| {
            assert_ne!(message["tell"], "error", "{message}");
            let n_moves = message["moves"].as_array().map_or(0, Vec::len);
            message["tell"] == "game" && (n_moves >= ply + 2 || message["phase"] != "playing")
        })
    }
}

/// An empty board to study.
pub(crate) fn spot(size: usize) -> Value {
    json!({"width": size, "height": size, "komi": 7.5, "rules": "chinese", "handicap": 0, "steps": []})
}

/// A folder with the small networks `one` and `two`, and a file that is none.
pub(crate) fn nets(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for (seed, name) in (1..).zip(["one", "two"]) {
        let bytes = sample::write(&sample::conv_graph(8, 6, seed), Form::Binary);
        std::fs::write(folder.join(format!("{name}.bin")), bytes).unwrap();
    }
    std::fs::write(folder.join("broken.bin.gz"), "no network at all").unwrap();
}

/// Lets a tiny network learn noughts and crosses for two networks: the run `crosses` in this folder.
pub(crate) fn self_play(runs: &Path) {
    std::fs::create_dir_all(runs).unwrap();
    let file = runs.join("crosses.toml");
    let text = "title = \"Noughts and crosses\"\ngame = \"gomoku,row=3\"\nsize = 3\nnet = \"b1c8\"\n[play]\nvisits = 12\nfast-visits = 4\n\
                [learn]\nfirst-positions = 60\nsteps-per-net = 5\n[optimise]\nbatch = 16\n[trial]\ngames = 2\nvisits = 4\n\
                [machine]\nmemory = 8\nthreads = 1\n[stop]\nnets = 2\n";
    std::fs::write(&file, text).unwrap();
    let settings = zero::RunSettings::read(&file).unwrap();
    zero::Run::open(&runs.join("crosses"), settings, Arc::default()).unwrap().work(&|_| ()).unwrap();
}

/// A small experiment that was played: `thinking`, four games of `r` against `u`.
pub(crate) fn experiment(results: &Path) {
    let text = "title = \"Does thinking help?\"\n[terms]\nsize = 5\nplayouts = 20\n[players]\nr = \"random\"\nu = \"uct\"\n\
                [[group]]\nname = \"all\"\nkind = \"round-robin\"\ngames = 4\n";
    let page = TomlFile { path: PathBuf::from("thinking.toml"), text: text.to_string(), follow: true };
    let experiment = Experiment::of_page("thinking", page).unwrap();
    let mut store = Store::open(&results.join("thinking"), &experiment).unwrap();
    let info = RunInfo { parallel: 1, ..RunInfo::default() };
    assert!(lab::run::run(&experiment, &mut store, &info, &mut |_| (), &Arc::default()).unwrap());
}
