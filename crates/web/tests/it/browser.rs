//! The page in a real Chromium: a visitor plays a whole game, analyses it, looks inside a search and at an experiment.
//! Pictures of every view are kept in `screenshots` of the folder for test files, to be looked at.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::browser_support::{Browser, choose_file};
use crate::common::Running;
use serde_json::json;

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots")
}

/// Pictures of what is shown, for a desk and for a phone.
fn both(browser: &mut Browser, name: &str) {
    browser.resize(390, 844, true);
    browser.eval("scrollTo(0, 0)");
    browser.picture(&pictures(), &format!("{name}-phone"));
    browser.resize(1280, 900, false);
    browser.eval("scrollTo(0, 0)");
    browser.picture(&pictures(), &format!("{name}-desktop"));
}

#[test]
fn a_visitor_goes_through_all_views() {
    let Some(program) = crate::browser_support::find() else {
        return println!("skipped: no Chromium is installed");
    };
    let dir = tempfile::tempdir().unwrap();
    crate::common::experiment(&dir.path().join("results"));
    crate::common::self_play(&dir.path().join("runs"));
    let downloads = dir.path().join("downloads");
    std::fs::create_dir(&downloads).unwrap();
    let nets = dir.path().join("nets");
    crate::common::nets(&nets);
    let server = Running::start(dir.path(), |config| config.nets = Some(nets));
    let mut browser = Browser::start(&program);
    browser.resize(1280, 900, false);
    browser.call(
        "Page.setDownloadBehavior",
        &json!({"behavior": "allow", "downloadPath": downloads.display().to_string()}),
    );
    // Frames that take long are counted from the start, to be reported, with the longest script in each.
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({"source": "window.longFrames = []; new PerformanceObserver(list => { for (const entry of list.getEntries()) \
               longFrames.push(`${Math.round(Math.max(0, ...entry.scripts.map(script => script.duration)))} of \
               ${Math.round(entry.duration)}`.replace(/\\s+/g, ' ')); }).observe({entryTypes: ['long-animation-frame']});"}),
    );
    let start = Instant::now();
    browser.open(&server.link);
    browser.wait("document.querySelector('.goban.playable')");
    println!("from the address to a clickable board: {:?}", start.elapsed());

    // Whoever comes to another view first finds the game all the same.
    browser.call("Page.navigate", &json!({"url": "about:blank"}));
    browser.open(&format!("{}#lab", server.link));
    browser.wait("document.querySelector('.experiments button')");
    browser.click("#tab-play");
    browser.wait("document.querySelector('.goban.playable')");
    // A page that the browser keeps hangs up, and comes back with all that follows here.
    browser
        .eval("(() => { for (const name of ['pagehide', 'pageshow']) dispatchEvent(new Event(name)); })()");
    play(&mut browser, &server, &downloads);
    analyse(&mut browser);
    inside(&mut browser);
    networks(&mut browser, &dir.path().join("nets"));
    laboratory(&mut browser);
    self_play(&mut browser);

    let long = browser.eval("longFrames");
    println!("frames over 50 ms since the reload, and the longest script in each, in ms: {long}");
    assert_eq!(browser.complaints(&server.link), Vec::<String>::new());
}

/// How many stones of a kind stand on the board.
fn stones(browser: &mut Browser) -> u64 {
    browser.eval("document.querySelectorAll('.goban g > .stone:not(.hovering)').length").as_u64().unwrap()
}

/// The stones as text.
fn stones_text(browser: &mut Browser) -> String {
    browser.eval("document.querySelector('.goban').dataset.stones").as_str().unwrap().to_string()
}

/// Clicks on an empty point, this one if it is, and waits for the answer.
fn play_near(browser: &mut Browser, point: usize) {
    let board = stones_text(browser);
    let n_moves = browser.eval("Number(document.querySelector('.walk input').max)");
    let at = (0..81).map(|step| (point + 7 * step) % 81).find(|&at| board.as_bytes()[at] == b'.').unwrap();
    browser.click_point(at);
    browser.wait(&format!("Number(document.querySelector('.walk input').max) > {n_moves}"));
    my_turn(browser);
}

