//! Listings: everything that was declared, for `tengen list`, documentation and tuners, and a check of the
//! declarations themselves for the tests.

use crate::choice::{Choice, ParamValue};
use crate::declare::{Family, Param, ParamKind, Variant};
use crate::recipe::{Recipe, Shelf};
use std::fmt;

/// One value of a recipe with its full key and declaration: what a tuner turns.
#[derive(Debug, Clone)]
pub struct RecipeEntry<'a> {
    /// The full dotted key.
    pub key: String,
    /// The declaration: default, range, doc.
    pub param: &'static Param,
    /// The value in this recipe.
    pub value: &'a ParamValue,
}

impl fmt::Display for RecipeEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// All that can be reached from a root: its parameters, then each family once.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The root declaration.
    pub root: &'static Variant,
    /// Every family, in the order in which the parameters mention them.
    pub families: Vec<&'static Family>,
}

impl Listing {
    /// Walks the declarations from the root.
    pub fn new(root: &'static Variant) -> Listing {
        let mut listing = Listing { root, families: Vec::new() };
        listing.walk(root);
        listing
    }

    fn walk(&mut self, variant: &'static Variant) {
        for family in variant.params.iter().filter_map(|param| param.kind.family()) {
            if !self.families.iter().any(|known| std::ptr::eq(*known, family)) {
                self.families.push(family);
                for inner in family.variants {
                    self.walk(inner);
                }
            }
        }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.root.name, self.root.summary())?;
        write_params(f, self.root)?;
        for family in &self.families {
            writeln!(f, "\n{}: {}", family.name, family.doc.trim())?;
            for variant in family.variants {
                writeln!(f, "  {:<16} {}", variant.name, variant.summary())?;
                write_params(f, variant)?;
            }
        }
        Ok(())
    }
}

fn write_params(f: &mut fmt::Formatter<'_>, variant: &Variant) -> fmt::Result {
    for param in variant.params {
        let range = match param.kind.family() {
            Some(family) => format!("a {}", family.name),
            None => param.kind.to_string(),
        };
        let default = param.kind.default_text();
        writeln!(f, "      {:<14} {} (default {default}; {range})", param.key, param.doc)?;
    }
    Ok(())
}

/// Checks the declarations reachable from a root; a crate's tests call it so that a slip cannot be released.
///
/// # Errors
/// A sentence for the first slip: a default outside its range or family, a name or key used twice or not writable,
/// an empty doc line, or defaults that do not survive printing and reading.
pub fn check(root: &'static Variant) -> Result<(), String> {
    let listing = Listing::new(root);
    check_variant(root)?;
    for family in &listing.families {
        check_words(family.name, family.names())?;
        for variant in family.variants {
            check_variant(variant)?;
        }
    }
    let defaults = Recipe::new(root);
    match Recipe::parse(root, &Shelf::default(), &defaults.to_string()) {
        Ok(again) if again == defaults => Ok(()),
        Ok(again) => Err(format!("the defaults `{defaults}` are read back as `{again}`")),
        Err(error) => Err(format!("the defaults `{defaults}` are refused: {error}")),
    }
}

fn check_variant(variant: &'static Variant) -> Result<(), String> {
    if variant.doc.trim().is_empty() {
        return Err(format!("`{}` has no doc line", variant.name));
    }
    check_words(variant.name, variant.params.iter().map(|param| param.key))?;
    for param in variant.params {
        let place = format!("`{}.{}`", variant.name, param.key);
        if param.doc.trim().is_empty() {
            return Err(format!("{place} has no doc line"));
        }
        let good = match param.kind {
            ParamKind::Float { default, min, max } => (min..=max).contains(&default),
            ParamKind::Int { default, min, max } => (min..=max).contains(&default),
            ParamKind::Flag { .. } => true,
            ParamKind::Word { default, words } => words.contains(&default),
            ParamKind::Choice { family, default } => family.get(default).is_some(),
            ParamKind::List { family, default } => default.split('+').all(|name| family.get(name).is_some()),
        };
        if !good {
            return Err(format!(
                "{place}: the default {} is not in {}",
                param.kind.default_text(),
                param.kind
            ));
        }
    }
    // A default that contains itself would be cut off with a name no family has.
    let printed = format!("{:?}", Choice::new(variant));
    if printed.contains("nothing{") { Err(format!("`{}` contains itself", variant.name)) } else { Ok(()) }
}

fn check_words<'a>(owner: &str, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut met: Vec<&str> = Vec::new();
    for word in words {
        let plain = word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !plain || !word.starts_with(|c: char| c.is_ascii_lowercase()) || word == "base" {
            return Err(format!("`{owner}`: `{word}` is not a writable name (a-z, 0-9, -)"));
        }
        if met.contains(&word) {
            return Err(format!("`{owner}`: `{word}` is declared twice"));
        }
        met.push(word);
    }
    Ok(())
}
