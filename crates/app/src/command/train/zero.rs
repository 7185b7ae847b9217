//! `tengen train zero`: a network that learns a game from its rules.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use clap::Args;
use zero::curves::RunPoint;
use zero::folder::RunFolder;
use zero::{Run, RunEvent, RunSettings, RunStatus};

use crate::interrupt;
use crate::words::counted;

/// Learn a game from its rules alone: a network plays against itself and learns from these games
///
/// FILE.toml names the game, the network, the search and their amounts (`experiments/zero-*.toml` are ready-made). The run
/// works in a folder of its own until it is stopped or has reached the end that its file names. Ctrl-C ends it in order. Whatever
/// happens, stored games are not lost, and the same command continues from the newest network.
/// The folder may be given instead of the file; its run.toml then has the settings, some of which may change between two starts. The
/// networks are in nets/ of the folder and play everywhere: tengen play --game connect-four --net FOLDER/nets/0012.net.
#[derive(Args)]
pub(crate) struct Options {
    /// The settings of a run, or the folder of one to continue or report
    #[arg(value_name = "FILE.toml|FOLDER")]
    what: PathBuf,
    /// The folder for the run [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only tell how far the run is
    #[arg(long)]
    status: bool,
    /// Only write the run's report into its folder: report.html and report.md with curves, networks and the latest games
    #[arg(long, conflicts_with = "status")]
    report: bool,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let (folder, settings) = self.find()?;
        if self.status {
            let status = RunStatus::read(&folder)?;
            write!(io::stdout().lock(), "{}", status_text(&folder, &status))?;
            return Ok(ExitCode::SUCCESS);
        }
        if self.report {
            let page = zero::report::page(&RunFolder::new(&folder), &RunStatus::read(&folder)?)?;
            let files = page.save(&folder, "report")?;
            writeln!(io::stdout().lock(), "wrote {}", files[0].display())?;
            return Ok(ExitCode::SUCCESS);
        }
        let stop = Arc::new(AtomicBool::new(false));
        interrupt::stop_games(Arc::clone(&stop))?;
        let run = Run::open(&folder, settings, stop)?;
        run.work(&|event| {
            // Whoever closes the output early still gets the networks.
            let _ = writeln!(io::stdout().lock(), "{}", event_text(&folder, event));
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The run's folder and settings.
    fn find(&self) -> Result<(PathBuf, RunSettings)> {
        if self.what.is_dir() {
            if let Some(out) = &self.out {
                bail!("--out {}: {} is the folder of a run already", out.display(), self.what.display());
            }
            let settings = RunFolder::new(&self.what).run_settings()?;
            return Ok((self.what.clone(), settings));
        }
        let settings = RunSettings::read(&self.what)?;
        let name = self.what.file_stem().unwrap_or_default();
        Ok((self.out.clone().unwrap_or_else(|| Path::new("runs").join(name)), settings))
    }
}

fn event_text(folder: &Path, event: &RunEvent) -> String {
    match event {
        RunEvent::Begun { newest: 0, sums, .. } if sums.games == 0 => format!(
            "the run begins in {}; Ctrl-C ends it, and tengen train zero {0} continues",
            folder.display()
        ),
        RunEvent::Begun { newest, sums, window } => format!(
            "the run in {} goes on with network {newest:04} after {}; {} in the window",
            folder.display(),
            counted(sums.games, "game"),
            counted(*window as u64, "position"),
        ),
        RunEvent::Net(point) => point_text(point),
        RunEvent::Ended { newest, sums } => format!(
            "the run ends after {} with network {newest:04}; tengen train zero {} continues",
            counted(sums.games, "game"),
            folder.display()
        ),
    }
}

/// A network in a line.
fn point_text(point: &RunPoint) -> String {
    let trial = match (point.trial_games, point.accepted) {
        (0, _) => String::new(),
        (n, 1) => format!(", {:.0} % of {n} trial games", 100.0 * point.trial_rate),
        (n, _) => format!(", {:.0} % of {n} trial games: not accepted", 100.0 * point.trial_rate),
    };
    format!(
        "net {:04}: {:.2} h ({:.2} h of processor time), {}, {}, {} steps; policy {:.3} over {:.3}, value {:.3}; Elo {:+.0}{trial}; {:.0} games/h of {:.1} moves, Black {:.0} %, first {}",
        point.net,
        point.hours,
        point.cpu_hours,
        counted(point.games, "game"),
        counted(point.positions, "position"),
        point.steps,
        point.policy_loss,
        point.policy_entropy,
        point.value_loss,
        point.elo,
        point.games_an_hour,
        point.mean_length,
        100.0 * point.black_rate,
        point.first_moves,
    )
}

fn status_text(folder: &Path, status: &RunStatus) -> String {
    let RunStatus { settings, state, sums, curve, is_running } = status;
    let title = if settings.title.is_empty() { "a run without a title" } else { &settings.title };
    let mut text = format!("{title} ({}, {}), {}\n", settings.game.name, settings.net, folder.display());
    text += &format!(
        "{}: {}, {}, network {:04} plays, {:.2} h at work, {:.2} h of processor time\n",
        if *is_running { "at work now" } else { "not at work" },
        counted(sums.games, "game"),
        counted(sums.positions, "position"),
        state.playing,
        state.seconds / 3600.0,
        state.cpu_seconds / 3600.0,
    );
    for point in curve.iter().skip(curve.len().saturating_sub(10)) {
        text += &(point_text(point) + "\n");
    }
    text
}
