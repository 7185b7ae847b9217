//! Files that are written where the command line says.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Refuses to write over a file that is not `what`; `is_such` tells by its bytes. A file of the same kind is replaced, as
/// when a command is given again. Refuses a place where no file can be written, too.
pub(crate) fn check_free(
    option: &str,
    path: &Path,
    what: &str,
    is_such: impl Fn(&[u8]) -> bool,
) -> Result<()> {
    let name = path.display();
    if !path.exists() {
        // Made and removed again: a folder that is missing or cannot be written is told of before the work is done.
        let made = fs::File::create_new(path).and_then(|_| fs::remove_file(path));
        return made.with_context(|| format!("{option} {name}: cannot write there"));
    }
    let bytes = fs::read(path).with_context(|| format!("{option} {name}"))?;
    if !bytes.is_empty() && !is_such(&bytes) {
        bail!("{option} {name}: the file is there and is not {what}; expected a new file");
    }
    Ok(())
}

/// The path with `suffix` behind its name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// Writes a file so that whoever reads it finds the old one or the new one whole, even if the program is killed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let part = beside(path, ".part");
    let write = || {
        let mut file = fs::File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().with_context(|| cannot_write(path))
}

/// A file that cannot be written, in words.
pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Makes the folder that --out names, if it does.
pub(crate) fn make_out(folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    fs::create_dir_all(folder).with_context(|| format!("--out {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_same_kind_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let check = || check_free("--out", &path, "a table", |bytes| bytes.starts_with(b"table"));
        check().unwrap();
        assert!(!path.exists(), "the place was only tried");
        let nowhere = dir.path().join("missing/file");
        let error = check_free("--out", &nowhere, "a table", |_| true).unwrap_err();
        assert!(format!("{error:#}").contains("missing/file: cannot write there: "), "{error:#}");
        for text in ["", "table 1"] {
            fs::write(&path, text).unwrap();
            check().unwrap();
        }
        fs::write(&path, "precious").unwrap();
        let error = check().unwrap_err().to_string();
        assert!(error.starts_with("--out ") && error.contains(" is not a table"), "{error}");
        assert!(check_free("--out", dir.path(), "a table", |_| true).is_err(), "a folder");
    }
}
