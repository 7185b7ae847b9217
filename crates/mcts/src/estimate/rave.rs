//! Rapid action value estimation: Q̃ = w̃ / ñ. A simulation through a node counts for every arm whose action the mover
//! there played at that node or later, tree and playout alike, however often he played it. [You 3.5; Gelly & Silver 2007,
//! §6; Gelly & Silver 2011, Alg. 2, with a_u in place of its a_t in the line that updates Q̃]
//!
//! For node s_t each a_u with u = t, t+2, … is credited at its first occurrence, so an arm gains at most one visit per
//! simulation; the trace's first-play map answers in constant time whether it does. Passes are ignored: ñ of a pass stays
//! 0. A prior with equivalent experience C̃ and value H starts an arm at ñ = C̃, w̃ = C̃·H.

use super::Estimator;
use super::all_as_first::{AllAsFirst, was_played};
use crate::game::Game;

recipe::params! {
    /// Mean reward of the simulations in which the mover played the arm's action now or later.
    pub struct Rave as "rave" {}
}

/// Builds the model.
pub fn build<G: Game>(_params: &Rave) -> Result<Box<dyn Estimator<G>>, recipe::Error> {
    Ok(Box::new(AllAsFirst::new(VARIANT.name, 1, was_played)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cx::{Arms, Estimates, Visit, cx_at};
    use crate::game::{Action, Outcome, Side};
    use crate::go::GoGame;
    use crate::prior::Priors;
    use crate::trace::{Play, Trace};
    use crate::tree::Tree;
    use crate::tree::layout::{Gives, Layout};
    use goban::{Size, Upto9};

    type Go = GoGame<Upto9>;

    /// What a model learns at a root where Black may play 0, 1, 2, 3 or pass. `simulations` are the moves from the root
    /// on, Black first (the first one in the tree, `-1` a pass), with Black's reward and a weight; `expected` is mean and
    /// weight of each arm.
    #[track_caller]
    pub(crate) fn check(
        mut model: Box<dyn Estimator<Go>>,
        priors: Option<(f32, f32)>,
        simulations: &[(&[i16], f32, u32)],
        expected: [(f32, f32); 5],
    ) {
        let game = Go::new(Size::square(5).unwrap(), 7.5);
        let action = |point: i16| u16::try_from(point).map_or(game.pass().unwrap(), Action);
        let gives = Gives { p: false, h: priors.is_some() };
        let mut layout = Layout::new(game.n_actions(), gives);
        model.claim(&mut layout);
        let tree = Tree::new(layout, 1 << 20);
        let node = tree.add(Side::First, &[0, 1, 2, 3, -1].map(action)).unwrap();
        let mut arms = Arms::default();
        arms.read(&tree, node);
        let cx = cx_at(&tree, &game, &[], node, &arms);
        let (h, c) = priors.unwrap_or_default();
        let mut seeds = Priors::default();
        seeds.resize(5, gives);
        seeds.h.fill(h);
        seeds.amaf_visits.fill(c);
        model.seed(&cx, &seeds);
        let mut trace = Trace::default();
        for &(moves, reward, weight) in simulations {
            let sides = [Side::First, Side::Second].into_iter().cycle();
            let plays: Vec<Play> =
                moves.iter().zip(sides).map(|(&point, side)| Play::new(side, action(point))).collect();
            trace.clear(game.n_actions(), game.pass());
            trace.push(plays[0]);
            trace.follow(1, &plays[1..]);
            trace.include(0);
            let outcome = Outcome { win: reward, ..Outcome::default() };
            let chosen = node.find(plays[0].action()).unwrap();
            model.observe(&cx, &Visit { depth: 0, chosen, trace: &trace, outcome: &outcome, reward, weight });
        }
        let mut out = Estimates::default();
        out.resize(5);
        model.estimate(&cx, &mut out);
        let got: Vec<(f32, f32)> = out.mean.into_iter().zip(out.weight).collect();
        assert_eq!(got, expected);
    }

    fn model() -> Box<dyn Estimator<Go>> {
        build(&Rave::default()).unwrap()
    }

    #[test]
    fn worked_by_hand() {
        // B0 W1 B2 W0 B1, won: Black played 0, 2 and 1 (after White); 3 and the pass were not.
        // B0 W2 B3 W- B-, lost: Black played 0 and 3; 2 was White's; the pass does not count.
        // B- W0 B0 W3 B0, a draw: Black played 0, once for the count though twice on the board.
        // Arm 0: (1 + 0 + ½)/3; arms 1 and 2: 1/1; arm 3: 0/1; the pass: nothing, ½.
        let simulations: [(&[i16], f32, u32); 3] =
            [(&[0, 1, 2, 0, 1], 1.0, 1), (&[0, 2, 3, -1, -1], 0.0, 1), (&[-1, 0, 0, 3, 0], 0.5, 1)];
        check(model(), None, &simulations, [(0.5, 3.0), (1.0, 1.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.0)]);
        // Without simulations every arm is at ½ with nothing behind it.
        check(model(), None, &[], [(0.5, 0.0); 5]);
    }

    #[test]
    fn large_weights_and_priors() {
        // Four million wins in 0 and as many losses in 0 and 1: 4·10⁶/(8·10⁶) and 0/(4·10⁶).
        let (n, none) = (4_000_000, (0.5, 0.0));
        let simulations: [(&[i16], f32, u32); 2] = [(&[0], 1.0, n), (&[0, 3, 1], 0.0, n)];
        check(model(), None, &simulations, [(0.5, 8e6), (0.0, 4e6), none, none, none]);
        // Ten million draws: the tally was halved on the way, the mean is the same.
        let draws: [(&[i16], f32, u32); 5] = [(&[0], 0.5, 2_000_000); 5];
        check(model(), None, &draws, [(0.5, 5e6), none, none, none, none]);
        // Prior H = ¾ worth 4 visits, then one win in 0 and 2: (3 + 1)/(4 + 1); the others stay at 3/4.
        let prior = (0.75, 4.0);
        let (seen, unseen) = ((0.8, 5.0), (0.75, 4.0));
        check(model(), Some(prior), &[(&[0, 1, 2], 1.0, 1)], [seen, unseen, seen, unseen, unseen]);
    }
}
