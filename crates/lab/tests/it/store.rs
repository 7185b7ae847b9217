//! The store of an experiment: what is kept, what is refused, what comes out.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lab::experiment::{Experiment, Standing, Stop, TomlFile};
use lab::store::{FILE, LeftOut, RunInfo, Store};
use lab::{FinishedGame, PairSide, run};
use player::ReasonKind;

const FILE_TEXT: &str = "title = \"small\"
[terms]
size = 5
playouts = 20
[players]
a = \"default\"
r = \"random\"
[[group]]
kind = \"round-robin\"
games = 4
";

fn experiment(text: &str) -> Experiment {
    let page = TomlFile { path: PathBuf::from("x.toml"), text: text.to_string(), follow: true };
    Experiment::of_page("x", page).unwrap()
}

fn info() -> RunInfo {
    RunInfo {
        program: "test 1".to_string(),
        revision: Some("abc".to_string()),
        bench: Some(7),
        parallel: 2,
        ..RunInfo::default()
    }
}

fn play(dir: &Path, text: &str) {
    let experiment = experiment(text);
    let mut store = Store::open(dir, &experiment).unwrap();
    assert!(run::run(&experiment, &mut store, &info(), &mut |_| (), &Arc::default()).unwrap());
}

/// Opening for play must fail; returns why.
fn refusal(dir: &Path, text: &str) -> String {
    Store::open(dir, &experiment(text)).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn everything_about_a_game_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), FILE_TEXT);
    let store = Store::open_read(dir.path()).unwrap();
    assert_eq!((store.name().unwrap(), store.file().unwrap()), ("x".to_string(), FILE_TEXT.to_string()));
    assert_eq!(store.experiment().unwrap().title, "small");
    let players = store.players().unwrap();
    assert_eq!(players.len(), 2);
    assert!(players[0].canonical.contains("mixer=") && players[0].text == "default", "{:?}", players[0]);
    let pairings = store.pairings().unwrap();
    assert_eq!((pairings.len(), pairings[0].stop), (1, Stop::Games(4)));
    assert_eq!((&pairings[0].terms["size"], &pairings[0].terms["playouts"]), (&"5x5".into(), &20.into()));
    let lines = store.lines(pairings[0].id).unwrap();
    assert_eq!(lines.iter().map(|line| line.game).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(
        lines.iter().map(|line| line.black).collect::<Vec<_>>(),
        [PairSide::A, PairSide::B, PairSide::A, PairSide::B]
    );
    for line in &lines {
        let game = store.game(pairings[0].id, line.game).unwrap().unwrap();
        assert_eq!(game.line, *line);
        assert!(game.sgf.starts_with("(;") && game.ended >= game.started && game.started > 1.6e9);
        let moves = store.moves(game.id).unwrap();
        assert_eq!(moves.len() as u64, line.moves);
        let (black, first) = (line.black, &moves[0]);
        assert_eq!((first.ply, first.color.as_str()), (1, "black"));
        // Only the search has an opinion.
        assert_eq!(first.value.is_some(), black == PairSide::A);
        assert_eq!(first.playouts, (black == PairSide::A).then_some(20));
        let total: u64 = moves.iter().filter_map(|mv| mv.playouts).sum();
        assert_eq!(total, line.simulations[0]);
    }
    let runs = store.runs().unwrap();
    assert_eq!((runs.len(), runs[0].games, &runs[0].info.program), (1, 4, &"test 1".to_string()));
    assert_eq!((runs[0].info.bench, runs[0].info.parallel), (Some(7), 2));
    assert!(runs[0].player_seconds > 0.0 && runs[0].player_seconds <= runs[0].table_seconds, "{:?}", runs[0]);
    assert!(runs[0].overhead().is_some_and(|share| (0.0..1.0).contains(&share)));
}

#[test]
fn more_games_and_players_are_played_and_others_kept() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), FILE_TEXT);
    let first = Store::open_read(dir.path()).unwrap().lines(1).unwrap();
    let more =
        FILE_TEXT.replace("games = 4", "games = 6").replace("r = \"random\"", "n = \"uct\"\nr = \"random\"");
    play(dir.path(), &more);
    let store = Store::open_read(dir.path()).unwrap();
    let pairings = store.pairings().unwrap();
    let names: Vec<[&str; 2]> = pairings.iter().map(|row| row.names.each_ref().map(String::as_str)).collect();
    assert_eq!(names, [["a", "n"], ["a", "r"], ["n", "r"]]);
    let lines: Vec<FinishedGame> = store.lines(pairings[1].id).unwrap();
    assert_eq!((lines.len(), &lines[..4]), (6, &first[..]));
    // A complete experiment is not begun again.
    play(dir.path(), &more);
    assert_eq!(Store::open_read(dir.path()).unwrap().runs().unwrap().len(), 2);
    // Who is no longer in the file keeps his games, but they are no longer asked about.
    play(dir.path(), &FILE_TEXT.replace("r = \"random\"", "n = \"uct\""));
    let store = Store::open_read(dir.path()).unwrap();
    assert_eq!(store.pairings().unwrap().len(), 1);
    // Six of a against r, six of n against r.
    let left_out = store.left_out().unwrap();
    assert_eq!(left_out, LeftOut { unplanned: 12, beyond: 2 }, "two of a against n are no longer wanted");
    assert_eq!(
        left_out.words()[0],
        "12 games of pairings that the file no longer has are kept, and not shown"
    );
    assert_eq!(left_out.words().len(), 2);
    assert!(LeftOut::default().words().is_empty());
    drop(store);
    play(dir.path(), FILE_TEXT);
    let store = Store::open_read(dir.path()).unwrap();
    assert_eq!(store.counted(&store.pairings().unwrap()[0]).unwrap().0, first, "six were played, four count");
    assert_eq!(store.left_out().unwrap().beyond, 2);
}

