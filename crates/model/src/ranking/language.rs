//! The features of a model: groups of the list, then circles harvested from games.

use goban::circles::N_CIRCLES;
use goban::{Circles, Move, SizeClass};

use crate::features::set::FeatureSet;
use crate::tactics::PatternTable;
use crate::view::PositionView;

/// Levels of the wide row of circles, which stand before those of the close one.
pub const N_WIDE: usize = 10;

/// Everything that a model looks at, with a number for each feature: those of the groups, one for each level at which a row
/// of circles may end with an unknown one, then the slots of the circles.
#[derive(Debug, Clone)]
pub struct Language {
    /// The groups.
    pub groups: FeatureSet,
    /// The circles; none are drawn if none is known.
    pub circles: PatternTable,
}

/// The features of all moves of a position, in lists without gaps that are used again.
#[derive(Debug, Clone, Default)]
pub struct Teams {
    features: Vec<u32>,
    /// Where the features of each move end.
    ends: Vec<u32>,
}

impl Teams {
    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
    }

    /// Adds a feature to the move that is not yet ended.
    #[inline]
    pub fn push(&mut self, feature: u32) {
        self.features.push(feature);
    }

    /// Adds features to the move that is not yet ended.
    #[inline]
    pub fn extend(&mut self, features: &[u32]) {
        self.features.extend_from_slice(features);
    }

    /// Ends a move.
    #[inline]
    pub fn end(&mut self) {
        self.ends.push(self.features.len() as u32);
    }

    /// The features of each move.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        self.ends.iter().enumerate().map(|(idx, &end)| {
            let start = idx.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            &self.features[start..end as usize]
        })
    }

    /// The features of one move.
    #[inline]
    pub fn team(&self, idx: usize) -> &[u32] {
        let start = idx.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.features[start..self.ends[idx] as usize]
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no move.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl Language {
    /// The number of the feature that stands for an unknown circle of the first level.
    pub fn first_unknown(&self) -> usize {
        self.groups.n_features()
    }

    /// The number of the first slot.
    pub fn first_slot(&self) -> usize {
        self.first_unknown() + N_CIRCLES
    }

    /// Numbers in use; not every slot has a circle.
    pub fn n_features(&self) -> usize {
        self.first_slot() + if self.circles.is_empty() { 0 } else { self.circles.n_slots() }
    }

    /// Reads the features of all moves of a position.
    pub fn read<C: SizeClass>(&self, position: &PositionView<'_, C>, moves: &[Move], out: &mut Teams) {
        out.clear();
        let n_slots = self.circles.n_slots();
        let mut circles = (n_slots > 2 || !self.circles.is_empty())
            .then(|| Circles::new(position.board, position.to_play, position.recent_points()[0]));
        let (unknown, slots) = (self.first_unknown(), self.first_slot());
        self.groups.each_team(position, moves, |idx, team| {
            out.extend(team);
            if let (Some(circles), Some(point)) = (circles.as_mut(), moves[idx].point()) {
                circles.draw(C::vertex(point), |circle| {
                    let slot = self.circles.slot(circle.key);
                    out.push(slot.map_or(unknown + usize::from(circle.level), |slot| slots + slot) as u32);
                    slot.is_some()
                });
            }
            out.end();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Board, Color, Full, Size, Upto9, Vertex};

    #[test]
    fn circles_follow_the_groups() {
        let mut board = Board::<Upto9, Full>::new(Size::square(9).unwrap());
        let at = |col, row| Move::at(Upto9::point(Vertex::new(col, row)));
        board.play(Color::Black, at(4, 4));
        let position = PositionView { board: &board, to_play: Color::White, recent: [Some(at(4, 4)), None] };
        let mut keys = Vec::new();
        Circles::new(&board, Color::White, None).draw(Vertex::new(2, 2), |circle| {
            keys.push(circle.key);
            true
        });
        let groups = FeatureSet::parse("last").unwrap();
        let none = Language { groups: groups.clone(), circles: PatternTable::new(&[]) };
        let some = Language { groups, circles: PatternTable::new(&keys[..3]) };
        let mut teams = Teams::default();
        none.read(&position, &[at(2, 2), Move::PASS], &mut teams);
        assert_eq!(teams.iter().collect::<Vec<_>>(), [&[2 + 6][..], &[0]]);
        some.read(&position, &[at(2, 2), Move::PASS], &mut teams);
        assert_eq!((teams.len(), teams.team(1)), (2, &[0][..]));
        // Three wide circles are known, the fourth and the first close one are not.
        let slot = |n: usize| (some.first_slot() + some.circles.slot(keys[n]).unwrap()) as u32;
        let unknown = |level: usize| (some.first_unknown() + level) as u32;
        assert_eq!(teams.team(0), [8, slot(0), slot(1), slot(2), unknown(3), unknown(N_WIDE)]);
        assert!(some.n_features() > none.n_features() && none.n_features() == 2 + 18 + N_CIRCLES);
    }
}
