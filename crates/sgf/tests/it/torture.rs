//! The torture files of the data folder: what `expect.json` says of each, and that every other file reads, or fails
//! with the error it should.

use crate::common::{check_round_trip, data, files};
use serde_json::Value as Json;
use sgf::{
    Collection, Color, Coord, Game, GameErrorKind, GameResult, Margin, Move, ReadError, Setup, Step,
    WarningKind,
};
use std::path::Path;

fn read(path: &Path) -> Result<Collection, ReadError> {
    Collection::read(&std::fs::read(path).unwrap())
}

/// The number of a field that must be one.
fn count(expected: &Json) -> usize {
    expected.as_u64().and_then(|n| usize::try_from(n).ok()).expect("a count")
}

fn result_name(result: GameResult) -> Json {
    match result {
        GameResult::Void | GameResult::Unknown => Json::Null,
        GameResult::Draw => "draw".into(),
        win @ GameResult::Win { .. } => win.to_string().into(),
    }
}

/// Checks one field of `expect.json`; a field this test does not know fails it.
fn check_field(name: &str, field: &str, expected: &Json, collection: &Collection) {
    if field == "games" {
        assert_eq!(collection.games.len(), count(expected), "{name}: games");
        return;
    }
    let game = Game::new(&collection.games[0]).unwrap_or_else(|error| panic!("{name}: {error}"));
    let header = &game.header;
    let moves = || game.moves().unwrap_or_else(|error| panic!("{name}: {error}"));
    let setup = || match game.main_line().next() {
        Some(Ok((_, Step::Setup(setup)))) => setup,
        other => panic!("{name}: no setup but {other:?}"),
    };
    match field {
        "size" => assert_eq!(
            (header.width, header.height),
            (count(expected) as u8, count(expected) as u8),
            "{name}"
        ),
        "width" => assert_eq!(usize::from(header.width), count(expected), "{name}"),
        "height" => assert_eq!(usize::from(header.height), count(expected), "{name}"),
        "moves" => assert_eq!(moves().len(), count(expected), "{name}"),
        "passes" => {
            let passes: Vec<usize> = (0..moves().len()).filter(|&i| moves()[i].point.is_none()).collect();
            assert_eq!(Json::from(passes), *expected, "{name}");
        }
        "handicap" => assert_eq!(header.handicap as usize, count(expected), "{name}"),
        "first" => assert_eq!(game.first_to_play().to_string(), expected.as_str().unwrap(), "{name}"),
        "main_line" => {
            let points: Vec<String> = moves().iter().map(|m| m.point.unwrap().to_string()).collect();
            assert_eq!(Json::from(points), *expected, "{name}");
        }
        "leaves" => assert_eq!(game.tree.n_leaves(), count(expected), "{name}"),
        "result" => assert_eq!(result_name(header.result), *expected, "{name}"),
        "setup_black" => assert_eq!(setup().black.len(), count(expected), "{name}"),
        "setup_white" => assert_eq!(setup().white.len(), count(expected), "{name}"),
        other => panic!("{name}: expect.json has a field this test does not know: {other}"),
    }
}

#[test]
fn handmade_files_read_as_expected() {
    let Some(folder) = data("sgf-torture/handmade") else { return };
    let text = std::fs::read_to_string(folder.join("expect.json")).unwrap();
    let expectations: serde_json::Map<String, Json> = serde_json::from_str(&text).unwrap();
    let names: Vec<String> = files(&folder, ".sgf")
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().eq(expectations.keys()), "expect.json speaks of every file");
    for (name, fields) in &expectations {
        let result = read(&folder.join(name));
        check_note(name, &result);
        let Ok(collection) = result else { continue };
        check_round_trip(&collection, name);
        for (field, expected) in fields.as_object().unwrap().iter().filter(|(field, _)| *field != "note") {
            check_field(name, field, expected, &collection);
        }
    }
}

fn black(col: u8, row: u8) -> Move {
    Move { color: Color::Black, point: Some(Coord::new(col, row)) }
}

fn white(col: u8, row: u8) -> Move {
    Move { color: Color::White, point: Some(Coord::new(col, row)) }
}

fn text(game: &Game<'_>, ident: &str) -> String {
    game.tree.value(game.tree.root(), ident).unwrap().text().into_owned()
}

