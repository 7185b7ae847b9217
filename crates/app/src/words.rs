//! Numbers with their nouns, for people.

/// `1 node`, `2 nodes`, `2 batches`; the noun is one that takes an s, or es after a sibilant.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    let ending = if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) { "es" } else { "s" };
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}{ending}") }
}

/// How a command that goes on begins when `done` of `all` were there already; nothing if none were.
pub(crate) fn resumed(done: u64, all: u64, noun: &str) -> Option<String> {
    match done {
        0 => None,
        done if done < all => Some(format!("going on after {}", counted(done, noun))),
        done => Some(format!("finished already, with {}", counted(done, noun))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_finished_does_not_go_on() {
        let told = [0, 3, 5].map(|done| resumed(done, 5, "game").unwrap_or_default());
        assert_eq!(told, ["", "going on after 3 games", "finished already, with 5 games"]);
    }

    #[test]
    fn one_is_one() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "node")), ["0 nodes", "1 node", "2 nodes"]);
        assert_eq!([1, 100].map(|n| counted(n, "batch")), ["1 batch", "100 batches"]);
    }
}
