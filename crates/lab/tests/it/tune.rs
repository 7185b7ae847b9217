//! Tuning tasks as files, and their games on file: what is refused, what is continued, real games on a small board.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab::experiment::TomlFile;
use lab::tune::log::{TuneLog, TunedGame};
use lab::tune::{AxisScale, TuneResult, TuneTask, TunedAxis, play};

fn task(text: &str) -> lab::Result<TuneTask> {
    TuneTask::of_page("a", TomlFile { path: PathBuf::from("a.toml"), text: text.to_string(), follow: true })
}

/// A file that is right, with a parameter table of the test's own.
fn with_parameters(parameters: &str) -> String {
    format!(
        "recipe = \"goyui-bma\"\nopponents = [\"random\"]\nmethod = \"clop\"\ngames = 20\n[terms]\nsize = 5\nplayouts = 8\n\
         {parameters}"
    )
}

#[test]
fn a_file_becomes_a_task() {
    let text = "title = \"both\"\nrecipe = \"goyui-bma@playouts=20\"\nmethod = \"spsa\"\ngames = 202\nparallel = 3\nwalkers = 5\n\
                [terms]\nsize = 5\nseed = 9\n[parameters.mixer.prior]\nlow = 1\nhigh = 1000\nscale = \"log\"\n\
                [parameters]\n\"expand.n\" = { high = 12, step = 2 }\n\
                [parameters.select.c]\nhigh = 2.5\n";
    let task = task(text).unwrap();
    assert_eq!((task.title.as_str(), task.seed, task.parallel), ("both", 9, Some(3)));
    // Against itself a step is a colour pair, so 202 games are 101 steps.
    assert_eq!((task.n_games, task.n_steps(), task.games_per_step()), (202, 101, 2));
    let by_key = |key: &str| task.axes.iter().find(|axis| axis.key == key).unwrap();
    let prior = by_key("mixer.prior");
    // The start is what the recipe has.
    assert_eq!((prior.low, prior.high, prior.scale, prior.start), (1.0, 1000.0, AxisScale::Log, 100.0));
    let expand = by_key("expand.n");
    assert!(expand.whole && expand.high == 12.0 && expand.start == 6.0, "{expand:?}");
    // What the file does not say comes from the declaration.
    let declared = by_key("select.c");
    assert_eq!((declared.low, declared.high, declared.start), (0.0, 2.5, 0.1));
    let values: Vec<f64> = task.axes.iter().map(|axis| axis.start).collect();
    let entrant = task.entrant(&values).unwrap();
    assert!(
        entrant.text().starts_with("goyui-bma ") && entrant.text().ends_with("@playouts=20"),
        "{entrant}"
    );
    assert_eq!(entrant.canonical(), task.base.canonical(), "the base's own values change nothing");
    assert_eq!(task.start().delay(), 5);
}

#[test]
fn a_base_may_set_the_parameter_itself() {
    let text = with_parameters("[parameters.mixer.prior]\nlow = 1\nhigh = 50\n")
        .replace("\"goyui-bma\"", "\"goyui-bma mixer.prior=7\"");
    let task = task(&text).unwrap();
    assert_eq!(task.axes[0].start, 7.0);
    let entrant = task.entrant(&[20.0]).unwrap();
    assert!(entrant.canonical().contains("mixer.prior=20"), "{entrant}");
}

