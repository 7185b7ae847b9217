//! `tengen lab` from outside: experiments are played, killed, resumed, looked at and exported.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use lab::store::Store;
use tempfile::TempDir;

const SMALL: &str = "title = \"Small games\"
text = \"For tests.\"
[terms]
size = 5
playouts = 40
[players]
default = \"default\"
random = \"random\"
uct = { recipe = \"uct\", select.c = [0.2, 0.8] }
[[group]]
kind = \"gauntlet\"
opponents = [\"random\"]
games = 20
";

/// A folder with an experiment file.
fn folder(text: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("experiments")).unwrap();
    fs::write(dir.path().join("experiments/small.toml"), text).unwrap();
    dir
}

fn command(dir: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.current_dir(dir).arg("lab").args(words.split(' ')).stdin(Stdio::null());
    command
}

fn run(dir: &Path, words: &str) -> Output {
    command(dir, words).output().unwrap()
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

/// Result and moves of every game, by players and number.
fn games(dir: &Path) -> BTreeMap<([String; 2], u64), String> {
    let store = Store::open_read(&dir.join("results/small")).unwrap();
    let mut games = BTreeMap::new();
    for pairing in store.pairings().unwrap() {
        store
            .each_game(pairing.id, |game| {
                let moves: Vec<String> = store.moves(game.id)?.into_iter().map(|mv| mv.vertex).collect();
                let value = format!("{} {}", game.line.result, moves.join(" "));
                assert_eq!(games.insert((pairing.names.clone(), game.line.game), value), None);
                Ok(())
            })
            .unwrap();
    }
    games
}

fn n_games(dir: &Path) -> u64 {
    let store = Store::open_read(&dir.join("results/small"));
    store.and_then(|store| Ok(store.runs()?.iter().map(|run| run.games).sum())).unwrap_or(0)
}

const FILE: &str = "experiments/small.toml";

#[test]
fn killed_at_any_moment_no_game_is_lost_and_none_played_twice() {
    let (whole, broken) = (folder(SMALL), folder(SMALL));
    text(&run(whole.path(), &format!("run {FILE}")));
    let expected = games(whole.path());
    assert_eq!(expected.len(), 60);
    let (mut n_kills, mut n_before) = (0, 0);
    // At the start, before the first game, and in the middle of whatever it does after some games.
    for (idx, n_more) in [0, 0, 5, 9, 13].into_iter().enumerate() {
        let words = format!("run {FILE} --parallel 2");
        let mut child =
            command(broken.path(), &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if n_more == 0 {
            sleep(Duration::from_millis(30 + 170 * idx as u64));
        }
        let deadline = Instant::now() + Duration::from_secs(60);
        while n_games(broken.path()) < n_before + n_more && Instant::now() < deadline {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        n_kills += u32::from(!child.wait().unwrap().success());
        let n_now = n_games(broken.path());
        assert!(n_now >= n_before, "{n_now} games after {n_before}");
        n_before = n_now;
    }
    assert!(n_kills >= 4, "the experiment was over before it could be killed");
    text(&run(broken.path(), &format!("run {FILE} --parallel 2")));
    assert_eq!(games(broken.path()), expected);
    assert_eq!(n_games(broken.path()), 60, "as many were played as are there");
}

#[test]
fn an_experiment_is_played_looked_at_and_exported() {
    let dir = folder(&SMALL.replace("games = 20", "games = 4"));
    let at = dir.path();
    assert!(text(&run(at, "list")).contains('–'), "nothing was played");
    let error = complaint(&run(at, &format!("status {FILE}")));
    assert!(error.contains("nothing has been played yet"), "{error}");
    let played = text(&run(at, &format!("run {FILE}")));
    for part in ["uct select.c=0.2", "complete", "random"] {
        assert!(played.contains(part), "{part} in {played}");
    }
    let status = text(&run(at, &format!("status {FILE}")));
    for part in ["small: Small games", "12 games in 1 run", "overhead", "bench", "cores", "complete"] {
        assert!(status.contains(part), "{part} in {status}");
    }
    assert_eq!(text(&run(at, "status results/small")), status);
    let list = text(&run(at, "list"));
    assert!(list.contains("Small games") && list.contains("complete, 12 games"), "{list}");
    let exported = text(&run(at, "export results/small --csv --sgf"));
    assert!(exported.contains("12 games"), "{exported}");
    assert_eq!(fs::read_to_string(at.join("results/small/csv/games.csv")).unwrap().lines().count(), 13);
    assert!(at.join("results/small/sgf/main/001 default against random/game-0004.sgf").is_file());
    let store = Store::open_read(&at.join("results/small")).unwrap();
    assert!(store.runs().unwrap()[0].info.bench.is_some());
}

#[test]
fn two_runs_at_a_time_and_changed_terms_are_refused() {
    let dir = folder(&SMALL.replace("games = 20", "games = 100000"));
    let at = dir.path();
    let mut first =
        command(at, &format!("run {FILE}")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while n_games(at) < 3 {
        assert!(Instant::now() < deadline && first.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(5));
    }
    let error = complaint(&run(at, &format!("run {FILE}")));
    assert!(error.contains("is being played already"), "{error}");
    assert!(text(&run(at, &format!("status {FILE}"))).contains("being played now"));
    assert!(text(&run(at, "list")).contains("playing"));
    assert!(Command::new("kill").args(["-INT", &first.id().to_string()]).status().unwrap().success());
    let ended = first.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130), "{words}");
    assert!(words.contains("the same command goes on"), "{words}");
    let n_before = n_games(at);
    fs::write(at.join(FILE), SMALL.replace("playouts = 40", "playouts = 50")).unwrap();
    let error = complaint(&run(at, &format!("run {FILE}")));
    assert!(error.contains("playouts is 40 there, 50 here"), "{error}");
    assert_eq!(n_games(at), n_before);
}

#[test]
fn wrong_files_are_refused_with_line_and_key() {
    let dir = folder(&SMALL.replace("games = 20", "game = 20"));
    let error = complaint(&run(dir.path(), &format!("run {FILE}")));
    assert!(
        error.contains("experiments/small.toml, line 13: unknown key `game`; did you mean `games`?"),
        "{error}"
    );
    let list = run(dir.path(), "list");
    assert!(complaint(&list).contains("did you mean `games`?"));
    let error = complaint(&run(dir.path(), "run experiments/none.toml"));
    assert!(
        error.contains("experiments/none.toml") && error.contains("expected the TOML file of an experiment"),
        "{error}"
    );
    let error = complaint(&run(dir.path(), "list nowhere"));
    assert!(error.contains("cannot read nowhere") && error.contains("`tengen lab new FILE.toml`"), "{error}");
    let error = complaint(&run(dir.path(), "export experiments --csv"));
    assert!(error.contains("holds no experiment"), "{error}");
    assert!(!dir.path().join("results").exists(), "nothing was made for it");
}

#[test]
fn an_engine_that_cannot_start_stops_the_run() {
    let dir = folder(&SMALL.replace("random = \"random\"", "random = \"gtp:/no/such/engine\""));
    let error = complaint(&run(dir.path(), &format!("run {FILE}")));
    assert!(error.contains("/no/such/engine"), "{error}");
    assert_eq!(n_games(dir.path()), 0, "nobody won");
}

#[test]
fn the_examples_are_listed() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let list = text(&run(&root, "list --results no-such-folder"));
    for name in ["rave-against-uct", "goyui-mixing", "goyui-traces"] {
        assert!(list.contains(name), "{name} in {list}");
    }
}

#[test]
fn a_search_that_was_watched_is_told() {
    let dir = folder(
        "title = \"Watched\"
[players]
uct = \"uct\"
[[trace]]
name = \"corner\"
players = [\"uct\"]
board = \"\"\"
. . .
. X .
. . .
\"\"\"
to-play = \"white\"
playouts = 50
",
    );
    let played = text(&run(dir.path(), &format!("run {FILE}")));
    assert!(played.contains("corner: uct was watched"), "{played}");
    assert!(played.contains("tengen lab report results/small"), "{played}");
    assert_eq!(
        text(&run(dir.path(), "status results/small")).lines().last(),
        Some("corner: uct was watched")
    );
}