fn my_turn(browser: &mut Browser) {
    browser.wait("/Your move/.test(document.querySelector('.status').textContent) || document.querySelector('#accept')");
}

/// A whole game on 9×9 to the score, with undo, hint, a reload, and SGF out and in.
fn play(browser: &mut Browser, server: &Running, downloads: &Path) {
    browser.click("#new-game");
    browser.wait("document.querySelector('dialog.new-game[open]')");
    browser.picture(&pictures(), "new-game-desktop");
    browser.eval("(() => { const l = document.querySelector('#level'); l.value = 1; l.dispatchEvent(new Event('input')); })()");
    browser.click("#start-game");
    my_turn(browser);
    for point in [40, 20, 24] {
        play_near(browser, point);
    }
    browser.wait("/Move 6 of 6/.test(document.querySelector('main').textContent)");
    let before = stones(browser);
    assert!(before >= 5, "{before} stones");
    browser.press("Undo");
    browser.wait("/Move 4 of 4/.test(document.querySelector('main').textContent)");
    // The area first, then the move; a pass has no area.
    browser.click("#hint");
    browser.wait("document.querySelector('.goban .look-here') || /Hint/.test(document.querySelector('#toast').textContent)");
    if browser.eval("Boolean(document.querySelector('.goban .look-here'))") == json!(true) {
        browser.click("#hint");
        browser.wait(
            "document.querySelector('.goban .mark.star') && !document.querySelector('.goban .look-here')",
        );
    }
    both(browser, "play-hint");

    // The game is there again after a reload, and the keyboard plays, too.
    browser.open(&server.link);
    browser.wait("/Move 4 of 4/.test(document.querySelector('main').textContent)");
    my_turn(browser);
    browser.eval("document.querySelector('.goban').focus()");
    browser.key("ArrowUp");
    // From the middle to the left until a point is empty.
    let row = stones_text(browser);
    let steps = (0..5).position(|step| row.as_bytes()[40 - step] == b'.').unwrap();
    (0..steps).for_each(|_| browser.key("ArrowLeft"));
    browser.key("Enter");
    browser.wait("Number(document.querySelector('.walk input').max) >= 6");
    my_turn(browser);
    browser.key("Escape");
    browser.key("ArrowLeft");
    browser.wait("/Move 5 of 6/.test(document.querySelector('main').textContent)");
    browser.key("End");
    for point in [6, 11, 16, 34, 46, 60, 65, 70] {
        play_near(browser, point);
    }
    // Whoever passes and passes sees Tengen take what it wants, and pass in the end.
    for _ in 0..200 {
        if browser.eval("Boolean(document.querySelector('#accept'))") == json!(true) {
            break;
        }
        browser.press("Pass");
        std::thread::sleep(Duration::from_millis(60));
        my_turn(browser);
    }
    browser.wait("document.querySelector('#accept') && !document.querySelector('#accept').disabled");
    browser.wait("document.querySelector('table.score')");
    both(browser, "play-count");
    // Living chains are marked dead until the count changes (one within its own area changes nothing), and alive again.
    let total = browser.text("table.score tfoot");
    let n_dead = "document.querySelectorAll('.goban .stone.dead').length";
    let dead_before = browser.eval(n_dead);
    let click = |browser: &mut Browser, nth: usize| {
        let dead = browser.eval(n_dead);
        browser.eval(&format!(
            "(() => {{ const [x, y] = testPoints[{nth}]; document.elementFromPoint(x, y).dispatchEvent(\
             new MouseEvent('click', {{bubbles: true, clientX: x, clientY: y}})); }})()"
        ));
        browser.wait(&format!("{n_dead} !== {dead}"));
    };
    browser.eval("window.testPoints = []");
    let mut n_clicked = 0;
    while browser.text("table.score tfoot") == total {
        let found = browser.eval(
            "(() => { const c = document.querySelector('.goban g > .stone:not(.dead) .body'); if (!c) return false; \
             const r = c.getBoundingClientRect(); testPoints.push([r.x + r.width / 2, r.y + r.height / 2]); return true; })()",
        );
        assert_eq!(found, json!(true), "an empty board counts like the full one");
        click(browser, n_clicked);
        n_clicked += 1;
    }
    for nth in (0..n_clicked).rev() {
        click(browser, nth);
    }
    assert_eq!(browser.eval(n_dead), dead_before);
    assert_eq!(browser.text("table.score tfoot"), total);
    browser.click("#accept");
    browser.wait("document.querySelector('.result')");
    // What the game turned on is looked for by itself.
    browser.wait("document.querySelector('.turns .turn, .turns p:not(.busy)')");
    both(browser, "play-over");
    let result = browser.text(".result");
    assert!(result.contains("wins by") || result.contains("You win by"), "{result}");

    // The file says the same, and the page reads it.
    browser.press("Save SGF");
    let start = Instant::now();
    let file = loop {
        let found = std::fs::read_dir(downloads).unwrap().flatten().map(|entry| entry.path());
        if let Some(file) =
            found.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "sgf"))
        {
            break file;
        }
        assert!(start.elapsed() < crate::common::PATIENCE, "no file was saved");
        std::thread::sleep(Duration::from_millis(50));
    };
    let text = std::fs::read_to_string(&file).unwrap();
    let result = result.rsplit_once('(').unwrap().1.trim_end_matches(").").to_string();
    assert!(text.contains(&format!("RE[{result}]")), "{result}: {text}");
    let n_stones = stones(browser);
    let n_moves = browser.eval("Number(document.querySelector('.walk input').max)");
    // It opens as a game of its own that is over.
    browser.eval("document.querySelector('.result').classList.add('old')");
    choose_file(browser, &file);
    browser.wait("document.querySelector('.result:not(.old)')");
    assert_eq!(stones(browser), n_stones);
    assert_eq!(browser.eval("Number(document.querySelector('.walk input').max)"), n_moves);
}

