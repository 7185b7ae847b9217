//! A run is ended anywhere and goes on as if nothing had happened.

use std::fs;
use std::path::PathBuf;

use goban::Rng;
use model::net::file;
use model::net::file::own::NumberForm;
use model::net::graph::{Graph, N_PLANES};

use super::*;
use crate::net::NetShape;
use crate::net::rows::{RowsOrigin, RowsWriter};
use crate::net::run::{CHECKPOINT, LATEST, curve};

/// A file of rows on 5×5 in which the right move stands where the other plane has its only stone.
fn write_rows(path: &Path, n: u32, seed: u64) {
    write_rows_of("go", path, n, seed);
}

fn write_rows_of(game: &str, path: &Path, n: u32, seed: u64) {
    let origin = RowsOrigin {
        game: game.into(),
        data: format!("made by hand, seed {seed}"),
        licence: "CC0".into(),
        ..RowsOrigin::default()
    };
    let mut writer = RowsWriter::create(path, &origin).unwrap();
    let mut rng = Rng::new(seed);
    for _ in 0..n {
        let place = rng.below(25) as usize;
        let mut planes = vec![0.0; 25 * N_PLANES];
        (0..25).for_each(|point| planes[point * N_PLANES] = 1.0);
        planes[place * N_PLANES + 2] = 1.0;
        let mut row = Row { width: 5, height: 5, weight: 1.0, ..Row::default() };
        row.set_planes(&planes);
        row.set_legal(&[true; 26]);
        row.policy = vec![(place as u16, 1.0)];
        row.value = Some(if place < 12 { 1.0 } else { 0.0 });
        row.score = Some(place as f32 - 12.0);
        writer.push(&row).unwrap();
    }
    writer.finish().unwrap();
}

fn settings(folder: &Path, n_steps: u64) -> SupervisedSettings {
    SupervisedSettings {
        rows: vec![folder.join("a.rows")],
        held_out: Some(folder.join("h.rows")),
        shape: NetShape::parse("b1c8").unwrap(),
        from: None,
        name: "tiny".into(),
        n_steps,
        batch: 16,
        optimiser: OptimiserKind::Adam,
        learning_rate: 0.02,
        warm_up: 5,
        weight_decay: 1e-4,
        clip: 5.0,
        average: 0.9,
        policy_weight: 1.0,
        value_weight: 1.0,
        score_weight: 0.25,
        ownership_weight: 0.5,
        seed: 3,
        curve_every: 5,
        checkpoint_points: 2,
        threads: 1,
        numbers: NumberForm::F32,
    }
}

fn data() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write_rows(&dir.path().join("a.rows"), 1500, 1);
    write_rows(&dir.path().join("h.rows"), 200, 2);
    dir
}

