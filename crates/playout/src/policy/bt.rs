//! `bt`: a move has probability Π γ_i^(1/T) / Σ Π γ_i^(1/T), γ_i the factors of its features. [Coulom 2007; Huang, Coulom & Lin 2010;
//! Ikeda & Viennot 2013, 3.4]
//!
//! What the neighbourhood and the line of each point are worth is kept for both colours, with the sum of each row and of all: a stone
//! changes it at eight points. The few points with features of the last moves and of chains in atari are weighed anew before each
//! move and stand beside those sums. Whether a move is a self-atari is asked only when it has been drawn; it is then played with a
//! probability in proportion to that factor, and otherwise drawn again, which comes to the same. Weights are whole numbers, so that sums
//! do not depend on the way that led to them.

use std::sync::Arc;

use goban::{Board, Color, Move, Point, PointSet, Rng, Size, SizeClass, Tactical};

use super::{MovePolicy, draw_below};
use crate::bt::scene::self_atari;
use crate::bt::{self, BtGeometry, BtModel, BtScene, BtTable};
use crate::rollout::{Playout, PlayoutRunner};

recipe::words! {
    /// Whose weights are used.
    pub enum BtWeights {
        /// Fitted to games by minorization-maximization.
        Mm = "mm",
        /// Balanced against the values of a search.
        Balanced = "balanced",
        /// Those of `--playout-weights`.
        File = "file",
    }
}

recipe::params! {
    /// A move with probability ∝ the product of its features' factors: neighbourhood, last moves, ataris (Bradley-Terry).
    pub struct Bt as "bt" {
        weights: word(BtWeights) = BtWeights::Mm, "fitted to games, balanced against a search, or of --playout-weights";
        temperature: f32 = 1.0, 0.05..=100.0, "T: factors are γ^(1/T); the larger, the more random";
    }
}

/// Builds the rollout.
///
/// # Errors
/// When the weights of a file are asked for and there are none.
pub fn build<C: SizeClass>(params: &Bt, size: Size) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    let model = match params.weights {
        BtWeights::Mm => bt::fitted(size),
        BtWeights::Balanced => bt::balanced(),
        BtWeights::File => bt::installed().ok_or_else(|| {
            recipe::Error::unsuitable(
                VARIANT.name,
                "weights=file needs a file; give one by --playout-weights FILE",
            )
        })?,
    };
    Ok(rollout(model, size, params.temperature))
}

/// The rollout of a model.
pub(super) fn rollout<C: SizeClass>(
    model: &BtModel,
    size: Size,
    temperature: f32,
) -> Box<dyn PlayoutRunner<C>> {
    Box::new(Playout::<C, _>::new(size, BtPolicy::new::<C>(model, size, temperature)))
}

/// Moves that may be drawn and refused before all are weighed, which cannot fail.
const MAX_DRAWS: usize = 12;

/// Weights beyond this are cut; all of a board's together fit into 64 bits.
const MAX_WEIGHT: f32 = (1u64 << 40) as f32;

/// The policy in the course of a playout.
#[derive(Clone, Debug)]
pub struct BtPolicy {
    table: Arc<BtTable>,
    /// By colour and point: the weight by lasting features; 0 for stones and own eyes.
    weights: [Vec<u32>; 2],
    /// By colour: their sums in each row.
    rows: [Vec<u64>; 2],
    /// By colour: their sum.
    totals: [u64; 2],
    /// Stones captured so far, by colour.
    n_captured: [u32; 2],
    recent: [Move; 2],
    /// The weighed moves of the position: points with passing features, or all of them.
    weighed: Vec<(Point, u64)>,
}

impl BtPolicy {
    /// The policy before its first playout.
    pub fn new<C: SizeClass>(model: &BtModel, size: Size, temperature: f32) -> BtPolicy {
        BtPolicy {
            table: Arc::new(BtTable::new(model, BtGeometry::new::<C>(size), temperature)),
            weights: [vec![0; C::POINTS], vec![0; C::POINTS]],
            rows: [vec![0; C::SIDE], vec![0; C::SIDE]],
            totals: [0; 2],
            n_captured: [0; 2],
            recent: [Move::PASS; 2],
            weighed: Vec::with_capacity(C::POINTS),
        }
    }

    /// Gives a point its weights, and the sums with it.
    #[inline(always)]
    fn set<C: SizeClass>(&mut self, point: Point, new: [u32; 2]) {
        let row = point.idx() / C::STRIDE;
        for (color, new) in new.into_iter().enumerate() {
            let weight = &mut self.weights[color][point.idx()];
            let change = u64::from(new).wrapping_sub(u64::from(*weight));
            *weight = new;
            self.rows[color][row] = self.rows[color][row].wrapping_add(change);
            self.totals[color] = self.totals[color].wrapping_add(change);
        }
    }

    /// Weighs the empty points around a point anew.
    #[inline]
    fn refresh_around<C: SizeClass>(&mut self, board: &Board<C, Tactical>, point: Point) {
        let mut rest = board.code(point).empty_around();
        while rest != 0 {
            let beside = point.towards::<C>(rest.trailing_zeros() as usize / 2);
            rest &= rest - 1;
            self.set::<C>(beside, self.table.lasting(beside, board.code(beside)));
        }
    }

    /// The weight of a move with its passing features.
    #[inline(never)]
    fn weigh<C: SizeClass>(
        table: &BtTable,
        scene: &BtScene<'_, C, Tactical>,
        lasting: u32,
        point: Point,
    ) -> u64 {
        if lasting == 0 {
            return 0;
        }
        let mut factor = lasting as f32;
        scene.passing(point, |feature| factor *= table.factor(feature));
        (factor.min(MAX_WEIGHT) as u64).max(1)
    }

