//! `tengen serve`: the board in the browser.

use std::cell::Cell;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::{Args, Parser};
use lab::entrant::parse_memory;
use web::server::check_token;
use web::token::{self, StoredToken};
use web::{Bounds, Config, Server, ServerError, config, server};

use crate::folders;
use crate::options::{NetOptions, parse_seed};

/// Show the board in the browser: play, analyse, look inside the search, watch experiments
///
/// Starts a server for this machine alone, prints its address and opens the browser. Games are kept and go on after a
/// reload of the page or a new start of the server. Ctrl-C ends it; in the background of a script, where Ctrl-C is ignored,
/// `kill PID` (SIGTERM) does. Nothing that was kept is lost either way.
///
/// With --listen other machines can come, and visitors must know a token. It is read from --token-file, or else from the
/// variable TENGEN_TOKEN; without either a random one is made, printed once and kept in the file "token" of the folder of
/// games. It is never given on the command line, which everybody on the machine can read. The connection is not encrypted:
/// over networks that you do not trust put a proxy with HTTPS before the server.
#[derive(Args)]
pub(crate) struct Options {
    /// The port [default: 9361, or any if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Listen on this address instead, so that other machines can come; visitors must know a token then
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    listen: Option<IpAddr>,
    /// The file whose first line is the token that visitors must know
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A name by which browsers may call the server beside its address; may be given several times
    #[arg(long = "name", value_name = "HOST")]
    names: Vec<String>,
    /// The folder in which games are kept [default: tengen/games in the user's state folder]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// The folder with a folder for each experiment, for the laboratory
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// The folder with a folder for each run of `tengen train zero`, for the laboratory
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Threads that search [default: all cores but one, which is left to the page]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of Tengen's moves: the same seed gives the same answers [default: another for every game]
    #[arg(long, value_name = "SEED", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    net: NetOptions,
    /// Bytes that the trees of one visitor may take: 96MiB, 1G. With several visitors each has a part of it
    #[arg(long, value_name = "SIZE", default_value = "96MiB", value_parser = parse_memory)]
    memory: usize,
    /// Serve the page's files from this folder; for those who change the page
    #[arg(long, value_name = "DIR", hide = true)]
    assets: Option<PathBuf>,
}

/// For the defaults when the program is started without a command.
#[derive(Parser)]
struct Alone {
    #[command(flatten)]
    options: Options,
}

/// The port when nobody names one: 19 × 19 at 9.
const PORT: u16 = 9361;
/// Less memory than this holds no tree worth looking at.
const LEAST_MEMORY: usize = 8 << 20;

impl Options {
    /// What `tengen` without a command does.
    pub(crate) fn alone() -> Self {
        Alone::parse_from(["tengen"]).options
    }

