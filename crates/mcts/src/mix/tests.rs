//! Tests that all mixers pass, and the property tests of their formulas.

use super::*;
use crate::cx::Arms;
use crate::game::{Action, Reward, Side};
use crate::tree::Tree;
use crate::tree::layout::Gives;
use goban::Rng;
use recipe::{Recipe, Shelf};

fn build_mixer(text: &str, blueprint: &mut Blueprint<'_>) -> Result<Box<dyn Mixer>, recipe::Error> {
    let recipe = Recipe::parse(&crate::ROOT, &Shelf::default(), &format!("mixer={text}")).unwrap();
    build(&recipe.root().nested_choice("mixer", &FAMILY, ""), blueprint)
}

/// Mixes arms given as weight and mean by model, at a node of `total` visits.
pub(super) fn mix(text: &str, names: &[&'static str], arms: &[Vec<(f32, f32)>], total: f32) -> Mixed {
    let mut blueprint = Blueprint::drawn(names, Gives::default(), Reward::Win);
    let mixer = build_mixer(text, &mut blueprint).unwrap();
    let tree = Tree::new(blueprint.layout, 1 << 20);
    let actions: Vec<Action> = (0..arms.len() as u16).map(Action).collect();
    let node = tree.add(Side::First, &actions).unwrap();
    let mut columns = Arms::default();
    columns.read(&tree, node);
    columns.total = total;
    let mut models = vec![Estimates::default(); names.len()];
    for (model_idx, model) in models.iter_mut().enumerate() {
        model.weight = arms.iter().map(|arm| arm[model_idx].0).collect();
        model.mean = arms.iter().map(|arm| arm[model_idx].1).collect();
    }
    columns.n.clone_from(&models[0].weight);
    let mut out = Mixed::default();
    out.resize(arms.len(), names.len());
    mixer.mix(&Cx::at(&tree, &[], node, &columns), &models, &mut out);
    out
}

/// One arm (n, Q), (ñ, Q̃) in every lane of a column has this β, at a node of `total` visits.
#[track_caller]
pub(super) fn check_at(total: f32, text: &str, mc: (f32, f32), second: (f32, f32), beta: f32) {
    let mixed = mix(text, &["mc", "rave"], &vec![vec![mc, second]; 7], total);
    for arm_idx in 0..7 {
        let got = mixed.weights[1][arm_idx];
        assert!((got - beta).abs() <= 2e-5 * beta + 1e-12, "{text}: β = {got} instead of {beta}");
        let value = (1.0 - beta) * mc.1 + beta * second.1;
        assert!((mixed.value[arm_idx] - value).abs() <= 2e-6, "{text}: {mixed:?}");
    }
}

#[track_caller]
pub(super) fn check(text: &str, mc: (f32, f32), second: (f32, f32), beta: f32) {
    check_at(mc.0, text, mc, second, beta);
}

/// Visits and means as a search meets them, extremes included.
fn draw_arm(rng: &mut Rng) -> Vec<(f32, f32)> {
    let mut draw = || {
        let digits = rng.below(8);
        let n = rng.below(10u32.pow(digits)) as f32;
        let wins = match rng.below(6) {
            0 => 0.0,
            1 => n,
            _ => (rng.below(1 << 20) as f32 / (1 << 20) as f32 * n).round(),
        };
        (n, if n > 0.0 { wins / n } else { 0.5 })
    };
    vec![draw(), draw()]
}

/// Mixers with parameters that are not their defaults.
const UNUSUAL: [&str; 5] =
    ["min-mse:b=0.2", "bma:prior=1", "bma:prior=1e6", "bma-n:rave=100", "bma-n:mc=1e6,rave=1e-6"];

#[test]
fn weights_add_up_and_values_lie_between_the_models() {
    let mut rng = Rng::new(7);
    for _ in 0..200 {
        let arms: Vec<_> = (0..82).map(|_| draw_arm(&mut rng)).collect();
        let total = arms.iter().map(|arm| arm[0].0).sum();
        for text in FAMILY.variants.iter().map(|variant| variant.name).chain(UNUSUAL) {
            let mixed = mix(text, &["mc", "rave"], &arms, total);
            for (arm_idx, arm) in arms.iter().enumerate() {
                let (mc, second) = (mixed.weights[0][arm_idx], mixed.weights[1][arm_idx]);
                let value = mixed.value[arm_idx];
                assert!((0.0..=1.0).contains(&mc) && (0.0..=1.0).contains(&second), "{text} {arm:?}");
                assert!((mc + second - 1.0).abs() <= 2e-7, "{text} {arm:?}: {mc} + {second}");
                assert!(value >= arm[0].1.min(arm[1].1) - 2e-7, "{text} {arm:?}: {value}");
                assert!(value <= arm[0].1.max(arm[1].1) + 2e-7, "{text} {arm:?}: {value}");
                assert!(second == 0.0 || arm[1].0 > 0.0, "{text} {arm:?}: β = {second}");
            }
        }
    }
}

#[test]
fn averaging_over_two_models_is_bma() {
    let mut rng = Rng::new(8);
    for (one, other) in [("bma", "bma-n:rave=100"), ("bma:prior=0.01", "bma-n:mc=1e3,rave=10")] {
        for _ in 0..200 {
            let arms: Vec<_> = (0..82).map(|_| draw_arm(&mut rng)).collect();
            let [two, any] = [one, other].map(|text| mix(text, &["mc", "rave"], &arms, 1.0));
            for (arm_idx, arm) in arms.iter().enumerate() {
                let (two_beta, any_beta) = (two.weights[1][arm_idx], any.weights[1][arm_idx]);
                assert!((two_beta - any_beta).abs() <= 1e-5 * two_beta, "{arm:?}: {two_beta}, {any_beta}");
                assert!((two.value[arm_idx] - any.value[arm_idx]).abs() <= 1e-6, "{arm:?}");
            }
        }
    }
}

#[test]
fn with_equal_priors_the_second_model_never_outweighs_mc() {
    let mut rng = Rng::new(9);
    for text in ["bma:prior=1", "bma-gauss:prior=1", "bma-n"] {
        for _ in 0..200 {
            let arms: Vec<_> = (0..82).map(|_| draw_arm(&mut rng)).collect();
            assert!(
                mix(text, &["mc", "rave"], &arms, 1.0).weights[1].iter().all(|beta| *beta <= 0.5),
                "{text}"
            );
        }
    }
}

#[test]
fn a_fixed_disagreement_ends_with_mc_alone() {
    for text in ["bma", "bma:prior=1e6", "bma-gauss:prior=1e6", "bma-n:rave=1e6"] {
        for (q, q_second) in [(0.5, 0.51), (0.3, 0.25), (0.0, 0.01), (1.0, 0.99), (0.0, 1.0), (0.002, 0.004)]
        {
            let arms: Vec<_> =
                (0..24).map(|digits| vec![((1u32 << digits) as f32, q), (10.0, q_second)]).collect();
            let beta = &mix(text, &["mc", "rave"], &arms, 1.0).weights[1];
            assert!(beta.windows(2).all(|pair| pair[1] <= pair[0]), "{text} {q} {q_second}: {beta:?}");
            assert!(beta[23] < 1e-19, "{text} {q} {q_second}: {beta:?}");
        }
    }
}

#[test]
fn the_second_model_is_the_first_that_is_not_mc() {
    let arm = vec![(1.0, 0.9), (1.0, 0.1), (4.0, 0.5)];
    let mixed = mix("rave-only", &["rave", "lwr", "mc"], std::slice::from_ref(&arm), 4.0);
    assert_eq!((&mixed.weights[..], mixed.value[0]), (&[vec![1.0], vec![0.0], vec![0.0]][..], 0.9));
    let mixed = mix("hand:k=4", &["mc", "lwr", "rave"], &[arm], 4.0);
    assert_eq!((&mixed.weights[..], mixed.value[0]), (&[vec![0.5], vec![0.5], vec![0.0]][..], 0.5));
}

#[test]
fn recipes_that_do_not_fit_are_refused() {
    #[track_caller]
    fn refused(text: &str, models: &[&'static str], reward: Reward, why: &str) {
        let mut blueprint = Blueprint::drawn(models, Gives::default(), reward);
        let error = build_mixer(text, &mut blueprint).err().unwrap().to_string();
        let name = text.split(':').next().unwrap();
        assert_eq!(error, format!("`{name}` cannot be used here: {why}"));
    }
    let two = ["rave-only", "hand", "min-mse", "linear", "bma", "bma-gauss"];
    for text in two.into_iter().chain(["bma-n"]) {
        refused(text, &["rave"], Reward::Win, "it reads the model `mc`; add it to models=rave");
    }
    for text in two {
        let why = "it mixes `mc` with a second model; add one, such as models=mc+rave";
        refused(text, &["mc"], Reward::Win, why);
    }
    let why = "it averages two models or more; add one, such as models=mc+rave";
    refused("bma-n", &["mc"], Reward::Win, why);
    refused("bma-n", &["mc", "oracle"], Reward::Win, "it has no prior for the model `oracle`");
    for text in ["bma", "bma-gauss", "bma-n"] {
        refused(text, &["mc", "rave"], Reward::Score, "it needs win rates; choose reward=win");
    }
}
