//! `tengen train rows`: rows drawn from games, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use model::net::file::NetworkOrigin;
use model::net::file::own::{self, NumberForm};
use model::net::sample;
use train::net::rows::RowsFile;

/// Games on 5×5: a hundred that end by resignation, one with handicap, one on another board.
fn games(folder: &Path) -> PathBuf {
    let mut text = String::new();
    for n in 0..100u8 {
        let point = |turn: u8| {
            format!("{}{}", char::from(b'a' + (turn + n) % 5), char::from(b'a' + (2 * turn + n / 5) % 5))
        };
        let moves: String = (0..5).map(point).collect();
        text += &format!("5\t7\t0\tB+R\t?\tmade\t-\t{moves}\n");
    }
    text += "5\t7\t2\tW+R\t?\tmade\taaee\tbb\n9\t7\t0\tB+R\t?\tmade\t-\tcc\n";
    let path = folder.join("games.txt");
    fs::write(&path, text).unwrap();
    path
}

/// Standard output, standard error and whether `tengen train rows` succeeded.
fn run(folder: &Path, words: &str) -> (String, String, bool) {
    let output = cargo_bin_cmd!("tengen")
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder)
        .args(["train", "rows"])
        .args(words.split(' '))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

#[test]
fn rows_are_drawn_with_their_origin_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    games(folder.path());
    let words = "--games games.txt --size 5 --positions 3 --seed 4 --licence CC0";
    let (out, errors, is_good) = run(folder.path(), &format!("{words} --out a.rows --held-out h.rows"));
    assert!(is_good, "{errors}");
    assert!(
        out.starts_with("303 rows from 102 games, 0 of them played out")
            || out.contains(" from 101 games, 0 of them"),
        "{out}"
    );
    assert!(
        out.contains("left out, with handicap or set-up stones: 1\n") && out.contains("every 50th game"),
        "{out}"
    );
    let (rows, held_out) = (RowsFile::open(&at("a.rows")).unwrap(), RowsFile::open(&at("h.rows")).unwrap());
    assert_eq!((rows.n_rows(), held_out.n_rows()), (294, 6));
    let origin = rows.origin();
    assert_eq!((origin.game.as_str(), origin.licence.as_str(), origin.teacher.as_str()), ("go", "CC0", ""));
    assert!(origin.made.starts_with("tengen train rows --games games.txt"), "{origin:?}");
    assert_eq!(origin.data, "games.txt on 5x5, 3 a game, seed 4");

    let words = format!("{words} --held-out h2.rows");
    let (_, errors, is_good) = run(folder.path(), &format!("{words} --threads 3 --out b.rows"));
    assert!(is_good, "{errors}");
    assert_eq!(rows.fingerprint(), RowsFile::open(&at("b.rows")).unwrap().fingerprint());

    let (_, errors, is_good) = run(folder.path(), "--games games.txt --size 5 --first 10 --out a.rows");
    assert!(!is_good && errors.contains("--out a.rows: the file is there"), "{errors}");
    let (out, errors, is_good) =
        run(folder.path(), "--games games.txt --size 5 --first 10 --positions 1 --append --out a.rows");
    assert!(is_good && out.starts_with("10 rows from 10 games"), "{out}{errors}");
    assert_eq!(RowsFile::open(&at("a.rows")).unwrap().n_rows(), 304);
}

#[test]
fn a_teacher_is_named_in_the_rows_and_must_play_go() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path());
    for game in ["go", "hex"] {
        let origin = NetworkOrigin {
            game: game.into(),
            shape: "b2c4".into(),
            licence: "for this test".into(),
            ..NetworkOrigin::default()
        };
        let bytes = own::to_bytes(&sample::plain_graph(8, 4, 1), &origin, NumberForm::F32).unwrap();
        fs::write(folder.path().join(format!("{game}.net")), bytes).unwrap();
    }
    let words = "--games games.txt --size 5 --first 4 --positions 2 --out t.rows --teacher";
    let (_, errors, is_good) = run(folder.path(), &format!("{words} hex.net"));
    assert!(!is_good && errors.contains("this network plays hex"), "{errors}");
    let (_, errors, is_good) = run(folder.path(), &format!("{words} go.net"));
    assert!(is_good, "{errors}");
    let mut rows = RowsFile::open(&folder.path().join("t.rows")).unwrap();
    assert!(rows.origin().teacher.starts_with("go#") && rows.origin().licence == "for this test");
    assert!(rows.first_rows(8).unwrap().iter().all(|row| row.ownership.len() == 25 && row.score.is_some()));
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path());
    fs::write(folder.path().join("other.rows"), "precious").unwrap();
    for (words, expected) in [
        ("--games games.txt --out a.rows --size 13", "no game on 13x13 could be read"),
        ("--games games.txt --out b.rows --positions 0", "at least 1"),
        ("--games games.txt --out c.rows --rules chess", "chess"),
        ("--games games.txt --out no/such/folder.rows", "no/such/folder.rows"),
        ("--games games.txt --out other.rows", "the file is there"),
        (
            "--games games.txt --out other.rows --append",
            "this is not a file of rows; it begins with `precious`",
        ),
        ("--games games.txt --out d.rows --teacher nobody", "--teacher nobody"),
        ("--games missing.txt --out e.rows", "missing.txt"),
    ] {
        let (_, errors, is_good) = run(folder.path(), words);
        assert!(!is_good && errors.contains(expected), "{words}: {errors}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("other.rows")).unwrap(), "precious");
}
