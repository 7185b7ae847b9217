//! What a handler answers, and how an answer looks on the wire, written and read.

use std::fmt::Write;

/// The text of a failure reply, without its `?`: `illegal move`, `syntax error: …`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GtpError(pub String);

impl From<&str> for GtpError {
    fn from(text: &str) -> Self {
        GtpError(text.to_owned())
    }
}

impl From<String> for GtpError {
    fn from(text: String) -> Self {
        GtpError(text)
    }
}

/// What a handler answers: the text of a `=` reply or of a `?` reply.
pub type Response = Result<String, GtpError>;

/// The whole reply, ready to be written: status, id, a space (also before nothing: some controllers insist),
/// the text and exactly one empty line.
pub fn frame(id: Option<u32>, response: &Response) -> String {
    let (status, text) = match response {
        Ok(text) => ('=', text),
        Err(GtpError(text)) => ('?', text),
    };
    format!("{} {}\n\n", head(status, id), squeeze(text))
}

/// The first line of a reply that is written bit by bit.
pub(crate) fn stream_head(id: Option<u32>) -> String {
    head('=', id) + "\n"
}

fn head(status: char, id: Option<u32>) -> String {
    let mut head = String::from(status);
    if let Some(id) = id {
        // Writing to a string cannot fail.
        let _ = write!(head, "{id}");
    }
    head
}

/// The text without anything that breaks a reply: no blank line (it would end the reply), no control character,
/// no space at the end of a line. One line break at the very start is kept, because a drawn board wants
/// its first row below the `=`, not beside it.
pub fn squeeze(text: &str) -> String {
    let clean: String = text.chars().filter(|&c| c == '\n' || c == '\t' || !c.is_control()).collect();
    let lines: Vec<&str> = clean.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let start = if clean.starts_with('\n') && !lines.is_empty() { "\n" } else { "" };
    start.to_owned() + &lines.join("\n")
}

/// A reply as a controller reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The id the engine repeated.
    pub id: Option<u32>,
    /// The text, without trailing space.
    pub response: Response,
}

impl Reply {
    /// Reads the first line of a reply; `None` when it cannot be one. Engines differ in their
    /// spaces, so none is required after the status and the id.
    pub fn parse_head(line: &str) -> Option<Reply> {
        let status = line.chars().next()?;
        let rest = line.strip_prefix(['=', '?'])?;
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, text) = rest.split_at(n_digits);
        let id = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
        let text = text.trim().to_owned();
        Some(Reply { id, response: if status == '=' { Ok(text) } else { Err(GtpError(text)) } })
    }

    /// Adds a further line of the same reply.
    pub fn push_line(&mut self, line: &str) {
        let text = match &mut self.response {
            Ok(text) | Err(GtpError(text)) => text,
        };
        text.push('\n');
        text.push_str(line.trim_end());
    }
}
