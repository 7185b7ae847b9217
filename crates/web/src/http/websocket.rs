//! The server's end of a WebSocket (RFC 6455): the handshake, frames in, messages out. Extensions are not spoken.

use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{HttpWire, Request, Response, Status, write_by};
use crate::gate::{Gate, Permit};

/// The text that a server adds to the key of a handshake (RFC 6455, 1.3).
const MAGIC: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Bytes of a ping, pong or close at most (5.5).
const MAX_CONTROL: usize = 125;
/// Frames of one message at most.
const MAX_FRAMES: usize = 1024;
/// Bytes from which on a message is large, so that only a few such may be on their way at once.
const LARGE: usize = 64 << 10;
/// How long a message may take from its first frame to its last byte.
const MESSAGE_PATIENCE: Duration = Duration::from_secs(20);

/// Kinds of frames (5.2).
const CONTINUATION: u8 = 0x0;
const TEXT: u8 = 0x1;
const BINARY: u8 = 0x2;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const PONG: u8 = 0xa;

/// The answer that opens a WebSocket, or the one that tells why there is none.
pub(crate) fn handshake(request: &Request) -> Result<Response, Response> {
    let refuse = |why: &str| Err(Response::words(Status::BAD_REQUEST, why));
    let headers = &request.headers;
    if request.method != "GET" {
        return Err(Response::words(Status::METHOD_NOT_ALLOWED, "Request method must be `GET`"));
    }
    if !headers.has_word("connection", "upgrade") {
        return refuse("Connection header did not include 'upgrade'");
    }
    if !headers.has_word("upgrade", "websocket") {
        return refuse("`Upgrade` header did not include 'websocket'");
    }
    if headers.text("sec-websocket-version") != Some("13") {
        return refuse("`Sec-WebSocket-Version` header did not include '13'");
    }
    let Some(key) = headers.text("sec-websocket-key") else {
        return refuse("`Sec-WebSocket-Key` header missing");
    };
    let response =
        Response::new(Status::SWITCHING).with("connection", "upgrade").with("upgrade", "websocket");
    Ok(response.with("sec-websocket-accept", accept(key)))
}

/// The proof that the key was read.
fn accept(key: &str) -> String {
    STANDARD.encode(sha1_smol::Sha1::from(format!("{key}{MAGIC}")).digest().bytes())
}

/// A message of the other side.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Text(String),
    Binary,
    Ping(Vec<u8>),
    Pong,
    Close(Option<u16>),
}

/// The hearing end.
pub(crate) struct Listener {
    wire: HttpWire,
    /// Bytes of a message at most.
    max: usize,
    /// The message whose frames have not all come.
    begun: Option<Begun>,
    gate: Arc<Gate>,
    /// Held from the moment when a message is known to be large until the next one is waited for.
    permit: Option<Permit>,
}

/// The beginning of a message.
struct Begun {
    kind: u8,
    bytes: Vec<u8>,
    n_frames: usize,
    /// When all of it must have come.
    deadline: Instant,
}

/// One frame, unmasked.
struct Frame {
    is_last: bool,
    kind: u8,
    bytes: Vec<u8>,
}

impl Listener {
    pub(crate) fn new(wire: HttpWire, max: usize, gate: Arc<Gate>) -> Self {
        Self { wire, max, begun: None, gate, permit: None }
    }

    /// From now on messages may have `max` bytes.
    pub(crate) fn set_max(&mut self, max: usize) {
        self.max = max;
    }

    /// Takes a permit for an answer that may be large, unless the question has one.
    pub(crate) fn claim(&mut self) {
        if self.permit.is_none() {
            self.permit = Some(self.gate.enter());
        }
    }

