//! The numbers of a run, a line of `curves.csv` for each network.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use crate::{Error, Result};

/// Declares the columns of the curves: the structure, its line and how a line is read, from one line for each.
macro_rules! columns {
    ($($(#[doc = $doc:expr])+ $field:ident: $ty:ty,)*) => {
        /// A network of a run, and the games that ended since the one before it.
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
        pub struct RunPoint {
            $($(#[doc = $doc])+ pub $field: $ty,)*
        }

        impl RunPoint {
            /// The names of the columns.
            pub const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),*];

            /// The line of the file.
            fn line(&self) -> String {
                [$(self.$field.shown()),*].join(",")
            }

            /// Reads a line under these names; columns that it lacks have their zero.
            fn read(names: &[&str], line: &str) -> Option<Self> {
                let cells: Vec<&str> = line.split(',').collect();
                let cell = |name: &str| names.iter().position(|other| *other == name).and_then(|idx| cells.get(idx).copied());
                let mut point = Self::default();
                if cells.len() != names.len() {
                    return None;
                }
                $(if let Some(text) = cell(stringify!($field)) {
                    point.$field = text.parse().ok()?;
                })*
                Some(point)
            }
        }
    };
}

columns! {
    /// The number of the network.
    net: u32,
    /// Hours at work, over the whole run.
    hours: f64,
    /// Hours of processor time of all threads together, over the whole run.
    cpu_hours: f64,
    /// Games, over the whole run.
    games: u64,
    /// Positions that were learned from or will be, over the whole run.
    positions: u64,
    /// Training steps, over the whole run.
    steps: u64,
    /// Positions in the window.
    window: u64,
    /// The policy's loss in nats, the mean over the steps since the network before.
    policy_loss: f64,
    /// The entropy of what the policy should be, in nats: its loss cannot fall below.
    policy_entropy: f64,
    /// The share of positions in which the policy's first choice is that of the search.
    policy_top1: f64,
    /// The value's loss in nats.
    value_loss: f64,
    /// The loss of the score.
    score_loss: f64,
    /// The loss of the owners.
    ownership_loss: f64,
    /// The network's rating, the first one's being 0: sums of differences from the one that played before it, each uncertain.
    elo: f64,
    /// Its trial's games.
    trial_games: u64,
    /// Its share of the points in them, 0 to 1.
    trial_rate: f64,
    /// 1 if it plays from now on.
    accepted: u32,
    /// Games an hour since the network before.
    games_an_hour: f64,
    /// Moves of a game.
    mean_length: f64,
    /// Black's share of the points, 0 to 1.
    black_rate: f64,
    /// The share of drawn games.
    draw_rate: f64,
    /// The share of games that were given up.
    resign_rate: f64,
    /// The limit below which a player gives up.
    resign_below: f64,
    /// Of the checked games that would have been given up at that limit, the share that was not lost.
    resign_errors: f64,
    /// The first moves with their shares, the most frequent ones: `d:0.61 c:0.2`; of games that did not begin blindly.
    first_moves: String,
}

/// A number or a text in a cell.
trait Shown {
    fn shown(&self) -> String;
}

impl Shown for u32 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for u64 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for f64 {
    /// Five digits behind the point are more than anything here is worth.
    fn shown(&self) -> String {
        let text = format!("{self:.5}");
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        self.replace([',', '\n'], " ")
    }
}

/// Reads the points of a file; none if it is not there. Lines that no run wrote are passed over.
///
/// # Errors
/// A system that refuses.
pub fn read(path: &Path) -> Result<Vec<RunPoint>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(Error::file("read", path)(why)),
    };
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    Ok(lines.filter_map(|line| RunPoint::read(&names, line)).collect())
}

/// Adds a point at the end, behind the points of earlier networks alone: a run that was killed makes its last network anew.
///
/// # Errors
/// A system that refuses.
pub fn add(path: &Path, point: &RunPoint) -> Result<()> {
    let known = read(path)?;
    let is_whole = fs::read(path).is_ok_and(|bytes| bytes.ends_with(b"\n"));
    let is_plain = is_whole && known.iter().all(|other| other.net < point.net);
    let mut text = String::new();
    if !is_plain {
        text += &(RunPoint::COLUMNS.join(",") + "\n");
        for other in known.iter().filter(|other| other.net < point.net) {
            text += &(other.line() + "\n");
        }
    }
    text += &(point.line() + "\n");
    let file = OpenOptions::new().create(true).write(true).append(is_plain).truncate(!is_plain).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(Error::file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_back_and_a_network_made_anew_replaces_what_was_said_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("curves.csv");
        assert_eq!(read(&path).unwrap(), []);
        let point =
            |net, elo| RunPoint { net, elo, first_moves: "d:0.5 c:0.25".into(), ..RunPoint::default() };
        for (net, elo) in [(1, 10.5), (2, 20.0), (3, -30.0), (2, 25.25)] {
            add(&path, &point(net, elo)).unwrap();
        }
        assert_eq!(read(&path).unwrap(), [point(1, 10.5), point(2, 25.25)]);
        // Half a line says nothing, nor does one of something else.
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("net,hours,cpu_hours,games,positions,steps,") && text.lines().count() == 3);
        fs::write(&path, text + "3,0.5").unwrap();
        assert_eq!(read(&path).unwrap().len(), 2);
        add(&path, &point(3, 1.0)).unwrap();
        assert_eq!(read(&path).unwrap(), [point(1, 10.5), point(2, 25.25), point(3, 1.0)]);
    }
}
