//! `tengen net list`: the network inside the program, and those of the folder.

use std::fs;
use std::io::{self, Write};
use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use model::net::inside::NAME;
use player::nets::folder::SOURCE;
use player::nets::{self, NetEntry, NetSummary};
use serde_json::{Value, json};

use super::megabytes;
use crate::folders;

/// List the networks: the one inside the program and those in the folder of networks
///
/// Each is read whole; of a file that cannot be read the reason is told.
#[derive(Args)]
pub(super) struct Options {
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// A network and what was found in its file.
struct NetRow {
    name: String,
    /// None of the one inside the program.
    path: Option<PathBuf>,
    n_bytes: u64,
    found: Result<NetSummary, String>,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let folder = folders::nets();
        let shown = folder.path().map(|path| path.display().to_string());
        let entries = folder.entries().with_context(|| shown.clone().unwrap_or_default())?;
        let rows: Vec<NetRow> = iter::once(built_in()).chain(entries.into_iter().map(read)).collect();
        let mut out = io::stdout().lock();
        if self.json {
            let nets: Vec<Value> = rows.iter().map(json).collect();
            writeln!(out, "{}", json!({ "folder": shown, "nets": nets }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
        writeln!(
            out,
            "{:width$}  {:>9}  {:>7}  {:>6}  {:>8}",
            "name", "size", "version", "blocks", "channels"
        )?;
        for row in &rows {
            let (name, size) = (&row.name, megabytes(row.n_bytes));
            match &row.found {
                Ok(net) => {
                    let (version, n_blocks, n_channels) = (net.version, net.n_blocks(), net.n_channels);
                    writeln!(out, "{name:width$}  {size:>9}  {version:>7}  {n_blocks:>6}  {n_channels:>8}")?;
                }
                Err(why) => writeln!(out, "{name:width$}  {size:>9}  cannot be read: {why}")?,
            }
        }
        let folder = match shown {
            Some(folder) => format!(
                "{NAME} is inside the program. Others stand in {folder}: files such as NAME.bin.gz or NAME.net; KataGo's networks are at {SOURCE}."
            ),
            None => format!(
                "{NAME} is inside the program. There is no folder for others: neither XDG_DATA_HOME nor HOME is set."
            ),
        };
        writeln!(out, "{folder}")?;
        Ok(ExitCode::SUCCESS)
    }
}

fn built_in() -> NetRow {
    let file = nets::built_in();
    let found = Ok(NetSummary::new(file.net.graph()));
    NetRow { name: file.name(), path: None, n_bytes: file.n_bytes, found }
}

fn read(entry: NetEntry) -> NetRow {
    let n_bytes = fs::metadata(&entry.path).map_or(0, |data| data.len());
    let found = nets::load(&entry.path).map(|file| NetSummary::new(file.net.graph()));
    // The list names the folder once.
    let found = found.map_err(|error| match error {
        nets::NetLoadError::Refused { error, .. } => error.to_string(),
        nets::NetLoadError::Unreadable { error, .. } => error.to_string(),
        other => other.to_string(),
    });
    NetRow { name: entry.name, path: Some(entry.path), n_bytes, found }
}

fn json(row: &NetRow) -> Value {
    let mut json = json!({ "name": row.name, "path": row.path.as_ref().map(|path| path.display().to_string()), "bytes": row.n_bytes });
    match &row.found {
        Ok(net) => {
            json["version"] = net.version.into();
            json["blocks"] = net.n_blocks().into();
            json["channels"] = net.n_channels.into();
        }
        Err(why) => json["error"] = why.as_str().into(),
    }
    json
}
