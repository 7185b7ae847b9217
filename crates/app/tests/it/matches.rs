//! `tengen match` from outside: results, files, interruption and continuation, failing engines.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use lab::experiment::Experiment;
use lab::store::Store;

use crate::match_support::{command, complaint, fake, folder, games, gnugo, results, run, score};

#[test]
fn a_match_is_played_counted_and_kept() {
    let out = folder("kept");
    let output = run(&out, "--a default --b random --playouts 400 --komi 0.5 --games 6 --seed 7");
    let score = score(&output);
    assert_eq!(score["games"], 6);
    assert_eq!(score["draws"], 0);
    assert_eq!(score["wins_a"], 6, "400 playouts beat none: {score}");
    assert_eq!(score["rate_a"], 1.0);
    // 1 / (1 + 3.841459 / 6)
    assert_eq!(score["wilson95"], serde_json::json!([0.609666, 1.0]));
    // Three pairs of two points each.
    assert_eq!(score["pentanomial"], serde_json::json!([0, 0, 0, 0, 3]));
    // Half a point less than all: 400 · log10(5.5 / 0.5) = 416.6; Wilson's lower end 0.609666 is 77.5 Elo; no upper end.
    assert_eq!((&score["elo"], &score["elo95"]), (&416.6.into(), &serde_json::json!([77.5, null])));
    // Φ(3 · ½ / √(3 · ¼)) = Φ(√3).
    assert!((score["los"].as_f64().unwrap() - 0.958368).abs() < 1e-5, "{score}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("as Black") && table.contains("3 of 3") && table.contains("6 games"), "{table}");
    let results = results(&out);
    assert_eq!(results.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!((&results[&1]["black"], &results[&2]["black"]), (&"a".into(), &"b".into()));
    let sgf = fs::read_to_string(out.join("game-0002.sgf")).unwrap();
    for part in ["PB[random]", "PW[default]", "SZ[5]", "KM[0.5]", "RU[chinese]", "RE[W+", "simulations"] {
        assert!(sgf.contains(part), "{part} in {sgf}");
    }
}

#[test]
fn a_longer_match_keeps_its_first_games() {
    let out = folder("longer");
    let words = "--a random --b random --komi 0.5 --seed 3 --games";
    score(&run(&out, &format!("{words} 4")));
    let before = results(&out);
    let touched = |game| -> SystemTime {
        fs::metadata(out.join(format!("game-000{game}.sgf"))).unwrap().modified().unwrap()
    };
    let times: Vec<SystemTime> = (1..=4).map(touched).collect();
    let whole = score(&run(&out, &format!("{words} 8")));
    assert_eq!(whole["games"], 8);
    let after = results(&out);
    assert_eq!(after.len(), 8);
    assert!(before.iter().all(|(game, line)| after[game] == *line));
    assert_eq!((1..=4).map(touched).collect::<Vec<_>>(), times);
    assert_eq!(score(&run(&out, &format!("{words} 8"))), whole, "nothing is left to play");
    let shorter = run(&out, &format!("{words} 2"));
    assert_eq!(score(&shorter)["games"], 2, "only the first two are wanted");
    let told = lab::store::LeftOut { unplanned: 0, beyond: 6 }.words().remove(0);
    assert!(String::from_utf8_lossy(&shorter.stdout).contains(&told), "{shorter:?}");
    assert_eq!(results(&out), after);
}

#[test]
fn the_number_of_tables_changes_no_game() {
    let words = "--a default --b random --playouts 30 --games 10 --seed 11 --rules tromp-taylor --parallel";
    let (one, three) = (folder("one-table"), folder("three-tables"));
    score(&run(&one, &format!("{words} 1")));
    score(&run(&three, &format!("{words} 3")));
    assert_eq!(games(&one), games(&three));
    let other = folder("other-seed");
    score(&run(&other, &words.replace("--seed 11", "--seed 12").replace("--parallel", "--parallel 2")));
    assert_ne!(games(&one), games(&other));
}

#[test]
fn a_killed_match_goes_on_where_it_was() {
    let words = "--a default@playouts=100 --b random --games 40 --parallel 2 --seed 5";
    let (whole, broken) = (folder("whole"), folder("broken"));
    score(&run(&whole, words));
    let mut n_kills = 0;
    for n_wanted in [3, 8, 13] {
        let mut child = command(&broken, words).stdout(Stdio::null()).spawn().unwrap();
        let n_done = || results(&broken).len();
        let deadline = Instant::now() + Duration::from_secs(60);
        while n_done() < n_wanted && child.try_wait().unwrap().is_none() && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        // SIGKILL, in the middle of whatever it does.
        child.kill().unwrap();
        n_kills += u32::from(!child.wait().unwrap().success());
    }
    assert!(n_kills > 0, "the match was over before it could be killed");
    // A game that is in the store has its record, even if the program was killed between the two.
    fs::remove_file(broken.join("game-0001.sgf")).unwrap();
    assert_eq!(score(&run(&broken, words))["games"], 40);
    assert_eq!(games(&broken), games(&whole));
}

#[test]
fn an_interrupted_match_ends_in_order() {
    let out = folder("interrupted");
    let words = "--a default@playouts=2000 --b random --games 100000 --seed 5";
    let child = command(&out, words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while results(&out).is_empty() {
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("the same command goes on"), "{text}");
    assert_eq!(games(&out).len(), results(&out).len());
}

#[test]
fn other_settings_are_refused_by_name() {
    let out = folder("settings");
    score(&run(&out, "--a random --b random --games 1"));
    let text = complaint(&run(&out, "--a random --b default@playouts=5 --komi 6.5 --clock 30 --games 1"));
    for part in [
        "komi is 7.5 there, 6.5 here",
        "clock is not set there, \"30\" here",
        "player \"random (B)\" is \"random\" there",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("seed"), "{text}");
    assert_eq!(results(&out).len(), 1);
    let out = folder("recipes");
    score(&run(&out, "--a random --b uct@playouts=5 --games 1"));
    let mut tengen = command(&out, "--a random --games 1 --b");
    let text = complaint(&tengen.arg("uct select.c=0.7@playouts=6").output().unwrap());
    assert!(text.contains("player \"uct@playouts=5\": playouts is 5 there, 6 here, select.c is"), "{text}");
    assert!(text.contains("there, 0.7 here. Use the same settings") && !text.contains("models"), "{text}");
}

#[test]
fn foreign_files_are_left_alone() {
    let words = "--a random --b random --games 1";
    let out = folder("experiment");
    fs::create_dir_all(&out).unwrap();
    let file = "title = \"x\"\n[players]\na = \"random\"\nb = \"random\"\n[[group]]\nkind = \"round-robin\"\ngames = 2\n";
    fs::write(out.join("x.toml"), file).unwrap();
    drop(Store::open(&out, &Experiment::load(&out.join("x.toml")).unwrap()).unwrap());
    let before = fs::read_dir(&out).unwrap().count();
    let text = complaint(&run(&out, words));
    assert!(text.contains("is the folder of an experiment") && text.contains("--out"), "{text}");
    assert_eq!(fs::read_dir(&out).unwrap().count(), before, "nothing is added");
    // A match of a program that kept its games in another form.
    for name in ["match.json", "results.jsonl"] {
        let out = folder("earlier");
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join(name), "precious").unwrap();
        let text = complaint(&run(&out, words));
        assert!(
            text.contains("an earlier version") && text.contains(name) && text.contains("--out"),
            "{text}"
        );
        assert_eq!(fs::read_to_string(out.join(name)).unwrap(), "precious");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing is added");
    }
    for name in ["game-0001.sgf", "match-foreign.toml"] {
        let out = folder("foreign");
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join(name), "precious").unwrap();
        let text = complaint(&run(&out, words));
        assert!(text.contains(name) && text.contains("no lab.sqlite") && text.contains("--out"), "{text}");
        assert_eq!(fs::read_to_string(out.join(name)).unwrap(), "precious");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing is added");
    }
    // The record of a game that was not counted before the match was killed is written anew.
    let out = folder("left-over");
    score(&run(&out, words));
    fs::write(out.join("game-0002.sgf"), "left over").unwrap();
    score(&run(&out, "--a random --b random --games 2"));
    assert!(fs::read_to_string(out.join("game-0002.sgf")).unwrap().starts_with("(;"));
}

#[test]
fn a_match_that_ends_before_its_first_game_leaves_nothing() {
    let out = folder("nothing").join("deeper");
    let text = complaint(&run(&out, "--a random --b gtp:no-such-engine --games 2"));
    assert!(text.contains("no-such-engine") && text.contains("0 of 2 games"), "{text}");
    assert!(!folder("nothing").exists());
    // Seeds of 64 bits are kept whole.
    let out = folder("large-seed");
    let words = "--a random --b random --games 2 --seed 18446744073709551615";
    let first = score(&run(&out, words));
    assert_eq!(score(&run(&out, words)), first);
    let text = complaint(&run(&out, &words.replace("18446744073709551615", "7")));
    assert!(text.contains("is 18446744073709551615 there, 7 here"), "{text}");
}

#[test]
fn options_that_cannot_be_meant_are_explained() {
    for (words, reason) in [
        ("--a uct@foo=10 --b random", "net=NAME or early-pass=no, not \"foo=10\""),
        ("--a uct@playouts=0 --b random", "playouts=0: expected a number of playouts, at least 1"),
        ("--a random@playouts=3 --b random", "only a recipe"),
        ("--a random --b random --handicap 1", "leave it out"),
        ("--a random --b random --seed -1", "expected a whole number from 0"),
        ("--a random --b random --seed=-1", "expected a whole number from 0"),
        ("--a random --b random --time -1", "expected a positive number of seconds"),
        ("--a random --b random --games -3", "expected a whole number from 1"),
        ("--a random --b random --parallel 257", "expected a whole number from 1 to 256"),
        ("--a random --b random --playouts 0", "expected a whole number, at least 1"),
        ("--a uct@memory=999999G --b random --playouts 5 --games 1", "memory=999999G: this machine has "),
        ("--a random --b random --size 9 --handicap 10", "expected 2 to 9"),
        ("--a random --b random --size 5 --handicap 2", "too small"),
    ] {
        let output = run(&folder("bad-options"), words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(reason), "{words}: {text}");
    }
}

#[test]
fn handicap_stones_stand_on_the_fixed_points() {
    let out = folder("handicap");
    score(&run(&out, "--a random --b random --size 9 --handicap 2 --games 1"));
    let sgf = fs::read_to_string(out.join("game-0001.sgf")).unwrap();
    assert!(
        sgf.contains("HA[2]") && sgf.contains("AB[") && sgf.contains("[gc]") && sgf.contains("[cg]"),
        "{sgf}"
    );
}

/// Whether a process runs; one that only waits to be reaped does not.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|fields| !fields.is_empty() && !fields.starts_with(['Z', 'X']))
}

