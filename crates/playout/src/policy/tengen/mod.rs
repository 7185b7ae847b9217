//! `tengen`: one rule after the other, after the playouts of Pachi, each with a probability of its own.
//!
//! In order: last good replies (if switched on) · the ko · chains in atari around the last move · chains of two
//! liberties there · races · an eye about to become false · vital points of eye spaces · 3×3 patterns around the last
//! move, and with some probability around the one before, drawn by their gammas · captures anywhere (if switched on) · any
//! move. The first rule that proposes something decides. A move that fills an own eye, puts own stones into atari for
//! nothing or throws a seki away is refused, by a strict or by a lenient test; a refused random move gives way to the
//! other liberty of the chain it was about, and one that fills a false eye to a capture of what makes it false.

mod chances;
mod reason;

use goban::tactics::{Candidates, Strength, eye, self_atari};
use goban::{Board, Color, Move, Point, Rng, Size, SizeClass, Tactical};

use super::replies::Replies;
use super::{Dice, Eye, MovePolicy, may_choose};
use crate::pattern3::Pattern3;
use crate::rollout::{Playout, PlayoutRunner};
use crate::rule::filter::refuses;
use crate::rule::near::Near;
use crate::rule::{View, WeightedMoves, atari, fight, ko, life, pattern};
use chances::TengenChances;

pub use reason::MoveReason;

