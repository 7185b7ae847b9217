//! Analyse and Problems in a real Chromium, on a desk and on a phone: a long record is walked through, written on and saved
//! without loss; problems are solved and failed; the page's logic is tested piece by piece.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use sgf::{Collection, NodeId};

use crate::browser_support::{self, Browser, choose_file};
use crate::common::{PATIENCE, Running};

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots")
}

#[test]
fn the_logic_of_the_page_holds() {
    let Some(program) = browser_support::find() else {
        return println!("skipped: no Chromium is installed");
    };
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| ());
    let mut browser = Browser::start(&program);
    browser.open(&server.link);
    let result = browser.eval(include_str!("../page/logic.js"));
    assert_eq!(result["failures"], json!([]));
    assert!(result["passed"].as_array().unwrap().len() > 10, "{result}");
}

/// A record of 210 moves with all kinds of properties.
fn long_record() -> String {
    let letter = |n: usize| (b'a' + n as u8) as char;
    let even = (0..190).map(|n| (n % 19, n / 19 * 2));
    let odd = (0..20).map(|n| (n % 10 * 2, 1 + n / 10 * 2));
    let mut text = "(;GM[1]FF[4]CA[UTF-8]AP[Other:1.0]SZ[19]KM[6.5]PB[Anna]BR[3d]PW[Ben]WR[2k]EV[Cup]RO[2]DT[2020-01-02]PC[Here]\
                    TM[600]OT[5x30 byo-yomi]RE[B+R]GN[Long]XY[unknown][twice]C[The start\\: \\] of it]"
        .to_string();
    for (idx, (column, row)) in even.chain(odd).enumerate() {
        let (color, left) = if idx % 2 == 0 { ("B", "BL") } else { ("W", "WL") };
        let _ = write!(text, ";{color}[{}{}]{left}[{}]", letter(column), letter(row), 600 - idx);
        match idx % 10 {
            3 => text.push_str("TR[aa][cc:dd]SQ[ee]CR[ff]MA[gg]SL[hh]N[here]"),
            6 => text.push_str("LB[aa:A][bb:12]TB[qq:rr]TW[ss]C[A comment]V[0.5]GB[1]"),
            9 => text.push_str("AR[aa:bb]LN[cc:dd]DD[ss]FG[257:x]HO[1]"),
            _ => {}
        }
    }
    text + ")"
}

/// Every property of every node of the main line and its variations, by the node's place among its siblings.
fn properties(text: &str) -> BTreeMap<String, Vec<(String, Vec<String>)>> {
    let mut all = BTreeMap::new();
    let collection = Collection::parse(text).unwrap();
    let game = &collection.games[0];
    let mut waiting = vec![(NodeId::ROOT, "0".to_string())];
    while let Some((node, place)) = waiting.pop() {
        waiting.extend(game.children(node).enumerate().map(|(idx, child)| (child, format!("{place}.{idx}"))));
        let values =
            |property: sgf::Property<'_>| property.values().map(|value| value.raw().to_string()).collect();
        let own = game.properties(node).map(|property| (property.ident().to_string(), values(property)));
        all.insert(place, own.collect());
    }
    all
}

/// How many of the board and its buttons there are, and which of them are out of sight, with their places.
const SIGHT: &str = "(() => { const all = [...document.querySelectorAll('.stage .goban, .steps button')]; \
    const head = document.querySelector('.top').getBoundingClientRect().bottom; \
    return [all.length, all.map((e) => e.getBoundingClientRect()).filter((r) => r.top < head - 1 || r.left < 0 || r.bottom > innerHeight + 1 || r.right > innerWidth + 1) \
      .map((r) => [head, scrollY, innerWidth, innerHeight, r.left, r.top, r.right, r.bottom])]; })()";

/// Steps through a game with a button at the place where it stood at first: it would be missed if it moved away.
fn walk(browser: &mut Browser, n_moves: usize) {
    let at = browser.resting_place(".steps button:nth-of-type(3)");
    for n in 1..=n_moves {
        browser.click_at(&at);
        browser.wait(&format!("document.querySelector('#place').textContent === 'Move {n} of 210'"));
        if n % 20 == 0 || n == 1 {
            assert_eq!(browser.eval(SIGHT), json!([5, []]), "after {n} moves");
        }
    }
}