#[test]
fn timed_a_match_stopped_in_haste_leaves_no_engine() {
    // A long thinker, and one that is silent from the start and tells its number first.
    let out = folder("haste");
    fs::create_dir_all(&out).unwrap();
    let note = out.join("pid");
    for engine in [
        format!("sh -c 'echo $$ > {}; while :; do sleep 60; done'", note.display()),
        format!(
            "sh -c 'echo $$ > {}; exec {} hangs'",
            note.display(),
            &fake("")[4..].trim().replace('\'', "")
        ),
    ] {
        let _ = fs::remove_file(&note);
        let mut tengen = command(&out, "--a random --games 5 --b");
        let child =
            tengen.arg(format!("gtp:{engine}")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while fs::read_to_string(&note).map_or(true, |pid| !pid.ends_with('\n')) {
            assert!(Instant::now() < deadline);
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(300));
        let start = Instant::now();
        for _ in 0..2 {
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
            sleep(Duration::from_millis(100));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(start.elapsed() < Duration::from_secs(5));
        assert!(!is_running(fs::read_to_string(&note).unwrap().trim()));
    }
}

#[test]
fn timed_patience_covers_the_start() {
    let start = Instant::now();
    let mut tengen = command(&folder("slow-start"), "--a random --games 1 --patience 0.5 --b");
    let text = complaint(&tengen.arg("gtp:sleep 60").output().unwrap());
    assert!(text.contains("it failed at the start"), "{text}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_engine_without_line_breaks_fails_at_the_start() {
    let mut tengen = command(&folder("zeros"), "--a random --games 1 --b");
    let output = tengen.arg("gtp:cat /dev/zero").output().unwrap();
    assert!(complaint(&output).contains("it failed at the start") && output.stderr.len() < 5000);
}

#[test]
fn a_folder_holds_one_match_at_a_time() {
    let out = folder("locked");
    score(&run(&out, "--a random --b random --games 1"));
    let file = fs::File::open(out.join("lab.lock")).unwrap();
    file.lock().unwrap();
    let text = complaint(&run(&out, "--a random --b random --games 2"));
    assert!(text.contains("is being played already"), "{text}");
}

#[test]
fn failing_engines_lose_and_the_match_goes_on() {
    for (manner, reason) in
        [("dies", "crash"), ("hangs", "hang"), ("illegal", "illegal"), ("garbage", "nonsense")]
    {
        let out = folder(manner);
        let mut command = command(&out, "--a random --games 3 --patience 0.3 --b");
        let score = score(&command.arg(fake(manner)).output().unwrap());
        assert_eq!((&score["games"], &score["wins_a"]), (&3.into(), &3.into()), "{manner}");
        assert_eq!(score["losses_b"][reason], 3, "{manner}: {score}");
        assert!(results(&out)[&1]["details"].is_string());
    }
}

#[test]
fn engines_that_cannot_start_stop_the_match() {
    let out = folder("unable");
    let mut tengen = command(&out, "--a random --games 3 --b");
    let text = complaint(&tengen.arg(fake("exits-at-start")).output().unwrap());
    assert!(text.contains("no licence found") && text.contains("0 of 3 games"), "{text}");
    let (outer, missing) = (folder("missing"), folder("missing").join("in/deep"));
    let text = complaint(&run(&missing, "--a random --b gtp:no-such-engine --games 3"));
    assert!(text.contains("no-such-engine"), "{text}");
    assert!(!out.exists() && !outer.exists(), "nothing is left of a match without a game");
}

#[test]
fn clocks_are_kept() {
    let out = folder("clock");
    let mut tengen = command(&out, "--a random --games 1 --clock 0.5 --b");
    let score = score(&tengen.arg(fake("late")).output().unwrap());
    assert_eq!(score["losses_b"], serde_json::json!({"time": 1}));
    let sgf = fs::read_to_string(out.join("game-0001.sgf")).unwrap();
    assert!(sgf.contains("RE[B+T]") && sgf.contains("TM[0.5]"), "{sgf}");
}

#[test]
fn gnu_go_beats_random_moves() {
    let Some(gnugo) = gnugo() else { return println!("skipped: GNU Go is not installed") };
    let out = folder("gnugo");
    let engine = format!("gtp:{gnugo} --mode gtp --level 0 --chinese-rules");
    let mut tengen = command(&out, "--a random --size 7 --games 2 --clock 60 --b");
    let score = score(&tengen.args([&engine, "--referee", &engine]).output().unwrap());
    assert_eq!((&score["games"], &score["wins_b"]), (&2.into(), &2.into()), "{score}");
    assert!(score["losses_a"]["score"].is_u64(), "{score}");
    assert!(results(&out)[&1]["note"].as_str().unwrap().starts_with("counted by GNU Go"));
}