#[test]
fn bad_files_are_refused() {
    let good = "[parameters.mixer.prior]\nlow = 1\nhigh = 100\n";
    assert!(task(&with_parameters(good)).is_ok());
    for (parameters, expected) in [
        (
            "[parameters.mixer.pior]\nlow = 1\n",
            "a.toml, line 8: the recipe has no parameter `mixer.pior`; did you mean `mixer.prior`?",
        ),
        ("[parameters.select]\nlow = 1\n", "only numbers can be tuned"),
        ("[parameters.mixer.prior]\nlow = -3\nhigh = 100\n", "a.toml, line 9: low = -3: `mixer.prior` takes"),
        ("[parameters.mixer.prior]\nlow = 100\nhigh = 10\n", "`mixer.prior` from 100 to 10"),
        ("[parameters.mixer.prior]\nlow = \"few\"\n", "low of `mixer.prior`: expected a number"),
        ("[parameters.mixer.prior]\nlow = [1, 2]\n", "expected a number"),
        ("[parameters.select.c]\nscale = \"log\"\n", "expected low above 0"),
        ("[parameters.mixer.prior]\nlow = 1\nscale = \"cubic\"\n", "expected \"linear\" or \"log\""),
        ("[parameters.mixer.prior]\nlow = 1\nhigh = 9\nstart = 30\n", "starts at 30"),
        (
            "[parameters.mixer.prior]\nlow = 1\nhigh = 9\nstep = 0\n",
            "step = 0: expected a number above 0, at most 8",
        ),
        (
            "[parameters.mixer.prior]\nlo = 1\n",
            "unknown key `lo` of the parameter `mixer.prior`; did you mean `low`?",
        ),
        ("[parameters.expand.n]\nlow = 1.5\n", "low = 1.5: `expand.n` takes"),
        (
            "[parameters.mixer.prior]\nhigh = 9\n[parameters]\n\"mixer.prior\" = {}\n",
            "`mixer.prior` is given twice",
        ),
        ("[parameters]\nmixer = 3\n", "expected a table"),
        ("[parameters]\n", "no parameters"),
    ] {
        let error = task(&with_parameters(parameters)).unwrap_err().to_string();
        assert!(error.contains(expected), "{parameters}\n{error}");
    }
    for (from, to, expected) in [
        ("method = \"clop\"", "method = \"clap\"", "line 3"),
        ("games = 20", "games = 1", "games = 1: expected 2 to"),
        ("opponents = [\"random\"]", "opponents = []", "clop needs opponents"),
        ("opponents = [\"random\"]", "opponents = [\"randomm\"]", "line 2: "),
        ("recipe = \"goyui-bma\"", "recipe = \"random\"", "has no parameters"),
        ("recipe = \"goyui-bma\"", "recipe = \"goyui-bmma\"", "goyui-bma"),
        ("games = 20", "games = 20\nwalkers = 3", "walkers and rate are for method = \"spsa\""),
        ("games = 20", "games = 20\nparallel = 0", "parallel = 0: expected 1 to 256"),
        ("games = 20", "games = 20\nparallel = 257", "parallel = 257: expected 1 to 256"),
        ("games = 20", "games = 3", "games = 3: a step is 2 games"),
        ("games = 20", "games = -3", "games = -3: expected a whole number from 0"),
        ("games = 20", "game = 20", "unknown key `game`; did you mean `games`?"),
        ("size = 5", "size = 99", "line 6"),
        ("size = 5", "handicap = 1", "handicap = 1"),
        ("size = 5", "size = 5\nopenings = \"balanced\"", "expected none or a folder of records"),
    ] {
        let text = with_parameters(good).replace(from, to);
        let error = task(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}\n{error}");
    }
}

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tune-{name}"));
    let _ = fs::remove_dir_all(&dir);
    dir
}

/// Plays until `n_games` games have ended, or all.
fn play(task: &TuneTask, dir: &Path, parallel: usize, n_games: u64) -> lab::Result<TuneResult> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let mut watch = |now: &lab::tune::TuneProgress<'_>| {
        if now.n_games >= n_games {
            flag.store(true, Ordering::Relaxed);
        }
    };
    lab::tune::run(task, dir, parallel, &mut watch, &stop)
}

fn entries(task: &TuneTask, dir: &Path) -> Vec<TunedGame> {
    TuneLog::open(dir, &task.settings()).unwrap().1
}

/// What was played, whatever the order in which it ended.
fn games(task: &TuneTask, dir: &Path) -> Vec<(lab::tune::TuneGameId, [String; 2], String)> {
    let mut games: Vec<_> =
        entries(task, dir).into_iter().map(|entry| (entry.id(), entry.players, entry.game.result)).collect();
    games.sort();
    let n = games.len();
    games.dedup_by_key(|game| game.0);
    assert_eq!(games.len(), n, "no game is there twice");
    games
}