/// The only file of the folder, once it is whole; it is taken away.
fn saved(downloads: &Path) -> String {
    let start = Instant::now();
    loop {
        let files = std::fs::read_dir(downloads).unwrap().flatten().map(|entry| entry.path());
        for file in files.filter(|path| path.extension().is_some_and(|ending| ending == "sgf")) {
            let text = std::fs::read_to_string(&file).unwrap();
            if text.trim_end().ends_with(')') {
                std::fs::remove_file(file).unwrap();
                return text;
            }
        }
        assert!(start.elapsed() < PATIENCE, "no file was saved");
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// What differs between two records, by node.
fn differences(before: &str, after: &str) -> Vec<String> {
    let (before, after) = (properties(before), properties(after));
    let none = Vec::new();
    let places: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut all = Vec::new();
    for place in places {
        let (old, new) = (before.get(place).unwrap_or(&none), after.get(place).unwrap_or(&none));
        let moves = place.len() / 2;
        all.extend(old.iter().filter(|one| !new.contains(one)).map(|(ident, _)| format!("{moves}-{ident}")));
        all.extend(
            new.iter()
                .filter(|one| !old.contains(one))
                .map(|(ident, values)| format!("{moves}+{ident}{values:?}")),
        );
    }
    all
}

#[test]
fn a_long_record_is_walked_through_written_on_and_saved_without_loss() {
    let Some(program) = browser_support::find() else {
        return println!("skipped: no Chromium is installed");
    };
    let dir = tempfile::tempdir().unwrap();
    let downloads = dir.path().join("downloads");
    std::fs::create_dir(&downloads).unwrap();
    let record = long_record();
    let file = dir.path().join("long.sgf");
    std::fs::write(&file, &record).unwrap();
    let server = Running::start(dir.path(), |_| ());
    let mut browser = Browser::start(&program);
    let to = json!({"behavior": "allow", "downloadPath": downloads.display().to_string()});
    browser.call("Page.setDownloadBehavior", &to);
    for (width, height, name) in [(1440, 900, "desktop"), (390, 844, "phone")] {
        browser.resize(width, height, width < 600);
        browser.open(&format!("{}#analyse", server.link));
        browser
            .wait("document.querySelector('#run') && document.querySelector('#recipe').options.length > 3");
        // Nothing is searched for now.
        if browser.eval("document.querySelector('#run').getAttribute('aria-pressed')") == json!("true") {
            browser.key(" ");
        }
        choose_file(&mut browser, &file);
        browser.wait("document.querySelector('#place').textContent === 'Move 0 of 210'");
        // Buttons stay where they are wherever the panel was scrolled to.
        browser.eval(
            "(() => { scrollTo(0, 500); document.querySelector('.staged > .panel').scrollTop = 400; })()",
        );
        walk(&mut browser, 200);
        browser.picture(&pictures(), &format!("analyse-200-{name}"));
        // Home means the start, and nothing that comes late moves away from it.
        browser.key("Home");
        browser.key("ArrowRight");
        browser.key("Home");
        browser.wait("document.querySelector('#place').textContent === 'Move 0 of 210'");
        browser.eval("scrollTo(0, 0)");
    }
    write_on(&mut browser, &record, &downloads);
    assert_eq!(browser.complaints(&server.link), Vec::<String>::new());
}

/// Writes on the record, on the phone by touch and on the desk by keys alone, and compares what is saved.
fn write_on(browser: &mut Browser, record: &str, downloads: &Path) {
    browser.press("Save SGF");
    assert_eq!(differences(record, &saved(downloads)), [""; 0], "nothing was changed");

    for _ in 0..4 {
        browser.key("ArrowRight");
    }
    browser.wait("document.querySelector('#node-name').value === 'here'");
    assert_eq!(browser.eval("document.querySelectorAll('.goban .mark.triangle').length"), json!(5));
    browser.click("[data-tool=letter]");
    browser.click_point(180);
    browser.wait("[...document.querySelectorAll('.goban .mark.label')].some(e => e.textContent === 'A')");
    browser.picture(&pictures(), "analyse-marks-phone");
    browser.click("[data-tool=play]");
    browser.resize(1440, 900, true);
    choose(browser, "#numbers", "all");
    browser.picture(&pictures(), "analyse-marks-dark-desktop");
    choose(browser, "#numbers", "none");

    // From here on by keys alone: a comment, a variation, and the file.
    browser.tab_to("#comment");
    browser.write("A ] note");
    browser.tab_to(".goban");
    browser.key("ArrowUp");
    browser.key("ArrowDown");
    browser.key("Enter");
    browser.wait("document.querySelector('#place').textContent === 'Move 5 of 5'");
    browser.key("Escape");
    browser.tab_to("#save-sgf");
    browser.key("Enter");
    let all = differences(record, &saved(downloads));
    let variation = r#"5+B["jk"]"#;
    assert_eq!(all, [r#"4+C["A \\] note"]"#, r#"4+LB["jj:A"]"#, variation]);
    // What was written is there again after a reload.
    browser.reload();
    browser.wait("document.querySelector('#place')?.textContent === 'Move 5 of 5'");
    browser.key("ArrowLeft");
    browser.wait("document.querySelector('#comment').value === 'A ] note'");
}

/// Something is chosen in a list.
fn choose(browser: &mut Browser, selector: &str, value: &str) {
    browser.eval(&format!(
        "(() => {{ const s = document.querySelector({selector:?}); s.value = {value:?}; s.dispatchEvent(new Event('change')); }})()"
    ));
}

#[test]
fn a_record_with_an_illegal_move_opens_up_to_it() {
    let Some(program) = browser_support::find() else {
        return println!("skipped: no Chromium is installed");
    };
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.sgf");
    std::fs::write(&file, "(;SZ[9]PB[A]PW[B];B[ee];W[cc];B[ee];W[gg])").unwrap();
    let server = Running::start(dir.path(), |_| ());
    let mut browser = Browser::start(&program);
    browser.resize(1440, 900, false);
    browser.open(&format!("{}#analyse", server.link));
    browser.wait("document.querySelector('#recipe')?.options.length > 3");
    choose_file(&mut browser, &file);
    browser.wait("/shown up to move 2.*move 3/.test(document.querySelector('#notice').textContent)");
    browser.key("End");
    browser.wait("document.querySelector('#place').textContent === 'Move 2 of 2'");
    // The candidates are coloured and shaped by what they cost, and told by points if that is wanted.
    browser.wait("document.querySelectorAll('.candidate').length >= 2");
    browser.picture(&pictures(), "analyse-candidates-desktop");
    choose(&mut browser, "#measure", "score");
    browser
        .wait("[...document.querySelectorAll('.candidate .strong')].some(e => /^[+−0]/.test(e.textContent))");
    // In another language, on a phone.
    browser.eval("localStorage.setItem('tengen.language', '\"ja\"')");
    browser.resize(390, 844, false);
    browser.reload();
    browser.wait("document.documentElement.lang === 'ja' && document.querySelector('#save-sgf')");
    browser.wait("document.querySelectorAll('.candidate').length >= 2");
    browser.eval("document.querySelector('.marking').scrollIntoView({block: 'start'})");
    browser.picture(&pictures(), "analyse-japanese-phone");
    assert_eq!(browser.complaints(&server.link), Vec::<String>::new());
}

#[test]
fn problems_are_solved_and_failed() {
    let Some(program) = browser_support::find() else {
        return println!("skipped: no Chromium is installed");
    };
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| ());
    let mut client = server.enter();
    client.ask(&json!({"ask": "problems"}));
    let set = client.told("problems")["sets"][0].clone();
    let file = dir.path().join("two.sgf");
    let text = "(;SZ[9]GN[Corner]AB[cc][dd]AW[ee](;B[aa];W[ab];B[bb]C[RIGHT])(;B[ff]C[WRONG];W[gg]))(;SZ[9]AB[cc]AW[dd];W[aa])";
    std::fs::write(&file, text).unwrap();
    let mut browser = Browser::start(&program);
    for (width, height, name) in [(1440, 900, "desktop"), (390, 844, "phone")] {
        browser.resize(width, height, width < 600);
        browser.call("Page.navigate", &json!({"url": "about:blank"}));
        browser.open(&format!("{}#problems", server.link));
        state(&mut browser, "open");
        let first = usize::from(name == "phone");
        // The progress of the desk is remembered.
        browser.wait(&format!("document.querySelectorAll('.dot.solved').length === {first}"));
        browser.click(&format!(".dot:nth-child({})", first + 1));
        let problem = &set["problems"][first];
        let right = problem["right"][0].as_i64().unwrap();
        let wrong = wrong_point(&mut browser, right);
        browser.click_point(wrong);
        state(&mut browser, "wrong");
        browser.wait("document.querySelectorAll('.goban .ghost').length >= 1");
        browser.picture(&pictures(), &format!("problem-failed-{name}"));
        browser.key("r");
        state(&mut browser, "open");
        browser.click_point(usize::try_from(right).unwrap());
        state(&mut browser, "right");
        browser.wait(&format!("document.querySelectorAll('.dot.solved').length === {}", first + 1));
        browser.picture(&pictures(), &format!("problem-solved-{name}"));
        file_of_problems(&mut browser, &file);
    }
    let right = set["problems"][1]["right"][0].as_i64().unwrap();
    key_before_entering(&mut browser, right);
    assert_eq!(browser.complaints(&server.link), Vec::<String>::new());
}

fn state(browser: &mut Browser, wanted: &str) {
    browser.wait(&format!("document.querySelector('#problem-status')?.dataset.state === '{wanted}'"));
}

/// An empty point beside the right one on which a stone has a liberty.
fn wrong_point(browser: &mut Browser, right: i64) -> usize {
    let stones = browser.eval("document.querySelector('.goban').dataset.stones");
    let stones = stones.as_str().unwrap().as_bytes().to_vec();
    let side = stones.len().isqrt();
    let is_free = |at: usize| {
        let near = [
            at.checked_sub(side),
            Some(at + side),
            (!at.is_multiple_of(side)).then(|| at - 1),
            (at % side + 1 < side).then_some(at + 1),
        ];
        near.iter().flatten().any(|&near| stones.get(near) == Some(&b'.'))
    };
    let is_wrong = |&at: &usize| stones[at] == b'.' && at as i64 != right && is_free(at);
    (0..stones.len()).find(is_wrong).unwrap()
}

/// Home is pressed after Analyse was chosen and before it has opened the position: it is meant for that position all the same.
fn key_before_entering(browser: &mut Browser, right: i64) {
    browser.reload();
    state(browser, "open");
    let wrong = wrong_point(browser, right);
    browser.click_point(wrong);
    state(browser, "wrong");
    browser.eval(
        "(() => { const home = () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true})); \
         addEventListener('hashchange', home, {once: true}); document.querySelector('#problem-study').click(); })()",
    );
    browser.wait("document.querySelector('#place')?.textContent === 'Move 0 of 1'");
}

/// Two problems of a file: one is failed and solved with an answer in between, the other follows.
fn file_of_problems(browser: &mut Browser, file: &Path) {
    choose_file(browser, file);
    browser.wait("/Corner/.test(document.querySelector('#problem-title').textContent)");
    browser.click_point(50);
    state(browser, "wrong");
    assert!(browser.text("#problem-status").contains("G3"), "the file’s own refutation");
    browser.press("Try again");
    browser.click_point(0);
    browser.wait("document.querySelector('.goban').dataset.stones[9] === 'O'");
    state(browser, "open");
    browser.click_point(10);
    state(browser, "right");
    browser.press("Next problem");
    browser.wait("/Problem 2/.test(document.querySelector('#problem-place').textContent)");
    assert!(browser.text("#problem-status").contains("White to play"));
    browser.press("Show the answer");
    state(browser, "answer");
}
