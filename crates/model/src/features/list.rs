//! The list of features: every group by name, its levels and its cost, and how the level of a move follows from the board.
//!
//! A move has at most one level of each group. Whatever ranks moves (priors, trainers, and so the factors of
//! [`crate::tactics`], which uses the first eight groups) takes the levels from here. Circular patterns are no group: they
//! are harvested from games, and stand behind the groups in a model.

use goban::Code;
pub use playout::pattern3::N_SHAPES;
use playout::pattern3::shape_number;

use super::details::{MAX_PATH, MoveDetails, VitalPoint};
use super::{MoveFeatures, level};

/// The cost of a group: what has to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// Nothing but what the playouts' rules note of every position anyway.
    Plain,
    /// The chains around each move.
    Chains,
    /// Distances along chains, measured once a position.
    Paths,
    /// Races everywhere.
    Races,
    /// Ladders are read.
    Ladders,
}

impl Cost {
    /// The word for it in listings.
    pub fn name(self) -> &'static str {
        match self {
            Cost::Plain => "plain",
            Cost::Chains => "chains",
            Cost::Paths => "paths",
            Cost::Races => "races",
            Cost::Ladders => "ladders",
        }
    }
}

/// A declared group of features.
#[derive(Debug, Clone, Copy)]
pub struct FeatureGroup {
    /// Its name in model files and on the command line.
    pub name: &'static str,
    /// The number of its levels, from 0.
    pub n_levels: usize,
    /// What it costs.
    pub cost: Cost,
    /// What it tells.
    pub about: &'static str,
}

/// What is the same for all moves of a position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scene {
    /// The move before was a pass.
    pub is_after_pass: bool,
    /// The ko rule forbids a point.
    pub has_ko: bool,
    /// How full the board is, in steps of a tenth of its points, at most 7.
    pub stage: u8,
    /// Coulom's distance between the last two moves; 0 if one of them is not on the board.
    pub between: u8,
}

/// All that is known of one move.
#[derive(Debug, Clone, Copy)]
pub struct SeenMove<'a> {
    /// Of its position.
    pub scene: &'a Scene,
    /// What the rules of the playouts say.
    pub features: &'a MoveFeatures,
    /// What is asked in addition.
    pub details: &'a MoveDetails,
}

/// Steps of [`Scene::stage`].
const N_STAGES: usize = 8;
/// Buckets of [`near`].
const N_NEAR: usize = 7;

/// Coulom's distance in seven steps: none, 2, 3, 4, to 6, to 9, farther.
fn near(distance: u8) -> usize {
    match distance {
        0 => 0,
        1..=4 => usize::from(distance.max(2)) - 1,
        5 | 6 => 4,
        7..=9 => 5,
        _ => 6,
    }
}

/// A number from 0 to `most`.
fn upto(n: u8, most: usize) -> usize {
    usize::from(n).min(most)
}

/// Stones of a chain in three steps: one, two or three, more.
fn bulk(n_stones: u8) -> usize {
    match n_stones {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 2,
    }
}

/// A kind of ko move.
fn ko(seen: &SeenMove<'_>) -> Option<usize> {
    match (seen.details.takes_ko, seen.scene.has_ko) {
        (true, _) => Some(0),
        (false, true) => Some(1 + usize::from(seen.features.n_atari > 0)),
        (false, false) => None,
    }
}

/// A ladder's outcome: one stone taken, several, running in vain.
fn ladder(features: &MoveFeatures) -> Option<usize> {
    match (features.n_laddered, features.is_caught) {
        (_, true) => Some(2),
        (0, false) => None,
        (n, false) => Some(usize::from(n > 1)),
    }
}

fn when(is_so: bool) -> Option<usize> {
    is_so.then_some(0)
}

/// Each line: name, levels, cost, what it tells, and the level of a move that is no pass.
macro_rules! groups {
    ($($name:literal $n_levels:expr, $cost:ident, $about:literal, $seen:ident => $level:expr;)*) => {
        /// All groups but the pass, whose two levels stand before them in every model.
        pub static GROUPS: &[FeatureGroup] =
            &[$(FeatureGroup { name: $name, n_levels: $n_levels, cost: Cost::$cost, about: $about }),*];

        /// Calls `each` with the number of every group that `is_asked` and in which the move has a level, and that level.
        /// The move is no pass.
        #[inline(always)]
        pub fn each_level(
            seen: &SeenMove<'_>,
            is_asked: impl Fn(usize) -> bool,
            mut each: impl FnMut(usize, usize),
        ) {
            let mut group = 0;
            $(
                if is_asked(group) {
                    let $seen = seen;
                    let level: Option<usize> = $level;
                    if let Some(level) = level {
                        debug_assert!(level < $n_levels, "{}: level {level}", $name);
                        each(group, level);
                    }
                }
                group += 1;
            )*
            let _ = group;
        }
    };
}

