//! Unconditional life: chains that survive although their owner always passes (Benson 1976).
//!
//! For one colour: its chains, and the regions that these leave, of empty points and enemy stones. A region is
//! *vital* to a chain if all its empty points are liberties of that chain. Chains with fewer than two vital
//! regions are dropped, then regions that touch a dropped chain, until nothing changes; what is left lives.

use crate::any::{AnyBoard, to_vertices};
use crate::board::{Board, Keep};
use crate::class::SizeClass;
use crate::color::Color;
use crate::set::PointSet;
use crate::vertex::Vertex;
use crate::with_board;

/// The stones and points of one colour that no attack takes, even if their owner passes every time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassAlive<S> {
    /// The stones of its pass-alive chains.
    pub stones: S,
    /// Regions with pass-alive chains around them in which the enemy can never make an eye: empty points and
    /// the enemy's dead stones.
    pub territory: S,
}

struct BensonChain<S> {
    stones: S,
    liberties: S,
}

struct Region<S> {
    points: S,
    empty: S,
    /// The region together with everything beside it.
    with_border: S,
}

impl<C: SizeClass, K: Keep> Board<C, K> {
    /// The pass-alive chains of `color` and the territory they enclose.
    pub fn pass_alive(&self, color: Color) -> PassAlive<C::Set> {
        let own = self.stones(color);
        let mut chains: Vec<BensonChain<C::Set>> = parts::<C>(&own)
            .map(|stones| BensonChain { stones, liberties: C::dilate(&stones).intersection(self.empty()) })
            .collect();
        let others = self.empty().union(&self.stones(!color));
        let mut regions: Vec<Region<C::Set>> = parts::<C>(&others)
            .map(|points| Region {
                points,
                empty: points.intersection(self.empty()),
                with_border: C::dilate(&points),
            })
            .collect();
        loop {
            let n_before = (chains.len(), regions.len());
            chains.retain(|chain| {
                let is_vital = |region: &&Region<C::Set>| {
                    !region.empty.is_empty() && region.empty.difference(&chain.liberties).is_empty()
                };
                regions.iter().filter(is_vital).nth(1).is_some()
            });
            let alive = chains.iter().fold(C::Set::EMPTY, |all, chain| all.union(&chain.stones));
            let dropped = own.difference(&alive);
            regions.retain(|region| region.with_border.is_disjoint(&dropped));
            if (chains.len(), regions.len()) == n_before {
                let beside = C::dilate(&alive);
                let closed = regions.iter().filter(|region| region.empty.difference(&beside).is_empty());
                let territory = closed.fold(C::Set::EMPTY, |all, region| all.union(&region.points));
                // Without stones the whole board is one region that nobody owns.
                return PassAlive {
                    stones: alive,
                    territory: if chains.is_empty() { alive } else { territory },
                };
            }
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

impl AnyBoard {
    /// The pass-alive stones of `color` and the territory they enclose, row by row; see [`Board::pass_alive`].
    pub fn pass_alive(&self, color: Color) -> PassAlive<Vec<Vertex>> {
        with_board!(self, |board| {
            let found = board.pass_alive(color);
            PassAlive {
                stones: to_vertices(board, &found.stones),
                territory: to_vertices(board, &found.territory),
            }
        })
    }
}
