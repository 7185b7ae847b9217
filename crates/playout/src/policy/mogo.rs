//! `mogo`: the playouts of MoGo, the model of all sequential policies. [Gelly, Wang, Munos & Teytaud 2006; Gelly &
//! Silver 2007; You 3.3; Hsu]
//!
//! In order: a move that saves own stones which the last move put in atari; a 3×3 pattern around the last move; a capture
//! anywhere; any legal move that fills no own eye. The first rule that proposes something decides, all its moves being
//! equally likely. Each rule can be made to pass with some probability.

use goban::tactics::Candidates;
use goban::{Board, Color, EyeRule, Keep, Move, Point, Rng, Size, SizeClass, Tactical};

use super::{Eye, MovePolicy, draw_fair, lucky};
use crate::pattern3::Pattern3;
use crate::rollout::{Playout, PlayoutRunner};
use crate::rule::{View, WeightedMoves, atari, pattern};

recipe::params! {
    /// Saves from atari, 3×3 patterns around the last move, captures, then any move that fills no own eye.
    pub struct MoGo as "mogo" {
        save: f32 = 1.0, 0.0..=1.0, "probability that own stones just put in atari are saved";
        patterns: f32 = 1.0, 0.0..=1.0, "probability that a pattern around the last move is played";
        capture: f32 = 1.0, 0.0..=1.0, "probability that something is captured, anywhere";
        eye: word(Eye) = Eye::Standard, "which surrounded points are left alone";
    }
}

/// Builds the rollout.
pub fn build<C: SizeClass>(params: &MoGo, size: Size) -> Result<Box<dyn PlayoutRunner<C>>, recipe::Error> {
    Ok(Box::new(Playout::<C, _>::new(size, MoGoPolicy::new(params))))
}

/// The policy in the course of a playout.
#[derive(Clone, Debug)]
pub struct MoGoPolicy {
    params: MoGo,
    patterns: &'static Pattern3,
    /// The last two moves, the latest first.
    recent: [Move; 2],
}

impl MoGoPolicy {
    /// The policy before its first playout.
    pub fn new(params: &MoGo) -> MoGoPolicy {
        MoGoPolicy { params: params.clone(), patterns: Pattern3::standard(), recent: [Move::PASS; 2] }
    }

    /// The move of the first rule that has one.
    #[inline]
    fn by_rule<C: SizeClass>(&self, view: &View<'_, C, Tactical>, rng: &mut Rng) -> Option<Point> {
        let mut found = Candidates::new();
        if let Some(last) = view.last {
            if lucky(rng, self.params.save) {
                atari::save(view, &mut found);
                found.retain(|point| !view.board.is_eye(point, view.mover, self.params.eye.into()));
                if let Some(point) = pick(found.as_slice(), rng) {
                    return Some(point);
                }
            }
            if lucky(rng, self.params.patterns) {
                let mut shapes = WeightedMoves::new();
                let found = pattern::around(view, self.patterns, last);
                pattern::weigh(view, self.patterns, found, None, &mut shapes);
                if let Some(point) = pick(shapes.as_slice(), rng) {
                    return Some(point);
                }
            }
        }
        if lucky(rng, self.params.capture) {
            atari::capture(view, &mut found);
            found.retain(|point| !view.board.is_eye(point, view.mover, self.params.eye.into()));
        }
        pick(found.as_slice(), rng)
    }
}

/// The moves that the policy would play, each as likely as the next, if all its rules are always asked: those of the first
/// rule that proposes any; none where it plays any move.
pub fn proposals<C: SizeClass, K: Keep>(view: &View<'_, C, K>, out: &mut Candidates) {
    let patterns = Pattern3::standard();
    let fills_eye = |point| view.board.is_eye(point, view.mover, EyeRule::Standard);
    out.clear();
    if let Some(last) = view.last {
        atari::save(view, out);
        out.retain(|point| !fills_eye(point));
        if !out.is_empty() {
            return;
        }
        let mut shapes = WeightedMoves::new();
        pattern::weigh(view, patterns, pattern::around(view, patterns, last), None, &mut shapes);
        for &point in shapes.as_slice() {
            out.push(point);
        }
        if !out.is_empty() {
            return;
        }
    }
    atari::capture(view, out);
    out.retain(|point| !fills_eye(point));
}

/// One of the proposed moves, all equally likely.
#[inline(always)]
fn pick(points: &[Point], rng: &mut Rng) -> Option<Point> {
    match points {
        [] => None,
        &[point] => Some(point),
        _ => points.get(rng.below(points.len() as u32) as usize).copied(),
    }
}

impl MovePolicy for MoGoPolicy {
    type Keep = Tactical;

    #[inline]
    fn start<C: SizeClass>(&mut self, _board: &Board<C, Tactical>, recent: [Move; 2]) {
        self.recent = recent;
    }

    #[inline]
    fn choose<C: SizeClass, const IS_BLACK: bool>(
        &mut self,
        board: &mut Board<C, Tactical>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let mover = if IS_BLACK { Color::Black } else { Color::White };
        let view = View::new(board, mover, self.recent);
        match self.by_rule(&view, rng) {
            None => draw_fair::<C, Tactical, IS_BLACK>(board, self.params.eye, rng),
            found => found,
        }
    }

    #[inline]
    fn played<C: SizeClass>(&mut self, _board: &Board<C, Tactical>, _mover: Color, mv: Move) {
        self.recent = [mv, self.recent[0]];
    }
}
