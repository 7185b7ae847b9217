//! `tengen bench solve`: how many drawn positions a recipe solves.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use player::solve::{self, Case};
use player::{Budget, Decision, SearchPlayer};
use serde_json::{Value, json};

use super::print;
use crate::options::ThinkOptions;

/// Count the drawn positions whose right move is found
///
/// The files are those of boards/solve: each position has a right move that wins the game at its komi, and all
/// others lose it. Every position is a search of its own from the same seed, so their order means nothing.
#[derive(Args)]
pub(super) struct Options {
    /// Files of drawn positions; boards/README.md explains them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    think: ThinkOptions,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Options {
    pub(super) fn run(&self) -> Result<()> {
        self.think.check()?;
        let mut player = self.think.player()?;
        let budget = Budget {
            playouts: self.think.playouts,
            time: self.think.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            ..Budget::default()
        };
        // Nothing is searched if a file is no good.
        let files: Vec<(&Path, Vec<Case>)> =
            self.files.iter().map(|path| read(path)).collect::<Result<_>>()?;
        let mut rows = Vec::new();
        for (path, cases) in &files {
            for case in cases {
                let row = attempt(path, case, &mut player, &budget)?;
                if !self.json {
                    print(false, &Value::Null, &line(&row))?;
                }
                rows.push(row);
            }
        }
        let n_solved = rows.iter().filter(|row| row["ok"] == true).count();
        let text = format!("solved {n_solved} of {}", rows.len());
        let json = json!({
            "solved": n_solved,
            "positions": rows.len(),
            "recipe": player.recipe().to_string(),
            "playouts": self.think.playouts,
            "seed": self.think.seed,
            "attempts": rows,
        });
        Ok(print(self.json, &json, &text)?)
    }
}

fn read(path: &Path) -> Result<(&Path, Vec<Case>)> {
    let text = std::fs::read_to_string(path)
        .map_err(lab::Error::unread(path, "a file of drawn boards, such as those of boards/solve"))?;
    let cases = solve::parse(&text).with_context(|| path.display().to_string())?;
    Ok((path, cases))
}

/// The player's answer to a case, as a row of the report.
fn attempt(path: &Path, case: &Case, player: &mut SearchPlayer, budget: &Budget) -> Result<Value> {
    let attempt = solve::solve(case, player, budget)?;
    let played = match attempt.decision {
        Decision::Play(vertex) => case.position.size().show(vertex),
        Decision::Resign => "resign".to_string(),
    };
    Ok(json!({
        "file": path.file_stem().unwrap_or_default().to_string_lossy(),
        "title": case.title,
        "answer": case.answer(),
        "played": played,
        "value": player.value(),
        "ok": attempt.is_right,
    }))
}

/// A row for people.
fn line(row: &Value) -> String {
    let word = |key: &str| row[key].as_str().unwrap_or_default().to_string();
    let verdict = if row["ok"] == true { "ok" } else { "FAIL" };
    let value = row["value"].as_f64().map_or("-".to_string(), |value| format!("{value:.3}"));
    format!(
        "{verdict:4} {}: {}: answer {}, played {}, value {value}",
        word("file"),
        word("title"),
        word("answer"),
        word("played"),
    )
}
