//! A variant with a value for each of its parameters. A choice is complete from the moment it exists: it starts from
//! the declared defaults and [`resolve`](crate::resolve) changes it, so nothing that reads one can find a gap.

use crate::declare::{Family, Param, ParamKind, Variant};
use std::fmt;

/// One variant and its values, nested choices included.
#[derive(Clone)]
pub struct Choice {
    variant: &'static Variant,
    /// In the order of `variant.params`.
    values: Vec<ParamValue>,
}

/// The value of one parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    /// A real number.
    Float(f64),
    /// A whole number.
    Int(i64),
    /// True or false.
    Flag(bool),
    /// A fixed word.
    Word(&'static str),
    /// A nested variant.
    Choice(Choice),
    /// Nested variants; never empty.
    List(Vec<Choice>),
}

/// Families may contain themselves; a default never goes deeper than this.
const MAX_DEFAULT_DEPTH: usize = 16;

impl Choice {
    /// The variant with its declared defaults.
    pub fn new(variant: &'static Variant) -> Choice {
        Choice::nested(variant, 0)
    }

    fn nested(variant: &'static Variant, depth: usize) -> Choice {
        let values = variant.params.iter().map(|param| default_value(param, depth)).collect();
        Choice { variant, values }
    }

    /// The variant's name.
    pub fn name(&self) -> &'static str {
        self.variant.name
    }

    /// The variant's declaration.
    pub fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// Whether this is the given variant.
    pub fn is(&self, variant: &Variant) -> bool {
        self.variant.name == variant.name
    }

    /// The value of a parameter, if the variant has one of that key.
    pub fn value(&self, key: &str) -> Option<&ParamValue> {
        self.variant.param(key).and_then(|(param_idx, _)| self.values.get(param_idx))
    }

    pub(crate) fn value_mut(&mut self, param_idx: usize) -> Option<&mut ParamValue> {
        self.values.get_mut(param_idx)
    }

    /// Parameters and values in canonical order.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static Param, &ParamValue)> {
        self.variant.params.iter().zip(&self.values)
    }

    /// A nested choice by key; the macros use it to read one.
    pub fn nested_choice(&self, key: &str, family: &'static Family, default: &str) -> Choice {
        match self.value(key) {
            Some(ParamValue::Choice(choice)) => choice.clone(),
            _ => pick(family, default, 0),
        }
    }

    /// A nested list by key; the macros use it to read one.
    pub fn nested_list(&self, key: &str, family: &'static Family, default: &str) -> Vec<Choice> {
        match self.value(key) {
            Some(ParamValue::List(list)) => list.clone(),
            _ => pick_list(family, default, 0),
        }
    }
}

impl PartialEq for Choice {
    fn eq(&self, other: &Choice) -> bool {
        self.is(other.variant) && self.values == other.values
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        f.debug_map().entries(self.pairs().map(|(param, value)| (param.key, value))).finish()
    }
}

fn default_value(param: &'static Param, depth: usize) -> ParamValue {
    match param.kind {
        ParamKind::Float { default, .. } => ParamValue::Float(default),
        ParamKind::Int { default, .. } => ParamValue::Int(default),
        ParamKind::Flag { default } => ParamValue::Flag(default),
        ParamKind::Word { default, .. } => ParamValue::Word(default),
        ParamKind::Choice { family, default } => ParamValue::Choice(pick(family, default, depth + 1)),
        ParamKind::List { family, default } => ParamValue::List(pick_list(family, default, depth + 1)),
    }
}

/// A default that was never declared, or one that contains itself without end, is a slip in a declaration;
/// [`check`](crate::list::check) finds it in the tests, and here the first variant stands in.
fn pick(family: &'static Family, name: &str, depth: usize) -> Choice {
    static NOTHING: Variant = Variant { name: "nothing", doc: "", params: &[] };
    let variant = family.get(name).or(family.variants.first().copied()).unwrap_or(&NOTHING);
    if depth > MAX_DEFAULT_DEPTH {
        return Choice { variant: &NOTHING, values: Vec::new() };
    }
    Choice::nested(variant, depth)
}

fn pick_list(family: &'static Family, names: &str, depth: usize) -> Vec<Choice> {
    names.split('+').map(|name| pick(family, name.trim(), depth)).collect()
}

/// The keys of a list's elements: the variant's name, and `name~2`, `name~3` for further ones of the same name.
pub(crate) fn element_keys(list: &[Choice]) -> Vec<String> {
    let mut keys = Vec::with_capacity(list.len());
    for (element_idx, choice) in list.iter().enumerate() {
        let n_before = list[..element_idx].iter().filter(|other| other.name() == choice.name()).count();
        keys.push(match n_before {
            0 => choice.name().to_string(),
            n => format!("{}~{}", choice.name(), n + 1),
        });
    }
    keys
}