/// What the notes of `expect.json` mean here, and what its fields do not say.
fn check_note(name: &str, result: &Result<Collection, ReadError>) {
    if name.starts_with("24") {
        // Whether the last move is whole cannot be known.
        let error = result.as_ref().unwrap_err().to_string();
        assert_eq!(error, "line 1, column 21: the value of W that begins here is never closed: expected `]`");
        return;
    }
    let collection = result.as_ref().unwrap_or_else(|error| panic!("{name}: {error}"));
    let warnings: Vec<String> = collection.warnings.iter().map(ToString::to_string).collect();
    let n_warnings = match &name[..2] {
        "06" | "36" | "45" => 2,
        "25" | "26" | "34" | "35" => 1,
        _ => 0,
    };
    assert_eq!(warnings.len(), n_warnings, "{name}: {warnings:?}");
    let Some(tree) = collection.games.first() else {
        assert_eq!(name, "27-empty.sgf");
        return;
    };
    match Game::new(tree) {
        Ok(game) => check_game_note(name, &game, collection),
        Err(error) => {
            let expected = match &name[..2] {
                "29" => "line 1, column 6: GM[2] is not Go: expected GM[1]",
                "39" => "line 1, column 11: board size SZ[0] is not possible",
                "40" => "line 1, column 11: board size SZ[99999999999999999999] is not possible",
                _ => panic!("{name}: {error}"),
            };
            assert!(error.to_string().starts_with(expected), "{name}: {error}");
        }
    }
}

