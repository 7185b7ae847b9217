//! One line of a file of tests.

/// A line of a test file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TstLine<'a> {
    /// Empty, or a comment.
    Nothing,
    /// What stands behind `#?`.
    Answer(&'a str),
    /// A command.
    Command(TstCommand<'a>),
}

/// A command in GTP's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TstCommand<'a> {
    /// The number before it.
    pub(super) id: Option<&'a str>,
    /// Its name; empty behind a number that stands alone.
    pub(super) name: &'a str,
    /// All that follows.
    pub(super) args: &'a str,
}

const EXPECTED: &str =
    "expected a comment (#), a command such as `10 reg_genmove black`, or an answer such as `#? [D4]`";

/// Reads a line. Comments may hold anything, in any encoding; commands are text.
pub(super) fn parse(bytes: &[u8]) -> Result<TstLine<'_>, String> {
    let bytes = bytes.trim_ascii();
    if bytes.is_empty() || (bytes[0] == b'#' && bytes.get(1) != Some(&b'?')) {
        return Ok(TstLine::Nothing);
    }
    let text = str::from_utf8(bytes).map_err(|_| EXPECTED.to_string())?;
    if text.chars().any(|sign| sign.is_control() && sign != '\t') {
        return Err(EXPECTED.to_string());
    }
    if let Some(answer) = text.strip_prefix("#?") {
        return Ok(TstLine::Answer(answer.trim()));
    }
    let text = text.split_once('#').map_or(text, |(before, _)| before).trim();
    let (id, rest) = match text
        .split_at(text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len())
    {
        ("", rest) => (None, rest),
        // A name may not begin with a digit, so that a number needs a space behind it.
        (_, rest) if !rest.is_empty() && !rest.starts_with([' ', '\t']) => return Err(EXPECTED.to_string()),
        (id, rest) => (Some(id), rest.trim_start()),
    };
    let (name, args) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    let is_name = name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'));
    if !is_name {
        return Err(EXPECTED.to_string());
    }
    Ok(TstLine::Command(TstCommand { id, name, args: args.trim() }))
}

/// As much of a line as a message can bear.
pub(super) fn excerpt(text: &str) -> String {
    match text.trim().char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text.trim()[..end]),
        None => text.trim().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_comments_commands_and_answers() {
        let command = |id, name, args| Ok(TstLine::Command(TstCommand { id, name, args }));
        for (text, line) in [
            ("", Ok(TstLine::Nothing)),
            ("  \r", Ok(TstLine::Nothing)),
            ("# anything \u{1}", Ok(TstLine::Nothing)),
            ("#? [D4]*\r", Ok(TstLine::Answer("[D4]*"))),
            ("#?[D4]", Ok(TstLine::Answer("[D4]"))),
            ("loadsgf a/b.sgf 20", command(None, "loadsgf", "a/b.sgf 20")),
            ("10 reg_genmove  black # why", command(Some("10"), "reg_genmove", "black")),
            ("\t7\tgenmove w", command(Some("7"), "genmove", "w")),
            ("40", command(Some("40"), "", "")),
            ("kgs-genmove_cleanup b", command(None, "kgs-genmove_cleanup", "b")),
        ] {
            assert_eq!(parse(text.as_bytes()), line, "{text:?}");
        }
        for text in ["(;SZ[9])", "10reg_genmove b", "play\u{0}", "!x", "é b", "10 = D4"] {
            assert!(parse(text.as_bytes()).unwrap_err().contains("expected a comment"), "{text:?}");
        }
        assert_eq!(parse(b"# caf\xe9"), Ok(TstLine::Nothing));
        assert!(parse(b"caf\xe9").is_err());
    }
}
