//! What the tests of `tengen match` share.

// No test uses all of it.
#![allow(unreachable_pub)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A fresh folder name for the match of a test.
pub fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{name}"));
    let _ = fs::remove_dir_all(&dir);
    dir
}

/// A match of small games with `words` as options.
pub fn command(out: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(["match", "--json", "--out"]).arg(out);
    if !words.contains("--size") {
        command.args(["--size", "5"]);
    }
    command.args(words.split_whitespace());
    command.stdin(Stdio::null());
    command
}

/// Runs such a match to its end.
pub fn run(out: &Path, words: &str) -> Output {
    command(out, words).output().unwrap()
}

/// The last line of a match that went well.
pub fn score(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// What a match that was refused says.
pub fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The results on file, by game; none if there is no match yet.
pub fn results(out: &Path) -> BTreeMap<u64, Value> {
    let lines = || -> lab::Result<Vec<lab::FinishedGame>> {
        let store = lab::store::Store::open_read(out)?;
        let pairings = store.pairings()?;
        assert!(pairings.len() <= 1, "a match is one pairing");
        pairings.first().map_or(Ok(Vec::new()), |pairing| store.lines(pairing.id))
    };
    let lines = lines().unwrap_or_default();
    lines.iter().map(|line| (line.game, serde_json::to_value(line).unwrap())).collect()
}

/// What must not depend on time: result and moves of every game.
pub fn games(out: &Path) -> Vec<(u64, String, String)> {
    let game = |(game, line): (u64, Value)| {
        let bytes = fs::read(out.join(format!("game-{game:04}.sgf"))).unwrap();
        let collection = sgf::Collection::read(&bytes).unwrap();
        let record = sgf::Game::new(&collection.games[0]).unwrap();
        let moves: Vec<String> =
            record.moves().unwrap().iter().map(|mv| format!("{}{:?}", mv.color, mv.point)).collect();
        (game, line["result"].to_string(), moves.join(" "))
    };
    results(out).into_iter().map(game).collect()
}

/// An engine with bad manners, as a player.
pub fn fake(manner: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../player/tests/engines/fake.sh");
    format!("gtp:sh '{}' {manner}", script.display())
}

/// GNU Go, if it is installed.
pub fn gnugo() -> Option<String> {
    let dirs = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    dirs.split(':').map(|dir| format!("{dir}/gnugo")).find(|path| Path::new(path).is_file())
}
