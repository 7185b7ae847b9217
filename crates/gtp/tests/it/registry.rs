//! What a table of commands accepts.

use gtp::{Entry, Registry, RegistryError};

fn entry(name: &'static str) -> Entry<()> {
    Entry::new(name, "", "", |(), _, _| Ok(String::new()))
}

#[test]
fn a_name_is_registered_once() {
    let mut registry = Registry::new();
    registry.group("core", &[entry("play"), entry("genmove")]).expect("new names");
    let again = registry.group("more", &[entry("showboard"), entry("play")]).map(|_| ());
    assert_eq!(again, Err(RegistryError::Duplicate { name: "play", group: "more", first: "core" }));
    let builtin = registry.group("more", &[entry("quit")]).map(|_| ());
    assert_eq!(builtin, Err(RegistryError::Duplicate { name: "quit", group: "more", first: "protocol" }));
}

#[test]
fn a_name_must_be_callable() {
    for name in ["", " ", "two words", "17", "x#y", "tab\t", "#"] {
        let refused = Registry::new().group("odd", &[entry(name)]).map(|_| ());
        assert_eq!(refused, Err(RegistryError::BadName { name, group: "odd" }));
    }
}

#[test]
fn groups_keep_their_order() {
    let mut registry = Registry::new();
    registry.group("a", &[entry("zebra"), entry("ape")]).expect("new names");
    let infos: Vec<_> = registry.catalog().iter().map(|info| (info.group, info.name)).collect();
    assert_eq!(infos[0], ("protocol", "protocol_version"));
    assert_eq!(infos[infos.len() - 2..], [("a", "zebra"), ("a", "ape")]);
}
