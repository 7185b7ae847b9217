//! The token that visitors from elsewhere must know, and who may guess at it how often.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use player::whole_file;

use crate::files;
use crate::network::Network;
use crate::pool::lock;

/// The file of a random token in the folder of games.
const TOKEN_FILE: &str = "token";
/// The file of what cookies are made with.
const COOKIE_KEY_FILE: &str = "cookie-key";
/// Bytes of a secret: 128 bits.
const SECRET_BYTES: usize = 16;

/// A token that was made for this server and is kept in its folder.
#[derive(Clone, Debug)]
pub struct StoredToken {
    /// The token.
    pub token: String,
    /// Where it is kept.
    pub path: PathBuf,
    /// Whether it was made just now.
    pub is_new: bool,
}

impl StoredToken {
    /// Takes back a token that was made just now and that nobody was shown, so that the next start makes and shows another.
    pub fn take_back(&self) {
        if self.is_new
            && let Err(error) = std::fs::remove_file(&self.path)
        {
            log::warn!("a token that nobody was shown stays in {}: {error}", self.path.display());
        }
    }
}

/// The token that is kept in the folder of games; a random one is made if there is none.
///
/// # Errors
/// A file that cannot be read or written, or a system without randomness.
pub fn stored(state: &Path) -> io::Result<StoredToken> {
    let path = state.join(TOKEN_FILE);
    let (token, is_new) = secret(&path)?;
    Ok(StoredToken { token, path, is_new })
}

/// The key with which this folder's server signs cookies.
pub(crate) fn cookie_key(state: &Path) -> io::Result<String> {
    Ok(secret(&state.join(COOKIE_KEY_FILE))?.0)
}

/// The secret in a file, and whether it was made just now.
fn secret(path: &Path) -> io::Result<(String, bool)> {
    match std::fs::read_to_string(path) {
        Ok(text) if !text.trim().is_empty() => return Ok((text.trim().to_string(), false)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let secret = random_name()?;
    path.parent().map_or(Ok(()), files::make_folder)?;
    whole_file::write_private(path, format!("{secret}\n"))?;
    Ok((secret, true))
}

/// Letters that nobody can guess: 128 bits in hexadecimal digits.
pub(crate) fn random_name() -> io::Result<String> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Wrong tokens that cost nothing.
const FREE: u32 = 5;
/// The delay of the first guess beyond; each further one takes twice as long as the one before.
const FIRST_DELAY: Duration = Duration::from_millis(250);
/// The longest that anybody waits.
const MAX_DELAY: Duration = Duration::from_secs(60);
/// After so long without a guess all is forgotten.
const MEMORY: Duration = Duration::from_secs(900);
/// Networks that are remembered.
const MAX_NETWORKS: usize = 1024;

/// Wrong guesses by network.
#[derive(Debug, Default)]
pub(crate) struct Throttle {
    guesses: Mutex<HashMap<Network, Guesses>>,
}

#[derive(Clone, Copy, Debug)]
struct Guesses {
    n_wrong: u32,
    last: Instant,
    /// Until then no guess is looked at.
    blocked: Instant,
}

impl Throttle {
    /// Says how long an address has to wait before a guess of it is looked at.
    pub(crate) fn wait(&self, address: IpAddr, now: Instant) -> Option<Duration> {
        let guesses = lock(&self.guesses);
        let left = guesses.get(&Network::of(address))?.blocked.saturating_duration_since(now);
        (!left.is_zero()).then_some(left)
    }

    /// Notes a wrong guess; how many there were by now.
    pub(crate) fn wrong(&self, address: IpAddr, now: Instant) -> u32 {
        let mut guesses = lock(&self.guesses);
        guesses.retain(|_, guesses| now.saturating_duration_since(guesses.last) < MEMORY);
        let key = Network::of(address);
        if guesses.len() >= MAX_NETWORKS && !guesses.contains_key(&key) {
            // Whoever has guessed least is forgotten.
            let least = guesses.iter().min_by_key(|(_, guesses)| (guesses.n_wrong, guesses.last));
            if let Some(least) = least.map(|(&network, _)| network) {
                guesses.remove(&least);
            }
        }
        let entry = guesses.entry(key).or_insert(Guesses { n_wrong: 0, last: now, blocked: now });
        entry.n_wrong = entry.n_wrong.saturating_add(1);
        entry.last = now;
        if let Some(n_beyond) = entry.n_wrong.checked_sub(FREE + 1) {
            let delay = FIRST_DELAY.saturating_mul(1 << n_beyond.min(20)).min(MAX_DELAY);
            entry.blocked = now + delay;
        }
        entry.n_wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_token_is_made_once() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("games");
        let first = stored(&state).unwrap();
        assert!(first.is_new && first.token.len() == 32 && first.path.is_file());
        let second = stored(&state).unwrap();
        assert!(!second.is_new && second.token == first.token);
        assert_ne!(cookie_key(&state).unwrap(), first.token);
        // Only what was made just now is taken back.
        second.take_back();
        assert!(first.path.is_file());
        first.take_back();
        assert!(!first.path.exists() && stored(&state).unwrap().is_new);
    }

    #[test]
    fn guesses_cost_more_and_more() {
        let throttle = Throttle::default();
        let (one, other): (IpAddr, IpAddr) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        let mut now = Instant::now();
        let mut n_looked_at = 0;
        let end = now + Duration::from_secs(3600);
        while now < end {
            if throttle.wait(one, now).is_none() {
                throttle.wrong(one, now);
                n_looked_at += 1;
            }
            now += Duration::from_millis(10);
        }
        assert!((60..100).contains(&n_looked_at), "{n_looked_at} guesses in an hour");
        assert!(throttle.wait(other, now).is_none(), "others may guess");
        assert!(throttle.wait(one, now + MEMORY).is_none());
    }

    #[test]
    fn the_table_is_bounded_and_keeps_the_worst() {
        let throttle = Throttle::default();
        let now = Instant::now();
        let worst: IpAddr = "10.0.0.1".parse().unwrap();
        for _ in 0..10 {
            throttle.wrong(worst, now);
        }
        for n in 0..5000_u32 {
            throttle.wrong(IpAddr::from(std::net::Ipv4Addr::from_bits(n << 8)), now);
        }
        assert_eq!(lock(&throttle.guesses).len(), MAX_NETWORKS);
        assert!(throttle.wait(worst, now).is_some());
        // A neighbour of one IPv6 address is the same visitor.
        let [a, b]: [IpAddr; 2] = ["2001:db8::1".parse().unwrap(), "2001:db8::2".parse().unwrap()];
        for _ in 0..10 {
            throttle.wrong(a, now);
        }
        assert!(throttle.wait(b, now).is_some());
    }
}
