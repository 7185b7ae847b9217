//! Files that only the owner of the server may read: its folder, and files that older versions left open.

use std::fs::DirBuilder;
use std::io;
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn nobody_else_looks_in() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/b");
        make_folder(&folder).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        let path = folder.join("game.sgf");
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        make_private(&path);
        assert_eq!(mode(&path), 0o600);
    }
}
