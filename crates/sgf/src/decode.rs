//! Bytes to text. The character set must be known before the brackets are looked for, because in Shift-JIS, GBK and
//! Big5 the second byte of a character may look like `\` or `]`; and each game of a file may name its own.

use crate::collection::Collection;
use crate::position::{Warning, WarningKind};
use crate::tree::NodeId;
use encoding_rs::{
    BIG5, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use std::borrow::Cow;
use std::ops::Range;

/// A piece of the file that is in one character set: at most one game and the text before it.
pub(crate) struct Segment<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) warning: Option<WarningKind>,
}

pub(crate) struct Decoded<'a> {
    pub(crate) segments: Vec<Segment<'a>>,
    /// Whether the bytes were taken as UTF-8 without asking the games' `CA`.
    pub(crate) believed_utf8: bool,
}

pub(crate) fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some((encoding, bom_len)) = Encoding::for_bom(bytes).or_else(|| unmarked_utf16(bytes)) {
        let segments = vec![decode_as(&bytes[bom_len..], encoding)];
        return Decoded { segments, believed_utf8: true };
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && is_surely_utf8(text)
    {
        let segments = vec![Segment { text: Cow::Borrowed(text), warning: None }];
        return Decoded { segments, believed_utf8: true };
    }
    let mut segments = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let (len, segment) = decode_game(&bytes[start..]);
        segments.push(segment);
        start += len;
    }
    Decoded { segments, believed_utf8: false }
}

/// Valid UTF-8 with characters of three bytes or more does not come about by chance, and many files were converted
/// to UTF-8 while their `CA` was not. Two-byte characters prove less: a Chinese name may look like them.
/// Plain ASCII is the same in every character set but the one that uses escape sequences.
fn is_surely_utf8(text: &str) -> bool {
    if text.is_ascii() { !text.contains('\x1B') } else { text.chars().any(|c| c.len_utf8() > 2) }
}

fn unmarked_utf16(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    match bytes {
        [b'(', 0, b';' | b' ' | b'\r' | b'\n', 0, ..] => Some((UTF_16LE, 0)),
        [0, b'(', 0, b';' | b' ' | b'\r' | b'\n', ..] => Some((UTF_16BE, 0)),
        _ => None,
    }
}

/// Decodes up to the end of the next game and says how many bytes that took.
fn decode_game(bytes: &[u8]) -> (usize, Segment<'_>) {
    let Some(start) = game_start(bytes) else {
        return (bytes.len(), decode_unnamed(bytes, None));
    };
    let label = charset_label(&bytes[start..]);
    let encoding = label.as_deref().and_then(known_encoding);
    match (label, encoding) {
        (_, Some(encoding)) => {
            let len = match Lead::of(encoding) {
                // Its characters look like ASCII between escape sequences, so the game's end cannot be found first.
                _ if encoding == ISO_2022_JP => bytes.len(),
                lead => start + game_len(&bytes[start..], lead),
            };
            (len, decode_as(&bytes[..len], encoding))
        }
        (label, None) => {
            let len = start + game_len(&bytes[start..], Lead::None);
            (len, decode_unnamed(&bytes[..len], label))
        }
    }
}

fn decode_as<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Segment<'a> {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    match std::str::from_utf8(bytes) {
        // The name is wrong for these bytes, and UTF-8 is right.
        Ok(utf8) if had_errors => {
            let warning = Some(WarningKind::WrongCharset(encoding.name().to_owned()));
            Segment { text: Cow::Borrowed(utf8), warning }
        }
        _ => Segment { text, warning: had_errors.then(|| WarningKind::BadBytes(encoding.name())) },
    }
}

fn decode_unnamed(bytes: &[u8], unknown_label: Option<String>) -> Segment<'_> {
    let unknown = unknown_label.map(WarningKind::UnknownCharset);
    match std::str::from_utf8(bytes) {
        Ok(text) => Segment { text: Cow::Borrowed(text), warning: unknown },
        Err(_) => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            Segment { text, warning: unknown.or(Some(WarningKind::GuessedCharset)) }
        }
    }
}

