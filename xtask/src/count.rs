//! `cargo xtask count`: instructions per uniform playout. Counted, not timed, so that the number is the same on every
//! machine of the same kind and the smallest change shows.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// The two lengths of run; their difference leaves out all that happens once.
const N_PLAYOUTS: [u64; 2] = [1000, 5000];

/// Copying memory counts differently on processors with fast string instructions; this makes all alike.
const TUNABLES: &str =
    "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000";

/// Builds, counts and prints one line per size.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    let sizes = parse(args)?;
    if tools::find("valgrind").is_none() {
        bail!("valgrind is missing: install the package valgrind");
    }
    tools::run(&mut tools::cargo(["build", "--release", "--package", "app"]))?;
    let tengen = tools::target_dir().join("release/tengen");
    for size in sizes {
        let [short, long] = N_PLAYOUTS.map(|n_playouts| instructions(&tengen, size, n_playouts));
        let per_playout = long?.saturating_sub(short?) / (N_PLAYOUTS[1] - N_PLAYOUTS[0]);
        println!("{size:>2}x{size:<2} {per_playout:>8} instructions per playout");
    }
    Ok(true)
}

/// The sizes asked for: `--size 9 --size 19`; without any the usual three.
fn parse(args: &[String]) -> Result<Vec<u32>> {
    let mut sizes = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.next()) {
            ("--size", Some(value)) => {
                sizes.push(value.parse().with_context(|| format!("--size {value}: expected a number"))?);
            }
            ("--size", None) => bail!("--size: expected a number after it"),
            _ => bail!("unknown option {arg:?}; expected --size N"),
        }
    }
    Ok(if sizes.is_empty() { vec![9, 13, 19] } else { sizes })
}

/// All instructions of one run of the program.
fn instructions(tengen: &Path, size: u32, n_playouts: u64) -> Result<u64> {
    let name = format!("tengen-count-{}-{size}-{n_playouts}", std::process::id());
    let file = std::env::temp_dir().join(name);
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind"]).arg(format!("--callgrind-out-file={}", file.display()));
    command.arg(tengen).args(["bench", "playouts", "--policy", "uniform", "--seed", "1", "--json"]);
    command.args(["--size", &size.to_string(), "--playouts", &n_playouts.to_string()]);
    command.env("GLIBC_TUNABLES", TUNABLES);
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let profile =
        std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let _ = std::fs::remove_file(&file);
    total(&profile).with_context(|| format!("{}: no line `totals: N`", file.display()))
}

/// The number of instructions in a profile of callgrind's.
fn total(profile: &str) -> Option<u64> {
    profile.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_totals() {
        let sizes = |line: &str| parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(sizes("").unwrap(), [9, 13, 19]);
        assert_eq!(sizes("--size 13").unwrap(), [13]);
        assert!(sizes("--size").is_err() && sizes("--size x").is_err() && sizes("9").is_err());
        assert_eq!(total("events: Ir\nfn=main\n1 5\ntotals: 123456\n"), Some(123456));
        assert_eq!(total(""), None);
    }
}
