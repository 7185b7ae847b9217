//! A row as bytes. Numbers are little-endian; what follows from the size of the board has no length of its own.
//!
//! | bytes | content |
//! |---|---|
//! | 1, 1 | columns and rows of the board, 1 to 25 |
//! | 1 | which targets there are: 1 value, 2 score, 4 ownership |
//! | 2 | the number of moves with a probability |
//! | 4 | the weight, f32 |
//! | 4, 4 | value and score, f32, where there is one |
//! | 76 | the 19 globals, f32 |
//! | 22 · points / 8, rounded up | the planes as bits, see [`Row::planes`] |
//! | (points + 1) / 8, rounded up | the legal moves as bits |
//! | 6 each | place (u16) and probability (f32) of the moves that have one |
//! | points | owners, a signed byte each, where they are known |

use model::net::graph::N_GLOBALS;

use crate::net::Row;

/// Bits of the third byte.
const HAS_VALUE: u8 = 1;
const HAS_SCORE: u8 = 2;
const HAS_OWNERSHIP: u8 = 4;

/// Appends a row, which [`Row::check`] finds good.
pub fn pack(row: &Row, out: &mut Vec<u8>) {
    let flag = |is_there: bool, bit: u8| if is_there { bit } else { 0 };
    let flags = flag(row.value.is_some(), HAS_VALUE)
        | flag(row.score.is_some(), HAS_SCORE)
        | flag(!row.ownership.is_empty(), HAS_OWNERSHIP);
    out.extend([row.width, row.height, flags]);
    out.extend((row.policy.len() as u16).to_le_bytes());
    let globals = row.globals.iter().copied();
    for number in [row.weight].into_iter().chain(row.value).chain(row.score).chain(globals) {
        out.extend(number.to_le_bytes());
    }
    out.extend_from_slice(&row.planes);
    out.extend_from_slice(&row.legal);
    for &(place, p) in &row.policy {
        out.extend(place.to_le_bytes());
        out.extend(p.to_le_bytes());
    }
    out.extend(row.ownership.iter().map(|&owner| owner as u8));
}

/// The bytes that are still to be read.
struct Unpacker<'a>(&'a [u8]);

impl<'a> Unpacker<'a> {
    fn bytes(&mut self, n: usize) -> Result<&'a [u8], String> {
        match self.0.split_at_checked(n) {
            Some((bytes, rest)) => {
                self.0 = rest;
                Ok(bytes)
            }
            None => Err("a row is cut off".into()),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let bytes = self.bytes(N)?;
        bytes.try_into().map_err(|_| "a row is cut off".into())
    }

    fn number(&mut self) -> Result<f32, String> {
        self.array().map(f32::from_le_bytes)
    }

    fn place(&mut self) -> Result<u16, String> {
        self.array().map(u16::from_le_bytes)
    }
}

/// Takes a row from the beginning of some bytes.
///
/// # Errors
/// When the bytes end too early, or the row is none that [`Row::check`] finds good.
pub fn unpack(bytes: &mut &[u8]) -> Result<Row, String> {
    let mut from = Unpacker(bytes);
    let [width, height, flags] = from.array()?;
    let mut row = Row { width, height, ..Row::default() };
    let n_policy = usize::from(from.place()?);
    row.weight = from.number()?;
    row.value = if flags & HAS_VALUE == 0 { None } else { Some(from.number()?) };
    row.score = if flags & HAS_SCORE == 0 { None } else { Some(from.number()?) };
    for number in row.globals.iter_mut().take(N_GLOBALS) {
        *number = from.number()?;
    }
    let n_points = row.n_points();
    row.planes = from.bytes(Row::plane_bytes(n_points))?.to_vec();
    row.legal = from.bytes(Row::legal_bytes(n_points))?.to_vec();
    row.policy.reserve_exact(n_policy.min(n_points + 1));
    for _ in 0..n_policy {
        row.policy.push((from.place()?, from.number()?));
    }
    if flags & HAS_OWNERSHIP != 0 {
        row.ownership = from.bytes(n_points)?.iter().map(|&byte| byte as i8).collect();
    }
    row.check()?;
    *bytes = from.0;
    Ok(row)
}
