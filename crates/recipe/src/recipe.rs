//! A whole recipe: the choice at the root, read from text over named recipes and printed again in full.

use crate::choice::{Choice, ParamValue, element_keys};
use crate::declare::Variant;
use crate::error::{Error, Suggestion};
use crate::list::RecipeEntry;
use crate::resolve::{apply, join};
use crate::text::{Layer, MAX_DEPTH};
use std::fmt;

/// A complete, valid description of an engine. Printing it (`to_string`) gives every value in the declared order, and
/// reading that text gives the same recipe again.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    root: Choice,
}

/// Named recipes that others may start from: name and text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shelf<'a> {
    /// Names and texts, in the order in which they are listed.
    pub recipes: &'a [(&'a str, &'a str)],
}

impl<'a> Shelf<'a> {
    /// A shelf of these recipes.
    pub const fn new(recipes: &'a [(&'a str, &'a str)]) -> Shelf<'a> {
        Shelf { recipes }
    }

    /// The text of a named recipe.
    ///
    /// # Errors
    /// Names the nearest known recipe when there is none of this name.
    pub fn get(&self, name: &str) -> Result<&'a str, Error> {
        match self.recipes.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Ok(text),
            None => Err(Error::UnknownRecipe {
                name: name.to_string(),
                hint: Suggestion::new(name, self.recipes.iter().map(|(known, _)| *known)),
            }),
        }
    }
}

impl Recipe {
    /// The declared defaults of everything.
    pub fn new(root: &'static Variant) -> Recipe {
        Recipe { root: Choice::new(root) }
    }

    /// Reads a recipe. The text may start from a recipe of the shelf.
    ///
    /// # Errors
    /// The first thing that does not fit the grammar or the declarations.
    pub fn parse(root: &'static Variant, shelf: &Shelf<'_>, text: &str) -> Result<Recipe, Error> {
        let mut layers = vec![Layer::split(text)?];
        let mut met: Vec<&str> = Vec::new();
        while let Some(name) = layers.last().and_then(|layer| layer.base) {
            if met.contains(&name) {
                return Err(Error::BaseLoop { name: name.to_string() });
            }
            met.push(name);
            layers.push(Layer::split(shelf.get(name)?)?);
        }
        let mut choice = Choice::new(root);
        for layer in layers.iter().rev() {
            apply(&mut choice, &layer.assignments)?;
        }
        Recipe { root: choice }.checked(text)
    }

    /// This recipe with some values changed: `recipe.with("mixer.prior=50 select.c=0")`.
    ///
    /// # Errors
    /// As [`Recipe::parse`]; a base is refused, since the recipe itself is the base.
    pub fn with(&self, text: &str) -> Result<Recipe, Error> {
        let layer = Layer::split(text)?;
        if let Some(name) = layer.base {
            let expected = "expected key=value, since the changes start from a recipe already".to_string();
            return Err(Error::Syntax { text: name.to_string(), expected });
        }
        let mut root = self.root.clone();
        apply(&mut root, &layer.assignments)?;
        Recipe { root }.checked(text)
    }

    /// Refuses choices nested so deeply that their printed keys could not be read again.
    fn checked(self, text: &str) -> Result<Recipe, Error> {
        match self.entries().iter().find(|entry| entry.key.split('.').count() > MAX_DEPTH) {
            None => Ok(self),
            Some(entry) => Err(Error::Syntax {
                text: text.to_string(),
                expected: format!("it leads to the key {}; a key has at most {MAX_DEPTH} parts", entry.key),
            }),
        }
    }

    /// The choice at the root, from which everything is built.
    pub fn root(&self) -> &Choice {
        &self.root
    }

    /// Every value with its full key and declaration, nested ones included, in canonical order.
    pub fn entries(&self) -> Vec<RecipeEntry<'_>> {
        let mut entries = Vec::new();
        collect(&self.root, "", &mut entries);
        entries
    }

    /// Only what differs from the defaults: short enough for a table, and read back as the same recipe.
    pub fn brief(&self) -> String {
        let mut words = Vec::new();
        brief(&self.root, "", &mut words);
        words.join(" ")
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.entries().iter().map(RecipeEntry::to_string).collect();
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamValue::Float(x) => write!(f, "{x}"),
            ParamValue::Int(x) => write!(f, "{x}"),
            ParamValue::Flag(x) => write!(f, "{x}"),
            ParamValue::Word(word) => f.write_str(word),
            ParamValue::Choice(choice) => f.write_str(choice.name()),
            ParamValue::List(list) => {
                f.write_str(&list.iter().map(Choice::name).collect::<Vec<_>>().join("+"))
            }
        }
    }
}

fn collect<'a>(choice: &'a Choice, prefix: &str, entries: &mut Vec<RecipeEntry<'a>>) {
    for (param, value) in choice.pairs() {
        let key = join(prefix, param.key);
        entries.push(RecipeEntry { key: key.clone(), param, value });
        match value {
            ParamValue::Choice(inner) => collect(inner, &key, entries),
            ParamValue::List(list) => {
                for (inner, element) in list.iter().zip(element_keys(list)) {
                    collect(inner, &join(&key, &element), entries);
                }
            }
            _ => {}
        }
    }
}

/// Writes what differs from a fresh choice of the same variant. Naming a variant resets it, so below a name that is
/// written everything is compared with that variant's own defaults.
fn brief(choice: &Choice, prefix: &str, words: &mut Vec<String>) {
    let fresh = Choice::new(choice.variant());
    for ((param, value), (_, default)) in choice.pairs().zip(fresh.pairs()) {
        let key = join(prefix, param.key);
        if value == default {
            continue;
        }
        if value.to_string() != default.to_string() {
            words.push(format!("{key}={value}"));
        }
        match value {
            ParamValue::Choice(inner) => brief(inner, &key, words),
            ParamValue::List(list) => {
                for (inner, element) in list.iter().zip(element_keys(list)) {
                    brief(inner, &join(&key, &element), words);
                }
            }
            _ => {}
        }
    }
}
