//! `tengen net info`: what a network is made of.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use player::nets::summary::{BlockCount, engine_bytes};
use player::nets::{NetFile, NetSummary};
use serde_json::{Map, Value, json};

use super::{Which, megabytes};

/// The side of the board for which the memory of the packed weights is told.
const SIDE: usize = 19;

/// Describe a network: format, architecture and size
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    which: Which,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let file = self.which.load()?;
        let summary = NetSummary::new(file.net.graph());
        let packed = engine_bytes(file.net.graph(), [SIDE, SIDE]);
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", json(&file, &summary, packed))?;
        } else {
            out.write_all(text(&file, &summary, packed).as_bytes())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn json(file: &NetFile, net: &NetSummary, packed: usize) -> Value {
    let counts = |counts: &[BlockCount]| -> Map<String, Value> {
        counts.iter().map(|count| (count.kind.to_string(), count.n.into())).collect()
    };
    json!({
        "path": file.path.display().to_string(),
        "name": net.name,
        "version": net.version,
        "hash": format!("{:016x}", file.hash),
        "blocks": net.n_blocks(),
        "block_kinds": counts(&net.blocks),
        "inner_block_kinds": counts(&net.inner_blocks),
        "channels": net.n_channels,
        "parameters": net.n_weights,
        "policies": net.n_policies,
        "score_outputs": net.n_scores,
        "activations": net.activations,
        "file_bytes": file.n_bytes,
        "weight_bytes": net.graph_bytes,
        "engine_bytes_19x19": packed,
    })
}

fn text(file: &NetFile, net: &NetSummary, packed: usize) -> String {
    let counts = |counts: &[BlockCount]| -> String {
        counts.iter().map(|count| format!("{} {}", count.n, count.kind)).collect::<Vec<_>>().join(", ")
    };
    let mut blocks = format!("{}: {}", net.n_blocks(), counts(&net.blocks));
    if !net.inner_blocks.is_empty() {
        blocks += &format!("; inside of bottlenecks {}", counts(&net.inner_blocks));
    }
    let policies = match net.n_policies {
        1 => "one policy".to_string(),
        n => format!("{n} policies, the second optimistic"),
    };
    let heads = format!("{policies}; winner, {} numbers about the score, owners of points", net.n_scores);
    let memory = format!(
        "{} as read, and {} packed in i16 for {SIDE}x{SIDE} boards",
        megabytes(net.graph_bytes as u64),
        megabytes(packed as u64)
    );
    let rows = [
        ("file", file.path.display().to_string()),
        ("name inside", net.name.clone()),
        ("format", format!("version {}", net.version)),
        ("hash", format!("{:016x}", file.hash)),
        ("blocks", blocks),
        ("channels", net.n_channels.to_string()),
        ("parameters", net.n_weights.to_string()),
        ("heads", heads),
        ("activation", net.activations.join(", ")),
        ("in the file", format!("{} ({} bytes)", megabytes(file.n_bytes), file.n_bytes)),
        ("in memory", memory),
    ];
    rows.iter().map(|(key, value)| format!("{key:12} {value}\n")).collect()
}
