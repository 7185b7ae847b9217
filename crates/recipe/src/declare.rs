//! Declarations as plain static data: a family offers variants, a variant has parameters, and a parameter may be a
//! choice from a further family. Everything is public so that listings, tuners and documentation can walk it.

use std::fmt;

/// A place in a recipe where one of several variants stands, such as `mixer` or `leaf.policy`.
#[derive(Debug)]
pub struct Family {
    /// The family's name, singular.
    pub name: &'static str,
    /// The choice that the family stands for, in one sentence.
    pub doc: &'static str,
    /// All variants, in the order in which they are listed.
    pub variants: &'static [&'static Variant],
}

/// One way to fill a place: a name, and the parameters that belong to it alone.
#[derive(Debug)]
pub struct Variant {
    /// The name as recipes write it.
    pub name: &'static str,
    /// Its effect and its source; the first line is the summary.
    pub doc: &'static str,
    /// The parameters in canonical order.
    pub params: &'static [Param],
}

/// One parameter: a key, the values it takes, and a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// The key as recipes write it (`min-visits`).
    pub key: &'static str,
    /// Type, default and range.
    pub kind: ParamKind,
    /// Meaning and unit.
    pub doc: &'static str,
}

/// The values a parameter takes, with its default.
#[derive(Debug, Clone, Copy)]
pub enum ParamKind {
    /// A real number in `min..=max`.
    Float {
        /// Value when the recipe is silent.
        default: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// A whole number in `min..=max`.
    Int {
        /// Value when the recipe is silent.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// `true` or `false`.
    Flag {
        /// Value when the recipe is silent.
        default: bool,
    },
    /// One of a few fixed words without parameters of their own.
    Word {
        /// Value when the recipe is silent.
        default: &'static str,
        /// All words.
        words: &'static [&'static str],
    },
    /// One variant of a family.
    Choice {
        /// The family chosen from.
        family: &'static Family,
        /// The variant when the recipe is silent.
        default: &'static str,
    },
    /// One or more variants of a family, joined by `+`.
    List {
        /// The family chosen from.
        family: &'static Family,
        /// The variants when the recipe is silent.
        default: &'static str,
    },
}

impl Family {
    /// The variant of this name.
    pub fn get(&self, name: &str) -> Option<&'static Variant> {
        self.variants.iter().copied().find(|variant| variant.name == name)
    }

    /// All names, as listed.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.variants.iter().map(|variant| variant.name)
    }
}

/// Two lists of variants as one, for a family whose variants are declared in two places; N is the sum of their lengths.
pub const fn join<const N: usize>(
    first: &[&'static Variant],
    second: &[&'static Variant],
) -> [&'static Variant; N] {
    assert!(first.len() + second.len() == N);
    let mut all = [if first.is_empty() { second[0] } else { first[0] }; N];
    let mut idx = 0;
    while idx < N {
        all[idx] = if idx < first.len() { first[idx] } else { second[idx - first.len()] };
        idx += 1;
    }
    all
}

/// One parameter for each variant of a family, with the variant's name as its key and all else in common; N is the number of
/// variants.
pub const fn one_each<const N: usize>(family: &Family, kind: ParamKind, doc: &'static str) -> [Param; N] {
    assert!(family.variants.len() == N);
    let mut all = [Param { key: "", kind, doc }; N];
    let mut idx = 0;
    while idx < N {
        all[idx].key = family.variants[idx].name;
        idx += 1;
    }
    all
}

impl Variant {
    /// The parameter of this key and its place in the canonical order.
    pub fn param(&self, key: &str) -> Option<(usize, &'static Param)> {
        self.params.iter().enumerate().find(|(_, param)| param.key == key)
    }

    /// The first line of the documentation.
    pub fn summary(&self) -> &'static str {
        self.doc.trim().lines().next().unwrap_or("").trim()
    }
}

impl ParamKind {
    /// The families a value of this kind is chosen from: none or one.
    pub fn family(&self) -> Option<&'static Family> {
        match *self {
            ParamKind::Choice { family, .. } | ParamKind::List { family, .. } => Some(family),
            _ => None,
        }
    }

    /// The default as recipes write it.
    pub fn default_text(&self) -> String {
        match self {
            ParamKind::Float { default, .. } => default.to_string(),
            ParamKind::Int { default, .. } => default.to_string(),
            ParamKind::Flag { default } => default.to_string(),
            ParamKind::Word { default, .. }
            | ParamKind::Choice { default, .. }
            | ParamKind::List { default, .. } => (*default).to_string(),
        }
    }
}

/// The range as errors and listings show it: `0..=10`, `true|false`, `win|score`.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamKind::Float { min, max, .. } => write!(f, "{min}..={max}"),
            ParamKind::Int { min, max, .. } => write!(f, "{min}..={max}, whole"),
            ParamKind::Flag { .. } => f.write_str("true|false"),
            ParamKind::Word { words, .. } => f.write_str(&words.join("|")),
            ParamKind::Choice { family, .. } => f.write_str(&family.names().collect::<Vec<_>>().join("|")),
            ParamKind::List { family, .. } => {
                write!(f, "{}, joined by +", family.names().collect::<Vec<_>>().join("|"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static A: Variant = Variant { name: "a", doc: "", params: &[] };
    static B: Variant = Variant { name: "b", doc: "", params: &[] };
    static BOTH: [&Variant; 2] = join(&[&A], &[&B]);
    static FAMILY: Family = Family { name: "letter", doc: "", variants: &BOTH };
    static PARAMS: [Param; FAMILY.variants.len()] =
        one_each(&FAMILY, ParamKind::Flag { default: true }, "whether the letter counts");

    #[test]
    fn lists_are_joined_and_counted_by_the_compiler() {
        assert_eq!(FAMILY.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(join::<1>(&[], &[&B])[0].name, "b");
        assert_eq!(PARAMS.map(|param| (param.key, param.doc)), ["a", "b"].map(|key| (key, PARAMS[0].doc)));
    }
}
