//! The network that a player asks: named in the entrant's text, loaded before the first game.

use mcts::LoadedNet;
use player::nets::{NetFile, NetFolder, NetLoadError};

use crate::{Error, ErrorPlace, Result};

/// A network by name or file, with its hash if it must be a certain one, and the network itself once it is loaded.
#[derive(Clone, Debug)]
pub struct AskedNet {
    /// The key that names it: `net` or `value-net`.
    key: &'static str,
    /// A file, or a name of the folder of networks.
    text: String,
    /// The hash that the file must have.
    hash: Option<u64>,
    file: Option<NetFile>,
}

impl AskedNet {
    /// Reads `NAME`, `FILE` or either with the hash that [`Self::identity`] tells: `NAME#0123456789abcdef`.
    pub(super) fn parse(key: &'static str, text: &str) -> Result<Self> {
        let hash_of = |digits: &str| {
            let is_hash = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            u64::from_str_radix(digits, 16).ok().filter(|_| is_hash)
        };
        let with_hash = text.rsplit_once('#').and_then(|(name, digits)| Some((name, hash_of(digits)?)));
        let (name, hash) = with_hash.map_or((text, None), |(name, hash)| (name, Some(hash)));
        if name.is_empty() {
            return Err(Error::input(format!("{key}={text}: expected the name or the file of a network")));
        }
        Ok(Self { key, text: name.to_string(), hash, file: None })
    }

    /// Loads the network, which is to play this game.
    pub(super) fn load(&mut self, folder: &NetFolder, game: &str) -> Result<()> {
        let place = || format!("{}={}", self.key, self.text);
        let file = folder.load_for(&self.text, game).map_err(Error::input).at(place())?;
        if let Some(expected) = self.hash.filter(|&hash| hash != file.hash) {
            let (path, found) = (file.path.clone(), file.hash);
            return Err(Error::input(NetLoadError::OtherHash { path, found, expected })).at(place());
        }
        self.file = Some(file);
        Ok(())
    }

    /// Takes value, score and owners from another network, which is loaded.
    pub(super) fn take_value(&mut self, of: &AskedNet) {
        if let Some(value) = &of.file {
            self.file = self.file.take().map(|file| file.with_value(value.clone()));
        }
    }

    /// Takes over what another has loaded under the same text.
    pub(super) fn share(&mut self, other: &AskedNet) {
        if self.is_as(other) {
            self.file.clone_from(&other.file);
        }
    }

    /// Whether another names the same network.
    pub(super) fn is_as(&self, other: &AskedNet) -> bool {
        self.text == other.text && self.hash == other.hash
    }

    /// What makes the network what it is: the name of its file and the hash of its bytes, once it is loaded.
    pub fn identity(&self) -> String {
        match (&self.file, self.hash) {
            (Some(file), _) => NetFile { value: None, ..file.clone() }.identity(),
            (None, Some(hash)) => format!("{}#{hash:016x}", self.text),
            (None, None) => self.text.clone(),
        }
    }