#[test]
fn what_contradicts_played_games_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), FILE_TEXT);
    for (from, to, expected) in [
        ("size = 5", "size = 6", "size is \"5x5\" there, \"6x6\" here"),
        ("playouts = 20", "playouts = 30", "playouts is 20 there, 30 here"),
        ("playouts = 20", "playouts = 20\nseed = 9", "the seed of the pairing is "),
        ("a = \"default\"", "a = \"default select.c=0.7\"", "player \"a\": select.c is 0 there, 0.7 here"),
        (
            "games = 4",
            "sprt = { elo0 = 0, elo1 = 9, max-games = 8 }",
            "the stop rule is 4 games there, SPRT 0 to 9 Elo",
        ),
    ] {
        let error = refusal(dir.path(), &FILE_TEXT.replace(from, to));
        assert!(error.contains(expected), "{error}\nnot {expected}");
    }
    // Nothing of it was written.
    play(dir.path(), FILE_TEXT);
    // What nobody has played yet may change.
    let fresh = tempfile::tempdir().unwrap();
    drop(Store::open(fresh.path(), &experiment(FILE_TEXT)).unwrap());
    play(fresh.path(), &FILE_TEXT.replace("size = 5", "size = 6"));
}

#[test]
fn only_one_plays_and_anybody_may_look() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = experiment(FILE_TEXT);
    let store = Store::open(dir.path(), &experiment).unwrap();
    assert!(refusal(dir.path(), FILE_TEXT).contains("is being played already"));
    assert!(Store::is_playing(dir.path()));
    assert_eq!(Store::open_read(dir.path()).unwrap().pairings().unwrap().len(), 1);
    drop(store);
    assert!(!Store::is_playing(dir.path()));
    assert!(Store::open(dir.path(), &experiment).is_ok());
}

#[test]
fn other_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = |dir: &Path| Store::open_read(dir).map(|_| ()).unwrap_err().to_string();
    assert!(error(dir.path()).contains("holds no experiment"));
    let path = dir.path().join(FILE);
    fs::write(&path, "this is no database, but long enough to be read as the header of one; no, it is not.")
        .unwrap();
    assert!(error(dir.path()).contains(FILE));
    assert!(refusal(dir.path(), FILE_TEXT).contains(FILE));
    fs::remove_file(&path).unwrap();
    let foreign = rusqlite::Connection::open(&path).unwrap();
    foreign.execute_batch("PRAGMA user_version = 3; CREATE TABLE t (x);").unwrap();
    assert!(error(dir.path()).contains("is not the store of an experiment"));
    // Without any stamp it is somebody's file all the same, and nothing is written into it.
    foreign.execute_batch("PRAGMA user_version = 0;").unwrap();
    assert!(error(dir.path()).contains("is not the store of an experiment"), "{}", error(dir.path()));
    assert!(refusal(dir.path(), FILE_TEXT).contains("is not the store of an experiment"));
    let tables = "SELECT COUNT(*) FROM sqlite_master";
    assert_eq!(foreign.query_row(tables, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    foreign.execute_batch("DROP TABLE t;").unwrap();
    drop(foreign);
    let stump = tempfile::tempdir().unwrap();
    fs::write(stump.path().join(FILE), &fs::read(&path).unwrap()[..50]).unwrap();
    assert!(error(stump.path()).contains("is not the store of an experiment"), "{}", error(stump.path()));
    assert!(refusal(stump.path(), FILE_TEXT).contains("is not the store of an experiment"));
    play(dir.path(), FILE_TEXT);
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.execute_batch("PRAGMA user_version = 99").unwrap();
    let why = "made by a newer program: its tables are of version 99, expected at most 1";
    assert!(error(dir.path()).contains(why), "{}", error(dir.path()));
    assert!(refusal(dir.path(), FILE_TEXT).contains(why));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), FILE_TEXT);
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let n_games = Store::open_read(dir.path()).and_then(|store| store.lines(1)).map(|lines| lines.len());
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(n_games.unwrap(), 4);
}

