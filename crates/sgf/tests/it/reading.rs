//! Reading: odd files that are clear in meaning are read with a warning, others fail and say where.

use crate::common::{check_round_trip, plain};
use sgf::{Collection, GameTree, Position, ReadError, WarningKind};

/// The tree in brackets, with only names and raw values: short enough to compare by eye.
fn outline(tree: &GameTree) -> String {
    let game = tree.to_string();
    game.replace(['\n'], "").replace("FF[4]CA[UTF-8]", "")
}

/// Reads a text and compares its only game and its warnings.
fn check(text: &str, expected: &str, warnings: &[&str]) {
    let collection = Collection::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let games: String = collection.games.iter().map(outline).collect();
    assert_eq!(games, expected, "{text:?}");
    let found: Vec<String> = collection.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(found, warnings, "{text:?}");
    check_round_trip(&collection, text);
}

fn check_error(text: &str, expected: &str) {
    let error = Collection::read(text.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), expected, "{text:?}");
}

#[test]
fn good_files_have_no_warnings() {
    check("", "", &[]);
    check(" \r\n\t", "", &[]);
    check("(;)", "(;)", &[]);
    check("\u{FEFF}(;C[x])\n\u{FEFF}(;C[y])\n", "(;C[x])(;C[y])", &[]);
    check("(;B[aa];W[bb](;B[cc];W[dd])(;B[ee]))", "(;B[aa];W[bb](;B[cc];W[dd])(;B[ee]))", &[]);
    check("  (\n ; GM [1]\n SZ [ 9 ] [x]\n;B\t[ee] )", "(;GM[1]SZ[ 9 ][x];B[ee])", &[]);
    check("(;(;B[aa]))", "(;;B[aa])", &[]);
}

#[test]
fn values_are_kept_to_the_letter() {
    let raws =
        ["", " ", r"\]", r"\\", "a\\\nb", "a\r\nb", "(;B[aa\\])", "x:y\\:z", "[[[", "\0", "\u{FEFF}", "囲碁"];
    for raw in raws {
        let collection = Collection::parse(&format!("(;C[{raw}]XX[{raw}][1])")).unwrap();
        let tree = &collection.games[0];
        assert_eq!(tree.value(tree.root(), "C").unwrap().raw(), raw);
        let values: Vec<_> = tree.property(tree.root(), "XX").unwrap().values().map(|v| v.raw()).collect();
        assert_eq!(values, [raw, "1"]);
        check_round_trip(&collection, raw);
    }
}

#[test]
fn long_names_of_old_files_are_shortened() {
    check("(;GaMe[1]PlayerBlack[x];White[aa])", "(;GM[1]PB[x];W[aa])", &[]);
    let warning = "line 1, column 3: property name `b` has no capitals: read as capitals";
    check("(;b[aa])", "(;B[aa])", &[warning]);
}

#[test]
fn text_outside_games_is_skipped() {
    let outside = |column| format!("line 1, column {column}: text outside a game was skipped");
    check("Hello (1) (;C[a]) ", "(;C[a])", &[&outside(1)]);
    check("(;C[a])x(;C[b])y", "(;C[a])(;C[b])", &[&outside(8), &outside(16)]);
    check("((;C[a]))", "(;C[a])", &[&outside(1), "line 1, column 9: `)` without `(` was skipped"]);
}

#[test]
fn brackets_in_bad_places() {
    check("(;C[a](;C[b]", "(;C[a];C[b])", &["line 1, column 13: the file ends before 2 missing `)`"]);
    check("(;C[a]))", "(;C[a])", &["line 1, column 8: `)` without `(` was skipped"]);
    check("(;C[a]()(;C[b]))", "(;C[a];C[b])", &["line 1, column 8: a variation without a node was skipped"]);
    let later = "line 1, column 13: a node follows a variation: read as one more variation";
    check("(;C[a](;B[]);W[];B[])", "(;C[a](;B[])(;W[];B[]))", &[later]);
    let missing = "line 1, column 8: property B stands before any `;`: read as a new node";
    check("(;C[a](B[])(;W[]))", "(;C[a](;B[])(;W[]))", &[missing]);
    let late =
        "line 1, column 13: property N follows a variation: read as part of the node before the variation";
    check("(;C[a](;B[])N[x](;W[]))", "(;C[a]N[x](;B[])(;W[]))", &[late]);
}

