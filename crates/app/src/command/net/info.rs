//! `tengen net info`: the layers and size of a network.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use model::net::file::NetworkOrigin;
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
    let mut json = json!({
        "path": (!file.is_built_in()).then(|| file.path.display().to_string()),
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
    });
    if let Some(origin) = &file.origin {
        json["origin"] = json!({
            "game": origin.game,
            "boards": origin.boards.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "shape": origin.shape,
            "steps": origin.n_steps,
            "trainer": origin.trainer,
            "data": origin.data,
            "teacher": origin.teacher,
            "licence": origin.licence,
        });
    }
    json
}

/// Where the network comes from, as far as its file tells.
fn origin_rows(origin: &NetworkOrigin) -> Vec<(&'static str, String)> {
    let boards: Vec<String> = origin.boards.iter().map(ToString::to_string).collect();
    let rows = [
        ("game", origin.game.clone()),
        ("trained on", boards.join(", ")),
        ("shape", origin.shape.clone()),
        ("steps", origin.n_steps.to_string()),
        ("trained by", origin.trainer.clone()),
        ("data", origin.data.clone()),
        ("teacher", origin.teacher.clone()),
        ("licence", origin.licence.clone()),
    ];
    rows.into_iter().filter(|(_, value)| !value.is_empty()).collect()
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
    let format = match file.origin {
        Some(_) => format!("Tengen's, outputs as in version {} of KataGo's", net.version),
        None => format!("version {}", net.version),
    };
    let mut rows = vec![
        ("file", file.place()),
        ("name inside", net.name.clone()),
        ("format", format),
        ("hash", format!("{:016x}", file.hash)),
        ("blocks", blocks),
        ("channels", net.n_channels.to_string()),
        ("parameters", net.n_weights.to_string()),
        ("heads", heads),
        ("activation", net.activations.join(", ")),
        ("in the file", format!("{} ({} bytes)", megabytes(file.n_bytes), file.n_bytes)),
        ("in memory", memory),
    ];
    rows.extend(file.origin.as_ref().map(origin_rows).unwrap_or_default());
    rows.iter().map(|(key, value)| format!("{key:12} {value}\n")).collect()
}
