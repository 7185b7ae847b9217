//! All sessions: found by name, made, and put away when there are too many.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::keeper::Keeper;
use super::{Means, Session, shelf};
use crate::config::Config;
use crate::laboratory::Laboratory;
use crate::nets::Nets;
use crate::pool::{Pool, lock};
use crate::protocol::{Answer, Kind, Refusal};
use crate::table::Table;

/// All sessions.
pub(crate) struct House {
    means: Arc<Means>,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    next_key: AtomicU64,
}

impl House {
    /// An empty house.
    ///
    /// # Errors
    /// A folder for the games that cannot be made, or no threads.
    pub(crate) fn new(config: &Config) -> io::Result<Self> {
        let keeper = Keeper::open(&config.state, config.bounds.kept)?;
        let means = Means {
            pool: Pool::new(config.threads)?,
            bounds: config.bounds.clone(),
            laboratory: Laboratory::new(config.results.clone()),
            keeper,
            seed: config.seed,
            nets: Nets::new(config.nets.clone(), config.net.clone(), config.bounds.nets),
        };
        Ok(Self { means: Arc::new(means), sessions: Mutex::default(), next_key: AtomicU64::new(1) })
    }

    pub(crate) fn means(&self) -> &Means {
        &self.means
    }

    /// The session that a browser remembers, if we do, too; else a new one.
    pub(crate) fn session(&self, wanted: Option<&str>) -> Answer<Arc<Session>> {
        let mut sessions = lock(&self.sessions);
        if let Some(session) = wanted.and_then(|name| sessions.get(name)) {
            return Ok(Arc::clone(session));
        }
        self.make_room(&mut sessions)?;
        let keeper = &self.means.keeper;
        let kept = wanted.and_then(|name| Some((name.to_string(), shelf::newest(keeper, name)?)));
        let (id, (number, table)) = match kept {
            Some(kept) => kept,
            None => (keeper.new_name()?, (0, Table::usual()?)),
        };
        let key = self.next_key.fetch_add(1, Ordering::Relaxed);
        let session = Arc::new(Session::new(key, id.clone(), Arc::clone(&self.means), number, table));
        sessions.insert(id, Arc::clone(&session));
        Ok(session)
    }

    /// Puts away the session that nobody has looked at for the longest time, if there are too many.
    fn make_room(&self, sessions: &mut HashMap<String, Arc<Session>>) -> Answer<()> {
        let max = self.means.bounds.sessions;
        while sessions.len() >= max {
            let idle = sessions.values().filter(|session| session.n_windows() == 0);
            let Some(id) = idle.min_by_key(|session| session.seen()).map(|session| session.id.clone()) else {
                let message = format!("the server is full: {max} visitors are here; try again later");
                return Err(Refusal::new(Kind::Busy, message));
            };
            sessions.remove(&id);
            self.means.keeper.forget_empty(&id);
        }
        Ok(())
    }

    /// Ends all work.
    pub(crate) fn close(&self) {
        self.means.pool.close();
        lock(&self.sessions).clear();
    }
}
