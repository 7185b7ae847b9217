//! `cargo xtask dist`: an archive of the stripped program with manual pages, completions and licences, and its checksum.

use crate::tools;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Files of the repository that go into the archive as they are.
const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// The most bytes an archive may have.
const MAX_BYTES: u64 = 20 << 20;

/// Builds the archive in `target/dist`.
pub(crate) fn run() -> Result<bool> {
    tools::run(&mut tools::cargo(["build", "--release", "--locked", "--package", "app"]))?;
    let program = format!("tengen{}", std::env::consts::EXE_SUFFIX);
    let built = tools::target_dir().join("release").join(&program);
    let version = version(&built)?;
    let name = format!("tengen-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let dist = tools::target_dir().join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for file in FILES {
        copy(&tools::root().join(file), &folder.join(file))?;
    }
    copy(&built, &folder.join(&program))?;
    tools::run(Command::new("strip").arg(folder.join(&program)))?;
    tools::run(Command::new(folder.join(&program)).arg("manual").arg("--out").arg(folder.join("manual")))?;
    let archive = format!("{name}.tar.gz");
    // Owners and times of this machine are nobody's business, and the same files make the same archive.
    let plain = ["--owner=0", "--group=0", "--numeric-owner", "--sort=name", "--mtime=@0"];
    tools::run(Command::new("tar").args(plain).args(["-czf", &archive, &name]).current_dir(&dist))?;
    let sum = Command::new("sha256sum").arg(&archive).current_dir(&dist).output();
    let sum = sum.context("cannot start sha256sum")?;
    ensure!(sum.status.success(), "sha256sum {archive}: {}", sum.status);
    fs::write(dist.join(format!("{archive}.sha256")), &sum.stdout)?;
    let n_bytes = fs::metadata(dist.join(&archive))?.len();
    println!("{}: {:.1} MB", dist.join(&archive).display(), n_bytes as f64 / 1e6);
    print!("{}", String::from_utf8_lossy(&sum.stdout));
    ensure!(n_bytes <= MAX_BYTES, "the archive has {n_bytes} bytes; {MAX_BYTES} are allowed");
    Ok(true)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// The version that the program says it has.
fn version(program: &Path) -> Result<String> {
    let output = Command::new(program).arg("--version").output();
    let output = output.with_context(|| format!("cannot start {}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.split_whitespace().nth(1).context("`tengen --version` prints no version")?;
    Ok(version.to_owned())
}
