//! The page's languages: every one says everything, with the same values in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const LANGUAGES: [&str; 4] = ["en", "zh", "ja", "ko"];

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The texts of a language by key. A file holds one of them a line, so that it is read without a JavaScript engine.
fn texts(language: &str) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let text = file(&format!("lang/{language}.js"));
    let body = text.split_once("export default {\n").unwrap().1.strip_suffix("};\n").unwrap();
    for line in body.lines().filter(|line| !line.is_empty() && !line.starts_with("  // ")) {
        let entry = line.strip_prefix("  '").and_then(|line| line.strip_suffix("',"));
        let (key, value) = entry
            .and_then(|entry| entry.split_once("': '"))
            .unwrap_or_else(|| panic!("{language}: expected \"  'KEY': 'TEXT',\", got {line:?}"));
        assert!(!value.contains('\''), "{language}: {key}: a plain ' in the text");
        assert!(!value.trim().is_empty(), "{language}: {key} says nothing");
        assert!(texts.insert(key.to_string(), value.to_string()).is_none(), "{language}: {key} twice");
    }
    texts
}

/// The names in braces.
fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).map(|rest| rest.split_once('}').expect("a brace that closes").0).collect()
}

#[test]
fn every_language_says_everything() {
    let english = texts("en");
    assert!(english.len() > 100);
    for language in LANGUAGES {
        let others = texts(language);
        let missing: Vec<_> = english.keys().filter(|key| !others.contains_key(*key)).collect();
        let unknown: Vec<_> = others.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(
            missing.is_empty() && unknown.is_empty(),
            "{language}: without {missing:?}, beyond {unknown:?}"
        );
        for (key, text) in &others {
            let forms: Vec<&str> = text.split('|').collect();
            assert!(forms.len() <= 2, "{language}: {key} has {} forms", forms.len());
            for form in &forms {
                assert_eq!(places(form), places(&english[key]), "{language}: {key}: places in braces");
            }
            assert!(forms.len() == 1 || places(text).contains("n"), "{language}: {key}: forms without {{n}}");
        }
    }
}

#[test]
fn the_others_are_translated() {
    let english = texts("en");
    // Names, and what is written in the same way everywhere.
    let same = |language: &str| {
        let texts = texts(language);
        english.iter().filter(|(key, text)| texts[*key] == **text).count()
    };
    for language in &LANGUAGES[1..] {
        let n_same = same(language);
        assert!(20 * n_same < english.len(), "{language}: {n_same} of {} texts are English", english.len());
    }
}

#[test]
fn levels_have_the_names_of_the_table() {
    let english = texts("en");
    for (number, level) in (1..).zip(&player::levels::LEVELS) {
        assert_eq!(english[&format!("level.{number}")], level.name);
    }
    assert!(!english.contains_key(&format!("level.{}", player::levels::LEVELS.len() + 1)));
}

/// What stands in the page from the start is translated by attributes, which no compiler reads.
#[test]
fn the_page_names_keys_that_there_are() {
    let (english, page) = (texts("en"), file("index.html"));
    for attribute in ["data-t=\"", "data-t-title=\""] {
        let keys: Vec<_> = page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(!keys.is_empty());
        for key in keys {
            assert!(english.contains_key(key), "index.html: {attribute}{key}\" is no key");
        }
    }
}

/// Nothing is translated that nobody says.
#[test]
fn every_text_is_said_somewhere() {
    let english = texts("en");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/js");
    let scripts = std::fs::read_dir(folder).unwrap().map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        file(&format!("js/{name}"))
    });
    let all: String = scripts.chain([file("index.html")]).collect();
    // These are made of what the server tells, or of a choice.
    let made = ["rules.", "level.", "fault.", "theme.", "tab."];
    let is_used = |key: &str| {
        made.iter().any(|start| key.starts_with(start))
            || all.contains(&format!("'{key}'"))
            || all.contains(&format!("\"{key}\""))
    };
    let idle: Vec<_> = english.keys().filter(|key| !is_used(key)).collect();
    assert!(idle.is_empty(), "nobody says {idle:?}");
}