#[test]
fn interrupted_runs_end_like_others() {
    for (name, text) in [
        ("clop", with_parameters("[parameters.mixer.prior]\nlow = 1\nhigh = 1000\nscale = \"log\"\n").replace("games = 20", "games = 44")),
        (
            "spsa",
            "recipe = \"goyui-bma\"\nmethod = \"spsa\"\ngames = 24\n[terms]\nsize = 5\nplayouts = 8\nseed = 4\n\
             [parameters.expand.n]\nlow = 1\nhigh = 20\n[parameters.select.c]\nhigh = 2\n"
                .to_string(),
        ),
    ] {
        let task = task(&text).unwrap();
        let (whole, parts) = (folder(&format!("{name}-whole")), folder(&format!("{name}-parts")));
        let undisturbed = play(&task, &whole, 1, u64::MAX).unwrap();
        assert!(undisturbed.is_complete() && undisturbed.games == task.n_games);
        // Stopped again and again, with two tables, whose games end in another order; once in the middle of a line.
        let mut n_runs = 0;
        loop {
            let before = if parts.exists() { games(&task, &parts).len() as u64 } else { 0 };
            let verdict = play(&task, &parts, 2, before + 7).unwrap();
            n_runs += 1;
            if verdict.is_complete() {
                assert_eq!(format!("{verdict:?}"), format!("{undisturbed:?}"));
                break;
            }
            assert!(verdict.games >= before + 7 && n_runs < 20);
            let path = parts.join("games.jsonl");
            let mut text = fs::read(&path).unwrap();
            text.extend_from_slice(b"{\"step\":3,\"bout\":0,\"ha");
            fs::write(&path, text).unwrap();
        }
        assert!(n_runs > 2);
        assert_eq!(games(&task, &parts), games(&task, &whole));
    }
}

