use std::path::PathBuf;

use super::*;

/// A folder with a record of four moves on 9×9, in a folder of its own beside the tests.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    std::fs::write(games.join("four.sgf"), "(;SZ[9]KM[7];B[dd];W[ff];B[df];W[fd])").unwrap();
    std::fs::write(games.join("bad.sgf"), "no record").unwrap();
    folder
}

fn read_in(folder: &tempfile::TempDir, text: &str) -> Result<Suite> {
    read_bytes(&folder.path().join("some.tst"), text.as_bytes(), &Defaults::default())
}

fn read(text: &str) -> Suite {
    read_in(&folder(), text).unwrap()
}

/// The suite's items: the stones of a case with its colour and answer, or the text of what is none.
fn show(suite: &Suite) -> Vec<String> {
    let item = |item: &SuiteItem| match item {
        SuiteItem::Case(case) => {
            let size = case.position.size();
            let plays: Vec<String> =
                case.position.plays().iter().map(|play| size.show(play.vertex)).collect();
            let star = if case.expects_failure { "*" } else { "" };
            format!(
                "{}: {} [{}]{star} {size} {}",
                case.name,
                case.color.letter(),
                case.answer,
                plays.join(" ")
            )
        }
        SuiteItem::Inapplicable(remark) => format!("{}: n/a {}", remark.name, remark.text),
        SuiteItem::Error(remark) => format!("{}: error {}", remark.name, remark.text),
    };
    suite.items.iter().map(item).collect()
}

#[test]
fn numbered_moves_with_answers_are_cases() {
    let suite = read(
        "# A comment.\nloadsgf games/four.sgf 3\n10 reg_genmove black\n# why\n#? [D4|E5]\n\n11 reg_genmove w\n#? [!C3]*\n\
         loadsgf games/four.sgf\n12 genmove b\n#? [PASS]\n13 reg_genmove b\nloadsgf games/four.sgf F6\n14 reg_genmove w\n#? [A1]&\n\
         15 reg_genmove white\n#? [F6]\n",
    );
    assert_eq!(
        show(&suite),
        [
            "10: B [D4|E5] 9x9 D6 F4",
            "11: W [!C3]* 9x9 D6 F4",
            "12: B [PASS] 9x9 D6 F4 D4 F6",
            "14: n/a marked & to be ignored",
            "15: W [F6] 9x9 D6 F4 D4",
        ]
    );
    let case = suite.cases().next().unwrap();
    assert_eq!((case.line, case.source.as_deref()), (3, Some("games/four.sgf 3")));
    assert_eq!(case.position.komi(), 7.0);
    assert!(suite.remarks.is_empty() && suite.ignored.is_empty());
}

#[test]
fn other_commands_are_not_applicable_or_passed_over() {
    let suite = read(
        "loadsgf games/four.sgf\n1 attack D6\n#? [1 C3]\n2 attack D6\n#? [unfinished\nuct_param_player x 1\nlevel 10\nlevel 8\n\
         40\n#? [C9]*\n#? [D4]\n3 reg_genmove\n#? [D4]\nfuegotest_param player safe\n4 reg_genmove b\n#? [D4]\n",
    );
    assert_eq!(
        show(&suite),
        [
            "1: n/a attack",
            "2: n/a attack",
            "40: n/a a number without a command",
            "3: n/a a move of no colour",
            "4: n/a after fuegotest_param player safe"
        ]
    );
    let ignored: Vec<(&str, usize)> = suite.ignored.iter().map(|(name, &n)| (name.as_str(), n)).collect();
    assert_eq!(ignored, [("fuegotest_param", 1), ("level", 2), ("uct_param_player", 1)]);
    assert_eq!(suite.remarks.len(), 1);
    assert_eq!(
        (suite.remarks[0].line, suite.remarks[0].text.as_str()),
        (11, "an answer without a numbered command before it")
    );
}