/// Runs on until a step is done, and returns how many were done in this run.
fn run_to(folder: &Path, settings: SupervisedSettings, end: u64) -> u64 {
    let mut run = SupervisedRun::open(folder, settings).unwrap();
    let mut n = 0;
    run.run(|progress| {
        n += 1;
        if progress.step == end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    n
}

#[test]
fn a_run_learns_and_keeps_its_network_with_its_origin() {
    let dir = data();
    let folder = dir.path().join("run");
    let mut run = SupervisedRun::open(&folder, settings(dir.path(), 120)).unwrap();
    assert_eq!(run.n_rows(), (1500, 200));
    run.run(|_| ControlFlow::Continue(())).unwrap();
    let points = run.points();
    assert_eq!((points.len(), points[23].step), (24, 120));
    let first = points[1].held_out.unwrap();
    let last = points[23].held_out.unwrap();
    assert!(last.policy < 0.5 * first.policy && last.top1 > 0.8, "{first:?} {last:?}");
    assert!(points[0].held_out.is_none());
    let bytes = fs::read(folder.join(LATEST)).unwrap();
    let network = file::read_within(&bytes[..], file::Limits::default()).unwrap();
    let origin = network.origin.unwrap();
    assert_eq!((network.graph.name.as_str(), origin.n_steps, origin.shape.as_str()), ("tiny", 120, "b1c8"));
    assert_eq!((origin.game.as_str(), origin.licence.as_str()), ("go", "CC0"));
    assert_eq!(origin.data, "1500 rows: made by hand, seed 1");
    assert_eq!(origin.boards, [Size::square(5).unwrap()]);
    assert!(
        origin.trainer.starts_with("tengen train net --net b1c8 --steps 120 --batch 16"),
        "{}",
        origin.trainer
    );
}

#[test]
fn rows_of_hex_are_never_turned() {
    let dir = data();
    // The same rows but for the name of their game: what one step makes of them depends on whether they are turned.
    let step = |game: &str, n_boards: usize| {
        let folder = dir.path().join(game);
        fs::create_dir(&folder).unwrap();
        write_rows_of(game, &folder.join("a.rows"), 16, 1);
        let settings = SupervisedSettings { held_out: None, ..settings(&folder, 1) };
        let mut run = SupervisedRun::open(&folder.join("run"), settings.clone()).unwrap();
        assert_eq!(run.trainer.settings().symmetries.len(), n_boards);
        run.run(|_| ControlFlow::Continue(())).unwrap();
        let learned = run.trainer.last_graph();
        // The trainer alone, which knows no symmetries at all.
        let straight = TrainSettings { symmetries: Vec::new(), ..settings.train(true) };
        let graph = Graph { name: settings.name.clone(), ..settings.shape.graph(settings.seed) };
        let mut trainer = Trainer::new(graph, straight).unwrap();
        let mut rows = Vec::new();
        let mut stream = RowStream::open(&settings.rows, settings.seed, WINDOW_ROWS).unwrap();
        stream.draw(settings.batch, &mut rows).unwrap();
        trainer.step(&rows.iter().collect::<Vec<_>>()).unwrap();
        learned == trainer.last_graph()
    };
    assert!(step("hex", 0));
    assert!(!step("go", 24));
}

#[test]
fn a_run_goes_on_from_a_network_that_is_there() {
    let dir = data();
    let first = dir.path().join("first");
    run_to(&first, settings(dir.path(), 20), 20);
    let graph = file::read(&fs::read(first.join(LATEST)).unwrap()[..]).unwrap();
    let held_out = |graph: &Graph| {
        let rows = RowsFile::open(&dir.path().join("h.rows")).unwrap().first_rows(200).unwrap();
        let rows: Vec<&Row> = rows.iter().collect();
        measure(graph, &rows, &LossWeights::default(), 1).unwrap().policy
    };
    let from = |graph: &Graph| BeginningNet { graph: graph.clone(), identity: "first#1".into() };
    let more =
        SupervisedSettings { from: Some(from(&graph)), learning_rate: 0.001, ..settings(dir.path(), 5) };
    let second = dir.path().join("second");
    run_to(&second, more.clone(), 5);
    let bytes = fs::read(second.join(LATEST)).unwrap();
    let network = file::read_within(&bytes[..], file::Limits::default()).unwrap();
    let [new, begun, gone_on] =
        [&settings(dir.path(), 1).shape.graph(3), &graph, &network.graph].map(held_out);
    assert!(gone_on < 1.05 * begun && begun < 0.7 * new, "{new} {begun} {gone_on}");
    assert!(network.origin.unwrap().trainer.contains(" --from first#1 "));
    let other = SupervisedSettings { from: None, ..more };
    let error = SupervisedRun::open(&second, other).err().unwrap().to_string();
    assert!(error.contains("from is \"first#1\" there and \"\" now"), "{error}");
}

#[test]
fn a_run_that_is_ended_anywhere_ends_with_the_same_network() {
    let dir = data();
    let [straight, broken] = ["straight", "broken"].map(|name| dir.path().join(name));
    run_to(&straight, settings(dir.path(), 40), 40);
    // Ended before the first checkpoint, behind one, at one, and with another number of threads.
    for (end, n_done) in [(7, 7), (23, 23), (30, 10), (34, 4)] {
        assert_eq!(run_to(&broken, settings(dir.path(), 40), end), n_done, "to {end}");
    }
    let two_threads = SupervisedSettings { threads: 2, ..settings(dir.path(), 40) };
    assert_eq!(run_to(&broken, two_threads, 40), 10);
    let read = |folder: &PathBuf, name: &str| fs::read(folder.join(name)).unwrap();
    assert_eq!(read(&straight, LATEST), read(&broken, LATEST));
    assert_eq!(read(&straight, CHECKPOINT), read(&broken, CHECKPOINT));
    // All of the curve but the speed.
    let curve = |folder: &PathBuf| -> Vec<String> {
        let text = String::from_utf8(read(folder, curve::FILE)).unwrap();
        text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_string()).collect()
    };
    assert_eq!(curve(&straight), curve(&broken));
    assert_eq!(run_to(&broken, settings(dir.path(), 40), 40), 0, "it is done");
}

#[test]
fn other_settings_and_other_rows_are_refused_by_name() {
    let dir = data();
    let folder = dir.path().join("run");
    run_to(&folder, settings(dir.path(), 10), 10);
    let refusal = |settings: SupervisedSettings| match SupervisedRun::open(&folder, settings) {
        Ok(_) => panic!("it should be refused"),
        Err(error) => error.to_string(),
    };
    let other = SupervisedSettings { batch: 8, learning_rate: 0.5, ..settings(dir.path(), 10) };
    let error = refusal(other);
    assert!(
        error.contains("batch is 16 there and 8 now")
            && error.contains("learning_rate is 0.02 there and 0.5 now"),
        "{error}"
    );
    let mut writer = RowsWriter::append(&dir.path().join("a.rows"), "go").unwrap();
    let mut rows = RowsFile::open(&dir.path().join("h.rows")).unwrap();
    writer.push(&rows.first_rows(1).unwrap()[0]).unwrap();
    writer.finish().unwrap();
    assert!(refusal(settings(dir.path(), 10)).contains("rows_fingerprint is "));
    fs::write(folder.join(CHECKPOINT), "nonsense").unwrap();
    fs::remove_file(dir.path().join("a.rows")).unwrap();
    write_rows(&dir.path().join("a.rows"), 1500, 1);
    assert!(refusal(settings(dir.path(), 10)).contains("checkpoint: "));
}