fn check_game_note(name: &str, game: &Game<'_>, collection: &Collection) {
    let tree = game.tree;
    let moves = game.moves();
    match &name[..2] {
        "07" => {
            let comment = "a ] bracket, a \\ backslash, a softbreak, colon : and (;B[aa]) inside";
            assert_eq!(game.comment(tree.root()).unwrap(), comment);
        }
        "08" => assert_eq!(game.header.black.name.as_deref(), Some("x")),
        "10" => {
            let setup = Setup {
                black: vec![Coord::new(3, 3)],
                empty: vec![Coord::new(4, 4)],
                to_play: Some(Color::White),
                ..Setup::default()
            };
            assert!(game.main_line().any(|step| step.unwrap().1 == Step::Setup(setup.clone())));
        }
        "12" => assert!(game.main_line().all(|step| matches!(step.unwrap().1, Step::Move(_)))),
        "15" => assert_eq!(moves.unwrap(), [black(4, 4), white(4, 2), black(6, 4)]),
        "18" => assert_eq!(moves.unwrap(), [black(4, 4), white(4, 4)]),
        "19" => assert_eq!(moves.unwrap(), [white(1, 1), black(2, 1)]),
        "20" => assert_eq!(moves.unwrap(), [white(0, 0)]),
        "21" => check_off_board(&moves.unwrap_err(), "line 1, column 16: B[jj] is outside the 9x9 board"),
        "30" => check_off_board(&moves.unwrap_err(), "line 1, column 16: B[EE] is outside the 9x9 board"),
        "22" => {
            assert_eq!(game.header.komi, Some(6.5));
            assert_eq!(
                game.header.result,
                GameResult::Win { color: Color::Black, margin: Margin::Score(3.5) }
            );
            assert_eq!(game.warnings[0].to_string(), "line 1, column 16: KM[6,5] was read as 6.5 points");
        }
        "23" => assert_eq!(game.header.komi, Some(7.5)),
        "31" => assert_eq!((text(game, "PB"), text(game, "PW")), ("表示ソ能".into(), "白番".into())),
        "32" => {
            assert_eq!((text(game, "PB"), text(game, "PW")), ("围棋".into(), "聂卫平".into()));
            assert_eq!(game.header.result.to_string(), "B+R");
        }
        "33" => assert_eq!((text(game, "PB"), text(game, "PW")), ("이세돌".into(), "바둑".into())),
        "34" => assert_eq!(text(game, "PB"), "Dieter Schäfer"),
        "35" => {
            assert!(text(game, "PB").contains('\u{FFFD}'));
            assert_eq!(collection.warnings[0].kind, WarningKind::BadBytes("UTF-8"));
        }
        "36" | "37" => assert_eq!(moves.unwrap().len(), 1),
        "38" => assert_eq!(moves.unwrap(), [black(51, 25), white(0, 51)]),
        "43" => {
            let results =
                collection.games.iter().map(|tree| Game::new(tree).unwrap().header.result.to_string());
            assert_eq!(results.collect::<Vec<_>>(), ["W+R", "B+R", "B+3.5", "W+T", "B+", "?", "0", "W+F"]);
        }
        "44" => {
            let values = tree.property(tree.root(), "XYZZY").unwrap().values();
            assert_eq!(values.map(|v| v.raw()).collect::<Vec<_>>(), ["a", "b", "c"]);
        }
        "45" => {
            assert_eq!((game.header.width, game.header.komi), (9, Some(6.5)));
            assert_eq!(tree.properties(tree.root()).count(), 5);
        }
        "46" => {
            assert_eq!(moves.unwrap().len(), 3000);
            assert_eq!(tree.n_nodes(), 3001);
        }
        "48" => assert_eq!((text(game, "GN"), text(game, "PB")), ("a;b(c)d".into(), ";B[aa]".into())),
        "50" => assert_eq!(game.header.overtime.as_ref().unwrap().to_string(), "5x30 byo-yomi"),
        _ => {
            moves.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

fn check_off_board(error: &sgf::GameError, expected: &str) {
    assert!(matches!(error.kind, GameErrorKind::OffBoard { .. }));
    assert_eq!(error.to_string(), expected);
}

/// The test records of other programs. Those named here hold a move that no board has.
#[test]
fn other_programs_files_read() {
    let Some(folder) = data("sgf-torture") else { return };
    let bad_moves = ["sgf_invalidmove.sgf", "size-after-invalid-points.sgf"];
    let (mut n_files, mut n_games) = (0, 0);
    for path in files(&folder, ".sgf") {
        let name = path.to_string_lossy().into_owned();
        if name.contains("handmade") {
            continue;
        }
        n_files += 1;
        let collection = read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        check_round_trip(&collection, &name);
        for tree in &collection.games {
            n_games += 1;
            let game = Game::new(tree).unwrap_or_else(|error| panic!("{name}: {error}"));
            let steps = tree.nodes().try_for_each(|node| game.steps(node).map(drop));
            match steps {
                Ok(()) => assert!(!bad_moves.iter().any(|bad| name.ends_with(bad)), "{name}"),
                Err(error) => {
                    assert!(bad_moves.iter().any(|bad| name.ends_with(bad)), "{name}: {error}");
                    assert!(error.to_string().contains("is outside the 9x9 board"), "{name}: {error}");
                }
            }
        }
    }
    assert!(n_files >= 60 && n_games >= n_files, "{n_files} files, {n_games} games");
}

#[test]
fn texts_of_other_programs_files() {
    let Some(folder) = data("sgf-torture") else { return };
    let player = |file: &str| {
        let collection = read(&folder.join(file)).unwrap();
        let header = Game::new(&collection.games[0]).unwrap().header;
        (header.black.name.unwrap_or_default(), header.white.name.unwrap_or_default())
    };
    let names = |black: &str, white: &str| (black.to_owned(), white.to_owned());
    assert_eq!(player("npm-sabaki-sgf-3.4.7/japanese.sgf"), names("井山 裕太", "山下 敬吾"));
    assert_eq!(player("npm-sabaki-sgf-3.4.7/chinese.sgf"), names("古力", "柯洁"));
    assert_eq!(player("npm-sabaki-sgf-3.4.7/korean.sgf"), names("이세돌", "박정환"));
    for file in ["utf16le.sgf", "utf8bom.sgf"] {
        let file = format!("npm-sabaki-sgf-3.4.7/{file}");
        assert_eq!(player(&file), names("Kitani Minoru", "Go Seigen"));
    }
    let fox = read(&folder.join("katago/cpp_tests_data_foxlike.sgf")).unwrap();
    let fox = Game::new(&fox.games[0]).unwrap();
    assert_eq!((fox.header.komi, fox.header.handicap), (Some(6.5), 2));
    assert_eq!((fox.header.result, fox.first_to_play()), (GameResult::Draw, Color::White));
}

/// The test positions of other engines: more than two thousand files written by many hands.
#[test]
fn position_files_read() {
    let Some(folder) = data("positions") else { return };
    let (mut n_files, mut failures) = (0, Vec::new());
    for path in files(&folder, ".sgf") {
        n_files += 1;
        match read(&path) {
            Ok(collection) => check_round_trip(&collection, &path.to_string_lossy()),
            Err(error) => failures.push(format!("{}: {error}", path.display())),
        }
    }
    println!("{n_files} files, {} fail", failures.len());
    assert!(n_files > 2000 && failures.is_empty(), "{n_files} files, failing: {failures:#?}");
}
