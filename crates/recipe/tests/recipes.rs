//! Recipes over a small made-up world of declarations: nested choices, lists, words, every number type.

#![allow(unreachable_pub, reason = "the declarations are written as they are in a library")]

use proptest::prelude::*;
use recipe::{Choice, Error, Listing, ParamKind, ParamValue, Recipe, Shelf, list::check};

/// The result of this test's build functions: the variant's parameters, printed.
type Built = String;

recipe::words! {
    /// The quantity that is counted.
    pub enum Reward {
        /// The game.
        Win = "win",
        /// The points.
        Score = "score",
    }
}

mod manhattan {
    recipe::params! {
        /// Similar when near.
        pub struct Manhattan as "manhattan" {
            reach: f32 = 0.5, 0.0..=1.0, "how far similarity reaches";
        }
    }
    pub fn build(params: &Manhattan, unit: &str) -> Result<String, recipe::Error> {
        Ok(format!("{params:?} {unit}"))
    }
}

mod winrate {
    recipe::params! {
        /// Similar when equally good.
        pub struct Winrate as "winrate" {}
    }
    pub fn build(params: &Winrate, unit: &str) -> Result<String, recipe::Error> {
        Ok(format!("{params:?} {unit}"))
    }
}

recipe::family! {
    /// How alike two arms are.
    pub static KERNEL = "kernel";
    pub fn build_kernel(choice, unit: &str) -> Built;
    manhattan, winrate
}

mod mc {
    recipe::params! {
        /// The mean of an arm's own results.
        pub struct Mc as "mc" {}
    }
    pub fn build<T: std::fmt::Debug>(params: &Mc) -> Result<String, recipe::Error> {
        Ok(format!("{params:?} {}", std::any::type_name::<T>()))
    }
}

mod lwr {
    recipe::params! {
        /// Locally weighted regression over the siblings.
        pub struct Lwr as "lwr" {
            kernel: choice(super::KERNEL) = "manhattan", "how alike two arms are";
            min_visits: u32 = 3, 0..=1000, "visits before it speaks";
        }
    }
    pub fn build<T: std::fmt::Debug>(params: &Lwr) -> Result<String, recipe::Error> {
        super::build_kernel(&params.kernel, std::any::type_name::<T>())
    }
}

recipe::family! {
    /// A value estimate of an arm.
    pub static MODEL = "model";
    pub fn build_model<T: std::fmt::Debug>(choice) -> Built;
    mc, lwr
}

mod root {
    use super::Reward;
    recipe::params! {
        /// A search in small.
        pub struct Root as "search" {
            models: list(super::MODEL) = "mc", "the models";
            reward: word(Reward) = Reward::Win, "what is counted";
            bytes: u64 = 1_000_000, 1000..=1_000_000_000_000, "memory";
            offset: i32 = -3, -10..=10, "a signed number";
            ties: bool = true, "random ties";
            c: f64 = 0.1, 0.0..=10.0, "exploration";
        }
    }
}

use root::{Root, VARIANT as ROOT};

const SHELF: Shelf<'static> = Shelf::new(&[
    ("default", "# The usual one.\nmodels=mc+lwr  models.lwr.kernel=winrate # similar\nc=2\n"),
    ("hot", "default c=9"),
    ("ring-a", "base=ring-b"),
    ("ring-b", "c=1 base=ring-a"),
]);

fn parse(text: &str) -> Result<Recipe, Error> {
    Recipe::parse(&ROOT, &SHELF, text)
}

#[track_caller]
fn check_text(text: &str, full: &str) {
    let recipe = parse(text).unwrap();
    assert_eq!(recipe.to_string(), full);
    assert_eq!(parse(full).unwrap(), recipe);
    assert_eq!(parse(&recipe.brief()).unwrap(), recipe);
}

#[track_caller]
fn check_error(text: &str, message: &str) {
    assert_eq!(parse(text).unwrap_err().to_string(), message);
}

const REST: &str = "reward=win bytes=1000000 offset=-3 ties=true";

#[test]
fn declarations_are_sound() {
    check(&ROOT).unwrap();
    assert_eq!(VARIANT_KEYS, lwr::VARIANT.params.iter().map(|p| p.key).collect::<Vec<_>>());
}
const VARIANT_KEYS: &[&str] = &["kernel", "min-visits"];

#[test]
fn defaults_are_printed_in_full() {
    check_text("", "models=mc reward=win bytes=1000000 offset=-3 ties=true c=0.1");
    assert_eq!(parse("").unwrap().brief(), "");
}

