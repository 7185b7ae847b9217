//! Files of rows: what is written comes back, a torn tail is cut, damage is refused, and a stream goes on where it stopped.

use std::fs;

use goban::Rng;
use model::net::graph::{N_GLOBALS, N_PLANES};

use super::*;
use crate::net::Row;

fn origin() -> RowsOrigin {
    RowsOrigin {
        game: "go".into(),
        made: "tengen train rows --games list.txt".into(),
        data: "300 games\nof list.txt".into(),
        teacher: String::new(),
        licence: "CC0".into(),
    }
}

/// A row that tells its number.
fn row(number: u32) -> Row {
    let mut rng = Rng::new(u64::from(number));
    let mut row = Row { width: 3, height: 2, weight: 1.0, ..Row::default() };
    let planes: Vec<f32> = (0..6 * N_PLANES).map(|_| f32::from(rng.chance(0.2))).collect();
    row.set_planes(&planes);
    row.set_legal(&[true, false, true, true, false, true, true]);
    row.globals = [number as f32; N_GLOBALS];
    row.policy = vec![(0, 0.25), (6, 0.75)];
    if number.is_multiple_of(2) {
        row.value = Some(0.5);
        row.ownership = vec![127, -127, 0, 5, -6, 7];
    }
    row.score = number.is_multiple_of(3).then_some(-3.5);
    row
}

fn number(row: &Row) -> u32 {
    row.globals[0] as u32
}

/// A folder with a file of the rows of these numbers.
fn file(numbers: std::ops::Range<u32>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.rows");
    let mut writer = RowsWriter::create(&path, &origin()).unwrap();
    numbers.for_each(|number| writer.push(&row(number)).unwrap());
    writer.finish().unwrap();
    (folder, path)
}

#[test]
fn rows_and_their_origin_come_back() {
    let (_folder, path) = file(0..2500);
    let mut rows = RowsFile::open(&path).unwrap();
    assert_eq!(rows.origin(), &RowsOrigin { data: "300 games of list.txt".into(), ..origin() });
    assert_eq!((rows.n_rows(), rows.n_chunks(), rows.torn_bytes()), (2500, 3, 0));
    let all = rows.first_rows(usize::MAX).unwrap();
    assert_eq!(all, (0..2500).map(row).collect::<Vec<_>>());
    assert_eq!(rows.first_rows(3).unwrap(), [row(0), row(1), row(2)]);
    let error = RowsWriter::create(&path, &origin()).unwrap_err().to_string();
    assert!(error.contains("a.rows: "), "{error}");
}

#[test]
fn rows_that_make_no_sense_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = RowsWriter::create(&folder.path().join("a.rows"), &origin()).unwrap();
    for (change, expected) in [
        ((|row| row.width = 0) as fn(&mut Row), "no side of a board"),
        (|row| row.policy.push((7, 0.1)), "a policy that is none"),
        (|row| row.policy[0].1 = f32::NAN, "a policy that is none"),
        (|row| row.value = Some(1.5), "a value outside 0..=1"),
        (|row| row.score = Some(f32::INFINITY), "a score that is not a number"),
        (|row| row.weight = -1.0, "a weight that is none"),
        (|row| row.advantage = Some(-0.5), "a row with an advantage"),
        (|row| row.ownership.truncate(2), "owners of another board"),
        (|row| row.planes.truncate(2), "planes of another board"),
    ] {
        let mut row = row(2);
        change(&mut row);
        let error = writer.push(&row).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(writer.n_rows(), 0);
}

#[test]
fn a_torn_tail_is_noticed_and_cut_off() {
    let (_folder, path) = file(0..1100);
    let whole = fs::read(&path).unwrap();
    let first_end = {
        let rows = RowsFile::open(&path).unwrap();
        assert_eq!(rows.end(), whole.len() as u64);
        let mut writer = RowsWriter::append(&path, "go").unwrap();
        writer.push(&row(1100)).unwrap();
        writer.finish().unwrap();
        whole.len()
    };
    let grown = fs::read(&path).unwrap();
    assert_eq!(RowsFile::open(&path).unwrap().n_rows(), 1101);
    for left in (first_end + 1..grown.len()).step_by(7) {
        fs::write(&path, &grown[..left]).unwrap();
        let mut rows = RowsFile::open(&path).unwrap();
        assert_eq!((rows.n_rows(), rows.torn_bytes()), (1100, (left - first_end) as u64));
        assert_eq!(rows.first_rows(usize::MAX).unwrap().len(), 1100);
        let mut writer = RowsWriter::append(&path, "go").unwrap();
        assert_eq!(writer.n_rows(), 1100);
        writer.push(&row(1100)).unwrap();
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), grown, "as if nothing had happened");
    }
    let error = RowsWriter::append(&path, "hex").unwrap_err().to_string();
    assert!(error.ends_with("the rows are of go, not of hex"), "{error}");
}

