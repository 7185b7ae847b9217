//! Runs that are interrupted, or have more tables, come to the same games and the same verdicts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab::experiment::{Experiment, Stop, TomlFile};
use lab::run;
use lab::stats::Hypothesis;
use lab::store::{RunInfo, Store};

fn experiment(text: &str) -> Experiment {
    let page = TomlFile { path: PathBuf::from("x.toml"), text: text.to_string(), follow: true };
    Experiment::of_page("x", page).unwrap()
}

/// Moves and result of every game of a store, by group, players and number.
fn games(store: &Store) -> BTreeMap<(String, [String; 2], u64), String> {
    let mut games = BTreeMap::new();
    for pairing in store.pairings().unwrap() {
        store
            .each_game(pairing.id, |game| {
                let moves = store.moves(game.id)?;
                let moves: Vec<String> = moves.into_iter().map(|mv| mv.vertex).collect();
                let key = (pairing.group.clone(), pairing.names.clone(), game.line.game);
                let value = format!("{} {}", game.line.result, moves.join(" "));
                assert_eq!(games.insert(key, value), None, "a game was played twice");
                Ok(())
            })
            .unwrap();
    }
    games
}

/// Plays at `parallel` tables; stops after `stop_after` games, if that many are left.
fn play(experiment: &Experiment, store: &mut Store, parallel: u64, stop_after: u64) -> bool {
    let stop = Arc::new(AtomicBool::new(false));
    let mut n_played = 0;
    let mut watch = |news: &run::RunNews<'_>| {
        n_played += u64::from(matches!(news, run::RunNews::Game(_)));
        if n_played == stop_after {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let info = RunInfo { parallel, ..RunInfo::default() };
    run::run(experiment, store, &info, &mut watch, &stop).unwrap()
}

const SMALL: &str = "title = \"t\"
[terms]
size = 5
playouts = 10
[players]
r = \"random\"
a = { recipe = \"uct\", select.c = [0.1, 1] }
[[group]]
name = \"robin\"
kind = \"round-robin\"
games = 25
[[group]]
name = \"wide\"
kind = \"gauntlet\"
opponents = [\"r\"]
games = 7
terms = { size = \"6x4\", seed = 3 }
";

#[test]
fn stopped_runs_come_to_the_games_of_an_undisturbed_one() {
    let experiment = experiment(SMALL);
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut store = Store::open(whole.path(), &experiment).unwrap();
    assert!(play(&experiment, &mut store, 1, u64::MAX));
    let expected = games(&store);
    assert_eq!(expected.len(), 3 * 25 + 2 * 7);
    for (n, parallel) in [(1, 2), (3, 3), (40, 1), (30, 4)] {
        let mut store = Store::open(broken.path(), &experiment).unwrap();
        assert!(!play(&experiment, &mut store, parallel, n), "stopped after {n} games");
    }
    let mut store = Store::open(broken.path(), &experiment).unwrap();
    let before = games(&store);
    // All pairings had their turn before any was complete.
    let numbers = |group: &str| before.keys().filter(|(name, ..)| name == group).count();
    assert!(before.len() < expected.len() && numbers("wide") > 0 && numbers("robin") > 0, "{}", before.len());
    assert!(play(&experiment, &mut store, 2, u64::MAX));
    assert_eq!(games(&store), expected);
    assert_eq!(store.runs().unwrap().iter().map(|run| run.games).sum::<u64>(), expected.len() as u64);
}

#[test]
fn openings_are_made_once_and_kept() {
    let text = "title = \"t\"
[terms]
size = 5
komi = 2.5
playouts = 5
openings = \"balanced:2\"
[players]
a = \"uct\"
b = \"uct select.c=1\"
c = \"random\"
[[group]]
kind = \"round-robin\"
games = 4
";
    let experiment = experiment(text);
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(dir.path(), &experiment).unwrap();
    let (mut n_news, mut n_games) = (0, 0);
    let mut watch = |news: &run::RunNews<'_>| match news {
        run::RunNews::Openings { wanted: 2, .. } => n_news += 1,
        run::RunNews::Game(_) => n_games += 1,
        _ => {}
    };
    let info = RunInfo { parallel: 2, ..RunInfo::default() };
    assert!(run::run(&experiment, &mut store, &info, &mut watch, &Arc::default()).unwrap());
    assert!(n_news > 0 && n_games == 12, "{n_news} {n_games}");
    let pairings = store.pairings().unwrap();
    assert_eq!(pairings[0].terms["openings"], "balanced:2");
    let openings = |pairing: &lab::store::PairingRow| -> Vec<Option<String>> {
        store.lines(pairing.id).unwrap().into_iter().map(|line| line.opening).collect()
    };
    let first = openings(&pairings[0]);
    assert!(
        first[0].is_some() && first[0] == first[1] && first[1] != first[2] && first[2] == first[3],
        "{first:?}"
    );
    assert_eq!(openings(&pairings[2]), first, "all pairings have the same");
    drop(store);
    // What was made is not made again.
    let more = self::experiment(&text.replace("games = 4", "games = 6"));
    let mut store = Store::open(dir.path(), &more).unwrap();
    let mut n_news = 0;
    let mut watch =
        |news: &run::RunNews<'_>| n_news += u64::from(matches!(news, run::RunNews::Openings { .. }));
    assert!(run::run(&more, &mut store, &info, &mut watch, &Arc::default()).unwrap());
    assert_eq!(n_news, 0);
    drop(store);
    let other = self::experiment(&text.replace("balanced:2", "balanced:3"));
    let error = Store::open(dir.path(), &other).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("openings is \"balanced:2\" there, \"balanced:3\" here"), "{error}");
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_with_any_number_of_tables() {
    let text = "title = \"t\"
[terms]
size = 5
playouts = 20
[players]
a = \"default\"
r = \"random\"
u = \"uct@playouts=1\"
[[group]]
kind = \"gauntlet\"
opponents = [\"r\"]
sprt = { elo0 = 0, elo1 = 100, max-games = 60 }
";
    let experiment = experiment(text);
    let mut seen = Vec::new();
    for (parallel, stop_after) in [(1, u64::MAX), (2, u64::MAX), (5, u64::MAX), (3, 4)] {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path(), &experiment).unwrap();
        if !play(&experiment, &mut store, parallel, stop_after) {
            assert!(play(&experiment, &mut store, 1, u64::MAX));
        }
        let mut found = Vec::new();
        for pairing in store.pairings().unwrap() {
            assert!(matches!(pairing.stop, Stop::Sprt { .. }));
            let (lines, standing) = store.counted(&pairing).unwrap();
            let numbers: Vec<u64> = lines.iter().map(|line| line.game).collect();
            assert_eq!(numbers, (1..=lines.len() as u64).collect::<Vec<_>>(), "without gaps");
            assert!(standing.is_done());
            // Games that were finished before the verdict was known are kept, but do not count; one table has none.
            assert!(parallel > 1 || standing.n_over() == lines.len() as u64, "{}", standing.n_over());
            let results: Vec<String> = lines.into_iter().map(|line| line.result).collect();
            found.push((standing.verdict(), results));
        }
        seen.push(found);
    }
    assert_eq!(seen[0][0].0, Some(Hypothesis::H1), "the default beats random moves");
    assert!(seen[0][0].1.len() < 60, "and that is soon clear");
    for other in &seen[1..] {
        assert_eq!(*other, seen[0]);
    }
}
