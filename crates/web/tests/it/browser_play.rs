//! Play in a real Chromium, on a phone and at a desk: a learner is shown a blunder and takes it back, has several games at
//! once, ends one and begins the next, with a finger, with the mouse and with the keyboard alone, in four languages.

use std::path::{Path, PathBuf};

use crate::browser_support::Browser;
use crate::common::Running;
use serde_json::json;

const PHONE: (u32, u32) = (390, 844);
const DESK: (u32, u32) = (1440, 900);

fn picture(browser: &mut Browser, name: &str) {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
    browser.picture(&folder, &format!("play-{name}"));
}

fn resize(browser: &mut Browser, (width, height): (u32, u32), dark: bool) {
    browser.resize(width, height, dark);
    browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": width < 600}));
}

/// Sets a field of a form and says so, as a visitor's change does.
fn set(browser: &mut Browser, selector: &str, value: &str) {
    browser.wait(&format!("document.querySelector({selector:?})"));
    browser.eval(&format!(
        "(() => {{ const e = document.querySelector({selector:?}); e.value = {value:?}; \
         for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {{bubbles: true}})); }})()"
    ));
}

/// Begins a game on a small board against the weakest level.
fn begin(browser: &mut Browser, size: usize, teach: bool) {
    browser.click("#new-game");
    browser.wait("document.querySelector('dialog.new-game[open]')");
    set(browser, "dialog.new-game input[type=number]", &size.to_string());
    set(browser, "#level", "1");
    browser.eval(&format!("document.querySelector('#new-teach').checked = {teach}"));
    browser.click("#start-game");
    browser.wait(&format!(
        "Math.sqrt(document.querySelector('.goban').dataset.stones.length) === {size} && {}",
        moves(0)
    ));
    my_turn(browser);
}

/// Whether `n` moves have been made.
fn moves(n: usize) -> String {
    format!("document.querySelector('.walk input').max === '{n}'")
}

fn my_turn(browser: &mut Browser) {
    browser.wait("/Your move/.test(document.querySelector('.status').textContent)");
}

/// Whether all of an element is on the screen.
fn in_sight(browser: &mut Browser, selector: &str) {
    let test = format!(
        "(() => {{ const r = document.querySelector({selector:?})?.getBoundingClientRect(); \
         return r?.width > 0 && r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth; }})()"
    );
    browser.wait(&test);
}

fn noted(browser: &mut Browser, text: &str) {
    browser.wait(&format!(
        "document.querySelector('.board .note:not([hidden])')?.textContent.includes({text:?})"
    ));
}

/// Goes on with Tab until this element has the focus.
fn tab_to(browser: &mut Browser, selector: &str) {
    for _ in 0..60 {
        if browser.eval(&format!("Boolean(document.activeElement?.matches({selector:?}))")) == json!(true) {
            return;
        }
        browser.key("Tab");
    }
    panic!("Tab does not come to {selector}");
}

#[test]
fn a_learner_plays_ends_and_keeps_games() {
    let Some(program) = crate::browser_support::find() else {
        return println!("skipped: no Chromium is installed");
    };
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path(), |_| {});
    let mut browser = Browser::start(&program);
    resize(&mut browser, PHONE, true);
    browser.open(&server.link);
    browser.wait("document.querySelector('.goban.playable')");
    on_a_phone(&mut browser);
    resize(&mut browser, DESK, false);
    at_a_desk(&mut browser);
    by_keyboard(&mut browser);
    at_the_end(&mut browser);
    languages(&mut browser);
    assert_eq!(browser.complaints(&server.link), Vec::<String>::new());
}