#[test]
fn commands_lead_to_the_position() {
    let suite = read(
        "boardsize 5\nclear_board\nkomi 3.5\nplay b C3\nwhite D4\n1 reg_genmove b\n#? [A1]\nundo\n2 reg_genmove w\n#? [A1]\n\
         trymove W B2\n3 reg_genmove b\n#? [A1]\npopgo\n4 reg_genmove w\n#? [A1]\nplay w C3\n5 reg_genmove w\n#? [A1]\n\
         gg-undo 9\nboardsize 9\nfixed_handicap 2\n6 reg_genmove w\n#? [A1]\nclear_board\nset_free_handicap A1 B2 C3\n7 reg_genmove w\n#? [A1]\n",
    );
    assert_eq!(
        show(&suite),
        [
            "1: B [A1] 5x5 C3 D4",
            "2: W [A1] 5x5 C3",
            "3: B [A1] 5x5 C3 B2",
            "4: W [A1] 5x5 C3",
            "5: W [A1] 5x5 C3",
            "6: W [A1] 9x9 ",
            "7: W [A1] 9x9 "
        ]
    );
    let cases: Vec<&SuiteCase> = suite.cases().collect();
    assert_eq!(cases[0].position.komi(), 3.5);
    assert_eq!(cases[5].position.board().n_on_board(Color::Black), 2);
    assert_eq!(cases[6].position.board().n_on_board(Color::Black), 3);
    let remarks: Vec<(usize, &str)> = suite.remarks.iter().map(|r| (r.line, r.text.as_str())).collect();
    assert_eq!(remarks[0].0, 17);
    assert!(remarks[0].1.contains("play w C3: ") && remarks[0].1.contains("there is a stone already"));
    assert_eq!(remarks[1], (20, "gg-undo 9: there are fewer moves"));
}

#[test]
fn moves_of_the_player_are_unknown_until_taken_back() {
    let suite = read(
        "loadsgf games/four.sgf 2\n1 genmove w\n#? [E5]\n2 reg_genmove b\n#? [E5]\nplay b A1\nundo\nundo\n3 reg_genmove w\n#? [E5]\n\
         genmove w\nloadsgf games/four.sgf 1\n4 reg_genmove b\n#? [E5]\n",
    );
    assert_eq!(
        show(&suite),
        [
            "1: W [E5] 9x9 D6",
            "2: error the position depends on the player's own move before",
            "3: W [E5] 9x9 D6",
            "4: B [E5] 9x9 "
        ]
    );
}

#[test]
fn records_that_are_missing_or_no_good_are_named() {
    let suite = read(
        "loadsgf games/none.sgf 3\n1 reg_genmove b\n#? [A1]\nplay b A1\n2 reg_genmove b\n#? [A1]\nloadsgf games/bad.sgf\n\
         3 reg_genmove b\n#? [A1]\nboardsize 1\n4 reg_genmove b\n#? [A1]\nloadsgf games/four.sgf\n5 reg_genmove b\n#? [A1]\n",
    );
    let shown = show(&suite);
    for (n, text) in [
        (0, "games/none.sgf: there is no such record"),
        (1, "games/none.sgf"),
        (2, "games/bad.sgf"),
        (3, "1x1"),
    ] {
        assert!(shown[n].contains("error") && shown[n].contains(text), "{}", shown[n]);
    }
    assert_eq!(shown[4], "5: B [A1] 9x9 D6 F4 D4 F6");
}

#[test]
fn records_stand_beside_the_file_or_above() {
    let folder = folder();
    let below = folder.path().join("suites");
    std::fs::create_dir(&below).unwrap();
    let text = "loadsgf games/four.sgf 2\n1 reg_genmove w\n#? [A1]\n";
    let path: PathBuf = below.join("some.tst");
    std::fs::write(&path, text).unwrap();
    let suite = super::read(&path, &Defaults::default()).unwrap();
    assert_eq!(show(&suite), ["1: W [A1] 9x9 D6"]);
}

#[test]
fn nonsense_is_an_error_with_its_line() {
    let folder = folder();
    for (text, line, expected) in [
        ("# fine\n(;SZ[9])\n", 2, "expected a comment"),
        ("1 reg_genmove b\n#? D4\n", 2, "expected an answer in brackets"),
        ("1 reg_genmove b\n\n#? [(]\n", 3, "expected a regular expression"),
        ("1 reg_genmove b\n#? [\n", 2, "expected an answer in brackets"),
        ("play b A1\n\u{7}\u{7}x\n", 2, "expected a comment"),
    ] {
        let error = read_in(&folder, text).unwrap_err().to_string();
        assert!(error.contains(&format!("some.tst: line {line}: ")), "{text:?}: {error}");
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}
