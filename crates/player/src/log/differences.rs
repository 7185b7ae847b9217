//! The differences between the settings of a stored run and those of a run that wants to continue it, in few words.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// How many different parameters of a player are named.
const MOST: usize = 4;

/// How many characters of a long value are shown.
const N_SHOWN: usize = 60;

/// Each setting that differs, with both values; of a recipe only the parameters that do. A setting inside another has
/// both names, as in `terms.komi`. Those that `free` names may differ.
pub fn between(theirs: &Map<String, Value>, ours: &Map<String, Value>, free: &[&str]) -> Vec<String> {
    let [theirs, ours] = [theirs, ours].map(|map| {
        let mut flat = Map::new();
        flatten("", map, &mut flat);
        flat.retain(|key, value| !value.is_null() && !free.contains(&key.as_str()));
        flat
    });
    let keys = ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(*key)));
    keys.filter(|key| ours.get(*key) != theirs.get(*key) && !is_same(ours.get(*key), theirs.get(*key)))
        .map(|key| match (theirs.get(key), ours.get(key)) {
            (Some(Value::String(there)), Some(Value::String(here))) => {
                of_players(key, there, here).unwrap_or_else(|| say(key, theirs.get(key), ours.get(key)))
            }
            (there, here) => say(key, there, here),
        })
        .collect()
}

/// Whether two settings are the same number of 32 bits: earlier programs wrote a komi of 7.3 as 7.300000190734863.
fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64).map(|x| x as f32);
    number(one).is_some_and(|x| number(other) == Some(x)) && !one.is_some_and(Value::is_u64)
}

/// All values that are no maps, by the names of all maps around them; maps in a list have its name and a number from 1.
fn flatten(prefix: &str, map: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (key, value) in map {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        flatten_value(key, value, out);
    }
}

fn flatten_value(key: String, value: &Value, out: &mut Map<String, Value>) {
    match value {
        Value::Object(inner) => flatten(&key, inner, out),
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (number, value) in (1..).zip(list) {
                flatten_value(format!("{key}.{number}"), value, out);
            }
        }
        value => {
            out.insert(key, value.clone());
        }
    }
}

fn say(key: &str, there: Option<&Value>, here: Option<&Value>) -> String {
    let show = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "not set".to_string(),
        Some(value) => excerpt(&value.to_string()),
    };
    format!("{key} is {} there, {} here", show(there), show(here))
}

/// `b: select.c is 0.5 there, 0.7 here`, for two players of whom all parameters are given; else none.
fn of_players(key: &str, there: &str, here: &str) -> Option<String> {
    let (there, here) = (parameters(there)?, parameters(here)?);
    let names = here.keys().chain(there.keys().filter(|name| !here.contains_key(*name)));
    let show = |value: Option<&String>| value.map_or("not set".to_string(), |value| excerpt(value));
    let all: Vec<String> = names
        .filter(|name| here.get(*name) != there.get(*name))
        .map(|name| format!("{name} is {} there, {} here", show(there.get(name)), show(here.get(name))))
        .collect();
    let more = match all.len().saturating_sub(MOST) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!("{key}: {}{more}", all[..all.len().min(MOST)].join(", ")))
}

/// The parameters and the budget of a recipe with all its values; none of another player.
fn parameters(text: &str) -> Option<BTreeMap<String, String>> {
    let (recipe, budget) = text.rsplit_once('@').unwrap_or((text, ""));
    let budget = budget.split(',').filter(|pair| !pair.is_empty());
    let pair = |pair: &str| pair.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    let is_recipe = !text.starts_with("gtp:") && recipe.contains('=');
    is_recipe.then(|| recipe.split_whitespace().chain(budget).map(pair).collect())?
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(N_SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(there: &Value, here: &Value) -> Vec<String> {
        between(there.as_object().unwrap(), here.as_object().unwrap(), &["program"])
    }

    #[test]
    fn of_recipes_only_the_parameters_that_differ_are_named() {
        let there =
            json!({"a": "models=mc select=uct select.c=0.5@playouts=300", "komi": 7.5, "b": "random"});
        let here = json!({"a": "models=mc select=uct select.c=0.7@playouts=300,time=2", "komi": 7.5, "b": "gtp:x y=1"});
        assert_eq!(
            told(&there, &here),
            [
                "a: select.c is 0.5 there, 0.7 here, time is not set there, 2 here",
                "b is \"random\" there, \"gtp:x y=1\" here"
            ]
        );
        let many = json!({"a": "a=1 b=1 c=1 d=1 e=1 f=1"});
        let other = json!({"a": "a=2 b=2 c=2 d=2 e=2 f=2"});
        let text = told(&many, &other).concat();
        assert!(text.starts_with("a: a is 1 there, 2 here, b is") && text.ends_with("and 2 more"), "{text}");
    }

    #[test]
    fn settings_inside_others_have_both_names() {
        let there = json!({"program": "0.1", "terms": {"komi": 7.5, "size": 9}});
        let here = json!({"program": "0.2", "terms": {"komi": 6.5, "size": 9}});
        assert_eq!(told(&there, &here), ["terms.komi is 7.5 there, 6.5 here"]);
        let list = |komi: f64| json!({"terms": [{"komi": 7.5}, {"komi": komi}], "sizes": [9, 13]});
        assert_eq!(told(&list(0.5), &list(6.5)), ["terms.2.komi is 0.5 there, 6.5 here"]);
    }

    #[test]
    fn long_values_are_cut() {
        let text = told(&json!({"b": "x".repeat(500)}), &json!({"komi": 1})).join("; ");
        assert!(
            text.len() < 200 && text.contains('…') && text.contains("komi is not set there, 1 here"),
            "{text}"
        );
    }

    #[test]
    fn numbers_of_earlier_programs_are_the_same() {
        let settings = |komi: f64, playouts: u64| json!({"komi": komi, "playouts": playouts, "time": null});
        assert!(told(&settings(f64::from(7.3_f32), 10), &settings(7.3, 10)).is_empty());
        assert!(told(&settings(7.5, 10), &json!({"komi": 7.5, "playouts": 10})).is_empty());
        assert_eq!(told(&settings(6.5, 10), &settings(7.3, 10)), ["komi is 6.5 there, 7.3 here"]);
        // Whole numbers are compared as they are.
        assert_eq!(told(&settings(6.5, 16_777_217), &settings(6.5, 16_777_216)).len(), 1);
    }
}
