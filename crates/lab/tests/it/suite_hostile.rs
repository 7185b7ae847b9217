//! Files that are no suites: an error that names the file and the line, and never a panic.

use std::path::Path;

use goban::Rng;
use lab::suite::{Defaults, Suite};

fn read(folder: &Path, name: &str, bytes: &[u8]) -> Result<Suite, String> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    Suite::read(&path, &Defaults::default()).map_err(|error| error.to_string())
}

#[test]
fn random_bytes_are_an_error_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..5 {
        let mut rng = Rng::new(seed);
        let bytes: Vec<u8> = (0..100_000).map(|_| rng.below(256) as u8).collect();
        let error = read(folder.path(), "noise.tst", &bytes).unwrap_err();
        assert!(error.contains("noise.tst: line "), "{error}");
        assert!(error.contains("expected a comment (#), a command"), "{error}");
        assert!(error.len() < 900, "{} letters: {error}", error.len());
        for name in ["noise.sgf", "noise.txt"] {
            let error = read(folder.path(), name, &bytes).unwrap_err();
            assert!(error.contains(name), "{error}");
        }
    }
}

/// Pieces of real tests put together at random reach what random bytes never do.
#[test]
fn shuffled_pieces_never_panic() {
    const PIECES: &str = "1 reg_genmove b;2 genmove w;77 reg_genmove b;play b D4;undo;gg-undo 2;trymove w A1;popgo;loadsgf a.sgf;\
        loadsgf a.sgf 3;loadsgf;boardsize 9;boardsize 0;boardsize;clear_board;komi -7.5;komi 1e99;komi nan;fixed_handicap 2;\
        set_free_handicap A1 B2;go_rules japanese;go_rules x;rectangular_boardsize 9 2;place_free_handicap 3;40;# what;\
        #? [D4];#? [!D4|E5]*;#? [.*]&;#? [D4];#? [.];999999999999999999999 genmove b;#? [(;#? [{9999}];D4;é";
    let pieces: Vec<&str> = PIECES.split(';').map(str::trim).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.sgf"), "(;SZ[9];B[dd];W[ff];B[df])").unwrap();
    let mut rng = Rng::new(4);
    let (mut n_errors, mut n_cases) = (0, 0);
    for _ in 0..250 {
        let mut text = String::new();
        for _ in 0..rng.below(30) {
            text += pieces[rng.below(pieces.len() as u32) as usize];
            text += ["\n", "\n", "\n", "\r\n", "\n", " ", ""][rng.below(7) as usize];
        }
        match read(folder.path(), "pieces.tst", text.as_bytes()) {
            Ok(suite) => n_cases += suite.cases().count(),
            Err(error) => {
                n_errors += 1;
                assert!(error.contains("pieces.tst: line "), "{error}");
            }
        }
    }
    assert!(n_errors > 50 && n_cases > 5, "{n_errors} errors, {n_cases} cases");
}

#[test]
fn names_say_what_a_file_is() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["suite", "suite.json", "suite."] {
        let error = read(folder.path(), name, b"").unwrap_err();
        assert!(error.contains(name) && error.contains(".tst"), "{error}");
    }
    let error = Suite::read(Path::new("no/such.tst"), &Defaults::default()).unwrap_err().to_string();
    assert!(error.contains("no/such.tst"), "{error}");
    // Nothing asked is nothing wrong.
    assert!(read(folder.path(), "empty.tst", b"# later\n").unwrap().items.is_empty());
    assert!(read(folder.path(), "empty.sgf", b"").unwrap_err().contains("empty.sgf"));
}
