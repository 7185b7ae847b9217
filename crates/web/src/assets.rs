//! The page's files, built into the program. For those who change the page a folder can stand in for them.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// Every file of `assets/` by its name and content.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        static FILES: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("../assets/", $name)))),+];
    };
}

files! {
    "css/analyse.css",
    "css/base.css",
    "css/board.css",
    "css/play.css",
    "css/views.css",
    "icon.svg",
    "index.html",
    "js/analyse.js",
    "js/board.js",
    "js/clock.js",
    "js/curves.js",
    "js/dialogs.js",
    "js/dom.js",
    "js/end.js",
    "js/exercise.js",
    "js/gamecard.js",
    "js/games.js",
    "js/gametree.js",
    "js/graph.js",
    "js/inside.js",
    "js/lab.js",
    "js/lang.js",
    "js/levels.js",
    "js/link.js",
    "js/main.js",
    "js/marking.js",
    "js/memory.js",
    "js/mini.js",
    "js/nets.js",
    "js/newgame.js",
    "js/pane.js",
    "js/play.js",
    "js/problems.js",
    "js/rules.js",
    "js/runs.js",
    "js/score.js",
    "js/searchtree.js",
    "js/shared.js",
    "js/sound.js",
    "js/teach.js",
    "js/treeview.js",
    "js/types.js",
    "js/values.js",
    "js/wood.js",
    "lang/en.js",
    "lang/ja.js",
    "lang/ko.js",
    "lang/zh.js",
}

/// The content of a built-in file.
fn file(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) kind: &'static str,
    /// Changes with the content.
    pub(crate) tag: String,
}

/// The file of this name, such as `js/main.js`.
pub(crate) fn get(folder: Option<&Path>, name: &str) -> Option<Asset> {
    let kind = kind(name)?;
    match folder {
        None => {
            let bytes = file(name)?;
            let mut hasher = DefaultHasher::new();
            hasher.write(bytes);
            Some(Asset { bytes: bytes.into(), kind, tag: format!("{:016x}", hasher.finish()) })
        }
        Some(folder) => {
            let bytes = std::fs::read(plain(folder, name)?).ok()?;
            let tag = format!("{:x}", bytes.len());
            Some(Asset { bytes: bytes.into(), kind, tag })
        }
    }
}

/// A path below the folder; none for names with anything but plain words.
fn plain(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_word = |word: &str| {
        let is_letter = |c: u8| c.is_ascii_alphanumeric() || b"-_.".contains(&c);
        !word.is_empty() && !word.starts_with('.') && word.bytes().all(is_letter)
    };
    name.split('/').all(is_word).then(|| folder.join(name))
}

/// The type of a file by its ending; other endings are not served.
fn kind(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_served_by_name_only() {
        assert!(get(None, "index.html").unwrap().bytes.starts_with(b"<!doctype html>"));
        for name in ["", "../Cargo.toml", "/etc/passwd", "index.html/..", "js", "tsconfig.json"] {
            assert!(get(None, name).is_none(), "{name}");
        }
        let folder = Path::new("/srv");
        assert_eq!(plain(folder, "js/main.js"), Some(PathBuf::from("/srv/js/main.js")));
        for name in ["../x.js", "js/../../x.js", "/x.js", "js//x.js", ".x.js", "a\\b.js", "%2e%2e/x.js"] {
            assert_eq!(plain(folder, name), None, "{name}");
        }
    }

    /// The names of all files below a folder, relative to `root`.
    fn names_below(root: &Path, folder: &Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                names_below(root, &path, names);
            } else {
                let parts: Vec<_> =
                    path.strip_prefix(root).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
                names.push(parts.join("/"));
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_built_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let mut names = Vec::new();
        names_below(&root, &root, &mut names);
        names.sort();
        assert!(names.iter().eq(FILES.iter().map(|(name, _)| name)), "files! does not list {names:?}");
    }

    fn is_language(name: &str) -> bool {
        name.starts_with("lang/")
    }

    #[test]
    fn all_scripts_are_fetched_at_once() {
        let page = get(None, "index.html").unwrap().bytes;
        let page = String::from_utf8_lossy(&page).into_owned();
        // Types are for the compiler alone; browsers never see them. Languages but English are fetched by their speakers.
        let is_for_all =
            |name: &&str| *name != "js/types.js" && (!is_language(name) || *name == "lang/en.js");
        let names = FILES.iter().map(|(name, _)| *name);
        for name in names.filter(|name| name.ends_with(".js")).filter(is_for_all) {
            assert!(page.contains(&format!("\"{name}\"")), "index.html does not name {name}");
        }
    }

    #[test]
    fn the_page_is_light() {
        // Nothing asks for the types.
        let is_fetched = |name: &str| !is_language(name) && name != "js/types.js";
        let all: usize =
            FILES.iter().filter(|(name, _)| is_fetched(name)).map(|(_, bytes)| bytes.len()).sum();
        let languages = FILES.iter().filter(|(name, _)| is_language(name)).map(|(_, bytes)| bytes.len());
        // English is there for all, and one other at most.
        let bytes = all + 2 * languages.max().unwrap();
        assert!(bytes < 300_000, "{bytes} bytes");
    }
}
