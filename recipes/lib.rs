//! The files of this folder, for programs: a package of its own, so that the crates that build them in can be published.

/// Name and text of each file, from the names in the order in which they are listed.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        /// Every recipe of this folder: its name and the text of its file.
        pub const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".recipe")))),+];
    };
}

files! {
    "default",
    "lean",
    "light",
    "uct",
    "uct-tuned",
    "goyui-uct",
    "goyui-rave",
    "goyui-hand",
    "goyui-mse",
    "goyui-bma",
    "goyui-bma-gauss",
    "goyui-lwr-manhattan",
    "goyui-lwr-winrate",
    "goyui-lwr-rave",
    "goyui-limited",
    "goyui-rave-weighted",
    "bouzy-basic",
    "bouzy-pruning",
    "bouzy-amaf",
    "bouzy-temperature",
    "depth2",
    "uct-rave",
    "mogo-uct-random",
    "mogo-uct",
    "mogo-rave",
    "mogo-rave-prior",
    "mogo-rave-shapes",
    "rlgo",
    "hex",
    "connect-four",
    "katago",
    "alphago",
    "zero",
    "nomitan",
    "erica",
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_file_of_the_folder_is_listed() {
        let folder = std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut found: Vec<String> =
            names.filter_map(|name| name.strip_suffix(".recipe").map(str::to_owned)).collect();
        let mut listed: Vec<&str> = super::ALL.iter().map(|(name, _)| *name).collect();
        found.sort();
        listed.sort_unstable();
        assert_eq!(found, listed);
    }
}
