//! Property values: kept exactly as they stand between `[` and `]`, so that writing loses nothing; their meaning
//! as text is made when asked for.

use crate::position::Position;
use crate::tree::GameTree;
use std::borrow::Cow;

/// One value of a property.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    pub(crate) tree: &'a GameTree,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl<'a> Value<'a> {
    /// The value as it stands in the file, escapes and line ends included.
    pub fn raw(&self) -> &'a str {
        self.tree.text_at(self.start, self.len)
    }

    /// The value as Text: escapes and soft line breaks resolved, line breaks as `\n`, other white space as spaces.
    pub fn text(&self) -> Cow<'a, str> {
        unescape(self.raw(), true)
    }

    /// The value as SimpleText: as [`text`](Self::text), with line breaks as spaces, and trimmed.
    pub fn simple_text(&self) -> Cow<'a, str> {
        match unescape(self.raw(), false) {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }

    /// The two parts of a composed value such as `aa:label`; `None` without an unescaped colon.
    pub fn composed(&self) -> Option<(Value<'a>, Value<'a>)> {
        let raw = self.raw().as_bytes();
        let mut at = 0;
        while at < raw.len() {
            match raw[at] {
                b'\\' => at += 2,
                b':' => {
                    // Both lengths are below `len`, which is a u32.
                    let first = at as u32;
                    let left = Value { len: first, ..*self };
                    let right = Value { start: self.start + first + 1, len: self.len - first - 1, ..*self };
                    return Some((left, right));
                }
                _ => at += 1,
            }
        }
        None
    }

    /// Where the value begins in the file it was read from.
    pub fn position(&self) -> Option<Position> {
        self.tree.position_of(self.start)
    }
}

/// Escapes a text so that it can be a property's value.
///
/// ```
/// assert_eq!(sgf::escape(r"a[b]\c"), r"a[b\]\\c");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_chars(text, &[']', '\\'])
}

/// Escapes both parts of a composed value and puts the colon between them.
pub fn escape_composed(left: &str, right: &str) -> String {
    let special = [']', '\\', ':'];
    format!("{}:{}", escape_chars(left, &special), escape_chars(right, &special))
}

fn escape_chars<'a>(text: &'a str, special: &[char]) -> Cow<'a, str> {
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if special.contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    Cow::Owned(escaped)
}

/// Whether a raw value can be written between `[` and `]` and read back whole.
pub(crate) fn is_writable(raw: &str) -> bool {
    let mut bytes = raw.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b']' => return false,
            b'\\' if bytes.next().is_none() => return false,
            _ => {}
        }
    }
    true
}

fn unescape(raw: &str, keep_lines: bool) -> Cow<'_, str> {
    let changes = |b: u8| b == b'\\' || (b.is_ascii_whitespace() && !matches!(b, b' ')) || b == 0x0B;
    let untouched = |b: u8| !changes(b) || (keep_lines && b == b'\n');
    if raw.bytes().all(untouched) && !raw.contains("\n\r") {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\';
        let c = if escaped { chars.next() } else { Some(c) };
        match c {
            // A lone backslash at the end of a value escapes nothing.
            None => {}
            Some(end @ ('\n' | '\r')) => {
                let partner = if end == '\n' { '\r' } else { '\n' };
                chars.next_if_eq(&partner);
                if !escaped {
                    text.push(if keep_lines { '\n' } else { ' ' });
                }
            }
            Some('\t' | '\x0B' | '\x0C') => text.push(' '),
            Some(c) => text.push(c),
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_follows_the_format() {
        let check = |raw: &str, text: &str, simple: &str| {
            assert_eq!(unescape(raw, true), text, "{raw:?}");
            assert_eq!(unescape(raw, false), simple, "{raw:?}");
        };
        check("plain", "plain", "plain");
        check(r"a \] b \\ c \: d", r"a ] b \ c : d", r"a ] b \ c : d");
        check("soft\\\nbreak", "softbreak", "softbreak");
        check("soft\\\r\nbreak\\\n\rs\\\rs", "softbreakss", "softbreakss");
        check("hard\r\nbreak\n\rs\rs\ns", "hard\nbreak\ns\ns\ns", "hard break s s s");
        check("tab\tand\\\ttab\x0B", "tab and tab ", "tab and tab ");
        check("two\n\nlines", "two\n\nlines", "two  lines");
        check("end\\", "end", "end");
        check("囲碁\\]", "囲碁]", "囲碁]");
    }

    #[test]
    fn escaping_is_undone_by_reading() {
        for text in ["", "]", "\\", "a]b\\]c", "\\\\]]", "a:b", "棋]"] {
            let raw = escape(text);
            assert!(is_writable(&raw), "{raw:?}");
            assert_eq!(unescape(&raw, true), text);
        }
        assert!(!is_writable("a]"));
        assert!(!is_writable("a\\"));
        assert!(is_writable("a\\\\"));
        assert_eq!(escape_composed("a:b", "c]"), "a\\:b:c\\]");
    }
}
