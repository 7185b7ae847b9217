//! The format check over every source file. `cargo fmt` follows `mod` lines only and so misses the files that a
//! `variants!` list declares.

use crate::tools;
use anyhow::{Context, Result, ensure};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders with sources.
const FOLDERS: [&str; 3] = ["crates", "xtask", "fuzz/fuzz_targets"];

/// Checks the format of all sources and refuses any difference.
pub(crate) fn check() -> Result<()> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&tools::root().join(folder), &mut files)?;
    }
    files.sort();
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(tools::root()).args(["--edition", "2024", "--check", "--color=never"]).args(files);
    let status = rustfmt.status().context("cannot start rustfmt")?;
    ensure!(status.success(), "differences above; rustfmt --edition 2024 FILE mends them");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.is_dir() {
            if path.file_name() != Some(OsStr::new("target")) {
                collect(&path, files)?;
            }
        } else if path.extension() == Some(OsStr::new("rs")) {
            files.push(path);
        }
    }
    Ok(())
}
