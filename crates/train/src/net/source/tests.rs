//! Rows of games so small that each number can be checked by hand.

use std::fs;
use std::io::Write;

use model::net::features::plane;
use model::net::graph::N_PLANES;
use model::net::sample;

use super::*;
use crate::net::rows::{RowsFile, RowsOrigin};

fn settings(side: usize) -> SourceSettings {
    SourceSettings {
        size: Size::square(side).unwrap(),
        n_games: None,
        positions: 10,
        rules: vec![Rules::TROMP_TAYLOR],
        komi: 7.5,
        seed: 1,
        threads: 1,
        policy: PolicySource::Teacher,
    }
}

/// The rows that lines of a list give.
fn rows_of(lines: &str, settings: &SourceSettings, teacher: Option<&KataGoNet>) -> (Vec<Row>, SourceTally) {
    let folder = tempfile::tempdir().unwrap();
    let [list, path] = ["games.txt", "out.rows"].map(|name| folder.path().join(name));
    fs::write(&list, lines.replace(' ', "\t")).unwrap();
    let rows = RowsWriter::create(&path, &RowsOrigin { game: "go".into(), ..RowsOrigin::default() }).unwrap();
    let mut out = RowsOut { rows, held_out: None };
    let go_on = |_: &SourceTally, _: Option<&str>| ControlFlow::Continue(());
    let tally = draw_rows(&[list], settings, teacher, &mut out, go_on).unwrap();
    out.rows.finish().unwrap();
    (RowsFile::open(&path).unwrap().first_rows(usize::MAX).unwrap(), tally)
}

/// Black takes the middle of a 3×3 board, and both pass: Black has nine points, White two of komi.
const PLAYED_OUT: &str = "3 2 0 B+7 ? made - bbtttt";

#[test]
fn a_game_that_is_played_out_teaches_everything() {
    let (rows, tally) = rows_of(PLAYED_OUT, &settings(3), None);
    assert_eq!((tally.n_games, tally.n_rows, tally.n_played_out), (1, 3, 1));
    let targets = |row: &Row| (row.policy.clone(), row.value, row.score, row.ownership.clone());
    assert_eq!(targets(&rows[0]), (vec![(4, 1.0)], Some(1.0), Some(7.0), vec![127; 9]));
    assert_eq!(targets(&rows[1]), (vec![(9, 1.0)], Some(0.0), Some(-7.0), vec![-127; 9]), "White's pass");
    assert_eq!(targets(&rows[2]), (vec![(9, 1.0)], Some(1.0), Some(7.0), vec![127; 9]));

    let mut planes = Vec::new();
    rows[1].fill_planes(&mut planes);
    let set = |wanted: usize| -> Vec<usize> {
        (0..9).filter(|point| planes[point * N_PLANES + wanted] == 1.0).collect()
    };
    assert_eq!(set(plane::ON_BOARD), (0..9).collect::<Vec<_>>());
    assert_eq!((set(plane::OWN), set(plane::OTHER), set(plane::MOVES)), (vec![], vec![4], vec![4]));
    let legal: Vec<usize> = (0..10).filter(|&place| rows[1].is_legal(place)).collect();
    assert_eq!(legal, [0, 1, 2, 3, 5, 6, 7, 8, 9]);
    // Komi 2 is a tenth of twenty points, against Black and for White.
    let komi = model::net::features::global::KOMI;
    assert_eq!((rows[0].globals[komi], rows[1].globals[komi]), (-0.1, 0.1));
    assert!(rows.iter().all(|row| (row.width, row.height, row.weight) == (3, 3, 1.0)));
}

#[test]
fn what_a_record_does_not_prove_is_not_taught() {
    for (line, n_rows, value, score) in [
        // The last board has another score: dead stones, perhaps. The passes are not taught.
        ("3 2 0 B+3 ? made - bbtttt", 1, Some(1.0), Some(3.0)),
        ("3 2 0 W+R ? made - bbtttt", 1, Some(0.0), None),
        ("3 2 0 0 ? made - bbtttt", 1, Some(0.5), Some(0.0)),
        ("3 2 0 ? ? made - bbtttt", 1, None, None),
        // Without komi the result says nothing of the position.
        ("3 ? 0 B+7 ? made - bbtttt", 1, None, None),
        // One pass ends no game.
        ("3 2 0 B+7 ? made - bbtt", 1, Some(1.0), Some(7.0)),
    ] {
        let (rows, tally) = rows_of(line, &settings(3), None);
        assert_eq!((rows.len(), tally.n_played_out), (n_rows, 0), "{line}");
        assert_eq!((rows[0].value, rows[0].score), (value, score), "{line}");
        assert!(rows[0].ownership.is_empty(), "{line}");
    }
    // The winner alone is recorded, and each point is somebody's.
    let (rows, tally) = rows_of("3 2 0 B+ ? made - bbtttt", &settings(3), None);
    assert_eq!((rows.len(), tally.n_played_out, rows[0].score), (3, 1, Some(7.0)));
    // White has one stone left on the board, so that nobody owns what lies between.
    let (rows, tally) = rows_of("3 2 0 B+ ? made - bbaatttt", &settings(3), None);
    assert_eq!((rows.len(), tally.n_played_out), (2, 0));
}

