//! Labels and errors: worked by hand, and on small boards.

use std::fs;
use std::path::{Path, PathBuf};

use goban::{Color, Position, Rng, Rules, Setup, Size, Vertex};
use player::{recipes, record};

use super::error::{Accuracy, AccuracyCase, bootstrap95};
use super::file::{self, FORMAT, Label, LabelHeader, LabelLog, LabelProgram};
use super::label::{LabelSearch, draw};
use super::playouts::play;
use super::run::{AccuracySettings, measure};
use crate::phase::GamePhase;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// Half points from a text of wins, draws and losses.
fn results(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| [b'l', b'd', b'w'].iter().position(|&known| known == c as u8).unwrap() as u8)
        .collect()
}

#[test]
fn errors_worked_by_hand() {
    let (a, b) = (results("wwwwlwwwwl"), results("lldlllllll"));
    let cases = [
        AccuracyCase { results: &a, label: 1.0, is_black: true, phase: GamePhase::Opening },
        AccuracyCase { results: &b, label: 0.0, is_black: false, phase: GamePhase::End },
    ];
    let accuracy = Accuracy::new(&cases, &mut Rng::new(1));
    // Estimates 0.8 and 0.05: errors −0.2 and +0.05, squares 0.04 and 0.0025.
    let all = accuracy.last().unwrap();
    assert_eq!((all.playouts, accuracy.positions), (10, 2));
    assert!(near(all.mse, 0.02125) && near(all.rmse, 0.02125_f64.sqrt()));
    // Half the difference of the two squares.
    assert!(near(all.mse_se, 0.01875));
    // One playout: 2 of 10 lost squares, and one draw of 10 at ¼: 0.2 and 0.025.
    assert!(accuracy.curve[0].playouts == 1 && near(accuracy.curve[0].mse, 0.1125));
    assert_eq!(accuracy.curve.len(), 2);
    // Variances 10/9 · 0.16 / 10 and 10/9 · (0.025 − 0.0025) / 10, halved.
    let noise = (0.16 / 9.0 + 0.0225 / 9.0) / 2.0;
    assert!(near(accuracy.noise, noise) && near(accuracy.systematic, 0.02125 - noise));
    assert!(near(accuracy.mse_of_half, 0.25) && near(accuracy.same_side, 1.0));
    // The mover sees −0.2 and, as White, −0.05.
    assert!(near(accuracy.bias_of_mover[0], -0.125) && near(accuracy.bias_of_mover[1], 0.075));
    assert!(near(accuracy.bias_of_black[0], -0.075));
    assert!(near(accuracy.correlation, 1.0));
    let bin = accuracy.calibration[8];
    assert_eq!((bin.positions, accuracy.calibration.iter().map(|bin| bin.positions).sum::<u64>()), (1, 2));
    assert!(near(bin.estimate, 0.8) && near(bin.label, 1.0) && near(bin.from, 0.8));
    assert_eq!(accuracy.calibration[0].positions, 1);
    assert!(near(accuracy.phases[0].mse, 0.04) && near(accuracy.phases[2].mse, 0.0025));
    assert!(accuracy.phases[1].mse.is_nan() && accuracy.phases[1].positions == 0);
}

#[test]
fn estimates_of_one_share_the_bin_of_the_best() {
    let all_won = results("www");
    let case = AccuracyCase { results: &all_won, label: 0.5, is_black: true, phase: GamePhase::End };
    let accuracy = Accuracy::new(&[case], &mut Rng::new(1));
    assert_eq!(accuracy.calibration[9].positions, 1);
    assert!(accuracy.same_side.is_nan(), "a label of one half has no side");
}

#[test]
fn more_playouts_leave_what_is_systematic() {
    // True share 0.7, label 0.6: the systematic part is 0.01, the noise of one playout 0.21.
    let mut rng = Rng::new(3);
    let all: Vec<Vec<u8>> =
        (0..200).map(|_| (0..1000).map(|_| 2 * u8::from(rng.chance(0.7))).collect()).collect();
    let case = |results| AccuracyCase { results, label: 0.6, is_black: true, phase: GamePhase::Middle };
    let cases: Vec<AccuracyCase<'_>> = all.iter().map(|results| case(results)).collect();
    let accuracy = Accuracy::new(&cases, &mut rng);
    let mse: Vec<f64> = accuracy.curve.iter().map(|point| point.mse).collect();
    for (mse, n) in mse.iter().zip([1.0, 10.0, 100.0, 1000.0]) {
        assert!((mse - (0.01 + 0.21 / n)).abs() < 0.05 * (0.01 + 0.21 / n), "{n}: {mse}");
    }
    assert!((accuracy.systematic - 0.01).abs() < 0.0005 && (accuracy.noise - 0.00021).abs() < 0.00001);
    let last = accuracy.last().unwrap();
    assert!(last.mse95[0] < last.mse && last.mse < last.mse95[1]);
}

