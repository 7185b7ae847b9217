//! Lines of a bounded length: whoever is at the other end, and however long it talks without a line break, no more
//! than a limit is ever kept.

use std::io::{BufRead, Read};

/// How a line was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// To its end.
    Whole,
    /// Up to the limit; what follows, to be dropped with [`skip_line`], may never end.
    Cut,
}

/// Reads the next line, with its line break, in place of what `raw` holds. `None` at the end of the input; a failing
/// input is as good as one that has ended.
pub fn read_line(input: &mut impl BufRead, raw: &mut Vec<u8>, limit: usize) -> Option<Length> {
    raw.clear();
    let n_bytes = input.by_ref().take(limit as u64).read_until(b'\n', raw).ok()?;
    match raw.last() {
        None => None,
        Some(b'\n') => Some(Length::Whole),
        Some(_) if n_bytes < limit => Some(Length::Whole),
        Some(_) => Some(Length::Cut),
    }
}

/// Drops the rest of a line without storing it.
pub fn skip_line(input: &mut impl BufRead) {
    // An input that fails here fails again at the next line.
    let _ = input.skip_until(b'\n');
}

/// The beginning of a text that is to be quoted: the other end may have said more than anybody reads.
pub fn excerpt(text: &str) -> String {
    const N_CHARS: usize = 200;
    match text.char_indices().nth(N_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_the_limit() {
        let mut input = &b"abc\nabcdefgh\nxyz"[..];
        let mut raw = Vec::new();
        let mut next = |input: &mut &[u8]| {
            let length = read_line(input, &mut raw, 5);
            (length, String::from_utf8_lossy(&raw).into_owned())
        };
        assert_eq!(next(&mut input), (Some(Length::Whole), "abc\n".to_owned()));
        assert_eq!(next(&mut input), (Some(Length::Cut), "abcde".to_owned()));
        skip_line(&mut input);
        assert_eq!(next(&mut input), (Some(Length::Whole), "xyz".to_owned()));
        assert_eq!(next(&mut input).0, None);
    }

    #[test]
    fn quotes_are_short() {
        assert_eq!(excerpt("hello"), "hello");
        assert_eq!(excerpt(&"ä".repeat(1000)), "ä".repeat(200) + "…");
    }
}
