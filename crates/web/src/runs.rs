//! Runs of self-play on disk as the page shows them. A name in a message is looked up among the folders that were found; it never
//! becomes part of a path.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use zero::folder::RunFolder;
use zero::stored::StoredGame;
use zero::{RunStatus, report};

use crate::pool::lock;
use crate::protocol::tell::{Num, Run, RunFrame, RunGame, RunLine, RunView, Runs};
use crate::protocol::{Answer, Kind, Refusal};

/// The latest games of a run that are listed.
const N_GAMES: usize = 40;

/// What was read is told again for so long: a run makes a network every few minutes.
const FRESH: Duration = Duration::from_secs(2);

/// The runs of a folder.
#[derive(Debug)]
pub(crate) struct RunShelf {
    folder: PathBuf,
    /// What was read last, and when: many windows may ask for the same.
    list: Mutex<Option<(Instant, Runs)>>,
    /// The latest games of the run that was looked at last.
    games: Mutex<Option<(Instant, String, Vec<StoredGame>)>>,
}

impl RunShelf {
    /// The runs of this folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, list: Mutex::default(), games: Mutex::default() }
    }

    /// All of them, by name.
    pub(crate) fn list(&self) -> Runs {
        let mut known = lock(&self.list);
        if let Some((at, list)) = known.as_ref()
            && at.elapsed() < FRESH
        {
            return list.clone();
        }
        let runs = self.folders().into_iter().map(|(name, dir)| view(&name, &dir)).collect();
        let list = Runs { folder: self.folder.display().to_string(), runs };
        *known = Some((Instant::now(), list.clone()));
        list
    }

    /// Folders with a run in them: name and path.
    fn folders(&self) -> Vec<(String, PathBuf)> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut folders: Vec<_> = entries
            .filter(|entry| entry.path().join("run.toml").is_file())
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
            .collect();
        folders.sort();
        folders
    }

    fn find(&self, name: &str) -> Answer<PathBuf> {
        let found = self.folders().into_iter().find(|(known, _)| known == name);
        found.map(|(_, dir)| dir).ok_or_else(|| {
            let short: String = name.chars().take(80).collect();
            Refusal::new(Kind::Unknown, format!("there is no run {short:?}"))
        })
    }

    /// A run and its latest games.
    pub(crate) fn run(&self, name: &str) -> Answer<Run> {
        let dir = self.find(name)?;
        let games = self.latest(name, &dir)?;
        let lines = games.iter().map(|game| RunLine {
            game: game.game,
            net: game.net,
            result: game.result_text(),
            moves: game.n_moves(),
            blind: game.blind,
        });
        Ok(Run { run: view(name, &dir), games: lines.collect() })
    }

    /// One of the latest games, position by position.
    pub(crate) fn game(&self, name: &str, number: u64) -> Answer<RunGame> {
        let dir = self.find(name)?;
        let games = self.latest(name, &dir)?;
        let unknown =
            || Refusal::new(Kind::Unknown, format!("game {number} is none of the latest {N_GAMES}"));
        let game = games.iter().find(|game| game.game == number).ok_or_else(unknown)?;
        let settings = RunFolder::new(&dir).settings().map_err(broken)?;
        let start = settings.ok_or_else(unknown)?.board().map_err(broken)?;
        let frames = game.frames(start.as_ref()).map_err(broken)?.into_iter().map(|frame| RunFrame {
            board: frame.board,
            last: frame.last,
            black_win: frame.black_win.map(Num),
            candidates: frame.candidates.into_iter().map(|(text, share)| (text, Num(share))).collect(),
        });
        Ok(RunGame {
            run: name.to_string(),
            game: number,
            result: game.result_text(),
            frames: frames.collect(),
        })
    }

    fn latest(&self, name: &str, dir: &Path) -> Answer<Vec<StoredGame>> {
        let mut known = lock(&self.games);
        if let Some((at, of, games)) = known.as_ref()
            && at.elapsed() < FRESH
            && of == name
        {
            return Ok(games.clone());
        }
        let status = RunStatus::read(dir).map_err(broken)?;
        let games = status.latest_games(&RunFolder::new(dir), N_GAMES).map_err(broken)?;
        *known = Some((Instant::now(), name.to_string(), games.clone()));
        Ok(games)
    }

    /// The report of a run as a page of its own.
    pub(crate) fn report(&self, name: &str) -> Answer<String> {
        let dir = self.find(name)?;
        let status = RunStatus::read(&dir).map_err(broken)?;
        Ok(report::page(&RunFolder::new(&dir), &status).map_err(broken)?.html())
    }
}

// Taken by value, as `map_err` gives it.
#[allow(clippy::needless_pass_by_value)]
fn broken(error: zero::Error) -> Refusal {
    Refusal::new(Kind::Internal, error.to_string())
}

/// A run in a line. One that this program does not understand says why.
fn view(name: &str, dir: &Path) -> RunView {
    let name = name.to_string();
    match RunStatus::read(dir) {
        Ok(status) => RunView {
            name,
            title: report::title(&status),
            game: status.settings.game.name.clone(),
            net: status.settings.net.clone(),
            newest: status.state.newest,
            games: status.sums.games,
            cpu_hours: Num((status.state.cpu_seconds / 3600.0) as f32),
            elo: Num(status.state.elo as f32),
            working: status.is_running,
            error: None,
        },
        Err(error) => RunView { name, error: Some(error.to_string()), ..RunView::default() },
    }
}
