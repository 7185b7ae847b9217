//! `tengen serve`: the board in the browser.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::{Args, Parser};
use lab::entrant::parse_memory;
use web::{Bounds, Config, Server, ServerError, config, server};

use crate::folders;
use crate::options::{NetOptions, parse_seed};

/// Show the board in the browser: play, analyse, look inside the search, watch experiments
///
/// Starts a server for this machine alone, prints its address and opens the browser. Games are kept and go on after a
/// reload of the page or a new start of the server. Ctrl-C ends it.
#[derive(Args)]
pub(crate) struct Options {
    /// The port [default: 9361, or any if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Listen on this address instead, so that other machines can come; needs --token
    #[arg(long, value_name = "ADDRESS", requires = "token", value_parser = parse_address)]
    listen: Option<IpAddr>,
    /// What visitors must know; it is part of the address that is printed
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// A name by which browsers may call the server beside its address; may be given several times
    #[arg(long = "name", value_name = "HOST")]
    names: Vec<String>,
    /// The folder in which games are kept [default: tengen/games in the user's state folder]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// The folder with a folder for each experiment, for the laboratory
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Threads that search [default: all cores but one, which is left to the page]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of Tengen's moves: the same seed gives the same answers [default: another for every game]
    #[arg(long, value_name = "SEED", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    net: NetOptions,
    /// Bytes that the trees of one visitor may take: 96MiB, 1G
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
        let config = self.config()?;
        let ready = |server: &Server| greet(server, should_open);
        let result = match server::run(config.clone(), ready) {
            Err(ServerError::Listen { .. }) if is_any_port => {
                let listen = SocketAddr::new(config.listen.ip(), 0);
                server::run(Config { listen, ..config }, ready)
            }
            result => result,
        };
        result?;
        Ok(ExitCode::SUCCESS)
    }

    fn config(self) -> Result<Config> {
        let state = match self.state {
            Some(state) => state,
            None => folders::games().context("there is no folder for games; name one with --state DIR")?,
        };
        let local = Config::local(self.port.unwrap_or(PORT), state);
        Ok(Config {
            listen: SocketAddr::new(self.listen.unwrap_or(local.listen.ip()), local.listen.port()),
            token: self.token,
            names: self.names,
            results: self.results,
            assets: self.assets,
            threads: self.threads.unwrap_or_else(config::default_threads),
            seed: self.seed,
            net: self.net.load("default")?,
            nets: folders::nets().path().map(Path::to_path_buf),
            bounds: Bounds { memory: self.memory, ..Bounds::default() },
            ..local
        })
    }
}

fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "expected an IP address such as 0.0.0.0 or ::1; the port is --port's".to_owned())
}

/// Says where the page is, and opens it if there is a browser.
fn greet(server: &Server, should_open: bool) {
    let link = server.link();
    // Nobody may read what we say; the page is there all the same.
    let _ = writeln!(io::stdout(), "Tengen is at {link}\nCtrl-C ends it.");
    let _ = io::stdout().flush();
    if should_open {
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