    pub(crate) fn run(self) -> Result<ExitCode> {
        if self.memory < LEAST_MEMORY {
            bail!("--memory {}: expected at least 8MiB", self.memory);
        }
        if self.threads == Some(0) {
            bail!("--threads 0: expected at least one");
        }
        let should_open = !self.no_open;
        let is_any_port = self.port.is_none();
        let (config, token) = self.config()?;
        let is_shown = Cell::new(false);
        let ready = |server: &Server| {
            is_shown.set(true);
            greet(server, &token, should_open);
        };
        let result = match server::run(config.clone(), ready) {
            Err(ServerError::Listen { .. }) if is_any_port => {
                let listen = SocketAddr::new(config.listen.ip(), 0);
                server::run(Config { listen, ..config }, ready)
            }
            result => result,
        };
        if let TokenChoice::Stored(stored) = &token
            && !is_shown.get()
        {
            stored.take_back();
        }
        match result {
            Err(error) if is_taken(&error) => {
                bail!("{error}; perhaps Tengen is running there already, else choose another --port")
            }
            result => result?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn config(self) -> Result<(Config, TokenChoice)> {
        let state = match self.state {
            Some(state) => state,
            None => folders::games().context("there is no folder for games; name one with --state DIR")?,
        };
        let local = Config::local(self.port.unwrap_or(PORT), state);
        let listen = SocketAddr::new(self.listen.unwrap_or(local.listen.ip()), local.listen.port());
        let net = self.net.load("default")?;
        // Last of all that may fail: a token that is made is shown.
        let token = TokenChoice::find(self.token_file.as_deref(), &listen, &local.state)?;
        let config = Config {
            listen,
            token: token.text().map(str::to_string),
            names: self.names,
            results: self.results,
            runs: self.runs,
            assets: self.assets,
            threads: self.threads.unwrap_or_else(config::default_threads),
            seed: self.seed,
            net,
            nets: folders::nets().path().map(Path::to_path_buf),
            bounds: Bounds { memory: self.memory, ..Bounds::default() },
            ..local
        };
        Ok((config, token))
    }
}

/// The variable of the environment that may hold the token.
const TOKEN_VARIABLE: &str = "TENGEN_TOKEN";

/// The token that visitors must know, by where it comes from.
enum TokenChoice {
    /// Only this machine is served.
    None,
    /// Somebody has chosen one.
    Given(String),
    /// One was made, now or before.
    Stored(StoredToken),
}

impl TokenChoice {
    fn find(file: Option<&Path>, listen: &SocketAddr, state: &Path) -> Result<Self> {
        if let Some(path) = file {
            let context = || format!("--token-file {}", path.display());
            let text = std::fs::read_to_string(path).with_context(context)?;
            let token = text.lines().next().unwrap_or_default().trim();
            check_token(token).map_err(anyhow::Error::from).with_context(context)?;
            return Ok(Self::Given(token.to_string()));
        }
        if let Some(token) = std::env::var_os(TOKEN_VARIABLE).filter(|token| !token.is_empty()) {
            let token = token.to_string_lossy();
            check_token(&token).with_context(|| format!("the variable {TOKEN_VARIABLE}"))?;
            return Ok(Self::Given(token.into_owned()));
        }
        if listen.ip().is_loopback() {
            return Ok(Self::None);
        }
        let stored = token::stored(state);
        let stored = stored.with_context(|| format!("no token can be kept in {}", state.display()))?;
        check_token(&stored.token).with_context(|| stored.path.display().to_string())?;
        Ok(Self::Stored(stored))
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Given(token) | Self::Stored(StoredToken { token, .. }) => Some(token),
        }
    }
}

fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "expected an IP address such as 0.0.0.0 or ::1; the port is --port's".to_owned())
}

/// Whether another program listens on the address.
fn is_taken(error: &ServerError) -> bool {
    matches!(error, ServerError::Listen { why, .. } if why.kind() == io::ErrorKind::AddrInUse)
}

/// Says where the page is, and opens it if there is a browser.
fn greet(server: &Server, token: &TokenChoice, should_open: bool) {
    let (link, plain) = (server.link(), server.plain_link());
    let words = match token {
        TokenChoice::None => format!("Tengen is at {link}"),
        TokenChoice::Given(_) => format!("Tengen is at {plain}?token=… with the token that you have given"),
        TokenChoice::Stored(StoredToken { path, is_new: true, .. }) => {
            format!("Tengen is at {link}\nThe token is shown this once; it is kept in {}", path.display())
        }
        TokenChoice::Stored(StoredToken { path, .. }) => {
            format!("Tengen is at {plain}?token=… with the token in {}", path.display())
        }
    };
    // Nobody may read what we say; the page is there all the same.
    let _ = writeln!(io::stdout(), "{words}\nCtrl-C ends it.");
    let _ = io::stdout().flush();
    // The address of a browser's window is a command line, too: one with a token stays out of it.
    if should_open && token.text().is_none() {
        open_browser(&link);
    }
}

/// Asks the system to show the page. Where there is no screen nothing happens.
fn open_browser(link: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        if ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none()) {
            return;
        }
        Command::new("xdg-open")
    };
    let quiet = command.arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Without such a program the address is printed, which is enough.
    let _ = quiet.spawn();
}
