//! `docs/methods` speaks of everything that is declared, and its tables are those of the declarations; `docs/own-method.md`
//! shows files as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// What mends a stale table.
const MEND: &str = "cargo run -p tengen -- list --markdown docs/methods";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/methods")
}

/// The pages of the folder by name, in order.
fn pages() -> BTreeMap<String, String> {
    let paths = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let page = |path: PathBuf| {
        (path.file_name().unwrap().to_str().unwrap().to_string(), fs::read_to_string(path).unwrap())
    };
    paths.map(page).collect()
}

fn listed(words: &[&str]) -> Value {
    let output = cargo_bin_cmd!("tengen").arg("list").args(words).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn tables_are_those_of_the_declarations() {
    let copy = tempfile::tempdir().unwrap();
    let pages = pages();
    for (name, text) in &pages {
        fs::write(copy.path().join(name), text).unwrap();
    }
    let output = cargo_bin_cmd!("tengen").args(["list", "--markdown"]).arg(copy.path()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "docs/methods: {error}\nthen run: {MEND}");
    for (name, before) in &pages {
        let after = fs::read_to_string(copy.path().join(name)).unwrap();
        let stale = before.lines().zip(after.lines()).find(|(before, after)| before != after);
        assert!(*before == after, "docs/methods/{name} is stale at {stale:?}; run: {MEND}");
    }
}

#[test]
fn every_variant_has_a_section_with_its_source_and_use() {
    let pages = pages();
    let listed = listed(&[]);
    let families = listed.as_object().unwrap().values().filter(|section| section["variants"].is_array());
    let mut n_pages = 0;
    for family in families {
        let page = format!("{}.md", family["name"].as_str().unwrap());
        let text = pages.get(&page).unwrap_or_else(|| panic!("docs/methods has no page {page}"));
        let sections: Vec<&str> = text.split("\n## ").skip(1).collect();
        for variant in family["variants"].as_array().unwrap() {
            let name = |value: &Value| value["name"].as_str().unwrap().to_string();
            let (family, variant) = (name(family), name(variant));
            let heading = format!("{family} `{variant}`\n");
            let Some(section) = sections.iter().find(|section| section.starts_with(&heading)) else {
                panic!("docs/methods/{page} has no section `## {heading}`; write it, then run: {MEND}");
            };
            for part in ["\n- *Source.* ", "\n- *Use.* ", &format!("\n<!-- table: {family}/{variant} -->\n")]
            {
                assert!(section.contains(part), "section {heading} has no {part:?}");
            }
        }
        let n_variants = family["variants"].as_array().unwrap().len();
        assert_eq!(sections.len(), n_variants, "a section of {page} is of nothing that is declared");
        n_pages += 1;
    }
    assert_eq!(pages.len(), n_pages + 1, "beside README.md each page is of a family");
}

#[test]
fn every_recipe_is_named() {
    let document = &pages()["README.md"];
    for recipe in listed(&["recipes"]).as_array().unwrap() {
        let name = recipe["name"].as_str().unwrap();
        assert!(document.contains(&format!("| `{name}` | ")), "{name}; run: {MEND}");
    }
}

/// A block of code behind `<!-- from: PATH -->` stands in that file.
#[test]
fn own_method_shows_files_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/own-method.md")).unwrap();
    let mut n_blocks = 0;
    for part in page.split("<!-- from: ").skip(1) {
        let (path, rest) = part.split_once(" -->\n```rust\n").unwrap();
        let code = rest.split("```\n").next().unwrap();
        let file = fs::read_to_string(root.join(path)).unwrap();
        assert!(file.contains(code.trim_end()), "docs/own-method.md does not show {path} as it is");
        n_blocks += 1;
    }
    assert!(n_blocks >= 8, "only {n_blocks} blocks of code");
}
