//! Some groups of the list as the features of a model: one number for each level of each group, the two levels of the pass
//! first.

use goban::{Move, SizeClass};

use super::details::{DetailReader, MoveDetails};
use super::list::{self, Cost, FeatureGroup, GROUPS, Scene, SeenMove};
use super::{Wanted, each_move};
use crate::view::PositionView;

/// Levels of the pass: after a move, after a pass.
pub const N_PASSES: usize = 2;
/// The most features of one move: one of each group, or one of the pass.
pub const MAX_TEAM: usize = 32;
const _: () = assert!(GROUPS.len() <= MAX_TEAM);

/// A choice of groups, with the number at which the levels of each begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureSet {
    /// By group of the list.
    starts: [Option<u32>; MAX_TEAM],
    n_features: usize,
}

/// Words that name no features, or features that this program counts otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadFeatures {
    /// A group that the list does not have.
    #[error("there is no feature `{name}`; expected some of {}", known_names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// A group that stands there twice.
    #[error("the feature `{name}` stands there twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// A group whose levels this program counts otherwise.
    #[error("the feature `{name}` has {there} levels there, and {here} in this program")]
    Levels {
        /// The name.
        name: String,
        /// Its levels as stated.
        there: String,
        /// Its levels in the list.
        here: usize,
    },
    /// No group at all.
    #[error("no feature is named; expected some of {}", known_names())]
    None,
}

fn known_names() -> String {
    GROUPS.iter().map(|group| group.name).collect::<Vec<_>>().join(", ")
}

impl FeatureSet {
    /// Every group of the list.
    pub fn all() -> FeatureSet {
        FeatureSet::of(|_| true)
    }

    /// The groups that are wanted.
    fn of(is_wanted: impl Fn(usize) -> bool) -> FeatureSet {
        let mut set = FeatureSet { starts: [None; MAX_TEAM], n_features: N_PASSES };
        for (idx, group) in GROUPS.iter().enumerate().filter(|&(idx, _)| is_wanted(idx)) {
            set.starts[idx] = Some(set.n_features as u32);
            set.n_features += group.n_levels;
        }
        set
    }

    /// Groups by name with commas between, or `all`.
    ///
    /// # Errors
    /// Names the group that the list does not have.
    pub fn parse(text: &str) -> Result<FeatureSet, BadFeatures> {
        if text.trim() == "all" {
            return Ok(FeatureSet::all());
        }
        FeatureSet::named(text.split(',').map(|name| (name.trim(), None)))
    }

    /// What [`FeatureSet::describe`] wrote.
    ///
    /// # Errors
    /// Names the difference to the list.
    pub fn from_description(text: &str) -> Result<FeatureSet, BadFeatures> {
        let words = text.split_whitespace().map(|word| match word.split_once(':') {
            Some((name, levels)) => (name, Some(levels)),
            None => (word, Some("unstated")),
        });
        FeatureSet::named(words)
    }

