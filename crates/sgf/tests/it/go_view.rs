//! A tree read as a game of Go, and new games written.

use crate::common::check_round_trip;
use sgf::{
    Builder, Collection, Color, Coord, EditError, Game, GameError, GameResult, Header, Margin, Move, NodeId,
    Overtime, Player, Setup, Step,
};

fn read(text: &str) -> Collection {
    Collection::parse(text).unwrap()
}

/// The main line in short: `B:ee`, `W:` for a pass, `+2-1/1 W` for setup.
fn line(text: &str) -> Result<Vec<String>, GameError> {
    let collection = read(text);
    let game = Game::new(&collection.games[0])?;
    let show = |step: Result<(NodeId, Step), GameError>| {
        Ok(match step?.1 {
            Step::Move(Move { color, point }) => {
                format!("{color}:{}", point.map(|p: Coord| p.to_string()).unwrap_or_default())
            }
            Step::Setup(Setup { black, white, empty, to_play }) => {
                let player = to_play.map(|c| c.to_string()).unwrap_or_default();
                format!("{}/{}/{} {player}", black.len(), white.len(), empty.len())
            }
        })
    };
    game.main_line().map(show).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(line(text).unwrap_or_else(|error| panic!("{text}: {error}")), expected, "{text}");
}

fn check_error(text: &str, expected: &str) {
    assert_eq!(line(text).unwrap_err().to_string(), expected, "{text}");
}

#[test]
fn steps_of_the_main_line() {
    check("(;SZ[9];B[ee];W[];B[tt];W[ pass ])", &["B:ee", "W:", "B:", "W:"]);
    check("(;SZ[9]B[ee]W[ec];;B[ab](;W[aa])(;W[bb]))", &["B:ee", "W:ec", "B:ab", "W:aa"]);
    check("(;SZ[21];B[tt];W[uu])", &["B:tt", "W:uu"]);
    check("(;SZ[20:9];B[ti];W[])", &["B:ti", "W:"]);
    check("(;SZ[9];B[aa]B[bb][cc]C[x])", &["B:aa"]);
    check("(;SZ[19];B[R16];W[D4])", &["B:qd", "W:dp"]);
}

#[test]
fn setup_lists() {
    check("(;SZ[9]AB[aa:cc][bb]AW[ii:hh]AE[dd]PL[White])", &["9/4/1 W"]);
    check("(;SZ[9]AB[aa]AB[bb])", &["2/0/0 "]);
    check("(;SZ[9];B[ee]AB[aa]PL[b])", &["1/0/0 B", "B:ee"]);
    check("(;SZ[9]AE[];PL[x])", &[]);
    check("(;SZ[13:2]AB[aa:mb])", &["26/0/0 "]);
}

#[test]
fn impossible_games_are_errors() {
    check_error("(;GM[3])", "line 1, column 6: GM[3] is not Go: expected GM[1]");
    for size in ["0", "53", "-1", "9:", "9:0", "x", "", "256", "99999999999999999999"] {
        let error = line(&format!("(;SZ[{size}])")).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("line 1, column 6: board size SZ[{size}] is not possible")),
            "{error}"
        );
    }
    check_error("(;SZ[9]\n;B[aa]\n;W[jj])", "line 3, column 4: W[jj] is outside the 9x9 board");
    check_error("(;SZ[9:5];B[af])", "line 1, column 13: B[af] is outside the 9x5 board");
    check_error("(;SZ[9]AB[aa][aa:zz])", "line 1, column 15: AB[aa:zz] is outside the 9x9 board");
    check_error("(;B[a])", "line 1, column 5: B[a] is not a point: expected two letters such as `dd`");
    check_error("(;AW[aa:])", "line 1, column 6: AW[aa:] is not a point: expected two letters such as `dd`");
}

#[test]
fn the_line_ends_at_its_first_error() {
    let collection = read("(;SZ[9];B[aa];W[zz];B[bb])");
    let game = Game::new(&collection.games[0]).unwrap();
    let steps: Vec<bool> = game.main_line().map(|step| step.is_ok()).collect();
    assert_eq!(steps, [true, false]);
    assert!(game.moves().is_err());
}

#[test]
fn a_line_leads_to_any_node() {
    let collection = read("(;SZ[9];B[aa](;W[bb])(;W[cc];B[dd]))");
    let game = Game::new(&collection.games[0]).unwrap();
    let last = game.tree.nodes().last().unwrap();
    let points: Vec<String> = game
        .line_to(last)
        .map(|step| match step.unwrap().1 {
            Step::Move(played) => played.point.unwrap().to_string(),
            Step::Setup(_) => unreachable!(),
        })
        .collect();
    assert_eq!(points, ["aa", "cc", "dd"]);
}

