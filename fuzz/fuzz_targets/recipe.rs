//! Invariant: no text makes the reader of recipes panic, and a recipe printed in full, or in brief, reads as the same
//! recipe.
#![no_main]
#![allow(dead_code, reason = "the declarations are written as they are in a library, but nothing is built")]

use libfuzzer_sys::fuzz_target;
use recipe::{Recipe, Shelf, Variant};

/// The engine's own declarations, and a small world with every kind of parameter.
static ROOTS: [&Variant; 2] = [&mcts::ROOT, &world::VARIANT];

/// Named recipes to start from; some of them in a circle.
const SHELF: Shelf<'_> =
    Shelf::new(&[("a", "base=b"), ("b", "base=a"), ("c", ""), ("d", "c steps=2"), ("e", "d nothing=1")]);

mod world {
    recipe::words! {
        /// What is counted.
        pub enum Reward {
            /// The game.
            Win = "win",
            /// The points.
            Score = "score",
        }
    }

    mod plain {
        recipe::params! {
            /// Nothing to say.
            pub struct Plain as "plain" {}
        }
        pub fn build(_: &Plain) -> Result<(), recipe::Error> {
            Ok(())
        }
    }

    mod nested {
        recipe::params! {
            /// A choice within a choice.
            pub struct Nested as "nested" {
                inner: choice(super::FAMILY) = "plain", "what is within";
                share: f32 = 0.5, -1.0..=1.0, "a real number";
                min_visits: u32 = 3, 0..=1000, "a whole number";
            }
        }
        pub fn build(_: &Nested) -> Result<(), recipe::Error> {
            Ok(())
        }
    }

    recipe::family! {
        /// What stands somewhere.
        pub static FAMILY = "thing";
        pub fn build_thing(choice) -> ();
        plain, nested
    }

    recipe::params! {
        /// Every kind of parameter.
        pub struct World as "world" {
            things: list(FAMILY) = "plain", "some things";
            thing: choice(FAMILY) = "nested", "one thing";
            reward: word(Reward) = Reward::Win, "what is counted";
            steps: i32 = 1, i32::MIN..=i32::MAX, "a whole number";
            bytes: u64 = 1, 1..=1_000_000_000_000, "a large one";
            weight: f64 = 1e-9, -1e300..=1e300, "any real number";
            greedy: bool = true, "a flag";
        }
    }
}

fuzz_target!(|text: &str| {
    for root in ROOTS {
        let recipe = match Recipe::parse(root, &SHELF, text) {
            Ok(recipe) => recipe,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let full = recipe.to_string();
        assert_eq!(Recipe::parse(root, &SHELF, &full).as_ref(), Ok(&recipe), "{full:?}");
        let brief = recipe.brief();
        assert_eq!(Recipe::parse(root, &SHELF, &brief).as_ref(), Ok(&recipe), "{brief:?}");
    }
});
