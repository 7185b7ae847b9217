//! What the tests of pictures and pages share.

/// Names that would break a page whose writer trusts them.
pub(crate) const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "a|b",
    "two\nlines",
    "\"quoted\" & 'more'",
    "`code` *star* _under_ [link](javascript:x)",
    "]]> --> </svg></style>",
    "\u{0}\u{7}\u{1b}[31m",
    "名前 ← β",
];

/// Insists that the text is well-formed XML.
pub(crate) fn check_xml(text: &str) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    if let Err(error) = roxmltree::Document::parse_with_options(text, options) {
        panic!("not well-formed: {error}\n{text}");
    }
}