#[test]
fn bootstrap_intervals_are_those_of_the_normal_for_many_values() {
    // 400 values 0 and 1 in halves: standard error 0.025, so 0.5 ± 0.049.
    let values: Vec<f64> = (0..400).map(|n| f64::from(n % 2)).collect();
    let [low, high] = bootstrap95(&values, &mut Rng::new(1));
    assert!((low - 0.451).abs() < 0.006 && (high - 0.549).abs() < 0.006, "{low} {high}");
    assert!(bootstrap95(&[], &mut Rng::new(1)).iter().all(|end| end.is_nan()));
}

#[test]
fn playouts_of_a_settled_board_count_it() {
    // Both sides live and fill no eyes, so every playout ends at once: 11 points for Black, 14 for White.
    let drawing = "\
        . X . X O\n\
        X X X X O\n\
        X X X O O\n\
        O O O O .\n\
        . O . O O";
    let setup = Setup::parse(drawing).unwrap();
    let mut position = Position::from_setup(&setup, Color::Black, Rules::CHINESE).unwrap();
    let policy = recipes::policy("uniform").unwrap();
    for (komi, expected) in [(-3.5, 2), (-3.0, 1), (-2.5, 0)] {
        position.set_komi(komi).unwrap();
        assert_eq!(play(&position, &policy, 20, &mut Rng::new(1)).unwrap(), [expected; 20], "komi {komi}");
    }
    assert!(recipes::policy("unifrom").unwrap_err().to_string().contains("uniform"));
}

/// A list of short 5×5 games; the last two are of no use: no komi, an illegal move.
fn list(folder: &Path) -> PathBuf {
    let path = folder.join("list.txt");
    let games = [
        "5\t0.5\t0\tB+3.5\t?/?\ta:x:y\t-\tccbcdcddbbtttt",
        "5\t0.5\t0\tW+R\t?/?\ta\t-\tbbddcc",
        "5\t24\t0\t0\t?/?\tb\t-\tccdd",
        "5\t?\t0\tB+R\t?/?\tb\t-\tccdd",
        "5\t0.5\t0\tB+R\t?/?\tb\t-\tcccc",
    ];
    fs::write(&path, games.join("\n")).unwrap();
    path
}

fn header(judge: &LabelSearch, files: &Path, games: u64) -> LabelHeader {
    LabelHeader {
        tengen_labels: FORMAT,
        recipe: "uct".to_string(),
        canonical: judge.recipe.to_string(),
        playouts: judge.playouts,
        seed: judge.seed,
        positions: 3,
        rules: judge.rules.to_string(),
        files: vec![files.display().to_string()],
        games,
        program: LabelProgram { version: "1".to_string(), commit: None, bench: Some(7) },
    }
}

fn judge() -> LabelSearch {
    let recipe = recipes::parse("uct").unwrap();
    LabelSearch { recipe, playouts: 300, seed: 5, memory: 16 << 20, rules: Rules::CHINESE }
}

/// Labels everything in the list into the file; returns what was found.
fn label_all(list: &Path, out: &Path, parallel: usize) -> Vec<Label> {
    let judge = judge();
    let drawn = draw(&[list.to_path_buf()], 3, judge.seed, judge.rules, |why| panic!("{why}"));
    let (store, there) = LabelLog::open(out, &header(&judge, list, drawn.n_fit)).unwrap();
    let mut labels = Vec::new();
    judge.label_all(&drawn.games, (store, &there), parallel, |label| labels.push(label.clone())).unwrap();
    labels
}

/// Without what depends on the clock.
fn timeless(labels: &[Label]) -> Vec<Label> {
    let mut labels: Vec<Label> = labels.iter().map(|label| Label { seconds: 0.0, ..label.clone() }).collect();
    labels.sort_by_key(|label| label.number);
    labels
}

