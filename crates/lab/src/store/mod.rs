//! The store of an experiment: one SQLite file with every game that was finished.
//!
//! A game is one transaction, made before the game counts. The file is in WAL mode with `synchronous = FULL`: a commit is on the
//! disk before the game counts. So neither `kill -9` nor a power cut loses a finished game.
//!
//! In reading order: this file (opening), [`row`] (what is inside), `write` (agreeing with the experiment, keeping games),
//! `read` (questions), [`export`] (CSV and SGF). The tables are described in `schema.sql`.

pub mod export;
mod read;
pub mod row;
mod write;

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::experiment::Experiment;
use crate::{Error, Result};
pub use read::LeftOut;
pub use row::{GameRow, Id, MoveRow, PairingRow, PlayerRow, RunInfo, RunRow, TraceRow};
pub use write::now;

/// The file in the experiment's folder.
pub const FILE: &str = "lab.sqlite";

/// Who holds the lock on this file plays.
const LOCK: &str = "lab.lock";

/// `tngn`: which program's SQLite file this is.
const APPLICATION: i64 = 0x746e_676e;

/// The tables that this program knows.
const SCHEMA: i64 = 1;

/// The bytes of the smallest SQLite file that is not empty: one page.
const N_HEADER: u64 = 512;

/// How long a reader waits for a writer, which never takes long.
const BUSY: Duration = Duration::from_secs(10);

/// An open store.
pub struct Store {
    db: Connection,
    path: PathBuf,
    /// The numbers of the experiment's pairings, in the order of its meetings.
    pairings: Vec<Id>,
    run: Option<write::CurrentRun>,
    /// Held as long as games may be added; the system lets it go however the program ends.
    _lock: Option<File>,
}

impl Store {
    /// Opens or makes the store of an experiment in a folder, so that games can be added. Nobody else can do so at the same
    /// time.
    ///
    /// # Errors
    /// A folder that cannot be written, another run at the same time, a store of a newer program, or games that were
    /// played under other terms or with other recipes; what differs is named.
    pub fn open(dir: &Path, experiment: &Experiment) -> Result<Self> {
        fs::create_dir_all(dir).map_err(Error::file("make the folder", dir))?;
        let lock = lock(dir)?;
        let path = dir.join(FILE);
        let db = Connection::open(&path).map_err(sql("open", &path))?;
        let mut store = Self { db, path, pairings: Vec::new(), run: None, _lock: Some(lock) };
        // A file of somebody else's is not even opened for writing.
        if store.stamp().is_ok() {
            store.version()?;
        }
        store.prepare().map_err(sql("open", &store.path))?;
        if store.version()? == 0 {
            store.make().map_err(sql("write", &store.path))?;
        }
        store.agree(experiment)?;
        Ok(store)
    }

