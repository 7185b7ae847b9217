//! A connection as bytes. Whoever sends or reads too slowly does not hold a thread for longer than was agreed.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes that are asked for at once.
const CHUNK: usize = 16 << 10;

/// The reading end of a connection, with what has come and was not looked at so far.
pub(crate) struct HttpWire {
    stream: TcpStream,
    /// What has come; the first `n_taken` bytes of it have been taken.
    buffer: Vec<u8>,
    n_taken: usize,
    /// When what is waited for must have come; none: at any time.
    pub(crate) deadline: Option<Instant>,
}

impl HttpWire {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new(), n_taken: 0, deadline: None }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// What has come so far.
    pub(crate) fn pending(&self) -> &[u8] {
        &self.buffer[self.n_taken..]
    }

    /// Waits for more.
    ///
    /// # Errors
    /// The end of the connection or of the time.
    pub(crate) fn fill(&mut self) -> io::Result<()> {
        self.stream.set_read_timeout(self.deadline.map(left).transpose()?)?;
        // What was taken goes now, and not with every piece: small messages would be moved over and over.
        self.buffer.drain(..self.n_taken);
        self.n_taken = 0;
        let n_known = self.buffer.len();
        self.buffer.resize(n_known + CHUNK, 0);
        let n_read = loop {
            match self.stream.read(&mut self.buffer[n_known..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(n_known + *n_read.as_ref().unwrap_or(&0));
        match n_read? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// Takes `n` bytes, which are waited for.
    ///
    /// # Errors
    /// As for [`HttpWire::fill`].
    pub(crate) fn take(&mut self, n: usize) -> io::Result<Vec<u8>> {
        while self.pending().len() < n {
            self.fill()?;
        }
        let taken = self.pending()[..n].to_vec();
        self.n_taken += n;
        if self.pending().is_empty() {
            // A large message leaves nothing behind.
            self.buffer = Vec::new();
            self.n_taken = 0;
        }
        Ok(taken)
    }

    /// Takes some bytes of known number.
    ///
    /// # Errors
    /// As for [`HttpWire::fill`].
    pub(crate) fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| ErrorKind::UnexpectedEof.into())
    }
}

/// Writes all of it before the deadline, however little the other side takes at a time.
///
/// # Errors
/// The end of the connection or of the time.
pub(crate) fn write_by(mut stream: &TcpStream, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        stream.set_write_timeout(Some(left(deadline)?))?;
        match stream.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The time until then, which is more than nothing: a timeout of nothing would mean none at all.
fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
}