#[test]
fn looking_leaves_one_file() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), FILE_TEXT);
    let store = Store::open_read(dir.path()).unwrap();
    assert_eq!(store.lines(1).unwrap().len(), 4);
    drop(store);
    let names = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let logs: Vec<_> = names.filter(|name| name.to_string_lossy().contains("sqlite-")).collect();
    assert!(logs.is_empty(), "{logs:?}");
}

#[test]
fn exports_hold_every_game() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), FILE_TEXT);
    let store = Store::open_read(dir.path()).unwrap();
    let out = dir.path().join("out");
    let files = store.export_csv(&out).unwrap();
    assert_eq!(files.len(), 4);
    let lines = |name: &str| -> Vec<String> {
        fs::read_to_string(out.join(name)).unwrap().lines().map(str::to_string).collect()
    };
    let games = lines("games.csv");
    assert_eq!(games.len(), 5);
    assert!(games[1].starts_with("main,a,r,1,true,a,"), "{}", games[1]);
    let n_moves: u64 = store.lines(1).unwrap().iter().map(|line| line.moves).sum();
    assert_eq!(lines("moves.csv").len() as u64, n_moves + 1);
    let n_cells = |line: &str| line.split(',').count();
    let table = lines("table.csv");
    assert_eq!((table.len(), n_cells(&table[0])), (2, n_cells(&table[1])));
    assert!(table[1].starts_with("main,a,r,4,"), "{}", table[1]);
    assert_eq!(store.export_sgf(&out.join("sgf")).unwrap(), 4);
    let record = fs::read_to_string(out.join("sgf/main/001 a against r/game-0003.sgf")).unwrap();
    assert_eq!(record, store.game(1, 3).unwrap().unwrap().sgf);
}

#[test]
fn traces_are_kept_and_made_once() {
    let text = "title = \"t\"
[players]
bma = \"goyui-bma\"
[[trace]]
name = \"empty\"
players = [\"bma\"]
board = \"\"\"
. . . . .
. . . . .
. . . . .
. . . . .
. . . . .
\"\"\"
playouts = 60
every = 20
";
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), text);
    let store = Store::open_read(dir.path()).unwrap();
    let traces = store.traces().unwrap();
    assert_eq!((traces.len(), traces[0].name.as_str()), (1, "empty"));
    let rows: Vec<&str> = traces[0].csv.lines().collect();
    assert_eq!(rows[0], "simulation,move,visits,mc.n,mc.q,mc.beta,rave.n,rave.q,rave.beta,value");
    // 25 points, and passing is no choice on an empty board: it would end nothing.
    let n_arms = rows.iter().filter(|row| row.starts_with("20,")).count();
    assert!((25..=26).contains(&n_arms), "{n_arms}");
    assert_eq!(rows.len(), 1 + 3 * n_arms);
    assert_eq!(rows.last().unwrap().split(',').next(), Some("60"));
    drop(store);
    play(dir.path(), text);
    assert_eq!(Store::open_read(dir.path()).unwrap().runs().unwrap().len(), 1, "nothing was missing");
    play(dir.path(), &text.replace("playouts = 60", "playouts = 40"));
    let store = Store::open_read(dir.path()).unwrap();
    assert_eq!(store.traces().unwrap()[0].csv.lines().count(), 1 + 2 * n_arms);
    assert!(
        store.export_csv(&dir.path().join("csv")).unwrap().iter().any(|path| path.ends_with("traces.csv"))
    );
}

fn line(game: u64, winner: Option<PairSide>, margin: f64) -> FinishedGame {
    FinishedGame {
        game,
        black: PairSide::of(goban::Color::Black, game),
        winner,
        margin: Some(margin),
        result: String::new(),
        reason: ReasonKind::Score,
        details: None,
        note: None,
        moves: 10,
        n_moves: [5, 5],
        seconds: [1.0, 2.0],
        main_used: None,
        simulations: [0, 0],
        seeds: [u64::MAX, 2],
        opening: None,
    }
}

#[test]
fn a_fixed_number_of_games_counts_up_to_it() {
    let lines = [line(3, Some(PairSide::A), 3.5), line(1, None, 0.0), line(5, Some(PairSide::B), -1.5)];
    let standing = Standing::of(Stop::Games(4), &lines);
    assert_eq!((standing.n_over(), standing.n_left(), standing.is_done()), (2, 2, false));
    assert_eq!([1, 2, 3, 4, 5].map(|n| standing.is_over(n)), [true, false, true, false, false]);
    assert_eq!([1, 3, 5].map(|n| standing.counts(n)), [true, true, false]);
    assert_eq!(lab::store::export::mean_margin(&lines), Some((2.0 / 3.0, 3)));
}