fn analyse(browser: &mut Browser) {
    browser.press("Analyse");
    browser.wait("location.hash === '#analyse'");
    let took = browser.wait("document.querySelectorAll('.moves tbody tr').length > 0");
    println!("from opening a position to its candidates: {took:?}");
    // Who owns what is plain at the end of the game; an even opening need not shade anything.
    browser.eval("document.querySelector('#show-ownership').click()");
    browser.wait("document.querySelectorAll('.owner').length > 5");
    // Back to the beginning, where there is much to choose from.
    browser.key("Home");
    browser.wait("/^Move 0 of/.test(document.querySelector('#place').textContent)");
    let took = browser.wait("document.querySelectorAll('.candidate').length >= 3");
    println!("from going to a position to its candidates: {took:?}");
    measure(browser, "analysing");
    both(browser, "analyse");
    // The expected line is shown on the board for a move under the pointer.
    browser.hover(".moves tbody tr");
    browser.wait("document.querySelectorAll('.ghost').length >= 1");
    browser.picture(&pictures(), "analyse-line-desktop");
    // The table is drawn anew all the time, and still can be clicked and keeps the focus.
    let n_knots = "document.querySelectorAll('.knot').length";
    let before = browser.eval(n_knots).as_u64().unwrap();
    browser.eval("document.querySelector('.moves tbody tr:nth-child(2)').focus()");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(browser.eval("document.activeElement.tagName"), json!("TR"));
    browser.click_slowly(".moves tbody tr:nth-child(3)");
    browser.wait(&format!("{n_knots} > {before}"));
    browser.hover("h1");
    browser.key("Home");
    browser.wait("/^Move 0 of/.test(document.querySelector('#place').textContent)");
    browser.wait("document.querySelectorAll('.candidate').length >= 3");

    // A variation, and the whole game looked at.
    browser.key("ArrowRight");
    browser.click_point(10);
    browser.wait("document.querySelectorAll('.knot').length > 3 && document.querySelector('.here')");
    browser.key("Home");
    browser.eval("document.querySelector('#survey-playouts').value = 100");
    browser.click("#survey");
    // The button says Stop meanwhile, but on a fast machine not for long enough to be seen.
    browser.wait("document.querySelector('.chart .curve').getAttribute('d').split('L').length > 8");
    browser.wait("/Review/.test(document.querySelector('#survey').textContent)");
    browser.eval("document.querySelector('.chart').scrollIntoView({block: 'center'})");
    browser.picture(&pictures(), "analyse-graph-desktop");

    // Stop means stop.
    browser.eval("scrollTo(0, 0)");
    browser.click("#run");
    browser.wait("/· stopped/.test(document.querySelector('main').textContent)");
    let playouts = browser.text("#facts");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(browser.text("#facts"), playouts);
}

