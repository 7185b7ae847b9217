//! `tengen manual`: a page for every command, completions that name them.

use assert_cmd::cargo::cargo_bin_cmd;
use std::fs;

#[test]
fn every_command_has_a_page_and_is_completed() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("new/manual");
    cargo_bin_cmd!("tengen").args(["manual", "--out"]).arg(&out).assert().success();
    let help = cargo_bin_cmd!("tengen").arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // A command stands two blanks from the edge; what is deeper continues its description on a narrow terminal.
    let commands: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty())
        .collect();
    assert!(commands.contains(&"play") && commands.contains(&"manual"), "{commands:?}");
    let completions = fs::read_to_string(out.join("tengen.bash")).unwrap();
    for command in commands.into_iter().filter(|&command| command != "help") {
        let page = fs::read_to_string(out.join(format!("tengen-{command}.1"))).unwrap();
        assert!(page.contains(".SH OPTIONS"), "{command}");
        assert!(completions.contains(&format!("tengen,{command})")), "{command}");
    }
    assert!(fs::read_to_string(out.join("tengen.1")).unwrap().contains(".SH SUBCOMMANDS"));
}

#[test]
fn completions_are_printed_and_nothing_is_written_over_a_file() {
    let output = cargo_bin_cmd!("tengen").args(["manual", "--completions", "zsh"]).output().unwrap();
    assert!(output.stdout.starts_with(b"#compdef tengen"));
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = cargo_bin_cmd!("tengen").args(["manual", "--out"]).arg(file.path()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.starts_with("tengen: --out "), "{error}");
}
