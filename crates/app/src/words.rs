//! Numbers with their nouns, for people.

/// `1 node`, `2 nodes`, `2 batches`; the noun is one that takes an s, or es after a sibilant.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    let ending = if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) { "es" } else { "s" };
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}{ending}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "node")), ["0 nodes", "1 node", "2 nodes"]);
        assert_eq!([1, 100].map(|n| counted(n, "batch")), ["1 batch", "100 batches"]);
    }
}
