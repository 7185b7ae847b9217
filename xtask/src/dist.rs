//! `cargo xtask dist`: an archive of the stripped program with manual pages, completions and licences, and its checksum. What
//! comes out of it again is tried as somebody finds it who has neither Rust nor settings.

use crate::tools;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Files of the repository that go into the archive as they are.
const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// The most bytes an archive may have.
const MAX_BYTES: u64 = 20 << 20;

/// Builds the archive in `target/dist`.
pub(crate) fn run() -> Result<bool> {
    tools::run(&mut tools::cargo(["build", "--release", "--locked", "--package", "tengen"]))?;
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
    try_out(&dist, &archive, &name, &program)?;
    Ok(true)
}

/// Unpacks the archive and lets its program play a move and serve the page, with an empty home and no other variable of the
/// environment.
fn try_out(dist: &Path, archive: &str, name: &str, program: &str) -> Result<()> {
    let home = dist.join("home");
    if home.exists() {
        fs::remove_dir_all(&home).with_context(|| format!("cannot empty {}", home.display()))?;
    }
    fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    tools::run(Command::new("tar").args(["-xzf", archive, "-C", "home"]).current_dir(dist))?;
    let unpacked = home.join(name).join(program);
    let start = |args: &[&str]| {
        let mut command = Command::new(&unpacked);
        command.args(args).env_clear().env("HOME", &home).current_dir(&home);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start it")
    };
    plays(start(&["gtp", "--size", "9", "--playouts", "100"])?)?;
    let mut server = start(&["serve", "--no-open", "--port", "0"])?;
    let served = serves(&mut server);
    server.kill()?;
    server.wait()?;
    served?;
    println!("{}: plays, and serves the page", unpacked.display());
    fs::remove_dir_all(&home).with_context(|| format!("cannot remove {}", home.display()))
}

fn plays(mut engine: Child) -> Result<()> {
    let mut stdin = engine.stdin.take().context("the program has no input")?;
    stdin.write_all(b"name\ngenmove b\nquit\n")?;
    drop(stdin);
    let output = engine.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let has_played = text.split("\n\n").nth(1).is_some_and(|answer| answer.starts_with("= "));
    ensure!(output.status.success() && has_played, "gtp: {}, and answered {text:?}", output.status);
    Ok(())
}

fn serves(server: &mut Child) -> Result<()> {
    let mut line = String::new();
    BufReader::new(server.stdout.take().context("the program has no output")?).read_line(&mut line)?;
    let address = line.trim().strip_prefix("Tengen is at http://").and_then(|rest| rest.strip_suffix('/'));
    let address = address.with_context(|| format!("serve: no address in {line:?}"))?;
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut page = String::new();
    stream.read_to_string(&mut page)?;
    ensure!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Tengen</title>"), "serve: {page:.200}");
    Ok(())
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
