//! Planes 18 and 19: the points that count for each player as the board stands, under area scoring.
//!
//! Stones count, empty regions that one colour alone touches, and dead stones inside pass-alive territory, for whoever owns
//! it. A *region* of a colour is a connected part of everything that is not a stone of that colour. It is *vital* to a
//! chain if all its empty points (where suicide is legal: all its points) lie beside that chain. Pass-alive chains are found
//! as by Benson (1976). A region with pass-alive chains around it is territory if it holds no enemy stone, or at most one
//! point of it lies beside no stone of the owner: KataGo's rule, which counts less or more than [`Board::pass_alive`] does.
//!
//! Where the rules tax seki, only stones count in a part of an area that touches a neutral point or holds an own stone in
//! atari. Territory scoring is not told: KataGo shows it only while dead stones are settled on the board.

use goban::benson::{Regions, Suicide};
use goban::{Board, Color, Full, PointSet, Rules, Scoring, SizeClass, Tax};

use super::stones::Survey;
use super::{NetPosition, PlaneWriter, plane};

/// Writes the areas and returns the player's minus the other's, group tax paid, in points; `None` under territory scoring.
pub(super) fn fill<C: SizeClass>(
    position: &NetPosition<'_, C>,
    survey: &Survey<C>,
    planes: &mut PlaneWriter<'_>,
) -> Option<i32> {
    if position.rules.scoring == Scoring::Territory {
        return None;
    }
    let (areas, n_taxed) = areas(position.board, survey, &position.rules);
    let [own, other] = [position.to_play, !position.to_play].map(Color::idx);
    planes.set_all::<C>(plane::OWN_AREA, &areas[own]);
    planes.set_all::<C>(plane::OTHER_AREA, &areas[other]);
    let points = |color: usize| areas[color].len() as i32 - n_taxed[color];
    Some(points(own) - points(other))
}

/// The points that count for Black and for White, and the group tax of each.
fn areas<C: SizeClass>(board: &Board<C, Full>, survey: &Survey<C>, rules: &Rules) -> ([C::Set; 2], [i32; 2]) {
    let suicide = if rules.suicide { Suicide::Legal } else { Suicide::Forbidden };
    let [black, white] = Color::BOTH.map(|color| Claim::of(board, survey, color, suicide));
    // What is safe belongs to its owner even where the other, whose stones there are dead, surrounds it.
    let mut areas = [
        black.safe.union(&black.surrounded).difference(&white.safe),
        white.safe.union(&white.surrounded.difference(&black.safe)),
    ];
    for color in Color::BOTH {
        let dead = areas[(!color).idx()];
        areas[color.idx()] = areas[color.idx()].union(&survey.of(color).difference(&dead));
    }
    if rules.tax == Tax::None {
        return (areas, [0; 2]);
    }
    let mut n_taxed = [0; 2];
    let neutral = board.empty().difference(&areas[0]).difference(&areas[1]);
    let beside_neutral = C::dilate(&neutral);
    for color in Color::BOTH {
        let area = areas[color.idx()];
        let stones = survey.of(color).intersection(&area);
        let in_atari = survey.with_liberties[0].intersection(&stones);
        let seki = C::flood(&beside_neutral.intersection(&area).union(&in_atari), &area);
        let free = area.difference(&seki);
        if rules.tax == Tax::All {
            n_taxed[color.idx()] = 2 * C::parts(&free).count() as i32;
        }
        areas[color.idx()] = free.union(&stones);
    }
    (areas, n_taxed)
}

/// What one colour may claim, besides its stones.
struct Claim<S> {
    /// Pass-alive stones and the regions that only such stones surround, dead stones in them included.
    safe: S,
    /// Regions without enemy stones.
    surrounded: S,
}

impl<S: PointSet> Claim<S> {
    fn of<C: SizeClass<Set = S>>(
        board: &Board<C, Full>,
        survey: &Survey<C>,
        color: Color,
        suicide: Suicide,
    ) -> Self {
        let (own, enemies) = (survey.of(color), survey.of(!color));
        let mut claim = Self { safe: S::EMPTY, surrounded: S::EMPTY };
        if own.is_empty() {
            return claim;
        }
        let others = board.empty().union(enemies);
        let mut regions = Regions::<C>::new();
        for points in C::parts(&others) {
            if points.is_disjoint(enemies) {
                claim.surrounded = claim.surrounded.union(&points);
            }
            regions.add(board, points, color, suicide);
        }
        let alive = regions.pass_alive(board, own);
        if alive.is_empty() {
            return claim;
        }
        claim.safe = alive;
        let (dropped, beside) = (own.difference(&alive), C::dilate(own));
        for points in regions.all() {
            let is_enclosed = C::dilate(points).is_disjoint(&dropped);
            let is_small = || points.difference(&beside).len() <= 1;
            if is_enclosed && (points.is_disjoint(enemies) || is_small()) {
                claim.safe = claim.safe.union(points);
            }
        }
        claim
    }
}

#[cfg(test)]
mod tests;