groups! {
    "place" level::N_PLACES, Plain, "the lines of both coordinates, at most the fifth",
        m => Some(level::place(m.features));
    "last" level::N_DISTANCES, Plain, "distance to the last move",
        m => Some(level::distance(m.features.distance[0]));
    "before" level::N_DISTANCES, Plain, "distance to the move before it",
        m => Some(level::distance(m.features.distance[1]));
    "take" level::N_TAKES, Plain, "stones taken and stones saved: none, one, more",
        m => Some(level::take(m.features)).filter(|&level| level > 0);
    "atari" level::N_SIZES, Plain, "stones put into atari: one, more",
        m => Some(level::size(m.features.n_atari)).filter(|&level| level > 0);
    "self-atari" 1, Plain, "a self-atari without a good reason",
        m => when(m.features.is_self_atari);
    "fight" 1, Plain, "chains of few liberties and eyes at the last move ask for it",
        m => when(m.features.is_fight);
    "shape" N_SHAPES, Plain, "the 3×3 neighbourhood, all of them",
        m => Some(shape_number(Code(m.features.shape)));
    "lonely" 5, Plain, "no stone is near: by line",
        m => m.features.is_lonely.then(|| upto(m.features.lines[0], 5).max(1) - 1);
    "line" 10, Plain, "the lower line, at most the tenth",
        m => Some(upto(m.features.lines[0], 10).max(1) - 1);
    "stage" N_STAGES * level::N_PLACES, Plain, "the place, by how full the board is",
        m => Some(usize::from(m.scene.stage) * level::N_PLACES + level::place(m.features));
    "triangle" N_NEAR * N_NEAR * N_NEAR, Plain, "distances to the last two moves, by the distance between these",
        m => Some((near(m.scene.between) * N_NEAR + near(m.features.distance[0])) * N_NEAR + near(m.features.distance[1]));
    "chain" 3 * 9, Chains, "liberties of the chain after the move, one to nine, by its stones: one, to three, more",
        m => Some(bulk(m.details.n_stones) * 9 + upto(m.details.n_liberties, 9).max(1) - 1);
    "pressure" 36, Chains, "the fewest liberties of an own and of an enemy chain beside it, at most five; 0: no chain",
        m => Some(upto(m.details.own.least_liberties, 5) * 6 + upto(m.details.enemy.least_liberties, 5));
    "joins" 16, Chains, "own and enemy chains beside it, at most three",
        m => Some(upto(m.details.own.n_chains, 3) * 4 + upto(m.details.enemy.n_chains, 3));
    "ko" 3, Chains, "takes a ko; while one is barred: any move, a move that gives atari",
        m => ko(m);
    "nakade" 2, Chains, "the vital point of an own or an enemy eye space",
        m => m.details.vital.map(|vital| usize::from(vital == VitalPoint::Enemy));
    "path-last" 1 + MAX_PATH as usize + 1, Paths, "steps along chains to the last move",
        m => Some(usize::from(m.details.path[0]));
    "path-before" 1 + MAX_PATH as usize + 1, Paths, "steps along chains to the move before it",
        m => Some(usize::from(m.details.path[1]));
    "race" 1, Races, "an outside liberty in a semeai, anywhere",
        m => when(m.features.is_semeai);
    "ladder" 3, Ladders, "takes one stone in a ladder, or more; runs into one",
        m => ladder(m.features);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_differ() {
        for (idx, group) in GROUPS.iter().enumerate() {
            assert!(group.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", group.name);
            assert!(GROUPS[..idx].iter().all(|other| other.name != group.name), "{}", group.name);
            assert!(group.n_levels > 0 && !group.about.is_empty());
        }
    }

    #[test]
    fn levels_worked_by_hand() {
        let scene = Scene { is_after_pass: false, has_ko: true, stage: 3, between: 5 };
        let features = MoveFeatures {
            lines: [3, 7],
            distance: [2, 12],
            n_captured: 1,
            n_saved: 4,
            n_atari: 2,
            is_caught: true,
            ..MoveFeatures::default()
        };
        let details = MoveDetails {
            n_liberties: 2,
            n_stones: 3,
            path: [1, 9],
            vital: Some(VitalPoint::Own),
            ..MoveDetails::default()
        };
        let seen = SeenMove { scene: &scene, features: &features, details: &details };
        let mut found = Vec::new();
        each_level(
            &seen,
            |group| GROUPS[group].name != "line",
            |group, level| {
                found.push((GROUPS[group].name, level));
            },
        );
        let expected = [
            ("place", 2 * 5 + 4),
            ("last", 2),
            ("before", 12),
            ("take", 3 + 2),
            ("atari", 2),
            ("shape", 0),
            ("stage", 3 * 25 + 14),
            ("triangle", (4 * 7 + 1) * 7 + 6),
            ("chain", 9 + 1),
            ("pressure", 0),
            ("joins", 0),
            ("ko", 2),
            ("nakade", 0),
            ("path-last", 1),
            ("path-before", 9),
            ("ladder", 2),
        ];
        assert_eq!(found, expected);
    }
}
