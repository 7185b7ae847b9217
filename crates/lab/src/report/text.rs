//! Running text: pieces with a meaning, not with a look.

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextSpan {
    /// Plain words.
    Plain(String),
    /// Words that matter more.
    Strong(String),
    /// Words that are stressed.
    Emphasis(String),
    /// A name, command or value of the program.
    Code(String),
    /// A link. Only addresses of the web, of mail, of a place on the page, and relative ones become links; of any other
    /// only the text is shown.
    Link {
        /// What is shown.
        text: String,
        /// Where it leads.
        address: String,
    },
}

/// Some pieces of text, all in one line or paragraph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Vec<TextSpan>);

impl Text {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// With plain words after it.
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.with(TextSpan::Plain(text.into()))
    }

    /// With strong words after it.
    pub fn strong(self, text: impl Into<String>) -> Self {
        self.with(TextSpan::Strong(text.into()))
    }

    /// With a name or command after it.
    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(TextSpan::Code(text.into()))
    }

    /// With a link after it.
    pub fn link(self, text: impl Into<String>, address: impl Into<String>) -> Self {
        self.with(TextSpan::Link { text: text.into(), address: address.into() })
    }

    fn with(mut self, span: TextSpan) -> Self {
        self.0.push(span);
        self
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.words().is_empty())
    }

    /// The bare words.
    pub fn words(&self) -> String {
        self.0.iter().map(TextSpan::words).collect()
    }

    /// Text as people write it in a file: `` `code` ``, `**strong**`, `*stressed*`, `<https://…>`, `[words](address)`. A sign without
    /// its partner is itself.
    pub fn marked(source: &str) -> Self {
        let mut text = Self::new();
        let mut plain = String::new();
        let mut rest = source;
        while let Some(letter) = rest.chars().next() {
            match marked_span(rest) {
                Some((span, length)) => {
                    if !plain.is_empty() {
                        text = text.plain(std::mem::take(&mut plain));
                    }
                    text = text.with(span);
                    rest = &rest[length..];
                }
                None => {
                    plain.push(letter);
                    rest = &rest[letter.len_utf8()..];
                }
            }
        }
        if plain.is_empty() { text } else { text.plain(plain) }
    }
}

impl TextSpan {
    /// The bare words.
    pub fn words(&self) -> &str {
        match self {
            Self::Plain(text)
            | Self::Strong(text)
            | Self::Emphasis(text)
            | Self::Code(text)
            | Self::Link { text, .. } => text,
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new().plain(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new().plain(text)
    }
}

/// The marked piece at the beginning of the text, if there is one, and its length in bytes.
fn marked_span(text: &str) -> Option<(TextSpan, usize)> {
    let between = |open: &str, close: &str| {
        let inner = text.strip_prefix(open)?;
        let end = inner.find(close).filter(|&end| end > 0)?;
        Some((&inner[..end], open.len() + end + close.len()))
    };
    if let Some((code, length)) = between("`", "`") {
        return Some((TextSpan::Code(code.to_owned()), length));
    }
    if let Some((strong, length)) = between("**", "**") {
        return Some((TextSpan::Strong(strong.to_owned()), length));
    }
    let is_tight = |words: &str| words.trim() == words && !words.contains('\n');
    if let Some((words, length)) = between("*", "*").filter(|(words, _)| is_tight(words)) {
        return Some((TextSpan::Emphasis(words.to_owned()), length));
    }
    if let Some((address, length)) = between("<", ">")
        && (address.starts_with("https://") || address.starts_with("http://"))
    {
        return Some((TextSpan::Link { text: address.to_owned(), address: address.to_owned() }, length));
    }
    let (words, length) = between("[", "](")?;
    let address = &text[length..text[length..].find(')')? + length];
    let link = TextSpan::Link { text: words.to_owned(), address: address.to_owned() };
    Some((link, length + address.len() + 1))
}

/// Whether an address may be a link: nothing that a browser would run.
pub(super) fn is_safe(address: &str) -> bool {
    let address = address.trim();
    if address.is_empty() || address.chars().any(char::is_control) {
        return false;
    }
    let scheme = address.split(['/', '?', '#']).next().unwrap_or_default();
    match scheme.split_once(':') {
        None => true,
        Some((scheme, _)) => {
            ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_spans() {
        let text = Text::marked("Use `a|b` **now** or [see](docs/x.md) at <https://a.org/?b=1>.");
        let expected = Text::new()
            .plain("Use ")
            .code("a|b")
            .plain(" ")
            .strong("now")
            .plain(" or ")
            .link("see", "docs/x.md")
            .plain(" at ")
            .link("https://a.org/?b=1", "https://a.org/?b=1")
            .plain(".");
        assert_eq!(text, expected);
    }

    #[test]
    fn stressed_words_are_told_from_strong_ones() {
        let text = Text::marked("*it* is **so**");
        assert_eq!(text.0[0], TextSpan::Emphasis("it".to_owned()));
        assert_eq!(text.0[2], TextSpan::Strong("so".to_owned()));
    }

    #[test]
    fn lone_marks_are_themselves() {
        for source in ["a ` b", "2 ** 3", "2 * 3 * 4", "a < b > c", "[x]", "[x](y", "``", "****", "é`", ""] {
            assert_eq!(Text::marked(source).words(), source);
            assert!(Text::marked(source).0.iter().all(|span| matches!(span, TextSpan::Plain(_))), "{source}");
        }
    }

    #[test]
    fn only_harmless_addresses_are_links() {
        for address in
            ["https://a.org", "HTTP://a.org", "games/1.sgf", "#table-1", "mailto:a@b.org", "a?b=c:d", "./a:b"]
        {
            assert!(is_safe(address), "{address}");
        }
        for address in
            ["javascript:alert(1)", " JavaScript:x", "java\nscript:x", "data:text/html,x", "vbscript:x", ""]
        {
            assert!(!is_safe(address), "{address}");
        }
    }
}
