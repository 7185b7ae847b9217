//! `cargo xtask count`: instructions per uniform playout, or per evaluation by a network. Counted, not timed, so that the
//! number is the same on every machine of the same kind and the smallest change shows. Valgrind hides AVX-512 from the
//! program, so what is counted of a network are the kernels for AVX2, wherever the processor has it.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The two lengths of a run of playouts; their difference leaves out all that happens once.
const N_PLAYOUTS: [u64; 2] = [1000, 5000];

/// The two lengths of a run of evaluations by a network, all of the same position.
const N_EVALUATIONS: [u64; 2] = [1, 5];

/// Copying memory counts differently on processors with fast string instructions; this makes all alike.
const TUNABLES: &str =
    "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000";

/// What is counted.
#[derive(Debug, Default, PartialEq)]
struct Options {
    /// Sides of boards.
    sizes: Vec<u32>,
    /// A network whose evaluations are counted in place of playouts.
    net: Option<String>,
}

/// Builds, counts and prints one line per size.
pub(crate) fn run(args: &[String]) -> Result<bool> {
    let Options { sizes, net } = parse(args)?;
    if tools::find("valgrind").is_none() {
        bail!("valgrind is missing: install the package valgrind");
    }
    tools::run(&mut tools::cargo(["build", "--release", "--package", "tengen"]))?;
    let (unit, lengths) = match net {
        None => ("playout", N_PLAYOUTS),
        Some(_) => ("evaluation", N_EVALUATIONS),
    };
    for size in sizes {
        let [short, long] = lengths.map(|n| instructions(&command_line(net.as_deref(), size, n)));
        let per_unit = long?.saturating_sub(short?) / (lengths[1] - lengths[0]);
        println!("{size:>2}x{size:<2} {per_unit:>10} instructions per {unit}");
    }
    Ok(true)
}

/// The options: `--net FILE --size 9 --size 19`; without a size the usual three.
fn parse(args: &[String]) -> Result<Options> {
    let mut options = Options::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match (arg.as_str(), args.next()) {
            ("--size", Some(value)) => {
                let size = value.parse().with_context(|| format!("--size {value}: expected a number"))?;
                options.sizes.push(size);
            }
            ("--size", None) => bail!("--size: expected a number after it"),
            ("--net", Some(file)) => options.net = Some(file.clone()),
            ("--net", None) => bail!("--net: expected a file after it"),
            _ => bail!("unknown option {arg:?}; expected --size N or --net FILE"),
        }
    }
    if options.sizes.is_empty() {
        options.sizes = vec![9, 13, 19];
    }
    Ok(options)
}

/// What `tengen` is told for `n` uniform playouts, or for `n` evaluations by a network, one at a time.
fn command_line(net: Option<&str>, size: u32, n: u64) -> Vec<String> {
    let what = match net {
        None => ["bench", "playouts", "--policy", "uniform", "--seed", "1", "--playouts"].as_slice(),
        Some(file) => &["net", "bench", file, "--engine", "i16", "--batch", "1", "--evaluations"],
    };
    let how = [n.to_string(), "--json".into(), "--size".into(), size.to_string()];
    what.iter().map(|&word| word.to_owned()).chain(how).collect()
}

/// All instructions of one run of `tengen`.
fn instructions(words: &[String]) -> Result<u64> {
    let file = std::env::temp_dir().join(format!("tengen-count-{}", std::process::id()));
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind"]).arg(format!("--callgrind-out-file={}", file.display()));
    command.arg(tools::target_dir().join("release/tengen")).args(words);
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
        let read = |line: &str| parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(read("").unwrap(), Options { sizes: vec![9, 13, 19], net: None });
        assert_eq!(
            read("--size 13 --net a.bin --size 7").unwrap(),
            Options { sizes: vec![13, 7], net: Some("a.bin".into()) }
        );
        for line in ["--size", "--size x", "9", "--net"] {
            assert!(read(line).is_err(), "{line}");
        }
        assert_eq!(total("events: Ir\nfn=main\n1 5\ntotals: 123456\n"), Some(123456));
        assert_eq!(total(""), None);
    }
}