    /// When the next message must have come; none: at any time.
    pub(crate) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.wire.deadline = deadline;
    }

    /// Waits for a message.
    ///
    /// # Errors
    /// The end of the connection or of the time, and whatever is against the protocol or too large.
    pub(crate) fn hear(&mut self) -> io::Result<Message> {
        if self.begun.is_none() {
            self.permit = None;
        }
        loop {
            let deadline = self.wire.deadline;
            let frame = self.frame();
            self.wire.deadline = deadline;
            let Frame { is_last, kind, bytes } = frame?;
            match kind {
                PING => return Ok(Message::Ping(bytes)),
                PONG => return Ok(Message::Pong),
                CLOSE => {
                    return Ok(Message::Close(bytes.first_chunk().map(|code| u16::from_be_bytes(*code))));
                }
                _ => {}
            }
            let message = match (kind, self.begun.take()) {
                (CONTINUATION, Some(mut begun)) if begun.n_frames < MAX_FRAMES => {
                    begun.bytes.extend_from_slice(&bytes);
                    begun.n_frames += 1;
                    begun
                }
                (CONTINUATION, Some(_)) => return Err(wrong("a message in too many pieces")),
                (TEXT | BINARY, None) => {
                    Begun { kind, bytes, n_frames: 1, deadline: Instant::now() + MESSAGE_PATIENCE }
                }
                _ => return Err(wrong("a frame out of turn")),
            };
            match (is_last, message.kind) {
                (false, _) => self.begun = Some(message),
                (true, TEXT) => {
                    return String::from_utf8(message.bytes)
                        .map(Message::Text)
                        .map_err(|_| wrong("text that is none"));
                }
                (true, _) => return Ok(Message::Binary),
            }
        }
    }

    /// Moves the deadline forward to this, if it is not before it already.
    fn hurry(&mut self, deadline: Instant) {
        self.wire.deadline = Some(self.wire.deadline.map_or(deadline, |known| known.min(deadline)));
    }

    fn frame(&mut self) -> io::Result<Frame> {
        if let Some(deadline) = self.begun.as_ref().map(|begun| begun.deadline) {
            self.hurry(deadline);
        }
        let [first, second] = self.wire.array()?;
        self.hurry(Instant::now() + MESSAGE_PATIENCE);
        let (is_last, kind) = (first & 0x80 != 0, first & 0x0f);
        if first & 0x70 != 0 || !matches!(kind, CONTINUATION | TEXT | BINARY | CLOSE | PING | PONG) {
            return Err(wrong("a frame of an unknown kind"));
        }
        if second & 0x80 == 0 {
            return Err(wrong("a frame without a mask"));
        }
        let length = match second & 0x7f {
            126 => u64::from(u16::from_be_bytes(self.wire.array()?)),
            127 => u64::from_be_bytes(self.wire.array()?),
            length => u64::from(length),
        };
        let is_control = kind >= CLOSE;
        let n_begun = self.begun.as_ref().map_or(0, |begun| begun.bytes.len());
        let max = if is_control { MAX_CONTROL } else { self.max - n_begun };
        let length = usize::try_from(length).ok().filter(|&length| length <= max);
        let Some(length) = length.filter(|_| is_last || !is_control) else {
            return Err(wrong("a frame that is too large"));
        };
        if !is_control && n_begun + length > LARGE && self.permit.is_none() {
            self.claim();
            // Waiting for others is not sending slowly.
            self.wire.deadline = Some(Instant::now() + MESSAGE_PATIENCE);
        }
        let mask: [u8; 4] = self.wire.array()?;
        let mut bytes = self.wire.take(length)?;
        bytes.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
        Ok(Frame { is_last, kind, bytes })
    }
}

