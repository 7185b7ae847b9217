//! `tengen cgos`: games on the Computer Go Server.
//!
//! Reading order: this file (options), `config` (the same options in a file), `message` (what the server says), `link` (the
//! line to it), `table` (the game), `client` (the talk, and starting it again).

mod client;
mod config;
mod link;
mod message;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::options::{MannerOptions, ThinkOptions, parse_count, parse_seconds};
use client::CgosClient;

/// Play on CGOS, the Computer Go Server
///
/// Logs on, plays the games that the server arranges, and keeps each as SGF. The first login with a name registers it. Rules,
/// board, komi and time are the server's: area scoring of the board as it stands, positional superko, no suicide, sudden death.
///
/// A lost connection is restored, in the middle of a game, too; the time between attempts doubles up to a limit. Lines that
/// cannot be read are logged and skipped. Ctrl-C plays the game to its end and leaves; a second one leaves at once.
///
/// All options may stand in a file as well, as TOML under the names that they have here (`server = "…"`, `playouts = 20000`,
/// `no-resign = true`); the command line takes precedence.
#[derive(Args)]
#[command(args_override_self = true)]
pub(crate) struct Options {
    /// A file with options
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The server's name or address
    #[arg(long, value_name = "HOST")]
    server: Option<String>,
    /// The server's port
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The name to play under: 3 to 18 letters, digits, `_`, `.` and `-`
    #[arg(long, value_name = "NAME", value_parser = parse_user)]
    user: Option<String>,
    /// A file whose first line is the password, 3 to 16 characters
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    #[command(flatten)]
    think: ThinkOptions,
    #[command(flatten)]
    manners: MannerOptions,
    /// Never resign, as --resign never
    #[arg(long)]
    no_resign: bool,
    /// Think on the opponent's time, too
    #[arg(long)]
    ponder: bool,
    /// Send moves alone, without win rate, score, lines of play and ownership
    #[arg(long)]
    no_analysis: bool,
    /// Leave after this number of games [default: after Ctrl-C]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    games: Option<u64>,
    /// The folder for the games
    #[arg(long, default_value = "cgos-games", value_name = "DIR")]
    out: PathBuf,
    /// Attempts in a row to restore a lost connection
    #[arg(long, default_value_t = 100, value_name = "N")]
    reconnect: u32,
    /// Seconds before the first such attempt
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    wait: f64,
    /// Seconds between attempts at most
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    max_wait: f64,
    /// Seconds that are taken off our clock before each move, for the time that the move travels
    #[arg(long, default_value_t = 0.3, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    lag: f64,
    /// Seconds of silence after which the connection counts as lost
    #[arg(long, default_value_t = 3600.0, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    silence: f64,
}

/// A name that the server takes.
fn parse_user(text: &str) -> Result<String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    let starts_well = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if is_plain && starts_well && (3..=18).contains(&text.len()) {
        return Ok(text.to_owned());
    }
    bail!("expected 3 to 18 letters, digits, _ . and -, not beginning with a digit")
}

/// Who logs on where.
struct Login {
    server: String,
    port: u16,
    user: String,
    password: String,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let options = match &self.config {
            Some(path) => config::with_file(path, std::env::args_os().skip(2))?,
            None => self,
        };
        options.think.check()?;
        let login = options.login()?;
        CgosClient::new(options, login)?.run()
    }

    fn login(&self) -> Result<Login> {
        let missing =
            |name: &str| format!("--{name} is missing; expected it here or in the file of --config");
        let path = self.password_file.as_ref().with_context(|| missing("password-file"))?;
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("--password-file {}: cannot read it", path.display()))?;
        let password = text.lines().next().unwrap_or_default().trim().to_owned();
        let is_plain = password.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
        if !is_plain || !(3..=16).contains(&password.len()) {
            bail!(
                "--password-file {}: expected a first line of 3 to 16 letters, digits, _ . and -",
                path.display()
            );
        }
        Ok(Login {
            server: self.server.clone().with_context(|| missing("server"))?,
            port: self.port.with_context(|| missing("port"))?,
            user: self.user.clone().with_context(|| missing("user"))?,
            password,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_the_server_takes() {
        for name in ["Tengen-0.1", "bot", "a_b.c-d"] {
            assert_eq!(parse_user(name).unwrap(), name);
        }
        for name in ["", "ab", "9tengen", "two words", "nineteen-letters-xx", "bö-t"] {
            assert!(parse_user(name).is_err(), "{name}");
        }
    }
}
