//! Numbers with their nouns, for people.

/// `1 node`, `2 nodes`; the noun is one that takes an s.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "node")), ["0 nodes", "1 node", "2 nodes"]);
    }
}
