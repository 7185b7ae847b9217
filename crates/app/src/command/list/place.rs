//! Where in a recipe a family is chosen from: `mixer`, `leaf.policy`, `models.lwr.kernel`.

use mcts::ROOT;
use recipe::{Family, Param, ParamKind, Variant};

/// A parameter whose value is chosen from a family.
#[derive(Debug)]
pub(super) struct FamilyKey {
    /// The full key.
    pub(super) key: String,
    pub(super) param: &'static Param,
    pub(super) family: &'static Family,
}

impl FamilyKey {
    /// What the keys of a variant's parameters begin with when it is chosen here; in a list the variant's own name has to
    /// be told.
    pub(super) fn prefix(&self, variant: &Variant) -> String {
        match self.param.kind {
            ParamKind::List { .. } => format!("{}.{}.", self.key, variant.name),
            _ => format!("{}.", self.key),
        }
    }
}

/// Every family once, where it is met first.
pub(super) fn places() -> Vec<FamilyKey> {
    let mut places = Vec::new();
    walk(&ROOT, "", &mut places);
    places
}

fn walk(owner: &'static Variant, prefix: &str, places: &mut Vec<FamilyKey>) {
    for param in owner.params {
        let Some(family) = param.kind.family() else { continue };
        if places.iter().any(|known| std::ptr::eq(known.family, family)) {
            continue;
        }
        let idx = places.len();
        places.push(FamilyKey { key: format!("{prefix}{}", param.key), param, family });
        for variant in family.variants {
            let prefix = places[idx].prefix(variant);
            walk(variant, &prefix, places);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_recipes() {
        let keys: Vec<String> = places().into_iter().map(|place| place.key).collect();
        for key in ["mixer", "models", "models.lwr.kernel", "leaf.policy"] {
            assert!(keys.iter().any(|known| known == key), "{key} in {keys:?}");
        }
        for key in keys.iter().filter(|key| key.starts_with("leaf")) {
            assert!(
                player::recipes::parse(&format!("{key}=nothing"))
                    .unwrap_err()
                    .to_string()
                    .contains(key.as_str())
            );
        }
    }
}
