//! Small runs of the pipeline: games, reinforcement that goes on after any interruption, and positions for a value network.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goban::{Color, Rules, Size};
use model::net::file;
use model::net::file::own::NumberForm;
use model::net::graph::Graph;
use model::net::katago::KataGoNet;
use player::boardgame::{self, GameChoice, Tabletop};
use train::net::rows::{RowsFile, RowsOrigin, RowsWriter};
use train::net::run::{CHECKPOINT, LATEST, curve};
use train::net::source::RowsOut;
use train::net::supervised::{BeginningNet, OptimiserKind};
use train::net::{NetShape, Row};

use super::games::{GameOrder, GamePlan, PlayRules, PlayedGame, PolicyGames};
use super::value_rows::draw_rows;
use super::*;

pub(super) fn hex() -> Box<dyn Tabletop> {
    GameChoice::parse("hex,swap=false", Some([4, 4])).unwrap().unwrap().board()
}

fn go() -> Box<dyn Tabletop> {
    boardgame::go::board(Size::square(5).unwrap(), 0.5, Rules::TROMP_TAYLOR)
}

fn graph(seed: u64) -> Graph {
    NetShape::parse("b1c8").unwrap().graph(seed)
}

fn net(seed: u64) -> Arc<KataGoNet> {
    Arc::new(KataGoNet::new(graph(seed)))
}

const RULES: PlayRules = PlayRules { max_moves: 60, temperature: 1.0, turns: true };

pub(super) fn go_on() -> AtomicBool {
    AtomicBool::new(false)
}

fn play(
    start: &dyn Tabletop,
    nets: &[Arc<KataGoNet>],
    threads: usize,
    orders: &[GameOrder],
) -> Vec<PlayedGame> {
    PolicyGames { start, nets, rules: RULES, threads, stop: &go_on() }.play(orders).unwrap()
}

/// Empty points of 5×5 with the mover's stones all around, at the corners as well.
fn own_eyes(row: &Row) -> Vec<usize> {
    // Plane 1 has the mover's stones.
    let is_own = |point: usize| row.planes[(25 + point) / 8] >> ((25 + point) % 8) & 1 == 1;
    let around = |point: usize| {
        let near = |a: usize, b: usize| a.abs_diff(b) <= 1;
        (0..25)
            .filter(move |&other| other != point && near(other % 5, point % 5) && near(other / 5, point / 5))
    };
    (0..25).filter(|&point| !is_own(point) && around(point).all(is_own)).collect()
}

#[test]
fn what_happens_in_a_game_depends_on_no_other() {
    let nets = [net(1), net(2)];
    let order =
        |seed| GameOrder { plan: GamePlan::Match { nets: [0, 1], learner: Some(Color::White) }, seed };
    let orders: Vec<GameOrder> = (0..150).map(order).collect();
    for start in [hex(), go()] {
        let together = play(start.as_ref(), &nets, 1, &orders);
        let apart = play(start.as_ref(), &nets, 3, &orders);
        let alone = play(start.as_ref(), &nets, 1, &orders[77..78]);
        for (a, b) in together.iter().zip(&apart).chain([(&together[77], &alone[0])]) {
            assert_eq!((a.win, a.n_moves, a.score, &a.owners), (b.win, b.n_moves, b.score, &b.owners));
            let rows = |game: &PlayedGame| -> Vec<Row> {
                game.positions.iter().map(|position| position.row.clone()).collect()
            };
            assert_eq!(rows(a), rows(b));
        }
        let n_lengths =
            together.iter().map(|game| game.n_moves).collect::<std::collections::BTreeSet<_>>().len();
        assert!(n_lengths > 3, "the games differ");
        let mut n_eyes = 0;
        for game in &together {
            // White's moves alone, with the end as White sees it.
            assert_eq!(game.positions.len(), game.n_moves / 2);
            for position in &game.positions {
                let Row { policy, value, score, ownership, .. } = &position.row;
                assert!(position.row.check().is_ok() && policy.len() == 1 && policy[0].1 == 1.0);
                assert!(position.row.is_legal(policy[0].0.into()) && position.color == Color::White);
                // The moves of a row are those that were drawn from.
                if start.entry().name == "go" {
                    let eyes = own_eyes(&position.row);
                    assert!(eyes.iter().all(|&eye| !position.row.is_legal(eye)) && position.row.is_legal(25));
                    n_eyes += eyes.len();
                }
                assert_eq!(*value, Some(1.0 - game.win));
                assert_eq!((*score, ownership.len()), (game.score.map(|score| -score), game.owners.len()));
                let sum = |owners: &[i8]| owners.iter().map(|&owner| i32::from(owner.signum())).sum::<i32>();
                assert_eq!(sum(ownership), -sum(&game.owners));
            }
        }
        assert!(n_eyes > 0 || start.entry().name != "go", "no row has an own eye");
    }
    let stop = AtomicBool::new(true);
    let start = hex();
    let games = PolicyGames { start: start.as_ref(), nets: &nets, rules: RULES, threads: 2, stop: &stop };
    assert!(games.play(&orders).is_none());
}

