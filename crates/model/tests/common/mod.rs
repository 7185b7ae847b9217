//! Where tests find real networks.

use std::fs::File;
use std::path::PathBuf;

use model::net::file;
use model::net::graph::Graph;

/// A file of the folder `nets` in the data folder, or of the folder that `TENGEN_NETS` names; `None`, and the reason
/// printed, where it is missing.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let data = std::env::var_os("TENGEN_DATA").map(|data| PathBuf::from(data).join("nets"));
    let more = std::env::var_os("TENGEN_NETS").map(PathBuf::from);
    let found = data.into_iter().chain(more).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: {name} is neither in the folder nets of TENGEN_DATA nor in TENGEN_NETS");
    }
    found
}

/// A network by the name of its file.
pub(crate) fn load(name: &str) -> Option<Graph> {
    let path = find(name)?;
    let graph = file::read(File::open(&path).unwrap());
    Some(graph.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}