/// Prints what the page's thread works for each message while a search is watched: its own time, so that a busy machine does
/// not count.
fn measure(browser: &mut Browser, what: &str) {
    browser.call("Performance.enable", &json!({"timeDomain": "threadTicks"}));
    let look = |browser: &mut Browser| {
        let metrics = browser.call("Performance.getMetrics", &json!({}));
        let find = |name: &str| {
            let all = metrics["metrics"].as_array().unwrap();
            all.iter().find(|metric| metric["name"] == name).unwrap()["value"].as_f64().unwrap()
        };
        let times = [find("ScriptDuration"), find("TaskDuration")];
        let is_message = |event: &&serde_json::Value| event["method"] == "Network.webSocketFrameReceived";
        (times, browser.events.iter().filter(is_message).count())
    };
    let (before, n_before) = look(browser);
    std::thread::sleep(Duration::from_secs(1));
    let (after, n_after) = look(browser);
    let n = (n_after - n_before).max(1) as f64;
    let [script, task] = [0, 1].map(|idx| 1e3 * (after[idx] - before[idx]) / n);
    println!("{what}: {script:.1} ms of script for each message, {task:.1} ms with drawing");
}

fn inside(browser: &mut Browser) {
    browser.click("#tab-inside");
    browser.wait("document.querySelector('#recipe-a')?.options.length > 5");
    let set = |id: &str, value: &str| {
        format!(
            "(() => {{ const s = document.querySelector('{id}'); s.value = '{value}'; s.dispatchEvent(new Event('change')); }})()"
        )
    };
    browser.eval(&set("#recipe-a", "goyui-rave"));
    browser.eval(&set("#recipe-b", "goyui-lwr-manhattan"));
    browser.eval(&set("#simulations", "2000"));
    browser.eval(&set("#inside-from", "9"));
    browser.click("#run-inside");
    browser.wait("document.querySelectorAll('.pane').length === 2");
    browser.wait("[...document.querySelectorAll('.pane')].every(p => /done/.test(p.textContent))");
    // Value, visits and weights are drawn as curves of many points, for both.
    let curves =
        "[...document.querySelectorAll('.pane')].map(p => p.querySelectorAll('.curves figure').length)";
    assert_eq!(browser.eval(curves), json!([3, 3]));
    let points = "Math.min(...[...document.querySelectorAll('.curves figure')].map(f => \
                  Math.max(...[...f.querySelectorAll('path[stroke]')].map(p => p.getAttribute('d').split('L').length))))";
    let n_points = browser.eval(points).as_u64().unwrap();
    assert!(n_points > 20, "{n_points} points");
    assert!(browser.text(".pane:nth-child(1) table").contains("rave"));
    assert!(browser.text(".pane:nth-child(2) table").contains("lwr"));
    both(browser, "inside");
    browser.eval(&set(".pane select", "beta 1"));
    browser.wait("document.querySelectorAll('.pane .heat').length > 20");
    browser.eval("document.querySelector('.pane').scrollIntoView()");
    browser.picture(&pictures(), "inside-beta-desktop");
    // The tree, move by move.
    browser.click(".search-tree .twig");
    browser.wait("document.querySelectorAll('.search-tree .twig[aria-level=\"2\"]').length > 0");
    // By keys as well: to the first answer, which opens, and is closed again. There may be nothing below it.
    let n_open = "document.querySelectorAll('.search-tree .twig[aria-expanded=true]').length";
    browser.key("ArrowRight");
    browser.wait("document.activeElement.getAttribute('aria-level') === '2'");
    browser.key("ArrowRight");
    browser.wait(&format!("{n_open} === 2"));
    browser.key("ArrowLeft");
    browser.wait(&format!("{n_open} === 1"));
    browser.eval("document.querySelector('.search-tree').scrollIntoView()");
    browser.picture(&pictures(), "inside-tree-desktop");
}

