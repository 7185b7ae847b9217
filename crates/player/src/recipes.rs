//! The named recipes that come with the program, and players built from recipe text.

use goban::{AnyBoard, Color, Size};
use mcts::go_search::{self, Situation};
use mcts::{LoadedNet, ROOT, Settings};
use model::net::{InputForm, Net, NetAnswer, NetQuery};
use recipe::{Choice, Error, ParamValue, Recipe, Shelf};
use std::sync::Arc;

use crate::searcher::SearchPlayer;

/// All files of `recipes/`, by name.
pub const SHELF: Shelf<'static> = Shelf::new(recipe_files::ALL);

/// How the names of recipe files end.
const SUFFIX: &str = ".recipe";

/// Reads a recipe and makes sure that its pieces fit each other. The text is a name of the shelf or a file whose name ends
/// in `.recipe`, key=value pairs, or such pairs after either.
///
/// # Errors
/// What does not fit, with the nearest known name; a file that cannot be read; a text without a word.
pub fn parse(text: &str) -> Result<Recipe, Error> {
    let recipe = read(text)?;
    check(&recipe)?;
    Ok(recipe)
}

/// Reads a recipe, whatever its pieces say of each other.
fn read(text: &str) -> Result<Recipe, Error> {
    const EXPECTED: &str = "expected a name such as `default`, or key=value pairs such as `select=uct`";
    let Some((path, changes)) = split_file(text) else {
        if is_empty(text) {
            let expected = format!("the recipe is empty; {EXPECTED}");
            return Err(Error::Syntax { text: text.trim().to_string(), expected });
        }
        return Recipe::parse(&ROOT, &SHELF, text);
    };
    let unsuitable = |why: String| Error::unsuitable(path, why);
    let inside = std::fs::read_to_string(path)
        .map_err(|error| unsuitable(format!("the file cannot be read: {error}")))?;
    if is_empty(&inside) {
        return Err(unsuitable(format!("the file holds no recipe; {EXPECTED}")));
    }
    Recipe::parse(&ROOT, &SHELF, &inside)?.with(changes)
}

/// The path of a recipe file and the text that follows it, if the text begins with one. A path may have blanks in it.
fn split_file(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let ends = text.match_indices(SUFFIX).map(|(at, suffix)| text.split_at(at + suffix.len()));
    let mut ends = ends.filter(|(_, rest)| rest.is_empty() || rest.starts_with(char::is_whitespace));
    let is_path = |path: &str| {
        // Pairs and comments may speak of such a file as well.
        let is_one_word = !path.contains(char::is_whitespace);
        is_one_word || !path.contains(['=', '#', '\n'])
    };
    ends.next().filter(|(path, _)| is_path(path))
}

/// Whether a text has no word but in comments.
fn is_empty(text: &str) -> bool {
    text.lines().all(|line| line.split('#').next().is_none_or(|words| words.trim().is_empty()))
}

/// Refuses a recipe whose pieces do not fit each other, before a game is begun with it. The board is a small one, which
/// every piece takes; that a piece refuses larger ones shows when it comes to them.
///
/// # Errors
/// What the builder says.
pub fn check(recipe: &Recipe) -> Result<(), Error> {
    check_with(recipe, &Settings { net: Some(stand_in()), ..Settings::default() })
}

/// A network that reads boards and knows nothing, in place of one to come.
pub fn stand_in() -> LoadedNet {
    struct StandIn;
    impl Net for StandIn {
        fn form(&self) -> InputForm {
            InputForm::Board
        }

        /// Equal probabilities, and an even game.
        fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
            for (query, out) in batch.iter().zip(out) {
                let n_places = query.board.map_or(query.n_actions, |board| board.legal.len());
                out.policy.clear();
                out.policy.resize(n_places, 1.0 / n_places.max(1) as f32);
                (out.value, out.lead) = (0.5, 0.0);
                out.ownership.clear();
            }
        }
    }
    LoadedNet(Arc::new(StandIn))
}