/// Teaching, with a finger: the board and its buttons are in sight, a tap shows the stone, a second one plays it.
fn on_a_phone(browser: &mut Browser) {
    browser.eval("scrollTo(0, 500)");
    begin(browser, 7, true);
    for selector in [".goban", ".actions", ".status"] {
        in_sight(browser, selector);
    }
    picture(browser, "start-phone");
    browser.tap_point(0);
    browser.wait("document.querySelector('.goban .hovering')");
    noted(browser, "Tap again");
    assert_eq!(browser.eval(&moves(0)), json!(true), "one tap plays nothing");
    picture(browser, "tap-phone");
    browser.tap_point(0);
    // The corner is a blunder: it is said before Tengen answers.
    browser.wait("document.querySelector('.lesson:not([hidden])')");
    assert_eq!(browser.eval(&moves(1)), json!(true), "Tengen waits");
    assert!(browser.eval("document.querySelectorAll('.goban .ghost').length").as_u64().unwrap() > 1);
    for selector in [".goban", "#take-back", "#play-on"] {
        in_sight(browser, selector);
    }
    picture(browser, "lesson-phone");
    browser.click("#other-line");
    browser.wait("/in reply/.test(document.querySelector('.lesson').textContent)");
    browser.click("#take-back");
    browser.wait(&moves(0));
    browser.wait("document.querySelector('.lesson').hidden");
    browser.tap_point(24);
    browser.tap_point(24);
    browser.wait(&moves(2));
    // Another tab and back, from far down: the board is in sight again.
    browser.click("#tab-lab");
    browser.wait("document.querySelector('.lab')");
    browser.eval("scrollTo(0, document.body.scrollHeight)");
    browser.click("#tab-play");
    in_sight(browser, ".goban");
}

/// A new game while one runs, both in My games; a blunder again; clicks that play nothing say why.
fn at_a_desk(browser: &mut Browser) {
    begin(browser, 9, true);
    browser.click_point(0);
    browser.wait("document.querySelector('.lesson:not([hidden])')");
    picture(browser, "lesson-desk");
    browser.click_point(40);
    noted(browser, "Take the move back");
    browser.click("#take-back");
    browser.wait(&moves(0));
    browser.wait("document.querySelector('.lesson').hidden");
    my_turn(browser);
    browser.click_point(0);
    browser.wait("document.querySelector('.lesson:not([hidden])')");
    browser.click("#play-on");
    browser.wait(&moves(2));
    my_turn(browser);
    browser.click_point(0);
    noted(browser, "already");
    browser.key("ArrowLeft");
    browser.wait("/Move 1 of 2/.test(document.querySelector('main').textContent)");
    browser.click_point(40);
    noted(browser, "earlier position");
    assert_eq!(browser.eval(&moves(2)), json!(true), "nothing was played");
    browser.click("#my-games");
    browser.wait("document.querySelectorAll('.game-card').length === 2");
    picture(browser, "games-desk");
    resize(browser, PHONE, true);
    picture(browser, "games-phone");
    resize(browser, DESK, false);
    // Renamed, opened, and the other one opened again.
    browser.click(".game-card:not(.current) [data-do=rename]");
    browser.wait("document.querySelector('dialog.question[open] input')");
    browser.write("The little one");
    browser.key("Enter");
    browser.wait("/The little one/.test(document.querySelector('.game-list').textContent)");
    browser.click(".game-card:not(.current) .open-game");
    browser.wait("document.querySelector('.goban').dataset.stones.length === 49");
    browser.wait("/The little one/.test(document.querySelector('main').textContent)");
}