    /// A store without a file, for games that are not kept.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn in_memory(experiment: &Experiment) -> Result<Self> {
        let path = PathBuf::from("(memory)");
        let db = Connection::open_in_memory().map_err(sql("open", &path))?;
        let mut store = Self { db, path, pairings: Vec::new(), run: None, _lock: None };
        store.make().map_err(sql("write", &store.path))?;
        store.agree(experiment)?;
        Ok(store)
    }

    /// Opens a store to look at it, even while games are being added.
    ///
    /// # Errors
    /// A folder without a store, or one of a newer program.
    pub fn open_read(dir: &Path) -> Result<Self> {
        let path = if dir.is_dir() { dir.join(FILE) } else { dir.to_path_buf() };
        if !path.is_file() {
            let dir = dir.display();
            return Err(Error::input(format!("{dir} holds no experiment; expected a folder with {FILE}")));
        }
        // Whoever may only read leaves the files of the log behind, and a copy would need all three. So the file is opened for
        // writing, where that is allowed, and nothing is written but what SQLite tidies up at the end.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&path, flags).map_err(sql("open", &path))?;
        db.busy_timeout(BUSY).map_err(sql("open", &path))?;
        db.pragma_update(None, "query_only", true).map_err(sql("open", &path))?;
        let mut store = Self { db, path, pairings: Vec::new(), run: None, _lock: None };
        // In a folder that cannot be written SQLite cannot share the file, and has to be told that nobody writes.
        if store.stamp().is_err()
            && let Some(db) = open_unshared(&store.path)
        {
            store.db = db;
        }
        if store.version()? == 0 {
            return Err(Error::input(format!("{}: the store is empty", store.path.display())));
        }
        Ok(store)
    }

    /// Whether somebody is adding games to the store of this folder.
    pub fn is_playing(dir: &Path) -> bool {
        OpenOptions::new().write(true).open(dir.join(LOCK)).is_ok_and(|file| file.try_lock().is_err())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn prepare(&self) -> rusqlite::Result<()> {
        self.db.busy_timeout(BUSY)?;
        self.db.pragma_update(None, "journal_mode", "wal")?;
        self.db.pragma_update(None, "synchronous", "full")?;
        self.db.pragma_update(None, "foreign_keys", true)
    }

    /// Whose file it is, and the version of its tables.
    fn stamp(&self) -> rusqlite::Result<(i64, i64)> {
        let pragma = |name: &str| self.db.pragma_query_value(None, name, |row| row.get(0));
        Ok((pragma("application_id")?, pragma("user_version")?))
    }

    /// The version of the tables; 0 if there are none yet.
    fn version(&self) -> Result<i64> {
        let (application, version) = self.stamp().map_err(sql("read", &self.path))?;
        let path = self.path.display();
        match (application, version) {
            // Nobody's stamp may be on somebody's file.
            (0, 0) if self.is_foreign() => Err(Error::input(format!(
                "{path} is not the store of an experiment; move it away, or use another folder"
            ))),
            (0, 0) | (APPLICATION, SCHEMA) => Ok(version),
            (APPLICATION, newer) if newer > SCHEMA => Err(Error::input(format!(
                "{path} was made by a newer program: its tables are of version {newer}, expected at most {SCHEMA}"
            ))),
            _ => Err(Error::input(format!("{path} is not the store of an experiment"))),
        }
    }

    /// Whether a file without our stamp holds something: tables, or bytes that are no whole header of a database.
    fn is_foreign(&self) -> bool {
        let n_bytes = fs::metadata(&self.path).map_or(0, |data| data.len());
        let n_tables =
            self.db.query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
        (1..N_HEADER).contains(&n_bytes) || n_tables.is_ok_and(|n| n > 0)
    }

    /// Makes the tables, all or none.
    fn make(&mut self) -> rusqlite::Result<()> {
        let tx = self.db.transaction()?;
        tx.execute_batch(include_str!("schema.sql"))?;
        tx.pragma_update(None, "application_id", APPLICATION)?;
        tx.pragma_update(None, "user_version", SCHEMA)?;
        tx.commit()
    }
}

fn lock(dir: &Path) -> Result<File> {
    let path = dir.join(LOCK);
    let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = open.map_err(Error::file("open", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(Error::input(format!(
            "the experiment in {} is being played already; wait, or use another --out",
            dir.display()
        ))),
    }
}

/// Removes the store of a folder: for whoever made one and has no game to keep.
pub fn remove(dir: &Path) {
    for name in [FILE.to_string(), format!("{FILE}-wal"), format!("{FILE}-shm"), LOCK.to_string()] {
        // What is not there need not go, and what cannot be removed is empty.
        let _ = fs::remove_file(dir.join(name));
    }
}

fn open_unshared(path: &Path) -> Option<Connection> {
    let name = path.to_str()?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{name}?immutable=1"), flags).ok()
}

/// For `map_err`: what was to be done with which store.
fn sql<'a>(what: &'static str, path: &'a Path) -> impl FnOnce(rusqlite::Error) -> Error + 'a {
    move |error| Error::input(format!("cannot {what} the store {}: {error}", path.display()))
}
