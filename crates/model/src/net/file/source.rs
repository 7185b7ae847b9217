//! The bytes of a network file, unpacked as they are asked for, within bounds.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use super::error::NetFileReason;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BUFFER: usize = 1 << 16;

/// How much a file may unpack to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the unpacked file.
    pub unpacked: u64,
    /// Unpacked bytes for each packed byte read so far, beyond [`Limits::free`].
    pub ratio: u64,
    /// Unpacked bytes that need no packed ones.
    pub free: u64,
}

impl Default for Limits {
    /// 2 GB in all; 20 bytes for each packed one. Trained weights shrink to nine tenths, in decimal digits to a third.
    fn default() -> Limits {
        Limits { unpacked: 2 << 30, ratio: 20, free: 16 << 20 }
    }
}

/// The unpacked bytes of a file, packed or not, by their offset.
pub(super) struct Source<'a> {
    reader: Box<dyn BufRead + 'a>,
    /// Packed bytes read so far; `None` if the file is not packed.
    packed: Option<Rc<Cell<u64>>>,
    limits: Limits,
    offset: u64,
}

/// Counts the bytes that pass.
struct Counted<R> {
    inner: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(out)?;
        self.count.set(self.count.get() + n as u64);
        Ok(n)
    }
}

impl<'a> Source<'a> {
    /// Finds out from the first bytes whether the file is packed.
    pub(super) fn new(mut file: impl Read + 'a, limits: Limits) -> Result<Source<'a>, NetFileReason> {
        let mut head = Vec::with_capacity(2);
        file.by_ref().take(2).read_to_end(&mut head).map_err(|error| NetFileReason::Io(error.to_string()))?;
        let is_packed = head == GZIP_MAGIC;
        let whole = Cursor::new(head).chain(file);
        if !is_packed {
            let reader = Box::new(BufReader::with_capacity(BUFFER, whole));
            return Ok(Source { reader, packed: None, limits, offset: 0 });
        }
        let count = Rc::new(Cell::new(0));
        let counted = BufReader::with_capacity(BUFFER, Counted { inner: whole, count: Rc::clone(&count) });
        let reader = Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(counted)));
        Ok(Source { reader, packed: Some(count), limits, offset: 0 })
    }

    /// The offset of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next bytes, at least one of them; empty at the end of the file.
    pub(super) fn peek(&mut self) -> Result<&[u8], NetFileReason> {
        if self.offset > self.limits.unpacked {
            return Err(NetFileReason::TooLarge(self.limits.unpacked));
        }
        if let Some(packed) = &self.packed
            && self.offset > self.limits.free + self.limits.ratio * packed.get()
        {
            return Err(NetFileReason::Bomb(self.limits.ratio));
        }
        loop {
            // Asked twice, because the borrow of an early return would last until the end.
            match self.reader.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(NetFileReason::Truncated("the end of the packed data".into()));
                }
                Err(error) => return Err(NetFileReason::Io(error.to_string())),
            }
        }
        self.reader.fill_buf().map_err(|error| NetFileReason::Io(error.to_string()))
    }

    /// Steps over bytes that were peeked at.
    pub(super) fn consume(&mut self, n: usize) {
        self.reader.consume(n);
        self.offset += n as u64;
    }

    /// The next byte without stepping over it; `None` at the end of the file.
    pub(super) fn peek_byte(&mut self) -> Result<Option<u8>, NetFileReason> {
        Ok(self.peek()?.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Reads all bytes of a file: how many there are, or why not.
    fn length(file: &[u8], limits: Limits) -> Result<u64, NetFileReason> {
        let mut source = Source::new(file, limits)?;
        loop {
            let n = source.peek()?.len();
            if n == 0 {
                return Ok(source.offset());
            }
            source.consume(n);
        }
    }

    #[test]
    fn packed_and_plain_files_are_the_same_bytes() {
        let text = b"one two three";
        assert_eq!(length(text, Limits::default()), Ok(13));
        assert_eq!(length(&pack(text), Limits::default()), Ok(13));
        assert_eq!(length(b"", Limits::default()), Ok(0));
        assert_eq!(length(b"x", Limits::default()), Ok(1));
    }

    #[test]
    fn a_bomb_is_refused_long_before_it_is_unpacked() {
        let bomb = pack(&vec![0; 40 << 20]);
        assert!(bomb.len() < 50_000);
        assert_eq!(length(&bomb, Limits::default()), Err(NetFileReason::Bomb(20)));
        let limits = Limits { unpacked: 1 << 20, ratio: 1 << 20, free: 0 };
        assert_eq!(length(&bomb, limits), Err(NetFileReason::TooLarge(1 << 20)));
        assert_eq!(length(&vec![0; 2 << 20], limits), Err(NetFileReason::TooLarge(1 << 20)));
    }

    #[test]
    fn a_cut_or_damaged_packed_file_is_refused() {
        let packed = pack(b"one two three");
        for length_left in 2..packed.len() {
            assert!(length(&packed[..length_left], Limits::default()).is_err(), "{length_left}");
        }
        let mut damaged = packed.clone();
        let at = packed.len() - 6;
        damaged[at] ^= 1;
        assert!(matches!(length(&damaged, Limits::default()), Err(NetFileReason::Io(_))));
        let mut longer = packed;
        longer.push(b'x');
        assert!(length(&longer, Limits::default()).is_err());
    }
}