#[test]
fn positions_are_drawn_from_sound_games_and_the_same_by_seed() {
    let folder = tempfile::tempdir().unwrap();
    let list = list(folder.path());
    let moves = |seed| {
        let drawn = draw(std::slice::from_ref(&list), 3, seed, Rules::CHINESE, |why| panic!("{why}"));
        assert_eq!((drawn.n_fit, drawn.games.len()), (3, 3));
        let lines: Vec<u64> = drawn.games.iter().map(|(game, _)| game.place.number).collect();
        assert_eq!(lines, [1, 2, 3]);
        let moves: Vec<usize> = drawn.games.iter().map(|(_, before_move)| *before_move).collect();
        // Five, three and two moves before the first pass.
        assert!(moves.iter().zip([5, 3, 2]).all(|(&n, most)| (1..=most).contains(&n)), "{moves:?}");
        moves
    };
    assert_eq!(moves(1), moves(1));
    assert!((2..10).any(|seed| moves(seed) != moves(1)));
    let mut complaints = Vec::new();
    let drawn =
        draw(&[PathBuf::from("no/list")], 3, 1, Rules::CHINESE, |why| complaints.push(why.to_string()));
    assert!(drawn.games.is_empty() && complaints[0].starts_with("no/list: "), "{complaints:?}");
}

#[test]
fn labels_go_on_after_any_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let list = list(folder.path());
    let whole = folder.path().join("whole.jsonl");
    let labels = label_all(&list, &whole, 2);
    assert_eq!(labels.len(), 3);
    let text = fs::read_to_string(&whole).unwrap();
    assert_eq!(text.lines().count(), 4);
    // Cut anywhere, in a line or between two, even in the header, and gone on with: the same labels.
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in [0, 10, ends[0], ends[0] + 5, ends[1], ends[2] - 1, ends[3]] {
        let part = folder.path().join("part.jsonl");
        fs::write(&part, &text[..cut]).unwrap();
        let n_there = ends[1..].iter().filter(|&&end| end <= cut).count();
        let again = label_all(&list, &part, 1);
        assert_eq!(timeless(&again), timeless(&labels), "cut at {cut}");
        // What was there is not searched again.
        assert_eq!(again[..n_there], file::read(&whole).unwrap().labels[..n_there], "cut at {cut}");
        assert_eq!(timeless(&file::read(&part).unwrap().labels), timeless(&labels), "cut at {cut}");
    }
}

#[test]
fn labels_say_where_they_come_from() {
    let folder = tempfile::tempdir().unwrap();
    let list = list(folder.path());
    let out = folder.path().join("labels.jsonl");
    let labels = label_all(&list, &out, 1);
    let found = file::read(&out).unwrap();
    assert_eq!(found.header.program.bench, Some(7));
    assert_eq!(found.labels, labels);
    let results: Vec<Option<f64>> = labels.iter().map(|label| label.result).collect();
    assert_eq!(results, [Some(1.0), Some(0.0), Some(0.5)]);
    assert!(labels[0].game.ends_with("list.txt:1") && labels[0].source == "a");
    for label in &labels {
        let position = label.position(Rules::CHINESE).unwrap();
        assert_eq!(position.plays().len() as u64 + 1, label.before_move);
        assert_eq!(Color::from(label.to_play), position.to_play());
        assert!(label.best_visits > 0 && (0.0..=1.0).contains(&label.mean));
    }
    // With a komi of 24 on 25 points Black needs the whole board and does not get it.
    assert!(labels[2].value < 0.5, "{:?}", labels[2]);
    let position = labels[2].position(Rules::CHINESE).unwrap();
    assert_eq!(position.komi(), 24.0);
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let list = list(folder.path());
    let out = folder.path().join("labels.jsonl");
    label_all(&list, &out, 1);
    let same = header(&judge(), &list, 3);
    let refusal = |header: &LabelHeader| match LabelLog::open(&out, header) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("accepted"),
    };
    let with = |change: &dyn Fn(&mut LabelHeader)| {
        let mut header = same.clone();
        change(&mut header);
        refusal(&header)
    };
    let says = |text: String, part: &str| assert!(text.contains(part), "{part} in {text}");
    says(
        with(&|header| header.playouts = 9),
        "labels.jsonl: the file holds another labelling run: playouts is 300 there, 9 here",
    );
    says(with(&|header| header.seed = 9), "seed is 5 there, 9 here");
    says(with(&|header| header.positions = 9), "positions is 3 there, 9 here");
    says(with(&|header| header.canonical = "x".to_string()), "canonical");
    says(with(&|header| header.games = 9), "games is 3 there, 9 here");
    says(with(&|header| header.program.bench = None), "program.bench is 7 there, not set here");
    let mut other_commit = same.clone();
    other_commit.program.commit = Some("abc".to_string());
    let (_held, _) = LabelLog::open(&out, &other_commit).unwrap();
    says(refusal(&same), "another labelling run is writing");
    for (text, part) in
        [("nonsense\n", "line 1: "), ("", "the file is empty"), ("{\"tengen_labels\":1", "the file is empty")]
    {
        let path = folder.path().join("other.jsonl");
        fs::write(&path, text).unwrap();
        let error = file::read(&path).unwrap_err().to_string();
        assert!(error.contains(part), "{part} in {error}");
    }
}

