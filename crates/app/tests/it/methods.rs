//! `docs/methods.md` speaks of everything that is declared, and its tables are those of the declarations; `docs/own-method.md`
//! shows files as they are.

use std::fs;
use std::path::Path;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// What mends a stale table.
const MEND: &str = "cargo run -p app -- list --markdown docs/methods.md";

fn document() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/methods.md")).unwrap()
}

fn listed(words: &[&str]) -> Value {
    let output = cargo_bin_cmd!("tengen").arg("list").args(words).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn tables_are_those_of_the_declarations() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("methods.md");
    fs::write(&copy, document()).unwrap();
    let output = cargo_bin_cmd!("tengen").args(["list", "--markdown"]).arg(&copy).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "docs/methods.md: {error}\nthen run: {MEND}");
    let (before, after) = (document(), fs::read_to_string(&copy).unwrap());
    let stale = before.lines().zip(after.lines()).find(|(before, after)| before != after);
    assert!(before == after, "docs/methods.md is stale at {stale:?}; run: {MEND}");
}

#[test]
fn every_variant_has_a_section_with_its_source_and_use() {
    let document = document();
    let sections: Vec<&str> = document.split("\n### ").skip(1).collect();
    let listed = listed(&[]);
    let families = listed.as_object().unwrap().values().filter(|section| section["variants"].is_array());
    let mut n_variants = 0;
    for family in families {
        for variant in family["variants"].as_array().unwrap() {
            let name = |value: &Value| value["name"].as_str().unwrap().to_string();
            let (family, variant) = (name(family), name(variant));
            let heading = format!("{family} `{variant}`\n");
            let Some(section) = sections.iter().find(|section| section.starts_with(&heading)) else {
                panic!("docs/methods.md has no section `### {heading}`; write it, then run: {MEND}");
            };
            for part in ["\n- *Source.* ", "\n- *Use.* ", &format!("\n<!-- table: {family}/{variant} -->\n")]
            {
                assert!(section.contains(part), "section {heading} has no {part:?}");
            }
            n_variants += 1;
        }
    }
    assert_eq!(sections.len(), n_variants, "a section is of nothing that is declared");
}

#[test]
fn every_recipe_is_named() {
    let document = document();
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