#[test]
fn nested_keys_in_any_order() {
    let full = format!("models=mc+lwr {REST} c=0.1").replace(
        "lwr ",
        "lwr models.lwr.kernel=manhattan models.lwr.kernel.reach=0.25 models.lwr.min-visits=7 ",
    );
    check_text("models=mc+lwr models.lwr.kernel.reach=0.25 models.lwr.min-visits=7", &full);
    check_text("models.lwr.min-visits=7 models.lwr.kernel.reach=0.25 models=mc+lwr", &full);
    check_text("models=mc+lwr:min-visits=7,kernel.reach=0.25", &full);
    check_text("models=mc+lwr:kernel.reach=0.25,kernel=manhattan models.lwr.min-visits=7", &full);
}

#[test]
fn the_same_model_twice_has_its_own_keys() {
    let recipe = parse("models=lwr:kernel=winrate+mc+lwr:min-visits=9").unwrap();
    let text = recipe.to_string();
    assert!(text.contains("models.lwr.kernel=winrate models.lwr.min-visits=3"), "{text}");
    assert!(text.contains("models.lwr~2.min-visits=9"), "{text}");
    assert_eq!(parse(&text).unwrap(), recipe);
    assert_eq!(recipe.brief(), "models=lwr+mc+lwr models.lwr.kernel=winrate models.lwr~2.min-visits=9");
}

#[test]
fn named_recipes_are_a_start() {
    let default = parse("default").unwrap();
    assert_eq!(parse("base=default").unwrap(), default);
    assert_eq!(default.brief(), "models=mc+lwr models.lwr.kernel=winrate c=2");
    assert_eq!(parse("hot").unwrap().brief(), "models=mc+lwr models.lwr.kernel=winrate c=9");
    assert_eq!(
        parse("default models.lwr.min-visits=1").unwrap(),
        default.with("models.lwr.min-visits=1").unwrap()
    );
    // Naming a variant again starts it from its defaults.
    assert_eq!(parse("default models=mc+lwr").unwrap().brief(), "models=mc+lwr c=2");
}

#[test]
fn wrong_words_are_refused_with_the_nearest_right_one() {
    check_error("modles=mc", "unknown key `modles`: `search` has no such parameter; did you mean `models`?");
    check_error("models=mcc", "unknown model `mcc` in `models=mcc`; did you mean `mc`?");
    check_error(
        "models=lwr models.lwr.kernal=winrate",
        "unknown key `models.lwr.kernal`: `models.lwr=lwr` has no such parameter; did you mean `models.lwr.kernel`?",
    );
    check_error(
        "models=lwr:kernel=manhatan",
        "unknown kernel `manhatan` in `models.lwr.kernel=manhatan`; did you mean `manhattan`?",
    );
    check_error(
        "models.lwr.kernel=winrate",
        "unknown key `models.lwr`: `models` does not hold `lwr`; known: mc",
    );
    check_error("reward=wins", "unknown reward `wins` in `reward=wins`; did you mean `win`?");
    check_error(
        "qqq=1",
        "unknown key `qqq`: `search` has no such parameter; known: models, reward, bytes, offset, ties, c",
    );
    check_error("defualt", "unknown recipe `defualt`; did you mean `default`?");
    check_error("c.x=1", "unknown key `c.x`: `c` has no such parameter; it takes none");
}

#[test]
fn wrong_values_are_refused() {
    check_error("c=11", "`c=11` is out of range: expected 0..=10");
    check_error("c=NaN", "`c=NaN` is out of range: expected 0..=10");
    check_error("c=much", "`c=much`: expected a number in 0..=10");
    check_error("bytes=999", "`bytes=999` is out of range: expected 1000..=1000000000000, whole");
    check_error(
        "bytes=99999999999999999999999999",
        "`bytes=99999999999999999999999999` is out of range: expected 1000..=1000000000000, whole",
    );
    check_error("offset=1.5", "`offset=1.5`: expected a whole number in -10..=10");
    check_error("ties=yes", "`ties=yes`: expected true or false");
    check_error("c=1 c=2", "`c` is given twice");
    check_error("models=lwr:min-visits=1 models.lwr.min-visits=2", "`models.lwr.min-visits` is given twice");
    check_error("c=1 default", "cannot read `default`: expected key=value");
    check_error("c=", "cannot read `c=`: expected key=value with neither side empty");
    check_error("ring-a", "recipe `ring-a` starts from itself");
    check_error(
        "models=lwr:kernel=manhattan:reach=1",
        "cannot read `kernel=manhattan:reach=1`: `name:key=value` is for one level; write the inner one as a dotted key",
    );
    assert!(parse("").unwrap().with("default c=1").is_err());
}

