//! The games beside Go, in every command that knows games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("games-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Runs `tengen` in a folder with these words, and these lines typed.
fn run_in(dir: &Path, words: &[&str], typed: &str) -> Output {
    cargo_bin_cmd!("tengen").current_dir(dir).args(words).write_stdin(typed).output().unwrap()
}

fn run(words: &str) -> Output {
    let words: Vec<&str> = words.split_whitespace().collect();
    run_in(Path::new("."), &words, "")
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn complaint(output: Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

fn json(output: Output) -> Value {
    let text = text(output);
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn a_match_of_hex_is_played_kept_and_continued() {
    let dir = folder("match");
    let words = |games: &'static str| {
        let fixed =
            ["match", "--game", "hex", "--size", "5", "--a", "hex", "--b", "random", "--playouts", "200"];
        [&fixed[..], &["--seed", "3", "--json", "--out", "out", "--parallel", "2", "--games", games]].concat()
    };
    let score = json(run_in(&dir, &words("4"), ""));
    assert_eq!((&score["games"], &score["wins_a"]), (&Value::from(4), &Value::from(4)), "{score}");
    let first = fs::read_to_string(dir.join("out/game-0001.sgf")).unwrap();
    for part in ["GM[11]", "SZ[5]", "PB[hex]", "PW[random]", "RE[B+", ";B[", "seeds: Black "] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let terms = lab::store::Store::open_read(&dir.join("out")).unwrap().pairings().unwrap().remove(0).terms;
    assert_eq!(terms["game"], "hex,swap=true");
    assert!(!terms.contains_key("komi"));
    let longer = json(run_in(&dir, &words("6"), ""));
    assert_eq!(longer["games"], 6);
    // What was played is a game that can be explained.
    let explained = json(run_in(
        &dir,
        &["explain", "--game", "hex", "out/game-0001.sgf", "--move", "3", "--json", "--playouts", "50"],
        "",
    ));
    assert_eq!((&explained["size"], &explained["before_move"]), (&Value::from("5x5"), &Value::from(3)));
}

#[test]
fn the_same_seed_gives_the_same_match_however_many_tables() {
    let dir = folder("seed");
    for game in ["hex", "connect-four"] {
        let play = |parallel: &str| {
            let out = format!("{game}-{parallel}");
            let size = if game == "hex" { vec!["--size", "4"] } else { Vec::new() };
            let own = format!("{game}@playouts=30");
            let mut words = vec!["match", "--game", game, "--a", "uct@playouts=60", "--b", &own];
            words.extend(["--games", "6", "--parallel", parallel, "--out", &out]);
            words.extend(size);
            text(run_in(&dir, &words, ""));
            let game = |n: u64| {
                let record = fs::read_to_string(dir.join(&out).join(format!("game-{n:04}.sgf"))).unwrap();
                let tree = &sgf::Collection::parse(&record).unwrap().games[0];
                player::boardgame::record::moves(tree)
            };
            (1..=6).map(game).collect::<Vec<_>>()
        };
        assert_eq!(play("1"), play("3"), "{game}");
    }
}

#[test]
fn what_only_go_has_is_refused_by_name() {
    let base = "match --a random --b random --games 1";
    for (words, expected) in [
        ("--game hex --komi 7.5", "--komi: hex"),
        ("--game connect-four --rules chinese", "--rules: connect-four"),
        ("--game hex --handicap 2", "--handicap: hex"),
        ("--game hex --openings balanced", "--openings: hex"),
        ("--game hex --referee board", "--referee: hex"),
        ("--game hex --pass-below 0.1", "--pass-below: hex"),
        ("--game hex --max-moves 9", "--max-moves: hex"),
        ("--game hex --size 20", "--game hex: hex is played on boards from 2x2 to 19x19, not 20x20"),
        ("--game connect-four --size 8", "played on a board of 7x6, not 8x8"),
        ("--game shogi", "\"shogi\" is not a game"),
        ("--game hex,swap=1", "swap=1: expected true or false"),
    ] {
        let error = complaint(run(&format!("{base} {words}")));
        assert!(error.contains(expected), "{words}: {error}");
    }
    for (words, expected) in [
        ("match --game hex --a mogo-uct --b random --games 1", "--a: \"mogo-uct\" does not suit hex: `mogo`"),
        (
            "match --game hex --a random --b policy:mogo --games 1",
            "--b: \"policy:mogo\" is a playout policy of Go",
        ),
        ("play --game hex --handicap 3", "--handicap: hex"),
        ("gtp --game hex --kgs-chat", "--kgs-chat: hex"),
        ("explain --game connect-four --komi 3", "--komi: connect-four"),
        ("bench playouts --game hex --komi 3", "--komi: hex"),
        ("bench search --game hex --recipe leaf.policy=mogo", "hex knows only the policy `uniform`"),
        ("gtp --game hex --recipe leaf.policy=mogo", "hex knows only the policy `uniform`"),
        ("explain", "expected the record of a game"),
    ] {
        let error = complaint(run(words));
        assert!(error.contains(expected), "{words}: {error}");
    }
}

#[test]
fn a_laboratory_plays_any_game_from_file_to_report() {
    let dir = folder("lab");
    for (game, players) in [
        ("hex,swap=false", "a = \"hex@playouts=50\"\nb = \"random\"\n"),
        ("connect-four", "a = \"connect-four@playouts=50\"\nb = \"random\"\n"),
    ] {
        let name = game.split(',').next().unwrap();
        let size = if name == "hex" { "size = 4\n" } else { "" };
        let file = format!(
            "title = \"t\"\n[terms]\ngame = \"{game}\"\n{size}\n[players]\n{players}\n[[group]]\nkind = \"round-robin\"\ngames = 6\n"
        );
        fs::write(dir.join(format!("{name}.toml")), file).unwrap();
        let toml = format!("{name}.toml");
        text(run_in(&dir, &["lab", "run", &toml], ""));
        text(run_in(&dir, &["lab", "report", &toml], ""));
        let page = fs::read_to_string(dir.join(format!("results/{name}/report.md"))).unwrap();
        assert!(
            page.contains(game) && !page.contains("komi") && !page.contains("no player should do"),
            "{page}"
        );
        let status = text(run_in(&dir, &["lab", "status", &format!("results/{name}")], ""));
        assert!(!status.contains(" lost "), "{status}");
        text(run_in(&dir, &["lab", "export", &format!("results/{name}"), "--csv"], ""));
    }
}

#[test]
fn an_experiment_names_what_does_not_suit_its_game() {
    let dir = folder("lab-errors");
    for (terms, expected) in [
        ("game = \"hex\"\nkomi = 7.5", "komi: hex has none"),
        ("game = \"hex\"\nsize = 30", "not 30x30"),
        ("game = \"chess\"", "\"chess\" is not a game"),
        ("game = \"connect-four\"\nopenings = \"balanced:4\"", "openings: connect-four has none"),
    ] {
        let file = format!(
            "title = \"t\"\n[terms]\n{terms}\n[players]\na = \"uct\"\nb = \"random\"\n[[group]]\nkind = \"round-robin\"\ngames = 2\n"
        );
        fs::write(dir.join("x.toml"), file).unwrap();
        let error = complaint(run_in(&dir, &["lab", "run", "x.toml"], ""));
        assert!(error.contains(expected) && error.contains("x.toml"), "{terms}: {error}");
    }
    let file = "title = \"t\"\n[terms]\ngame = \"hex\"\n[players]\na = \"mogo-uct\"\nb = \"random\"\n[[group]]\nkind = \"round-robin\"\ngames = 2\n";
    fs::write(dir.join("x.toml"), file).unwrap();
    let error = complaint(run_in(&dir, &["lab", "run", "x.toml"], ""));
    assert!(error.contains("\"mogo-uct\" does not suit hex"), "{error}");
}

#[test]
fn a_recipe_is_tuned_at_hex() {
    let dir = folder("tune");
    let file = "recipe = \"hex\"\nopponents = [\"uct\"]\nmethod = \"clop\"\ngames = 20\nparallel = 2\n\
                [terms]\ngame = \"hex\"\nsize = 4\nplayouts = 20\nseed = 3\n\
                [parameters.select.c]\nlow = 0.0\nhigh = 1\n";
    fs::write(dir.join("hex.toml"), file).unwrap();
    let result = json(run_in(&dir, &["tune", "hex.toml", "--json", "--out", "out"], ""));
    assert_eq!(result["games"], 20);
}

#[test]
fn positions_are_explained() {
    let hex = text(run("explain --game hex --size 5 --playouts 300 --top 3"));
    for part in [
        "hex,swap=true on 5x5, before move 1: Black to play",
        "Recipe: hex",
        " 1 . . . . . 1",
        "rave",
        "Move: ",
    ] {
        assert!(hex.contains(part), "{part}: {hex}");
    }
    let dir = folder("explain");
    // Black has three stones in a row, open at d.
    fs::write(dir.join("four.sgf"), "(;FF[4]GM[104]SZ[7:6];B[a];W[a];B[b];W[b];B[c];W[c])").unwrap();
    let words =
        ["explain", "--game", "connect-four", "four.sgf", "--json", "--playouts", "500", "--trace", "t.csv"];
    let four = json(run_in(&dir, &words, ""));
    assert_eq!(
        (&four["move"], &four["to_play"], &four["before_move"]),
        (&"d".into(), &"Black".into(), &7.into())
    );
    let trace = fs::read_to_string(dir.join("t.csv")).unwrap();
    assert!(
        trace.starts_with("simulation,move,visits,mc.n,mc.q,mc.beta,value\n") && trace.contains(",d,"),
        "{trace}"
    );
    for (words, expected) in [
        ("explain --game hex four.sgf", "four.sgf: "),
        (
            "explain four.sgf",
            "GM[104] is not Go: expected GM[1]; for a record of connect-four: --game connect-four",
        ),
        ("explain --game connect-four four.sgf --move 9", "--move 9: the game has 6 moves"),
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let error = complaint(run_in(&dir, &words, ""));
        assert!(error.contains(expected), "{error}");
    }
    fs::write(dir.join("bad.sgf"), "(;GM[11]SZ[5];B[a1];W[a1])").unwrap();
    let error = complaint(run_in(&dir, &["explain", "--game", "hex", "bad.sgf"], ""));
    assert!(error.contains("bad.sgf: move 2: a1 cannot be played now"), "{error}");
}

#[test]
fn speed_is_measured() {
    let playouts = json(run("bench playouts --game hex --size 6 --playouts 200 --json"));
    assert_eq!((&playouts["moves_per_playout"], &playouts["size"]), (&36.0.into(), &"6x6".into()));
    let search = json(run("bench search --game connect-four --playouts 500 --json"));
    assert_eq!((&search["simulations"], &search["game"]), (&500.into(), &"connect-four".into()));
    assert!(text(run("bench search --game hex --size 4 --playouts 100")).contains("100 simulations on 4x4"));
}

#[test]
fn a_person_plays_connect_four() {
    let dir = folder("play");
    let words = ["play", "--game", "connect-four", "--playouts", "50", "--seed", "3"];
    let out =
        text(run_in(&dir, &words, "z\nd\nmoves\nhint\nundo\nundo\nd\nresign\nsave g.sgf\nundo\nquit\n"));
    for part in [
        "You are Black (X), Tengen is White. The game is connect-four on 7x6. Type a move like d, or help.",
        "\"z\" is not a column",
        ". . . X . . .",
        "a b c d e f g",
        "Tengen would play ",
        "There is no move of yours to take back.",
        "Result: W+R. Tengen wins.",
        "Saved to g.sgf.",
    ] {
        assert!(out.contains(part), "{part:?} in:\n{out}");
    }
    let record = fs::read_to_string(dir.join("g.sgf")).unwrap();
    assert!(
        record.contains("GM[104]SZ[7:6]PB[You]PW[Tengen]RE[W+R]")
            && record.contains(";B[d]")
            && record.contains(";W["),
        "{record}"
    );
    // As White, against a first stone that may be swapped.
    let out = text(run_in(
        &dir,
        &["play", "--game", "hex", "--size", "3", "--color", "white", "--playouts", "200"],
        "swap\nquit\n",
    ));
    assert!(out.contains("last White swap-pieces"), "{out}");
}

#[test]
fn hex_is_spoken_over_the_protocol() {
    let dir = folder("htp");
    let ask = |words: &[&str], typed: &str| text(run_in(&dir, words, typed));
    let base = ["gtp", "--game", "hex", "--playouts", "100", "--seed", "2"];
    let script = "1 name\n2 protocol_version\n3 boardsize 3\n4 play black c1\n5 play white swap-pieces\n6 showboard\n\
                  7 all_legal_moves\n8 play white b2\n9 undo\n10 undo\n11 undo\n12 boardsize 3 4\n13 play blue b2\n\
                  14 play red a9\n15 known_command hexgui-analyze_commands\n16 final_score\n17 quit\n";
    let out = ask(&base, script);
    for part in [
        "=1 Tengen\n\n=2 2\n\n=3 \n\n=4 \n\n=5 \n\n=6 \n   a b c\n 1 . . . 1\n  2 . . . 2\n   3 O . . 3\n      a b c\n\n",
        "=7 a1 b1 c1 a2 b2 c2 b3 c3\n\n",
        "?8 illegal move: it is Black's turn\n\n=9 \n\n=10 \n\n?11 cannot undo\n\n?12 unacceptable size\n\n",
        "?13 illegal move: it is Black's turn\n\n?14 \"a9\" ",
        "=15 true\n\n?16 cannot score\n\n=17 \n\n",
    ] {
        assert!(out.contains(part), "{part:?} in:\n{out}");
    }
    // A whole game against itself: the last answers are the result.
    let script = "boardsize 3\nplay black a1\n".to_string()
        + &"genmove white\ngenmove black\n".repeat(5)
        + "final_score\nquit\n";
    let out = ask(&["gtp", "--game", "hex", "--playouts", "100", "--no-resign"], &script);
    assert!(out.contains("= B+\n") || out.contains("= W+\n"), "{out}");
    assert!(out.contains("? the game is over\n"), "{out}");
}

#[test]
fn outside_programs_play_over_the_same_protocol() {
    let dir = folder("outside");
    let engine = env!("CARGO_BIN_EXE_tengen");
    let b = format!("gtp:'{engine}' gtp --game hex,swap=false --playouts 40 --seed {{seed}}");
    let words = [
        "match",
        "--game",
        "hex,swap=false",
        "--size",
        "4",
        "--a",
        "random",
        "--b",
        &b,
        "--games",
        "4",
        "--json",
        "--out",
        "o",
    ];
    let score = json(run_in(&dir, &words, ""));
    assert_eq!((&score["games"], &score["wins_b"]), (&4.into(), &4.into()), "{score}");
    // A program of Go knows nothing of such moves.
    let b = format!("gtp:'{engine}' gtp --playouts 10");
    let words = ["match", "--game", "connect-four", "--a", "random", "--b", &b, "--games", "1", "--json"];
    let score = json(run_in(&dir, &words, ""));
    assert_eq!((&score["wins_a"], &score["losses_b"]["nonsense"]), (&1.into(), &1.into()), "{score}");
}

#[test]
fn input_that_ends_is_no_trouble() {
    assert!(text(run("play --game hex")).contains("You are Black (X)"));
}