recipe::params! {
    /// Ko, atari, two liberties, races, eyes, nakade, weighted 3×3 patterns; no bad self-atari.
    pub struct Tengen as "tengen" {
        ko: f32 = 0.4, 0.0..=1.0, "probability that a fresh ko is taken back or filled";
        atari: f32 = 0.9, 0.0..=1.0, "probability that chains in atari around the last move are saved or taken";
        atari_big: u32 = 3, 1..=1000, "stones of an own chain in atari from which `atari` counts as 1";
        counter: f32 = 0.4, 0.0..=1.0, "probability that, where taking saves a chain, nothing else is considered";
        two_liberty: f32 = 0.6, 0.0..=1.0, "probability that chains of two liberties are attacked or defended";
        race: f32 = 0.25, 0.0..=1.0, "probability that chains of three or four liberties look for ataris";
        repair: f32 = 1.0, 0.0..=1.0, "probability that an eye is kept from becoming false";
        nakade: f32 = 0.8, 0.0..=1.0, "probability that a vital point beside the last move is played";
        patterns: f32 = 1.0, 0.0..=1.0, "probability that a pattern around the last move is played";
        patterns_before: f32 = 0.3, 0.0..=1.0, "probability that patterns around the move before it are looked at too";
        capture: f32 = 0.0, 0.0..=1.0, "probability that something is captured, anywhere";
        strict: f32 = 0.6, 0.0..=1.0, "probability of the strict test of self-atari, else only big ones are refused";
        cousin: f32 = 1.0, 0.0..=1.0, "probability that a refused random move gives way to the other liberty";
        restore: f32 = 0.6, 0.0..=1.0, "probability that instead of filling a false eye its breaker is attacked";
        replies: u32 = 0, 0..=2, "last good replies: to this many moves before; 0: none";
        mercy: f32 = 0.0, 0.0..=1.0, "difference of stones, as a share of the points, that ends a playout; 0: never";
        length: f32 = 3.0, 1.0..=10.0, "longest playout, in moves per point of the board";
        eye: word(Eye) = Eye::Standard, "which surrounded points are left alone";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(params: &Tengen, size: Size) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(Box::new(Playout::<C, _>::new(size, TengenPolicy::new(params, size, C::POINTS))))
}

/// The dice of a throw: who asks about which.
const STRICT: u32 = 0;
const TWO_LIBERTY: u32 = 1;
const RACE: u32 = 2;
const NAKADE: u32 = 3;

/// How one move is chosen.
#[derive(Clone, Copy, Debug)]
struct Mood {
    dice: Dice,
    /// The self-ataris that are refused.
    strength: Strength,
}

/// The policy in the course of a playout.
#[derive(Clone, Debug)]
pub struct TengenPolicy {
    params: Tengen,
    chances: TengenChances,
    patterns: &'static Pattern3,
    replies: Replies,
    /// The last two moves, the latest first.
    recent: [Move; 2],
    ko: ko::Recall,
    /// Difference of stones that ends a playout.
    mercy: usize,
    found: Candidates,
    n_by_reason: [u64; MoveReason::ALL.len()],
}

impl TengenPolicy {
    /// The policy before its first playout, for boards of `size` with `n_points` point indices.
    pub fn new(params: &Tengen, size: Size, n_points: usize) -> TengenPolicy {
        let mercy = (params.mercy * size.area() as f32) as usize;
        TengenPolicy {
            params: params.clone(),
            chances: TengenChances::new(params),
            patterns: Pattern3::standard(),
            replies: Replies::new(params.replies, n_points),
            recent: [Move::PASS; 2],
            ko: ko::Recall::default(),
            mercy: if mercy == 0 { usize::MAX } else { mercy },
            found: Candidates::new(),
            n_by_reason: [0; MoveReason::ALL.len()],
        }
    }

    /// How many moves of all playouts so far a rule has decided.
    pub fn n_by(&self, reason: MoveReason) -> u64 {
        self.n_by_reason[reason as usize]
    }

    /// Draws from the moves found, passing over those that are refused.
    #[inline(always)]
    fn draw<C: SizeClass>(
        &mut self,
        view: &View<'_, C, Tactical>,
        strength: Strength,
        rng: &mut Rng,
    ) -> Option<Point> {
        // Most rules find nothing.
        if self.found.is_empty() { None } else { self.draw_found(view, strength, rng) }
    }

    fn draw_found<C: SizeClass>(
        &mut self,
        view: &View<'_, C, Tactical>,
        strength: Strength,
        rng: &mut Rng,
    ) -> Option<Point> {
        while !self.found.is_empty() {
            let idx = if self.found.len() == 1 { 0 } else { rng.below(self.found.len() as u32) as usize };
            let point = self.found.swap_remove(idx);
            if !refuses(view.board, view.mover, point, strength) {
                return Some(point);
            }
        }
        None
    }

    /// The move of the first rule that has one.
    #[inline(always)]
    fn by_rule<C: SizeClass>(
        &mut self,
        view: &View<'_, C, Tactical>,
        mood: Mood,
        rng: &mut Rng,
    ) -> Option<(Point, MoveReason)> {
        let strength = mood.strength;
        self.found.clear();
        if self.replies.is_used()
            && let Some(point) = self.reply(view, strength)
        {
            return Some((point, MoveReason::Reply));
        }
        self.ko.fight(view, &mut self.found);
        if !self.found.is_empty() && self.chances.ko.draw(rng) {
            return Some((self.found.swap_remove(0), MoveReason::Ko));
        }
        self.found.clear();
        if view.last.is_some()
            && let Some(found) = self.around_last(view, mood, rng)
        {
            return Some(found);
        }
        if self.chances.patterns.draw(rng)
            && let Some(point) = self.by_pattern(view, strength, rng)
        {
            return Some((point, MoveReason::Pattern));
        }
        if !self.chances.capture.draw(rng) {
            return None;
        }
        atari::capture(view, &mut self.found);
        self.draw(view, strength, rng).map(|point| (point, MoveReason::Capture))
    }

    /// The stored reply, if it can be played.
    fn reply<C: SizeClass>(&self, view: &View<'_, C, Tactical>, strength: Strength) -> Option<Point> {
        let is_fit = |point: &Point| {
            view.board.is_legal(view.mover, *point) && !refuses(view.board, view.mover, *point, strength)
        };
        self.replies.get(view.mover, self.recent).into_iter().flatten().find(is_fit)
    }

    /// The rules that look at the chains and eyes around the last move.
    #[inline(always)]
    fn around_last<C: SizeClass>(
        &mut self,
        view: &View<'_, C, Tactical>,
        mood: Mood,
        rng: &mut Rng,
    ) -> Option<(Point, MoveReason)> {
        if view.is_contact()
            && let Some(found) = self.in_contact(view, mood, rng)
        {
            return Some(found);
        }
        if mood.dice.shows::<NAKADE>(self.chances.nakade) {
            life::vital(view, &mut self.found);
            if let Some(point) = self.draw(view, mood.strength, rng) {
                return Some((point, MoveReason::Nakade));
            }
        }
        None
    }

    /// Those of them that need an own stone beside the last move or a chain of it that is short of liberties.
    #[inline(always)]
    fn in_contact<C: SizeClass>(
        &mut self,
        view: &View<'_, C, Tactical>,
        mood: Mood,
        rng: &mut Rng,
    ) -> Option<(Point, MoveReason)> {
        let Mood { dice, strength } = mood;
        let local = atari::local(view, &mut self.found);
        if !self.found.is_empty() {
            let must = local.n_endangered >= self.params.atari_big as usize;
            if must || self.chances.atari.draw(rng) {
                if local.n_counter > 0 && self.chances.counter.draw(rng) {
                    self.found.truncate(local.n_counter);
                }
                if let Some(point) = self.draw(view, strength, rng) {
                    return Some((point, MoveReason::Atari));
                }
            }
            self.found.clear();
        }
        if dice.shows::<TWO_LIBERTY>(self.chances.two_liberty) {
            fight::two_liberties(view, &mut self.found);
            if let Some(point) = self.draw(view, strength, rng) {
                return Some((point, MoveReason::TwoLiberty));
            }
        }
        if dice.shows::<RACE>(self.chances.race) {
            fight::race(view, &mut self.found);
            if let Some(point) = self.draw(view, strength, rng) {
                return Some((point, MoveReason::Race));
            }
        }
        if self.chances.repair.draw(rng) {
            life::repair(view, &mut self.found);
            if let Some(point) = self.draw(view, strength, rng) {
                return Some((point, MoveReason::Repair));
            }
        }
        None
    }

    /// A move by a pattern around the last moves, drawn by its gamma.
    #[inline(always)]
    fn by_pattern<C: SizeClass>(
        &self,
        view: &View<'_, C, Tactical>,
        strength: Strength,
        rng: &mut Rng,
    ) -> Option<Point> {
        let around = |center: Option<Point>| match center {
            Some(center) => pattern::around(view, self.patterns, center),
            None => Near::nothing(Point::from_idx(0)),
        };
        let last = around(view.last);
        let is_looked_at = view.before.is_some() && self.chances.patterns_before.draw(rng);
        let before = around(view.before.filter(|_| is_looked_at));
        // Mostly there is none.
        if last.is_empty() && before.is_empty() {
            return None;
        }
        if before.is_empty()
            && let Some(point) = last.only()
        {
            return self.one_pattern(view, strength, point, rng);
        }
        self.draw_pattern(view, strength, (last, before), rng)
    }

    /// As [`TengenPolicy::draw_pattern`] where only one pattern was found: the same random number is used up, but the weight
    /// does not matter.
    #[inline(always)]
    fn one_pattern<C: SizeClass>(
        &self,
        view: &View<'_, C, Tactical>,
        strength: Strength,
        point: Point,
        rng: &mut Rng,
    ) -> Option<Point> {
        if !pattern::is_playable(view, point) {
            return None;
        }
        rng.next_u64();
        (!refuses(view.board, view.mover, point, strength)).then_some(point)
    }

    #[inline(never)]
    fn draw_pattern<C: SizeClass>(
        &self,
        view: &View<'_, C, Tactical>,
        strength: Strength,
        (last, before): (Near<C>, Near<C>),
        rng: &mut Rng,
    ) -> Option<Point> {
        let mut shapes = WeightedMoves::new();
        pattern::weigh(view, self.patterns, last, None, &mut shapes);
        pattern::weigh(view, self.patterns, before, view.last, &mut shapes);
        while let Some(point) = shapes.draw(rng) {
            if !refuses(view.board, view.mover, point, strength) {
                return Some(point);
            }
        }
        None
    }

    /// Any move that is not refused, or what it gives way to; as in `uniform` refused points are moved behind the others.
    fn at_random<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Tactical>,
        strength: Strength,
        rng: &mut Rng,
    ) -> Option<(Point, MoveReason)> {
        let mover = if IS_BLACK { Color::Black } else { Color::White };
        let mut n_left = board.n_empty();
        while n_left > 0 {
            let entry = board.empty_nth(rng.below(n_left as u32) as usize);
            if board.code_at(entry).n_empty() >= 2 {
                return Some((entry.point(), MoveReason::Random));
            }
            if may_choose::<C, Tactical, IS_BLACK>(board, entry, self.params.eye)
                && let Some(found) = self.consider(board, mover, entry.point(), strength, rng)
            {
                return Some(found);
            }
            n_left -= 1;
            board.set_aside(entry, n_left);
        }
        None
    }

    /// A legal random move with at most one empty neighbour that fills no eye: itself, what it gives way to, or nothing.
    fn consider<C: SizeClass>(
        &mut self,
        board: &Board<C, Tactical>,
        mover: Color,
        point: Point,
        strength: Strength,
        rng: &mut Rng,
    ) -> Option<(Point, MoveReason)> {
        self.found.clear();
        // An eye of its own was refused already, so this one is false.
        if board.code(point).is_surrounded_by(mover)
            && self.chances.restore.draw(rng)
            && let Some(found) = self.restore(board, mover, point, strength, rng)
        {
            return Some(found);
        }
        if !refuses(board, mover, point, strength) {
            return Some((point, MoveReason::Random));
        }
        self.redirect(board, mover, point, strength, rng)
    }

    /// The move that a refused random move gives way to.
    #[inline(never)]
    fn redirect<C: SizeClass>(
        &mut self,
        board: &Board<C, Tactical>,
        mover: Color,
        point: Point,
        strength: Strength,
        rng: &mut Rng,
    ) -> Option<(Point, MoveReason)> {
        if self.chances.cousin.draw(rng) {
            self_atari::cousins(board, mover, point, &mut self.found);
        }
        let view = View::anywhere(board, mover);
        self.draw(&view, strength, rng).map(|point| (point, MoveReason::Redirect))
    }

    /// The move that is played instead of filling a false eye at `point`.
    #[inline(never)]
    fn restore<C: SizeClass>(
        &mut self,
        board: &Board<C, Tactical>,
        mover: Color,
        point: Point,
        strength: Strength,
        rng: &mut Rng,
    ) -> Option<(Point, MoveReason)> {
        eye::restores(board, mover, point, &mut self.found);
        let view = View::anywhere(board, mover);
        self.draw(&view, strength, rng).map(|point| (point, MoveReason::Redirect))
    }
}

