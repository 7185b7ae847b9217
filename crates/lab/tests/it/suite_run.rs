//! Players at work on suites: right verdicts, the same ones in every order, and engines that fail.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lab::suite::AttemptResult::{Fail, Pass, UnexpectedFail, UnexpectedPass};
use lab::suite::{AttemptResult, Defaults, Suite, SuiteAttempt, SuiteTally, SuiteTask, json, page, run};
use player::{Allowance, Patience};

fn task(player: &str, playouts: u64) -> SuiteTask {
    SuiteTask {
        entrant: player.parse().unwrap(),
        allowance: Allowance { playouts: Some(playouts), ..Allowance::default() },
        patience: Patience { think: Duration::from_secs(5), ..Patience::default() },
        seed: 1,
        parallel: 1,
    }
}

fn try_all(suites: &[Suite], task: &SuiteTask) -> Vec<SuiteAttempt> {
    run::run(suites, task, &Arc::new(AtomicBool::new(false)), |_| {}).unwrap()
}

/// Black takes four stones at E5 and has won; otherwise White takes three at A5 and has won.
fn regression(folder: &Path) -> Suite {
    let record = "(;SZ[5]KM[0.5]AB[ba][ab][bb][eb][cc][dc][ec][cd]AW[ca][da][cb][db][ac][bc][bd];B[ea])";
    std::fs::write(folder.join("five.sgf"), record).unwrap();
    let tests = "loadsgf five.sgf 1\n1 reg_genmove b\n#? [E5]\n2 reg_genmove b\n#? [E5]*\n3 reg_genmove b\n#? [!E5]*\n\
                 4 reg_genmove b\n#? [A1]\n5 attack D4\n#? [1]\nloadsgf gone.sgf\n6 reg_genmove b\n#? [A1]\n";
    std::fs::write(folder.join("five.tst"), tests).unwrap();
    Suite::read(&folder.join("five.tst"), &Defaults::default()).unwrap()
}

#[test]
fn verdicts_follow_from_answer_and_expectation() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [regression(folder.path())];
    let task = task("default", 400);
    let attempts = try_all(&suites, &task);
    let verdicts: Vec<AttemptResult> = attempts.iter().map(|attempt| attempt.verdict).collect();
    assert_eq!(verdicts, [Pass, UnexpectedPass, Fail, UnexpectedFail], "{attempts:?}");
    let tally = SuiteTally::of(0, &suites[0], &attempts);
    assert_eq!((tally.tried(), tally.passed, tally.failed), (4, 2, 2));
    assert_eq!((tally.unexpected_passes, tally.unexpected_failures), (1, 1));
    assert_eq!((tally.errors, tally.inapplicable_text()), (1, "attack 1".to_string()));
    let summary = json::summary(&suites, &[tally], &task);
    assert_eq!(summary["total"]["passed"], 2);
    assert_eq!(summary["files"][0]["not_applicable_by"]["attack"], 1);
    let cases = json::cases(&suites, &attempts);
    assert_eq!(cases[0]["cases"][0]["played"], "E5");
    assert_eq!(cases[0]["cases"][1]["verdict"], "PASSED");
    assert!(cases[0]["errors"][0]["text"].as_str().unwrap().contains("gone.sgf"));
    let pages = page::pages(&suites, &attempts, &task);
    let [(index, first), (name, second)] = &pages[..] else { panic!("{} pages", pages.len()) };
    assert_eq!([index, name], ["index.html", "five.tst.html"]);
    let (first, second) = (first.html(), second.html());
    assert_eq!(second.matches("<svg ").count(), 4);
    assert!(first.contains("href=\"five.tst.html\"") && second.contains("gone.sgf"));
}

#[test]
fn neither_order_nor_tables_matter() {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../boards/solve");
    let folder = tempfile::tempdir().unwrap();
    let mut captures = Suite::read(&boards.join("captures.txt"), &Defaults::default()).unwrap();
    captures.items.truncate(6);
    let suites = [captures, regression(folder.path())];
    let other_way = [suites[1].clone(), suites[0].clone()];
    let moves = |suites: &[Suite], task: &SuiteTask| {
        let mut moves: Vec<_> = try_all(suites, task)
            .into_iter()
            .map(|one| {
                let suite = &suites[one.suite_idx];
                let case = suite.cases().nth(one.case_idx).unwrap();
                (suite.name(), case.name.clone(), one.played(case), one.value.map(f32::to_bits))
            })
            .collect();
        moves.sort();
        moves
    };
    let usual = task("default", 60);
    let expected = moves(&suites, &usual);
    assert_eq!(moves(&suites, &SuiteTask { parallel: 3, ..usual.clone() }), expected);
    assert_eq!(moves(&other_way, &SuiteTask { parallel: 2, ..usual.clone() }), expected);
    assert_ne!(moves(&suites, &SuiteTask { seed: 2, ..usual }), expected);
}

/// An engine that does all that needs no thought and answers `genmove` with this piece of shell.
fn engine(folder: &Path, genmove: &str) -> String {
    let script = format!(
        "say() {{ printf '=%s %s\\n\\n' \"$id\" \"$1\"; }}\n\
         while read -r id word rest; do case $word in name) say odd;; version) say 1;; genmove) {genmove};; \
         list_commands) say \"$(printf 'boardsize\\nclear_board\\nkomi\\nplay\\ngenmove\\nquit')\";; \
         quit) say; exit 0;; *) say;; esac; done"
    );
    let path = folder.join("odd.sh");
    std::fs::write(&path, script).unwrap();
    format!("gtp:sh {}", path.display())
}

#[test]
fn an_engine_that_dies_is_an_error_of_each_case() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [regression(folder.path())];
    let attempts = try_all(&suites, &task(&engine(folder.path(), "exit 3"), 1));
    assert_eq!(attempts.len(), 4);
    for attempt in &attempts {
        assert_eq!(attempt.verdict, AttemptResult::Error);
        assert!(attempt.decision.as_ref().unwrap_err().contains("crashed"), "{attempt:?}");
    }
    assert_eq!(SuiteTally::of(0, &suites[0], &attempts).errors, 5);
    let nobody = task("gtp:/no/such/engine", 1);
    let error = run::run(&suites, &nobody, &Arc::new(AtomicBool::new(false)), |_| {}).unwrap_err();
    assert!(error.to_string().contains("/no/such/engine"), "{error}");
}

#[test]
fn giving_up_and_illegal_moves_are_no_answers() {
    let folder = tempfile::tempdir().unwrap();
    let suites = [regression(folder.path())];
    for (answer, note) in [("resign", None), ("C2", Some("there is a stone already"))] {
        let player = engine(folder.path(), &format!("say {answer}"));
        let attempts = try_all(&suites, &task(&player, 1));
        assert_eq!(attempts[0].played(suites[0].cases().next().unwrap()).as_deref(), Some(answer));
        // The third case forbids only E5, and still this is no answer to it.
        assert!(attempts.iter().all(|attempt| !attempt.verdict.is_pass()), "{answer}: {attempts:?}");
        if let Some(note) = note {
            assert!(attempts[0].note.as_ref().unwrap().contains(note), "{attempts:?}");
        }
    }
}