    /// Weighs the points with passing features; returns their set and the sum of their weights.
    #[inline(always)]
    fn weigh_special<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color) -> (C::Set, u64) {
        let Self { table, weights, weighed, recent, .. } = self;
        let scene = BtScene::new(board, &table.geometry, mover, *recent);
        let special = scene.special();
        let mut sum = 0;
        weighed.clear();
        for point in special.iter() {
            let weight = Self::weigh(table, &scene, weights[mover.idx()][point.idx()], point);
            weighed.push((point, weight));
            sum += weight;
        }
        (special, sum)
    }

    /// The point on which a number below the sum of the rows falls.
    #[inline(always)]
    fn walk<C: SizeClass>(&self, color: usize, mut rest: u64) -> Point {
        let (mut row, rows) = (0, &self.rows[color]);
        while row + 1 < rows.len() && rest >= rows[row] {
            rest -= rows[row];
            row += 1;
        }
        let start = row * C::STRIDE;
        let weights = &self.weights[color][start..start + C::SIDE];
        let mut col = 0;
        while col + 1 < weights.len() && rest >= u64::from(weights[col]) {
            rest -= u64::from(weights[col]);
            col += 1;
        }
        Point::from_idx(start + col)
    }

    /// Weighs all moves in full, refused ones with 0; returns the sum of the weights. They are in other units than those of
    /// the sums.
    pub fn weigh_all<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color) -> u64 {
        const PART: f32 = 65_536.0;
        let Self { table, weights, weighed, recent, .. } = self;
        let scene = BtScene::new(board, &table.geometry, mover, *recent);
        weighed.clear();
        let mut sum = 0;
        for point in board.empties() {
            let lasting = weights[mover.idx()][point.idx()];
            if lasting > 0 && board.is_legal(mover, point) {
                let accepted = (table.accepted(self_atari(board, mover, point)) * PART) as u64;
                // Below 2⁴⁸, and at least 1.
                let weight = ((Self::weigh(table, &scene, lasting, point) * accepted) >> 8).max(1);
                weighed.push((point, weight));
                sum += weight;
            }
        }
        sum
    }

    /// The weighed moves.
    pub fn weighed(&self) -> &[(Point, u64)] {
        &self.weighed
    }

    /// Draws a move of `mover`, whichever colour he has: one function for both, since it is most of the policy's code.
    #[inline(never)]
    fn draw<C: SizeClass>(
        &mut self,
        board: &Board<C, Tactical>,
        mover: Color,
        rng: &mut Rng,
    ) -> Option<Point> {
        let (special, sum) = self.weigh_special(board, mover);
        let all = sum + self.totals[mover.idx()];
        if all == 0 {
            return None;
        }
        for _ in 0..MAX_DRAWS {
            let drawn = draw_below(rng, all);
            let point = match drawn.checked_sub(sum) {
                None => self.find(drawn)?,
                Some(rest) => {
                    let point = self.walk::<C>(mover.idx(), rest);
                    // It stands beside the sums with its full weight.
                    if special.contains(point) {
                        continue;
                    }
                    point
                }
            };
            let self_atari = if board.code(point).n_empty() >= 2 {
                // No self-atari, and legal.
                None
            } else if board.is_legal(mover, point) {
                self_atari(board, mover, point)
            } else {
                continue;
            };
            let accepted = self.table.accepted(self_atari);
            if accepted >= 1.0 || rng.chance(accepted) {
                return Some(point);
            }
        }
        let sum = self.weigh_all(board, mover);
        if sum == 0 { None } else { self.find(draw_below(rng, sum)) }
    }

    /// Follows a stone of `mover` at `point`, which `board` has seen already.
    #[inline(never)]
    fn follow<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color, point: Point) {
        self.set::<C>(point, [0; 2]);
        self.refresh_around(board, point);
        let enemy = !mover;
        let n_captured = board.n_captured(enemy);
        let n_taken = (n_captured - self.n_captured[enemy.idx()]) as usize;
        if n_taken > 0 {
            self.n_captured[enemy.idx()] = n_captured;
            // Points that became empty stand at the end of the board's list.
            for place in board.n_empty() - n_taken..board.n_empty() {
                let point = board.empty_nth(place).point();
                self.set::<C>(point, self.table.lasting(point, board.code(point)));
                self.refresh_around(board, point);
            }
        }
    }

    /// The weighed move on which a number below their sum falls.
    #[inline(always)]
    fn find(&self, mut rest: u64) -> Option<Point> {
        for &(point, weight) in &self.weighed {
            if rest < weight {
                return Some(point);
            }
            rest -= weight;
        }
        None
    }
}

impl MovePolicy for BtPolicy {
    type Keep = Tactical;

    fn start<C: SizeClass>(&mut self, board: &Board<C, Tactical>, recent: [Move; 2]) {
        self.recent = recent;
        self.n_captured = Color::BOTH.map(|color| board.n_captured(color));
        self.weights.iter_mut().for_each(|weights| weights.fill(0));
        self.rows.iter_mut().for_each(|rows| rows.fill(0));
        self.totals = [0; 2];
        for point in board.empties() {
            self.set::<C>(point, self.table.lasting(point, board.code(point)));
        }
    }

    #[inline(always)]
    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Tactical>,
        rng: &mut Rng,
    ) -> Option<Point> {
        self.draw(board, if IS_BLACK { Color::Black } else { Color::White }, rng)
    }

    #[inline(always)]
    fn played<C: SizeClass>(&mut self, board: &Board<C, Tactical>, mover: Color, mv: Move) {
        self.recent = [mv, self.recent[0]];
        if let Some(point) = mv.point() {
            self.follow(board, mover, point);
        }
    }
}

#[cfg(test)]
mod tests;