#[test]
fn a_flipped_bit_is_refused_wherever_it_is() {
    let (_folder, path) = file(0..40);
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(3) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        let read = RowsFile::open(&path).and_then(|mut rows| rows.first_rows(usize::MAX));
        let error = read.map(|_| ()).expect_err("damaged").to_string();
        assert!(error.contains("a.rows: "), "byte {at}: {error}");
    }
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, &damaged).unwrap();
    let error = RowsFile::open(&path).unwrap().first_rows(1).unwrap_err().to_string();
    assert!(
        error.contains("chunk 1 (at byte ") && error.contains("the checksum of its rows does not fit"),
        "{error}"
    );
}

#[test]
fn other_files_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.rows");
    for (bytes, expected) in [
        (&b"(;SZ[9])"[..], "this is not a file of rows; it begins with `(;SZ[9])`, expected `tengen-rows`"),
        (b"", "it begins with ``"),
        (b"tengen-rows 1\ngame go\n", "it has no line `check …`; the file is truncated"),
        (b"tengen-rows 1\ngame go\ncheck 0123456789abcdef\n", "the checksum does not fit"),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = RowsFile::open(&path).unwrap_err().to_string();
        assert!(error.contains("b.rows: ") && error.contains(expected), "{error}");
    }
    let later = header::to_text(&origin()).replace("rows 1\n", "rows 2\n");
    let body = &later[..later.find("check ").unwrap()];
    let sum = model::net::file::checksum::Fnv1a::of(body.as_bytes());
    fs::write(&path, format!("{body}check {sum:016x}\n")).unwrap();
    let error = RowsFile::open(&path).unwrap_err().to_string();
    assert!(error.contains("the header: format 2"), "{error}");
}

#[test]
fn an_epoch_has_every_row_once_in_a_random_order() {
    let (_folder, path) = file(0..3000);
    let mut stream = RowStream::open(std::slice::from_ref(&path), 7, 1500).unwrap();
    let (mut rows, mut epochs) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        stream.draw(3000, &mut rows).unwrap();
        let order: Vec<u32> = rows.iter().map(number).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..3000).collect::<Vec<_>>());
        epochs.push(order);
    }
    assert_ne!(epochs[0], epochs[1]);
    let n_in_place = epochs[0].iter().enumerate().filter(|(idx, number)| *idx as u32 == **number).count();
    assert!(n_in_place < 20, "{n_in_place} rows where they were written");
    let mut again = RowStream::open(&[path], 7, 1500).unwrap();
    again.draw(3000, &mut rows).unwrap();
    assert!(rows.iter().map(number).eq(epochs[0].iter().copied()), "the same seed, the same order");
}

#[test]
fn a_stream_is_taken_up_exactly_where_it_stopped() {
    let (_folder, path) = file(0..2500);
    let open = || RowStream::open(std::slice::from_ref(&path), 3, 1000).unwrap();
    let (mut straight, mut all, mut batch) = (open(), Vec::new(), Vec::new());
    for _ in 0..60 {
        straight.draw(100, &mut batch).unwrap();
        all.extend(batch.iter().map(number));
    }
    for n_drawn in [0, 1, 999, 1024, 2400, 2499, 2500, 2501, 5000, 5900] {
        let mut taken_up = open();
        taken_up.seek(n_drawn).unwrap();
        taken_up.draw(100, &mut batch).unwrap();
        let right = &all[n_drawn as usize..][..100];
        assert!(batch.iter().map(number).eq(right.iter().copied()), "after {n_drawn}");
        assert_eq!(taken_up.n_drawn(), n_drawn + 100);
    }
}

#[test]
fn files_of_several_games_or_without_rows_make_no_stream() {
    let (folder, path) = file(0..5);
    let other = folder.path().join("hex.rows");
    let hex = RowsOrigin { game: "hex".into(), ..origin() };
    RowsWriter::create(&other, &hex).unwrap().finish().unwrap();
    let error = RowStream::open(std::slice::from_ref(&other), 1, 10).unwrap_err().to_string();
    assert!(error.ends_with("hex.rows: there is no row"), "{error}");
    let error = RowStream::open(&[path.clone(), other], 1, 10).unwrap_err().to_string();
    assert!(
        error.contains("hex.rows: the rows are of hex, those of ") && error.contains("expected one game"),
        "{error}"
    );
    let one = RowStream::open(std::slice::from_ref(&path), 1, 10).unwrap();
    let two = RowStream::open(&[path.clone(), path], 1, 10).unwrap();
    assert_eq!((one.n_rows(), two.n_rows()), (5, 10));
    assert_ne!(one.fingerprint(), two.fingerprint());
}
