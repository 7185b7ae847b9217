//! `tengen check` on samples of our own, and on the data folder where there is one.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use tempfile::TempDir;

/// What a run said.
struct Run {
    code: i32,
    lines: Vec<String>,
    errors: String,
}

impl Run {
    /// Runs `tengen check` with these words and files.
    fn new(words: &[&str], files: &[PathBuf]) -> Self {
        let output = cargo_bin_cmd!("tengen").arg("check").args(words).args(files).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        Self {
            code: output.status.code().unwrap(),
            lines: text.lines().map(str::to_string).collect(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The last line as JSON.
    fn counts(&self) -> Value {
        serde_json::from_str(self.lines.last().expect("a last line")).unwrap()
    }

    fn count(&self, key: &str) -> u64 {
        self.counts()[key].as_u64().unwrap()
    }

    /// What was found, file names shortened to their last part.
    fn findings(&self) -> Vec<&str> {
        let last_part = |line: &'_ str| line.rfind('/').map_or(0, |slash| slash + 1);
        self.lines[..self.lines.len() - 1].iter().map(|line| &line[last_part(line)..]).collect()
    }
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

/// One line of a game list.
fn line(size: usize, komi: &str, result: &str, source: &str, moves: &str) -> String {
    format!("{size}\t{komi}\t0\t{result}\t?/?\t{source}\t-\t{moves}\n")
}

#[test]
fn records_in_order_are_passed() {
    let folder = TempDir::new().unwrap();
    let handicap = write(
        &folder,
        "handicap.sgf",
        "(;GM[1]SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee];B[ed](;W[dd];B[])(;W[ee]))\n",
    );
    let two = write(&folder, "two.sgf", "(;SZ[5:3];B[ea];W[ac])(;SZ[19]PL[W];W[dd];B[pp];AE[dd];W[dd])");
    let run = Run::new(&["--json"], &[handicap, two]);
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
    assert_eq!((run.count("games"), run.count("plies"), run.count("files")), (3, 9, 2));
    assert!(run.findings().is_empty());
}

#[test]
fn refused_moves_are_named_with_place_and_reason() {
    let folder = TempDir::new().unwrap();
    let ko = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc]\n;B[cb];W[bb]\n;B[cb])";
    let files = [
        write(&folder, "a-ko.sgf", ko),
        write(&folder, "b-suicide.sgf", "(;SZ[5]AB[ba][ab];W[aa])"),
        write(&folder, "c-second.sgf", "(;SZ[9];B[aa])\n(;SZ[9];B[ee];W[ee])"),
        write(
            &folder,
            "d-list.txt",
            &(line(9, "7", "B+R", "x:a:b", "aabb") + &line(9, "7", "?", "x", "aaaa")),
        ),
        write(&folder, "e-off.txt", &line(9, "7", "B+R", "y", "jj")),
    ];
    let run = Run::new(&["--json"], &files);
    assert_eq!((run.code, run.errors.as_str()), (1, ""));
    assert_eq!(
        run.findings(),
        [
            "a-ko.sgf:3:4: move 3: illegal move: Black C4: the ko may not be retaken at once",
            "b-suicide.sgf:1:21: move 1: illegal move: White A5: the stone would have no liberty",
            "c-second.sgf:2:17: game 2: move 2: illegal move: White E5: there is a stone already",
            "d-list.txt:2: x: move 2: illegal move: White A9: there is a stone already",
            "e-off.txt:1: y: move 1: illegal move: Black at column 10, row 10 from the top on a 9x9 board: the point is not on the board",
        ]
    );
    assert_eq!((run.count("illegal"), run.count("repetitions"), run.count("games")), (5, 0, 7));
    assert_eq!(run.counts()["sources"]["x"]["games"], 2);
}

#[test]
fn repetition_depends_on_the_rules() {
    let folder = TempDir::new().unwrap();
    // On 2x2 each side takes everything in turn; the seventh move brings back the board after the first.
    let files = [write(&folder, "cycle.txt", &line(2, "0", "?", "small", "aabbbaabaabaaa"))];
    assert_eq!(Run::new(&["--json"], &files).code, 0);
    for rules in ["chinese,ko=positional", "chinese,ko=situational", "tromp-taylor"] {
        let run = Run::new(&["--json", "--rules", rules], &files);
        assert_eq!((run.code, run.count("repetitions"), run.count("illegal")), (1, 1, 0), "{rules}");
        let expected =
            "cycle.txt:1: small: move 7: illegal move: Black A2: the position would be as after move 1";
        assert_eq!(run.findings(), [expected]);
    }
}

#[test]
fn suicide_depends_on_the_rules() {
    let folder = TempDir::new().unwrap();
    let files = [write(&folder, "two.sgf", "(;SZ[5]AB[ca][bb][ab];W[aa];B[];W[ba])")];
    let run = Run::new(&["--json"], &files);
    assert_eq!((run.code, run.count("illegal"), run.count("plies")), (1, 1, 2));
    assert_eq!(Run::new(&["--rules", "new-zealand"], &files).code, 0);
}

#[test]
fn scores_of_played_out_games_are_compared() {
    let folder = TempDir::new().unwrap();
    // Black owns all nine points.
    let game = |komi, result, source| line(3, komi, result, source, "bbtttt");
    let good = [
        game("7", "B+2", "cgos9:a:b"),
        game("9", "0", "cgos13:a:b"),
        game("9.5", "W+", "patwu-go9x9"),
        game("7", "W+R", "cgos9:a:b"),
        game("7", "W+50", "goquest"),
        game("?", "W+50", "cgos9:a:b"),
        line(3, "7", "W+50", "cgos9:a:b", "bb"),
    ];
    let run = Run::new(&["--json"], &[write(&folder, "good.txt", &good.concat())]);
    assert_eq!((run.code, run.count("scored"), run.count("mismatches")), (0, 3, 0));
    let bad = [game("7", "B+3", "cgos9:a:b"), game("9", "B+", "patwu-go9x9"), game("7", "0", "cgos13")];
    let run = Run::new(&["--json"], &[write(&folder, "bad.txt", &bad.concat())]);
    assert_eq!((run.code, run.count("scored"), run.count("mismatches")), (1, 3, 3));
    assert_eq!(run.findings()[0], "bad.txt:1: cgos9: score mismatch: the board says B+2, the record B+3");
}

#[test]
fn scores_of_records_are_compared_on_request() {
    let folder = TempDir::new().unwrap();
    let files = [write(&folder, "a.sgf", "(;SZ[3]KM[7]RE[B+9];B[bb];W[];B[])")];
    assert_eq!(Run::new(&[], &files).code, 0);
    let run = Run::new(&["--score", "--json"], &files);
    assert_eq!(run.code, 1);
    assert_eq!(run.findings(), ["a.sgf:1:16: score mismatch: the board says B+2, the record B+9"]);
    // The same board counted by territory.
    let files = [write(&folder, "b.sgf", "(;SZ[3]KM[7]RE[B+1];B[bb];W[];B[])")];
    assert_eq!(Run::new(&["--score", "--rules", "japanese"], &files).code, 0);
}

#[test]
fn trouble_with_one_file_does_not_end_the_run() {
    let folder = TempDir::new().unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for _ in 0..5000 {
        encoder.write_all(line(9, "7", "B+R", "packed", "aabbcc").as_bytes()).unwrap();
    }
    let packed = encoder.finish().unwrap();
    let whole = folder.path().join("b.txt.gz");
    fs::write(&whole, &packed).unwrap();
    let cut = folder.path().join("c.txt.gz");
    fs::write(&cut, &packed[..packed.len() - 12]).unwrap();
    let bad_lines = ["9\t7\n".to_string(), line(9, "7", "B+R", "x", "aab"), line(99, "7", "B+R", "x", "aa")];
    let files = [
        folder.path().join("a-missing.sgf"),
        whole,
        cut,
        write(&folder, "d.txt", &(line(9, "7", "?", "x", "aa") + &bad_lines.concat())),
        write(&folder, "e.sgf", "(;SZ[9]\n;B[ee"),
        write(&folder, "f.txt", &"no game list\n".repeat(1000)),
    ];
    let run = Run::new(&["--json"], &files);
    assert_eq!(run.code, 1);
    let says = |part: &str| assert!(run.errors.contains(part), "{part} in {}", run.errors);
    says("a-missing.sgf: No such file");
    says("; expected an SGF file, a list of games or a folder of them");
    says("c.txt.gz:");
    says("d.txt:2: number of fields 2: expected 8, separated by tabs");
    says("d.txt:3: \"b\" is not a point: expected two letters");
    says("d.txt:4: board size 99x99 is not supported");
    says("e.sgf: line 2, column 3: the value of B that begins here is never closed");
    says("f.txt: this is not a game list; the rest is left out");
    assert_eq!(run.counts()["sources"]["packed"]["illegal"], 0);
    assert!(run.counts()["sources"]["packed"]["games"].as_u64().unwrap() > 5000);
    assert_eq!(run.count("unreadable"), 1 + 1 + 3 + 1 + 11);
}

#[test]
fn oddities_are_counted_and_listed_on_request() {
    let folder = TempDir::new().unwrap();
    let files = [write(&folder, "a.sgf", "(;SZ[9]KM[none]\n;B[ee]")];
    let run = Run::new(&["--json"], &files);
    assert_eq!((run.code, run.count("warnings"), run.findings().len()), (0, 2, 0));
    let run = Run::new(&[], &files);
    assert!(run.lines.last().unwrap().ends_with("2 warnings (--warnings lists them)"), "{:?}", run.lines);
    let run = Run::new(&["--json", "--warnings"], &files);
    let findings = run.findings();
    assert!(findings[0].starts_with("a.sgf:2:7: warning: the file ends before 1 missing"), "{findings:?}");
    assert!(findings[1].starts_with("a.sgf:1:"), "{findings:?}");
}

#[test]
fn empty_files_hold_no_game() {
    let folder = TempDir::new().unwrap();
    for name in ["empty.sgf", "empty.txt", "empty"] {
        let run = Run::new(&["--json"], &[write(&folder, name, "\n")]);
        assert_eq!((run.code, run.count("unreadable")), (1, 1), "{name}");
        assert!(run.errors.contains(&format!("{name}: the file holds no game")), "{}", run.errors);
    }
}

#[test]
fn folders_stand_for_the_files_in_them() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("inner")).unwrap();
    write(&folder, "inner/a.sgf", "(;SZ[9];B[ee])");
    write(&folder, "b.SGF", "(;SZ[9];B[ee])");
    write(&folder, "readme.md", "nothing to see");
    let run = Run::new(&["--json"], &[folder.path().to_path_buf()]);
    assert_eq!((run.code, run.count("games")), (0, 2));
    let empty = TempDir::new().unwrap();
    assert_eq!(Run::new(&["--json"], &[empty.path().to_path_buf()]).code, 1);
}