/// The keyboard alone: a move, a game from the list, and a question.
fn by_keyboard(browser: &mut Browser) {
    tab_to(browser, "#my-games");
    browser.key("Enter");
    browser.wait("document.querySelector('dialog.my-games[open]')");
    browser.wait("document.querySelectorAll('.game-card').length === 2");
    tab_to(browser, ".game-card:not(.current) .open-game");
    browser.key("Enter");
    browser.wait("document.querySelector('.goban').dataset.stones.length === 81");
    my_turn(browser);
    browser.wait("!document.querySelector('dialog[open]')");
    browser.eval("document.activeElement?.blur()");
    tab_to(browser, ".goban");
    // The first arrow shows the middle; from there down to an empty point.
    let stones = browser.eval("document.querySelector('.goban').dataset.stones");
    let n_down = (0..5).position(|row| stones.as_str().unwrap().as_bytes()[40 + 9 * row] == b'.').unwrap();
    (0..=n_down).for_each(|_| browser.key("ArrowDown"));
    browser.key("Enter");
    browser.wait("Number(document.querySelector('.walk input').max) > 2");
    browser.wait("document.querySelector('.lesson:not([hidden])') || /Your move/.test(document.querySelector('.status').textContent)");
    if browser.eval("Boolean(document.querySelector('.lesson:not([hidden])'))") == json!(true) {
        tab_to(browser, "#play-on");
        browser.key("Enter");
        my_turn(browser);
    }
    browser.key("Escape");
    // A question is not answered by the first key that comes; Escape leaves all as it was.
    tab_to(browser, "#resign");
    browser.key("Enter");
    browser.wait("document.querySelector('dialog.question[open]')");
    picture(browser, "question-desk");
    browser.key("Enter");
    browser.wait("!document.querySelector('dialog.question')");
    assert_eq!(browser.eval("Boolean(document.querySelector('.result'))"), json!(false));
    assert_eq!(browser.eval("document.activeElement.id"), json!("resign"), "the focus comes back");
    browser.key("Enter");
    browser.wait("document.querySelector('dialog.question[open]')");
    tab_to(browser, "#agree");
    browser.key("Enter");
    browser.wait("document.querySelector('.result')");
}

/// Where the game turned, and the next one.
fn at_the_end(browser: &mut Browser) {
    browser.wait("document.querySelector('.end:not([hidden])')");
    browser.wait("document.querySelector('.turns .turn, .turns p:not(.busy)')");
    assert!(browser.text(".status").is_empty(), "nobody is to move");
    picture(browser, "end-desk");
    resize(browser, PHONE, true);
    browser.eval("scrollTo(0, 0)");
    picture(browser, "end-phone");
    browser.eval("document.querySelector('.end').scrollIntoView()");
    picture(browser, "end-turns-phone");
    resize(browser, DESK, false);
    browser.click_point(30);
    noted(browser, "over");
    browser.click("#level-up");
    browser.wait("document.querySelector('.end').hidden");
    browser.wait("/level 2/.test(document.querySelector('.players').textContent)");
    // The finished one opens for study, and is deleted after a question.
    browser.click("#my-games");
    browser.click(".game-card.over .open-game");
    browser.wait("document.querySelector('.result') && document.querySelector('.end:not([hidden])')");
    browser.click("#swap");
    browser.wait("/Tengen/.test(document.querySelector('.player').textContent)");
    browser.wait("document.querySelector('.end').hidden");
    browser.click("#my-games");
    browser.wait("document.querySelectorAll('.game-card').length >= 3");
    let n = browser.eval("document.querySelectorAll('.game-card').length");
    browser.click(".game-card.over [data-do=delete]");
    browser.wait("document.querySelector('dialog.question[open]')");
    browser.click("#agree");
    browser.wait(&format!("document.querySelectorAll('.game-card').length === {n} - 1"));
    browser.click("#close-games");
}

/// Every language of the chooser, which is remembered.
fn languages(browser: &mut Browser) {
    for (code, play, pass) in
        [("zh", "对局", "停一手"), ("ja", "対局", "パス"), ("ko", "대국", "패스"), ("en", "Play", "Pass")]
    {
        browser.eval("window.isOld = true");
        set(browser, "#language", code);
        browser.wait("!window.isOld && document.querySelector('.goban')?.dataset.stones && document.querySelector('#pass')");
        assert_eq!((browser.text("#tab-play"), browser.text("#pass")), (play.to_string(), pass.to_string()));
        if code != "en" {
            picture(browser, &format!("{code}-desk"));
            resize(browser, PHONE, false);
            browser.click("#new-game");
            browser.wait("document.querySelector('dialog.new-game[open]')");
            picture(browser, &format!("{code}-new-phone"));
            browser.key("Escape");
            resize(browser, DESK, false);
        }
    }
}