#[test]
fn the_result_is_written() {
    let text = with_parameters("[parameters.mixer.prior]\nlow = 1\nhigh = 1000\nscale = \"log\"\n")
        .replace("games = 20", "games = 30");
    let (task, dir) = (task(&text).unwrap(), folder("result"));
    let verdict = play(&task, &dir, 2, u64::MAX).unwrap();
    verdict.write(&dir).unwrap();
    let best = &verdict.parameters[0];
    assert!(best.low <= best.value && best.value <= best.high && best.low >= 1.0 && best.high <= 1000.0);
    assert!(verdict.recipe.contains(&format!("mixer.prior={}", best.value)), "{}", verdict.recipe);
    assert_eq!(best.bins.iter().map(|bin| bin.games).sum::<u64>(), 30);
    let table = verdict.table();
    assert!(
        table.contains("mixer.prior") && table.contains("95 % interval") && table.contains(&verdict.recipe),
        "{table}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(dir.join("result.json")).unwrap()).unwrap();
    assert_eq!(json["games"], 30);
    assert_eq!(json["parameters"][0]["curve"].as_array().unwrap().len(), 41);
    assert!(json["parameters"][0]["curve"][0]["elo"].is_number());
    let recipe = dir.join("best.recipe");
    assert!(
        player::recipes::parse(recipe.to_str().unwrap()).is_ok(),
        "{}",
        fs::read_to_string(&recipe).unwrap()
    );
    assert!(fs::read_to_string(dir.join("report-mixer-prior.svg")).unwrap().starts_with("<svg"));
    let html = fs::read_to_string(dir.join("report.html")).unwrap();
    let markdown = fs::read_to_string(dir.join("report.md")).unwrap();
    for page in [&html, &markdown] {
        assert!(page.contains("mixer.prior") && page.contains("tengen tune a.toml"), "{page}");
        assert!(page.contains(&verdict.recipe) && page.contains(&verdict.gain.to_string()), "{page}");
    }
    assert!(html.contains("<svg") && markdown.contains("report-mixer-prior.svg"));
}

#[test]
fn other_games_are_refused() {
    let text = with_parameters("[parameters.mixer.prior]\nlow = 1\nhigh = 1000\n")
        .replace("games = 20", "games = 12");
    let (first, dir) = (task(&text).unwrap(), folder("other"));
    play(&first, &dir, 1, u64::MAX).unwrap();
    // Other settings, each named.
    for (from, to, expected) in [
        ("seed", "", "tune.seed is 1 there, 2 here"),
        ("high = 1000", "high = 900", "tune.parameters.mixer.prior.high is 1000.0 there, 900.0 here"),
        ("playouts = 8", "playouts = 9", "playouts is 8 there, 9 here"),
        ("\"random\"", "\"goyui-uct\"", "tune.opponents is "),
    ] {
        let text = if to.is_empty() {
            text.replace("size = 5", "size = 5\nseed = 2")
        } else {
            text.replace(from, to)
        };
        let error = play(&task(&text).unwrap(), &dir, 1, u64::MAX).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // More games of CLOP go on, and fewer are no harm.
    let more = task(&text.replace("games = 12", "games = 16")).unwrap();
    let verdict = play(&more, &dir, 1, u64::MAX).unwrap();
    assert_eq!((verdict.games, games(&more, &dir).len()), (16, 16));
    assert!(play(&first, &dir, 1, u64::MAX).unwrap().is_complete());
    // An edited game is found.
    let path = dir.join("games.jsonl");
    let edited = fs::read_to_string(&path).unwrap().replacen("\"step\":2", "\"step\":5", 1);
    fs::write(&path, &edited).unwrap();
    let error = play(&more, &dir, 1, u64::MAX).unwrap_err().to_string();
    assert!(error.contains("finished game 5"), "{error}");
    fs::write(&path, edited.lines().next().unwrap().to_string() + "\nnonsense\n").unwrap();
    let error = play(&more, &dir, 1, u64::MAX).unwrap_err().to_string();
    assert!(error.contains("games.jsonl, line 2: \"nonsense\" is not a finished game"), "{error}");
    // A file of somebody else is left alone.
    for foreign in ["shopping list\n", "milk", "\u{fffd}\n"] {
        fs::write(&path, foreign).unwrap();
        assert!(play(&more, &dir, 1, u64::MAX).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
    }
    // Two runs in one folder at a time are one too many.
    fs::remove_file(&path).unwrap();
    let _open = TuneLog::open(&dir, &more.settings()).unwrap();
    let error = TuneLog::open(&dir, &more.settings()).unwrap_err().to_string();
    assert!(error.contains("another tuning run is writing"), "{error}");
}

#[test]
fn every_file_of_the_folder_is_sound() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/tune"));
    let mut n_files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let task = TuneTask::load(&entry.unwrap().path()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!task.title.is_empty() && task.n_games >= 100, "{}", task.name);
        // A recipe is built, not only read.
        for values in [|axis: &TunedAxis| axis.low, |axis: &TunedAxis| axis.high] {
            let entrant = task.entrant(&task.axes.iter().map(values).collect::<Vec<_>>()).unwrap();
            let position = goban::Position::new(goban::Size::square(9).unwrap(), goban::Rules::CHINESE);
            let situation = player::searcher::situation(&position, goban::Color::Black);
            let recipe = entrant.recipe().unwrap();
            let built = mcts::go_search::build(recipe, &situation, &mcts::Settings::default());
            assert!(built.is_ok(), "{}: {entrant}: {:?}", task.name, built.err());
        }
        n_files += 1;
    }
    assert!(n_files >= 2);
}

#[test]
fn what_the_games_do_not_tell_is_said() {
    let text = with_parameters("[parameters.mixer.prior]\nlow = 1\nhigh = 1000\n");
    let task = task(&text).unwrap();
    let mut verdict = TuneResult::new(&task, &play::replay(&task, &[]).unwrap()).unwrap();
    let mut warn = |low: f64, high: f64| {
        (verdict.parameters[0].low, verdict.parameters[0].high) = (low, high);
        verdict.warnings().join("")
    };
    let open = warn(1.0, 1000.0);
    assert!(open.starts_with("mixer.prior: ") && !open.contains("1000") && !open.contains("below"), "{open}");
    assert!(warn(1.0, 30.0).starts_with("mixer.prior: the best may be below 1,"));
    assert!(warn(7.0, 1000.0).starts_with("mixer.prior: the best may be above 1000,"));
    assert_eq!(warn(7.0, 30.0), "");
    // A gain that nothing speaks for is not claimed.
    let claim = format!("gain over the base: {} Elo, by the fit to", verdict.gain);
    assert!(verdict.tells() && verdict.table().contains(&claim), "{}", verdict.table());
    (verdict.parameters[0].low, verdict.parameters[0].high) = (1.0, 1000.0);
    assert!(
        !verdict.tells() && verdict.table().contains("gain over the base: not known"),
        "{}",
        verdict.table()
    );
}

#[test]
fn replaying_needs_no_games() {
    let text = with_parameters("[parameters.mixer.prior]\nlow = 1\nhigh = 1000\n");
    let task = task(&text).unwrap();
    let session = play::replay(&task, &[]).unwrap();
    let verdict = TuneResult::new(&task, &session).unwrap();
    assert!(!verdict.is_complete());
    // Nothing is known: the interval is nearly all that may be tried.
    assert!(verdict.parameters[0].low < 50.0 && verdict.parameters[0].high > 950.0, "{verdict:?}");
}