/// Something is chosen in a list, as a visitor does once it is there.
fn choose(browser: &mut Browser, selector: &str, value: &str) {
    let option = format!("{selector} option[value={value:?}]");
    browser.wait(&format!("document.querySelector({option:?})"));
    browser.eval(&format!(
        "(() => {{ const s = document.querySelector({selector:?}); s.value = {value:?}; s.dispatchEvent(new Event('change')); }})()"
    ));
}

/// A network is chosen, changed while it is asked, and lost; in a game and in an analysis.
fn networks(browser: &mut Browser, folder: &Path) {
    browser.click("#tab-analyse");
    // A file that holds no network is named with the reason and cannot be chosen.
    browser.wait("document.querySelector('#analysis-net')?.options.length === 5");
    let broken = "[...document.querySelector('#analysis-net').options].find(o => o.value === 'broken')";
    assert_eq!(
        browser.eval(&format!("{broken}.disabled && /cannot be used/.test({broken}.text)")),
        json!(true)
    );
    browser.click("#run");
    browser.wait("/playouts ·/.test(document.querySelector('main').textContent)");
    let first_sight =
        |net: &str| format!("/{net} at first sight/.test(document.querySelector('main').textContent)");
    choose(browser, "#analysis-net", "one");
    browser.wait(&first_sight("one"));
    browser.wait("/visits ·/.test(document.querySelector('main').textContent)");
    assert_eq!(browser.eval("document.querySelector('#recipe').value"), json!("katago"));
    browser.eval("document.querySelector('#show-policy').click()");
    browser.wait("document.querySelectorAll('.goban .heat').length > 10");
    both(browser, "analyse-net");
    browser.eval("document.querySelector('#show-policy').click()");
    // Whatever is chosen last is what is told of in the end.
    for net in ["two", "", "one", "two", "one", "", "two"] {
        choose(browser, "#analysis-net", net);
        std::thread::sleep(Duration::from_millis(90));
    }
    browser.wait(&first_sight("two"));
    browser.wait("/visits ·/.test(document.querySelector('main').textContent)");
    // The whole game is looked at with the network as well.
    choose(browser, "#survey-playouts", "20");
    browser.click("#survey");
    browser.wait("document.querySelector('.chart .curve').getAttribute('d').split('L').length > 8");
    browser.wait("/Review/.test(document.querySelector('#survey').textContent)");
    browser.eval("scrollTo(0, 0)");

    // One of two recipes asks the network.
    browser.click("#tab-inside");
    choose(browser, "#recipe-a", "katago");
    choose(browser, "#recipe-b", "uct");
    choose(browser, "#inside-net", "one");
    choose(browser, "#simulations", "500");
    browser.click("#run-inside");
    browser.wait("/katago with one/.test(document.querySelector('.pane').textContent)");
    browser.wait("[...document.querySelectorAll('.pane')].every(p => /done/.test(p.textContent))");

    // A game against a network.
    browser.click("#tab-play");
    browser.click("#new-game");
    choose(browser, "#opponent-net", "two");
    browser.wait("/visits a move/.test(document.querySelector('dialog.new-game output').textContent)");
    browser.picture(&pictures(), "new-game-net-desktop");
    browser.click("#start-game");
    browser.wait("/two, .* a move/.test(document.querySelector('.players').textContent)");
    browser.wait("Number(document.querySelector('.walk input').max) === 0");
    my_turn(browser);
    play_near(browser, 40);

    // A file that is gone is told of, and not offered any more.
    browser.click("#tab-analyse");
    browser.wait(&first_sight("two"));
    std::fs::remove_file(folder.join("two.bin")).unwrap();
    browser.key("ArrowRight");
    browser.wait("/the network two is not in the folder/.test(document.querySelector('#toast').textContent)");
    browser.wait("document.querySelector('#analysis-net').value === '' && document.querySelector('#analysis-net').options.length === 4");
    browser.wait("/playouts ·/.test(document.querySelector('main').textContent)");
}

