//! `tengen bench`.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

/// Comes soon.
#[derive(Args)]
pub(crate) struct Options {}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        bail!("not there yet")
    }
}
