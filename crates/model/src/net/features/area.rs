//! Planes 18 and 19: the points that count for each player as the board stands, under area scoring.
//!
//! Stones count, empty regions that one colour alone touches, and dead stones inside pass-alive territory, for whoever owns
//! it. A *region* of a colour is a connected part of everything that is not a stone of that colour. It is *vital* to a
//! chain if all its empty points (where suicide is legal: all its points) lie beside that chain. Pass-alive chains are found
//! as by Benson (1976); a region with pass-alive chains around it is territory if it holds no enemy stone, or at most one
//! point of it lies beside no stone of the owner.
//!
//! Where the rules tax seki, only stones count in a part of an area that touches a neutral point or holds an own stone in
//! atari. Territory scoring is not told: KataGo shows it only while dead stones are settled on the board.

use goban::{Board, Color, Full, Point, PointMap, PointSet, Rules, Scoring, SizeClass, Tax};

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
    let black = Claim::of(board, survey, Color::Black, rules.suicide);
    let white = Claim::of(board, survey, Color::White, rules.suicide);
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
            n_taxed[color.idx()] = 2 * parts::<C>(&free).count() as i32;
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
        suicide: bool,
    ) -> Self {
        let (own, enemies) = (survey.of(color), survey.of(!color));
        let mut claim = Self { safe: S::EMPTY, surrounded: S::EMPTY };
        if own.is_empty() {
            return claim;
        }
        let others = board.empty().union(enemies);
        let mut regions = Regions::<C>::new();
        for points in parts::<C>(&others) {
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

/// The regions of a colour and the chains they are vital to.
struct Regions<C: SizeClass> {
    n: usize,
    points: C::PointMap<C::Set>,
    /// Per region: the heads of the chains it is vital to, at most four, `None` after the last.
    vital: C::PointMap<[Option<Point>; 4]>,
}

impl<C: SizeClass> Regions<C> {
    fn new() -> Self {
        Self { n: 0, points: PointMap::filled(C::Set::EMPTY), vital: PointMap::filled([None; 4]) }
    }

    fn all(&self) -> &[C::Set] {
        &self.points.as_ref()[..self.n]
    }

    fn add(&mut self, board: &Board<C, Full>, points: C::Set, color: Color, suicide: bool) {
        let empty = points.intersection(board.empty());
        // A region of enemy stones alone cannot be: they would have no liberty.
        let Some(first) = empty.first() else { return };
        let stones = points.difference(&empty);
        let is_vital = |head: &Point| {
            empty.difference(&board.liberties(*head)).is_empty()
                && (!suicide || stones.is_empty() || {
                    let mut chain = C::Set::EMPTY;
                    board.chain(*head).for_each(|stone| chain.insert(stone));
                    stones.difference(&C::dilate(&chain)).is_empty()
                })
        };
        let vital = board.chains_beside(first, color).into_iter().filter(is_vital);
        for (to, head) in self.vital[self.n].iter_mut().zip(vital) {
            *to = Some(head);
        }
        self.points[self.n] = points;
        self.n += 1;
    }

    /// The stones of chains that are left when chains with fewer than two vital regions are dropped, then regions that
    /// touch a dropped chain, until nothing changes.
    fn pass_alive(&self, board: &Board<C, Full>, own: &C::Set) -> C::Set {
        let mut alive = C::Set::EMPTY;
        let mut n_vital: C::PointMap<u8> = PointMap::filled(0);
        for head in self.vital.as_ref()[..self.n].iter().flatten().flatten() {
            let n = &mut n_vital[head.idx()];
            *n = n.saturating_add(1);
            if *n == 2 {
                board.chain(*head).for_each(|stone| alive.insert(stone));
            }
        }
        loop {
            let dropped = own.difference(&alive);
            if alive.is_empty() || dropped.is_empty() {
                return alive;
            }
            let beside = C::dilate(&dropped);
            let mut n_vital: C::PointMap<u8> = PointMap::filled(0);
            let mut next = C::Set::EMPTY;
            for (points, vital) in self.all().iter().zip(self.vital.as_ref()) {
                if vital[0].is_none() || !points.is_disjoint(&beside) {
                    continue;
                }
                for head in vital.iter().flatten() {
                    let n = &mut n_vital[head.idx()];
                    *n = n.saturating_add(1);
                    if *n == 2 {
                        board.chain(*head).for_each(|stone| next.insert(stone));
                    }
                }
            }
            if next == alive {
                return alive;
            }
            alive = next;
        }
    }
}

/// The connected parts of a set.
fn parts<C: SizeClass>(set: &C::Set) -> impl Iterator<Item = C::Set> {
    let mut rest = *set;
    std::iter::from_fn(move || {
        let mut seed = C::Set::EMPTY;
        seed.insert(rest.first()?);
        let part = C::flood(&seed, &rest);
        rest = rest.difference(&part);
        Some(part)
    })
}

#[cfg(test)]
mod tests;