pub(super) fn settings(n_batches: u64) -> ReinforceSettings {
    ReinforceSettings {
        game: "hex,swap=false 4x4".into(),
        from: BeginningNet { graph: graph(1), identity: "first#1".into() },
        from_origin: None,
        name: "tiny".into(),
        n_batches,
        games: 10,
        pool_every: 3,
        opponents: 2,
        baseline: Baseline::Value,
        rules: RULES,
        optimiser: OptimiserKind::Adam,
        learning_rate: 0.01,
        warm_up: 2,
        weight_decay: 1e-4,
        clip: 5.0,
        value_weight: 1.0,
        curve_every: 2,
        measure_games: 6,
        seed: 5,
        threads: 1,
        numbers: NumberForm::F32,
    }
}

/// Runs on until a batch is done, and returns how many were done in this run.
fn run_to(folder: &Path, settings: ReinforceSettings, end: u64) -> u64 {
    let mut run = ReinforceRun::open(folder, settings, hex()).unwrap();
    let mut n = 0;
    run.run(&go_on(), |progress| {
        n += 1;
        if progress.batch == end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    n
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap()
}

/// All of the curve but the speed.
fn curve_of(folder: &Path) -> Vec<String> {
    let text = String::from_utf8(read(folder, curve::FILE)).unwrap();
    text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_string()).collect()
}

#[test]
fn a_run_that_is_ended_anywhere_ends_with_the_same_network() {
    let dir = tempfile::tempdir().unwrap();
    let [straight, broken] = ["straight", "broken"].map(|name| dir.path().join(name));
    run_to(&straight, settings(11), 11);
    // Ended before the first checkpoint, at one, behind one, and with another number of threads.
    for (end, n_done) in [(1, 1), (4, 4), (7, 3)] {
        assert_eq!(run_to(&broken, settings(11), end), n_done, "to {end}");
    }
    assert_eq!(run_to(&broken, ReinforceSettings { threads: 3, ..settings(11) }, 11), 5);
    for name in [LATEST, CHECKPOINT, "pool-00001.net", "pool-00002.net", "pool-00003.net"] {
        assert!(read(&straight, name) == read(&broken, name), "{name}");
    }
    assert_eq!(curve_of(&straight), curve_of(&broken));
    assert_eq!(curve_of(&straight).len(), 1 + 6);
    assert_eq!(run_to(&broken, settings(11), 11), 0, "it is done");
}

/// Names the folder for the process that is to be killed.
const VICTIM: &str = "TENGEN_TEST_REINFORCE";

/// Runs until it is killed, in the process that the next test starts; elsewhere does nothing.
#[test]
fn victim() {
    if let Some(folder) = std::env::var_os(VICTIM) {
        run_to(Path::new(&folder), settings(100_000), 100_000);
    }
}

#[test]
fn a_process_that_is_killed_leaves_a_run_that_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let [killed, straight] = ["killed", "straight"].map(|name| dir.path().join(name));
    let mut process = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "alphago::tests::victim"])
        .env(VICTIM, &killed)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let n_points = || fs::read_to_string(killed.join(curve::FILE)).map_or(0, |text| text.lines().count());
    let is_under_way = (0..6000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        n_points() > 3
    });
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(is_under_way, "no points within a minute");
    let n_kept = ReinforceRun::open(&killed, settings(100_000), hex()).unwrap().n_batches();
    assert!(n_kept >= 4);
    let end = n_kept + 3;
    run_to(&killed, settings(100_000), end + end % 2);
    run_to(&straight, settings(100_000), end + end % 2);
    assert!(read(&killed, CHECKPOINT) == read(&straight, CHECKPOINT));
    assert!(read(&killed, LATEST) == read(&straight, LATEST));
    assert_eq!(curve_of(&killed), curve_of(&straight));
}

#[test]
fn reinforcement_beats_the_network_that_it_began_with() {
    for baseline in Baseline::ALL {
        let dir = tempfile::tempdir().unwrap();
        let settings = ReinforceSettings {
            games: 40,
            pool_every: 10,
            curve_every: 20,
            measure_games: 200,
            baseline,
            ..settings(40)
        };
        run_to(dir.path(), settings.clone(), 40);
        let run = ReinforceRun::open(dir.path(), settings, hex()).unwrap();
        let last = run.points().last().unwrap();
        assert!(last.won_first > 0.7 && last.first_games == 200, "{}: {last:?}", baseline.name());
        let network = file::read_within(&read(dir.path(), LATEST)[..], file::Limits::default()).unwrap();
        let origin = network.origin.unwrap();
        assert_eq!((network.graph.name.as_str(), origin.n_steps, origin.game.as_str()), ("tiny", 40, "hex"));
        assert!(origin.trainer.starts_with("tengen train reinforce --from first#1 --batches 40 --games 40"));
    }
}

