//! `tengen manual`: manual pages and shell completions, made from the same declarations as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Write manual pages and shell completions
///
/// `tengen manual --out DIR` writes a manual page for each command (tengen.1, tengen-play.1 and so on) and a file of completions for
/// bash, zsh, fish and others. `tengen manual --completions bash` prints completions.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Options {
    /// The folder to write manual pages and completions to; it is made if it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "completions")]
    out: Option<PathBuf>,
    /// Print the completions of a shell
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if let Some(shell) = self.completions {
            io::stdout().write_all(&completions(shell))?;
        }
        if let Some(dir) = &self.out {
            write_all(dir).with_context(|| format!("--out {}", dir.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The completions of a shell; made in memory, since the generator panics when its output is closed.
fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut super::Cli::command(), "tengen", &mut text);
    text
}

fn write_all(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)?;
    let mut command = super::Cli::command();
    // Names of commands below others are built only when asked for.
    command.build();
    clap_mangen::generate_to(command.disable_help_subcommand(true), dir)?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        fs::write(dir.join(format!("tengen.{shell}")), completions(shell))?;
    }
    Ok(())
}
