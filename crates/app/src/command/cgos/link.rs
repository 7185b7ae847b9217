//! The line to the server: text lines in both directions, of bounded length, with a look at the clock now and then.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// The longest line that is read; what is longer arrives cut.
const MAX_LINE: usize = 1 << 16;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(20);

/// How long a reader waits before it looks up.
const LOOK: Duration = Duration::from_millis(100);

/// An event of the connection.
pub(super) enum CgosEvent {
    /// A line, with what is not UTF-8 replaced.
    Line(String),
    /// Nothing yet.
    Quiet,
    /// The connection is gone, and why.
    Gone(String),
}

/// A connection.
pub(super) struct Link {
    stream: TcpStream,
    /// Bytes that are no whole line yet.
    open: Vec<u8>,
}

impl Link {
    /// Connects to the first address of a server that answers.
    pub(super) fn open(server: &str, port: u16) -> io::Result<Link> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in (server, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT) {
                Ok(stream) => {
                    stream.set_read_timeout(Some(LOOK))?;
                    stream.set_write_timeout(Some(CONNECT))?;
                    stream.set_nodelay(true)?;
                    return Ok(Link { stream, open: Vec::new() });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// The next line, waited for a moment only.
    pub(super) fn hear(&mut self) -> CgosEvent {
        if let Some(line) = self.whole_line() {
            return CgosEvent::Line(line);
        }
        let mut buffer = [0; 4096];
        match self.stream.read(&mut buffer) {
            Ok(0) => CgosEvent::Gone("the server closed the connection".to_owned()),
            Ok(n) => {
                self.open.extend_from_slice(&buffer[..n]);
                self.whole_line().map_or(CgosEvent::Quiet, CgosEvent::Line)
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
                ) =>
            {
                CgosEvent::Quiet
            }
            Err(error) => CgosEvent::Gone(error.to_string()),
        }
    }

    /// Takes a line out of what has come; one without end is cut.
    fn whole_line(&mut self) -> Option<String> {
        let end = match self.open.iter().position(|&byte| byte == b'\n') {
            Some(at) => at + 1,
            None if self.open.len() >= MAX_LINE => self.open.len(),
            None => return None,
        };
        let line: Vec<u8> = self.open.drain(..end).collect();
        Some(String::from_utf8_lossy(&line).trim().to_owned())
    }

    /// Sends a line.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        self.stream.write_all(format!("{line}\n").as_bytes())?;
        self.stream.flush()
    }
}
