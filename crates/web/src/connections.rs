//! Connections that are open, before and after anybody knows whose they are.
//!
//! There is room for a number of them. When it is full, whoever has waited longest without being a visitor's window makes
//! way: somebody who opens a thousand connections and finishes no request displaces his own. Of several networks the one
//! with the most such connections loses one.

use std::collections::HashMap;
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::Mutex;
use std::time::Instant;

use crate::network::Network;
use crate::pool::lock;

/// All connections.
pub(crate) struct Connections {
    open: Mutex<HashMap<u64, Connection>>,
    max: usize,
    /// Windows of new visitors; fewer than connections, so that there is always room for somebody who comes.
    max_windows: usize,
    /// Further windows of visitors who come back.
    max_reserved: usize,
}

struct Connection {
    stream: TcpStream,
    address: IpAddr,
    /// When it last asked for something, or was opened.
    since: Instant,
    /// Whether it is the window of a visitor who has said hello.
    is_window: bool,
}

impl Connections {
    /// Room for `max_windows` windows, for a quarter more of visitors who come back, and for as many connections that are none.
    pub(crate) fn new(max_windows: usize) -> Self {
        let max_windows = max_windows.max(1);
        let max_reserved = max_windows / 4;
        let max = max_windows.saturating_mul(2).saturating_add(max_reserved);
        Self { open: Mutex::default(), max, max_windows, max_reserved }
    }

    /// A connection comes; false if there is no room for it.
    pub(crate) fn enter(&self, number: u64, stream: TcpStream, address: IpAddr) -> bool {
        let mut open = lock(&self.open);
        if open.len() >= self.max {
            let Some(displaced) = longest_waiting(&open) else { return false };
            if let Some(connection) = open.remove(&displaced) {
                log::debug!("{} makes way for {address}: it waited longest", connection.address);
                let _ = connection.stream.shutdown(Shutdown::Both);
            }
        }
        open.insert(number, Connection { stream, address, since: Instant::now(), is_window: false });
        true
    }

    /// A connection has asked for something.
    pub(crate) fn touch(&self, number: u64) {
        if let Some(connection) = lock(&self.open).get_mut(&number) {
            connection.since = Instant::now();
        }
    }

    /// A connection becomes a visitor's window; false if there are too many.
    pub(crate) fn become_window(&self, number: u64, is_back: bool) -> bool {
        let mut open = lock(&self.open);
        let n_windows = open.values().filter(|connection| connection.is_window).count();
        let max = self.max_windows + if is_back { self.max_reserved } else { 0 };
        match open.get_mut(&number) {
            Some(connection) if n_windows < max => {
                connection.is_window = true;
                true
            }
            _ => false,
        }
    }

    /// A connection ends.
    pub(crate) fn leave(&self, number: u64) {
        if let Some(connection) = lock(&self.open).remove(&number) {
            let _ = connection.stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.open).is_empty()
    }

    /// Ends all of them.
    pub(crate) fn shut_down(&self) {
        for connection in lock(&self.open).values() {
            let _ = connection.stream.shutdown(Shutdown::Both);
        }
    }
}

/// Who makes way.
fn longest_waiting(open: &HashMap<u64, Connection>) -> Option<u64> {
    let waiting = || open.iter().filter(|(_, connection)| !connection.is_window);
    let mut n_by_network: HashMap<Network, usize> = HashMap::new();
    waiting()
        .for_each(|(_, connection)| *n_by_network.entry(Network::of(connection.address)).or_default() += 1);
    let most = *n_by_network.values().max()?;
    let of_most = waiting().filter(|(_, connection)| n_by_network[&Network::of(connection.address)] == most);
    of_most.min_by_key(|(_, connection)| connection.since).map(|(&number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn who_waits_longest_makes_way_and_windows_stay() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connections = Connections::new(4);
        let enter = |number: u64, last: u8| {
            let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            drop(listener.accept().unwrap());
            connections.enter(number, stream, IpAddr::from([10, 0, 0, last]))
        };
        let is_open = |number: u64| lock(&connections.open).contains_key(&number);
        for number in 0..4 {
            assert!(enter(number, 1) && connections.become_window(number, false));
        }
        // The last window is for somebody who comes back.
        assert!(enter(4, 2) && !connections.become_window(4, false) && connections.become_window(4, true));
        (10..14).for_each(|number| assert!(enter(number, 2)));
        connections.touch(10);
        // Another address: the one with the most connections loses its oldest, which is the second by now.
        assert!(enter(20, 3));
        assert!(is_open(10) && !is_open(11) && is_open(20));
        (21..200).for_each(|number| assert!(enter(number, 2)));
        assert!((0..5).all(is_open) && is_open(20), "windows stay, and whoever is alone");
        connections.leave(20);
        assert!(!is_open(20));
    }
}
