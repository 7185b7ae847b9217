//! Players of an experiment file, one line or a table each. A table may vary parameters: `mixer.prior = [10, 20]` is a player for
//! each value, two lists are a player for each pair of values.
//!
//! A key of the table is a parameter of the recipe, or one of those that stand behind the @ of a player (`playouts`, `time`, `clock`,
//! `memory`, `threads`, `net`, `early-pass`). Where the recipe's text has `{KEY}` the value is put there, so that levels and an outside
//! engine's command line can be varied as well.

use toml::Spanned;

use super::page::{Setting, SettingList, TomlFile, Word};
use crate::entrant::{self, Entrant};
use crate::{Error, Result};

/// A player of an experiment.
#[derive(Clone, Debug)]
pub struct Participant {
    /// What the file calls it; for one of a sweep with the values it stands for: `bma mixer.prior=10`.
    pub name: String,
    /// What the file calls all players of the sweep; the name of a player that is alone.
    pub family: String,
    /// The parameters that the sweep varies, and this player's values, as they were written.
    pub varied: Vec<(String, String)>,
    /// Who plays.
    pub entrant: Entrant,
}

impl Participant {
    /// The value of the one parameter that is varied, for curves.
    pub fn x(&self) -> Option<f64> {
        match &self.varied[..] {
            [(_, value)] => value.parse().ok(),
            _ => None,
        }
    }
}

/// More players than any experiment has; two long lists are a grid before one knows it.
const MAX_PLAYERS: usize = 10_000;

/// All players of a file, in its order.
pub(super) fn participants(page: &TomlFile, players: &SettingList) -> Result<Vec<Participant>> {
    let mut all: Vec<Participant> = Vec::new();
    for (family, setting) in players {
        for participant in expand(page, family, setting)? {
            if all.iter().any(|other| other.name == participant.name || other.family == participant.name) {
                let why = format!("there is a player \"{}\" already", participant.name);
                return Err(page.wrong(family.span(), why));
            }
            all.push(participant);
        }
        if all.len() > MAX_PLAYERS {
            let why = format!("{} players; expected at most {MAX_PLAYERS}", all.len());
            return Err(page.wrong(family.span(), why));
        }
    }
    Ok(all)
}

/// A key and the values that it takes one after the other.
struct SweepAxis {
    key: String,
    values: Vec<String>,
    is_list: bool,
    place: std::ops::Range<usize>,
}

/// One entry of the table of players: a player or a sweep.
fn expand(page: &TomlFile, family: &Spanned<String>, setting: &Spanned<Setting>) -> Result<Vec<Participant>> {
    let name = family.get_ref();
    let is_printable = |name: &str| !name.trim().is_empty() && !name.contains(char::is_control);
    if !is_printable(name) || name.trim() != name {
        return Err(page.wrong(family.span(), format!("{name:?} is not a name for a player; expected words")));
    }
    let (text, axes) = match setting.get_ref() {
        Setting::Word(word) if word.is_text => (word.text.clone(), Vec::new()),
        Setting::Table(table) => {
            let mut axes = Vec::new();
            flatten(page, "", table, &mut axes)?;
            let at = axes.iter().position(|axis| axis.key == "recipe" && !axis.is_list);
            let Some(at) = at else {
                let why =
                    format!("player \"{name}\" has no recipe; expected recipe = \"…\" beside its other keys");
                return Err(page.wrong(family.span(), why));
            };
            (axes.remove(at).values.swap_remove(0), axes)
        }
        _ => {
            let why =
                format!("player \"{name}\": expected a recipe in quotes, or a table with recipe = \"…\"");
            return Err(page.wrong(setting.span(), why));
        }
    };
    let n_players: usize = axes.iter().map(|axis| axis.values.len()).fold(1, usize::saturating_mul);
    if n_players > MAX_PLAYERS {
        let why = format!("player \"{name}\" stands for {n_players} players; expected at most {MAX_PLAYERS}");
        return Err(page.wrong(family.span(), why));
    }
    (0..n_players).map(|idx| participant(page, family, &text, &axes, idx)).collect()
}

