//! The text at the beginning of a file of rows.
//!
//! Lines of a key, a space and a value, in this order: `tengen-rows` with the version of the format; `game`, as `--game` names it; `made`,
//! the command; `data`, what was read; `teacher`, the network that labelled the rows; `licence`, the terms of all that;
//! `check`, the checksum of the lines before it in sixteen hexadecimal digits. Values but the first two may be empty.

use model::net::file::checksum::Fnv1a;
use model::net::file::own::header::one_line;

/// The word that a file begins with.
pub const MAGIC: &str = "tengen-rows";
/// The version of the format.
pub const FORMAT: u32 = 1;
/// The longest header, in bytes.
pub(super) const LONGEST: usize = 1 << 16;
/// The longest value, in bytes.
const LONGEST_VALUE: usize = 8000;
/// The last line without its line end.
const CHECK_LINE: usize = "check ".len() + 16;

/// Where rows come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowsOrigin {
    /// The game, as `--game` names it.
    pub game: String,
    /// The command that made them.
    pub made: String,
    /// What was read: files of games, and how many of them.
    pub data: String,
    /// The network that labelled them; empty without one.
    pub teacher: String,
    /// The terms of all that.
    pub licence: String,
}

/// The header as a file begins with it.
pub(super) fn to_text(origin: &RowsOrigin) -> String {
    let mut text = format!("{MAGIC} {FORMAT}\n");
    let RowsOrigin { game, made, data, teacher, licence } = origin;
    for (key, value) in
        [("game", game), ("made", made), ("data", data), ("teacher", teacher), ("licence", licence)]
    {
        text += &format!("{key} {}\n", one_line(value, LONGEST_VALUE));
    }
    let sum = Fnv1a::of(text.as_bytes());
    text + &format!("check {sum:016x}\n")
}

/// Why bytes are no header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BadHeader {
    /// They are no beginning of a file of rows.
    NotRows,
    /// They are one, but damaged or of another format.
    Damaged(String),
}

/// Reads the header that some bytes begin with: the origin, and the header's length.
pub(super) fn parse(bytes: &[u8]) -> Result<(RowsOrigin, usize), BadHeader> {
    let damaged = |why: &str| BadHeader::Damaged(why.to_string());
    if !bytes.starts_with(MAGIC.as_bytes()) {
        return Err(BadHeader::NotRows);
    }
    let at = bytes.windows(7).position(|part| part == b"\ncheck ").map(|at| at + 1);
    let Some((at, end)) =
        at.map(|at| (at, at + CHECK_LINE)).filter(|&(_, end)| bytes.get(end) == Some(&b'\n'))
    else {
        return Err(damaged("it has no line `check …`; the file is truncated"));
    };
    let right = format!("check {:016x}", Fnv1a::of(&bytes[..at]));
    if bytes[at..end] != *right.as_bytes() {
        return Err(damaged("the checksum does not fit; the file is damaged"));
    }
    let text = std::str::from_utf8(&bytes[..at]).map_err(|_| damaged("it is not UTF-8"))?;
    let mut lines = text.lines();
    let mut value = |key: &str| {
        let line = lines.next().unwrap_or_default();
        let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' '));
        value
            .map(str::to_string)
            .ok_or_else(|| damaged(&format!("expected a line `{key} …`, found `{line:.80}`")))
    };
    let format = value(MAGIC)?;
    if format != FORMAT.to_string() {
        return Err(damaged(&format!("format {format}; expected {FORMAT}")));
    }
    let origin = RowsOrigin {
        game: value("game")?,
        made: value("made")?,
        data: value("data")?,
        teacher: value("teacher")?,
        licence: value("licence")?,
    };
    Ok((origin, end + 1))
}
