//! The grammar. A recipe is words separated by white space, in any number of lines; `#` starts a comment that ends with
//! the line. A word is `key.key=value`, or — first of all words — the name of a recipe to start from, which can also be
//! written `base=name`.

use crate::error::Error;

/// One `key=value`, split but not yet understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment<'a> {
    /// The dotted key.
    pub key: &'a str,
    /// Everything after the first `=`.
    pub value: &'a str,
}

/// A recipe's text, split into its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layer<'a> {
    /// The named recipe to start from.
    pub base: Option<&'a str>,
    /// The assignments as written.
    pub assignments: Vec<Assignment<'a>>,
}

/// Keys deeper than this are refused before anything is looked up.
pub(crate) const MAX_DEPTH: usize = 16;

impl<'a> Layer<'a> {
    /// Splits a text into words.
    ///
    /// # Errors
    /// A word that is neither `key=value` nor a leading name, and a second base.
    pub fn split(text: &'a str) -> Result<Layer<'a>, Error> {
        let mut layer = Layer::default();
        let words = text.lines().flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace());
        for word in words {
            match word.split_once('=') {
                Some(("base", name)) => layer.start_from(name)?,
                Some((key, value)) => layer.assignments.push(assignment(word, key, value)?),
                None if layer.assignments.is_empty() => layer.start_from(word)?,
                None => return Err(syntax(word, "expected key=value")),
            }
        }
        Ok(layer)
    }

    fn start_from(&mut self, name: &'a str) -> Result<(), Error> {
        match self.base.replace(name) {
            None => Ok(()),
            Some(first) => {
                Err(syntax(name, &format!("the recipe already starts from `{first}`; expected key=value")))
            }
        }
    }
}

fn assignment<'a>(word: &str, key: &'a str, value: &'a str) -> Result<Assignment<'a>, Error> {
    if key.is_empty() || value.is_empty() {
        return Err(syntax(word, "expected key=value with neither side empty"));
    }
    if key.split('.').count() > MAX_DEPTH {
        return Err(syntax(word, &format!("a key has at most {MAX_DEPTH} parts")));
    }
    Ok(Assignment { key, value })
}

/// `name:key=value,key=value` cut into the name and its assignments.
///
/// # Errors
/// A part that is not `key=value`, and a second level of `:`.
pub(crate) fn split_inline(value: &str) -> Result<(&str, Vec<Assignment<'_>>), Error> {
    let Some((name, rest)) = value.split_once(':') else { return Ok((value, Vec::new())) };
    let mut assignments = Vec::new();
    for word in rest.split(',') {
        let Some((key, value)) = word.split_once('=') else {
            return Err(syntax(word, &format!("expected `{name}:key=value,key=value`")));
        };
        if value.contains(':') {
            return Err(syntax(
                word,
                "`name:key=value` is for one level; write the inner one as a dotted key",
            ));
        }
        assignments.push(assignment(word, key, value)?);
    }
    Ok((name, assignments))
}

fn syntax(text: &str, expected: &str) -> Error {
    Error::Syntax { text: text.to_string(), expected: expected.to_string() }
}
