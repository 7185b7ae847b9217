//! Errors in recipes. Every message names the input, what was expected and, for a misspelt word, the
//! nearest known one.

use std::fmt;

/// Why a recipe was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A key nobody declared.
    #[error("unknown key `{key}`: `{owner}` has no such parameter{hint}")]
    UnknownKey {
        /// The full dotted key.
        key: String,
        /// The variant (or `search`) that was asked.
        owner: String,
        /// The nearest known word, or all of them.
        hint: Suggestion,
    },
    /// A parameter of something that a list does not hold.
    #[error("unknown key `{key}`: `{list}` does not hold `{element}`{hint}")]
    UnknownElement {
        /// The full dotted key of the element.
        key: String,
        /// The key of the list.
        list: String,
        /// The element.
        element: String,
        /// The elements of the list.
        hint: Suggestion,
    },
    /// A variant nobody declared.
    #[error("unknown {family} `{name}` in `{key}={name}`{hint}")]
    UnknownName {
        /// The full dotted key.
        key: String,
        /// The name given.
        name: String,
        /// The family it was looked for in.
        family: &'static str,
        /// The nearest known word, or all of them.
        hint: Suggestion,
    },
    /// A number outside the declared range.
    #[error("`{key}={value}` is out of range: expected {range}")]
    OutOfRange {
        /// The full dotted key.
        key: String,
        /// The value given.
        value: String,
        /// The declared range.
        range: String,
    },
    /// Something that is not a value of the declared type.
    #[error("`{key}={value}`: expected {expected}")]
    BadValue {
        /// The full dotted key.
        key: String,
        /// The value given.
        value: String,
        /// The declared type and range.
        expected: String,
    },
    /// One key with two values in the same text.
    #[error("`{key}` is given twice")]
    GivenTwice {
        /// The full dotted key.
        key: String,
    },
    /// Text that is not `key=value`.
    #[error("cannot read `{text}`: {expected}")]
    Syntax {
        /// The offending word.
        text: String,
        /// The form expected in its place.
        expected: String,
    },
    /// A named recipe that does not exist.
    #[error("unknown recipe `{name}`{hint}")]
    UnknownRecipe {
        /// The name given.
        name: String,
        /// The nearest known word, or all of them.
        hint: Suggestion,
    },
    /// Named recipes that start from each other.
    #[error("recipe `{name}` starts from itself")]
    BaseLoop {
        /// The recipe met for the second time.
        name: String,
    },
    /// Pieces that are fine alone but not together, found when the recipe is built.
    #[error("`{what}` cannot be used here: {why}")]
    Unsuitable {
        /// The variant that was refused.
        what: String,
        /// The piece that is missing, and the words to write instead.
        why: String,
    },
}

impl Error {
    /// The error a variant's `build` returns when it does not fit the rest of the recipe.
    pub fn unsuitable(what: impl Into<String>, why: impl Into<String>) -> Error {
        Error::Unsuitable { what: what.into(), why: why.into() }
    }
}

/// The nearest known word, or all of them when none is near.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Suggestion {
    /// The known word most like the one given, if any is like it.
    pub nearest: Option<String>,
    /// All known words.
    pub known: Vec<String>,
}

impl Suggestion {
    /// Looks for the word among the known ones that is most like `given`.
    pub fn new<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Suggestion {
        let known: Vec<String> = known.into_iter().map(str::to_string).collect();
        // Comparing is quadratic in the length, so a very long word is compared by its beginning only.
        let given: String = given.chars().take(64).flat_map(char::to_lowercase).collect();
        let score = |word: &String| {
            // Two letters that changed places make short words unlike, though nobody would say so: `utc`, `uct`.
            let is_slip = given.chars().count() > 2 && strsim::osa_distance(&given, word) == 1;
            let alike = strsim::jaro_winkler(&given, word).max(if is_slip { 0.9 } else { 0.0 });
            if word.starts_with(&given) && !given.is_empty() { alike + 1.0 } else { alike }
        };
        let mut best: Option<(f64, &String)> = None;
        for word in &known {
            let alike = score(word);
            if alike > 0.7 && best.is_none_or(|(most, _)| alike > most) {
                best = Some((alike, word));
            }
        }
        Suggestion { nearest: best.map(|(_, word)| word.clone()), known }
    }
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.nearest {
            Some(word) => write!(f, "; did you mean `{word}`?"),
            None if self.known.is_empty() => f.write_str("; it takes none"),
            None => write!(f, "; known: {}", self.known.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_changed_places_are_understood() {
        assert_eq!(Suggestion::new("utc", ["default", "uct", "random"]).to_string(), "; did you mean `uct`?");
        assert_eq!(Suggestion::new("UCT", ["default", "uct"]).to_string(), "; did you mean `uct`?");
        assert_eq!(Suggestion::new("xyz", ["default", "uct"]).to_string(), "; known: default, uct");
    }
}
