//! `tengen serve`: the page is there at once, for this machine alone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

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

/// Starts a server that other machines can reach; the lines that it prints up to the one about Ctrl-C.
fn open_to_others(state: &Path, token: Option<&str>, args: &[&str]) -> (Child, Vec<String>) {
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.args(["serve", "--listen", "0.0.0.0", "--port", "0", "--state"]).arg(state).args(args);
    command.env_remove("TENGEN_TOKEN").stdin(Stdio::null()).stdout(Stdio::piped());
    if let Some(token) = token {
        command.env("TENGEN_TOKEN", token);
    }
    let mut server = command.spawn().unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
    let lines = lines.take_while(|line| !line.starts_with("Ctrl-C")).collect();
    (server, lines)
}

/// The status of the answer to a request with a token.
fn status(line: &str, token: &str) -> String {
    let address = line.strip_prefix("Tengen is at http://").and_then(|rest| rest.split('/').next());
    let address = address.unwrap_or_else(|| panic!("no address in {line:?}"));
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /?token={token} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap_or_default().to_string()
}

fn end(mut server: Child) {
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn other_machines_need_a_token_that_is_made_and_shown_once() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("games");
    let (server, lines) = open_to_others(&folder, None, &[]);
    let path = folder.join("token");
    let token = std::fs::read_to_string(&path).unwrap().trim().to_string();
    assert!(token.len() == 32 && lines[0].ends_with(&format!("/?token={token}")), "{lines:?}");
    assert_eq!((status(&lines[0], &token), status(&lines[0], "wrong-token")), ("303".into(), "401".into()));
    end(server);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
    }
    // Later it is the same, and no longer shown.
    let (server, lines) = open_to_others(&folder, None, &[]);
    assert!(!lines.concat().contains(&token) && lines[0].contains("token=…"), "{lines:?}");
    assert_eq!(status(&lines[0], &token), "303");
    end(server);
}

#[test]
fn a_token_comes_from_a_file_or_the_environment() {
    let state = tempfile::tempdir().unwrap();
    let (server, lines) = open_to_others(state.path(), Some("from-the-environment"), &[]);
    assert!(!lines.concat().contains("from-the-environment"), "{lines:?}");
    assert_eq!(status(&lines[0], "from-the-environment"), "303");
    end(server);
    let path = state.path().join("my-token");
    std::fs::write(&path, "from-a-file\nand more\n").unwrap();
    let args = ["--token-file", path.to_str().unwrap()];
    let (server, lines) = open_to_others(state.path(), Some("from-the-environment"), &args);
    assert_eq!(status(&lines[0], "from-a-file"), "303");
    end(server);
}

#[test]
fn what_is_no_token_is_refused() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().to_str().unwrap();
    let refused = |args: &[&str]| {
        let mut command = Command::cargo_bin("tengen").unwrap();
        command.args(["serve", "--state", folder]).args(args).env_remove("TENGEN_TOKEN");
        let output = command.output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--listen", "here"]).contains("expected an IP address"));
    assert!(refused(&["--token", "secret-secret"]).contains("--token-file"), "nothing on the command line");
    let path = state.path().join("short");
    std::fs::write(&path, "abc\n").unwrap();
    let short = ["--listen", "0.0.0.0", "--port", "0", "--token-file", path.to_str().unwrap()];
    assert!(refused(&short).contains("at least 8"));
    assert!(refused(&["--token-file", "/nowhere/token"]).contains("--token-file /nowhere/token"));
    assert!(refused(&["--memory", "4M"]).contains("at least 8MiB"));
}

#[test]
fn a_token_that_nobody_was_shown_is_not_kept() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("games");
    let taken = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.args(["serve", "--listen", "0.0.0.0", "--port", &port, "--state"]).arg(&folder);
    let output = command.env_remove("TENGEN_TOKEN").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("cannot listen"), "{told}");
    assert!(told.contains("perhaps Tengen is running there already, else choose another --port"), "{told}");
    assert!(!folder.join("token").exists());
    // The next start shows one.
    let (server, lines) = open_to_others(&folder, None, &[]);
    let token = std::fs::read_to_string(folder.join("token")).unwrap();
    assert!(lines[0].ends_with(token.trim()), "{lines:?}");
    end(server);
}

/// A shell without job control lets commands in the background ignore Ctrl-C.
#[cfg(unix)]
#[test]
fn in_the_background_of_a_script_a_signal_ends_it() {
    use std::os::unix::process::ExitStatusExt;
    let state = tempfile::tempdir().unwrap();
    let binary = Command::cargo_bin("tengen").unwrap().get_program().to_owned();
    let mut server = Command::new("sh")
        .args(["-c", "trap '' INT; exec \"$0\" serve --no-open --port 0 --state \"$1\""])
        .args([binary.as_os_str(), state.path().as_os_str()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("Tengen is at"), "{line}");
    let signal = |name: &str| {
        let sent = Command::new("kill").args(["-s", name, &server.id().to_string()]).status().unwrap();
        assert!(sent.success());
    };
    signal("INT");
    std::thread::sleep(std::time::Duration::from_millis(200));
    signal("TERM");
    assert_eq!(server.wait().unwrap().signal(), Some(15));
}
