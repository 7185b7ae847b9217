//! Text applied to a choice. Naming a variant starts it from its declared defaults; within one text the order of the
//! words does not matter, because shorter keys (which variant) are applied before longer ones (its parameters).

use crate::choice::{Choice, ParamValue, element_keys};
use crate::declare::{Family, Param, ParamKind, Variant};
use crate::error::{Error, Suggestion};
use crate::text::{Assignment, split_inline};
use std::collections::BTreeSet;

/// Applies one text's assignments to a choice.
///
/// # Errors
/// The first assignment, in order of depth, that does not fit the declarations.
pub fn apply(choice: &mut Choice, assignments: &[Assignment<'_>]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    apply_below(choice, "", assignments, &mut seen)
}

fn apply_below(
    choice: &mut Choice,
    prefix: &str,
    assignments: &[Assignment<'_>],
    seen: &mut BTreeSet<String>,
) -> Result<(), Error> {
    let mut sorted: Vec<&Assignment<'_>> = assignments.iter().collect();
    sorted.sort_by_key(|assignment| assignment.key.matches('.').count());
    for Assignment { key, value } in sorted {
        let path: Vec<&str> = key.split('.').collect();
        assign(choice, prefix, &path, value, seen)?;
    }
    Ok(())
}

/// Follows `path` from `choice` and sets the value at its end; `prefix` is the choice's own key, for messages.
fn assign(
    choice: &mut Choice,
    prefix: &str,
    path: &[&str],
    value: &str,
    seen: &mut BTreeSet<String>,
) -> Result<(), Error> {
    let Some((&part, rest)) = path.split_first() else { return Ok(()) };
    let key = join(prefix, part);
    let variant = choice.variant();
    let Some((param_idx, param)) = variant.param(part) else {
        return Err(unknown_key(&key, part, variant, prefix));
    };
    let Some(slot) = choice.value_mut(param_idx) else { return Ok(()) };
    match (rest, slot) {
        ([], slot) => {
            if !seen.insert(key.clone()) {
                return Err(Error::GivenTwice { key });
            }
            *slot = read(param, &key, value, seen)?;
            Ok(())
        }
        (rest, ParamValue::Choice(inner)) => assign(inner, &key, rest, value, seen),
        ([element, rest @ ..], ParamValue::List(list)) => {
            let keys = element_keys(list);
            let element_key = join(&key, element);
            let Some(found) = keys.iter().position(|known| known == element) else {
                // Names of models are alike; what the list holds is the better hint.
                let (list, hint) = (key, Suggestion { nearest: None, known: keys });
                return Err(Error::UnknownElement {
                    key: element_key,
                    list,
                    element: element.to_string(),
                    hint,
                });
            };
            if rest.is_empty() {
                return Err(bad(&element_key, value, "a parameter of this element after a further dot"));
            }
            assign(&mut list[found], &element_key, rest, value, seen)
        }
        (rest, _) => Err(Error::UnknownKey {
            key: join(&key, &rest.join(".")),
            owner: key,
            hint: Suggestion { nearest: None, known: Vec::new() },
        }),
    }
}

/// A value of the parameter's declared kind.
fn read(
    param: &'static Param,
    key: &str,
    value: &str,
    seen: &mut BTreeSet<String>,
) -> Result<ParamValue, Error> {
    match param.kind {
        ParamKind::Float { min, max, .. } => match value.parse::<f64>() {
            Ok(x) if (min..=max).contains(&x) => Ok(ParamValue::Float(x)),
            Ok(_) => Err(out_of_range(param, key, value)),
            Err(_) => Err(bad(key, value, &format!("a number in {min}..={max}"))),
        },
        ParamKind::Int { min, max, .. } => match value.parse::<i128>() {
            Ok(x) => match i64::try_from(x) {
                Ok(x) if (min..=max).contains(&x) => Ok(ParamValue::Int(x)),
                _ => Err(out_of_range(param, key, value)),
            },
            Err(_) => Err(bad(key, value, &format!("a whole number in {min}..={max}"))),
        },
        ParamKind::Flag { .. } => match value {
            "true" => Ok(ParamValue::Flag(true)),
            "false" => Ok(ParamValue::Flag(false)),
            _ => Err(bad(key, value, "true or false")),
        },
        ParamKind::Word { words, .. } => match words.iter().find(|word| **word == value) {
            Some(word) => Ok(ParamValue::Word(word)),
            None => Err(Error::UnknownName {
                key: key.to_string(),
                name: value.to_string(),
                family: param.key,
                hint: Suggestion::new(value, words.iter().copied()),
            }),
        },
        ParamKind::Choice { family, .. } => {
            let (name, inline) = split_inline(value)?;
            let mut choice = find(family, key, name)?;
            apply_below(&mut choice, key, &inline, seen)?;
            Ok(ParamValue::Choice(choice))
        }
        ParamKind::List { family, .. } => read_list(family, key, value, seen),
    }
}

fn read_list(
    family: &'static Family,
    key: &str,
    value: &str,
    seen: &mut BTreeSet<String>,
) -> Result<ParamValue, Error> {
    let mut list = Vec::new();
    let mut inlines = Vec::new();
    for element in value.split('+') {
        let (name, inline) = split_inline(element)?;
        list.push(find(family, key, name)?);
        inlines.push(inline);
    }
    let keys = element_keys(&list);
    for ((choice, element_key), inline) in list.iter_mut().zip(&keys).zip(&inlines) {
        apply_below(choice, &join(key, element_key), inline, seen)?;
    }
    Ok(ParamValue::List(list))
}

fn find(family: &'static Family, key: &str, name: &str) -> Result<Choice, Error> {
    match family.get(name) {
        Some(variant) => Ok(Choice::new(variant)),
        None => Err(Error::UnknownName {
            key: key.to_string(),
            name: name.to_string(),
            family: family.name,
            hint: Suggestion::new(name, family.names()),
        }),
    }
}

fn unknown_key(key: &str, part: &str, variant: &'static Variant, prefix: &str) -> Error {
    let hint = Suggestion::new(part, variant.params.iter().map(|param| param.key));
    let hint = Suggestion {
        nearest: hint.nearest.map(|word| join(prefix, &word)),
        known: hint.known.iter().map(|word| join(prefix, word)).collect(),
    };
    let owner =
        if prefix.is_empty() { variant.name.to_string() } else { format!("{prefix}={}", variant.name) };
    Error::UnknownKey { key: key.to_string(), owner, hint }
}

fn out_of_range(param: &Param, key: &str, value: &str) -> Error {
    Error::OutOfRange { key: key.to_string(), value: value.to_string(), range: param.kind.to_string() }
}

fn bad(key: &str, value: &str, expected: &str) -> Error {
    Error::BadValue { key: key.to_string(), value: value.to_string(), expected: expected.to_string() }
}

/// A dotted key from its two halves; the root has the empty key.
pub(crate) fn join(prefix: &str, part: &str) -> String {
    if prefix.is_empty() { part.to_string() } else { format!("{prefix}.{part}") }
}
