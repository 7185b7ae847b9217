//! `loadsgf` as GNU Go understands it: the positions of its own suite and of Fuego's, found by GNU Go and by us.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use goban::{Color, Position};
use lab::suite::{Defaults, Until, position};

/// GNU Go, and what it says.
struct GnuGo {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl GnuGo {
    fn start() -> Option<Self> {
        let program = ["/usr/games/gnugo", "gnugo"].into_iter().find(|name| {
            let run =
                Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            run.is_ok_and(|status| status.success())
        })?;
        let mut process = Command::new(program)
            .args(["--mode", "gtp", "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let answers = BufReader::new(process.stdout.take()?);
        Some(Self { process, answers })
    }

    /// The answer, or GNU Go's refusal.
    fn ask(&mut self, command: &str) -> Result<String, String> {
        writeln!(self.process.stdin.as_mut().unwrap(), "{command}").unwrap();
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.answers.read_line(&mut line).unwrap(), 0, "GNU Go died of {command}");
            if line.trim().is_empty() && !answer.is_empty() {
                break;
            }
            answer += &line;
        }
        let text = answer[1..].trim().to_string();
        if answer.starts_with('=') { Ok(text) } else { Err(text) }
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// All different `loadsgf` lines of a folder's tests, with the record's path.
fn loads(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut lines = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "tst") {
            let text = std::fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&text);
            for line in text.lines().filter_map(|line| line.strip_prefix("loadsgf ")) {
                let mut words = line.split_whitespace();
                if let Some(file) = words.next() {
                    lines.insert((folder.join(file), words.next().unwrap_or_default().to_string()));
                }
            }
        }
    }
    lines.into_iter().filter(|(path, _)| path.is_file()).collect()
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_string).collect()
}

fn ours(position: &Position, vertices: Vec<goban::Vertex>) -> BTreeSet<String> {
    vertices.into_iter().map(|vertex| position.size().show(vertex)).collect()
}

/// A record that says whose turn it is in the node of a move, which means nothing; GNU Go takes it to be said after the
/// move, we before it. In a test the colour is given anyway.
const PL_BESIDE_A_MOVE: &str = "_semeai_C9_006.sgf";

/// Records that take stones off the board or change their colour, which GNU Go does not do.
const EDITED: [&str; 3] = ["playout_semeai.1.sgf", "playout_semeai.2.sgf", "playout_semeai.3.sgf"];

/// What GNU Go and we see differently, if anything.
fn difference(gnugo: &mut GnuGo, path: &Path, until: &str) -> Option<String> {
    let theirs = gnugo.ask(&format!("loadsgf {} {until}", path.display()));
    let place = match until.parse() {
        Ok(number) => Until::Move(number),
        Err(_) if until.is_empty() => Until::End,
        Err(_) => Until::Point(until),
    };
    let mine = position(path, place, &Defaults::default());
    let (to_play, mine) = match (theirs, mine) {
        (Err(_), Err(_)) => return None,
        (Ok(_), Err(error)) => return Some(format!("we cannot: {error}")),
        (Err(error), Ok(_)) => return Some(format!("GNU Go cannot: {error}")),
        (Ok(color), Ok(mine)) => (color, mine),
    };
    let komi: f32 = gnugo.ask("get_komi").unwrap().parse().unwrap();
    if komi != mine.komi() {
        return Some(format!("komi {komi}, ours {}", mine.komi()));
    }
    if Color::parse(&to_play) != Some(mine.to_play()) && !path.ends_with(PL_BESIDE_A_MOVE) {
        return Some(format!("{to_play} to play, ours {}", mine.to_play()));
    }
    for color in Color::BOTH {
        let stones = words(&gnugo.ask(&format!("list_stones {color}")).unwrap());
        if stones != ours(&mine, mine.board().stones(color)) {
            return Some(format!("stones of {color}: {stones:?}"));
        }
    }
    None
}

#[test]
fn records_are_loaded_as_gnu_go_does() {
    let Some(data) = std::env::var_os("TENGEN_DATA").map(PathBuf::from) else {
        println!("skipped: TENGEN_DATA is not set, it should name the data folder");
        return;
    };
    let Some(mut gnugo) = GnuGo::start() else {
        println!("skipped: GNU Go is not installed");
        return;
    };
    // All of them with TENGEN_ALL_RECORDS, which takes a while.
    let step = if std::env::var_os("TENGEN_ALL_RECORDS").is_some() { 1 } else { 17 };
    for suite in ["gnugo-3.8", "fuego"] {
        let all = loads(&data.join("positions").join(suite).join("regression"));
        assert!(all.len() > 500, "{suite}: {}", all.len());
        let mut differences = Vec::new();
        for (path, until) in all.iter().step_by(step) {
            if EDITED.iter().any(|name| path.ends_with(name)) {
                continue;
            }
            if let Some(what) = difference(&mut gnugo, path, until) {
                differences.push(format!("{} {until}: {what}", path.display()));
            }
        }
        println!("{suite}: {} of {} differ", differences.len(), all.len().div_ceil(step));
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}