#[test]
fn the_command_line_is_checked() {
    let run = Run::new(&["--rules", "chines"], &[PathBuf::from("x.sgf")]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("did you mean chinese?"), "{}", run.errors);
    assert_eq!(Run::new(&[], &[]).code, 2);
}

/// The first lines of a game list of the data folder in a file of their own, or `None` where there is no folder.
fn slice(folder: &TempDir, name: &str, n_lines: usize) -> Option<PathBuf> {
    let Some(data) = std::env::var_os("TENGEN_DATA") else {
        println!("skipped: TENGEN_DATA is not set, so there are no game lists to check");
        return None;
    };
    let packed = File::open(Path::new(&data).join("games").join(name)).unwrap();
    let lines = BufReader::new(MultiGzDecoder::new(packed)).lines().take(n_lines);
    let text: Vec<String> = lines.collect::<Result<_, _>>().unwrap();
    Some(write(folder, name.trim_end_matches(".gz"), &(text.join("\n") + "\n")))
}

#[test]
fn real_games_are_legal_and_their_scores_right() {
    let folder = TempDir::new().unwrap();
    for name in ["9x9.txt.gz", "13x13.txt.gz", "19x19.txt.gz", "9x9-noresult.txt.gz"] {
        let Some(file) = slice(&folder, name, 5000) else { return };
        let files = [file];
        let run = Run::new(&["--json"], &files);
        assert_eq!((run.code, run.count("games"), run.findings().len()), (0, 5000, 0), "{name}");
        let run = Run::new(&["--json", "--rules", "tromp-taylor"], &files);
        assert_eq!((run.count("illegal"), run.count("mismatches")), (0, 0), "{name}");
        if name.starts_with("13") {
            assert!(run.code == 0 && run.count("scored") > 1000, "{:?}", run.lines);
        }
    }
}

#[test]
fn superko_finds_the_repetitions_among_real_games() {
    let folder = TempDir::new().unwrap();
    let Some(file) = slice(&folder, "19x19.txt.gz", 8000) else { return };
    let run = Run::new(&["--json", "--rules", "chinese,ko=positional"], &[file]);
    let lines: Vec<&str> = run.findings().iter().filter_map(|line| line.split(':').nth(1)).collect();
    assert_eq!(lines, ["5221", "6003", "6069", "7890"]);
    assert_eq!((run.code, run.count("repetitions"), run.count("illegal")), (1, 4, 0));
}
