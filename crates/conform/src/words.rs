//! Words of the protocol: moves, and quotations that are not too long.

/// The beginning of a text, for a report.
pub(super) fn excerpt(text: &str) -> String {
    const N_CHARS: usize = 160;
    match text.char_indices().nth(N_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Whether a text is a vertex, with letters that go round I: `D4`, `pass`; `resign` too if it may be.
pub(super) fn is_move(text: &str, may_resign: bool) -> bool {
    let text = text.to_ascii_lowercase();
    if text == "pass" || (may_resign && text == "resign") {
        return true;
    }
    is_point(&text)
}

/// Whether a text is a point of some board.
pub(super) fn is_point(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (column, row) = text.split_at(letters);
    (1..=2).contains(&letters)
        && !column.to_ascii_lowercase().contains('i')
        && row.len() <= 2
        && row.parse::<u8>().is_ok_and(|row| row > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_points_and_words() {
        for text in ["D4", "a1", "T19", "Z25", "pass", "PASS", "resign", "AA26"] {
            assert!(is_move(text, true), "{text}");
        }
        for text in ["", "I9", "D", "4", "D0", "D-4", "D4 E5", "b D4", "D100", "none"] {
            assert!(!is_move(text, true), "{text}");
        }
        assert!(!is_move("resign", false));
    }
}
