//! Move policies: each chooses the next move of a playout. One file and one word in the list below for each.

use std::any::Any;

use goban::{
    Board, Color, EmptyPoint, Keep, Move, Point, Rng, Size, SizeClass, Upto9, Upto13, Upto19, Upto25,
};
use recipe::{Choice, Error};

use crate::bt::BtModel;
use crate::rollout::{Ending, PlayoutRunner};

pub mod by_shapes;
pub mod replies;

recipe::words! {
    /// Which surrounded points count as eyes that are left alone.
    pub enum Eye {
        /// Enemy stones on the diagonals: at most one in the centre, none at the edge.
        Standard = "standard",
        /// Diagonals that are not own, empty ones too. [You 3.3.1]
        GoYui = "goyui",
    }
}

impl From<Eye> for goban::EyeRule {
    #[inline(always)]
    fn from(eye: Eye) -> Self {
        match eye {
            Eye::Standard => Self::Standard,
            Eye::GoYui => Self::GoYui,
        }
    }
}

recipe::variants! {
    /// Who chooses the moves of a playout.
    pub static FAMILY = "policy";
    fn build_on<C: SizeClass>(choice, size: Size) -> Box<dyn PlayoutRunner<C>>;
    uniform, mogo, tengen, temperature, careful, shapes, shapes_epsilon, shapes_sigma, shapes_tau, bt
}

/// Builds the chosen policy's rollout for boards of `size`.
///
/// # Errors
/// When the choice is no policy, or does not fit the board.
///
/// # Panics
/// When the size class is none of goban's four.
pub fn build<C: SizeClass>(choice: &Choice, size: Size) -> Result<Box<dyn PlayoutRunner<C>>, Error> {
    let compiled = COMPILED.iter().find(|compiled| compiled.side == C::SIDE);
    let rollout = (compiled.expect("a size class of goban's").build)(choice, size)?;
    Ok(*rollout.downcast().expect("classes differ in their longest side"))
}

/// Builds the rollout of the policy `bt` with weights of the caller's.
///
/// # Panics
/// When the size class is none of goban's four.
pub fn build_bt<C: SizeClass>(model: &BtModel, size: Size, temperature: f32) -> Box<dyn PlayoutRunner<C>> {
    let compiled = COMPILED.iter().find(|compiled| compiled.side == C::SIDE);
    let rollout = (compiled.expect("a size class of goban's").build_bt)(model, size, temperature);
    *rollout.downcast().expect("classes differ in their longest side")
}

type BuiltRollout = Result<Box<dyn Any>, Error>;

/// All policies on boards of one size class. A generic function is compiled again by every crate that calls it, and these
/// are most of the machine code there is; this table has them compiled here, once.
struct Compiled {
    /// The class's longest side.
    side: usize,
    /// Gives a `Box<dyn PlayoutRunner<C>>`, boxed once more so that its class need not show.
    build: fn(&Choice, Size) -> BuiltRollout,
    /// The same for the policy `bt` with weights of the caller's.
    build_bt: fn(&BtModel, Size, f32) -> Box<dyn Any>,
}

static COMPILED: [Compiled; 4] =
    [compiled::<Upto9>(), compiled::<Upto13>(), compiled::<Upto19>(), compiled::<Upto25>()];

const fn compiled<C: SizeClass>() -> Compiled {
    Compiled {
        side: C::SIDE,
        build: |choice, size| Ok(Box::new(build_on::<C>(choice, size)?)),
        build_bt: |model, size, temperature| Box::new(bt::rollout::<C>(model, size, temperature)),
    }
}

/// Chooses the moves of both players in a playout.
pub trait MovePolicy: Clone + Send {
    /// The state that the policy needs the playout's board to keep.
    type Keep: Keep;

    /// Whether it learns from whole simulations.
    fn learns(&self) -> bool {
        false
    }

    /// The longest playout on a board of `area` points, in moves. Simple ko allows endless cycles of several kos; no
    /// sensible game is three times as long as the board has points.
    fn max_moves(&self, area: usize) -> usize {
        3 * area
    }

    /// A playout begins on `board` after the moves `recent`, see [`Start::recent`](crate::rollout::Start::recent).
    #[inline]
    fn start<C: SizeClass>(&mut self, board: &Board<C, Self::Keep>, recent: [Move; 2]) {
        let _ = (board, recent);
    }

    /// The next move of the colour that `IS_BLACK` names: a legal point, or `None` to pass. The board is
    /// mutable only so that the list of empty points may be reordered.
    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Self::Keep>,
        rng: &mut Rng,
    ) -> Option<Point>;

    /// `mover` has just played `mv` on `board`.
    #[inline]
    fn played<C: SizeClass>(&mut self, board: &Board<C, Self::Keep>, mover: Color, mv: Move) {
        let _ = (board, mover, mv);
    }

    /// Whether the playout may end here since its result is clear; asked after every stone.
    #[inline]
    fn is_decided<C: SizeClass>(&self, board: &Board<C, Self::Keep>) -> bool {
        let _ = board;
        false
    }

    /// The playout has ended.
    #[inline]
    fn finish(&mut self, ending: &Ending) {
        let _ = ending;
    }

    /// See [`PlayoutRunner::learn`].
    fn learn(&mut self, first: Color, moves: &[Move], black_win: f32) {
        let _ = (first, moves, black_win);
    }

    /// See [`PlayoutRunner::forget`].
    fn forget(&mut self) {}
}

