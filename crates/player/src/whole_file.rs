//! Files that are replaced as a whole: whoever reads one finds the old text or the new one, whatever happens meanwhile, and
//! once it is written it is on disk.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file that everybody may read whom the system lets.
///
/// # Errors
/// Whatever the system says.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let new = beside(path);
    replace(path, &new, File::create(&new)?, bytes.as_ref())
}

/// Writes a file that only its owner may read.
///
/// # Errors
/// Whatever the system says.
pub fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let new = beside(path);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&new)?;
    // A file that was left behind by a sudden end has the rights that it had.
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    replace(path, &new, file, bytes.as_ref())
}

/// The name under which a file is written before it takes the place of the old one.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".new");
    name.into()
}

fn replace(path: &Path, new: &Path, mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(new, path)?;
    sync_folder(path)
}

/// Sees to it that the folder's list of names is on disk, too: without it a new name may be lost.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Folders cannot be opened here.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("game.sgf");
        // What a sudden end left behind is in nobody's way.
        std::fs::write(dir.path().join("game.sgf.new"), "a longer text from before").unwrap();
        for text in ["first", "second"] {
            write(&path, text).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(write(&dir.path().join("nowhere/file"), "").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_what_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("game.sgf");
        // What somebody left open to all is closed.
        std::fs::write(dir.path().join("game.sgf.new"), "old").unwrap();
        std::fs::write(&path, "old").unwrap();
        write_private(&path, "new").unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode, std::fs::read_to_string(&path).unwrap().as_str()), (0o600, "new"));
    }
}
