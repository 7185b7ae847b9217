//! The outside programs: where they are, and how they come here when they are missing.

use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The GNU Go that the tests are written against.
const GNU_GO: &str = "GNU Go 3.8";

/// A cargo command at the root of the workspace. Programs of the `games` folder are found by everything it starts.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    if let Ok(path) = std::env::join_paths(search_path()) {
        command.env("PATH", path);
    }
    command
}

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Where cargo puts what it builds.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Runs a command and refuses failure.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status =
        command.stdin(Stdio::null()).status().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}

/// The first program of this name on the search path.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    search_path().map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Whether tests can be run by nextest, which is faster and separates their output.
pub(crate) fn has_nextest() -> bool {
    find("cargo-nextest").is_some()
}

/// Finds GNU Go, which many tests play against; installs it if that can be done without asking.
///
/// # Errors
/// Says what to install when it is missing, or is another version.
pub(crate) fn gnu_go() -> Result<PathBuf> {
    let path = match find("gnugo") {
        Some(path) => path,
        None => install_gnu_go()?,
    };
    let output = Command::new(&path).arg("--version").output();
    let output = output.with_context(|| format!("{} cannot be started", path.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().next().unwrap_or("no version").trim();
    ensure!(version == GNU_GO, "{} is \"{version}\"; the tests are written against {GNU_GO}", path.display());
    println!("{version} at {}", path.display());
    Ok(path)
}

fn install_gnu_go() -> Result<PathBuf> {
    let advice =
        "install the package gnugo (apt-get install gnugo, brew install gnu-go) and put it on the PATH";
    if !can_install() {
        bail!("{GNU_GO} is missing: {advice}");
    }
    println!("{GNU_GO} is missing, installing it");
    install("gnugo").context(advice)?;
    find("gnugo").with_context(|| format!("gnugo was installed but is not found: {advice}"))
}

/// Brings Chromium, in which the page is tested, if that can be done without asking. Without it that test is skipped and
/// counted as skipped, so a failure is told and no more.
pub(crate) fn chromium() {
    if ["chromium", "chromium-browser", "google-chrome"].iter().any(|name| find(name).is_some()) {
        return;
    }
    if can_install() {
        println!("Chromium is missing, installing it");
        if let Err(error) = install("chromium") {
            println!("Chromium could not be installed, so the page is not tested in a browser: {error:#}");
        }
    }
}

/// Whether packages can be installed without asking.
fn can_install() -> bool {
    find("apt-get").is_some() && is_root()
}

fn install(package: &str) -> Result<()> {
    for args in [&["update", "-q"][..], &["install", "-q", "-y", "--no-install-recommends", package]] {
        run(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"))?;
    }
    Ok(())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The folders of `PATH`, and the one where Debian puts games, which `PATH` often lacks.
fn search_path() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.into_iter().chain([PathBuf::from("/usr/games")])
}