/// Tables within tables as dotted keys.
fn flatten(page: &TomlFile, prefix: &str, table: &SettingList, axes: &mut Vec<SweepAxis>) -> Result<()> {
    for (key, setting) in table {
        let key_text = key.get_ref();
        let full = if prefix.is_empty() { key_text.clone() } else { format!("{prefix}.{key_text}") };
        let place = key.span();
        match setting.get_ref() {
            Setting::Table(inner) => flatten(page, &full, inner, axes)?,
            Setting::Word(word) => {
                let word = Spanned::new(setting.span(), word.clone());
                axes.push(SweepAxis { key: full, values: vec![page.written(&word)], is_list: false, place });
            }
            Setting::List(words) => {
                let values: Vec<String> =
                    words.iter().map(|word: &Spanned<Word>| page.written(word)).collect();
                if values.is_empty() {
                    return Err(page.wrong(place, format!("{full} = []: expected at least one value")));
                }
                if let Some((n, twice)) =
                    values.iter().enumerate().find(|(n, value)| values[..*n].contains(value))
                {
                    return Err(page.wrong(words[n].span(), format!("{full} has the value {twice} twice")));
                }
                axes.push(SweepAxis { key: full, values, is_list: true, place });
            }
        }
    }
    Ok(())
}

/// One player of a sweep; the last list changes fastest.
fn participant(
    page: &TomlFile,
    family: &Spanned<String>,
    text: &str,
    axes: &[SweepAxis],
    mut idx: usize,
) -> Result<Participant> {
    let mut chosen: Vec<(&SweepAxis, &str)> = Vec::new();
    for axis in axes.iter().rev() {
        chosen.insert(0, (axis, axis.values[idx % axis.values.len()].as_str()));
        idx /= axis.values.len();
    }
    let varied: Vec<(String, String)> = chosen
        .iter()
        .filter(|(axis, _)| axis.is_list)
        .map(|(axis, value)| (axis.key.clone(), (*value).to_string()))
        .collect();
    let mut name = family.get_ref().clone();
    for (key, value) in &varied {
        name += &format!(" {key}={value}");
    }
    let full = compose(page, text, &chosen)?;
    let entrant = full.parse().map_err(|error: Error| {
        let why = format!("player \"{name}\": {error}");
        // The line of the key that the error speaks of, if it is one of these.
        let meant = axes.iter().find(|axis| why.contains(&format!("`{}`", axis.key)));
        page.wrong(meant.map_or_else(|| family.span(), |axis| axis.place.clone()), why)
    })?;
    Ok(Participant { name, family: family.get_ref().clone(), varied, entrant })
}

/// The text of an entrant: recipe, parameters, budget.
fn compose(page: &TomlFile, text: &str, chosen: &[(&SweepAxis, &str)]) -> Result<String> {
    let is_outside = text.starts_with("gtp:");
    let (mut who, mut budget) = match text.rsplit_once('@') {
        Some((who, budget)) if !is_outside => (who.trim().to_string(), vec![budget.to_string()]),
        _ => (text.trim().to_string(), Vec::new()),
    };
    for (axis, value) in chosen {
        let (key, hole) = (&axis.key, format!("{{{}}}", axis.key));
        if who.contains(&hole) {
            who = who.replace(&hole, value);
        } else if entrant::KEYS.contains(&key.as_str()) {
            budget.push(format!("{key}={value}"));
        } else if is_outside {
            let why =
                format!("{key}: an outside engine has no parameters; expected {hole} in its command line");
            return Err(page.wrong(axis.place.clone(), why));
        } else {
            who += &format!(" {key}={value}");
        }
    }
    Ok(if budget.is_empty() { who } else { format!("{who}@{}", budget.join(",")) })
}
