//! Files that only the owner of the server may read, and that are on disk when it is said so.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Makes a folder for our files, if need be, that nobody else may look into. A folder that is there stays as it is.
///
/// # Errors
/// A folder that cannot be made.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Writes a whole file: whoever reads it finds the old text or the new one. When this returns, the text is on disk.
///
/// # Errors
/// Whatever the system says.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    // A file that was left behind by a sudden end, or by an older version, has the rights that it had.
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&new, path)?;
    sync_folder(path)
}

/// Closes a file of ours to others, as older versions did not.
pub(crate) fn make_private(path: &Path) {
    #[cfg(unix)]
    {
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        if let Err(error) = std::fs::set_permissions(path, private) {
            log::warn!("others may read a file in {}: {error}", path.parent().unwrap_or(path).display());
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Sees to it that the folder's list of names is on disk, too: without it a new name may be lost.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| std::fs::File::open(folder)?.sync_all())
}

/// Folders cannot be opened here.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn nobody_else_reads_what_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/b");
        make_folder(&folder).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        let path = folder.join("game.sgf");
        // What somebody left open to all is closed.
        std::fs::write(folder.join("game.new"), "old").unwrap();
        write(&path, "first").unwrap();
        write(&path, "second").unwrap();
        assert_eq!((mode(&path), std::fs::read_to_string(&path).unwrap().as_str()), (0o600, "second"));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        make_private(&path);
        assert_eq!(mode(&path), 0o600);
    }
}