#[test]
fn who_moves_first() {
    let cases = [
        ("(;)", Color::Black),
        ("(;;W[aa])", Color::White),
        ("(;PL[W];B[aa])", Color::White),
        ("(;HA[2])", Color::White),
        ("(;HA[2];B[aa])", Color::Black),
        ("(;HA[1])", Color::Black),
        ("(;AB[aa])", Color::White),
        ("(;AB[aa]AW[bb])", Color::Black),
        ("(;HA[2];AB[aa][bb];PL[B])", Color::Black),
    ];
    for (text, expected) in cases {
        let collection = read(text);
        assert_eq!(Game::new(&collection.games[0]).unwrap().first_to_play(), expected, "{text}");
    }
}

#[test]
fn facts_may_stand_behind_the_root() {
    let collection = read("(;SZ[9];B[aa];W[bb]PB[x\\]]RE[B+R]KM[7](;PB[y])(;PW[z]))");
    let header = Game::new(&collection.games[0]).unwrap().header;
    assert_eq!(header.black.name.as_deref(), Some("x]"));
    assert_eq!(header.white.name, None);
    assert_eq!(header.komi, Some(7.0));
    assert_eq!(header.result, GameResult::Win { color: Color::Black, margin: Margin::Resign });
}

#[test]
fn odd_facts_are_reported() {
    let collection = read("(;HA[many]KM[x]TM[1 hour]RE[who knows]OT[])");
    let game = Game::new(&collection.games[0]).unwrap();
    assert_eq!(game.header, Header::default());
    let warnings: Vec<String> = game.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 4, "{warnings:?}");
    assert_eq!(warnings[1], "line 1, column 14: KM[x] was ignored: expected a number such as `6.5`");
}

fn full_header() -> Header {
    Header {
        width: 13,
        height: 9,
        komi: Some(-6.5),
        handicap: 3,
        rules: Some("Chinese".into()),
        black: Player { name: Some("a]b\\".into()), rank: Some("3d".into()), team: Some("t".into()) },
        white: Player { name: Some("囲碁".into()), ..Player::default() },
        result: GameResult::Win { color: Color::White, margin: Margin::Score(0.5) },
        date: Some("2024-02-29".into()),
        event: Some("e".into()),
        round: Some("1".into()),
        place: Some("p: q".into()),
        name: Some("n".into()),
        comment: Some("two\nlines".into()),
        main_time: Some(300.5),
        overtime: Some(Overtime::Canadian { stones: 25, seconds: 600.0 }),
        application: Some("Tengen:0.1".into()),
    }
}

#[test]
fn a_written_header_reads_the_same() {
    let header = full_header();
    let game = Builder::new(&header).unwrap().finish();
    let collection = Collection::read(game.to_string().as_bytes()).unwrap();
    assert_eq!(collection.warnings, []);
    let read = Game::new(&collection.games[0]).unwrap();
    assert_eq!(read.header, header);
    assert_eq!(read.warnings, []);
}

#[test]
fn a_new_game_is_written_move_by_move() {
    let header = Header { width: 9, height: 9, handicap: 2, ..Header::default() };
    let mut game = Builder::new(&header).unwrap();
    game.comment("first").unwrap();
    let stones = Setup { black: vec![Coord::new(2, 6), Coord::new(6, 2)], ..Setup::default() };
    game.setup(&stones).unwrap();
    game.play(Color::White, Some(Coord::new(4, 4))).unwrap();
    game.comment("gone").unwrap();
    game.comment("a [b]").unwrap();
    game.play(Color::Black, None).unwrap();
    game.setup(&Setup { empty: vec![Coord::new(4, 4)], to_play: Some(Color::White), ..Setup::default() })
        .unwrap();
    game.result(GameResult::Draw).unwrap();
    game.result(GameResult::Win { color: Color::White, margin: Margin::Time }).unwrap();
    let expected =
        "(;GM[1]FF[4]CA[UTF-8]SZ[9]HA[2]C[first]AB[cg][gc]RE[W+T];W[ee]C[a [b\\]];B[];AE[ee]PL[W])\n";
    assert_eq!(game.tree().to_string().replace("\n;", ";"), expected);
    check_round_trip(&Collection::from(game.finish()), "new game");
}

#[test]
fn a_new_game_refuses_what_it_cannot_write() {
    let header = |width, height| Header { width, height, ..Header::default() };
    assert_eq!(Builder::new(&header(0, 9)).unwrap_err(), EditError::BadSize(0, 9));
    assert_eq!(Builder::new(&header(9, 53)).unwrap_err(), EditError::BadSize(9, 53));
    let mut game = Builder::new(&header(9, 5)).unwrap();
    let error = game.play(Color::Black, Some(Coord::new(0, 5))).unwrap_err();
    assert_eq!(error.to_string(), "point af is outside the 9x5 board");
    assert_eq!(game.tree().n_nodes(), 1);
    assert!(game.setup(&Setup { white: vec![Coord::new(255, 255)], ..Setup::default() }).is_err());
}
