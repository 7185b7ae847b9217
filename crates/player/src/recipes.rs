//! The named recipes that come with the program, and players built from recipe text.

use mcts::{ROOT, Settings};
use recipe::{Error, Recipe, Shelf};

use crate::searcher::SearchPlayer;

/// All files of `recipes/`, by name.
pub const SHELF: Shelf<'static> = Shelf::new(&[
    ("default", include_str!("../../../recipes/default.recipe")),
    ("uct", include_str!("../../../recipes/uct.recipe")),
    ("uct-tuned", include_str!("../../../recipes/uct-tuned.recipe")),
    ("goyui-uct", include_str!("../../../recipes/goyui-uct.recipe")),
    ("goyui-rave", include_str!("../../../recipes/goyui-rave.recipe")),
    ("goyui-hand", include_str!("../../../recipes/goyui-hand.recipe")),
    ("goyui-mse", include_str!("../../../recipes/goyui-mse.recipe")),
    ("goyui-bma", include_str!("../../../recipes/goyui-bma.recipe")),
    ("goyui-bma-gauss", include_str!("../../../recipes/goyui-bma-gauss.recipe")),
    ("goyui-lwr-manhattan", include_str!("../../../recipes/goyui-lwr-manhattan.recipe")),
    ("goyui-lwr-winrate", include_str!("../../../recipes/goyui-lwr-winrate.recipe")),
    ("goyui-lwr-rave", include_str!("../../../recipes/goyui-lwr-rave.recipe")),
    ("goyui-limited", include_str!("../../../recipes/goyui-limited.recipe")),
    ("goyui-rave-weighted", include_str!("../../../recipes/goyui-rave-weighted.recipe")),
    ("bouzy-basic", include_str!("../../../recipes/bouzy-basic.recipe")),
    ("bouzy-pruning", include_str!("../../../recipes/bouzy-pruning.recipe")),
    ("bouzy-amaf", include_str!("../../../recipes/bouzy-amaf.recipe")),
    ("bouzy-temperature", include_str!("../../../recipes/bouzy-temperature.recipe")),
    ("depth2", include_str!("../../../recipes/depth2.recipe")),
    ("uct-rave", include_str!("../../../recipes/uct-rave.recipe")),
    ("nomitan", include_str!("../../../recipes/nomitan.recipe")),
]);

/// Reads a recipe: a name of the shelf, key=value pairs, both, or a file whose name ends in `.recipe`.
///
/// # Errors
/// What does not fit, with the nearest known name; a file that cannot be read.
pub fn parse(text: &str) -> Result<Recipe, Error> {
    let path = text.trim();
    if !path.ends_with(".recipe") {
        return Recipe::parse(&ROOT, &SHELF, text);
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::unsuitable(path, format!("the file cannot be read: {error}")))?;
    Recipe::parse(&ROOT, &SHELF, &text)
}

/// A player of the recipe that `text` describes, called by that text.
///
/// # Errors
/// What does not fit, with the nearest known name.
pub fn player(text: &str, settings: &Settings) -> Result<SearchPlayer, Error> {
    Ok(SearchPlayer::new(text, parse(text)?, settings.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_of_the_shelf_is_sound() {
        for (name, _) in SHELF.recipes {
            let recipe = parse(name).unwrap();
            assert_eq!(parse(&recipe.to_string()).unwrap(), recipe, "{name}");
        }
    }

    #[test]
    fn files_are_recipes_too() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../recipes/uct.recipe");
        assert_eq!(parse(path).unwrap(), parse("uct").unwrap());
        let error = parse("nowhere.recipe").unwrap_err().to_string();
        assert!(error.contains("nowhere.recipe") && error.contains("cannot be read"), "{error}");
    }

    #[test]
    fn unknown_names_are_met_with_the_nearest() {
        let error = parse("defualt").unwrap_err().to_string();
        assert!(error.contains("default"), "{error}");
    }
}