/// True with probability `p`; certain and impossible draw nothing.
#[inline(always)]
fn lucky(rng: &mut Rng, p: f32) -> bool {
    p >= 1.0 || (p > 0.0 && rng.chance(p))
}

/// A probability that is drawn often: `rng.chance(p)` gives the same answers, in fewer instructions.
#[derive(Clone, Copy, Debug)]
struct Chance(u32);

impl Chance {
    /// As many as there are outcomes of 24 bits.
    const CERTAIN: u32 = 1 << 24;

    /// The probability `p`.
    fn new(p: f32) -> Chance {
        Chance((p.clamp(0.0, 1.0) * Self::CERTAIN as f32).ceil() as u32)
    }

    /// True with this probability; certain and impossible draw nothing.
    #[inline(always)]
    fn draw(self, rng: &mut Rng) -> bool {
        match self.0 {
            Self::CERTAIN => true,
            0 => false,
            n_outcomes => rng.next_u64() >> 40 < u64::from(n_outcomes),
        }
    }
}

/// A number below `n`; the bias of the multiply-shift is below n / 2⁶⁴.
#[inline(always)]
fn draw_below(rng: &mut Rng, n: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u64
}

/// A probability in 65536ths, for [`Dice`].
#[derive(Clone, Copy, Debug)]
struct Share(u64);

impl Share {
    /// The probability `p`, to the next 65536th.
    fn new(p: f32) -> Share {
        Share((p.clamp(0.0, 1.0) * 65_536.0).round() as u64)
    }
}

/// Four chances from one random number: 16 bits for each, so that they do not depend on each other.
#[derive(Clone, Copy, Debug)]
struct Dice(u64);

impl Dice {
    /// Throws.
    #[inline(always)]
    fn throw(rng: &mut Rng) -> Dice {
        Dice(rng.next_u64())
    }

    /// True with probability `share`; the same question about one throw has the same answer.
    #[inline(always)]
    fn shows<const NTH: u32>(self, share: Share) -> bool {
        const { assert!(NTH < 4, "there are four dice") };
        (self.0 >> (16 * NTH)) & 0xffff < share.0
    }
}

/// Draws uniformly among the legal moves that fill no own eye: an empty point that is refused is moved behind the
/// others and not drawn again for this move, so the choice is as uniform over the points that are not refused as
/// [`Rng::below`] is.
#[inline(always)]
fn draw_fair<C: SizeClass, K: Keep, const IS_BLACK: bool>(
    board: &mut Board<C, K>,
    eye: Eye,
    rng: &mut Rng,
) -> Option<Point> {
    let mut n_left = board.n_empty();
    while n_left > 0 {
        let drawn = rng.below(n_left as u32) as usize;
        let entry = board.empty_nth(drawn);
        if may_choose::<C, K, IS_BLACK>(board, entry, eye) {
            return Some(entry.point());
        }
        n_left -= 1;
        board.set_aside(entry, n_left);
    }
    None
}

/// Whether a playout may place a stone on a listed empty point: a legal one that is no eye of its own. Most points have
/// an empty neighbour and are neither eye nor suicide nor ko.
#[inline(always)]
fn may_choose<C: SizeClass, K: Keep, const IS_BLACK: bool>(
    board: &mut Board<C, K>,
    entry: EmptyPoint<C>,
    eye: Eye,
) -> bool {
    let color = if IS_BLACK { Color::Black } else { Color::White };
    let code = board.code_at(entry);
    code.empty_neighbours() != 0 || (!code.is_eye(color, eye.into()) && board.may_place_at::<IS_BLACK>(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_show_their_shares_and_do_not_know_each_other() {
        let (mut rng, half, tenth) = (Rng::new(5), Share::new(0.5), Share::new(0.1));
        let mut counts = [0u32; 4];
        for _ in 0..100_000 {
            let dice = Dice::throw(&mut rng);
            let (first, second) = (dice.shows::<0>(half), dice.shows::<3>(tenth));
            assert!(dice.shows::<1>(Share::new(1.0)) && !dice.shows::<2>(Share::new(0.0)));
            counts[usize::from(first) * 2 + usize::from(second)] += 1;
        }
        // Expected 45 000, 5000, 45 000 and 5000; standard deviations 157 and 69.
        assert!(
            counts.iter().zip([45_000, 5000, 45_000, 5000]).all(|(n, right)| n.abs_diff(right) < 600),
            "{counts:?}"
        );
    }
}
