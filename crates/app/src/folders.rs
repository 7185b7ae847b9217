//! Folders of the program in the user's home, where the system wants programs to keep such things.

use std::path::{Path, PathBuf};

use player::nets::NetFolder;

/// The folder in which the board in the browser keeps its games.
pub(crate) fn games() -> Option<PathBuf> {
    Some(base("XDG_STATE_HOME", ".local/state")?.join("tengen").join("games"))
}

/// The folder of networks.
pub(crate) fn nets() -> NetFolder {
    NetFolder::new(base("XDG_DATA_HOME", ".local/share").map(|base| base.join("tengen").join("nets")))
}

/// The folder of all programs that a variable of the environment names, or that stands in the home folder.
fn base(variable: &str, in_home: &str) -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    choose(cfg!(windows), from(variable), from("HOME").as_deref(), in_home, || from("LOCALAPPDATA"))
}

fn choose(
    is_windows: bool,
    named: Option<PathBuf>,
    home: Option<&Path>,
    in_home: &str,
    local: impl FnOnce() -> Option<PathBuf>,
) -> Option<PathBuf> {
    if is_windows { local() } else { named.or_else(|| Some(home?.join(in_home))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_goes_before_the_home_folder() {
        let path = |text: &str| Some(PathBuf::from(text));
        let home = Path::new("/home/me");
        assert_eq!(choose(false, path("/data"), Some(home), ".local/share", || None), path("/data"));
        let found = choose(false, None, Some(home), ".local/share", || None);
        assert_eq!(found, path("/home/me/.local/share"));
        assert_eq!(choose(false, None, None, ".local/share", || path("C:/x")), None);
        assert_eq!(choose(true, path("/data"), Some(home), ".local/share", || path("C:/x")), path("C:/x"));
    }
}
