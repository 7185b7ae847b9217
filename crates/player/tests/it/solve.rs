//! The positions of `boards/solve` and `boards/tactical`: all can be read, every answer is legal and confirmed, none
//! stands twice, and a search finds easy ones.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;

use goban::Color;
use mcts::Settings;
use player::solve::{self, Case};
use player::{Budget, Decision, Player, PlayerError, recipes};

/// A corner that lives or dies at A4, and one move that wins at once.
const SMALL: &str = "
# A comment before everything.
= three in a row
. . . O X
O O O O X
X X X X X
. X . X .
# A comment after the board.
rules chinese
komi 10.5
best B B4

= after a move
. O X .
O . O X
. O X .
. . . .
play B B3
turn W
avoid W A1 B1
";

/// The files of a folder of `boards`, by name.
fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../boards").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}

fn cases(text: &str) -> Vec<Case> {
    solve::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn cases_are_read() {
    let cases = cases(SMALL);
    assert_eq!(cases.iter().map(Case::answer).collect::<Vec<_>>(), ["B B4", "W not A1 B1"]);
    assert_eq!(cases[0].title, "three in a row");
    assert_eq!((cases[0].line, cases[0].position.komi()), (3, 10.5));
    assert_eq!(cases[1].position.plays().len(), 1);
    let right = |case: &Case, word: &str| {
        case.is_right(Decision::Play(case.position.size().parse_vertex(word).unwrap()))
    };
    assert!(right(&cases[0], "B4") && !right(&cases[0], "A4") && !right(&cases[0], "pass"));
    assert!(right(&cases[1], "pass") && !right(&cases[1], "A1"));
    assert!(!cases[1].is_right(Decision::Resign));
}

#[test]
fn nonsense_is_refused_with_its_line() {
    let error = |text: &str| solve::parse(text).unwrap_err().to_string();
    let board = "= title\n. . X\n. X .\n. . .\n";
    let after = |lines: &str| error(&format!("{board}{lines}"));
    assert!(error("best B A1").contains("line 1: \"best B A1\": expected a title"));
    assert!(error("= title\nbest B A1").contains("0x0 is not supported"));
    assert!(error("= title\n. X\n. . .\nbest B A1").contains("line 2 of the board has 3 points"));
    assert!(after("").contains("line 1: \"= title\": no answer"));
    assert!(after("best B A1\n= next\n. .\n. .\n").contains("line 6: \"= next\": no answer"));
    assert!(after("best B").contains("line 5: \"best B\": expected `rules NAME`"));
    assert!(after("best B D4").contains("line 5: \"best B D4\""));
    assert!(after("best B B2").contains("B2"));
    assert!(after("best W A1").contains("Black is to move"));
    assert!(after("best red A1").contains("red is not a colour"));
    assert!(after("komi many\nbest B A1").contains("many is not a number"));
    assert!(after("best B A1\nturn W").contains("expected this line before it"));
    assert!(after("best B A1 A2\navoid B A2").contains("A2 is both best and to be avoided"));
    assert!(error("").contains("no position"));
    assert!(error("# nothing yet\n").contains("line 1: \"# nothing yet\": no position"));
    assert!(after("play W C3\nbest B A1").contains("C3"));
}

/// The board under its sixteen likenesses (turned, mirrored, colours exchanged), the first of them by order of text: the
/// same for two positions that are copies of each other. The player to move is `X`.
fn likeness(case: &Case) -> String {
    let setup = case.position.to_setup().to_string();
    let rows: Vec<Vec<char>> = setup
        .lines()
        .map(|row| row.chars().filter(|point| ".XO".contains(*point)).collect::<Vec<_>>())
        .filter(|row| row.len() == case.position.size().width())
        .collect();
    let n = rows.len();
    let point = |x: usize, y: usize| match (rows[y][x], case.position.to_play()) {
        ('X', Color::White) => 'O',
        ('O', Color::White) => 'X',
        (point, _) => point,
    };
    let turned = |way: usize| {
        let mut text = String::new();
        for y in 0..n {
            for x in 0..n {
                let (x, y) = if way & 1 == 0 { (x, y) } else { (n - 1 - x, y) };
                let (x, y) = if way & 2 == 0 { (x, y) } else { (x, n - 1 - y) };
                let (x, y) = if way & 4 == 0 { (x, y) } else { (y, x) };
                text.push(point(x, y));
            }
        }
        text
    };
    (0..8).map(turned).min().unwrap_or_default()
}

/// The cases of a folder: every one is read (so its answer is legal), says once how it was confirmed, leaves a wrong
/// move, and no komi allows a drawn game.
fn sound_cases(folder: &str, sides: RangeInclusive<usize>) -> Vec<(String, Case)> {
    let mut found = Vec::new();
    for (name, text) in files(folder) {
        let all = solve::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let n_confirmed = text.lines().filter(|line| line.starts_with("# confirmed: ")).count();
        assert_eq!(n_confirmed, all.len(), "{name}: every case has one line on how it was confirmed");
        for case in all {
            let Case { title, position, .. } = &case;
            assert_ne!(position.komi().fract(), 0.0, "{name}: {title}: komi {}", position.komi());
            let (width, height) = (position.size().width(), position.size().height());
            assert!(sides.contains(&width) && width == height, "{name}: {title}");
            found.push((name.clone(), case));
        }
    }
    found
}

#[test]
fn all_positions_are_sound() {
    let mut drawings: Vec<_> = sound_cases("solve", 5..=9)
        .iter()
        .map(|(_, case)| format!("{}{:?}", case.position.to_setup(), case.position.to_play()))
        .collect();
    let n_cases = drawings.len();
    assert!(n_cases >= 60, "only {n_cases} positions");
    drawings.sort();
    drawings.dedup();
    assert_eq!(drawings.len(), n_cases, "a position stands twice");
}

/// At least a hundred positions, some for every theme; none is another one turned, mirrored or with colours exchanged.
#[test]
fn tactical_positions_are_sound() {
    let themes = ["edge", "ko", "nakade", "seki", "semeai", "snapback", "throw-in"];
    let cases = sound_cases("tactical", 7..=13);
    assert!(cases.len() >= 100, "only {} positions", cases.len());
    for theme in themes {
        let n_cases = cases.iter().filter(|(name, _)| name.ends_with(&format!("{theme}.txt"))).count();
        assert!(n_cases >= 8, "{theme}: only {n_cases} positions");
    }
    let mut seen = HashMap::new();
    for (name, case) in &cases {
        let here = format!("{name}: {}", case.title);
        assert!(!case.best.is_empty(), "{here}: names no right move");
        assert!(case.best.len() <= 4, "{here}: too many right moves to fail");
        if let Some(other) = seen.insert(likeness(case), here.clone()) {
            panic!("{here} is a copy of {other}");
        }
    }
}

/// The check for copies is worth something only if it sees through a mirror and finds real differences.
#[test]
fn copies_are_seen_through() {
    let likeness_of = |text: &str| likeness(&cases(text)[0]);
    let drawn = likeness_of("= drawn\nX X .\n. O .\n. . .\nbest B A1");
    let turned = likeness_of("= turned, White to move\n. . .\n. X O\n. . O\nturn W\nbest W A1");
    let other = likeness_of("= other\nX X .\n. . O\n. . .\nbest B A1");
    assert_eq!(drawn, turned);
    assert_ne!(drawn, other);
}

#[test]
fn a_search_solves_easy_ones_in_any_order() {
    let [easy, _] = &cases(SMALL)[..] else { panic!("two cases") };
    let mut player = recipes::player("default", &Settings::default()).unwrap();
    let budget = Budget::playouts(2000);
    let first = solve::solve(easy, &mut player, &budget).unwrap();
    assert!(first.is_right, "{first:?}");
    let value = player.value();
    assert_eq!(solve::solve(easy, &mut player, &budget).unwrap(), first);
    assert_eq!(player.value(), value, "nothing is remembered");
}

#[test]
fn a_player_that_fails_is_an_error() {
    struct Broken;
    impl Player for Broken {
        fn name(&self) -> String {
            "broken".to_string()
        }

        fn choose(
            &mut self,
            _: &goban::Position,
            _: goban::Color,
            _: &Budget,
        ) -> Result<Decision, PlayerError> {
            Err(PlayerError::Unable { name: self.name(), why: "it is broken".to_string() })
        }
    }
    assert!(solve::solve(&cases(SMALL)[0], &mut Broken, &Budget::default()).is_err());
}