/// The character set of a `CA` value. A file whose brackets were found as single bytes is not in UTF-16.
fn known_encoding(label: &str) -> Option<&'static Encoding> {
    let encoding = by_label(label)?;
    (encoding.is_ascii_compatible() || encoding == ISO_2022_JP).then_some(encoding)
}

/// Looks a character set up by name; some programs write `ISO8859_1` for `ISO8859-1`.
fn by_label(label: &str) -> Option<&'static Encoding> {
    let exact = Encoding::for_label_no_replacement(label.as_bytes());
    exact.or_else(|| Encoding::for_label_no_replacement(label.replace('_', "-").as_bytes()))
}

/// Warns of games whose `CA` names another character set than the UTF-8 they were read as.
pub(crate) fn doubt_charsets(collection: &mut Collection) {
    for game in &collection.games {
        let Some(value) = game.value(NodeId::ROOT, "CA") else { continue };
        let label = value.simple_text();
        let is_wide =
            label.get(..3).is_some_and(|utf| utf.eq_ignore_ascii_case("utf")) && label.contains("16");
        let kind = match by_label(&label) {
            _ if is_wide => continue,
            None => WarningKind::UnknownCharset(label.into_owned()),
            Some(encoding) if encoding == UTF_8 || game.source_is_ascii() => continue,
            Some(_) => WarningKind::WrongCharset(label.into_owned()),
        };
        collection.warnings.push(Warning { position: value.position(), kind });
    }
}

/// Which bytes begin a character whose second byte may look like a bracket or a backslash.
#[derive(Clone, Copy)]
enum Lead {
    None,
    ShiftJis,
    Chinese,
}

impl Lead {
    fn of(encoding: &'static Encoding) -> Self {
        if encoding == SHIFT_JIS {
            Self::ShiftJis
        } else if encoding == GBK || encoding == GB18030 || encoding == BIG5 {
            Self::Chinese
        } else {
            Self::None
        }
    }

    /// How many bytes to step over from the first of `bytes`.
    fn step(self, bytes: &[u8]) -> usize {
        let is_lead = match (self, bytes.first()) {
            (Self::ShiftJis, Some(byte)) => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
            (Self::Chinese, Some(byte)) => matches!(byte, 0x81..=0xFE),
            _ => false,
        };
        1 + usize::from(is_lead && bytes.get(1).is_some_and(|byte| matches!(byte, 0x40..=0x7E | 0x80..=0xFE)))
    }

    /// The value that begins after a `[` at the start of `bytes`: where it lies and where the text goes on.
    fn value(self, bytes: &[u8]) -> (Range<usize>, usize) {
        let mut at = 1;
        while at < bytes.len() {
            match bytes[at] {
                b']' => return (1..at, at + 1),
                b'\\' => at += 1 + self.step(&bytes[(at + 1).min(bytes.len())..]),
                _ => at += self.step(&bytes[at..]),
            }
        }
        (1..bytes.len(), bytes.len())
    }
}

/// Finds `(` followed by `;`, with or without white space between: where a game begins.
pub(crate) fn game_start(bytes: &[u8]) -> Option<usize> {
    let mut open = None;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => open = Some(at),
            b';' if open.is_some() => return open,
            b if is_space(*b) => {}
            _ => open = None,
        }
    }
    None
}

/// White space, and the zero bytes some programs left in their files.
pub(crate) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0x0B | 0)
}

/// The bytes from a game's `(` to behind its last `)`.
fn game_len(bytes: &[u8], lead: Lead) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'[' => {
                at += lead.value(&bytes[at..]).1;
                continue;
            }
            b'(' => depth += 1,
            b')' if depth <= 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The value of `CA` in the root. Text that stands before it may hide it until its character set is known, so the
