//! `tengen lab report` from outside: the pages are written, and their links lead somewhere.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SMALL: &str = "title = \"Small <games>\"
[terms]
size = 5
[players]
random = \"random\"
uct = { recipe = \"uct\", playouts = [5, 50] }
[[group]]
kind = \"gauntlet\"
opponents = [\"random\"]
games = 2
";

fn tengen(dir: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.current_dir(dir).arg("lab").args(words).stdin(Stdio::null()).output().unwrap()
}

fn text(output: &Output) -> String {
    let texts = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{texts:?}");
    texts.concat()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// An address as a path: `%20` is a space.
fn path_of(address: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = address.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn pages_are_written_and_their_links_lead_somewhere() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("small.toml"), SMALL).unwrap();
    let why = complaint(&tengen(dir.path(), &["report", "small.toml"]));
    assert!(why.contains("nothing has been played yet"), "{why}");
    text(&tengen(dir.path(), &["run", "small.toml"]));
    let why = complaint(&tengen(dir.path(), &["report", "small.toml", "--name", "../x"]));
    assert!(why.contains("expected a plain file name"), "{why}");

    let listed = text(&tengen(dir.path(), &["report", "small.toml"]));
    let files: Vec<&str> = listed.lines().collect();
    assert_eq!(
        files,
        ["report.html", "report.md", "report-uct-playouts.svg", "report-ladder.svg"]
            .map(|file| format!("results/small/{file}"))
    );
    let html = fs::read_to_string(dir.path().join(files[0])).unwrap();
    assert!(
        html.contains("<h1>Small &lt;games&gt;</h1>") && html.contains("tengen lab run small.toml"),
        "{html}"
    );
    let markdown = fs::read_to_string(dir.path().join(files[1])).unwrap();
    assert!(markdown.contains("](report-uct-playouts.svg)"), "{markdown}");

    // With records they are linked, here from another folder and another name.
    text(&tengen(dir.path(), &["report", "results/small", "--to", "docs", "--name", "small", "--sgf"]));
    let docs = dir.path().join("docs");
    let html = fs::read_to_string(docs.join("small.html")).unwrap();
    let links: Vec<String> =
        html.split("href=\"").skip(1).map(|rest| path_of(rest.split('"').next().unwrap())).collect();
    assert_eq!(links.len(), 2, "{links:?}");
    for link in links {
        assert!(docs.join(&link).join("game-0001.sgf").is_file(), "{link}");
    }
}
