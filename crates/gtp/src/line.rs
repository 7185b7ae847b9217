//! From the bytes of one input line to a command: what the protocol calls preprocessing, then the split into
//! id, name and arguments.

use crate::Args;

/// One command as the controller sent it.
#[derive(Clone, Debug)]
pub struct Command<'a> {
    /// The number the reply must repeat, if one was given.
    pub id: Option<u32>,
    /// The command's name; empty when the line held nothing but an id.
    pub name: &'a str,
    /// What follows the name.
    pub args: Args<'a>,
}

/// Cleans a raw line: bytes that are not UTF-8 become `�`, control characters (a carriage return among them)
/// vanish, tabs become spaces, a `#` and all that follows it is dropped.
pub fn clean(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    text.chars()
        .take_while(|&c| c != '#')
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect()
}

/// Splits a line that [`clean`] has prepared; `None` when it is blank and so deserves no reply.
///
/// A number too large for an id is taken as the name of a command, which nobody will know.
pub fn parse(cleaned: &str) -> Option<Command<'_>> {
    let mut args = Args::new(cleaned);
    let first = args.next()?;
    let id = match first.parse() {
        Ok(id) if first.bytes().all(|b| b.is_ascii_digit()) => Some(id),
        _ => None,
    };
    let name = if id.is_some() { args.next().unwrap_or_default() } else { first };
    Some(Command { id, name, args })
}

/// Whether a raw line is GoGui's comment that asks the running command to end early.
pub fn is_interrupt(raw: &[u8]) -> bool {
    raw.trim_ascii() == b"# interrupt"
}
