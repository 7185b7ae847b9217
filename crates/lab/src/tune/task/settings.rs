//! The settings that must be the same for a run to be continued.

use serde_json::{Map, Value, json};

use super::{MethodName, TuneTask};
use crate::entrant::Entrant;

impl TuneTask {
    /// All that proposals and games depend on, by the names of the file. Games that are added with another value would not
    /// be those of one run. CLOP does not know how many games there will be, so it may be given more.
    pub fn settings(&self) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("recipe".to_string(), json!(self.base.canonical()));
        map.insert("method".to_string(), json!(self.method));
        map.insert("seed".to_string(), json!(self.seed));
        let opponents = self.opponents.iter().map(Entrant::canonical);
        map.insert("opponents".to_string(), opponents.collect());
        map.insert("terms".to_string(), json!(self.terms));
        for axis in &self.axes {
            map.insert(format!("parameters.{}", axis.key), json!(axis));
        }
        match self.method {
            MethodName::Clop => {
                map.insert("height".to_string(), json!(self.height));
            }
            MethodName::Spsa => {
                map.insert("games".to_string(), json!(self.n_games));
                map.insert("walkers".to_string(), json!(self.gains.walkers));
                map.insert("rate".to_string(), json!(self.gains.rate));
                map.insert("steps".to_string(), json!(self.gains.step));
            }
        }
        map
    }
}
