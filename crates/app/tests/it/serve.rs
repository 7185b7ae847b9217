//! `tengen serve`: the page is there at once, for this machine alone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt;

#[test]
fn the_page_is_served_where_the_program_says() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Command::cargo_bin("tengen")
        .unwrap()
        .args(["serve", "--no-open", "--port", "0", "--state"])
        .arg(state.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Tengen is at http://").and_then(|rest| rest.strip_suffix('/'));
    let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_string();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Tengen</title>"), "{page}");
}

#[test]
fn other_machines_need_a_token() {
    let refused = |args: &[&str]| {
        let output = Command::cargo_bin("tengen").unwrap().arg("serve").args(args).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--listen", "0.0.0.0"]).contains("--token"));
    assert!(refused(&["--listen", "here", "--token", "secret"]).contains("expected an IP address"));
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().to_str().unwrap();
    let short = ["--listen", "0.0.0.0", "--port", "0", "--token", "abc", "--state", folder];
    assert!(refused(&short).contains("at least 8"));
    assert!(refused(&["--memory", "4M", "--state", folder]).contains("at least 8MiB"));
}
