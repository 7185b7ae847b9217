//! Records in and out through the engine.

use crate::engine_support::{Puppet, check, engine, output};
use std::path::PathBuf;

/// A file of this test process, which removes it in the end.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_record_is_loaded_up_to_a_move() {
    let file = TempFile::new("load it.sgf", "(;GM[1]FF[4]SZ[7]KM[0.5]AB[aa]AW[gg];B[cc];W[dd];AE[cc];B[ee])");
    let name = file.name();
    check(
        &mut engine(Puppet::playing(&[])),
        &format!(
            "
            > komi 6.5
            =
            > loadsgf {name}
            =
            > list_stones b
            = A7 E3
            > get_komi
            = 0.5
            > loadsgf {name} 3
            =
            > list_stones b
            = A7
            > last_move
            ? no previous move known
            > loadsgf {name} 2
            =
            > list_stones b
            = A7 C5
            > last_move
            = black C5
            > undo
            =
            > undo
            ? cannot undo
            > loadsgf {name} 1
            =
            > move_history
            =
            > loadsgf
            ? syntax error: missing file
            "
        ),
    );
}

#[test]
fn a_bad_record_changes_nothing() {
    let illegal = TempFile::new("illegal.sgf", "(;SZ[7];B[cc];W[cc])");
    let broken = TempFile::new("broken.sgf", "(;SZ[7];B[cc");
    let (illegal, broken) = (illegal.name(), broken.name());
    check(
        &mut engine(Puppet::playing(&[])),
        &format!(
            "
            > play b a1
            =
            > loadsgf {illegal}
            ? cannot load file: {illegal}: move 2: illegal move: White C5: there is a stone already
            > loadsgf {broken}
            ? cannot load file: {broken}: line 1, column 10: the value of B that begins here is never closed: expected `]`
            > loadsgf no/such/file.sgf
            ? cannot load file: no/such/file.sgf: No such file or directory (os error 2); expected an SGF file
            > loadsgf {illegal} -1
            ? -1: expected a move's number, from 1, after {illegal}
            > list_stones b
            = A1
            > query_boardsize
            = 5
            "
        ),
    );
}

#[test]
fn a_record_without_komi_keeps_ours() {
    let file = TempFile::new("no-komi.sgf", "(;SZ[9]HA[2];W[cc])");
    check(
        &mut engine(Puppet::playing(&[])),
        &format!("> komi 3.5\n=\n> loadsgf {}\n=\n> get_komi\n= 3.5\n> list_stones w\n= C7", file.name()),
    );
}

#[test]
fn komi_and_rules_of_a_record_end_with_it() {
    let both = TempFile::new("both.sgf", "(;SZ[9]KM[0.5]RU[Japanese])");
    let none = TempFile::new("none.sgf", "(;SZ[9])");
    let unknown = TempFile::new("unknown.sgf", "(;SZ[9]RU[GOE])");
    let zealand = TempFile::new("nz.sgf", "(;SZ[9]RU[NZ])");
    let rules = |file: &TempFile| {
        let script = format!(
            "komi 3.5\nkata-set-rules aga\nloadsgf {}\nloadsgf {}\nget_komi\nprintsgf",
            both.name(),
            file.name()
        );
        let text = output(&mut engine(Puppet::playing(&[])), script.as_bytes());
        assert!(text.contains("\n\n= 3.5\n\n"), "{text}");
        let (_, rules) = text.split_once("RU[").unwrap();
        rules.split_once(']').unwrap().0.to_string()
    };
    assert_eq!(rules(&none), "aga");
    assert_eq!(rules(&unknown), "aga");
    assert_eq!(rules(&zealand), "new-zealand");
    let script = format!("loadsgf {0}\nprintsgf\nkomi 2\nloadsgf {1}\nget_komi", both.name(), none.name());
    let text = output(&mut engine(Puppet::playing(&[])), script.as_bytes());
    assert!(text.contains("RU[japanese]KM[0.5]") && text.ends_with("= 2\n\n"), "{text}");
}

#[test]
fn a_game_is_printed_and_saved() {
    let file = TempFile::new("save.sgf", "");
    let name = file.name();
    let script = format!(
        "komi 6.7\nset_free_handicap b2 d4\nplay w c3\nplay b pass\nprintsgf\n\
         gomill-savesgf {name} PB=test\\_player PW=a\\\\b RE=B+R\ngomill-savesgf {name} nonsense"
    );
    let text = output(&mut engine(Puppet::playing(&[])), script.as_bytes());
    // Long records have line breaks, but never an empty line.
    let text = text.replace("]\n;", "];");
    let version = player::engine::version();
    let game = format!("SZ[5]AP[Tengen:{version}]RU[chinese]KM[6.7]HA[2]AB[db][bd];W[cc];B[])");
    assert!(text.contains(&format!("= (;GM[1]FF[4]CA[UTF-8]{game}\n\n")), "{text}");
    assert!(
        text.ends_with("? syntax error: expected PROPERTY=VALUE like RE=B+3.5, got \"nonsense\"\n\n"),
        "{text}"
    );
    let saved = std::fs::read_to_string(name).unwrap();
    for part in ["PB[test player]", "PW[a\\\\b]", "RE[B+R]", ";W[cc];B[]"] {
        assert!(saved.contains(part), "{part} in {saved}");
    }
}
