//! All sessions: found by name, made, and put away when there are too many.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use super::keeper::Keeper;
use super::{Means, Origin, Session, shelf};
use crate::config::Config;
use crate::laboratory::Laboratory;
use crate::nets::Nets;
use crate::pool::{Pool, lock};
use crate::protocol::{Answer, Kind, Refusal};
use crate::table::Table;

/// For so many places of new visitors there is one more for somebody who comes back.
const PLACES_PER_RESERVED: usize = 4;

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
            n_visitors: AtomicUsize::new(0),
        };
        Ok(Self { means: Arc::new(means), sessions: Mutex::default(), next_key: AtomicU64::new(1) })
    }

    pub(crate) fn means(&self) -> &Means {
        &self.means
    }

    /// The session that a browser at this address remembers, if we do, too; else a new one.
    pub(crate) fn session(&self, wanted: Option<&str>, address: IpAddr) -> Answer<Arc<Session>> {
        let mut sessions = lock(&self.sessions);
        if let Some(session) = wanted.and_then(|name| sessions.get(name)) {
            return Ok(Arc::clone(session));
        }
        let keeper = &self.means.keeper;
        let born = wanted.and_then(|name| keeper.born(name));
        self.make_room(&mut sessions, born)?;
        let kept = wanted.and_then(|name| Some((name.to_string(), shelf::newest(keeper, name)?)));
        let (id, (number, table)) = match kept {
            Some(kept) => kept,
            None => (keeper.new_name()?, (0, Table::usual()?)),
        };
        let key = self.next_key.fetch_add(1, Ordering::Relaxed);
        let origin = Origin { address, born };
        let session = Session::new(key, id.clone(), Arc::clone(&self.means), (number, table), origin);
        let session = Arc::new(session);
        sessions.insert(id, Arc::clone(&session));
        Ok(session)
    }

    /// Makes room for a session whose game began then, or for a new one, if there are too many: the session that nobody
    /// has looked at for the longest time is put away. Visitors who come back have some places to themselves, and if those are
    /// taken, too, the youngest visitor makes way, if he is younger than the game that is come back to.
    fn make_room(
        &self,
        sessions: &mut HashMap<String, Arc<Session>>,
        born: Option<SystemTime>,
    ) -> Answer<()> {
        let max = self.means.bounds.sessions;
        let places = if born.is_some() { max + max / PLACES_PER_RESERVED } else { max };
        while sessions.len() >= places {
            let idle = sessions.values().filter(|session| session.n_windows() == 0);
            let id = match idle.min_by_key(|session| session.seen()) {
                Some(session) => session.id.clone(),
                None => {
                    let younger =
                        sessions.values().filter(|session| born.is_some_and(|born| born < session.born()));
                    let Some(youngest) = younger.max_by_key(|session| session.born()) else {
                        let message =
                            format!("the server is full: {max} visitors may be here; try again later");
                        return Err(Refusal::new(Kind::Busy, message));
                    };
                    log::info!("{} makes way for a visitor who was here before", youngest.short_id());
                    youngest.dismiss();
                    youngest.id.clone()
                }
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