#[test]
fn handicap_and_other_boards_are_left_out() {
    let lines = format!(
        "{PLAYED_OUT}\n5 2 0 B+R ? made - bbtttt\n3 2 2 B+R ? made aaca bbtt\nnonsense\n3 2 0 W+R ? made - tttt\n"
    );
    let (rows, tally) = rows_of(&lines, &settings(3), None);
    let SourceTally { n_games, n_handicap, n_empty, n_unreadable, .. } = tally;
    assert_eq!((rows.len(), n_games, n_handicap, n_empty, n_unreadable), (3, 3, 1, 1, 1));
}

#[test]
fn positions_are_drawn_by_the_seed_whatever_the_threads() {
    let mut text = Vec::new();
    for n in 0..200u8 {
        // Six points of a 5×5 board in orders of their own.
        let points: String = (0..6)
            .map(|turn| {
                format!("{}{}", (b'a' + (turn + n) % 5) as char, (b'a' + (turn * 2 + n / 5) % 5) as char)
            })
            .collect();
        writeln!(text, "5 7 0 B+R ? made - {points}").unwrap();
    }
    let lines = String::from_utf8(text).unwrap();
    let drawn = |seed, threads| {
        let settings = SourceSettings { positions: 2, seed, threads, ..settings(5) };
        rows_of(&lines, &settings, None).0
    };
    let once = drawn(1, 1);
    assert!(once.len() > 300 && once.len() <= 400, "{}", once.len());
    assert_eq!(once, drawn(1, 3));
    assert_ne!(once, drawn(2, 1));
    let few = SourceSettings { n_games: Some(5), positions: 2, ..settings(5) };
    let (rows, tally) = rows_of(&lines, &few, None);
    assert_eq!((tally.n_games, &rows[..]), (5, &once[..rows.len()]));
}

#[test]
fn rules_are_drawn_for_each_game() {
    let lines = [PLAYED_OUT; 40].join("\n");
    let settings = SourceSettings { rules: vec![Rules::TROMP_TAYLOR, Rules::CHINESE], ..settings(3) };
    let (rows, _) = rows_of(&lines, &settings, None);
    let n_suicide =
        rows.iter().filter(|row| row.globals[model::net::features::global::SUICIDE] == 1.0).count();
    assert!(n_suicide > 20 && n_suicide < 100 && n_suicide % 3 == 0, "{n_suicide} of {}", rows.len());
}

#[test]
fn a_teacher_labels_the_same_positions() {
    let net = KataGoNet::new(sample::conv_graph(9, 6, 3));
    let (plain, _) = rows_of(PLAYED_OUT, &settings(3), None);
    let (taught, _) = rows_of(PLAYED_OUT, &settings(3), Some(&net));
    assert_eq!(taught.len(), 3);
    for (plain, taught) in plain.iter().zip(&taught) {
        assert_eq!(
            (&plain.planes, &plain.legal, &plain.globals),
            (&taught.planes, &taught.legal, &taught.globals)
        );
        assert!((taught.policy.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(taught.policy.iter().all(|(place, _)| taught.is_legal(usize::from(*place))));
        assert!(taught.value.is_some() && taught.score.is_some() && taught.ownership.len() == 9);
    }
    assert_ne!(plain[0].value, taught[0].value);
}

#[test]
fn with_a_teacher_the_moves_played_can_be_learned_all_the_same() {
    let net = KataGoNet::new(sample::conv_graph(9, 6, 3));
    let played = SourceSettings { policy: PolicySource::Played, ..settings(3) };
    let (taught, _) = rows_of(PLAYED_OUT, &settings(3), Some(&net));
    let (rows, _) = rows_of(PLAYED_OUT, &played, Some(&net));
    let policies: Vec<_> = rows.iter().map(|row| row.policy.clone()).collect();
    assert_eq!(policies, [vec![(4, 1.0)], vec![(9, 1.0)], vec![(9, 1.0)]]);
    for (row, taught) in rows.iter().zip(&taught) {
        assert_eq!((row.value, row.score, &row.ownership), (taught.value, taught.score, &taught.ownership));
    }
    // Of a game that was not played out the passes are not learned.
    assert_eq!(rows_of("3 2 0 W+R ? made - bbtttt", &played, Some(&net)).0.len(), 1);
}
