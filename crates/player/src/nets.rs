//! Networks from files, for searches that ask one.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcts::LoadedNet;
use model::net::file::{self, NetFileError};
use model::net::katago::KataGoNet;

/// A network that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum NetLoadError {
    /// The file cannot be opened.
    #[error("{}: {error}; expected a network of KataGo's, such as NAME.bin.gz", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file holds no network that can be read.
    #[error("{}: {error}", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The place and the reason.
        error: NetFileError,
    },
}

/// Loads a network of KataGo's family from a file.
///
/// # Errors
/// When the file cannot be opened, or holds no network that can be read: where and why.
pub fn load(path: &Path) -> Result<LoadedNet, NetLoadError> {
    let unreadable = |error| NetLoadError::Unreadable { path: path.to_path_buf(), error };
    let refused = |error| NetLoadError::Refused { path: path.to_path_buf(), error };
    let reader = BufReader::new(File::open(path).map_err(unreadable)?);
    Ok(LoadedNet(Arc::new(KataGoNet::new(file::read(reader).map_err(refused)?))))
}