#[test]
fn structs_and_builders_see_the_values() {
    let recipe = parse("models=mc+lwr:kernel.reach=0.25 reward=score offset=4 ties=false").unwrap();
    let root = Root::from(recipe.root());
    assert_eq!(
        (root.reward, root.offset, root.ties, root.bytes, root.c),
        (Reward::Score, 4, false, 1_000_000, 0.1)
    );
    let built: Vec<Built> = root.models.iter().map(|model| build_model::<u8>(model).unwrap()).collect();
    assert_eq!(built, ["Mc u8", "Manhattan { reach: 0.25 } u8"]);
    let foreign = build_model::<u8>(&Choice::new(&winrate::VARIANT)).unwrap_err();
    assert_eq!(foreign.to_string(), "`winrate` cannot be used here: it is no model");
}

#[test]
fn the_listing_reaches_everything() {
    let listing = Listing::new(&ROOT);
    assert_eq!(listing.families.iter().map(|family| family.name).collect::<Vec<_>>(), ["model", "kernel"]);
    let text = listing.to_string();
    for word in ["lwr", "winrate", "min-visits", "visits before it speaks", "default 3", "0..=1000"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
    let recipe = parse("models=lwr").unwrap();
    let knobs: Vec<String> = recipe
        .entries()
        .iter()
        .filter(|entry| {
            matches!(entry.param.kind, ParamKind::Float { .. }) && matches!(entry.value, ParamValue::Float(_))
        })
        .map(|entry| entry.key.clone())
        .collect();
    assert_eq!(knobs, ["models.lwr.kernel.reach", "c"]);
}

proptest! {
    #[test]
    fn any_text_is_answered(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn any_recipe_like_text_is_answered(
        words in proptest::collection::vec("(models|c|offset|reward|models.lwr|[.]|base|mc|default)[.=:,+]{0,2}(mc|lwr|lwr:kernel=|[+]|kernel|1e400|-|win|é){0,3}", 0..6)
    ) {
        let _ = parse(&words.join(" "));
    }

    #[test]
    fn what_is_printed_is_read_again(
        c in 0.0f64..=10.0,
        bytes in 1000u64..=1_000_000_000_000,
        offset in -10i32..=10,
        ties: bool,
        reach in 0.0f64..=1.0,
        models in proptest::collection::vec("mc|lwr|lwr:kernel=winrate|lwr:min-visits=5", 1..5),
    ) {
        let models = models.join("+");
        let mut text = format!("c={c} bytes={bytes} offset={offset} ties={ties} models=lwr+{models}");
        text += &format!(" models.lwr.kernel.reach={reach}");
        let recipe = parse(&text).unwrap();
        prop_assert_eq!(&parse(&recipe.to_string()).unwrap(), &recipe);
        prop_assert_eq!(&parse(&recipe.brief()).unwrap(), &recipe);
        prop_assert_eq!(parse(&recipe.to_string()).unwrap().to_string(), recipe.to_string());
    }
}

mod plain {
    recipe::params! {
        /// The end of a nest.
        pub struct Plain as "plain" {}
    }
    pub fn build(params: &Plain) -> Result<String, recipe::Error> {
        Ok(format!("{params:?}"))
    }
}

mod nested {
    recipe::params! {
        /// A choice that holds another of its own family.
        pub struct Nested as "nested" {
            inner: choice(super::NEST) = "plain", "what is inside";
        }
    }
    pub fn build(params: &Nested) -> Result<String, recipe::Error> {
        super::build_nest(&params.inner)
    }
}

recipe::family! {
    /// Choices inside choices.
    pub static NEST = "nest";
    pub fn build_nest(choice) -> Built;
    plain, nested
}

/// Every accepted recipe can be printed and read again, so there is an end to nesting.
#[test]
fn nests_are_as_deep_as_keys_can_be() {
    let nest = |depth: usize| {
        let keys = (1..=depth).map(|n| format!("{}=nested", vec!["inner"; n].join(".")));
        keys.collect::<Vec<_>>().join(" ")
    };
    let parse = |text: &str| Recipe::parse(&nested::VARIANT, &Shelf::default(), text);
    for depth in 0..16 {
        let recipe = parse(&nest(depth)).unwrap();
        assert_eq!(parse(&recipe.to_string()), Ok(recipe), "{depth}");
    }
    for depth in [16, 17, 40] {
        let error = parse(&nest(depth)).unwrap_err().to_string();
        assert!(error.contains("at most 16 parts"), "{error}");
    }
}
