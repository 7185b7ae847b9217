//! The page's files, built into the program. For those who change the page a folder can stand in for them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "assets/"]
struct Files;

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
            let file = Files::get(name)?;
            let tag = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
            Some(Asset { bytes: file.data, kind, tag })
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

    #[test]
    fn all_scripts_are_fetched_at_once() {
        let page = get(None, "index.html").unwrap().bytes;
        let page = String::from_utf8_lossy(&page).into_owned();
        // Types are for the compiler alone; browsers never see them.
        let scripts = Files::iter().filter(|name| name.ends_with(".js") && name != "js/types.js");
        for name in scripts {
            assert!(page.contains(&format!("\"{name}\"")), "index.html does not name {name}");
        }
    }

    #[test]
    fn the_page_is_light() {
        let bytes: usize = Files::iter().filter_map(|name| Some(Files::get(&name)?.data.len())).sum();
        assert!(bytes < 300_000, "{bytes} bytes");
    }
}
