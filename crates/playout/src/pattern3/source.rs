//! The readable form of the pattern table: names, gammas and drawings, as `patterns.txt` explains them.

use thiserror::Error;

/// The contents that a pattern allows for one of its nine points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A stone of the first colour.
    X,
    /// A stone of the second colour.
    O,
    Empty,
    /// On the board, but no stone of the first colour.
    NotX,
    /// On the board, but no stone of the second colour.
    NotO,
    Any,
    Off,
}

impl Sign {
    fn of(sign: char) -> Option<Sign> {
        Some(match sign {
            'X' => Sign::X,
            'O' => Sign::O,
            '.' => Sign::Empty,
            'x' => Sign::NotX,
            'o' => Sign::NotO,
            '?' => Sign::Any,
            '#' => Sign::Off,
            _ => return None,
        })
    }
}

/// One pattern as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnPattern {
    pub(super) name: String,
    /// How likely a move is by this pattern, as a Bradley-Terry factor.
    pub(super) gamma: f32,
    /// Whether only X may be the mover.
    pub(super) is_for_x: bool,
    /// The eight points around the centre, row by row.
    pub(super) signs: [Sign; 8],
}

/// Why a text holds no patterns.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PatternError {
    /// A heading that cannot be read.
    #[error(
        "line {line}: {text:?}, expected a heading like `= name, gamma 0.5` or `= name, gamma 0.5, X moves`"
    )]
    Heading {
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A drawing that is not three rows of three signs.
    #[error("line {line}: pattern {name:?} has no drawing of three rows of X O x o . ? # around one *")]
    Drawing {
        /// Number of the heading's line, from 1.
        line: usize,
        /// The pattern's name.
        name: String,
    },
    /// More patterns than a table holds.
    #[error("{n} patterns, expected at most 255")]
    TooMany {
        /// How many there are.
        n: usize,
    },
}

/// Reads all patterns of a text.
pub(super) fn parse(text: &str) -> Result<Vec<DrawnPattern>, PatternError> {
    let numbered = text.lines().enumerate().map(|(idx, line)| (idx + 1, line.trim()));
    // A row of the border begins with the sign of a comment: a comment has a letter or nothing after it.
    let is_comment = |line: &str| line.starts_with('#') && !line.chars().all(|sign| " #?".contains(sign));
    let mut lines = numbered.filter(|(_, line)| !line.is_empty() && *line != "#" && !is_comment(line));
    let mut patterns = Vec::new();
    while let Some((line, heading)) = lines.next() {
        let (name, gamma, is_for_x) = parse_heading(heading)
            .ok_or_else(|| PatternError::Heading { line, text: heading.to_string() })?;
        let rows: String = lines.by_ref().take(3).flat_map(|(_, row)| row.chars()).collect();
        let signs =
            parse_drawing(&rows).ok_or_else(|| PatternError::Drawing { line, name: name.to_string() })?;
        patterns.push(DrawnPattern { name: name.to_string(), gamma, is_for_x, signs });
    }
    match patterns.len() {
        0..=255 => Ok(patterns),
        n => Err(PatternError::TooMany { n }),
    }
}

fn parse_heading(line: &str) -> Option<(&str, f32, bool)> {
    let mut parts = line.strip_prefix('=')?.split(',').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let gamma: f32 = parts.next()?.strip_prefix("gamma ")?.trim().parse().ok()?;
    let is_for_x = match parts.next() {
        None => false,
        Some("X moves") => true,
        Some(_) => return None,
    };
    ((0.0..=100.0).contains(&gamma) && parts.next().is_none()).then_some((name, gamma, is_for_x))
}

fn parse_drawing(rows: &str) -> Option<[Sign; 8]> {
    let signs: Vec<char> = rows.chars().filter(|sign| !sign.is_whitespace()).collect();
    let [a, b, c, d, '*', e, f, g, h] = signs[..] else { return None };
    let mut out = [Sign::Any; 8];
    for (sign, drawn) in out.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sign = Sign::of(drawn)?;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_read() {
        let text = "# said\n#\n\n= one, gamma 0.5\n# # #\nX * o\n? . x\n= two, gamma 1, X moves\nO O O\nO*O\nO O O\n";
        let patterns = parse(text).unwrap();
        use Sign::{Any, Empty, NotO, NotX, O, Off, X};
        assert_eq!(patterns[0].signs, [Off, Off, Off, X, NotO, Any, Empty, NotX]);
        assert_eq!((patterns[0].gamma, patterns[0].is_for_x), (0.5, false));
        assert_eq!(
            (patterns[1].name.as_str(), patterns[1].is_for_x, patterns[1].signs),
            ("two", true, [O; 8])
        );
    }

    #[test]
    fn mistakes_are_named() {
        let heading = |text: &str| matches!(parse(text), Err(PatternError::Heading { line: 1, .. }));
        assert!(heading("one\n...\n.*.\n..."));
        assert!(heading("= one\n...\n.*.\n..."));
        assert!(heading("= one, gamma x\n...\n.*.\n..."));
        assert!(heading("= one, gamma -1\n...\n.*.\n..."));
        assert!(heading("= one, gamma 1, O moves\n...\n.*.\n..."));
        let drawing = |text: &str| matches!(parse(text), Err(PatternError::Drawing { line: 1, .. }));
        assert!(drawing("= one, gamma 1\n...\n...\n..."));
        assert!(drawing("= one, gamma 1\n...\n.*.\n.."));
        assert!(drawing("= one, gamma 1\n...\n.*.\n..y"));
        assert!(drawing("= one, gamma 1\n...\n.*."));
    }
}
