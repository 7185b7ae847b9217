//! The network inside the program: small, for Go on boards of all sizes, trained by this program from recorded games and
//! another network's values. `docs/inside.md` tells how.

/// The name by which it is asked for.
pub const NAME: &str = "tengen";

/// Its file, as [`super::file`] reads it.
pub const FILE: &[u8] = include_bytes!("tengen.net");

#[cfg(test)]
mod tests {
    use super::super::file::{self, Limits};
    use super::*;

    #[test]
    fn the_file_holds_a_network_of_go_that_tells_where_it_comes_from() {
        let network = file::read_within(FILE, Limits::default()).unwrap();
        let origin = network.origin.unwrap();
        let boards: Vec<String> = origin.boards.iter().map(ToString::to_string).collect();
        assert_eq!(
            (origin.game.as_str(), &boards[..]),
            ("go", &["9x9", "13x13", "19x19"].map(String::from)[..])
        );
        assert!(!origin.licence.is_empty() && !origin.teacher.is_empty() && !origin.trainer.is_empty());
        assert!(FILE.len() <= 4_000_000, "{} bytes", FILE.len());
    }
}
