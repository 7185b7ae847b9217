//! A chunk of a file: a head of 32 bytes and rows, deflated.
//!
//! The head, little-endian: `TROW`; the number of rows, the bytes of the deflated rows and of the rows as they are packed, u32 each;
//! the checksum of the deflated rows, u64; the checksum of the head before it, u64.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use model::net::file::checksum::Fnv1a;

use super::{CHUNK_ROWS, pack};
use crate::net::Row;

/// Bytes of a head.
pub const HEAD_BYTES: usize = 32;
/// The most bytes of a chunk's rows, packed: those of the largest boards with everything known about them.
pub const MOST_BYTES: usize = CHUNK_ROWS * 7000;
const MAGIC: [u8; 4] = *b"TROW";

/// The head of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkHead {
    /// The number of rows.
    pub n_rows: usize,
    /// Bytes of the deflated rows behind the head.
    pub n_deflated: usize,
    /// Bytes of the rows as they are packed.
    pub n_packed: usize,
    /// The checksum of the deflated rows.
    pub sum: u64,
}

impl ChunkHead {
    /// Reads a head.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(bytes: &[u8; HEAD_BYTES]) -> Result<ChunkHead, String> {
        let (head, sum) = bytes.split_at(HEAD_BYTES - 8);
        if Fnv1a::of(head).to_le_bytes() != *sum {
            return Err("the checksum of its head does not fit; the file is damaged".into());
        }
        let int =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
        let (n_rows, n_deflated, n_packed) = (int(4), int(8), int(12));
        let sum = u64::from(int(16) as u32) | u64::from(int(20) as u32) << 32;
        let is_sound =
            (1..=CHUNK_ROWS).contains(&n_rows) && n_deflated <= 2 * MOST_BYTES && n_packed <= MOST_BYTES;
        if head[..4] != MAGIC || !is_sound {
            return Err(format!("{n_rows} rows in {n_packed} bytes; expected 1 to {CHUNK_ROWS} rows"));
        }
        Ok(ChunkHead { n_rows, n_deflated, n_packed, sum })
    }

    fn to_bytes(self) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        bytes[..4].copy_from_slice(&MAGIC);
        for (at, count) in [(4, self.n_rows), (8, self.n_deflated), (12, self.n_packed)] {
            bytes[at..at + 4].copy_from_slice(&(count as u32).to_le_bytes());
        }
        bytes[16..24].copy_from_slice(&self.sum.to_le_bytes());
        let sum = Fnv1a::of(&bytes[..24]);
        bytes[24..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }
}

/// The bytes of a chunk with these rows, packed one behind the other.
///
/// # Errors
/// Never: memory takes all bytes.
pub fn to_bytes(n_rows: usize, packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(packed)?;
    let deflated = encoder.finish()?;
    let head =
        ChunkHead { n_rows, n_deflated: deflated.len(), n_packed: packed.len(), sum: Fnv1a::of(&deflated) };
    Ok([&head.to_bytes()[..], &deflated].concat())
}

/// The rows of a chunk from its deflated bytes.
///
/// # Errors
/// What is wrong with them.
pub fn rows(head: &ChunkHead, deflated: &[u8], out: &mut Vec<Row>) -> Result<(), String> {
    if deflated.len() != head.n_deflated || Fnv1a::of(deflated) != head.sum {
        return Err("the checksum of its rows does not fit; the file is damaged".into());
    }
    let mut packed = Vec::with_capacity(head.n_packed);
    let most = head.n_packed as u64 + 1;
    DeflateDecoder::new(deflated)
        .take(most)
        .read_to_end(&mut packed)
        .map_err(|error| format!("its rows cannot be inflated: {error}"))?;
    if packed.len() != head.n_packed {
        return Err(format!("its rows have {} bytes; expected {}", packed.len(), head.n_packed));
    }
    let mut rest = &packed[..];
    for number in 0..head.n_rows {
        out.push(pack::unpack(&mut rest).map_err(|why| format!("row {}: {why}", number + 1))?);
    }
    if rest.is_empty() { Ok(()) } else { Err(format!("{} bytes behind its last row", rest.len())) }
}
