//! Instructions per evaluation by a network, counted by valgrind: speed that does not depend on the load of the machine, so
//! that a change which makes the engine slower is noticed. `cargo xtask count --net FILE` counts the same of a real network.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use model::net::sample::{self, Form};
use serde_json::Value;

/// Trunk channels of the network, which the engine pads to 32. Inside its blocks (ordinary, pooling, bottleneck) are 8 to 32.
const N_CHANNELS: usize = 31;
/// Instructions per evaluation on 9×9, as counted once. Kernels are optimised in debug builds as well, but assertions and checks
/// for overflow make them three times as long there. A change that moves the figures on purpose writes them anew.
const EXPECTED: u64 = if cfg!(debug_assertions) { 2_792_000 } else { 955_000 };
/// The two lengths of run, in evaluations; their difference leaves out all that happens once.
const N_EVALUATIONS: [u64; 2] = [1, 6];
/// Copying memory counts differently on processors with fast string instructions; this makes all alike.
const TUNABLES: &str =
    "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000";

/// The instruction set that the engine has chosen, and all instructions of a run.
fn count(folder: &Path, n_evaluations: u64) -> (String, u64) {
    let profile = folder.join("profile");
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind"]).arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(cargo_bin!("tengen")).args(["net", "bench"]).arg(folder.join("net.bin"));
    command.args(["--json", "--size", "9", "--evaluations", &n_evaluations.to_string()]);
    let output = command.env("GLIBC_TUNABLES", TUNABLES).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&line["engine"], &line["batch"]), (&"i16".into(), &1.into()));
    let profile = fs::read_to_string(profile).unwrap();
    let total = profile.lines().find_map(|line| line.strip_prefix("totals: ")).unwrap();
    (line["instructions"].as_str().unwrap().to_owned(), total.trim().parse().unwrap())
}

/// Valgrind hides AVX-512 from the program, so the kernels for AVX2 are counted wherever the processor has it.
#[test]
fn an_evaluation_takes_the_expected_instructions() {
    if cfg!(not(target_arch = "x86_64")) {
        return println!("skipped: instructions are counted on x86-64 alone");
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        return println!("skipped: valgrind is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let net = sample::write(&sample::conv_graph(8, N_CHANNELS, 1), Form::Binary);
    fs::write(folder.path().join("net.bin"), net).unwrap();
    let [(isa, short), (_, long)] = N_EVALUATIONS.map(|n| count(folder.path(), n));
    if isa != "avx2" {
        return println!("skipped: the kernels for AVX2 are counted, and valgrind shows {isa}");
    }
    let found = (long - short) / (N_EVALUATIONS[1] - N_EVALUATIONS[0]);
    assert!(
        found.abs_diff(EXPECTED) <= EXPECTED / 10,
        "{found} instructions per evaluation, expected {EXPECTED} within a tenth"
    );
}