#[test]
fn a_policy_is_measured_on_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let list = list(folder.path());
    let out = folder.path().join("labels.jsonl");
    label_all(&list, &out, 1);
    let labels = file::read(&out).unwrap();
    let settings =
        AccuracySettings { policy: recipes::policy("uniform").unwrap(), playouts: 200, seed: 1, parallel: 1 };
    let measured = measure(&labels, &settings, || {}).unwrap();
    assert_eq!((measured.value.positions, measured.playouts), (3, 600));
    // By hand from the same playouts.
    let mut sum = 0.0;
    for label in &labels.labels {
        let mut rng = Rng::new(crate::spread::seed_of(1, label.number));
        let halves = play(&label.position(Rules::CHINESE).unwrap(), &settings.policy, 200, &mut rng).unwrap();
        let won: u32 = halves.iter().map(|&halves| u32::from(halves)).sum();
        sum += (f64::from(won) / 400.0 - label.value).powi(2);
    }
    assert!(near(measured.value.last().unwrap().mse, sum / 3.0));
    let three = measure(&labels, &AccuracySettings { parallel: 3, ..settings.clone() }, || {}).unwrap();
    assert_eq!(three.value.last().unwrap().mse, measured.value.last().unwrap().mse);
    let temperature =
        AccuracySettings { policy: recipes::policy("temperature:k=20").unwrap(), ..settings.clone() };
    let learned = measure(&labels, &temperature, || {}).unwrap();
    assert_ne!(
        learned.value.last().unwrap().mse,
        measured.value.last().unwrap().mse,
        "it learns from its playouts"
    );
    let mut none = labels;
    none.labels.clear();
    assert!(measure(&none, &settings, || {}).unwrap_err().to_string().contains("no labelled position"));
}

#[test]
fn records_of_labels_survive() {
    // A setup, a pass and White to move.
    let mut position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
    position.set_komi(0.5).unwrap();
    position.setup(&[(Vertex::new(1, 1), Some(Color::Black))], Color::White).unwrap();
    position.play(Color::White, Vertex::new(3, 3)).unwrap();
    position.play(Color::Black, Vertex::new(2, 2)).unwrap();
    let sgf = record::to_sgf(&position, ["Black", "White"], None).unwrap().to_string();
    let label = Label {
        number: 1,
        game: "x:1".to_string(),
        source: "x".to_string(),
        before_move: 3,
        to_play: position.to_play().into(),
        value: 0.5,
        mean: 0.5,
        score: 0.0,
        best: "A1".to_string(),
        best_visits: 1,
        result: None,
        seed: 1,
        seconds: 0.0,
        sgf,
    };
    let read: Label = serde_json::from_str(&serde_json::to_string(&label).unwrap()).unwrap();
    let again = read.position(Rules::CHINESE).unwrap();
    assert_eq!((again.hashes(), again.to_play(), again.komi()), (position.hashes(), Color::White, 0.5));
    let broken = Label { sgf: "(;SZ[5];B[zz])".to_string(), ..label };
    assert!(broken.position(Rules::CHINESE).unwrap_err().to_string().starts_with("position 1: "));
}
