//! PUCT: Q* + c(N)·P(a)·√N / (1 + n) with c(N) = c + growth·ln((N + scale)/scale). [Silver et al. 2016, 2017; after Rosin 2011; the
//! growth: Silver et al. 2018, AlphaZero]
//!
//! P(a) comes from the prior; N = Σ n over the arms, taken as 1 before the first visit so that it follows P(a) too. Values
//! are seen by the mover. Unlike the other bounds this one is finite at n = 0, so an arm that was never tried scores its
//! first-play urgency *and* the bound; choose a finite urgency (`fpu=value`, `fpu=amaf`). With `fpu=inf` every arm is
//! tried once first, in order of P(a). c is in units of the reward: programs whose values run from −1 to 1 have twice the
//! constant.
//!
//! With `noise` = ε above 0 the root's P(a) becomes (1 − ε)·P(a) + ε·η(a), η drawn once for each root from a Dirichlet distribution
//! whose parameters are all `concentration` / arms: a search for training looks at every move now and then. It is written where P(a)
//! stands, so that reports show it and whoever else reads P(a) at the root reads it, too. [Silver et al. 2017: ε = ¼, 0.03 for each of 361
//! moves; KataGo, a total concentration of 10.83]

use super::noise::dirichlet;
use super::{Selector, biased_urgency};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, Estimates, Mixed};
use crate::math::ln;
use crate::tree::Node;
use crate::tree::layout::CountColumn;
use goban::Rng;

recipe::params! {
    /// Value plus c·P(a)·√N / (1 + n).
    pub struct Puct as "puct" {
        c: f32 = 1.0, 0.0..=1000.0, "exploration constant, in units of the reward";
        growth: f32 = 0.0, 0.0..=1000.0, "growth of the constant each time that N grows e-fold beyond `scale`";
        scale: f32 = 500.0, 1.0..=1e9, "visits of the node at which the constant has grown by growth·ln 2";
        noise: f32 = 0.0, 0.0..=1.0, "ε: the part of noise in P(a) at the root";
        concentration: f32 = 10.83, 0.01..=1e6, "sum of the parameters of the noise over the arms; not asked with noise=0";
    }
}

/// Builds the selector.
pub fn build(params: &Puct, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Selector>, recipe::Error> {
    Ok(Box::new(PuctSelector { params: params.clone(), p: blueprint.need_p(VARIANT.name)? }))
}

impl Puct {
    /// c(N).
    fn constant(&self, total: f32) -> f32 {
        if self.growth == 0.0 {
            return self.c;
        }
        self.c + self.growth * ln((total + self.scale) / self.scale)
    }
}

/// The selector with the column of P(a).
struct PuctSelector {
    params: Puct,
    p: CountColumn,
}

impl Selector for PuctSelector {
    fn bounds_untried(&self) -> bool {
        true
    }

    fn begin_root(&self, root: Node<'_>, rng: &mut Rng) {
        let Puct { noise, concentration, .. } = self.params;
        let n_arms = root.n_children();
        if noise > 0.0 && n_arms > 0 {
            let (mut p, mut eta) = (vec![0.0; n_arms], vec![0.0; n_arms]);
            root.read_floats(self.p, &mut p);
            dirichlet(concentration / n_arms as f32, rng, &mut eta);
            p.iter_mut().zip(&eta).for_each(|(p, eta)| *p = (1.0 - noise) * *p + noise * eta);
            root.write_floats(self.p, &p);
        }
    }

    fn score(&self, cx: &Cx<'_>, _models: &[Estimates], mixed: &Mixed, out: &mut [f32]) {
        cx.node.read_floats(self.p, out);
        let total = cx.arms.begun_total();
        add(self.params.constant(total), total, cx.arms.begun(), &mixed.value, out);
    }
}

/// Turns the column of P(a) into scores.
#[inline]
fn add(c: f32, total: f32, n: &[f32], values: &[f32], out: &mut [f32]) {
    let scale = c * total.max(1.0).sqrt();
    for ((out, &n), &value) in out.iter_mut().zip(n).zip(values) {
        let p = *out;
        // A value that was seen is always below an infinite urgency, so one rule serves both kinds of arms.
        *out = biased_urgency(value, scale * p / (1.0 + n), p);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Reward;
    use crate::select::tests::{Drawn, with_p};
    use crate::tree::layout::Gives;

    fn selector(params: &Puct) -> Box<dyn Selector> {
        build(params, &mut with_p(&[])).unwrap()
    }

    #[test]
    fn worked_by_hand() {
        // N = 16, √N = 4, c = 1.5: 6·P/(1 + n) = 6·0.5/8, 6·0.2/10 and, untried with an urgency of 0.5, 6·0.3/1.
        let node = Drawn { n: &[7.0, 9.0, 0.0], value: &[0.5, 0.25, 0.5], p: &[0.5, 0.2, 0.3], models: &[] };
        node.check(&*selector(&Puct { c: 1.5, ..Puct::default() }), &[0.875, 0.37, 2.3]);
        node.check(&*selector(&Puct { c: 0.0, ..Puct::default() }), &[0.5, 0.25, 0.5]);
    }

    #[test]
    fn the_constant_grows() {
        let puct = Puct { c: 0.5, growth: 0.25, scale: 100.0, ..Puct::default() };
        // ln(100/100), ln(200/100), ln(800/100).
        let expected = [(0.0, 0.5), (100.0, 0.5 + 0.25 * 2f32.ln()), (700.0, 0.5 + 0.25 * 8f32.ln())];
        assert!(expected.iter().all(|&(n, c)| (puct.constant(n) - c).abs() < 1e-4));
    }

    #[test]
    fn extremes() {
        // N = 10⁷: √N = 3162.278; 3162.278/10000001 = 0.000316.
        let node = Drawn { n: &[1e7, 0.0], value: &[0.0, 1.0], p: &[1.0, 0.0], models: &[] };
        node.check(&*selector(&Puct::default()), &[0.000_316, 1.0]);
        Drawn { p: &[0.0, 1.0], ..node }.check(&*selector(&Puct::default()), &[0.0, 3163.278]);
        // Nothing visited: N counts as 1, and the first visit follows P(a).
        Drawn { n: &[0.0; 2], value: &[0.5; 2], ..node }.check(&*selector(&Puct::default()), &[1.5, 0.5]);
    }

    #[test]
    fn untried_arms_of_infinite_urgency_go_in_order_of_p() {
        let node = Drawn {
            n: &[0.0, 0.0, 9.0, 0.0],
            value: &[1e30, 1e30, 1.0, 1e30],
            p: &[0.0, 0.6, 0.3, 0.1],
            models: &[],
        };
        let score = node.score(&*selector(&Puct { c: 1000.0, ..Puct::default() }));
        assert!(score[1] > score[3] && score[3] > score[0] && score[0] > score[2], "{score:?}");
        assert!(score.iter().all(|x| x.is_finite()));
    }

    #[test]
    fn a_recipe_without_p_is_refused() {
        let error = build(&Puct::default(), &mut Blueprint::drawn(&[], Gives::default(), Reward::Win))
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.starts_with("`puct` cannot be used here: it needs a static probability P(a)"),
            "{error}"
        );
    }
}