/// The same for a recipe with the network of `settings`, or without one.
///
/// # Errors
/// What the builder says.
pub fn check_with(recipe: &Recipe, settings: &Settings) -> Result<(), Error> {
    const SIDE: usize = 9;
    let size = Size::square(SIDE).map_err(|error| Error::unsuitable("9x9", error.to_string()))?;
    let board = AnyBoard::new(size);
    let situation = Situation {
        board: &board,
        to_play: Color::Black,
        komi: 0.0,
        n_passes: 0,
        recent: [None; 5],
        before: None,
    };
    // A search that is never run needs next to no memory.
    let settings = Settings { memory: 1 << 16, net: settings.net.clone(), ..Settings::default() };
    go_search::build(recipe, &situation, &settings).map(|_| ())
}

/// Whether a recipe asks a network that its caller loads.
pub fn asks_net(recipe: &Recipe) -> bool {
    recipe.entries().iter().any(|entry| match entry.value {
        ParamValue::Choice(choice) => entry.key == "net" && choice.name() == "loaded",
        _ => false,
    })
}

/// A recipe that asks no network where one is needed; `usual` is the one to take instead.
pub fn asks_no_net(recipe: &str, usual: &str) -> String {
    format!("\"{recipe}\" asks no network; expected {usual}, or a recipe that says net=loaded")
}

/// Reads a playout policy as recipes write it behind `leaf.policy=`.
///
/// # Errors
/// Names what is unknown, with the nearest known word.
pub fn policy(text: &str) -> Result<Choice, Error> {
    let recipe = parse(&format!("leaf=rollout leaf.policy={text}"))?;
    let found = recipe.entries().into_iter().find_map(|entry| match (entry.key.as_str(), entry.value) {
        ("leaf.policy", ParamValue::Choice(choice)) => Some(choice.clone()),
        _ => None,
    });
    found.ok_or_else(|| Error::Syntax {
        text: text.to_string(),
        expected: "expected a playout policy from `tengen list policy`".to_string(),
    })
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
    fn keys_may_follow_a_file_as_they_follow_a_name() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../recipes/uct.recipe");
        let changed = parse(&format!(" {path}  select.c=0.3\nexpand.n=4 ")).unwrap();
        assert_eq!(changed, parse("uct select.c=0.3 expand.n=4").unwrap());
        let error = parse(&format!("{path} selct.c=0.3")).unwrap_err().to_string();
        assert!(error.contains("did you mean `select`?"), "{error}");
        let error = parse(&format!("{path} default")).unwrap_err().to_string();
        assert!(error.contains("cannot read `default`: expected key=value"), "{error}");
    }

    #[test]
    fn a_file_is_told_from_what_speaks_of_one() {
        assert_eq!(split_file("a.recipe"), Some(("a.recipe", "")));
        assert_eq!(split_file("my dir/a.recipe c=1"), Some(("my dir/a.recipe", " c=1")));
        assert_eq!(split_file("c=0.3/a.recipe c=1"), Some(("c=0.3/a.recipe", " c=1")));
        assert_eq!(split_file("a.recipes/b.recipe"), Some(("a.recipes/b.recipe", "")));
        for text in ["select.c=1 a.recipe", "# as in a.recipe\nuct", "uct", ""] {
            assert_eq!(split_file(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_empty_recipe_is_refused() {
        for text in ["", "  \n", "# nothing\n\t# at all"] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("the recipe is empty"), "{error}");
        }
    }

    #[test]
    fn pieces_that_do_not_fit_are_refused_at_once() {
        for (text, expected) in [
            ("select=puct", "`puct` cannot be used here: it needs a static probability P(a)"),
            ("models=mc+mc", "models=mc+mc names it twice"),
            ("models=mc+lwr:kernel=rave-root", "it reads the model `rave`"),
            ("uct mixer=bma", "add one, such as models=mc+rave"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        // For small boards only, and so for some.
        assert!(parse("models=mc+gauss").is_ok() && parse("goyui-rave-weighted").is_ok());
    }

    #[test]
    fn unknown_names_are_met_with_the_nearest() {
        let error = parse("defualt").unwrap_err().to_string();
        assert!(error.contains("default"), "{error}");
    }
}