#[test]
fn duplicates_and_zero_bytes() {
    let twice = "line 2, column 6: property SZ stands twice in this node: setup stones add up, otherwise the first counts";
    check("(;\nSZ[9]SZ[19])", "(;SZ[9]SZ[19])", &[twice]);
    check(
        "(;\0B\0[aa])",
        "(;B[aa])",
        &["line 1, column 3: a zero byte was skipped", "line 1, column 5: a zero byte was skipped"],
    );
    let many: String = (0..40).map(|i| format!("X{}[]", i % 30)).collect();
    let collection = Collection::parse(&format!("(;{many})")).unwrap();
    assert_eq!(collection.warnings.len(), 10);
    assert_eq!(plain(&collection.games[0])[0].1.len(), 40);
}

#[test]
fn warnings_do_not_grow_without_end() {
    let collection = Collection::parse(&format!("(;{}C[])", "\0".repeat(5000))).unwrap();
    assert_eq!(collection.warnings.len(), 1001);
    assert_eq!(collection.warnings[1000].kind, WarningKind::More);
}

#[test]
fn errors_say_where() {
    check_error("hello", "no game found: an SGF file begins with `(;`");
    check_error("(1)", "no game found: an SGF file begins with `(;`");
    check_error(
        "(;B[aa]\r\n;C[é;W[bb",
        "line 2, column 3: the value of C that begins here is never closed: expected `]`",
    );
    check_error(
        "(;C[a\\])",
        "line 1, column 4: the value of C that begins here is never closed: expected `]`",
    );
    check_error("(;C[é]\n;B", "line 2, column 2: property B has no value: expected `[`");
    check_error("(;B;W[aa])", "line 1, column 3: property B has no value: expected `[`");
    check_error("(;C[a]é)", "line 1, column 7: unexpected `é`: expected `;`, `(`, `)` or a property");
    check_error("(;[aa])", "line 1, column 3: unexpected `[`: expected `;`, `(`, `)` or a property");
    check_error("(;C[é])\n(;]", "line 2, column 3: unexpected `]`: expected `;`, `(`, `)` or a property");
}

#[test]
fn positions_hold_across_games_in_different_charsets() {
    let file = b"(;CA[GBK]C[\xCE\xA7]\n)\n(;CA[Shift_JIS]C[\x95\\]\n\n;B[aa])(;!)";
    let error = Collection::read(file).unwrap_err();
    let position = Position { line: 5, column: 10 };
    assert_eq!(
        error,
        ReadError::Unexpected { position, found: '!', expected: "`;`, `(`, `)` or a property" }
    );
    let collection = Collection::read(&file[..file.len() - 4]).unwrap();
    let game = &collection.games[1];
    let last = game.main_line().last().unwrap();
    assert_eq!(game.value(last, "B").unwrap().position(), Some(Position { line: 5, column: 4 }));
    check_round_trip(&collection, "charsets");
}

#[test]
fn composed_values_are_cut_at_the_first_open_colon() {
    let collection = Collection::parse(r"(;LB[aa:x:y]AP[a\:b:1\]]FG[]AR[aé:b])").unwrap();
    let tree = &collection.games[0];
    let parts = |ident| {
        let (a, b) = tree.value(tree.root(), ident).unwrap().composed()?;
        Some((a.text().into_owned(), b.text().into_owned()))
    };
    assert_eq!(parts("LB"), Some(("aa".into(), "x:y".into())));
    assert_eq!(parts("AP"), Some(("a:b".into(), "1]".into())));
    assert_eq!(parts("AR"), Some(("aé".into(), "b".into())));
    assert_eq!(parts("FG"), None);
}
