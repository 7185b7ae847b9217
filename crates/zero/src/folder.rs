//! The folder of a run. Whatever moment it is killed at, what stands here is enough to go on.
//!
//! | file | content |
//! |---|---|
//! | `run.toml` | the settings, each with its value |
//! | `games/NNNN.jsonl` | the games that ended while network NNNN was the newest, each as a [`StoredGame`] |
//! | `nets/NNNN.net` | the networks, 0000 the one of random weights |
//! | `checkpoint` | the trainer, as it was when the newest network came of it |
//! | `state.json` | the newest network, the one that plays, and the time spent |
//! | `curves.csv` | a line for each network, see [`curves`](crate::curves) |
//! | `lock` | held by the run that works here |
//!
//! Files that are replaced are written beside and renamed. A network is announced in `state.json` last, so what a killed run had begun of
//! it is made anew.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use player::log::{self, Log, LogKind};
use serde::{Deserialize, Serialize};

use crate::stored::StoredGame;
use crate::{Error, Result, RunSettings};

/// The names of the logs of games in messages.
const GAMES: LogKind =
    LogKind { name: "Zero run", entry: "list of games", free: &[], elsewhere: "another --out" };

/// The file of a run's settings, which makes a folder one of a run.
pub const SETTINGS_FILE: &str = "run.toml";

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunState {
    /// The number of the newest network.
    pub newest: u32,
    /// The number of the one that plays: the newest, unless a gate stopped it.
    pub playing: u32,
    /// Training steps of the newest network.
    pub steps: u64,
    /// The rating of the one that plays, the first network's being 0; Elo.
    pub elo: f64,
    /// Seconds at work.
    pub seconds: f64,
    /// Seconds of processor time, all threads together; 0 where the system does not tell.
    pub cpu_seconds: f64,
}

/// Sums over the games of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSums {
    /// Games.
    pub games: u64,
    /// Positions that were learned from, or will be.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
    /// The largest number that a game has.
    pub last: u64,
}

impl GameSums {
    /// Adds a game.
    pub fn add(&mut self, game: &StoredGame) {
        self.games += 1;
        self.positions += game.searched.len() as u64;
        self.moves += game.n_moves() as u64;
        self.last = self.last.max(game.game);
    }
}

/// The first line of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct GamesHeader {
    /// The newest network while they ended.
    zero_games: u32,
    /// The sums over the files before.
    before: GameSums,
}