    fn named<'t>(words: impl Iterator<Item = (&'t str, Option<&'t str>)>) -> Result<FeatureSet, BadFeatures> {
        let mut is_wanted = [false; MAX_TEAM];
        let mut is_any = false;
        for (name, levels) in words.filter(|(name, _)| !name.is_empty()) {
            is_any = true;
            let group = GROUPS.iter().position(|group| group.name == name);
            let Some(group) = group else { return Err(BadFeatures::Unknown { name: name.to_string() }) };
            let here = GROUPS[group].n_levels;
            if let Some(there) = levels.filter(|levels| levels.parse() != Ok(here)) {
                return Err(BadFeatures::Levels { name: name.to_string(), there: there.to_string(), here });
            }
            if std::mem::replace(&mut is_wanted[group], true) {
                return Err(BadFeatures::Twice { name: name.to_string() });
            }
        }
        if is_any { Ok(FeatureSet::of(|idx| is_wanted[idx])) } else { Err(BadFeatures::None) }
    }

    /// The groups with their levels, `place:25 last:18`, in the order of the list.
    pub fn describe(&self) -> String {
        let words = self.groups().map(|(_, group)| format!("{}:{}", group.name, group.n_levels));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The number at which each chosen group begins, and the group.
    pub fn groups(&self) -> impl Iterator<Item = (usize, &'static FeatureGroup)> + '_ {
        GROUPS.iter().zip(&self.starts).filter_map(|(group, start)| Some(((*start)? as usize, group)))
    }

    /// The number of features, the two of the pass included.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// A feature as text: its group and level.
    pub fn name(&self, feature: usize) -> String {
        match self.groups().take_while(|&(start, _)| start <= feature).last() {
            Some((start, group)) => format!("{} {}", group.name, feature - start),
            None => format!("pass {feature}"),
        }
    }

    /// The same set without one group, whose levels keep their numbers.
    pub fn without(&self, name: &str) -> FeatureSet {
        let mut set = self.clone();
        for (start, group) in set.starts.iter_mut().zip(GROUPS) {
            if group.name == name {
                *start = None;
            }
        }
        set
    }

    fn asks(&self, cost: Cost) -> bool {
        self.groups().any(|(_, group)| group.cost == cost)
    }

    /// Calls `each` with the number of every move and its features, in the order of the moves.
    pub fn each_team<C: SizeClass>(
        &self,
        position: &PositionView<'_, C>,
        moves: &[Move],
        mut each: impl FnMut(usize, &[u32]),
    ) {
        let scene = scene(position);
        let wants_paths = self.asks(Cost::Paths);
        let reader =
            (wants_paths || self.asks(Cost::Chains)).then(|| DetailReader::new(position, wants_paths));
        let wanted =
            Wanted { ladder: self.asks(Cost::Ladders), semeai: self.asks(Cost::Races), n_cfg_distances: 0 };
        let mut team = [0; MAX_TEAM];
        each_move(position, wanted, moves, |idx, features| {
            let Some(point) = moves[idx].point() else {
                return each(idx, &[u32::from(scene.is_after_pass)]);
            };
            let details = reader.as_ref().map_or(MoveDetails::default(), |reader| reader.of(point));
            let seen = SeenMove { scene: &scene, features, details: &details };
            let mut n = 0;
            list::each_level(
                &seen,
                |group| self.starts[group].is_some(),
                |group, level| {
                    if let Some(start) = self.starts[group] {
                        team[n] = start + level as u32;
                        n += 1;
                    }
                },
            );
            each(idx, &team[..n]);
        });
    }
}

/// What is the same for all moves.
fn scene<C: SizeClass>(position: &PositionView<'_, C>) -> Scene {
    let board = position.board;
    let n_points = board.size().area();
    let n_stones = n_points - board.n_empty();
    let between = match position.recent_points().map(|point| point.map(C::vertex)) {
        [Some(a), Some(b)] => {
            let (dx, dy) = (a.col().abs_diff(b.col()), a.row().abs_diff(b.row()));
            (dx + dy + dx.max(dy)) as u8
        }
        _ => 0,
    };
    Scene {
        is_after_pass: position.is_after_pass(),
        has_ko: board.ko().is_some(),
        stage: (10 * n_stones / n_points).min(7) as u8,
        between,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Board, Color, Full, Size, Upto9, Vertex};

    #[test]
    fn descriptions_come_back() {
        for set in [FeatureSet::all(), FeatureSet::parse("shape, last").unwrap()] {
            assert_eq!(FeatureSet::from_description(&set.describe()).as_ref(), Ok(&set));
        }
        let set = FeatureSet::parse("last,place").unwrap();
        assert_eq!(set.describe(), "place:25 last:18");
        assert_eq!(set.n_features(), 2 + 25 + 18);
        assert_eq!(
            [0, 1, 2, 26, 27, 44].map(|f| set.name(f)),
            ["pass 0", "pass 1", "place 0", "place 24", "last 0", "last 17"]
        );
    }

    #[test]
    fn other_features_are_refused_with_the_difference() {
        for (text, expected) in [
            ("place:25 net:3", "there is no feature `net`; expected some of place, last"),
            ("place:30", "the feature `place` has 30 levels there, and 25 in this program"),
            ("place", "`place` has unstated levels there"),
            ("place:25 place:25", "the feature `place` stands there twice"),
            ("", "no feature is named"),
        ] {
            let error = FeatureSet::from_description(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(FeatureSet::parse("plaice").unwrap_err().to_string().contains("`plaice`"));
    }

    #[test]
    fn teams_of_a_position() {
        let size = Size::square(9).unwrap();
        let mut board = Board::<Upto9, Full>::new(size);
        let at = |col, row| Move::at(Upto9::point(Vertex::new(col, row)));
        board.play(Color::Black, at(4, 4));
        board.play(Color::White, at(4, 5));
        let recent = [Some(at(4, 5)), Some(at(4, 4))];
        let position = PositionView { board: &board, to_play: Color::Black, recent };
        let set = FeatureSet::parse("place,last,before,triangle,chain").unwrap();
        let mut found = Vec::new();
        set.each_team(&position, &[at(3, 5), Move::PASS], |idx, team| {
            found.push((idx, team.iter().map(|&feature| set.name(feature as usize)).collect::<Vec<_>>()));
        });
        // D4 lies beside the last move, a diagonal from the one before; these are neighbours. A stone of three liberties.
        let expected = ["place 18", "last 2", "before 3", "triangle 58", "chain 2"];
        assert_eq!(found, [(0, expected.map(str::to_string).to_vec()), (1, vec!["pass 0".to_string()])]);
    }
}
