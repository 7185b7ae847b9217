//! The word for the network that the caller has loaded: a recipe says how it is asked, the caller which one it is.

use super::symmetry::NetSymmetry;
use model::net::Net;
use std::fmt;
use std::sync::Arc;

recipe::params! {
    /// The network that the caller has loaded from a file (`--net FILE`).
    pub struct Loaded as "loaded" {
        symmetries: word(NetSymmetry) = NetSymmetry::None, "how positions are turned before the network sees them";
    }
}

/// A network that a caller has loaded, shared by all searches that ask it.
#[derive(Clone)]
pub struct LoadedNet(pub Arc<dyn Net>);

impl fmt::Debug for LoadedNet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("LoadedNet")
    }
}

/// Two are the same if they share one network.
impl PartialEq for LoadedNet {
    fn eq(&self, other: &LoadedNet) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LoadedNet {}
