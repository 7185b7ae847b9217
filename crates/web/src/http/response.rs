//! Responses.

use std::borrow::Cow;
use std::fmt::Write;
use std::io;
use std::net::TcpStream;
use std::time::{Instant, SystemTime};

use super::wire::write_by;

/// How it went, as a number and in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) code: u16,
    words: &'static str,
}

/// One line for each answer that is given.
macro_rules! statuses {
    ($($name:ident $code:literal $words:literal,)+) => {
        impl Status { $(pub(crate) const $name: Self = Self { code: $code, words: $words };)+ }
    };
}

statuses! {
    SWITCHING 101 "Switching Protocols",
    OK 200 "OK",
    SEE_OTHER 303 "See Other",
    NOT_MODIFIED 304 "Not Modified",
    BAD_REQUEST 400 "Bad Request",
    UNAUTHORIZED 401 "Unauthorized",
    FORBIDDEN 403 "Forbidden",
    NOT_FOUND 404 "Not Found",
    METHOD_NOT_ALLOWED 405 "Method Not Allowed",
    TOO_MANY 429 "Too Many Requests",
    TOO_LARGE 431 "Request Header Fields Too Large",
    INTERNAL_ERROR 500 "Internal Server Error",
}

/// An answer.
pub(crate) struct Response {
    pub(crate) status: Status,
    headers: Vec<(&'static str, Cow<'static, str>)>,
    body: Cow<'static, [u8]>,
}

impl Response {
    /// An answer without a body.
    pub(crate) fn new(status: Status) -> Self {
        Self { status, headers: Vec::new(), body: Cow::Borrowed(&[]) }
    }

    /// Words for whoever asked.
    pub(crate) fn words(status: Status, words: impl Into<String>) -> Self {
        Self::new(status).with_body("text/plain; charset=utf-8", words.into().into_bytes())
    }

    pub(crate) fn with_body(self, kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { body: body.into(), ..self.with("content-type", kind) }
    }

    /// Adds a line. A value that would end it early is left out with its line.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        let value = value.into();
        if value.bytes().all(|c| c == b'\t' || (c >= b' ' && c != 0x7f)) {
            self.headers.push((name, value));
        }
        self
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| *known == name)
    }

    /// Sends it; `with_body` is false where only its head was asked for.
    ///
    /// # Errors
    /// The end of the connection or of the time.
    pub(crate) fn send(
        &self,
        stream: &TcpStream,
        with_body: bool,
        stays: bool,
        deadline: Instant,
    ) -> io::Result<()> {
        let Status { code, words } = self.status;
        let date = httpdate::fmt_http_date(SystemTime::now());
        let mut head = format!("HTTP/1.1 {code} {words}\r\ndate: {date}\r\n");
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if self.status != Status::NOT_MODIFIED && self.status != Status::SWITCHING {
            let _ = write!(head, "content-length: {}\r\n", self.body.len());
        }
        if !stays {
            head.push_str("connection: close\r\n");
        }
        head.push_str("\r\n");
        // The body is not copied: many may ask for a large one and read it slowly.
        write_by(stream, head.as_bytes(), deadline)?;
        if with_body { write_by(stream, &self.body, deadline) } else { Ok(()) }
    }
}
