//! Axes from the recipe's declarations, narrowed by the file.

use recipe::declare::ParamKind;
use recipe::error::Suggestion;
use recipe::{ParamValue, Recipe};
use toml::Spanned;

use super::super::axis::{AxisScale, TunedAxis};
use super::super::spsa::Gains;
use crate::Result;
use crate::experiment::TomlFile;
use crate::experiment::page::{Setting, SettingList, Word};

/// The keys of a parameter's table.
const KEYS: [&str; 5] = ["low", "high", "scale", "start", "step"];

/// A parameter's own table in the file: its full key, where that stands, and what is said.
struct Given<'a> {
    key: String,
    span: std::ops::Range<usize>,
    said: &'a SettingList,
}

/// All axes, in the order of the file.
pub(super) fn axes(page: &TomlFile, settings: &SettingList, recipe: &Recipe) -> Result<Vec<TunedAxis>> {
    let given = given(page, settings)?;
    if given.is_empty() {
        return Err(page.wrong_somewhere("no parameters; expected a table such as [parameters.select.c]"));
    }
    let mut axes: Vec<TunedAxis> = Vec::new();
    for parameter in &given {
        if axes.iter().any(|axis| axis.key == parameter.key) {
            return Err(page.wrong(parameter.span.clone(), format!("`{}` is given twice", parameter.key)));
        }
        axes.push(axis(page, parameter, recipe)?);
    }
    Ok(axes)
}

/// Puts the steps that the file gives into the gains, in unit coordinates.
pub(super) fn steps(
    page: &TomlFile,
    settings: &SettingList,
    axes: &[TunedAxis],
    gains: &mut Gains,
) -> Result<()> {
    for ((parameter, axis), step) in given(page, settings)?.iter().zip(axes).zip(&mut gains.step) {
        if let Some((length, span)) = number(page, parameter, "step")? {
            let most = axis.high - axis.low;
            if !(length > 0.0 && length <= most) {
                let why = format!("step = {length}: expected a number above 0, at most {most}");
                return Err(page.wrong(span, why));
            }
            *step = axis.unit_length(axis.start, length);
        }
    }
    Ok(())
}

/// The parameters of a table and of the tables in it. A table belongs to a parameter if it is empty or says anything but
/// further tables.
fn given<'a>(page: &TomlFile, settings: &'a SettingList) -> Result<Vec<Given<'a>>> {
    let mut all = Vec::new();
    collect(page, "", settings, &mut all)?;
    Ok(all)
}

fn collect<'a>(
    page: &TomlFile,
    prefix: &str,
    settings: &'a SettingList,
    all: &mut Vec<Given<'a>>,
) -> Result<()> {
    for (name, setting) in settings {
        let key =
            if prefix.is_empty() { name.get_ref().clone() } else { format!("{prefix}.{}", name.get_ref()) };
        match setting.get_ref() {
            Setting::Table(inner) if inner.iter().all(|(_, value)| is_table(value)) && !inner.is_empty() => {
                collect(page, &key, inner, all)?;
            }
            Setting::Table(said) => {
                if let Some((unknown, _)) =
                    said.iter().find(|(name, _)| !KEYS.contains(&name.get_ref().as_str()))
                {
                    let hint = Suggestion::new(unknown.get_ref(), KEYS);
                    let why = format!("unknown key `{}` of the parameter `{key}`{hint}", unknown.get_ref());
                    return Err(page.wrong(unknown.span(), why));
                }
                all.push(Given { key, span: name.span(), said });
            }
            _ => {
                let why = format!("`{key}`: expected a table such as {{ low = 1, high = 10 }}");
                return Err(page.wrong(name.span(), why));
            }
        }
    }
    Ok(())
}

fn is_table(setting: &Spanned<Setting>) -> bool {
    matches!(setting.get_ref(), Setting::Table(_))
}

fn axis(page: &TomlFile, given: &Given<'_>, recipe: &Recipe) -> Result<TunedAxis> {
    let key = &given.key;
    let wrong = |why: String| page.wrong(given.span.clone(), why);
    let entries = recipe.entries();
    let Some(entry) = entries.iter().find(|entry| entry.key == *key) else {
        let is_number = |value: &ParamValue| matches!(value, ParamValue::Float(_) | ParamValue::Int(_));
        let numbers = entries.iter().filter(|entry| is_number(entry.value)).map(|entry| entry.key.as_str());
        return Err(wrong(format!("the recipe has no parameter `{key}`{}", Suggestion::new(key, numbers))));
    };
    let (min, max, value, whole) = match (&entry.param.kind, entry.value) {
        (ParamKind::Float { min, max, .. }, ParamValue::Float(value)) => (*min, *max, *value, false),
        (ParamKind::Int { min, max, .. }, ParamValue::Int(value)) => {
            (*min as f64, *max as f64, *value as f64, true)
        }
        (kind, _) => {
            return Err(wrong(format!("`{key}` is one of {kind}; only numbers can be tuned")));
        }
    };
    let within = |name: &str, usual: f64| -> Result<f64> {
        match number(page, given, name)? {
            None => Ok(usual),
            Some((x, _)) if (min..=max).contains(&x) && (!whole || x == x.round()) => Ok(x),
            Some((x, span)) => {
                let what = format!("{name} = {x}: `{key}` takes {}", entry.param.kind);
                Err(page.wrong(span, what))
            }
        }
    };
    let (low, high) = (within("low", min)?, within("high", max)?);
    if low >= high {
        return Err(wrong(format!("`{key}` from {low} to {high}; expected low below high")));
    }
    let scale = scale(page, given)?;
    if scale == AxisScale::Log && low <= 0.0 {
        let why = format!("`{key}` from {low} with scale = \"log\"; expected low above 0");
        return Err(wrong(why));
    }
    let start = within("start", value.clamp(low, high))?;
    if !(low..=high).contains(&start) {
        return Err(wrong(format!("`{key}` starts at {start}; expected a value from {low} to {high}")));
    }
    Ok(TunedAxis { key: key.clone(), low, high, scale, whole, start })
}

fn scale(page: &TomlFile, given: &Given<'_>) -> Result<AxisScale> {
    match word(given, "scale") {
        None => Ok(AxisScale::Linear),
        Some((Some(word), _)) if word.text == "linear" => Ok(AxisScale::Linear),
        Some((Some(word), _)) if word.text == "log" => Ok(AxisScale::Log),
        Some((_, span)) => Err(page.wrong(span, "scale: expected \"linear\" or \"log\"")),
    }
}

/// The value under a name in the file; without a word if it is a list or a table.
fn word<'a>(given: &Given<'a>, name: &str) -> Option<(Option<&'a Word>, std::ops::Range<usize>)> {
    let (_, setting) = given.said.iter().find(|(key, _)| key.get_ref() == name)?;
    let word = match setting.get_ref() {
        Setting::Word(word) => Some(word),
        _ => None,
    };
    Some((word, setting.span()))
}

fn number(page: &TomlFile, given: &Given<'_>, name: &str) -> Result<Option<(f64, std::ops::Range<usize>)>> {
    let Some((word, span)) = word(given, name) else { return Ok(None) };
    match word.and_then(|word| word.text.parse::<f64>().ok()).filter(|x| x.is_finite()) {
        Some(x) => Ok(Some((x, span))),
        None => Err(page.wrong(span, format!("{name} of `{}`: expected a number", given.key))),
    }
}