/// root is also read as if in a double-byte set.
fn charset_label(game: &[u8]) -> Option<String> {
    // Wrongly read brackets may hide the root's end; the bound keeps files of many games linear.
    let game = &game[..game.len().min(1 << 16)];
    [Lead::None, Lead::ShiftJis, Lead::Chinese].into_iter().find_map(|lead| charset_label_by(game, lead))
}

fn charset_label_by(game: &[u8], lead: Lead) -> Option<String> {
    let mut at = game.iter().position(|&b| b == b';')? + 1;
    let (mut name_start, mut name_end) = (at, at);
    while at < game.len() {
        match game[at] {
            b'[' => {
                let (range, len) = lead.value(&game[at..]);
                let capitals: Vec<u8> =
                    game[name_start..name_end].iter().copied().filter(|b| !b.is_ascii_lowercase()).collect();
                if capitals == b"CA" {
                    return Some(String::from_utf8_lossy(&game[at..][range]).into_owned());
                }
                at += len;
                continue;
            }
            b';' | b'(' | b')' => return None,
            byte if byte.is_ascii_alphanumeric() => {
                if name_end != at {
                    name_start = at;
                }
                name_end = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) -> Vec<WarningKind> {
        let decoded = decode(bytes);
        let text: String = decoded.segments.iter().map(|s| s.text.as_ref()).collect();
        assert_eq!(text, expected);
        decoded.segments.into_iter().filter_map(|s| s.warning).collect()
    }

    #[test]
    fn each_game_has_its_own_charset() {
        let file =
            b"(;CA[Shift_JIS]PB[\x95\\\x83]])(;PB[\x95\\]CA[SJIS])(;C[\xC3\xA9])(;C[\xE9])(;CA[GBK]C[\x95]])";
        let text = "(;CA[Shift_JIS]PB[表ャ])(;PB[表]CA[SJIS])(;C[é])(;C[é])(;CA[GBK]C[昡])";
        // 0x83 0x5D is one letter of Shift-JIS, 0x95 0x5D one of GBK.
        let text = text.replace("ャ", &SHIFT_JIS.decode(b"\x83]").0).replace("昡", &GBK.decode(b"\x95]").0);
        assert_eq!(check(file, &text), [WarningKind::GuessedCharset]);
    }

    #[test]
    fn utf8_wins_over_a_stale_label_only_with_good_reason() {
        assert_eq!(check("(;CA[GB2312]PB[围棋])".as_bytes(), "(;CA[GB2312]PB[围棋])"), []);
        // These two bytes are a Chinese character in GBK and a letter of Europe in UTF-8.
        assert_eq!(check(b"(;CA[GB2312]PB[\xC3\xAB])", "(;CA[GB2312]PB[毛])"), []);
        let odd = check("(;CA[EUC-KR]PB[ñ\u{80}])".as_bytes(), "(;CA[EUC-KR]PB[ñ\u{80}])");
        assert!(matches!(&odd[..], [WarningKind::WrongCharset(_)]), "{odd:?}");
    }

    #[test]
    fn marks_and_unknown_names() {
        assert_eq!(check(b"\xEF\xBB\xBF(;C[\xC3\xA9])", "(;C[é])"), []);
        assert_eq!(check(b"\xFF\xFE(\0;\0)\0", "(;)"), []);
        assert_eq!(check(b"\0(\0;\0)", "(;)"), []);
        assert_eq!(check(b"(;CA[ISO8859_1]C[\xE9])", "(;CA[ISO8859_1]C[é])"), []);
        assert_eq!(check(b"(;CA[x]C[\xE9])", "(;CA[x]C[é])"), [WarningKind::UnknownCharset("x".into())]);
        assert_eq!(
            check(b"(;CA[UTF-8]C[\xE9])", "(;CA[UTF-8]C[\u{FFFD}])"),
            [WarningKind::BadBytes("UTF-8")]
        );
        let iso = b"(;CA[ISO-2022-JP]C[\x1B$B0O8k\x1B(B])";
        assert_eq!(check(iso, "(;CA[ISO-2022-JP]C[囲碁])"), []);
    }
}
