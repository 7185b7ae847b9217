//! Finds what a name or a key of recipes means.

use anyhow::{Error, Result, anyhow};
use goban::Rules;
use mcts::ROOT;
use player::recipes::{self, SHELF};
use recipe::{Family, Listing, Param, Variant};

use super::{
    Section, family_section, param_section, recipe_json, rule_set_section, sections, variant_section,
};

/// All that goes by a name, in any case: a section, or the family behind a key such as `select`; else variants,
/// recipes, rule sets and parameters.
pub(super) fn find(given: &str) -> Result<Vec<Section>> {
    let name = given.to_lowercase();
    if name.contains('.') {
        return find_key(given, &name);
    }
    let name = name.as_str();
    let mut sections = sections()?;
    let listing = Listing::new(&ROOT);
    let variants: Vec<&Variant> =
        listing.families.iter().flat_map(|family| family.variants.iter().copied()).collect();
    let params = || ROOT.params.iter().chain(variants.iter().flat_map(|variant| variant.params));
    let behind_key = params().find(|param| param.key == name).and_then(|param| param.kind.family());
    let section_name = behind_key.map_or(name, |family| family.name);
    if let Some(idx) = sections.iter().position(|section| section.name == section_name) {
        return Ok(vec![sections.swap_remove(idx)]);
    }
    let mut found = Vec::new();
    for family in &listing.families {
        found.extend(family.get(name).map(|variant| variant_section(family, variant)));
    }
    if SHELF.get(name).is_ok() {
        let recipe = recipes::parse(name)?;
        found.push(Section {
            name: "recipe",
            text: format!("recipe {name}\n  {recipe}\n"),
            json: recipe_json(&recipe),
        });
    }
    found.extend(Rules::NAMED.iter().find(|(known, _)| *known == name).map(rule_set_section));
    for owner in std::iter::once(&ROOT).chain(variants.iter().copied()) {
        found.extend(owner.params.iter().filter(|param| param.key == name).map(|p| param_section(owner, p)));
    }
    if found.is_empty() {
        let known = sections.iter().map(|section| section.name);
        let known = known.chain(variants.iter().map(|variant| variant.name));
        let known = known.chain(SHELF.recipes.iter().map(|(name, _)| *name));
        let known = known.chain(Rules::NAMED.iter().map(|(name, _)| *name));
        let hint = match nearest(name, known.chain(params().map(|param| param.key))) {
            Some(near) => did_you_mean(near),
            None => "`tengen list` alone shows all names".to_string(),
        };
        return Err(not_found(given, &hint));
    }
    Ok(found)
}

/// The sections of a dotted key of recipes: `leaf.policy` is a family, `models.lwr` a variant, `select.c` a parameter, which
/// several selectors may have. A name of a variant is taken as well where its parameters would do: `select.uct.c`.
fn find_key(given: &str, key: &str) -> Result<Vec<Section>> {
    let parts: Vec<&str> = key.split('.').collect();
    let families = Listing::new(&ROOT).families;
    // The name of a family will do for the key that chooses from it, unless it is a key itself.
    let is_first = |family: &&&Family| family.name == parts[0] && ROOT.param(parts[0]).is_none();
    let found = match families.iter().find(is_first) {
        Some(family) => follow(&KeyProgress::at(family), &parts[1..]),
        None => follow(&KeyProgress { owners: vec![&ROOT], family: None }, &parts),
    };
    found.map_err(|lost| {
        let (before, left) = parts.split_at(parts.len() - lost.n_left);
        let before = before.join(".");
        let hint = match nearest(left.first().copied().unwrap_or_default(), lost.known.iter().copied()) {
            Some(near) if before.is_empty() => did_you_mean(near),
            Some(near) => did_you_mean(&format!("{before}.{near}")),
            None if lost.known.is_empty() => format!("`{before}` has no parameters"),
            None => format!("expected one of {}", lost.known.join(", ")),
        };
        not_found(given, &hint)
    })
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

fn not_found(given: &str, hint: &str) -> Error {
    anyhow!("nothing is called `{given}`; {hint}")
}

/// How far a key has been followed.
struct KeyProgress {
    /// Whose parameters the next part may name.
    owners: Vec<&'static Variant>,
    /// The family they are all variants of, if the next part may name one of them.
    family: Option<&'static Family>,
}

impl KeyProgress {
    /// Where one of a family is chosen.
    fn at(family: &'static Family) -> Self {
        Self { owners: family.variants.to_vec(), family: Some(family) }
    }
}

/// A key that leads nowhere.
struct Lost {
    /// Parts that were not understood.
    n_left: usize,
    /// What the first of them could have been.
    known: Vec<&'static str>,
}

fn follow(stand: &KeyProgress, parts: &[&str]) -> Result<Vec<Section>, Lost> {
    let Some((&part, rest)) = parts.split_first() else {
        return Ok(stand.family.map(family_section).into_iter().collect());
    };
    let params: Vec<(&Variant, &'static Param)> = stand
        .owners
        .iter()
        .flat_map(|owner| owner.params.iter().filter(|param| param.key == part).map(move |p| (*owner, p)))
        .collect();
    if let Some(family) = params.iter().find_map(|(_, param)| param.kind.family()) {
        return follow(&KeyProgress::at(family), rest);
    }
    match (params.is_empty(), rest.is_empty()) {
        (false, true) => return Ok(params.into_iter().map(|(owner, p)| param_section(owner, p)).collect()),
        (false, false) => return Err(Lost { n_left: rest.len(), known: Vec::new() }),
        (true, _) => {}
    }
    // A second one of the same name has the key `lwr~2`.
    let name = part.split('~').next().unwrap_or(part);
    match stand.family.and_then(|family| Some((family, family.get(name)?))) {
        Some((family, variant)) if rest.is_empty() => Ok(vec![variant_section(family, variant)]),
        Some((_, variant)) => follow(&KeyProgress { owners: vec![variant], family: None }, rest),
        None => {
            let keys = stand.owners.iter().flat_map(|owner| owner.params.iter().map(|param| param.key));
            let mut known: Vec<&str> = keys.chain(stand.family.into_iter().flat_map(Family::names)).collect();
            known.sort_unstable();
            known.dedup();
            Err(Lost { n_left: parts.len(), known })
        }
    }
}

/// The known name that may have been meant: it begins like this, or few of its letters differ.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Comparing is quadratic in the length, and no name is as long as that.
    if name.len() > 64 {
        return None;
    }
    let likeness = |known: &str| {
        let begins = name.len() >= 2 && known.starts_with(name);
        if begins { 1.0 } else { strsim::normalized_damerau_levenshtein(name, known) }
    };
    let like = known.map(|known| (likeness(known), known)).filter(|(likeness, _)| *likeness >= 0.6);
    like.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, known)| known)
}