fn self_play(browser: &mut Browser) {
    browser.wait("document.querySelector('.experiments button[data-name=crosses]')");
    browser.click("button[data-name=crosses]");
    browser.wait("/Noughts and crosses/.test(document.querySelector('.run h2')?.textContent)");
    browser.wait("document.querySelectorAll('.run .moves tbody tr').length > 5");
    browser.click(".run .moves tbody tr");
    browser.wait("/Move 0 of/.test(document.querySelector('.run .replay')?.textContent)");
    for _ in 0..3 {
        browser.key("ArrowRight");
    }
    browser
        .wait("document.querySelectorAll('.text-board circle.black, .text-board circle.white').length === 3");
    std::thread::sleep(Duration::from_millis(500));
    both(browser, "self-play");
    // Back to an experiment, and nothing of the run is left.
    browser.click("button[data-name=thinking]");
    browser.wait("document.querySelector('.lab table tbody tr') && !document.querySelector('.run')");
}

fn laboratory(browser: &mut Browser) {
    browser.click("#tab-lab");
    // What was said of something else has had its time, and is not in the pictures.
    browser.wait("!document.querySelector('#toast.shown')");
    browser.wait("/thinking/.test(document.querySelector('.experiments')?.textContent)");
    browser.wait("document.querySelectorAll('.lab table tbody tr').length > 0");
    both(browser, "lab");
    browser.click("button.link");
    browser.wait("document.querySelectorAll('.moves tbody tr').length === 4");
    browser.click(".moves tbody tr");
    // The keys move only what has come.
    browser.wait("/Move 0 of/.test(document.querySelector('.replay')?.textContent)");
    for _ in 0..4 {
        browser.key("ArrowRight");
    }
    browser.wait("/Move 4 of/.test(document.querySelector('.replay').textContent)");
    browser.picture(&pictures(), "lab-replay-desktop");
    browser.press("Report");
    browser.wait("document.querySelector('iframe.report')");
    let start = Instant::now();
    let is_report = |event: &serde_json::Value| {
        let response = &event["params"]["response"];
        event["method"] == "Network.responseReceived"
            && response["status"] == 200
            && response["url"].as_str().is_some_and(|url| url.ends_with("/lab/report?name=thinking"))
    };
    while !browser.events.iter().any(is_report) {
        assert!(start.elapsed() < crate::common::PATIENCE, "no report");
        std::thread::sleep(Duration::from_millis(100));
        browser.eval("1");
    }
    std::thread::sleep(Duration::from_millis(500));
    browser.picture(&pictures(), "lab-report-desktop");
}