fn wrong(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// The speaking end.
pub(crate) struct Speaker {
    stream: TcpStream,
    /// How long a message may take before whoever should read it counts as gone.
    patience: Duration,
}

impl Speaker {
    pub(crate) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience }
    }

    /// Says something.
    ///
    /// # Errors
    /// The end of the connection, or of the patience.
    pub(crate) fn say(&self, text: &str) -> io::Result<()> {
        self.send(TEXT, text.as_bytes())
    }

    /// Asks whether somebody is there.
    ///
    /// # Errors
    /// As for [`Speaker::say`].
    pub(crate) fn ping(&self) -> io::Result<()> {
        self.send(PING, &[])
    }

    /// Answers somebody who asks that.
    ///
    /// # Errors
    /// As for [`Speaker::say`].
    pub(crate) fn pong(&self, bytes: &[u8]) -> io::Result<()> {
        self.send(PONG, bytes)
    }

    /// Says the last word.
    ///
    /// # Errors
    /// As for [`Speaker::say`].
    pub(crate) fn close(&self, code: Option<u16>, reason: &str) -> io::Result<()> {
        let code = code.map(u16::to_be_bytes);
        self.send(CLOSE, &[code.as_ref().map_or(&[][..], |code| code), reason.as_bytes()].concat())?;
        self.stream.shutdown(Shutdown::Write)
    }

    /// Lets whoever waits for a message wait no longer.
    pub(crate) fn hear_no_more(&self) {
        let _ = self.stream.shutdown(Shutdown::Read);
    }

    fn send(&self, kind: u8, bytes: &[u8]) -> io::Result<()> {
        let mut frame = vec![0x80 | kind];
        match bytes.len() {
            length @ 0..126 => frame.push(length as u8),
            length @ 126..0x1_0000 => {
                frame.push(126);
                frame.extend_from_slice(&(length as u16).to_be_bytes());
            }
            length => {
                frame.push(127);
                frame.extend_from_slice(&(length as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(bytes);
        write_by(&self.stream, &frame, Instant::now() + self.patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;

    /// A frame as a browser sends it, masked with ones.
    fn frame(first: u8, length: &[u8], bytes: &[u8]) -> Vec<u8> {
        let mut frame = vec![first, 0x80 | length[0]];
        frame.extend_from_slice(&length[1..]);
        frame.extend_from_slice(&[1; 4]);
        frame.extend(bytes.iter().map(|byte| byte ^ 1));
        frame
    }

    /// All messages that are heard when this is sent and nothing follows.
    fn heard(sent: &[u8]) -> Vec<Message> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.write_all(sent).unwrap();
        drop(client);
        let gate = Arc::new(Gate::new(1));
        let mut listener = Listener::new(HttpWire::new(listener.accept().unwrap().0), 300, gate);
        std::iter::from_fn(|| listener.hear().ok()).collect()
    }

    fn text(text: &str) -> Message {
        Message::Text(text.to_string())
    }

    #[test]
    fn the_key_of_the_standard_is_answered() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn messages_are_put_together() {
        let long = "x".repeat(300);
        let sent = [
            frame(0x81, &[2], b"go"),
            frame(0x01, &[1], b"a"),
            frame(0x89, &[1], b"?"),
            frame(0x00, &[1], b"b"),
            frame(0x80, &[1], b"c"),
            frame(0x81, &[126, 1, 44], long.as_bytes()),
            frame(0x82, &[0], b""),
            frame(0x88, &[2], &[0x03, 0xe8]),
        ];
        let told = [
            text("go"),
            Message::Ping(b"?".to_vec()),
            text("abc"),
            text(&long),
            Message::Binary,
            Message::Close(Some(1000)),
        ];
        assert_eq!(heard(&sent.concat()), told);
    }

    #[test]
    fn what_is_against_the_protocol_ends_it() {
        let broken = [
            // No mask, unknown kinds and bits, half a control frame.
            vec![0x81, 0x02, b'g', b'o'],
            frame(0x83, &[0], b""),
            frame(0xc1, &[0], b""),
            frame(0x09, &[0], b""),
            // A continuation of nothing, a beginning in the middle, text that is none.
            frame(0x80, &[1], b"a"),
            [frame(0x01, &[1], b"a"), frame(0x81, &[1], b"b")].concat(),
            frame(0x81, &[1], &[0xff]),
            // Too large: at once, in pieces, as a control frame.
            frame(0x81, &[127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], b""),
            [frame(0x01, &[126, 0, 200], &[b'a'; 200]), frame(0x80, &[126, 0, 101], &[b'a'; 101])].concat(),
            frame(0x89, &[126, 0, 126], &[b'a'; 126]),
            // A message in a thousand pieces and more, of which none brings anything.
            [frame(0x01, &[0], b""), frame(0x00, &[0], b"").repeat(MAX_FRAMES)].concat(),
        ];
        for sent in broken {
            assert_eq!(heard(&[frame(0x81, &[2], b"go"), sent.clone()].concat()), [text("go")], "{sent:x?}");
        }
    }
}