#[test]
fn other_settings_and_missing_opponents_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    run_to(&folder, settings(6), 6);
    let other = ReinforceSettings { games: 8, baseline: Baseline::None, ..settings(6) };
    let error = ReinforceRun::open(&folder, other, hex()).err().unwrap().to_string();
    for part in ["games is 10 there and 8 now", "baseline is \"value\" there and \"none\" now"] {
        assert!(error.contains(part), "{error}");
    }
    // A folder of the other kind of run.
    let error = train::net::run::folder::TrainingFolder::open(&folder, &"steps = 7".parse().unwrap(), &[]);
    assert!(error.unwrap_err().to_string().contains("steps is not set there and 7 now"));
    let mut table = fs::read_to_string(folder.join("settings.toml")).unwrap();
    table = table.replace("batches = 6", "batches = 40");
    fs::write(folder.join("settings.toml"), table).unwrap();
    for name in ["pool-00001.net", "pool-00002.net"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let mut run = ReinforceRun::open(&folder, settings(40), hex()).unwrap();
    let error = run.run(&go_on(), |_| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(error.contains(".net: this opponent is missing"), "{error}");
}

fn value_settings(positions: u64) -> ValueRowsSettings {
    ValueRowsSettings { positions, last_move: 20, rules: RULES, seed: 3, threads: 2 }
}

/// Draws rows into new files, or goes on with those that are there, and breaks off after some rounds of games where a number is given.
fn draw(folder: &Path, settings: &ValueRowsSettings, breaks_off: Option<usize>) -> ValueRowsTally {
    let file = |name: &str| {
        let path = folder.join(name);
        let is_there = path.exists();
        if is_there { RowsWriter::append(&path, "go") } else { RowsWriter::create(&path, &origin()) }.unwrap()
    };
    let mut out = RowsOut { rows: file("a.rows"), held_out: Some(file("h.rows")) };
    let mut n_rounds = 0;
    let flow = |_: &_| {
        n_rounds += 1;
        if breaks_off == Some(n_rounds) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let tally = draw_rows(go().as_ref(), &[net(1), net(2)], settings, &mut out, &go_on(), flow).unwrap();
    // What waits for its chunk is lost, as if the program had been killed.
    if breaks_off.is_none() {
        out.rows.finish().unwrap();
        out.held_out.unwrap().finish().unwrap();
    }
    tally
}

fn origin() -> RowsOrigin {
    RowsOrigin { game: "go".into(), ..RowsOrigin::default() }
}

#[test]
fn each_game_gives_one_position_with_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let tally = draw(dir.path(), &value_settings(300), None);
    assert_eq!((tally.n_rows, tally.n_held_out, tally.n_games), (294, 6, 300 + tally.n_short));
    let rows = RowsFile::open(&dir.path().join("a.rows")).unwrap().first_rows(1000).unwrap();
    let mut lengths = std::collections::BTreeSet::new();
    for row in &rows {
        assert!(row.policy.is_empty() && row.score.is_some() && row.ownership.len() == 25);
        let margin: i32 = row.ownership.iter().map(|&owner| i32::from(owner.signum())).sum();
        let komi = row.score.unwrap() - margin as f32;
        assert_eq!(komi.abs(), 0.5);
        assert_eq!(row.value, Some(if row.score.unwrap() > 0.0 { 1.0 } else { 0.0 }));
        // Planes 1 and 2 are the stones.
        let stones =
            row.planes.iter().enumerate().flat_map(|(n, byte)| {
                (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| 8 * n + bit)
            });
        lengths.insert(stones.filter(|bit| (25..75).contains(bit)).count());
    }
    assert!(lengths.len() > 10, "{lengths:?}");
}

#[test]
fn rows_of_games_go_on_where_they_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let [straight, broken] = ["straight", "broken"].map(|name| dir.path().join(name));
    [&straight, &broken].iter().for_each(|folder| fs::create_dir(folder).unwrap());
    let n_kept = |name: &str| RowsFile::open(&broken.join(name)).unwrap().n_rows();
    draw(&straight, &value_settings(1700), None);
    // Three rounds of 512 games fill one chunk of rows; those held out fill none and are lost.
    draw(&broken, &value_settings(1700), Some(3));
    assert_eq!((n_kept("a.rows"), n_kept("h.rows")), (1024, 0));
    let tally = draw(&broken, &value_settings(1600), None);
    assert_eq!((tally.n_rows, tally.n_held_out), (1600 - 32 - 1024, 32));
    // Either file may end earlier than the other.
    fs::remove_file(broken.join("a.rows")).unwrap();
    let tally = draw(&broken, &value_settings(1650), None);
    assert_eq!((tally.n_rows, tally.n_held_out), (1650 - 33, 1));
    fs::remove_file(broken.join("h.rows")).unwrap();
    let tally = draw(&broken, &value_settings(1700), None);
    assert_eq!((tally.n_rows, tally.n_held_out), (50 - 1, 34));
    for name in ["a.rows", "h.rows"] {
        let rows = |folder: &Path| RowsFile::open(&folder.join(name)).unwrap().first_rows(2000).unwrap();
        assert!(rows(&straight) == rows(&broken), "{name}");
    }
    assert_eq!(draw(&broken, &value_settings(1700), None), ValueRowsTally::default());
}
