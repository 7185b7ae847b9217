//! AlphaGo's pipeline by the commands of `docs/training.md`, very small, and what is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};

/// Standard output, standard error and whether it succeeded.
fn tengen(folder: &Path, words: &str) -> (String, String, bool) {
    let output =
        cargo_bin_cmd!("tengen").current_dir(folder).args(words.split_whitespace()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

/// Standard output of what must succeed.
fn succeed(folder: &Path, words: &str) -> String {
    let (out, errors, is_good) = tengen(folder, words);
    assert!(is_good, "{words}: {errors}");
    out
}

/// A policy network on 5×5 in `sl/latest.net`.
fn policy_net(folder: &Path) {
    let mut text = String::new();
    for n in 0..100u8 {
        let point = |turn: u8| {
            format!("{}{}", char::from(b'a' + (turn + n) % 5), char::from(b'a' + (2 * turn + n / 5) % 5))
        };
        let moves: String = (0..5).map(point).collect();
        text += &format!("5\t7\t0\tB+R\t?\tmade\t-\t{moves}\n");
    }
    fs::write(folder.join("games.txt"), text).unwrap();
    succeed(folder, "train rows --games games.txt --size 5 --licence CC0 --out sl.rows");
    succeed(
        folder,
        "train policy --rows sl.rows --net b1c8 --steps 60 --batch 32 --warm-up 5 --learning-rate 0.01 --out sl",
    );
}

const REINFORCE: &str = "train reinforce --from sl/latest.net --size 5 --komi 0.5 --games 16 --pool-every 5 --curve-every 5 \
                         --measure-games 20 --learning-rate 0.003";

#[test]
fn the_pipeline_goes_from_games_to_a_player_with_two_networks() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    policy_net(folder);
    let info = succeed(folder, "net info sl/latest.net");
    assert!(info.contains(" --value-weight 0 --score-weight 0 --ownership-weight 0 "), "{info}");

    let out = succeed(folder, &format!("{REINFORCE} --batches 60 --out straight"));
    assert!(out.contains("batch     60: wins ") && out.ends_with("straight/latest.net\n"), "{out}");
    // Killed twice as soon as it has come past another checkpoint; `Child::kill` is a SIGKILL.
    for after in [1, 4] {
        let words = format!("{REINFORCE} --batches 60 --out broken");
        let mut child = Command::new(cargo_bin("tengen"))
            .current_dir(folder)
            .args(words.split_whitespace())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        let n_lines =
            || fs::read_to_string(folder.join("broken/curve.csv")).map_or(0, |text| text.lines().count());
        while n_lines() < after + 1 && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let out = succeed(folder, &format!("{REINFORCE} --batches 60 --threads 2 --out broken"));
    assert!(out.contains("going on after "), "{out}");
    for name in ["latest.net", "checkpoint"] {
        let read = |run: &str| fs::read(folder.join(run).join(name)).unwrap();
        assert!(read("straight") == read("broken"), "{name}");
    }
    let info = succeed(folder, "net info straight/latest.net");
    for part in ["licence      CC0\n", "steps        60\n", "games against earlier selves, go 5x5"] {
        assert!(info.contains(part), "{part}: {info}");
    }

    let words = "train value-rows --policy sl/latest.net --player straight/latest.net --size 5 --komi 0.5 --positions 500 \
                 --out v.rows --held-out v-held.rows";
    let out = succeed(folder, words);
    assert!(out.starts_with("500 rows from ") && out.contains("v-held.rows: 10 rows"), "{out}");
    let (_, errors, is_good) = tengen(folder, words);
    assert!(
        !is_good && errors.contains("v.rows: the file is there; expected a new file, or --append"),
        "{errors}"
    );
    let out = succeed(folder, &format!("{words} --append").replace("500", "550"));
    assert!(out.starts_with("50 rows from "), "{out}");
    let (_, errors, is_good) = tengen(folder, &format!("{words} --append --temperature 0.5 --seed 9"));
    assert!(
        !is_good
            && errors.contains(
                "--out v.rows: temperature 1 there and temperature 0.5 now; seed 1 there and seed 9 now"
            ),
        "{errors}"
    );
    succeed(
        folder,
        "train value --rows v.rows --held-out v-held.rows --net b1c8 --steps 20 --batch 32 --out value",
    );
    let info = succeed(folder, "net info value/latest.net");
    assert!(info.contains(" --policy-weight 0 ") && info.contains("licence      CC0\n"), "{info}");

    let out = succeed(
        folder,
        "match --a policy:net@net=straight/latest.net --b policy:net:temperature=0@net=sl/latest.net --size 5 --komi 0.5 --games 4",
    );
    assert!(out.contains("4 games"), "{out}");
    let two = "net=sl/latest.net,value-net=value/latest.net,playouts=8";
    for recipe in ["alphago", "alphago leaf=short leaf.depth=4"] {
        let words =
            ["match", "--a", &format!("{recipe}@{two}"), "--b", "random", "--size", "5", "--games", "2"];
        let output = cargo_bin_cmd!("tengen").current_dir(folder).args(words).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let output = cargo_bin_cmd!("tengen")
        .current_dir(folder)
        .args("gtp --size 5 --net sl/latest.net --value-net value/latest.net --playouts 8".split(' '))
        .write_stdin("genmove b\nkata-raw-nn 0\nquit\n")
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("whiteWin"), "{out}");
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    policy_net(folder);
    for (words, expected) in [
        ("train reinforce --from none.net --size 5 --batches 3 --out x", "--from none.net"),
        (
            "train reinforce --from sl/latest.net --game hex --batches 3 --out x",
            "expected one that plays hex",
        ),
        ("train reinforce --from sl/latest.net --size 5 --batches 0 --out x", "at least 1"),
        ("train reinforce --from sl/latest.net --size 5 --batches 3 --games 0 --out x", "from 1 to 65536"),
        (
            "train reinforce --from sl/latest.net --size 5 --batches 3 --baseline best --out x",
            "expected none, mean or value",
        ),
        ("train reinforce --from sl/latest.net --size 5 --batches 3 --temperature 0 --out x", "above 0"),
        (
            "train reinforce --from sl/latest.net --game hex --komi 3 --batches 3 --out x",
            "--komi: hex does not have it",
        ),
        (
            "train value-rows --policy sl/latest.net --size 5 --positions 9 --last-move 75 --out x.rows",
            "--last-move 75: expected at least 1 and fewer than the 75 moves",
        ),
        (
            "train value-rows --policy sl/latest.net --player nobody --size 5 --positions 9 --out x.rows",
            "--player nobody",
        ),
        ("gtp --value-net sl/latest.net", "--net"),
        ("gtp --net sl/latest.net --value-net nobody", "--value-net nobody"),
        ("match --a policy:net --b random --size 5", "--a: \"policy:net\" asks a network"),
    ] {
        let (_, errors, is_good) = tengen(folder, words);
        assert!(!is_good && errors.contains(expected), "{words}: {errors}");
    }
    assert!(!folder.join("x").exists() && !folder.join("x.rows").exists());
}
