//! The outside programs: where they are, and how they come here when they are missing.

use anyhow::{Context, Result, ensure};
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

/// A program that some tests need. Without it they are skipped.
pub(crate) struct Program {
    name: &'static str,
    /// What the program may be called.
    commands: &'static [&'static str],
    /// Debian's package.
    package: &'static str,
    /// How to get it where there is no `apt-get`.
    elsewhere: &'static str,
}

/// All of them.
pub(crate) const PROGRAMS: [Program; 4] = [
    Program {
        name: GNU_GO,
        commands: &["gnugo"],
        package: "gnugo",
        elsewhere: "brew install gnu-go, or https://www.gnu.org/software/gnugo",
    },
    Program {
        name: "Chromium",
        commands: &["chromium", "chromium-browser", "google-chrome"],
        package: "chromium",
        elsewhere: "https://www.chromium.org",
    },
    Program {
        name: "npm",
        commands: &["npm"],
        package: "npm",
        elsewhere: "brew install node, or https://nodejs.org",
    },
    Program {
        name: "Valgrind",
        commands: &["valgrind"],
        package: "valgrind",
        elsewhere: "https://valgrind.org",
    },
];

impl Program {
    /// Where it is.
    fn find(&self) -> Option<PathBuf> {
        self.commands.iter().find_map(|command| find(command))
    }

    /// If it is missing, a line that says how to get it.
    pub(crate) fn missing(&self) -> Option<String> {
        let Program { name, package, elsewhere, .. } = self;
        let advice =
            format!("{name} is missing: apt-get install {package} ({elsewhere}), and put it on the PATH");
        self.find().is_none().then_some(advice)
    }

    /// Installs it if it is missing and that can be done without asking; says what is done. Tests that need a program that
    /// is not there are skipped, so nothing here is a failure.
    fn prepare(&self) {
        if self.find().is_none() && can_install() {
            println!("{} is missing, installing the package {}", self.name, self.package);
            if let Err(error) = install(self.package) {
                println!("{} could not be installed: {error:#}", self.package);
            }
        }
        match self.find() {
            Some(path) => println!("{} at {}", self.name, path.display()),
            None => println!("{}", self.missing().unwrap_or_default()),
        }
    }
}

/// Looks for all programs and brings what is missing.
pub(crate) fn prepare() {
    PROGRAMS.iter().for_each(Program::prepare);
    if let Some(path) = find("gnugo") {
        let output = Command::new(&path).arg("--version").output();
        let text =
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let version = text.lines().next().unwrap_or_default().trim();
        if version != GNU_GO {
            println!("{} calls itself {version:?}; the tests are written against {GNU_GO}", path.display());
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