/// The lock of a run, held until it is dropped.
#[derive(Debug)]
pub struct RunLock(#[allow(dead_code, reason = "it is held, not read")] File);

impl RunFolder {
    /// A folder that may hold a run.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The settings of the run that is there; none if there is none.
    ///
    /// # Errors
    /// A file that is not understood.
    pub fn settings(&self) -> Result<Option<RunSettings>> {
        let path = self.path.join(SETTINGS_FILE);
        if path.exists() { RunSettings::read(&path).map(Some) } else { Ok(None) }
    }

    /// The settings of the run that must be there.
    ///
    /// # Errors
    /// A folder without a run; a file that is not understood.
    pub fn run_settings(&self) -> Result<RunSettings> {
        self.settings()?.ok_or_else(|| {
            Error::input(format!("{}: no run is there; expected its {SETTINGS_FILE}", self.path.display()))
        })
    }

    /// Makes the folder for a run with these settings, or finds it made for one with the same.
    ///
    /// # Errors
    /// A folder of another run, with what differs; a system that refuses.
    pub fn prepare(&self, settings: &RunSettings) -> Result<()> {
        if let Some(there) = self.settings()? {
            let differences = settings.differences(&there);
            if !differences.is_empty() {
                let (path, differences) = (self.path.display(), differences.join("; "));
                return Err(Error::input(format!(
                    "{path}: a run with other settings is there: {differences}; continue it by its folder, or choose another --out"
                )));
            }
        }
        for folder in [self.path.clone(), self.path.join("games"), self.path.join("nets")] {
            fs::create_dir_all(&folder).map_err(Error::file("make", &folder))?;
        }
        self.replace(SETTINGS_FILE, settings.to_toml().as_bytes())
    }

    /// Takes the lock of the run.
    ///
    /// # Errors
    /// When another run works here.
    pub fn lock(&self) -> Result<RunLock> {
        let path = self.path.join("lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(Error::file("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(RunLock(file)),
            Err(TryLockError::WouldBlock) => {
                Err(Error::input(format!("{}: a run works in this folder now", self.path.display())))
            }
            Err(TryLockError::Error(why)) => Err(Error::file("lock", &path)(why)),
        }
    }

    /// Whether a run works here now.
    pub fn is_locked(&self) -> bool {
        let file = File::open(self.path.join("lock"));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Where the run is; the beginning if it has not begun.
    ///
    /// # Errors
    /// A file that is not understood.
    pub fn state(&self) -> Result<RunState> {
        let path = self.path.join("state.json");
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|why| {
                Error::input(format!("{}: {why}; expected the state of a run", path.display()))
            }),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(RunState::default()),
            Err(why) => Err(Error::file("read", &path)(why)),
        }
    }

    /// Says where the run is.
    ///
    /// # Errors
    /// A system that refuses.
    pub fn set_state(&self, state: &RunState) -> Result<()> {
        let text = serde_json::to_string(state).map_err(Error::other)?;
        self.replace("state.json", text.as_bytes())
    }

    /// The file of a network.
    pub fn net(&self, number: u32) -> PathBuf {
        self.path.join(net_name(number))
    }

    /// Stores a network.
    ///
    /// # Errors
    /// A system that refuses.
    pub fn store_net(&self, number: u32, bytes: &[u8]) -> Result<()> {
        self.replace(&net_name(number), bytes)
    }

    /// The trainer as it was last stored; none before the first time.
    ///
    /// # Errors
    /// A system that refuses.
    pub fn checkpoint(&self) -> Result<Option<Vec<u8>>> {
        let path = self.path.join("checkpoint");
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(Error::file("read", &path)(why)),
        }
    }

    /// Stores the trainer.
    ///
    /// # Errors
    /// A system that refuses.
    pub fn store_checkpoint(&self, bytes: &[u8]) -> Result<()> {
        self.replace("checkpoint", bytes)
    }

    /// The file of the curves.
    pub fn curves(&self) -> PathBuf {
        self.path.join("curves.csv")
    }

    /// Replaces a file: whoever looks sees the old one or the new one, whole.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path.join(name);
        let beside = path.with_extension("new");
        let write =
            File::create(&beside).and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
        write.and_then(|()| fs::rename(&beside, &path)).map_err(Error::file("write", &path))
    }

    fn games(&self, net: u32) -> PathBuf {
        self.path.join("games").join(format!("{net:04}.jsonl"))
    }

    /// The games that ended while a network was the newest, and the sums over the files before; none without such a file.
    ///
    /// # Errors
    /// A damaged file.
    pub fn read_games(&self, net: u32) -> Result<Option<(GameSums, Vec<StoredGame>)>> {
        let path = self.games(net);
        if !path.exists() {
            return Ok(None);
        }
        let read = log::read::<GamesHeader, Vec<StoredGame>>(&path, &GAMES)?;
        Ok(read.map(|(header, lists)| (header.before, lists.into_iter().flatten().collect())))
    }
}

fn net_name(number: u32) -> String {
    format!("nets/{number:04}.net")
}

/// The games of a run, open at the end.
#[derive(Debug)]
pub struct GamesLog {
    folder: RunFolder,
    log: Log,
    sums: GameSums,
    /// Games that are not on the disk yet.
    waiting: Vec<StoredGame>,
}

impl GamesLog {
    /// Opens the file of the newest network, which is made if it is not there. The sums are those over all games.
    ///
    /// # Errors
    /// A damaged file; a system that refuses.
    pub fn open(folder: &RunFolder, newest: u32) -> Result<Self> {
        let mut sums = GameSums::default();
        let mut before = None;
        for net in (0..=newest).rev() {
            if let Some((header, games)) = folder.read_games(net)? {
                sums = header;
                games.iter().for_each(|game| sums.add(game));
                before = (net == newest).then_some(header);
                break;
            }
        }
        let header = GamesHeader { zero_games: newest, before: before.unwrap_or(sums) };
        let (log, _) = Log::open::<Vec<StoredGame>>(&folder.games(newest), &GAMES, &header)?;
        Ok(Self { folder: folder.clone(), log, sums, waiting: Vec::new() })
    }

    /// Takes a game; [`GamesLog::store`] brings it to the disk.
    pub fn add(&mut self, game: StoredGame) {
        self.sums.add(&game);
        self.waiting.push(game);
    }

    /// The sums over all games.
    pub fn sums(&self) -> GameSums {
        self.sums
    }

    /// Brings what waits to the disk.
    ///
    /// # Errors
    /// A system that refuses; the games still wait then.
    pub fn store(&mut self) -> Result<()> {
        if !self.waiting.is_empty() {
            self.log.append(&self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }

    /// Goes on in the file of a newer network, which is announced already.
    ///
    /// # Errors
    /// A system that refuses.
    pub fn turn(&mut self, newest: u32) -> Result<()> {
        self.store()?;
        let header = GamesHeader { zero_games: newest, before: self.sums };
        self.log = Log::open::<Vec<StoredGame>>(&self.folder.games(newest), &GAMES, &header)?.0;
        Ok(())
    }
}
