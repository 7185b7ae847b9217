//! Runs of self-play on disk as the page shows them.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::Duration;

use zero::folder::{RunFolder, SETTINGS_FILE};
use zero::stored::StoredGame;
use zero::{RunStatus, report};

use crate::folders::{LastRead, NamedFolders};
use crate::protocol::tell::{Num, RunFrame, RunGame, RunLine, RunMessage, RunView, Runs};
use crate::protocol::{Answer, Kind, Refusal};

/// The latest games of a run that are listed.
const N_GAMES: usize = 40;

/// How long an answer is given again: a run makes a network every few minutes.
const FRESH: Duration = Duration::from_secs(2);

/// The runs of a folder.
#[derive(Debug)]
pub(crate) struct RunShelf {
    runs: NamedFolders,
    list: LastRead<Runs>,
    /// The latest games of a run.
    games: LastRead<Vec<StoredGame>>,
}

impl RunShelf {
    /// The runs of this folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        let runs = NamedFolders::new(folder, SETTINGS_FILE, "run");
        Self { runs, list: LastRead::new(FRESH), games: LastRead::new(FRESH) }
    }

    /// All of them, by name.
    pub(crate) fn list(&self) -> Runs {
        let Ok(list) = self.list.get("", || {
            let runs = self.runs.all().into_iter().map(|(name, dir)| view(&name, &dir)).collect();
            Ok::<_, Infallible>(Runs { folder: self.runs.root().display().to_string(), runs })
        });
        list
    }

    /// A run and its latest games.
    pub(crate) fn run(&self, name: &str) -> Answer<RunMessage> {
        let dir = self.runs.find(name)?;
        let games = self.latest(name, &dir)?;
        let lines = games.iter().map(|game| RunLine {
            game: game.game,
            net: game.net,
            result: game.result_text(),
            moves: game.n_moves(),
            blind: game.blind,
        });
        Ok(RunMessage { run: view(name, &dir), games: lines.collect() })
    }

    /// One of the latest games, position by position.
    pub(crate) fn game(&self, name: &str, number: u64) -> Answer<RunGame> {
        let dir = self.runs.find(name)?;
        let games = self.latest(name, &dir)?;
        let unknown =
            || Refusal::new(Kind::Unknown, format!("game {number} is not among the latest {N_GAMES}"));
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
        self.games.get(name, || {
            let status = RunStatus::read(dir).map_err(broken)?;
            status.latest_games(&RunFolder::new(dir), N_GAMES).map_err(broken)
        })
    }

    /// The report of a run as a page of its own.
    pub(crate) fn report(&self, name: &str) -> Answer<String> {
        let dir = self.runs.find(name)?;
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
