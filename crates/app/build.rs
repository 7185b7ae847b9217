//! Tells the program which commit it is built from, where that is known. Changes that are not committed do not show here,
//! but if they matter they change the bench number.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=TENGEN_REVISION");
    println!("cargo::rerun-if-changed=build.rs");
    let revision = match std::env::var("TENGEN_REVISION") {
        Ok(given) => Some(given),
        Err(_) => of_git(),
    };
    println!("cargo::rustc-env=TENGEN_REVISION={}", revision.unwrap_or_default());
}

/// The commit, if this folder belongs to a repository and not only lies in one.
fn of_git() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    // The log of HEAD grows with every commit.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    if let Some(log) = log {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}