impl MovePolicy for TengenPolicy {
    type Keep = Tactical;

    fn learns(&self) -> bool {
        self.replies.is_used()
    }

    fn max_moves(&self, area: usize) -> usize {
        (self.params.length * area as f32) as usize
    }

    #[inline]
    fn start<C: SizeClass>(&mut self, board: &Board<C, Tactical>, recent: [Move; 2]) {
        self.recent = recent;
        self.ko = ko::Recall::new(board);
    }

    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Tactical>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let mover = if IS_BLACK { Color::Black } else { Color::White };
        let dice = Dice::throw(rng);
        let is_strict = dice.shows::<STRICT>(self.chances.strict);
        let strength = if is_strict { Strength::Strict } else { Strength::Big };
        let view = View::new(board, mover, self.recent);
        let found = self
            .by_rule(&view, Mood { dice, strength }, rng)
            .or_else(|| self.at_random::<C, IS_BLACK>(board, strength, rng));
        let (point, reason) = match found {
            Some((point, reason)) => (Some(point), reason),
            None => (None, MoveReason::Pass),
        };
        self.n_by_reason[reason as usize] += 1;
        point
    }

    #[inline]
    fn played<C: SizeClass>(&mut self, board: &Board<C, Tactical>, _mover: Color, mv: Move) {
        self.recent = [mv, self.recent[0]];
        self.ko.played(board);
    }

    #[inline]
    fn is_decided<C: SizeClass>(&self, board: &Board<C, Tactical>) -> bool {
        self.mercy != usize::MAX
            && board.n_on_board(Color::Black).abs_diff(board.n_on_board(Color::White)) > self.mercy
    }

    fn learn(&mut self, first: Color, moves: &[Move], black_win: f32) {
        self.replies.learn(first, moves, black_win);
    }

    fn forget(&mut self) {
        self.replies.forget();
    }
}
