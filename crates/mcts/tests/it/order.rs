//! The modules of `mcts` stand in an order, told at the top of `lib.rs`, in which each uses only those before it: there are no
//! cycles between them. This reads the sources and looks. Tests are left out: they may build whole searches.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The top-level modules in the order that the text of `lib.rs` tells, in backticks after "In reading order".
fn told_order(lib: &str) -> Vec<String> {
    let docs = lib.lines().map_while(|line| line.strip_prefix("//!"));
    let told = docs.skip_while(|line| !line.contains("In reading order")).take_while(|line| !line.is_empty());
    let told: Vec<&str> = told.collect();
    told.join(" ").split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The top-level modules that are declared, and by which of them the crate's own names are given.
fn declared(lib: &str) -> (Vec<String>, HashMap<String, String>) {
    let mut modules = Vec::new();
    let mut owners = HashMap::new();
    for line in lib.lines() {
        let line = line.trim_end_matches(';');
        if let Some(name) = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod ")) {
            modules.push(name.to_string());
        } else if let Some((module, names)) =
            line.strip_prefix("pub use ").and_then(|path| path.split_once("::"))
        {
            for name in names.trim_matches(['{', '}']).split(", ") {
                owners.insert(name.to_string(), module.to_string());
            }
        }
    }
    (modules, owners)
}

/// All source files below `folder` but those of tests, each with the names of the modules it lies in.
fn files(folder: &Path, within: &[String], out: &mut Vec<(PathBuf, Vec<String>)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let all: String =
        entries.iter().filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect();
    for path in entries {
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let is_test = [format!("mod {name};"), format!("pub(crate) mod {name};")]
            .iter()
            .any(|declaration| all.contains(&format!("#[cfg(test)]\n{declaration}")));
        let mut modules = within.to_vec();
        if !["mod", "lib"].contains(&name.as_str()) {
            modules.push(name);
        }
        match path.is_dir() {
            _ if is_test => {}
            true => files(&path, &modules, out),
            false => out.push((path, modules)),
        }
    }
}

/// The lines of a source as the compiler sees them without tests: comments and items behind `#[cfg(test)]` become empty.
/// Relies on rustfmt: an item ends with the first line that begins as far to the left and ends with `}` or `;`.
fn without_tests(text: &str) -> Vec<String> {
    let mut test_indent = None;
    let keep = |line: &str| {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if let Some(from) = test_indent {
            if indent == from && !code.starts_with('#') && code.ends_with(['}', ';']) {
                test_indent = None;
            }
            return String::new();
        }
        if code == "#[cfg(test)]" {
            test_indent = Some(indent);
            return String::new();
        }
        line.split("//").next().unwrap_or_default().to_string()
    };
    text.lines().map(keep).collect()
}

/// The first names of the paths that follow `at` in the text: one, or several in braces.
fn heads(text: &str) -> Vec<String> {
    let name = |path: &str| -> String {
        path.trim().chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    let Some(group) = text.strip_prefix('{') else { return vec![name(text)] };
    let mut depth = 0;
    let mut heads = vec![String::new()];
    for letter in group.chars() {
        match letter {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.push(String::new()),
            _ if depth == 0 => heads.last_mut().unwrap().push(letter),
            _ => {}
        }
    }
    heads.iter().map(|path| name(path)).filter(|name| !name.is_empty()).collect()
}

/// What a source takes from the crate's root, by `crate::` or by as many `super::` as lead there, with the line's number.
fn uses(text: &str, n_modules: usize) -> Vec<(usize, String)> {
    let lines = without_tests(text);
    let code = lines.join("\n");
    let up = "super::".repeat(n_modules);
    let mut found = Vec::new();
    for root in ["crate::", &up] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            let is_part =
                before.is_some_and(|letter| letter.is_alphanumeric() || ['_', ':', '$'].contains(&letter));
            if !is_part {
                let line = code[..at].matches('\n').count() + 1;
                found.extend(heads(&code[at + root.len()..]).into_iter().map(|head| (line, head)));
            }
        }
    }
    found
}

#[test]
fn a_module_uses_only_those_before_it() {
    let lib = fs::read_to_string(sources().join("lib.rs")).unwrap();
    let order = told_order(&lib);
    let (modules, owners) = declared(&lib);
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(sorted, modules, "the order at the top of lib.rs names each module once");
    let place = |name: &str| order.iter().position(|known| known == name);
    let mut all = Vec::new();
    files(&sources(), &[], &mut all);
    let (mut n_uses, mut wrong) = (0, Vec::new());
    for (path, within) in all.iter().filter(|(_, within)| !within.is_empty()) {
        let own = place(&within[0]).unwrap();
        for (line, head) in uses(&fs::read_to_string(path).unwrap(), within.len()) {
            let module = owners.get(&head).unwrap_or(&head).as_str();
            let path = path.strip_prefix(sources()).unwrap().to_str().unwrap();
            match place(module) {
                Some(used) if used <= own => n_uses += 1,
                Some(_) => {
                    wrong.push(format!("{path}:{line}: {} uses {module}, which stands after it", within[0]));
                }
                None => wrong.push(format!("{path}:{line}: {head} is no module")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_uses > 200, "only {n_uses} uses were found: the sources are not read as they are written");
}

#[test]
fn the_reader_of_sources_sees_what_it_must() {
    let text = "use crate::game::{Action, Game};\n\
        use crate::{cx::Cx, tree::{Node, layout::Layout}};\n\
        // crate::search is only spoken of\n\
        #[cfg(test)]\n\
        impl Node {\n    fn of(_: crate::go::GoGame) {}\n}\n\
        fn deep() {\n    crate::math::exp(super::super::pick::FAMILY);\n    super::near();\n}\n\
        #[cfg(test)]\n\
        mod tests {\n    use crate::Search;\n}\n";
    let found = uses(text, 2);
    let expected = [(1, "game"), (2, "cx"), (2, "tree"), (9, "math"), (9, "pick")];
    assert_eq!(found, expected.map(|(line, head)| (line, head.to_string())));
    let lib = "//! Some crate.\n//!\n//! In reading order: [`a`] one ·\n//! `b` another.\n//!\n//! `c`.\nmod b;\npub mod a;\npub use a::{X, Y};\n";
    assert_eq!(told_order(lib), ["a", "b"]);
    let (modules, owners) = declared(lib);
    assert_eq!((modules.as_slice(), owners["Y"].as_str()), (&["b".to_string(), "a".to_string()][..], "a"));
}