    /// The network as searches take it.
    pub(super) fn loaded(&self) -> Result<LoadedNet> {
        let file = self.file.as_ref();
        file.map(NetFile::loaded)
            .ok_or_else(|| Error::input(format!("{}={}: it was not loaded", self.key, self.text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entrant;
    use model::net::sample::{self, Form};

    #[test]
    fn two_networks_play_as_one() {
        let dir = tempfile::tempdir().unwrap();
        for (name, seed) in [("a", 1), ("b", 2)] {
            let bytes = sample::write(&sample::conv_graph(8, 4, seed), Form::Binary);
            std::fs::write(dir.path().join(format!("{name}.bin")), bytes).unwrap();
        }
        let folder = NetFolder::new(Some(dir.path().to_path_buf()));
        let mut entrant: Entrant = "alphago@value-net=b,net=a,playouts=4".parse().unwrap();
        assert!(entrant.canonical().ends_with("@playouts=4,net=a,value-net=b"), "{}", entrant.canonical());
        entrant.load_net(&folder, "go").unwrap();
        let mut alone: Entrant = "alphago@net=a,playouts=4".parse().unwrap();
        alone.load_net(&folder, "go").unwrap();
        let settings = |entrant: &Entrant| entrant.settings(1).unwrap();
        assert!(settings(&entrant) == settings(&entrant) && settings(&entrant) != settings(&alone));
        let canonical = entrant.canonical();
        let (first, second) = canonical.rsplit_once(",value-net=b#").unwrap();
        assert!(first.contains("net=a#") && second.len() == 16, "{canonical}");
        let mut again: Entrant = canonical.parse().unwrap();
        again.load_net(&folder, "go").unwrap();
        assert_eq!(again.canonical(), canonical);
        let mut missing: Entrant = "alphago@net=a,value-net=c".parse().unwrap();
        let error = missing.load_net(&folder, "go").unwrap_err().to_string();
        assert!(error.contains("value-net=c: "), "{error}");
    }

    #[test]
    fn a_policy_plays_without_a_search() {
        let dir = tempfile::tempdir().unwrap();
        let bytes = sample::write(&sample::conv_graph(8, 4, 1), Form::Binary);
        std::fs::write(dir.path().join("a.bin"), bytes).unwrap();
        let folder = NetFolder::new(Some(dir.path().to_path_buf()));
        let mut policy: Entrant = "policy:net@net=a".parse().unwrap();
        policy.load_net(&folder, "go").unwrap();
        assert!(policy.canonical().starts_with("policy:net:temperature=1@net=a#"), "{}", policy.canonical());
        let mut greedy: Entrant = "policy:net:temperature=0@net=a".parse().unwrap();
        greedy.load_net(&folder, "go").unwrap();
        assert_eq!(greedy.canonical().parse::<Entrant>().unwrap().canonical(), greedy.canonical());
        let mut none: Entrant = "policy:net".parse().unwrap();
        let error = none.load_net(&folder, "go").unwrap_err().to_string();
        assert!(error.contains("\"policy:net\" asks a network"), "{error}");
    }

    #[test]
    fn a_network_is_known_by_its_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let write = |seed| {
            let bytes = sample::write(&sample::conv_graph(8, 4, seed), Form::Binary);
            std::fs::write(dir.path().join("small.bin"), bytes).unwrap();
        };
        write(1);
        let folder = || NetFolder::new(Some(dir.path().to_path_buf()));
        let mut entrant: Entrant = "katago@net=small,playouts=4".parse().unwrap();
        assert!(entrant.canonical().ends_with("@playouts=4,net=small"), "{}", entrant.canonical());
        assert!(entrant.settings(1).unwrap_err().to_string().contains("net=small: it was not loaded"));
        entrant.load_net(&folder(), "go").unwrap();
        assert!(entrant.settings(1).unwrap().net.is_some());
        let canonical = entrant.canonical();
        let (_, hash) = canonical.rsplit_once("net=small#").unwrap();
        assert_eq!(hash.len(), 16, "{canonical}");

        // The canonical text means the same network, and refuses another one of the same name.
        let mut again: Entrant = canonical.parse().unwrap();
        assert_eq!(again.canonical(), canonical);
        again.load_net(&folder(), "go").unwrap();
        write(2);
        let error = again.load_net(&folder(), "go").unwrap_err().to_string();
        assert!(error.contains("another network") && error.contains(hash), "{error}");

        let mut missing: Entrant = "katago@net=smal".parse().unwrap();
        let error = missing.load_net(&folder(), "go").unwrap_err().to_string();
        assert!(error.contains("net=smal: ") && error.contains("did you mean small?"), "{error}");
        let mut none: Entrant = "katago@playouts=4".parse().unwrap();
        let error = none.load_net(&folder(), "go").unwrap_err().to_string();
        assert!(error.contains("\"katago\" asks a network"), "{error}");
        "default".parse::<Entrant>().unwrap().load_net(&folder(), "go").unwrap();
    }
}
