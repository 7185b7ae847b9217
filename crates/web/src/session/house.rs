//! All sessions: found by name, made, and put away when there are too many.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use super::keeper::Keeper;
use super::{Origin, Session, SessionMeans, shelf};
use crate::config::Config;
use crate::laboratory::Laboratory;
use crate::nets::NetShelf;
use crate::network::Network;
use crate::pool::{SearchPool, lock};
use crate::protocol::{Answer, Kind, Refusal};
use crate::runs::RunShelf;
use crate::table::Table;

/// Places of new visitors for which there is one more for somebody who comes back.
const PLACES_PER_RESERVED: usize = 4;

/// All sessions.
pub(crate) struct House {
    means: Arc<SessionMeans>,
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
        let means = SessionMeans {
            pool: SearchPool::new(config.threads)?,
            bounds: config.bounds.clone(),
            laboratory: Laboratory::new(config.results.clone()),
            runs: RunShelf::new(config.runs.clone()),
            keeper,
            seed: config.seed,
            nets: NetShelf::new(config.nets.clone(), config.net.clone(), config.bounds.nets),
            n_visitors: AtomicUsize::new(0),
        };
        Ok(Self { means: Arc::new(means), sessions: Mutex::default(), next_key: AtomicU64::new(1) })
    }

    pub(crate) fn means(&self) -> &SessionMeans {
        &self.means
    }

    /// Opens a window on the session that a browser at this address remembers, or on a new one.
    ///
    /// # Errors
    /// The server is full, or too many windows show this session.
    pub(crate) fn enter(&self, wanted: Option<&str>, address: IpAddr) -> Answer<Arc<Session>> {
        loop {
            let session = self.session(wanted, address)?;
            match session.enter() {
                // Somebody else took its place just now.
                Err(_) if session.is_put_away() => {}
                entered => return entered.map(|()| session),
            }
        }
    }

    /// The session that a browser at this address remembers, if we do, too; else a new one.
    pub(super) fn session(&self, wanted: Option<&str>, address: IpAddr) -> Answer<Arc<Session>> {
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
        let origin = Origin { network: Network::of(address), born };
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
            let leaving = match idle.min_by_key(|session| session.seen()) {
                Some(session) => session,
                None => {
                    let younger =
                        sessions.values().filter(|session| born.is_some_and(|born| born < session.born()));
                    let Some(youngest) = younger.max_by_key(|session| session.born()) else {
                        let message =
                            format!("the server is full: {max} visitors may be here; try again later");
                        return Err(Refusal::new(Kind::Busy, message));
                    };
                    log::info!("{} makes way for a visitor who was here before", youngest.short_id());
                    youngest
                }
            };
            leaving.put_away();
            let id = leaving.id.clone();
            sessions.remove(&id);
            self.means.keeper.forget_empty(&id);
        }
        Ok(())
    }

    /// Ends all work.
    pub(crate) fn close(&self) {
        self.means.pool.close();
        lock(&self.sessions).drain().for_each(|(_, session)| session.put_away());
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::protocol::{self, Tell};

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn house(folder: &std::path::Path) -> House {
        let mut config = Config::local(0, folder.to_path_buf());
        (config.bounds.sessions, config.threads) = (1, 1);
        House::new(&config).unwrap()
    }

    fn n_moves(session: &Session) -> usize {
        let Tell::Game(game) = session.game() else { panic!("no game") };
        game.moves.len()
    }

    #[test]
    fn a_session_that_is_put_away_works_and_writes_no_more() {
        let dir = tempfile::tempdir().unwrap();
        let house = house(dir.path());
        let ask = |session: &Arc<Session>, text: &str| session.handle(protocol::read(text).unwrap());
        let old = house.enter(None, HERE).unwrap();
        // Tengen thinks about its move, and a study that would take ten minutes goes on beside it.
        ask(&old, r#"{"ask":"new-game","size":19,"color":"black","komi":7.5,"rules":"chinese","handicap":0,"level":12}"#)
            .unwrap();
        ask(&old, r#"{"ask":"study","number":1,"spot":{"width":9,"height":9,"komi":7.5,"rules":"chinese","handicap":0,"steps":[]},"recipes":["default"]}"#).unwrap();
        ask(&old, r#"{"ask":"move","point":60,"ply":0}"#).unwrap();
        old.leave();
        // A stranger takes the only place, and the visitor comes back while the old session is still in somebody's hands.
        house.enter(None, HERE).unwrap().leave();
        assert!(old.is_put_away());
        let new = house.enter(Some(old.id()), HERE).unwrap();
        assert!(!Arc::ptr_eq(&old, &new) && new.id() == old.id());
        assert_eq!(n_moves(&new), 1, "the game was kept");
        for text in [
            r#"{"ask":"undo"}"#,
            r#"{"ask":"hint"}"#,
            r#"{"ask":"my-games"}"#,
            r#"{"ask":"teach","on":true}"#,
        ] {
            assert!(ask(&old, text).is_err(), "{text}");
        }
        assert!(old.enter().is_err());
        // Its searches end, and a window that opens too late is closed at once.
        assert_eq!(old.listen().next(Instant::now()), super::super::news::Told::Over);
        let end = Instant::now() + Duration::from_secs(60);
        while Arc::strong_count(&old) > 1 {
            assert!(Instant::now() < end, "a job of the old session goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(n_moves(&old), 1, "its search of a move was thrown away");
        house.close();
        assert!(new.is_put_away());
    }
}
